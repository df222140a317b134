"""Reads images (PNG, JPEG, TIFF …) by OCR, as pages of a document."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import build_wrong_kind_error, name_kind
from foundry.readers.attachments import AttachmentFolder
from foundry.readers.ocr.engines import find_engines
from foundry.readers.outside.checks import OutsideReading, build_word_page, open_reading
from foundry.readers.outside.page_files import wrap_pictures
from foundry.readers.pdf.facts import PdfFacts
from foundry.readers.pdf.pages import PageContent
from foundry.readers.pdf.reader import PdfReading, build_document
from foundry.readers.pdf.scans import ScanReport, read_picture, start_report
from foundry.readers.worker_process import announce
from foundry.records import Document

_USUAL_DPI = 96.0
"""Resolution of an image that does not say it: that of a screen."""
_WANTED_DPI = 200.0
"""Images with a lower resolution are enlarged, at most threefold, for Tesseract."""
_MAX_PIXELS = 20e6
_MAX_PAGES = 1000
_MAX_OPENED = 300e6
"""Largest image in pixels that is opened: against hostile files, which grow when unpacked."""


def read_image(path: Path, options: ReadOptions) -> Document:
    """Read an image by OCR. Raises ``ReadError`` if no engine is installed or reads words."""
    engines = find_engines(options.ocr)
    outside = _ask_outside(path, options)
    known = outside.replies if outside else {}
    if not engines and not known:
        error = ReadError(Message("readers-image-no-ocr", why=engines.why))
        error.advice = tuple(outside.list_warnings()) if outside else ()
        raise error
    report, compared = (start_report(engines, options.time_s) for _ in range(2))
    pages = 0
    contents: list[PageContent] = []
    for pages, (picture, dpi) in enumerate(open_pages(path), 1):
        one = compared if pages in known else report
        content = read_picture(picture, dpi, pages, one) if engines else None
        if content:
            contents.append(content)
    facts = PdfFacts(pages, tuple(str(number + 1) for number in range(pages)), (), {})
    reading = PdfReading(facts, reason=_explain(report))
    reading.read(iter(contents))
    reading.warnings += report.list_warnings()
    if outside:
        for number in known:
            words, local = reading.seen.get(number), reading.blocks.get(number, [])
            seen = build_word_page(words) if words else None
            reading.blocks[number] = outside.check(number, None, seen, local)
        reading.take_outside(outside)
    kind = Path(options.name).suffix.lstrip(".").lower() or "image"
    return build_document(reading, options, AttachmentFolder(options), kind)


def _ask_outside(path: Path, options: ReadOptions) -> OutsideReading | None:
    """Have the pages read by the service, if any."""
    outside = open_reading(options)
    if outside:
        outside.read(range(1, count_pages(path) + 1), wrap_pictures(open_pages(path)))
        announce("read", 0, 0)
    return outside


def _explain(report: ScanReport) -> Message:
    if report.problem:
        return Message("readers-image-ocr-failed", cause=report.problem)
    return Message("readers-image-without-words")


def open_pages(path: Path, only: int | None = None) -> Iterator[tuple[Any, float]]:
    """The pages of an image file with their resolution, or ``only`` one. Raises ``ReadError``."""
    # Imported here: only workers that read images need it.
    from PIL import Image, ImageSequence, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # It warns of large images, which are checked here.
            warnings.simplefilter("ignore")
            image = Image.open(path)
        with image:
            if image.width * image.height > _MAX_OPENED:
                raise ReadError("readers-image-too-large", width=image.width, height=image.height)
            frames = ImageSequence.Iterator(image)
            for number, frame in enumerate(frames):
                if number and (image.format not in {"TIFF", "MPO"} or number >= _MAX_PAGES):
                    # Later frames of other formats are an animation.
                    return
                if only in (None, number + 1):
                    yield _prepare(frame)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise _build_failure(path, error) from error


def count_pages(path: Path) -> int:
    """The pages of an image file. Raises ``ReadError`` if it is none."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            several = image.format in {"TIFF", "MPO"}
            return min(getattr(image, "n_frames", 1), _MAX_PAGES) if several else 1
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError) as error:
        raise _build_failure(path, error) from error


def _prepare(frame: Any) -> tuple[Any, float]:
    from PIL import Image, ImageOps

    dpi = _read_resolution(frame)
    picture = ImageOps.exif_transpose(frame)
    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        # What is transparent is shown on white.
        over = picture.convert("RGBA")
        ground = Image.new("RGBA", over.size, "white")
        picture = Image.alpha_composite(ground, over)
    picture = picture.convert("L")
    room = (_MAX_PIXELS / (picture.width * picture.height)) ** 0.5
    scale = min(room, max(1.0, min(3.0, _WANTED_DPI / dpi)))
    if scale != 1.0:
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Image.Resampling.BICUBIC)
    return picture, dpi * scale


def _read_resolution(frame: Any) -> float:
    """The dpi of an image; 96 if it is missing or absurd."""
    with contextlib.suppress(TypeError, ValueError, IndexError, ZeroDivisionError):
        dpi = float(frame.info["dpi"][0]) if "dpi" in frame.info else _USUAL_DPI
        return dpi if 30 <= dpi <= 2400 else _USUAL_DPI
    return _USUAL_DPI


def _build_failure(path: Path, error: Exception) -> ReadError:
    with path.open("rb") as stream:
        kind = name_kind(stream.read(2048))
    if kind and not kind.code.startswith("readers-kind-image"):
        return build_wrong_kind_error(kind, Message("readers-kind-image"))
    cause = str(error).split("\n", 1)[0].rstrip(".") or Message("readers-no-reason")
    return ReadError("readers-image-unreadable", cause=cause)
