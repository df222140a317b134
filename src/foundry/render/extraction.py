"""What is said of a cell of an extraction table, in every face and format."""

from __future__ import annotations

from foundry.clock import format_minute
from foundry.messages import Message
from foundry.records import CellAnswer, ExtractionCell, ExtractionTable, Quote
from foundry.render.places import describe_place, note_reading

_MOST_REASONS = 2
"""Reasons beside a cell: the log has the others."""


def is_unread(cell: ExtractionCell) -> bool:
    """Whether there is only a passage to read, and nobody decided: its state is its value too."""
    return cell.review is None and cell.answer.state == "passage"


def describe_value(cell: ExtractionCell | None) -> str:
    """The value that holds, or where there is only a passage, that it is to be read."""
    if cell is None:
        return ""
    if is_unread(cell):
        return str(describe_state(cell))
    return cell.value


def describe_state(cell: ExtractionCell | None) -> Message:
    """A person's decision, else the state of the answer, in a word or two."""
    if cell is None:
        return Message("table-not-asked")
    if cell.review:
        return Message("table-verdict", verdict=cell.review.verdict, by=cell.review.by)
    return Message("table-state", state=cell.answer.state)


def describe_places(answer: CellAnswer) -> str:
    """The places of its quotations, each once."""
    return "; ".join(dict.fromkeys(filter(None, map(describe_place, answer.quotes))))


def format_quote(quote: Quote) -> str:
    """Its exact words on one line."""
    return " ".join(quote.text.split())


def list_notes(table: ExtractionTable, cell: ExtractionCell | None) -> list[Message]:
    """What a reader must know beside the value: why there is none, and what changed."""
    if cell is None:
        return []
    answer = cell.answer
    shown = answer.reasons[:_MOST_REASONS] if cell.review is None else ()
    return [
        *shown,
        *_note_changes(table, cell),
        *([Message("table-source-fate", fate=cell.fate)] if cell.fate != "same" else ()),
        *note_reading(answer.quotes),
    ]


def _note_changes(table: ExtractionTable, cell: ExtractionCell) -> list[Message]:
    """Old and new words side by side: since a person decided, or since the run before."""
    new, review = _shorten(cell.answer), cell.review
    if review and cell.changed_since:
        time = format_minute(review.time)
        return [
            Message(
                "table-changed-since", old=_shorten(review.seen), new=new, by=review.by, time=time
            )
        ]
    if cell.before and not review and cell.run == table.runs:
        return [Message("table-changed", old=_shorten(cell.before), new=new)]
    return []


def _shorten(answer: CellAnswer) -> Message | str:
    return " ".join(answer.words.split()) or Message("table-state", state=answer.state)
