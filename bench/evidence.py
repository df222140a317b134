"""Texts of data sets as evidence, and their sentences, for the measurements of the verifier."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from foundry.evaluation.calibration.verifier import as_evidence
from foundry.records import Evidence

_LEFT = re.compile(r"\s+([,.;:!?%)\]]|''|'s\b|n't\b)")
_RIGHT = re.compile(r"(``|[(\[])\s+")
_DASHED = re.compile(r"(?<=\w) - (?=\w)")


@dataclass(frozen=True)
class Passage:
    """A text that sentences are verified against; passages of one ``group`` stay in one half."""

    text: str
    language: str
    group: str
    title: str = ""

    @property
    def held_back(self) -> bool:
        """Whether its article is in the half that was not used for tuning."""
        return crc32(self.group.encode()) % 2 == 1


def make_evidence(passage: Passage, name: str = "S1") -> Evidence:
    """A passage as evidence."""
    return as_evidence(
        passage.text, passage.language, name, path=passage.group, title=passage.title
    )


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def detokenise(text: str) -> str:
    """Tokenised text as people write it: no blanks before punctuation."""
    joined = _RIGHT.sub(r"\1", _LEFT.sub(r"\1", text))
    return _DASHED.sub("-", joined).replace("``", '"').replace("''", '"')


def sentences(text: str) -> list[str]:
    """Whole sentences of five to sixty words, split at full stops before a capital."""
    parts = re.split(r"(?<=[a-z\d)\"%][.!?])\s+(?=[A-Z\"'])|\n+", text)
    parts = [re.sub(r"^[*•#-]+\s+", "", part).strip() for part in parts]
    return [text for text in parts if 5 <= len(text.split()) <= 60 and text[-1] in '.!"']
