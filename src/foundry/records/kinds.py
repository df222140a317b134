"""The sets of words that records choose from."""

from __future__ import annotations

from typing import Literal

BlockKind = Literal["heading", "paragraph", "list_item", "table", "code", "caption", "cue"]
Confidentiality = Literal["public", "internal", "confidential", "secret"]
SourceStatus = Literal["added", "updated", "unchanged", "removed", "failed"]
UnreadStatus = Literal["failed", "left_out"]
Verdict = Literal["answer", "low_confidence", "no_evidence"]
ClaimVerdict = Literal["supported", "misattributed", "partly", "unsupported"]
SearchMode = Literal["hybrid", "dense", "bm25"]

CONFIDENTIALITY_LEVELS: tuple[Confidentiality, ...] = (
    "public",
    "internal",
    "confidential",
    "secret",
)
"""From the most to the least open; a role sees its own level and those before it."""
