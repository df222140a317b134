"""The passages, questions and statements that a model is checked with: ``cases.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from foundry.doc import HIDDEN, Doc
from foundry.records import Block, Chunk, Evidence, Focus, Hit, Source
from foundry.records.kinds import Language

PlantedError = Literal["number", "unit", "negation", "subject", "condition"]
PLANTED_ERRORS: tuple[PlantedError, ...] = get_args(PlantedError)

_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
_TOKENS = 50
"""The approximate size of a passage; prompts count their own tokens."""


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A question, and the passage and values of its answer; none of both if there is none."""

    text: str
    language: str
    evidence: tuple[Evidence, ...]
    passage: str | None
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckStatement:
    """A statement about a passage."""

    text: str
    language: Language
    evidence: Annotated[tuple[Evidence, ...], HIDDEN]
    error: Annotated[PlantedError | None, Doc("what is wrong with it; null if it is true")]


@cache
def load_questions() -> tuple[CheckQuestion, ...]:
    """The questions, in turns by language: one of each, then the next."""
    rows = [
        [
            CheckQuestion(
                question["text"],
                part["code"],
                _build_evidence(part),
                question.get("passage"),
                tuple(question.get("expected", ())),
            )
            for question in part["question"]
        ]
        for part in _load()
    ]
    return tuple(question for turn in zip(*rows, strict=True) for question in turn)


@cache
def load_statements() -> tuple[tuple[CheckStatement, ...], ...]:
    """The statements by language. The passage of each comes first in its evidence."""
    return tuple(
        tuple(
            CheckStatement(
                row["text"],
                part["code"],
                _put_first(_build_evidence(part), row["passage"]),
                row.get("error"),
            )
            for row in part["statement"]
        )
        for part in _load()
    )


def _load() -> Sequence[Mapping[str, Any]]:
    text = Path(__file__).with_name("cases.toml").read_text(encoding="utf-8")
    parts: Sequence[Mapping[str, Any]] = tomllib.loads(text)["language"]
    return parts


def _put_first(evidence: tuple[Evidence, ...], name: str) -> tuple[Evidence, ...]:
    return tuple(sorted(evidence, key=lambda item: item.id != name))


def _build_evidence(part: Mapping[str, Any]) -> tuple[Evidence, ...]:
    return tuple(_build_passage(row, part["code"]) for row in part["passage"])


def _build_passage(row: Mapping[str, Any], language: str) -> Evidence:
    text, path, size = row["text"], (row["heading"],), len(row["text"])
    name = f"check_{language}_{row['id']}"
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=size, text=text,
        content=text, tokens=_TOKENS, language=language, heading_path=path, headings=path,
        blocks=(Block("paragraph", 0, size, path),),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=f"{row['title']}.md", content_hash="", title=row["title"],
        type="md", language=language, size=size, modified=_WRITTEN, ingested=_WRITTEN,
    )  # fmt: skip
    return Evidence(row["id"], Hit(chunk, source, Focus(0, size), 1.0, 1.0))
