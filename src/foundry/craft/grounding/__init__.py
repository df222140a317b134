"""Grounding: which sentences of a reply the evidence supports, and by which exact words.

No model decides. A sentence's numbers, units, dates, versions, names and negation must occur in
the cited text, in the place that its words have there; within one language its content words must
too. Then the supporting words are located. A sentence that fails is checked against the other
evidence and otherwise removed, always with a reason. Nothing is regenerated or understood here: a
true paraphrase is doubted, and an antonym that no list contains passes.
"""

from foundry.craft.grounding.attribution import (
    Attribution,
    EvidenceIndex,
    attribute,
    build_grounding,
    build_sentence,
    index_evidence,
)
from foundry.craft.grounding.calibration import (
    ClaimCalibration,
    get_claim_calibration,
    knows_claim_signals,
    parse_claim_calibration,
)
from foundry.craft.grounding.judgement import Judgement, apply_judgement, correct, settle
from foundry.craft.grounding.verification import Finding, find_quote, verify_statement
from foundry.text.replies import ParsedReply, Statement, is_refusal, parse_reply
