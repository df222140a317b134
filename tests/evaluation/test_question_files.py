"""Files of questions: what is understood of them, and that nothing is lost silently."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from foundry.errors import UsageError
from foundry.evaluation.questions import QuestionFile, read_questions


def lines(folder: Path, *rows: object, name: str = "q.jsonl") -> Path:
    """A JSON Lines file; texts go in as they are."""
    path = folder / name
    made = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(made) + "\n", encoding="utf-8")
    return path


def csv_file(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "q.csv"
    path.write_bytes(text.encode(encoding))
    return path


def reasons(read: QuestionFile) -> list[tuple[int | None, str]]:
    return [(row.line, str(row.reason)) for row in read.refused]


@pytest.mark.parametrize("field", ["text", "question", "query", "Question"])
def test_a_question_may_have_several_column_names(tmp_path: Path, field: str) -> None:
    read = read_questions(lines(tmp_path, {field: "How  long\nis it?"}))
    assert [row.text for row in read.rows] == ["How long is it?"]


def test_broken_lines_are_named_by_number_and_the_rest_kept(tmp_path: Path) -> None:
    path = lines(tmp_path, {"text": "A?"}, '{"text": ', "", "[1]", {"id": "x"}, {"text": "B?"})
    read = read_questions(path)
    assert [row.text for row in read.rows] == ["A?", "B?"]
    assert [row.line for row in read.refused] == [2, 4, 5]
    assert all(row.reason and row.fix for row in read.refused)


def test_a_line_end_inside_a_json_text_does_not_end_the_line(tmp_path: Path) -> None:
    read = read_questions(lines(tmp_path, json.dumps({"text": "A\u2028B?"}, ensure_ascii=False)))
    assert [row.text for row in read.rows] == ["A B?"]


@pytest.mark.parametrize(
    "row",
    [
        {"text": 5},
        {"text": "x" * 10_001},
        {"text": "\ud800?"},
        {"text": "A?", "page": 3},
        {"text": "A?", "source": "a.md", "page": "three"},
        {"text": "A?", "source": "a.md", "spans": [[9, 3]]},
        {"text": "A?", "answerable": "perhaps"},
        {"text": "A?", "answerable": False, "source": "a.md"},
        {"text": "A?", "answerable": True, "unanswerable": True},
        {"text": "A?", "id": "x" * 201},
        {"text": "A?", "set": "a/b"},
        "[" * 100_000,
    ],
    ids=str,
)
def test_a_row_that_contradicts_itself_or_makes_no_sense_is_refused(
    tmp_path: Path, row: Any
) -> None:
    read = read_questions(lines(tmp_path, {"text": "Kept?"}, row))
    assert [one.text for one in read.rows] == ["Kept?"]
    assert [one.line for one in read.refused] == [2]


def test_a_place_or_an_answer_says_that_there_is_one_and_null_leaves_it_open(
    tmp_path: Path,
) -> None:
    rows: list[dict[str, Any]] = [
        {"answer": "5"},
        {"source": "a.md"},
        {"source": "a.md", "answerable": None},
        {},
    ]
    read = read_questions(lines(tmp_path, *({"text": "A?", **row} for row in rows)))
    assert [row.answerable for row in read.rows] == [True, True, None, None]


def test_a_page_beside_several_sources_narrows_the_first(tmp_path: Path) -> None:
    row = {"text": "A?", "source": ["a.md", {"doc": "b.md", "page": 7}], "page": 2, "also": "c.md"}
    places = read_questions(lines(tmp_path, row)).rows[0].places
    assert [(place.source, place.page) for place in places] == [
        ("a.md", 2),
        ("b.md", 7),
        ("c.md", None),
    ]


def test_unknown_fields_are_reported(tmp_path: Path) -> None:
    read = read_questions(lines(tmp_path, {"text": "A?", "article": "x", "metadata": {}}))
    assert [notice for notice in map(str, read.notices) if "article" in notice]
    assert not [notice for notice in map(str, read.notices) if "metadata" in notice]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_is_read_whatever_separates_its_cells(tmp_path: Path, separator: str) -> None:
    header = separator.join(["id", "question", "source", "answer", "answerable", "tags"])
    row = separator.join(["1", '"Een, twee; drie?"', "a.md|b.md", "5|vijf", "ja", '"x,y"'])
    read = read_questions(csv_file(tmp_path, f"\ufeff{header}\r\n{row}\r\n"))
    only = read.rows[0]
    assert (only.text, only.answers, only.answerable) == ("Een, twee; drie?", ("5", "vijf"), True)
    assert ([place.source for place in only.places], only.tags) == (["a.md", "b.md"], ("x", "y"))


def test_what_excel_saves_is_read_with_a_notice(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "sep=;\ntext;answer\nHoe groot is de coëfficiënt?;½ µ\n", "cp1252")
    read = read_questions(path)
    assert read.rows[0].text == "Hoe groot is de coëfficiënt?"
    assert read.rows[0].line == 3
    assert [notice for notice in map(str, read.notices) if "cp1252" in notice]


def test_a_row_with_more_cells_than_columns_is_refused_and_not_cut(tmp_path: Path) -> None:
    read = read_questions(csv_file(tmp_path, "text,answer\nHow, then?,5,extra\nB?,6\n"))
    assert [row.text for row in read.rows] == ["B?"]
    assert reasons(read) == [(2, "It has 4 cells under 2 columns.")]


def test_the_line_of_a_record_is_where_it_begins(tmp_path: Path) -> None:
    read = read_questions(csv_file(tmp_path, 'text,page\n"A\nB?",\nC?,3\n'))
    assert [(row.text, row.line) for row in read.rows] == [("A B?", 2)]
    assert [row.line for row in read.refused] == [4]


def test_a_quote_that_is_not_closed_is_refused_and_swallows_nothing_silently(
    tmp_path: Path,
) -> None:
    read = read_questions(csv_file(tmp_path, 'text,answer\nA?,5\n"B?,6\nC?,7\n'))
    assert [row.text for row in read.rows] == ["A?"]
    assert reasons(read) == [(3, "It is not CSV: unexpected end of data.")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.jsonl", b""),
        ("q.jsonl", b"\n\n"),
        ("q.jsonl", b'[{"text": "A?"}, '),
        ("q.jsonl", b"\x89PNG\r\n\x1a\n\x00"),
        ("q.csv", b""),
        ("q.csv", b"text,answer\n"),
        ("q.csv", b"vraag-tekst,x\nA?,5\n"),
    ],
)
def test_a_file_without_questions_is_an_error_that_names_it(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError) as raised:
        read_questions(path)
    assert (raised.value.where, bool(raised.value.fix)) == (str(path), True)


def beir(folder: Path, qrels: str, *queries: object) -> Path:
    lines(folder, *queries, name="queries.jsonl")
    (folder / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_judgements_become_places_with_their_grades(tmp_path: Path) -> None:
    folder = beir(
        tmp_path, "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq1\td3\t1\n",
        {"_id": "q1", "text": "A?"},
    )  # fmt: skip
    row = read_questions(folder).rows[0]
    assert [(place.source, place.relevance) for place in row.places] == [("d1", 2), ("d3", 1)]
    assert row.answerable is None


def test_a_query_keeps_its_own_spans_beside_its_judgement(tmp_path: Path) -> None:
    query = {"id": "q1", "text": "A?", "doc": "d1", "spans": [[3, 9]], "references": ["abcdef"]}
    place = read_questions(beir(tmp_path, "q1\t0\td1\t3\n", query)).rows[0].places
    assert [
        (expectation.source, expectation.spans, expectation.relevance) for expectation in place
    ] == [("d1", ((3, 9),), 3)]


def test_unusable_judgements_are_reported(tmp_path: Path) -> None:
    read = read_questions(
        beir(tmp_path, "q1\td1\t1\nbroken\nq8\td1\t1\nq2\td1\t1\n",
             {"id": "q1", "text": "A?"}, {"id": "q2", "text": "B?", "answerable": False})
    )  # fmt: skip
    assert [(row.file.split("/")[-1], row.line) for row in read.refused] == [("qrels.tsv", 2)]
    assert [
        notice
        for notice in map(str, read.notices)
        if "missing from queries.jsonl (1): q8" in notice
    ]
    assert [notice for notice in map(str, read.notices) if "left out (1): q2" in notice]


def test_a_folder_without_queries_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no queries\.jsonl"):
        read_questions(tmp_path)


def test_a_json_list_is_read_item_by_item(tmp_path: Path) -> None:
    items = [{"question": "A?"}, "no object", {"id": "x"}, {"question": "B?", "gold": "yes"}]
    for whole in (items, {"questions": items}):
        path = tmp_path / "q.json"
        path.write_text(json.dumps(whole, indent=1))
        read = read_questions(path)
        assert [row.text for row in read.rows] == ["A?", "B?"]
        assert [row.line for row in read.refused] == [2, 3]
        assert read.rows[1].answers == ("yes",)


def workbook(folder: Path, sheets: Mapping[str, Sequence[Sequence[object]]]) -> Path:
    path = folder / "q.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return path


def test_a_workbook_is_read_below_the_names_of_its_columns(tmp_path: Path) -> None:
    head = ["Question", "Expected answer", "Source", "Page"]
    rows = [["Our questions"], [], head, ["How long?", 12, "a.pdf", 3], [], ["", "lost", "a.pdf"]]
    read = read_questions(workbook(tmp_path, {"Notes": [["none"]], "Mine": rows}))
    (row,) = read.rows
    assert (row.text, row.answers, row.line) == ("How long?", ("12",), 4)
    assert (row.places[0].source, row.places[0].page) == ("a.pdf", 3)
    assert [(one.file.rpartition("/")[2], one.line) for one in read.refused] == [
        ("q.xlsx[Mine]", 6)
    ]


def test_dutch_names_of_columns_are_known(tmp_path: Path) -> None:
    read = read_questions(
        csv_file(tmp_path, "Vraag;Verwacht antwoord;Bron\nHoe lang?;12 m;a.pdf\n")
    )
    (row,) = read.rows
    assert (row.text, row.answers, row.places[0].source) == ("Hoe lang?", ("12 m",), "a.pdf")


@pytest.mark.parametrize("content", [b"", b"PK", b"words"])
def test_a_damaged_workbook_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "q.xlsx"
    path.write_bytes(content)
    with pytest.raises(UsageError) as raised:
        read_questions(path)
    assert "q.xlsx" in raised.value.where
