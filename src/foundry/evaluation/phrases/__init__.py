"""The words of reports and plots in English and Dutch, and how each language writes its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from foundry.evaluation.phrases.table import TABLE

Language = Literal["en", "nl"]
LANGUAGES: tuple[Language, ...] = ("en", "nl")
_THIN = "\u202f"


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's column of the table: ``phrases("worst.title")``."""

    language: Language

    def __call__(self, key: str, /, **values: object) -> str:
        """The phrase of that name with its values filled in; raises ``KeyError`` for no such one."""
        return TABLE[key][LANGUAGES.index(self.language)].format(**values)

    def number(self, value: float, places: int = 0) -> str:
        """``1,234.5`` in English, ``1.234,5`` in Dutch."""
        text = f"{value:,.{places}f}"
        # Never "-0.00": a reader takes the sign for a loss.
        if not any(digit in text for digit in "123456789"):
            text = text.lstrip("-")
        text = text.replace("-", "−")
        return text.translate(_DUTCH) if self.language == "nl" else text

    def share(self, value: float | None, places: int = 3) -> str:
        """A figure of 0–1, or the word for undefined."""
        return self("undefined") if value is None else self.number(value, places)

    def signed(self, value: float | None, places: int = 3) -> str:
        """A difference with its sign; without one where it rounds to nothing."""
        if value is None:
            return self("undefined")
        text = self.number(value, places)
        return f"+{text}" if value > 0 and any(digit in text for digit in "123456789") else text

    def time(self, milliseconds: float | None) -> str:
        """``840 ms``, from ten seconds on ``12.4 s``."""
        if milliseconds is None:
            return self("undefined")
        if milliseconds >= 10_000:
            return f"{self.number(milliseconds / 1000, 1)}{_THIN}s"
        return f"{self.number(milliseconds, 0 if milliseconds >= 10 else 1)}{_THIN}ms"

    def count(self, number: int, noun: str) -> str:
        """``1 question``, ``1,200 questions``: the phrases ``noun.one`` and ``noun.many``."""
        form = "one" if number == 1 else "many"
        return f"{self.number(number)} {self(f'{noun}.{form}')}"

    def moment(self, when: datetime) -> str:
        """``2026-03-05 14:02 UTC``, in the time zone that it has."""
        return f"{when:%Y-%m-%d %H:%M %Z}".rstrip()


_DUTCH = str.maketrans(",.", ".,")
_BY_LANGUAGE = {language: Phrases(language) for language in LANGUAGES}
ENGLISH = _BY_LANGUAGE["en"]


def phrases_for(language: str) -> Phrases:
    """Dutch for "nl", English for every other language."""
    return _BY_LANGUAGE["nl"] if language == "nl" else ENGLISH
