"""The words of reports and plots in one language, and how that language writes their numbers."""

from __future__ import annotations

from datetime import datetime

from foundry.messages import Words

_THIN = "\u202f"
_DUTCH = str.maketrans(",.", ".,")


class Phrases(Words):
    """The catalogue in one language, with numbers: ``phrases("report-worst-title")``."""

    __slots__ = ()

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
        return self("report-undefined") if value is None else self.number(value, places)

    def format_signed(self, value: float, places: int = 3) -> str:
        """A difference with its sign; a difference that rounds to 0 has none."""
        text = self.number(value, places)
        return f"+{text}" if value > 0 and any(digit in text for digit in "123456789") else text

    def time(self, milliseconds: float) -> str:
        """``840 ms``, from ten seconds on ``12.4 s``."""
        if milliseconds >= 10_000:
            return f"{self.number(milliseconds / 1000, 1)}{_THIN}s"
        return f"{self.number(milliseconds, 0 if milliseconds >= 10 else 1)}{_THIN}ms"

    def moment(self, when: datetime) -> str:
        """``2026-03-05 14:02 UTC``, in the time zone of ``when``."""
        return f"{when:%Y-%m-%d %H:%M %Z}".rstrip()


ENGLISH = Phrases("en")
