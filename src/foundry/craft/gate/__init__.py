"""The gate decides, before any model call, whether the retrieved passages suffice for an answer.

Each candidate's signals become a calibrated relevance (0–1); the best relevance is the gate score
of the question. Below ``min_score`` nothing may be generated. The gate never looks at the fused
score and never asks a model.
"""

from foundry.craft.gate.asked import find_asked_value, states_value
from foundry.craft.gate.calibration import (
    LEXICAL,
    GateCalibration,
    Logistic,
    get_calibration,
    knows_signals,
    parse_calibration,
)
from foundry.craft.gate.decision import (
    CONFIDENT,
    UNMENTIONED_CAP,
    GateFeatures,
    apply_calibration,
    extract_features,
    make_decision,
    score_candidates,
)
from foundry.craft.gate.question import (
    Candidate,
    find_unmentioned,
    is_covered,
    is_same_language,
    select_subject_words,
)
from foundry.craft.gate.signals import (
    MAX_JUDGED,
    CandidateSignals,
    compute_coverage,
    compute_signals,
)
