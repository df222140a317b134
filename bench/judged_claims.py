"""Labelled claims with their texts as evidence, and sentences that people wrote from a passage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench.converters import Row
from bench.evidence import (
    Passage,
    as_evidence,
    detokenise,
    make_evidence,
    read_rows,
    sentences,
)
from foundry.analysis import UNKNOWN, detect_language, detect_query_language
from foundry.evaluation.lines import Row as Line
from foundry.evaluation.lines import UnusableLine, require_label, require_text
from foundry.journeys.statement_checks import detect_statement_language
from foundry.records import Evidence


@dataclass(frozen=True)
class JudgedClaim:
    claim: str
    evidence: tuple[Evidence, ...]
    carried: bool
    group: str
    held_back: bool


def read_answers(data: Path) -> list[JudgedClaim]:
    """Sentences of the human-written answers of ``clapnq`` over the passage they were written from.

    All count as carried: people wrote them from that passage, and nobody judged them again.
    """
    texts = {str(row["id"]): row for row in read_rows(data / "clapnq/corpus.jsonl")}
    lines = (data / "clapnq/qrels.tsv").read_text(encoding="utf-8").splitlines()
    homes = {row[0]: row[1] for row in (line.split("\t") for line in lines) if row[1] in texts}
    found = []
    for query in read_rows(data / "clapnq/queries.jsonl"):
        home = texts.get(homes.get(str(query["id"]), ""))
        if home is None or not query["answerable"]:
            continue
        text, title = detokenise(home["text"]), home["title"]
        own = Passage(text, "en", f"clapnq:{title}", title)
        for sentence in sentences(detokenise(query["answer"])):
            evidence = (make_evidence(own),)
            found.append(JudgedClaim(sentence, evidence, True, own.group, own.held_back))
    return found


def is_held_back(row: Row) -> bool:
    """Whether a row of ``expertqa_claims`` is in the half that was not used for fitting."""
    return Passage("", "en", row["group"]).held_back


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
