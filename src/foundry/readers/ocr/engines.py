"""The OCR engines that are installed and wanted, and what they read in a picture together.

A picture that lies on its side or upside down is turned first. Where two engines are used,
RapidOCR's reading is kept, because it read signs that Tesseract did not (docs/evaluation/ocr.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from foundry.installation import tell_install
from foundry.messages import Message
from foundry.readers.ocr import rapid, tesseract
from foundry.readers.ocr.lines import (
    ScannedLine,
    find_slope,
    merge_readings,
    weigh_confidence,
)

GARBAGE = 0.3
"""Lines read with less confidence are dropped."""
_PHOTO = 0.6
"""The same for a picture beside text, which may be a photo or drawing. A guess."""
_TURNED = 0.75
"""A page read with less confidence may be turned: it is also tried in other directions."""


class OcrEngine(Protocol):
    """Reads upright pictures (of Pillow)."""

    @property
    def name(self) -> str: ...

    def read(self, picture: Any, dpi: float) -> list[ScannedLine]: ...


@dataclass(slots=True)
class PictureText:
    """What was read in a picture that had to be turned right by so many quarters (``turns``).

    ``width`` and ``height`` are those of the turned picture, in pixels, and ``slope`` is how far it
    is askew. ``dropped`` lines could not be read with any confidence.
    """

    turns: int
    width: int
    height: int
    lines: list[ScannedLine] = field(default_factory=list)
    slope: float = 0.0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class OcrEngines:
    """The engines that read, the first one's reading before the others'; ``why`` if there is none."""

    engines: tuple[OcrEngine, ...]
    why: Message | None = None

    def __bool__(self) -> bool:
        return bool(self.engines)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the engines."""
        return tuple(engine.name for engine in self.engines)

    def read_upright(self, picture: Any, dpi: float) -> PictureText:
        """Read a picture of Pillow that may show no text, as a photo. Raises ``ReadError``."""
        return self._merge(self.engines[0].read(picture, dpi), picture, dpi, 0, _PHOTO)

    def read(self, picture: Any, dpi: float) -> PictureText:
        """Read a page as a picture of Pillow, turned if need be. Raises ``ReadError``."""
        known = tesseract.find_tesseract()
        turns = known.find_turns(picture, dpi) if known else None
        lines = self.engines[0].read(turn_picture(picture, turns or 0), dpi)
        if turns is None and weigh_confidence(lines) < _TURNED:
            turns, lines = self._try_turns(picture, dpi, lines)
        return self._merge(lines, turn_picture(picture, turns or 0), dpi, turns or 0, GARBAGE)

    def _merge(
        self, lines: list[ScannedLine], upright: Any, dpi: float, turns: int, least: float
    ) -> PictureText:
        """Add what the other engines read, and leave out what was read with too little confidence."""
        for engine in self.engines[1:]:
            lines = merge_readings(lines, engine.read(upright, dpi))
        kept = [line for line in lines if line.confidence >= least]
        width, height = upright.size
        text = PictureText(turns, width, height, kept, find_slope(kept))
        text.dropped = len(lines) - len(kept)
        return text

    def _try_turns(
        self, picture: Any, dpi: float, upright: list[ScannedLine]
    ) -> tuple[int, list[ScannedLine]]:
        """Read a picture in the other directions, and return the one that reads best."""
        best, turns = upright, 0
        for turn in (1, 3, 2):
            lines = self.engines[0].read(turn_picture(picture, turn), dpi)
            if _weigh_words(lines) > _weigh_words(best):
                best, turns = lines, turn
        return turns, best


def _weigh_words(lines: Sequence[ScannedLine]) -> float:
    """How much was read and how surely: a page on its side gives few letters, and unsure ones."""
    return sum((line.confidence - GARBAGE) * len(line.text) for line in lines)


def turn_picture(picture: Any, turns: int) -> Any:
    """Turn a picture of Pillow to the right by quarters."""
    # Pillow turns to the left.
    return picture.rotate(-90 * turns, expand=True) if turns else picture


def find_engines(wanted: str) -> OcrEngines:
    """The engines for ``ingest.ocr``: all that are installed, or those that it names."""
    if wanted == "off":
        return OcrEngines((), Message("readers-pdf-ocr-off"))
    installed: dict[str, OcrEngine | None] = {
        "rapidocr": rapid.find_rapidocr(),
        "tesseract": tesseract.find_tesseract(),
    }
    names = tuple(installed) if wanted in {"auto", "both"} else (wanted,)
    found = tuple(engine for name in names if (engine := installed[name]))
    if found:
        return OcrEngines(found)
    if wanted == "rapidocr":
        return OcrEngines((), Message("readers-pdf-no-rapidocr", install=tell_install("ocr")))
    return OcrEngines((), Message("readers-pdf-no-tesseract", install=tesseract.INSTALL))
