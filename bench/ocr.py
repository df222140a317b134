"""Errors of OCR on drawn scans: characters, quantities, and wrong quantities that are doubted.

Pages of sentences and a table with digits, signs and units are drawn, worsened as scanners do, and
read as an ingest reads images. A quantity is a word with a digit or a sign.
"""

from __future__ import annotations

import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from bench.tables import write_head, write_row
from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.ocr.engines import find_engines
from foundry.readers.pdf.images import read_image
from foundry.records import Document

FONTS = ("DejaVuSans.ttf", "DejaVuSerif.ttf")
LINES = """\
Technical data sheet SNB22-3, revision 4.1
The supply voltage is 24 V ± 10 % and the current 3.5 A.
Operating range -20 °C to +70 °C, storage ≥ -40 °C.
De nauwkeurigheid bedraagt ±0,05 mm bij 1.250 mm slag.
Net loss was (4,935) million dollars in fiscal 2022.
Het totaal bedraagt € 12.480,75 inclusief 21 % btw.
Maximum pressure 250 bar; flow 18 l/min at 1450 rpm.
Phosphorus max 0.025 %, sulphur max 0.015 %, hardness 293 HB.
Torque 0.8 Nm ± 0.1 Nm, screws M5 x 16, 8 pieces.
Cable 4 × 2.5 mm², fuse 16 A, leakage < 30 mA.
The measured value was 17.3 µm on 11-10-2021.
Growth of -3.2 % to +1.8 % compared with 2019.
Weight 1,138 kg, density 7.85 g/cm³, length ≤ 6.0 m.
Serial number 80-1171-B0OI8, article 5501-6650.
De looptijd is 36 maanden vanaf 1 januari 2024.
Resistance 47 kΩ ± 5 %, capacity 100 nF, 63 V.""".splitlines()
ROWS = (
    ("", "2023", "2022", "Change"),
    ("Net sales", "14,694", "14,544", "+1.0%"),
    ("Cost of sales", "(11,969)", "(11,724)", "-2.1%"),
    ("Gross profit", "2,725", "2,820", "-3.4%"),
    ("Tolerance", "±0.5", "±0.8", "-37.5%"),
)
_SIGNS = re.compile(r"[\d±+<>≤≥µΩ°%€×²³-]")


def measure() -> Iterator[str]:
    yield from write_head(
        "scan", "engine", "wrong characters", "wrong quantities", "of them doubted", "s a page"
    )
    for name, (dpi, worsen) in SCANS.items():
        for wanted in ("tesseract", "rapidocr", "both"):
            if find_engines(wanted).engines:
                yield write_row(name, wanted, *_measure_scan(dpi, worsen, wanted))


def _measure_scan(dpi: int, worsen: Worsen, wanted: str) -> tuple[str, ...]:
    characters = wrong = quantities = missed = doubted = 0
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed, font in enumerate(FONTS):
            picture, truth = _draw(dpi, font, seed)
            path = Path(folder) / "scan.png"
            worsen(picture, seed).save(path, dpi=(dpi, dpi))
            text, doubts = _read(path, wanted)
            characters += len(truth)
            wrong += _count_edits(truth, text)
            lost, extra = _list_quantities(truth), _list_quantities(text)
            quantities += lost.total()
            missed += (lost - extra).total()
            doubted += sum(n for word, n in (extra - lost).items() if word in doubts)
    spent = (time.perf_counter() - started) / len(FONTS)
    shares = (f"{wrong / characters:.3f}", f"{missed / quantities:.3f}")
    return (*shares, f"{doubted} of {missed}", f"{spent:.1f}")


def _read(path: Path, wanted: str) -> tuple[str, set[str]]:
    try:
        document = read_image(path, ReadOptions(name=path.name, ocr=wanted))
    except ReadError:
        return "", set()
    text = " ".join(document.text.replace("|", " ").split())
    return text, set(_list_quantities(" ".join(_list_doubts(document))))


def _list_doubts(document: Document) -> Iterator[str]:
    for block in document.blocks:
        for doubt in block.recognition.doubts if block.recognition else ():
            yield doubt.read


def _list_quantities(text: str) -> Counter[str]:
    words = (word.strip(".,;:") for word in text.split())
    return Counter(word for word in words if _SIGNS.search(word))


def _draw(dpi: int, font: str, seed: int) -> tuple[Image.Image, str]:
    scale = dpi / 72
    picture = Image.new("L", (int(595 * scale), int(842 * scale)), 255)
    drawing = ImageDraw.Draw(picture)
    shape = ImageFont.truetype(Path(mpl.get_data_path()) / "fonts/ttf" / font, int(11 * scale))
    lines = random.Random(seed).sample(LINES, len(LINES))
    rows = [(line,) for line in lines] + list(ROWS)
    for number, cells in enumerate(rows):
        for x, cell in zip((60, 240, 340, 440), cells, strict=False):
            y = (60 + 22 * number + 20 * (len(cells) > 1)) * scale
            drawing.text((x * scale, y), cell, font=shape, fill=20)
    return picture, " ".join(" ".join(filter(None, cells)) for cells in rows)


Worsen = Callable[[Image.Image, int], Image.Image]


def _keep(picture: Image.Image, seed: int) -> Image.Image:  # noqa: ARG001
    return picture


def _turn(picture: Image.Image, seed: int) -> Image.Image:
    return picture.rotate(90 * (1 + seed), expand=True)


def _tilt(picture: Image.Image, seed: int) -> Image.Image:
    return _grain(picture.rotate(1.0, fillcolor=255), seed, 10)


def _grain(picture: Image.Image, seed: int, strength: float = 35) -> Image.Image:
    chance = np.random.default_rng(seed)
    grey = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.8)), dtype=float) * 0.85 + 20
    grey += chance.normal(0, strength, grey.shape)
    return Image.fromarray(grey.clip(0, 255).astype("uint8"))


SCANS: dict[str, tuple[int, Worsen]] = {
    "clean, 300 dpi": (300, _keep),
    "clean, 150 dpi": (150, _keep),
    "on its side or upside down": (300, _turn),
    "askew by 1 degree": (300, _tilt),
    "grainy, 300 dpi": (300, _grain),
    "grainy, 150 dpi": (150, _grain),
}


def _count_edits(truth: str, read: str) -> int:
    """The edit distance (Levenshtein) of two texts."""
    codes = np.array([ord(char) for char in read], dtype=np.int64)
    above = np.arange(len(read) + 1)
    steps = np.arange(1, len(read) + 1)
    for row, char in enumerate(truth, 1):
        best = np.minimum(above[:-1] + (codes != ord(char)), above[1:] + 1)
        line = np.concatenate([[row], best - steps])
        above = np.concatenate([[row], np.minimum.accumulate(line)[1:] + steps])
    return int(above[-1])
