"""Images through OCR: scripted engines, and the real ones if they are installed."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from foundry.errors import ReadError
from foundry.readers.ocr import engines
from foundry.readers.ocr.engines import find_tessdata, find_tesseract
from foundry.readers.ocr.lines import ScannedLine, ScannedWord, compare_readings
from foundry.readers.pdf.images import read_image
from foundry.records import Document, Doubt
from tests.readers.office_files import options, texts
from tests.readers.pdf_files import draw_page

HEAD = "level page_num block_num par_num line_num word_num left top width height conf text".replace(
    " ", "\t"
)


def word(text: str, line: int, left: int, conf: float = 95) -> str:
    cells = (5, 1, 1, 1, line, 1, left, 60 * line, 96, 24, conf, text)
    return "\t".join(map(str, cells))


def png(folder: Path, dpi: int = 200) -> Path:
    path = folder / "scan.png"
    Image.new("L", (900, 900), 255).save(path, dpi=(dpi, dpi))
    return path


def read(path: Path, ocr: str = "tesseract") -> Document:
    return read_image(path, replace(options(path), ocr=ocr))


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fake of the program that prints ``answer`` and ends with the status in ``status``."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "eng.traineddata").touch()
    script = folder / "tesseract"
    script.write_text(
        f'#!/bin/sh\ncat > /dev/null\ncat "{folder}/answer"\n[ ! -f "{folder}/fails" ]\n'
    )
    script.chmod(0o755)
    answer(folder)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("TESSDATA_PREFIX", str(folder))
    find_tessdata.cache_clear()
    find_tesseract.cache_clear()
    yield folder
    find_tessdata.cache_clear()
    find_tesseract.cache_clear()


def answer(program: Path, *rows: str) -> None:
    (program / "answer").write_text("\n".join([HEAD, *rows]))


class Engine:
    """Reads in every picture that is wider than high what it is given."""

    name = "Scripted"

    def __init__(self, *lines: tuple[str, float]) -> None:
        self.lines = lines

    def find_turns(self, picture: Image.Image, dpi: float) -> None:
        """It does not know how a page lies."""

    def read(self, picture: Image.Image, dpi: float) -> list[ScannedLine]:
        if picture.width < max(100, picture.height):
            return []
        lines = enumerate(self.lines, 1)
        return [line(text.format(width=picture.width), 40 * at, sure) for at, (text, sure) in lines]


def line(text: str, top: float, confidence: float = 0.95) -> ScannedLine:
    words, left = [], 20.0
    for word in text.split():
        words.append(ScannedWord(word, left, top, left + 12 * len(word), top + 20))
        left = words[-1].x1 + 8
    return ScannedLine(words, confidence)


def use(monkeypatch: pytest.MonkeyPatch, *used: Engine) -> None:
    first, second = (*used, None, None)[:2]
    monkeypatch.setattr(engines, "find_rapidocr", lambda: first)
    monkeypatch.setattr(engines, "find_tesseract", lambda: second)


def wide(folder: Path) -> Path:
    Image.new("L", (900, 600), 255).save(folder / "scan.png", dpi=(200, 200))
    return folder / "scan.png"


def test_words_become_paragraphs_with_boxes_in_points(program: Path, tmp_path: Path) -> None:
    answer(program, word("Rev.", 1, 0), word("B", 1, 110), word("text", 5, 0))
    document = read(png(tmp_path))
    assert texts(document) == ["Rev. B", "text"]
    box = document.blocks[0].box
    assert box is not None
    assert (round(box.x1), round(box.y0)) == (74, 21)


def test_a_page_that_was_hard_to_read_gives_a_warning(program: Path, tmp_path: Path) -> None:
    answer(program, word("blurred", 1, 0, conf=61))
    assert "Page 1 was hard to read (confidence 61 of 100)." in map(
        str, read(png(tmp_path)).warnings
    )


def test_garbage_is_left_out_with_a_warning(program: Path, tmp_path: Path) -> None:
    answer(program, word("Readable", 1, 0), word("peurez", 6, 0, conf=20))
    document = read(png(tmp_path))
    assert texts(document) == ["Readable"]
    assert "One line was illegible and left out: page 1." in map(str, document.warnings)


def test_an_image_without_words_is_an_error(program: Path, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="No words"):
        read(png(tmp_path))


def test_a_failing_program_is_an_error(program: Path, tmp_path: Path) -> None:
    (program / "fails").touch()
    with pytest.raises(ReadError, match="Tesseract failed"):
        read(png(tmp_path))


def test_another_kind_of_file_is_named(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "scan.png"
    path.write_bytes(b"%PDF-1.7")
    with pytest.raises(ReadError, match="This is a PDF, not an image"):
        read(path)


def test_without_the_program_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch)
    with pytest.raises(ReadError, match="Tesseract is not installed") as caught:
        read(png(tmp_path))
    assert "tesseract-ocr" in caught.value.fix


def test_without_the_extra_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch)
    with pytest.raises(ReadError, match="RapidOCR is not installed") as caught:
        read(png(tmp_path), "rapidocr")
    assert "[ocr]'" in caught.value.fix


def test_ocr_can_be_turned_off(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"ingest\.ocr is off"):
        read(png(tmp_path), "off")


def test_pages_of_a_tiff_are_counted_and_blank_ones_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Engine(("{width} dots across", 0.9)))
    path = tmp_path / "scan.tif"
    pages = [Image.new("L", size, 255) for size in ((900, 600), (10, 20), (990, 600))]
    pages[0].save(path, save_all=True, append_images=pages[1:])
    document = read(path, "auto")
    assert [block.page for block in document.blocks] == [1, 3]
    assert "OCR found no words on page 2." in map(str, document.warnings)


def test_a_page_on_its_side_is_turned_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Engine(("Upright words", 0.9)))
    path = tmp_path / "scan.png"
    Image.new("L", (600, 900), 255).save(path)
    document = read(path, "auto")
    assert document.text == "Upright words"
    assert "Not scanned upright, and turned to be read: page 1." in map(str, document.warnings)


def test_a_block_has_the_confidence_of_its_least_sure_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Engine(("a line that is long enough", 0.9), ("and goes on", 0.62)))
    (block,) = read(wide(tmp_path), "auto").blocks
    assert block.recognition is not None
    assert block.recognition.confidence == 0.62


def test_signs_that_two_engines_read_differently_are_doubts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Engine(("Voltage 24 V ±5 %", 0.9)), Engine(("Voltage 24 V +5 %", 0.9)))
    document = read(wide(tmp_path), "both")
    recognition = document.blocks[0].recognition
    assert document.text == "Voltage 24 V ±5 %"
    assert recognition is not None
    assert recognition.doubts == (Doubt("±5", "+5"),)
    assert any("“±5” or “+5”" in str(warning) for warning in document.warnings)


def test_a_line_that_only_the_other_engine_sees_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, Engine(("first", 0.9)), Engine(("first", 0.9), ("second", 0.9)))
    assert read(wide(tmp_path), "both").text.split() == ["first", "second"]


@pytest.mark.parametrize(
    ("first", "second", "doubts"),
    [
        ("the loss of Acme", "the Ioss of Acme", []),
        ("24 V", "24V", []),
        ("17.3 µm.", "17.3 μm", []),
        ("14,694", "14.694", [("14,694", "14.694")]),
        ("up to 5 mm", "up to 5 m", [("mm", "m")]),
        ("is - 20 °C", "is 20 °C", [("is -", "is")]),
        ("10 kΩ", "10 KO", [("kΩ", "KO")]),
    ],
)
def test_only_digits_signs_and_units_are_doubts(
    first: str, second: str, doubts: list[tuple[str, str]]
) -> None:
    found = compare_readings(first.split(), second.split())
    assert [(doubt.read, doubt.other) for doubt in found] == doubts


ROWS = (("", "2023", "2022"), ("Net sales", "14,694", "14,544"), ("Tolerance", "0.5", "0.8"))


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
@pytest.mark.parametrize("turn", [0, 90])
def test_tesseract_reads_a_table_as_a_table(tmp_path: Path, turn: int) -> None:
    path = tmp_path / "scan.png"
    draw_page(ROWS).rotate(turn, expand=True).save(path, dpi=(150, 150))
    tables = [block.table for block in read(path).blocks if block.table]
    found = {(cell.row, cell.column): cell.value for table in tables for cell in table.cells}
    assert found[("Net sales",), ("2022",)] == "14,544"


@pytest.mark.skipif(
    importlib.util.find_spec("rapidocr") is None, reason="the extra ocr is not installed"
)
@pytest.mark.parametrize("turn", [0, 180])
def test_rapidocr_reads_signs(tmp_path: Path, turn: int) -> None:
    path = tmp_path / "scan.png"
    page = draw_page((("Supply voltage", "24 V ± 10 %"), ("Operating range", "-20 °C")))
    page.rotate(turn, expand=True).save(path, dpi=(150, 150))
    document = read(path, "rapidocr")
    text = "".join(document.text.split())
    assert "24V±10%" in text
    assert "-20°C" in text
