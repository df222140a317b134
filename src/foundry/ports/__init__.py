"""The Protocols of what there is several of: readers of files and models.

An adapter matches one by its methods and inherits nothing. The store has one implementation, and
journeys use its classes (``foundry.store``).
"""

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
from foundry.ports.readers import Phase, Progress, Reader, ReadOptions, Step, Unit, run_to_end
