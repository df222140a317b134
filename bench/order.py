"""Whether the words of a page follow each other as they do in the file.

For PDFs whose programs write a page in reading order, as TeX does. A place between two words is
right if the letters around it are so in what the reader gives; running lines, which it leaves
out, count as lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.tables import write_head, write_row
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.pdf.facts import open_pdf
from foundry.readers.pdf.views import view_page
from foundry.readers.pdf.words import read_words

_NO_LETTER = re.compile(r"[\W_]")
_REACH = 6
"""Letters on each side of a place that are compared."""


def measure(data: Path) -> Iterator[str]:
    """The share of right places for each file of ``DIR/order`` and its folders, and for all."""
    yield from write_head("file", "places", "right")
    places = right = 0
    for path in sorted((data / "order").rglob("*.pdf")):
        options = ReadOptions(name=path.name, ocr="off")
        joints = _list_joints(path, options)
        found = _count_windows(_fold(read(path, options).text))
        hits = sum(min(count, found[joint]) for joint, count in joints.items())
        places, right = places + joints.total(), right + hits
        yield write_row(path.name, joints.total(), f"{hits / max(1, joints.total()):.3f}")
    yield write_row("**all**", places, f"{right / max(1, places):.3f}")


def _list_joints(path: Path, options: ReadOptions) -> Counter[str]:
    """The letters around the places between the upright words of each page, as the file has them."""
    joints: Counter[str] = Counter()
    with open_pdf(path, options) as pdf:
        for page in pdf:
            letters, places = "", []
            for word in read_words(page, view_page(page))[0].words:
                places.append(len(letters))
                letters += _fold(word.text)
            inner = [x for x in places if _REACH <= x <= len(letters) - _REACH]
            joints.update(letters[x - _REACH : x + _REACH] for x in inner)
    return joints


def _count_windows(letters: str) -> Counter[str]:
    width = 2 * _REACH
    return Counter(letters[x : x + width] for x in range(len(letters) - width + 1))


def _fold(text: str) -> str:
    return _NO_LETTER.sub("", text).casefold()
