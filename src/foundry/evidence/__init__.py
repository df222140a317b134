"""From a search to evidence: HyDE, relevance scoring, what fits the budget, what contradicts.

Everything here comes after the gate: it never opens a closed one, and it may leave
nothing. A step whose model is missing, fails or talks nonsense is skipped and said.
"""

from foundry.evidence.gathering import Gathered, conflicts_beside, gather_evidence
from foundry.evidence.hypothetical import Hypothetical, write_hypothetical
from foundry.evidence.scoring import Scores, score_hits

__all__ = [
    "Gathered",
    "Hypothetical",
    "Scores",
    "conflicts_beside",
    "gather_evidence",
    "score_hits",
    "write_hypothetical",
]
