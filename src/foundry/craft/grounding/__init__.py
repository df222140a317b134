"""Grounding: which sentences of a reply the evidence carries, and by which exact words.

No model decides. Numbers, units, dates, versions, names and negation of a
sentence must stand in the cited text, in the place that its words have there; where
the languages agree, its content words must too; then the supporting words are located.
A sentence that fails is tried against the other evidence and else removed, always with
a reason. It does not regenerate, and it does not understand: what is true but said in
other words is doubted, and a contrary that no list holds passes.
"""

from foundry.craft.grounding.attribution import (
    Attribution,
    EvidenceIndex,
    Judge,
    apply_judge,
    attribute,
    build_grounding,
    ground,
    index_evidence,
)
from foundry.craft.grounding.calibration import (
    ClaimCalibration,
    get_claim_calibration,
    parse_claim_calibration,
)
from foundry.craft.grounding.verification import Finding, Similarity, find_quote, verify_statement
from foundry.text.replies import REFUSAL, REFUSALS, ParsedReply, Statement, is_refusal, parse_reply

__all__ = [
    "REFUSAL",
    "REFUSALS",
    "Attribution",
    "ClaimCalibration",
    "EvidenceIndex",
    "Finding",
    "Judge",
    "ParsedReply",
    "Similarity",
    "Statement",
    "apply_judge",
    "attribute",
    "build_grounding",
    "find_quote",
    "get_claim_calibration",
    "ground",
    "index_evidence",
    "is_refusal",
    "parse_claim_calibration",
    "parse_reply",
    "verify_statement",
]
