"""Reads pictures with RapidOCR, if the extra ``ocr`` is installed; its models are in its package."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

from foundry.readers.ocr.lines import DEEP, TALL, ScannedLine, ScannedWord

_SIDE = 1280
"""Longest side, in pixels, of the picture in which lines are looked for; they are read at full
size. On drawn pages 960 found all of 11 points; this leaves room for notes in small print."""
_LONGEST = 3600
"""Longest side that is read: an A4 page at 300 dpi; more takes memory and reads no better."""

_LOOSE = 1.3
"""Usual height of a line's box, relative to the size of print (drawn pages)."""
_MIDDLE = 0.32
"""Height of the middle of a box above the baseline, relative to the size of print."""

_WIDE = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_AS_WRITTEN = _WIDE | str.maketrans(
    {"℃": "°C", "℉": "°F", "μ": "µ", "\u3000": " ", "㎡": "m²", "㎜": "mm"}
)
"""Characters of its alphabet that are one in Chinese print, and how they are written here."""


class RapidOcr:
    """The engine; its three models are loaded when it reads its first picture."""

    name = "RapidOCR"

    def read(self, picture: Any, dpi: float) -> list[ScannedLine]:  # noqa: ARG002  as Tesseract
        """The lines of an upright picture, from top to bottom."""
        import numpy as np

        found = _load_engine()(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        if getattr(found, "boxes", None) is None or not found.txts:
            return []
        rows = zip(found.boxes, found.txts, found.scores, found.word_results, strict=False)
        return [_build_line(*row) for row in rows if row[1].strip()]


@cache
def find_rapidocr() -> RapidOcr | None:
    """RapidOCR; None if it is not installed."""
    return RapidOcr() if find_spec("rapidocr") and find_spec("cv2") else None


@cache
def _load_engine() -> Any:
    from rapidocr import RapidOCR

    threads = "EngineConfig.onnxruntime"
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            # It turns single lines, mostly wrongly: upright pages of numbers lost 8 in 100.
            "Global.use_cls": False,
            "Global.return_word_box": True,
            # Unsure lines are dropped by a rule of ours, with a warning.
            "Global.text_score": 0.0,
            "Global.max_side_len": _LONGEST,
            "Det.limit_type": "max",
            "Det.limit_side_len": _SIDE,
            # One thread, because several workers read files at the same time.
            f"{threads}.intra_op_num_threads": 1,
            f"{threads}.inter_op_num_threads": 1,
        }
    )


def _build_line(box: Any, text: str, score: float, words: Any) -> ScannedLine:
    # Corners from the top left, clockwise.
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((float(x), float(y)) for x, y in box)
    slope = (y1 - y0 + y2 - y3) / max(1.0, x1 - x0 + x2 - x3)
    # The box is 1.05 to 1.6 times as high as the print; its middle is surer than its edges.
    size = (y3 - y0 + y2 - y1) / 2 / _LOOSE
    middle = (y0 + y3) / 2

    def place(word: str, left: float, right: float) -> ScannedWord:
        base = middle + slope * ((left + right) / 2 - x0) + _MIDDLE * size
        return ScannedWord(word, left, base - TALL * size, right, base + DEEP * size)

    text = text.translate(_AS_WRITTEN)
    placed = [place(*word) for word in _split_words(text, words, (x0, x1))]
    return ScannedLine(placed, float(score), slope if len(placed) > 1 else 0.0)


def _split_words(
    text: str, words: Any, across: tuple[float, float]
) -> Iterator[tuple[str, float, float]]:
    """The words of a line with their left and right edges."""
    wanted = text.split()
    boxes = [
        (str(word[0]).translate(_AS_WRITTEN), [float(x) for x, _ in word[2]])
        for word in words or ()
    ]
    if [word for word, _ in boxes] == wanted:
        yield from ((word, min(edges), max(edges)) for word, edges in boxes)
        return
    # It splits words at other places than spaces: share the line out by letters.
    left, right = across
    step, start = (right - left) / max(1, len(text)), 0
    for word in wanted:
        start = text.index(word, start)
        yield word, left + step * start, left + step * (start + len(word))
        start += len(word)
