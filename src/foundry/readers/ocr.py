"""Reads images (PNG, JPEG, TIFF …) with the program ``tesseract``, and finds its language data.

The program runs on one file with a time limit and one thread. Blank pages and pages that
were hard to read are named in warnings. Nothing is downloaded or installed: without the
program an image raises ``ReadError`` with what to install.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import build_wrong_kind_error, name_kind
from foundry.readers.document_builder import DocumentBuilder
from foundry.readers.front.titles import choose_title
from foundry.readers.metadata import find_revision
from foundry.records import Box, Document

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


TIME_LIMIT_S = 300
"""Time limit for one image. A guess, far more than a scanned page needs."""
_UNSURE = 60.0
"""Tesseract's confidence, 0–100, below which a page gets a warning. A guess."""
_USUAL_DPI = 96.0
_POINTS = 72.0


@dataclass(frozen=True, slots=True)
class _Word:
    page: int
    paragraph: tuple[int, int]
    line: int
    left: int
    top: int
    right: int
    bottom: int
    confidence: float
    text: str


def read_image(path: Path, options: ReadOptions) -> Document:
    """Read an image by OCR. Raises ``ReadError`` if Tesseract is missing or finds no words."""
    if options.ocr == "off":
        raise ReadError("readers-image-ocr-off")
    table = _run_tesseract(path)
    words = list(_parse_words(table))
    pages = _count_pages(table)
    builder = DocumentBuilder(Path(options.name).suffix.lstrip(".").lower() or "image")
    scale = _POINTS / _read_resolution(path)
    for page, on_page in groupby(words, key=lambda word: word.page):
        _add_page(builder, page, list(on_page), scale)
    blank = sorted(set(range(1, pages + 1)) - {word.page for word in words})
    if blank and words:
        builder.warn(Message("readers-ocr-blank-pages", pages=[str(page) for page in blank]))
    lines = "\n".join(_join_lines(words[:400]))
    return builder.build(
        choose_title((), Path(options.name)),
        find_revision(lines),
        pages=pages,
        reason=Message("readers-image-without-words"),
    )


def _add_page(builder: DocumentBuilder, page: int, words: list[_Word], scale: float) -> None:
    sure = sum(word.confidence * len(word.text) for word in words)
    confidence = sure / sum(len(word.text) for word in words)
    if confidence < _UNSURE:
        builder.warn(Message("readers-ocr-unsure", page=str(page), confidence=round(confidence)))
    for _, group in groupby(words, key=lambda word: word.paragraph):
        paragraph = list(group)
        builder.add(
            "paragraph",
            "\n".join(_join_lines(paragraph)),
            page=page,
            page_label=str(page),
            box=_surround_words(paragraph, scale),
        )


def _join_lines(words: list[_Word]) -> Iterator[str]:
    for _, line in groupby(words, key=lambda word: (word.page, word.paragraph, word.line)):
        yield " ".join(word.text for word in line)


def _surround_words(words: list[_Word], scale: float) -> Box:
    return Box(
        min(word.left for word in words) * scale,
        min(word.top for word in words) * scale,
        max(word.right for word in words) * scale,
        max(word.bottom for word in words) * scale,
    )


def _run_tesseract(path: Path) -> str:
    """Run Tesseract on an image and return its table of words (TSV)."""
    program, tessdata = shutil.which("tesseract"), find_tessdata()
    if program is None or tessdata is None:
        code = "readers-image-no-tesseract" if program is None else "readers-image-no-tessdata"
        raise ReadError(code, install=INSTALL)
    command = [program, str(path.resolve()), "stdout", "-l", tessdata.languages]
    command += ["--tessdata-dir", str(tessdata.folder), "tsv"]
    # One thread, because several workers read files at the same time.
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=TIME_LIMIT_S, env=environment, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ReadError("readers-image-too-slow", seconds=TIME_LIMIT_S) from error
    if done.returncode != 0:
        raise _build_failure(path, done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")


def _build_failure(path: Path, output: str) -> ReadError:
    with path.open("rb") as stream:
        kind = name_kind(stream.read(2048))
    if kind and not kind.code.startswith("readers-kind-image"):
        return build_wrong_kind_error(kind, Message("readers-kind-image"))
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    cause = lines[-1].rstrip(".") if lines else Message("readers-no-reason")
    return ReadError("readers-image-unreadable", cause=cause)


def _count_pages(table: str) -> int:
    rows = (line.split("\t", 2) for line in table.splitlines())
    return max((int(row[1]) for row in rows if row[0] == "1"), default=1)


def _parse_words(table: str) -> Iterator[_Word]:
    rows = csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in rows:
        text = (row.get("text") or "").strip()
        if row.get("level") != "5" or not text:
            continue
        left, top = int(row["left"]), int(row["top"])
        yield _Word(
            page=int(row["page_num"]),
            paragraph=(int(row["block_num"]), int(row["par_num"])),
            line=int(row["line_num"]),
            left=left,
            top=top,
            right=left + int(row["width"]),
            bottom=top + int(row["height"]),
            confidence=float(row["conf"]),
            text=text,
        )


def _read_resolution(path: Path) -> float:
    """Read the dpi of a PNG or JPEG; 96 if it is missing or absurd."""
    with path.open("rb") as stream:
        head = stream.read(4096)
    dpi = _USUAL_DPI
    if head.startswith(b"\x89PNG") and (i := head.find(b"pHYs")) > 0 and len(head) >= i + 13:
        across, _, unit = struct.unpack(">IIB", head[i + 4 : i + 13])
        dpi = across * 0.0254 if unit == 1 else dpi
    elif head.startswith(b"\xff\xd8") and (i := head.find(b"JFIF\x00")) > 0:
        unit, across = struct.unpack(">BH", head[i + 7 : i + 10])
        dpi = across * {1: 1.0, 2: 2.54}.get(unit, 0.0)
    return dpi if 30 <= dpi <= 2400 else _USUAL_DPI
