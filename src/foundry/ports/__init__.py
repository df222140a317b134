"""The Protocols that the journeys are written against.

An adapter (a reader, a store, a model) matches one by its methods and inherits nothing.
"""

from foundry.ports.access import AccessStore
from foundry.ports.corrections import Corrections, CorrectionWriter
from foundry.ports.jobs import LEASE_S, LONGEST_S, MOST_ATTEMPTS, OUTAGE_S, PAUSE_S, Jobs
from foundry.ports.models import (
    ChatMessage,
    ChunkVectors,
    Classifier,
    CountTokens,
    Embedder,
    Generator,
    Reply,
    Reranker,
    Similarity,
    Vectors,
)
from foundry.ports.readers import Phase, Progress, Reader, ReadOptions, Step, Unit
from foundry.ports.stores import EvaluationStore, EvaluationView, Ledger, Store, StoreView
