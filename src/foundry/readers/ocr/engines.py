"""The OCR engines that are installed and wanted, and what they read in a picture together.

A picture that lies on its side or upside down is turned first. Where two engines are used,
RapidOCR's reading is kept, because it read signs that Tesseract did not (docs/evaluation/ocr.md).
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from foundry.errors import ReadError
from foundry.installation import tell_install
from foundry.messages import Message
from foundry.readers.ocr.lines import (
    DEEP,
    LOW,
    TALL,
    ScannedLine,
    ScannedWord,
    find_slope,
    merge_readings,
    weigh_confidence,
)

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
        return [_build_rapid_line(*row) for row in rows if row[1].strip()]


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


def _build_rapid_line(box: Any, text: str, score: float, words: Any) -> ScannedLine:
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
        known = find_tesseract()
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
        "rapidocr": find_rapidocr(),
        "tesseract": find_tesseract(),
    }
    names = tuple(installed) if wanted in {"auto", "both"} else (wanted,)
    found = tuple(engine for name in names if (engine := installed[name]))
    if found:
        return OcrEngines(found)
    if wanted == "rapidocr":
        return OcrEngines((), Message("readers-pdf-no-rapidocr", install=tell_install("ocr")))
    return OcrEngines((), Message("readers-pdf-no-tesseract", install=INSTALL))
