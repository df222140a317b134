"""The gate: is what was found enough to answer from? It decides before any model call.

Each candidate's signals become a calibrated relevance (0–1), and the best of
them is the question's gate score. Below ``min_score`` nothing may be generated.
It refuses to look at the fused score, and it never asks a model.
"""

from foundry.craft.gate.calibration import (
    LEXICAL,
    GateCalibration,
    Logistic,
    get_calibration,
    parse_calibration,
)
from foundry.craft.gate.decision import (
    DECISIVE,
    LIKELY_SHARE,
    UNCALIBRATED_CROSS_LINGUAL,
    UNMENTIONED_CAP,
    GateFeatures,
    ScoredCandidates,
    apply_calibration,
    extract_features,
    make_decision,
    score_candidates,
)
from foundry.craft.gate.question import (
    Candidate,
    Question,
    find_uncovered_words,
    find_unmentioned,
    is_covered,
    is_same_language,
)
from foundry.craft.gate.signals import (
    MAX_JUDGED,
    CandidateSignals,
    compute_coverage,
    compute_signals,
)

__all__ = [
    "DECISIVE",
    "LEXICAL",
    "LIKELY_SHARE",
    "MAX_JUDGED",
    "UNCALIBRATED_CROSS_LINGUAL",
    "UNMENTIONED_CAP",
    "Candidate",
    "CandidateSignals",
    "GateCalibration",
    "GateFeatures",
    "Logistic",
    "Question",
    "ScoredCandidates",
    "apply_calibration",
    "compute_coverage",
    "compute_signals",
    "extract_features",
    "find_uncovered_words",
    "find_unmentioned",
    "get_calibration",
    "is_covered",
    "is_same_language",
    "make_decision",
    "parse_calibration",
    "score_candidates",
]
