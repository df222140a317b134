"""Pages that a service reads, over HTTP on loopback: what is kept of them, and how it is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from foundry.config import OutsideConfig
from foundry.errors import ReadError
from foundry.models.page_services import open_outside
from foundry.readers.ocr import engines
from foundry.readers.ocr.lines import ScannedLine, ScannedWord
from foundry.records import Document, Doubt
from tests.readers.pdf_files import draw_page, scanned
from tests.readers.sample_files import list_blocks, read_path
from tests.support.page_server import (
    PageServer,
    docling,
    grid,
    mineru3,
    mineru4,
    prov,
    table,
    text,
)

BODY = {"l": 20, "t": 700, "r": 580, "b": 600, "coord_origin": "BOTTOMLEFT"}
HTML = "<table><tr><td>Load</td><td>kN</td></tr><tr><td>A</td><td>15</td></tr></table>"
Read = Callable[..., Document]


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return scanned(tmp_path / "scan.pdf", ["Pressure 2.5 bar"])


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """Read a file with a service, without OCR unless ``ocr`` says what it reads."""

    class Words:
        name = "Words"

        def __init__(self, said: str) -> None:
            self.said = said

        def read(self, picture: Any, _dpi: float) -> list[ScannedLine]:
            step = picture.width / 10
            words = [
                ScannedWord(word, step * n, 400, step * n + 60, 440)
                for n, word in enumerate(self.said.split(), 1)
            ]
            return [ScannedLine(words, 0.95)]

    def run(path: Path, server: PageServer, ocr: str = "", **settings: Any) -> Document:
        found = engines.OcrEngines((Words(ocr),)) if ocr else engines.OcrEngines((), None)
        if not ocr:
            found = engines.find_engines("off")
        for place in ("reader", "images"):
            monkeypatch.setattr(f"foundry.readers.pdf.{place}.find_engines", lambda _: found)
        monkeypatch.setattr(engines, "find_tesseract", lambda: None)
        chosen = {"pages": "scans", "address": server.url, "timeout_s": 5} | settings
        service = open_outside(OutsideConfig.model_validate(chosen), {})
        assert service is not None
        return read_path(path, outside=replace(service, version=service.find_version()))

    return run


def list_codes(document: Document) -> list[str]:
    return [warning.code for warning in document.warnings]


def test_docling_reads_headings_lists_and_tables_of_a_scan(read: Read, scan: Path) -> None:
    item = text("First", "list_item", marker="1.")
    page = docling(text("Pump", "title"), text("Loads", "section_header", level=1), item,
                   table(("Load", "kN"), ("A", "15")))  # fmt: skip
    with PageServer(page) as server:
        document = read(scan, server)
    assert [(kind, words) for kind, words in list_blocks(document)] == [
        ("heading", "Pump"),
        ("heading", "Loads"),
        ("list_item", "1. First"),
        ("table", "Load | kN\nA | 15"),
    ]
    assert document.title == "Pump"


def test_mineru_3_reads_texts_tables_and_captions(read: Read, scan: Path) -> None:
    listed = {
        "type": "table",
        "table_body": HTML,
        "table_caption": ["Table 1"],
        "bbox": [0, 0, 9, 9],
    }
    page = mineru3({"type": "text", "text": "Loads", "text_level": 1}, listed)
    with PageServer(page, version="3.4.5") as server:
        document = read(scan, server, kind="mineru")
    assert list_blocks(document) == [
        ("heading", "Loads"), ("caption", "Table 1"), ("table", "Load | kN\nA | 15"),
    ]  # fmt: skip


def test_mineru_4_reads_the_figures_of_a_chart(read: Read, scan: Path) -> None:
    chart = {"type": "chart", "content": HTML, "captions": [{"content": "Figure 1"}]}
    with PageServer(mineru4({**chart, "bbox": [0.1, 0.1, 0.9, 0.9]}), version="4.0.12") as server:
        document = read(scan, server, kind="mineru")
    assert list_blocks(document) == [("caption", "Figure 1"), ("table", "Load | kN\nA | 15")]


def test_docling_s_chart_data_are_a_table_and_its_descriptions_are_left_out(
    read: Read, scan: Path
) -> None:
    meta: dict[str, Any] = {"tabular_chart": {"chart_data": grid(("Year", "Load"), ("2020", "15"))}}
    meta["description"] = {"text": "A fine chart."}
    picture = {"label": "picture", "group": "pictures", "prov": prov(None), "meta": meta}
    with PageServer(docling(picture)) as server:
        assert list_blocks(read(scan, server)) == [("table", "Year | Load\n2020 | 15")]


def test_what_is_read_outside_is_marked_with_its_reader(read: Read, scan: Path) -> None:
    with PageServer(docling(text("Pressure 2.5 bar"))) as server:
        document = read(scan, server)
    recognition = document.blocks[0].recognition
    assert recognition is not None
    assert recognition.reader == "docling-serve 1.38.2 (docling 2.143.0)"
    assert recognition.confidence is None
    assert list_codes(document) == ["outside-read", "outside-unchecked"]


def test_a_number_that_ocr_read_otherwise_is_a_doubt(read: Read, scan: Path) -> None:
    with PageServer(docling(text("Pressure 12.5 bar"))) as server:
        document = read(scan, server, ocr="Pressure 12,5 bar")
    recognition = document.blocks[0].recognition
    assert recognition is not None
    assert recognition.doubts == (Doubt("12.5", "12,5"),)
    assert recognition.confidence == pytest.approx(2 / 3, abs=0.001)
    assert "outside-doubts" in list_codes(document)


def test_words_that_only_ocr_read_are_kept(read: Read, scan: Path) -> None:
    place = {"l": 0, "t": 0, "r": 600, "b": 100, "coord_origin": "TOPLEFT"}
    with PageServer(docling(text("Report", box=place))) as server:
        document = read(scan, server, ocr="Stamp of approval")
    assert {words for _, words in list_blocks(document)} == {"Report", "Stamp of approval"}


def test_words_that_a_page_of_text_does_not_have_are_left_out(read: Read, tmp_path: Path) -> None:
    path = scanned(tmp_path / "a.pdf", [], typed="The valve closes at 4.2 bar.")
    place = {"l": 0, "t": 0, "r": 600, "b": 200, "coord_origin": "TOPLEFT"}
    with PageServer(docling(text("The valve closes at 4.8 bar.", box=place))) as server:
        document = read(path, server, pages="all")
    assert document.text == "The valve closes at 4.2 bar."
    assert document.blocks[0].recognition is None
    (unknown,) = [one for one in document.warnings if one.code == "outside-unknown"]
    assert unknown.params["word"] == "4.8"


def test_only_scans_are_sent_each_as_a_file_of_its_own(read: Read, tmp_path: Path) -> None:
    path = scanned(tmp_path / "secret.pdf", ["A", "B"], typed="Not for others to read at all. " * 9)
    with PageServer(docling(text("Words"))) as server:
        read(path, server)
    assert [len(pypdfium2.PdfDocument(BytesIO(page))) for page in server.sent] == [1, 1]
    assert not any(b"secret" in page for page in server.sent)


def test_a_box_from_the_bottom_left_is_placed_from_the_top_left(read: Read, scan: Path) -> None:
    with PageServer(docling(text("Here", box=BODY))) as server:
        box = read(scan, server).blocks[0].box
    assert box is not None
    assert (round(box.x0), round(box.y0), round(box.x1), round(box.y1)) == (20, 105, 575, 210)


def test_a_box_outside_the_page_is_all_of_the_page(read: Read, scan: Path) -> None:
    outside = {"l": 900, "t": -9, "r": 950, "b": -99, "coord_origin": "TOPLEFT"}
    with PageServer(docling(text("Here", box=outside))) as server:
        box = read(scan, server).blocks[0].box
    assert box is not None
    assert (box.x0, box.y0, round(box.x1), round(box.y1)) == (0.0, 0.0, 595, 842)


def test_a_box_on_a_page_before_it_was_turned_is_turned(read: Read, scan: Path) -> None:
    with pypdfium2.PdfDocument(scan) as pdf:
        pdf[0].set_rotation(90)
        pdf.save(turned := scan.with_name("turned.pdf"))
    corner = {"l": 0, "t": 0, "r": 60, "b": 100, "coord_origin": "TOPLEFT"}
    with PageServer(docling(text("Corner", box=corner))) as server:
        box = read(turned, server).blocks[0].box
    assert box is not None
    assert (round(box.x0), round(box.y0), round(box.x1)) == (737, 0, 842)


def test_parts_on_a_page_that_was_not_sent_are_left_out(read: Read, scan: Path) -> None:
    stray = {**text("Elsewhere"), "prov": prov(None, page=2)}
    with PageServer(docling(text("Here"), stray)) as server:
        document = read(scan, server)
    assert document.text == "Here"
    assert "outside-strays" in list_codes(document)


@pytest.mark.parametrize(
    "fail", [500, 413, b'{"document": {"js', b"<html>Hello</html>", b"[]", 9.0], ids=repr
)
def test_a_page_that_the_service_fails_to_read_is_read_here(
    read: Read, scan: Path, fail: int | bytes | float
) -> None:
    with PageServer(docling(text("Words")), fail=fail) as server:
        document = read(scan, server, ocr="Pressure 2.5 bar", timeout_s=0.5 if fail == 9.0 else 5)
    assert document.text == "Pressure 2.5 bar"
    assert document.blocks[0].recognition.reader == ""  # type: ignore[union-attr]
    assert list_codes(document) == ["readers-pdf-ocr-done", "outside-failed"]


def test_without_ocr_the_error_says_what_the_service_answered(read: Read, scan: Path) -> None:
    with (
        PageServer({"kind": "TaskFailureResult", "failure": {"message": "no model"}}) as server,
        pytest.raises(ReadError) as caught,
    ):
        read(scan, server)
    assert "no model" in str(caught.value.advice[0])


def test_a_page_above_the_size_limit_is_not_sent(read: Read, scan: Path) -> None:
    with PageServer(docling(text("Words"))) as server:
        document = read(scan, server, ocr="Pressure", max_mb=0.0001)
    assert not server.sent
    assert "outside-failed" in list_codes(document)


def test_an_image_is_sent_as_a_page(read: Read, tmp_path: Path) -> None:
    draw_page([]).save(path := tmp_path / "a.png", dpi=(150, 150))
    with PageServer(docling(text("Words"))) as server:
        document = read(path, server)
    assert document.text == "Words"
    assert len(server.sent) == 1


def test_options_and_the_key_are_sent(scan: Path) -> None:
    chosen = {"pages": "scans", "options": {"do_chart_extraction": True}}
    with PageServer(docling(text("Words"))) as server:
        config = OutsideConfig.model_validate(chosen | {"address": server.url})
        service = open_outside(config, {"DOCLING_SERVE_API_KEY": "k-123"})
        assert service is not None
        list(service.read_pages([scan.read_bytes()]))
    assert server.headers[0]["X-Api-Key"] == "k-123"
    assert b'name="do_chart_extraction"\r\n\r\ntrue' in server.bodies[0]


@pytest.mark.parametrize(
    "page",
    [
        {**docling(), "document": {"json_content": {"pages": {}}}},
        docling({"label": "table", "prov": [], "data": {"table_cells": [
            {"text": "A", "start_row_offset_idx": 0, "end_row_offset_idx": 10**9,
             "start_col_offset_idx": 0, "end_col_offset_idx": 10**9}]}}),
        docling(text("x", box={"l": "nan", "t": 0, "r": 1, "b": 1})),
        docling(text("x", "section_header", level=[])),
        docling(*[text(str(number)) for number in range(2500)]),
        mineru3({"type": []}),
        {"results": {"page": {"content_list": "[" * 100_000}}},
    ],
    ids=["shape", "spans", "number", "level", "parts", "type", "depth"],
)  # fmt: skip
def test_a_reply_that_makes_no_sense_is_refused(read: Read, scan: Path, page: Any) -> None:
    kind = "mineru" if "results" in page else "docling"
    with PageServer(page, version="3.4.5") as server:
        document = read(scan, server, ocr="Pressure 2.5 bar", kind=kind)
    assert document.text == "Pressure 2.5 bar"
    (failed,) = [one for one in document.warnings if one.code == "outside-failed"]
    assert failed.params["cause"].code == "outside-reply-shape"  # type: ignore[union-attr]
