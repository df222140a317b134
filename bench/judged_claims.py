"""Labelled claims with their texts as evidence."""

from __future__ import annotations

from dataclasses import dataclass

from bench.evidence import as_evidence
from foundry.analysis import UNKNOWN, detect_language, detect_query_language
from foundry.evaluation.lines import Row as Line
from foundry.evaluation.lines import UnusableLine, require_label, require_text
from foundry.journeys.statement_checks import detect_statement_language
from foundry.records import Evidence


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim, the texts it is checked against, and whether they support it."""

    text: str
    evidence: tuple[str, ...]
    label: bool


def read_claim(row: Line) -> LabelledClaim:
    """A line's claim. Raises ``UnusableLine``."""
    text, label = require_text(row, "claim"), require_label(row)
    if "evidence" not in row:
        raise UnusableLine("eval-line-lacks", key="evidence")
    value = row["evidence"]
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise UnusableLine("verbatim", text='"evidence" is neither a text nor a list of texts')
    return LabelledClaim(text, tuple(item for item in texts if item.strip()), label)


def prepare_claim(claim: LabelledClaim) -> tuple[str, list[Evidence]]:
    """The claim's language and its evidence; a text too short to detect has the other's language."""
    languages = [_detect(text) for text in claim.evidence]
    known = next((language for language in languages if language != UNKNOWN), UNKNOWN)
    spoken = detect_statement_language(claim.text, known)
    if spoken == UNKNOWN:
        spoken = detect_query_language(claim.text)
    return spoken, [
        as_evidence(text, spoken if language == UNKNOWN else language, f"S{number}")
        for number, (text, language) in enumerate(
            zip(claim.evidence, languages, strict=True), start=1
        )
    ]


def _detect(text: str) -> str:
    language = detect_language(text)
    return detect_query_language(text) if language == UNKNOWN else language
