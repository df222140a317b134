"""The words of reports and plots (``texts/LANGUAGE.toml``), and how each language writes numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Literal

Language = Literal["en", "nl"]
LANGUAGES: tuple[Language, ...] = ("en", "nl")
_THIN = "\u202f"
_DUTCH = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's words: ``phrases("worst.title")``."""

    language: Language

    def __call__(self, key: str, /, **values: object) -> str:
        """The phrase with its values filled in; raises ``KeyError`` for an unknown key."""
        return _read(self.language)[key].format(**values)

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

    def format_signed(self, value: float, places: int = 3) -> str:
        """A difference with its sign; a difference that rounds to 0 has none."""
        text = self.number(value, places)
        return f"+{text}" if value > 0 and any(digit in text for digit in "123456789") else text

    def time(self, milliseconds: float) -> str:
        """``840 ms``, from ten seconds on ``12.4 s``."""
        if milliseconds >= 10_000:
            return f"{self.number(milliseconds / 1000, 1)}{_THIN}s"
        return f"{self.number(milliseconds, 0 if milliseconds >= 10 else 1)}{_THIN}ms"

    def count(self, number: int, noun: str) -> str:
        """``1 question``, ``1,200 questions``, from the phrases ``noun.one`` and ``noun.many``."""
        form = "one" if number == 1 else "many"
        return f"{self.number(number)} {self(f'{noun}.{form}')}"

    def moment(self, when: datetime) -> str:
        """``2026-03-05 14:02 UTC``, in the time zone of ``when``."""
        return f"{when:%Y-%m-%d %H:%M %Z}".rstrip()


ENGLISH = Phrases("en")


def phrases_for(language: str) -> Phrases:
    """Dutch for "nl", English for every other language."""
    return Phrases("nl") if language == "nl" else ENGLISH


@cache
def _read(language: Language) -> Mapping[str, str]:
    text = files("foundry.evaluation").joinpath(f"texts/{language}.toml").read_text("utf-8")
    return tomllib.loads(text)
