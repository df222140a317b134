"""Draft records as the JSON of their row."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from foundry.records import DraftRecord

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def draft_json(record: DraftRecord) -> str:
    """The whole record as one JSON object."""
    return _adapter().dump_json(record).decode()


def read_draft(text: str) -> DraftRecord:
    """The record of a row."""
    return _adapter().validate_json(text)


@cache
def _adapter() -> TypeAdapter[DraftRecord]:
    # Built on first use: it costs 20 ms that a search need not pay.
    from pydantic import TypeAdapter

    return TypeAdapter(DraftRecord)
