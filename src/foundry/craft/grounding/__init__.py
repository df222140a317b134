"""Grounding: what the rules say of a sentence, and by which exact words of a source.

No model decides here. One sentence or one row must say a statement as a whole: then it is exact.
One that says the same with another value, name or polarity contradicts it. Everything else is left
open, for a judge or a reader.
"""

from foundry.craft.grounding.attribution import (
    Attribution,
    attribute,
    build_grounding,
    correct,
    recite,
    settle,
)
from foundry.craft.grounding.verdict import (
    ClaimRuling,
    EvidenceIndex,
    Judgement,
    JudgeVerdict,
    apply_judgement,
    build_check,
    choose_language,
    detect_statement_language,
    rule_claim,
)
from foundry.craft.grounding.verification import Finding, find_quote, verify_statement
from foundry.text.replies import ParsedReply, Statement, is_refusal, parse_reply
