"""``foundry table``: what a user types, reads and gets as a file."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest
import xlsxwriter
from docx import Document
from python_calamine import CalamineWorkbook

from foundry.api import build_json, open_project
from foundry.wire.commands import MODELS
from tests.faces.conftest import Run

SHEET = "sources/datasheet.md"
FUSE = "What is the rating of the input fuse?"
WORDS = "The input fuse is rated at 3.15 A slow."


@pytest.fixture
def questions(project: Path) -> Path:
    path = project / "facts.txt"
    path.write_text(f"{FUSE}\nWhat is the refresh rate of the outputs?\n", encoding="utf-8")
    return path


def test_a_table_is_run_listed_shown_reviewed_and_removed(run: Run, questions: Path) -> None:
    made = run("table", questions.name, "--json").json
    assert MODELS["table run"].model_validate(made)
    assert f"1  {FUSE}" in run("table", "show", "facts").out
    assert "facts" in run("table").out
    review = ("table", "review", "facts", SHEET, "1", "--by", "Ann")
    assert f"Corrected by Ann: {SHEET}, {FUSE} 3.15 A" in run(*review, "--correct", "3.15 A").out
    refused = run(*review, "--approve")
    assert refused.status == 2
    assert "--again" in refused.err
    assert "✓ corrected by Ann" in run("table", "facts").out
    run(*review, "--reject", "--again")
    events = run("log", "audit", "--json").json["events"]
    assert [(one["action"], one["subject"], one["outcome"]) for one in events] == [
        ("table.review", "facts", "done"),
        ("table.review", "facts", "conflict"),
        ("table.review", "facts", "done"),
    ]
    assert WORDS not in run("table", "show", "facts").out
    assert "Removed" in run("table", "remove", "facts").out
    assert "No tables" in run("table", "list").out


def test_a_second_run_says_what_changed(run: Run, questions: Path, project: Path) -> None:
    run("table", questions.name)
    assert "0 asked, 4 reused" in run("table", "facts").out
    path = project / SHEET
    path.write_text(path.read_text("utf-8").replace("3.15 A", "4 A"), encoding="utf-8")
    assert (
        "The source has changed since"
        in run("ingest", "-q").out + run("table", "show", "facts").out
    )
    changed = run("table", "facts").out
    assert (
        f"Changed since the previous run: was “{WORDS}”, is “{WORDS.replace('3.15', '4')}”."
        in changed
    )
    assert "1 changed since the last run" in changed


@pytest.mark.parametrize("flags", [(), ("--approve", "--reject")])
def test_a_review_says_one_thing(run: Run, questions: Path, flags: tuple[str, ...]) -> None:
    run("table", questions.name)
    outcome = run("table", "review", "facts", SHEET, "1", *flags)
    assert outcome.status == 2
    assert "needs exactly one decision" in outcome.err


@pytest.mark.usefixtures("questions")
def test_what_is_neither_a_file_nor_a_table_is_named(run: Run) -> None:
    outcome = run("table", "reviews")
    assert outcome.status == 2
    assert "no table 'reviews'" in outcome.err
    assert "does not exist" in run("table", "none.csv").err


def test_a_csv_has_value_state_place_and_quotation(
    run: Run, questions: Path, project: Path
) -> None:
    assert run("table", questions.name, "--output", "facts.csv").status == 0
    rows = list(csv.DictReader(io.StringIO((project / "facts.csv").read_text("utf-8-sig"))))
    (row,) = [one for one in rows if one["Source"] == SHEET]
    assert row[FUSE] == WORDS
    assert row[f"{FUSE} [place]"] == "3.1 Supply"
    assert row[f"{FUSE} [quotation]"] == WORDS
    empty = next(one for one in rows if one["Source"] != SHEET)
    assert empty[FUSE] == ""
    assert empty[f"{FUSE} [notes]"]


def test_nothing_in_a_spreadsheet_is_a_formula(run: Run, project: Path) -> None:
    evil = '=HYPERLINK("http://x","y") of the input fuse?'
    (project / "evil.txt").write_text(evil, encoding="utf-8")
    assert run("table", "evil.txt", "--output", "evil.csv").status == 0
    run("table", "review", "evil", SHEET, "1", "--correct", "=1+cmd", "--by", "@Ann")
    assert run("table", "show", "evil", "--output", "evil.xlsx").status == 0
    assert run("table", "show", "evil", "--output", "evil.csv", "--yes").status == 0
    text = (project / "evil.csv").read_text("utf-8-sig")
    assert "'=HYPERLINK" in text
    assert "'=1+cmd" in text
    with zipfile.ZipFile(project / "evil.xlsx") as book:
        sheets = [book.read(name).decode() for name in book.namelist() if "sheets/sheet" in name]
    assert not any("<f>" in sheet or "hyperlink" in sheet for sheet in sheets)


def test_a_workbook_has_the_values_and_a_line_for_each_citation(
    run: Run, questions: Path, project: Path
) -> None:
    run("table", questions.name, "--output", "facts.xlsx")
    book = CalamineWorkbook.from_path(project / "facts.xlsx")
    values, cells = (book.get_sheet_by_name(name).to_python() for name in book.sheet_names)
    assert values[0][2] == FUSE
    assert values[1][2] == WORDS
    assert len(cells) == 1 + 4
    assert cells[1][2:7] == [FUSE, WORDS, "exact words", "3.1 Supply", WORDS]


@pytest.mark.parametrize("columns", [2, 6])
def test_documents_have_a_note_for_every_quotation(run: Run, project: Path, columns: int) -> None:
    asked = [FUSE, *(f"What is number {n} of the outputs?" for n in range(1, columns))]
    (project / "facts.txt").write_text("\n".join(asked), encoding="utf-8")
    run("table", "facts.txt", "--output", "facts.docx")
    run("table", "show", "facts", "--output", "facts.html")
    document = Document(str(project / "facts.docx"))
    shown = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    assert any(WORDS in text for text in shown)
    with zipfile.ZipFile(project / "facts.docx") as parts:
        assert WORDS in parts.read("word/footnotes.xml").decode()
    page = (project / "facts.html").read_text("utf-8")
    assert 'href="#note-1"' in page
    assert f"<blockquote>{WORDS}</blockquote>" in page


def test_a_file_is_not_overwritten_unasked_and_its_format_is_known(
    run: Run, questions: Path, project: Path
) -> None:
    (project / "facts.csv").write_text("mine", encoding="utf-8")
    assert run("table", questions.name, "--output", "facts.csv").status == 2
    assert (project / "facts.csv").read_text("utf-8") == "mine"
    assert run("table", "show", "facts", "--output", "facts.pdf").status == 2
    assert run("table", "show", "facts", "--output", "../facts.csv").status == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", f"Number;Question\n1;{FUSE}\n"),
        ("b.csv", f'"{FUSE}"\n'),
        ("c.csv", f"question,owner\n{FUSE},Ann\n,\n"),
        ("d.txt", f"\n  {FUSE}  \n\n"),
    ],
)
def test_questions_are_read_from_a_column_or_from_lines(
    run: Run, project: Path, name: str, text: str
) -> None:
    (project / name).write_text(text, encoding="utf-8")
    assert run("table", name, "--json").json["table"]["questions"] == [FUSE]


def test_questions_are_read_from_a_workbook(run: Run, project: Path) -> None:
    with xlsxwriter.Workbook(str(project / "facts.xlsx")) as book:
        book.add_worksheet().write_column(0, 0, [FUSE])
    assert run("table", "facts.xlsx", "--json").json["table"]["questions"] == [FUSE]


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.txt", b""), ("b.txt", b"\n \n"), ("c.csv", b"What, if any?\nWhich, then?\n"),
     ("d.xlsx", b"PK nothing"), ("e.txt", b"\x00\x01\x02" * 99)],
)  # fmt: skip
def test_a_file_without_questions_is_refused(
    run: Run, project: Path, name: str, data: bytes
) -> None:
    (project / name).write_bytes(data)
    outcome = run("table", name)
    assert outcome.status == 2
    assert outcome.err


def test_the_python_api_runs_reads_and_reviews_a_table(project: Path) -> None:
    with open_project(project, environment={}) as opened:
        run = opened.table("facts", [FUSE], filters=["type=md"])
        assert build_json(run)["asked"] == 2
        cell = opened.review_cell("facts", SHEET, 1, "approved", by="Ann")
        assert build_json(cell)["value"] == WORDS
        shown = [row.cells[0] for row in opened.table_rows("facts") if row.source == SHEET]
    assert shown == [cell]


@pytest.mark.usefixtures("questions")
def test_a_table_speaks_dutch(run: Run) -> None:
    assert "letterlijk" in run("table", "facts.txt", "--language", "nl").out
