"""The fixed texts of documents in Dutch and English, and how dates and shares are written."""

from __future__ import annotations

import functools
import math
import tomllib
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class DocumentTexts:
    """Every text in a document that comes neither from a source nor from a writer."""

    language: str
    months: tuple[str, ...]
    contents: str
    skip: str
    made_with: str
    date: str
    project: str
    chapter: str
    owner: str
    approved: str
    accepted: str
    by_on: str
    page_of: str
    stale: str
    stale_why: str
    stale_chapter: str
    notes: str
    back: str
    sources: str
    sources_why: str
    path: str
    title: str
    revision: str
    coverage: str
    coverage_why: str
    section: str
    sentences: str
    supported: str
    shown: str
    remark: str
    conflicts: str
    no_conflicts: str
    holds: str
    undecided: str
    superseded: str
    approvals: str
    approvals_why: str
    written: str
    note: str
    contradiction: str
    replaced: str
    says: str
    first_holds: str
    second_holds: str
    check_hierarchy: str


@functools.cache
def get_words(language: str) -> DocumentTexts:
    """The texts in Dutch for "nl", in English for every other language."""
    language = "nl" if language == "nl" else "en"
    data = files("foundry.render").joinpath("words.toml").read_text(encoding="utf-8")
    texts = tomllib.loads(data)[language]
    return DocumentTexts(language=language, months=tuple(texts.pop("months")), **texts)


def format_day(when: datetime, words: DocumentTexts) -> str:
    """``5 March 2026``, in the time zone of ``when``."""
    return f"{when.day} {words.months[when.month - 1]} {when.year}"


def format_share(value: float | None) -> str:
    """``98%``, rounded down so that 100% means all; a dash for None."""
    return "–" if value is None else f"{math.floor(value * 100 + 1e-9)}%"
