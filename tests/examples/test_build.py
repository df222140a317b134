"""The committed files of the example project are what its content files say."""

from __future__ import annotations

import csv
import io
import zipfile
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
import yaml

from examples.build_example import CONTENT, SOURCES, content_files, main, read_about, render
from examples.kit.manuscript import Manuscript, Table, number_headings, read_manuscript
from examples.kit.sheet import cost_price
from tests.examples.extracted_text import extract, pdf_pages

CONTENT_NAMES = [path.name for path in content_files()]
MANUAL = "handleiding/LC-512_gebruikershandleiding.pdf"
GUIDE = "installation/LC-512_installation_guide.docx"

PLANTED = {
    "Logic supply voltage",
    "Input current at 24 V",
    "Inrush current, first 2 ms",
    "Operating temperature",
    "Maximum line length per port",
    "Refresh rate, 512 slots",
    "Start-up, power on to first DMX frame",
    "J4",
}


@cache
def rendered(name: str) -> tuple[str, bytes]:
    return render(CONTENT / name)


@pytest.mark.parametrize("name", CONTENT_NAMES)
def test_committed_file_says_what_its_content_says(name: str) -> None:
    """Bytes may differ between library versions; the words may not."""
    target, data = rendered(name)
    committed = (SOURCES / target).read_bytes()
    assert committed == data or extract(target, committed) == extract(target, data)


@pytest.mark.parametrize("name", CONTENT_NAMES)
def test_writing_twice_gives_the_same_bytes(name: str) -> None:
    assert render(CONTENT / name) == rendered(name)


def test_every_binary_source_has_a_content_file() -> None:
    binary = {".pdf", ".docx", ".pptx", ".xlsx", ".eml"}
    found = {
        path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*") if path.suffix in binary
    }
    assert found == {str(read_about(path)["target"]) for path in content_files()}


def test_check_writes_nothing_and_names_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("examples.build_example.SOURCES", tmp_path)
    monkeypatch.setattr(
        "examples.build_example.content_files", lambda: [CONTENT / "transceiver-change.md"]
    )
    assert main(["--check"]) == 1
    assert "2025-10-28_PCN_TS485-L.eml" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    assert main([]) == 0
    assert main(["--check"]) == 0


def test_the_example_is_small() -> None:
    assert sum(path.stat().st_size for path in SOURCES.rglob("*") if path.is_file()) < 1_000_000


def test_manual_has_roman_labels_in_front_and_bookmarks() -> None:
    with pypdfium2.PdfDocument(SOURCES / MANUAL) as document:
        labels = [document.get_page_label(number) for number in range(len(document))]
        titles = [(entry.get_title(), entry.level) for entry in document.get_toc()]
    assert labels[:5] == ["i", "ii", "iii", "iv", "1"]
    assert len(labels) >= 10
    assert ("3 Scènes en reeksen", 0) in titles
    assert ("3.2 Intervallen", 1) in titles


def test_manual_contents_list_gives_the_label_of_each_section() -> None:
    data = (SOURCES / MANUAL).read_bytes()
    pages = pdf_pages(data)
    contents = next(page for page in pages if "Inhoud" in page and ". . ." in page)
    with pypdfium2.PdfDocument(data) as document:
        label = next(
            document.get_page_label(number)
            for number, page in enumerate(pages)
            if page is not contents and "5.3 Zekering vervangen" in page
        )
    line = contents.split("5.3 Zekering vervangen")[1].split("5.4 ")[0]
    assert line.replace(".", "").strip() == label


def test_word_numbers_are_in_numbering_xml_and_not_in_the_text() -> None:
    with zipfile.ZipFile(SOURCES / GUIDE) as archive:
        numbering = archive.read("word/numbering.xml").decode()
        document = archive.read("word/document.xml").decode()
    assert 'w:pStyle w:val="Heading2"' in numbering
    assert ">Line length and load<" in document
    assert "4.2 Line" not in document


def test_datasheet_revisions_disagree_exactly_where_planted() -> None:
    old, new = (_placed_rows(f"datasheet-rev-{revision}.md") for revision in "ab")
    assert {key[1] for key in old.keys() & new.keys() if old[key] != new[key]} == PLANTED
    assert {key[1] for key in old.keys() ^ new.keys()} == {"Rev. B"}


def test_logic_supply_moves_from_section_4_2_to_4_1() -> None:
    places = [
        title
        for revision in "ab"
        for title, part in number_headings(_manuscript(f"datasheet-rev-{revision}.md").parts)
        if isinstance(part, Table) and any(row[0] == "Logic supply voltage" for row in part.rows)
    ]
    assert places == [
        "4.2 Recommended operating conditions",
        "4.1 Recommended operating conditions",
    ]


@pytest.mark.parametrize(("column", "point"), [("U7_C", "U7"), ("U3_C", "U3"), ("L1_C", "L1")])
def test_report_agrees_with_the_logged_measurements(column: str, point: str) -> None:
    text = (SOURCES / "metingen/TR-2026-014_duurtest_50C.csv").read_text(encoding="utf-8")
    logged = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    values = [float(row[column].replace(",", ".")) for row in logged]
    late = values[8:]  # a row every half hour: from 4 h on
    highest, mean = max(values), sum(late) / len(late)
    row = next(cells for name, cells in _rows("testrapport.md").items() if name.endswith(point))
    assert row[:2] == tuple(f"{value:.1f} °C".replace(".", ",") for value in (highest, mean))


def test_parts_list_adds_up_and_names_only_known_suppliers() -> None:
    content = yaml.safe_load((CONTENT / "stuklijst.yaml").read_text(encoding="utf-8"))
    known = {supplier[0] for supplier in content["suppliers"]}
    assert {part[4] for part in content["parts"]} == known
    assert str(cost_price(content)) in extract(*rendered("stuklijst.yaml"))


def test_unknown_markdown_is_refused_instead_of_dropped(tmp_path: Path) -> None:
    path = tmp_path / "odd.md"
    path.write_text("---\nkind: pdf\n---\n```\ncode\n```\n", encoding="utf-8")
    with pytest.raises(ValueError, match="cannot write a fence"):
        read_manuscript(path)


def _manuscript(name: str) -> Manuscript:
    return read_manuscript(CONTENT / name)


def _rows(name: str) -> dict[str, tuple[str, ...]]:
    """First cell → the rest, over every table of a content file."""
    return {cell: rest for (_, cell), rest in _placed_rows(name).items()}


def _placed_rows(name: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Section title without its number, first cell → the rest."""
    return {
        (title.split(" ", 1)[-1], row[0]): row[1:]
        for title, part in number_headings(_manuscript(name).parts)
        if isinstance(part, Table)
        for row in part.rows
    }
