from pathlib import Path

import pytest

from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.front.clues import Clues
from foundry.readers.front.titles import choose_title
from foundry.records import Block, Document

_EMPTY = Document("", (), "pdf", "")


def read_markdown(folder: Path, text: str, name: str = "a_note.md") -> Document:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read(path, ReadOptions(name))


@pytest.mark.parametrize(
    "made_up",
    ["Contents", "1. Intent", "1 Introduction", "Ken House Page 1 of 8", "UNITED STATES", "42", ""],
)
def test_boilerplate_is_not_a_title(made_up: str) -> None:
    found = Clues({"title": made_up}, printed="Pump manual")
    assert choose_title(_EMPTY, found, "x.pdf") == ("Pump manual", "cover")


def test_without_a_title_the_file_name_is_read_as_words() -> None:
    name = "sources/LC-512_data%20sheet.docx.md"
    assert choose_title(_EMPTY, Clues(), name) == ("LC-512 data sheet", "file-name")


def test_a_form_is_named_after_the_party_above_its_caption(tmp_path: Path) -> None:
    party = "JPMorgan Chase & Co.\n\n(Exact name of registrant as specified in its charter)"
    period = "For the quarterly period ended October 30, 2022"
    document = read_markdown(tmp_path, f"FORM 10-Q\n\n{period}\n\n{party}\n\nIt is a bank.")
    assert document.title == f"JPMorgan Chase & Co. FORM 10-Q: {period}"


def test_a_stated_title_that_is_not_printed_comes_behind_one_that_is() -> None:
    text = "Pump manual for model 7"
    document = Document(text, (Block("paragraph", 0, len(text), ()),), "pdf", "")
    found = Clues({"title": "Bearing catalogue 2019"}, printed="Pump manual")
    assert choose_title(document, found, "x.pdf") == ("Pump manual", "cover")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("## Wiring guide\n\nText.", "Wiring guide"),
        ("Front cover\n\n<!-- image -->\n\n## Access control\n\nText.", "Access control"),
        ("**Safety report**\n\n**of the lift**\n\nText.", "Safety report of the lift"),
        ("Call with the customer\n\n18 March 2026\n\nText.", "Call with the customer"),
        ("A sentence about nothing in particular.\n\n## Later\n\nText.", "a note"),
    ],
)
def test_the_title_is_what_stands_out_at_the_top(tmp_path: Path, text: str, title: str) -> None:
    assert read_markdown(tmp_path, text).title == title


def test_a_form_is_called_by_its_party_number_and_period(tmp_path: Path) -> None:
    cover = (
        "UNITED STATES\n\nFORM 12-B\n\nFor the quarterly period ended June 30, 2025\n\n"
        "Larch Pumps, Inc.\n\n(Exact name of registrant as specified in its charter)\n\nText."
    )
    document = read_markdown(tmp_path, cover)
    assert document.title == (
        "Larch Pumps, Inc. FORM 12-B: For the quarterly period ended June 30, 2025"
    )
    assert document.revision_date == "2025-06-30"
