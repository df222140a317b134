"""Grounding: which sentences of a reply the evidence carries, and by which exact words.

No model decides. Numbers, units, dates, versions, names and negation of a
sentence must stand in the cited text, in the place that its words have there; where
the languages agree, its content words must too; then the supporting words are located.
A sentence that fails is tried against the other evidence and else removed, always with
a reason. It does not regenerate, and it does not understand: what is true but said in
other words is doubted, and a contrary that no list holds passes.
"""

from foundry.craft.grounding.placing import (
    Grounds,
    Judge,
    Placed,
    gather,
    ground,
    judged,
    place,
    prepare,
)
from foundry.craft.grounding.scoring import Constants, get_constants, read_constants
from foundry.craft.grounding.verifying import Finding, Similar, find_quote, verify_statement
from foundry.wording.replies import REFUSAL, REFUSALS, Parsed, Statement, is_refusal, parse_reply

__all__ = [
    "REFUSAL",
    "REFUSALS",
    "Constants",
    "Finding",
    "Grounds",
    "Judge",
    "Parsed",
    "Placed",
    "Similar",
    "Statement",
    "find_quote",
    "gather",
    "get_constants",
    "ground",
    "is_refusal",
    "judged",
    "parse_reply",
    "place",
    "prepare",
    "read_constants",
    "verify_statement",
]
