"""A record and its row: columns are the fields of the same name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from foundry.messages import Message
from foundry.records import (
    AuditEvent,
    Block,
    DocumentName,
    Feedback,
    Source,
    Table,
    TableCell,
    Token,
)
from foundry.store.rows import build_block_row, build_row, read_block, read_row
from tests.store.records import WHEN, make_query, make_source

SOURCE = replace(
    make_source("a.md", "Text.").source,
    tags=("one", "two"),
    names=(DocumentName("Zebra cable", "abbreviation", ("ZC",)),),
    warnings=(Message("store-no-database-yet"),),
)
RECORDS = [
    SOURCE,
    make_query("q"),
    Feedback("q", True, WHEN, "Right."),
    Token("t", "Reader", "internal", "hash", created=WHEN, expires=WHEN),
    AuditEvent(WHEN, "Reader", "internal", "ask", "q", "127.0.0.1", "ok"),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_is_the_same_when_it_is_read_from_its_row(record: Any) -> None:
    assert read_row(type(record), build_row(record)) == record


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_row_has_text_and_numbers_only(record: Any) -> None:
    kinds = {type(value) for value in build_row(record).values()}
    assert kinds <= {str, int, float, type(None)}


def test_a_warning_that_an_earlier_version_saved_as_text_is_read_verbatim() -> None:
    row = {**build_row(SOURCE), "warnings": '["A page is empty."]'}
    assert read_row(Source, row).warnings == (Message("verbatim", text="A page is empty."),)


def test_a_table_that_an_earlier_version_saved_with_notes_is_read() -> None:
    table = Table("Pumps", header=("Part | Seal",), cells=(TableCell(("P1",), (), "7", 5, 6),))
    row = list(build_block_row(1, 0, Block("table", 0, 9, table=table), 0))
    place = next(n for n, value in enumerate(row) if isinstance(value, str) and "Pumps" in value)
    row[place] = row[place].replace('"title"', '"notes": [], "title"')
    row[5] = "[]"
    assert read_block(tuple(row[2:])).table == table


def test_a_table_that_was_in_doubt_as_a_whole_has_all_cells_in_doubt() -> None:
    old = '[{"title":"Pumps","header":[],"certain":false},[[],["2022"]],[[0,1,"7",5,6]]]'
    row = ("table", 0, 9, "[]", *(None,) * 10, old, None, None)
    table = read_block(row).table
    assert table is not None
    assert table.cells == (TableCell((), ("2022",), "7", 5, 6, certain=False),)
