"""The gate decides, before any model call, whether any retrieved passage comes near the question.

Each candidate's signals become a calibrated relevance (0–1); the best relevance is the gate score
of the question. Below ``min_score`` nothing may be generated. What the question names and the
sources lack is said beside the passages. The gate never looks at the fused score and never asks a
model.
"""

from foundry.craft.gate.decision import (
    ABSENT_CAP,
    CONFIDENT,
    LEXICAL,
    GateCalibration,
    GateFeatures,
    Logistic,
    Missing,
    apply_calibration,
    extract_features,
    get_calibration,
    knows_signals,
    make_decision,
    parse_calibration,
    score_candidates,
)
from foundry.craft.gate.mentions import (
    find_absent_identifier,
    find_lacking,
    find_unmentioned,
)
from foundry.craft.gate.signals import (
    MAX_JUDGED,
    Candidate,
    CandidateSignals,
    compute_coverage,
    compute_signals,
    states_value,
)
