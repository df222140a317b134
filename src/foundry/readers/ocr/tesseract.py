"""Reads pictures with the program ``tesseract``, and finds its language data.

The program runs on one picture with a time limit and one thread. Nothing is downloaded or
installed.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.readers.ocr.lines import DEEP, LOW, TALL, ScannedLine, ScannedWord, find_slope

INSTALL = "apt install tesseract-ocr tesseract-ocr-nld"
"""How to install Tesseract, for messages."""

_USUAL = (
    "/usr/share/tesseract-ocr",
    "/usr/share/tessdata",
    "/usr/share/tesseract",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "/opt/local/share/tessdata",
    "C:/Program Files/Tesseract-OCR/tessdata",
)
_WANTED = ("eng", "nld", "deu", "fra", "spa", "ita")


@dataclass(frozen=True, slots=True)
class Tessdata:
    """A folder of ``*.traineddata``, and the languages to read with ("eng+nld")."""

    folder: Path
    languages: str


@cache
def find_tessdata() -> Tessdata | None:
    """Find the language data of the installed Tesseract; None if there is none."""
    for folder in _list_folders():
        installed = {file.stem for file in folder.glob("*.traineddata")}
        others = sorted(installed - {"osd", "equ"})
        languages = [name for name in _WANTED if name in installed] or others[:1]
        if languages:
            # Each language makes it slower; two are enough for most projects.
            return Tessdata(folder, "+".join(languages[:2]))
    return None


def _list_folders() -> Iterator[Path]:
    configured = os.environ.get("TESSDATA_PREFIX")
    if configured:
        yield Path(configured)
        yield Path(configured) / "tessdata"
    program = shutil.which("tesseract")
    if program:
        yield from _ask_tesseract(program)
    for usual in _USUAL:
        yield Path(usual)
        yield from sorted(Path(usual).glob("*/tessdata"), reverse=True)


def _ask_tesseract(program: str) -> Iterator[Path]:
    try:
        listing = subprocess.run(
            [program, "--list-langs"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    match = re.search(r'"([^"]+)"', listing.stdout + listing.stderr)
    if match:
        yield Path(match[1])


TIME_LIMIT_S = 120
"""Time limit for one picture. A guess, far more than a scanned page needs."""
_SURE_TURN = 2.0
"""Tesseract's confidence in a page's orientation above which it is believed: right answers on drawn
pages, clean and grainy, had 2.5 to 18, a wrong one on a grainy page 0.02."""

_GRAIN = 4.0
"""Mean difference of a pixel from its neighbours, 0–255, above which a picture is smoothed: drawn
pages have 0.1, and 6 to 22 with so much grain that half of the characters or more were wrong."""
_WINDOW = 5
"""Pixels replaced by their median: that brought all of these to 2 wrong characters in 100."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program and its language data."""

    program: str
    data: Tessdata
    name: str = "Tesseract"

    def find_turns(self, picture: Any, dpi: float) -> int | None:
        """How many quarters to the right the picture must be turned to be read; None if unknown."""
        if not (self.data.folder / "osd.traineddata").exists():
            return None
        try:
            answer = self._run(picture, dpi, "--psm", "0", "-l", "osd")
        except ReadError:
            # It says so if there are too few characters.
            return None
        found = dict(
            re.findall(r"^(Rotate|Orientation confidence): ([\d.]+)", answer, re.MULTILINE)
        )
        if float(found.get("Orientation confidence", 0)) < _SURE_TURN:
            return None
        return round(float(found.get("Rotate", 0)) / 90) % 4

    def read(self, picture: Any, dpi: float) -> list[ScannedLine]:
        """The lines of an upright picture. Raises ``ReadError``."""
        table = self._run(picture, dpi, "-l", self.data.languages, "tsv")
        lines = list(_parse_lines(table))
        # One line's feet say little, because some letters are deep: the page has one slope.
        slope = find_slope(lines)
        for line in lines:
            line.slope = slope
            # Give all words the height of tall and deep letters: a box ends where its letters do.
            first = line.words[0].x0
            letters = set("".join(word.text for word in line.words))
            top = min(word.y0 - line.slope * (word.x0 - first) for word in line.words)
            foot = max(word.y1 - line.slope * (word.x0 - first) for word in line.words)
            deep = DEEP if letters & _DEEP_LETTERS else 0.0
            size = (foot - top) / ((LOW if letters <= _LOW_LETTERS else TALL) + deep)
            base = foot - deep * size
            for word in line.words:
                drop = line.slope * (word.x0 - first)
                word.y0, word.y1 = base - TALL * size + drop, base + DEEP * size + drop
        return lines

    def _run(self, picture: Any, dpi: float, *options: str) -> str:
        data = io.BytesIO()
        _smooth(picture.convert("L")).save(data, "PPM")
        command = [self.program, "stdin", "stdout", "--dpi", str(round(dpi))]
        command += ["--tessdata-dir", str(self.data.folder), *options]
        # One thread, because several workers read files at the same time.
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        try:
            done = subprocess.run(
                command,
                input=data.getvalue(),
                capture_output=True,
                timeout=TIME_LIMIT_S,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ReadError("readers-ocr-too-slow", seconds=TIME_LIMIT_S) from error
        if done.returncode != 0:
            lines = done.stderr.decode("utf-8", "replace").split("\n")
            causes = [line.strip().rstrip(".") for line in lines if line.strip()]
            cause = causes[-1] if causes else Message("readers-no-reason")
            raise ReadError("readers-ocr-failed", cause=cause)
        return done.stdout.decode("utf-8", "replace")


def _smooth(picture: Any) -> Any:
    """Take the grain out of a noisy picture, on which it would fail after minutes."""
    # Imported here: only workers that read pictures need it.
    from PIL import ImageChops, ImageFilter, ImageStat

    grain = ImageChops.difference(picture, picture.filter(ImageFilter.MedianFilter(3)))
    if ImageStat.Stat(grain).mean[0] < _GRAIN:
        return picture
    return picture.filter(ImageFilter.MedianFilter(_WINDOW))


@cache
def find_tesseract() -> Tesseract | None:
    """The installed Tesseract; None without the program or its language data."""
    program, data = shutil.which("tesseract"), find_tessdata()
    return Tesseract(program, data) if program and data else None


def _parse_lines(table: str) -> Iterator[ScannedLine]:
    rows = csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)
    kept = [row for row in rows if row["level"] == "5" and (row.get("text") or "").strip()]
    for _, group in groupby(
        kept, key=lambda row: (row["block_num"], row["par_num"], row["line_num"])
    ):
        yield _build_line(list(group))


def _build_line(rows: Sequence[dict[str, str]]) -> ScannedLine:
    words = []
    for row in rows:
        left, top = int(row["left"]), int(row["top"])
        right, bottom = left + int(row["width"]), top + int(row["height"])
        words.append(ScannedWord(row["text"].strip(), left, top, right, bottom))
    sure = sum(float(row["conf"]) * len(row["text"]) for row in rows)
    confidence = sure / sum(len(row["text"]) for row in rows) / 100
    return ScannedLine(words, min(max(confidence, 0.0), 1.0), _find_slope(words))


def _find_slope(words: Sequence[ScannedWord]) -> float:
    """The slope of a line: that of its letters' feet, most of which are on the baseline."""
    if len(words) < 4:
        return 0.0
    half = len(words) // 2
    left, right = words[:half], words[-half:]
    across = median(word.x0 for word in right) - median(word.x0 for word in left)
    return (median(w.y1 for w in right) - median(w.y1 for w in left)) / across if across else 0.0


_DEEP_LETTERS = frozenset("gjpqyç,;()[]{}|/$§Q")
_LOW_LETTERS = frozenset("acegmnopqrsuvwxyz.,:;-–+=~<>")
