"""Whether texts of attacks stay inside the marked lines of every prompt that carries them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foundry.evaluation.injection import PLACES, Escape, Place, find_escapes
from foundry.evaluation.lines import Row, require_text
from foundry.ports import Progress, Step


@dataclass(frozen=True, slots=True)
class Escaped:
    """A text that got out: where it was put, and what of it stands where it may not."""

    number: int
    text: str
    escapes: tuple[Escape, ...]


def read_attack(row: Row) -> str:
    """A line's text. Raises ``UnusableLine``."""
    return require_text(row, "text")


def find_escaped(
    texts: Sequence[str],
    places: Sequence[Place] = PLACES,
    progress: Progress = lambda _step: None,
) -> list[Escaped]:
    """The texts that do not stay inside, with their number from 1, put in all ``places`` at once."""
    found = []
    for number, text in enumerate(texts, start=1):
        escapes = find_escapes(text, places)
        if escapes:
            found.append(Escaped(number, text, escapes))
        progress(Step("assemble", number, len(texts), "texts"))
    return found
