"""A record and its row: columns are the fields of the same name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from foundry.messages import Message
from foundry.records import AuditEvent, DocumentName, Feedback, Source, Token
from foundry.store.rows import build_row, read_row
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
