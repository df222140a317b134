"""Images through Tesseract: a scripted one, and the real one if it is installed."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.readers.ocr import find_tessdata, read_image
from tests.readers.office_files import options, texts

HEAD = "level page_num block_num par_num line_num word_num left top width height conf text".replace(
    " ", "\t"
)


def word(text: str, page: int, paragraph: int, left: int, conf: float = 95) -> str:
    cells = (5, page, 1, paragraph, 1, 1, left, 20, 96, 48, conf, text)
    return "\t".join(map(str, cells))


def page(number: int) -> str:
    return "\t".join(map(str, (1, number, 0, 0, 0, 0, 0, 0, 900, 900, -1, "")))


def png(folder: Path, dots_per_metre: int = 0) -> Path:
    path = folder / "scan.png"
    size = struct.pack(">I4sIIB", 9, b"pHYs", dots_per_metre, dots_per_metre, 1)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + (size if dots_per_metre else b""))
    return path


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fake of the program that prints ``answer`` and ends with the status in ``status``."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "eng.traineddata").touch()
    (folder / "answer").write_text(HEAD)
    script = folder / "tesseract"
    script.write_text(f'#!/bin/sh\ncat "{folder}/answer"\n[ ! -f "{folder}/fails" ]\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("TESSDATA_PREFIX", str(folder))
    find_tessdata.cache_clear()
    yield folder
    find_tessdata.cache_clear()


def answer(program: Path, *rows: str) -> None:
    (program / "answer").write_text("\n".join([HEAD, *rows]))


def test_words_become_paragraphs_with_boxes_in_points(program: Path, tmp_path: Path) -> None:
    words = [word("Rev.", 1, 1, 0), word("B", 1, 1, 96), word("text", 1, 2, 0)]
    answer(program, page(1), *words)
    path = png(tmp_path, dots_per_metre=7559)  # 192 dots per inch
    document = read_image(path, options(path))
    assert texts(document) == ["Rev. B", "text"]
    box = document.blocks[0].box
    assert box is not None
    assert (round(box.x1), round(box.y0, 1)) == (72, 7.5)


def test_pages_of_a_tiff_are_counted_and_blank_ones_named(program: Path, tmp_path: Path) -> None:
    answer(program, page(1), word("one", 1, 1, 0), page(2), page(3), word("x", 3, 1, 0))
    document = read_image(png(tmp_path), options(tmp_path / "scan.tif"))
    assert [block.page for block in document.blocks] == [1, 3]
    assert document.pages == 3
    assert tuple(map(str, document.warnings)) == ("No words were recognised on page 2.",)


def test_a_page_that_was_hard_to_read_gives_a_warning(program: Path, tmp_path: Path) -> None:
    answer(program, page(1), word("blur", 1, 1, 0, conf=31))
    path = png(tmp_path)
    assert tuple(map(str, read_image(path, options(path)).warnings)) == (
        "Page 1 was hard to read (confidence 31 of 100).",
    )


def test_an_image_without_words_is_an_error(program: Path, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="No words"):
        read_image(png(tmp_path), options(tmp_path / "scan.png"))


def test_a_failing_program_is_an_error_that_names_the_kind_of_file(
    program: Path, tmp_path: Path
) -> None:
    (program / "fails").touch()
    path = tmp_path / "scan.png"
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(ReadError, match="This is a PDF, not an image"):
        read_image(path, options(path))


def test_without_the_program_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReadError, match="Tesseract is not installed") as caught:
        read_image(png(tmp_path), options(tmp_path / "scan.png"))
    assert "tesseract-ocr" in caught.value.fix


def test_ocr_can_be_turned_off(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="turned off"):
        read_image(png(tmp_path), replace(options(tmp_path / "scan.png"), ocr="off"))


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_tesseract_reads_a_printed_line(tmp_path: Path) -> None:
    drawing = pytest.importorskip("PIL.ImageDraw")
    images = pytest.importorskip("PIL.Image")
    picture = images.new("L", (900, 200), 255)
    drawing.Draw(picture).text((40, 60), "Supply voltage 12 V", font_size=64, fill=0)
    path = tmp_path / "scan.png"
    picture.save(path)
    assert "Supply voltage 12 V" in read_image(path, options(path)).text
