"""Kept tables: what they say, what became of their sources, and what people decide on their cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from foundry.clock import format_minute, get_now
from foundry.errors import ChangedMeanwhile, NotFound, UsageError
from foundry.journeys.extraction.rows import list_sections
from foundry.journeys.extraction.run import lock_table
from foundry.journeys.specifications import require_person
from foundry.messages import Words, get_language
from foundry.records import (
    CellReview,
    CellVerdict,
    ExtractionCell,
    ExtractionRow,
    ExtractionTable,
    Source,
    SourceFate,
    make_column,
    make_row,
)
from foundry.render.delivery.extraction import TABLE_FORMATS
from foundry.text.spotlight import clean_line
from foundry.workspace import Workspace

_BATCH = 50
"""Sources whose cells are read at a time: memory stays flat however long a table is."""

LONGEST_VALUE = 5_000
"""Characters of a corrected value: more than any cell should hold (a guess)."""


@dataclass(frozen=True, slots=True)
class CellDecision:
    """What a person decides on a cell: ``row`` is the id of a row, or the path of a source, ``column`` a number from 1 or the question.

    ``value`` corrects it. ``seen`` is the version of the answer that was read, if known. If someone has
    already decided on the cell, the decision is refused unless ``again``.
    """

    row: str
    column: str
    verdict: CellVerdict
    by: str
    value: str = ""
    seen: str = ""
    again: bool = False


def list_tables(workspace: Workspace) -> list[ExtractionTable]:
    """The kept tables, latest first."""
    return workspace.store.extraction.list_all()


def get_table(workspace: Workspace, name: str) -> ExtractionTable:
    """The table of that name. Raises ``NotFound``."""
    table = workspace.store.extraction.find(" ".join(name.split()))
    if table is None:
        raise NotFound("table-unknown", where=name, name=name)
    return table


def remove_table(workspace: Workspace, name: str) -> ExtractionTable:
    """Remove a table with its cells and reviews. Raises ``NotFound``, ``ChangedMeanwhile`` if it runs."""
    table = get_table(workspace, name)
    with lock_table(workspace, table.name):
        if not workspace.store.extraction.remove(table):
            raise NotFound("table-unknown", where=name, name=name)
    return table


def count_rows(workspace: Workspace, table: ExtractionTable) -> int:
    """The rows that have a cell."""
    return len(workspace.store.extraction.list_rows(table))


def iterate_rows(
    workspace: Workspace, table: ExtractionTable, after: int = 0, limit: int | None = None
) -> Iterator[ExtractionRow]:
    """The rows that have a cell, by path and then as in the source, from number ``after`` on."""
    rows = workspace.store.extraction.list_rows(table)
    end = len(rows) if limit is None else after + limit
    if table.by == "section":
        rows = _order_sections(workspace, rows, after, end)
    waiting = iter(rows[after:end])
    while batch := list(islice(waiting, _BATCH)):
        yield from _read_batch(workspace, table, batch)


def _order_sections(
    workspace: Workspace, rows: list[tuple[str, str]], first: int, end: int
) -> list[tuple[str, str]]:
    """The rows with the sections of each source in reading order, as far as they are shown."""
    ordered: list[tuple[str, str]] = []
    for _, family in groupby(rows, key=lambda row: (row[0], _get_source_id(row[1]))):
        own = list(family)
        if len(ordered) < end and len(ordered) + len(own) > first:
            source_id = _get_source_id(own[0][1])
            sections = list_sections(workspace, source_id)
            places = {make_row(source_id, one): place for place, one in enumerate(sections)}
            # A section that is gone comes last.
            own.sort(key=lambda row: places.get(row[1], len(places)))
        ordered += own
    return ordered


def _get_source_id(row: str) -> str:
    return row.partition("#")[0]


def _read_batch(
    workspace: Workspace, table: ExtractionTable, batch: Sequence[tuple[str, str]]
) -> Iterator[ExtractionRow]:
    cells = workspace.store.extraction.list_cells(table, [row for _, row in batch])
    sources = workspace.store.get_sources({_get_source_id(row) for _, row in batch})
    for path, row in batch:
        own = [cells.get((row, make_column(question))) for question in table.questions]
        source = sources.get(_get_source_id(row))
        shown = tuple(cell and _add_fate(cell, source) for cell in own)
        title = source.title if source else next((cell.title for cell in own if cell), path)
        section = next((cell.section for cell in own if cell), ())
        yield ExtractionRow(_get_source_id(row), path, title, shown, section)


def _add_fate(cell: ExtractionCell, source: Source | None) -> ExtractionCell:
    fate: SourceFate = "gone"
    if source is not None:
        fate = "same" if source.content_hash == cell.answer.content_hash else "changed"
    return replace(cell, fate=fate)


def review_cell(workspace: Workspace, name: str, decision: CellDecision) -> ExtractionCell:
    """Save a person's decision on a cell; later runs leave it alone.

    Raises ``NotFound`` for an unknown table, row or column, ``UsageError`` for a bad name or value,
    ``ChangedMeanwhile`` if someone has already decided, or if the answer is not the one that was read.
    """
    table = get_table(workspace, name)
    by = require_person(decision.by)
    cell = _get_cell(workspace, table, decision)
    if decision.seen and decision.seen != cell.answer.version:
        raise ChangedMeanwhile("table-cell-changed", where=cell.source)
    if cell.review and not decision.again:
        who, when = cell.review.by, format_minute(cell.review.time)
        raise ChangedMeanwhile("table-cell-reviewed", where=cell.source, by=who, time=when)
    value = _decide_value(cell, decision)
    review = CellReview(decision.verdict, by, get_now(), value, cell.answer)
    kept = workspace.store.extraction.add_review(
        table, cell.row, cell.column, review, len(cell.reviews)
    )
    if kept is None:
        raise ChangedMeanwhile("table-cell-changed", where=cell.source)
    return _add_fate(kept, workspace.store.find_source(kept.source_id))


def _decide_value(cell: ExtractionCell, decision: CellDecision) -> str:
    """The value from now on: the words of an approved passage, nothing of an approved empty cell."""
    if decision.verdict == "rejected":
        return ""
    if decision.verdict == "approved":
        return cell.answer.words
    value = clean_line(decision.value)
    if not value or len(value) > LONGEST_VALUE:
        raise UsageError("table-value-invalid", where="--correct", limit=LONGEST_VALUE)
    return value


def _get_cell(
    workspace: Workspace, table: ExtractionTable, decision: CellDecision
) -> ExtractionCell:
    rows = workspace.store.extraction.list_rows(table)
    names = ((path if table.by == "source" else "", one) for path, one in rows)
    found = next((one for path, one in names if decision.row in (path, one)), None)
    question = _find_question(table, decision.column)
    if found and question:
        cells = workspace.store.extraction.list_cells(table, [found])
        if cell := cells.get((found, make_column(question))):
            return cell
    raise NotFound("table-cell-unknown", where=table.name, row=decision.row, column=decision.column)


def _find_question(table: ExtractionTable, column: str) -> str | None:
    text = " ".join(column.split())
    if text.isdecimal():
        number = int(text)
        return table.questions[number - 1] if 0 < number <= len(table.questions) else None
    same = (one for one in table.questions if text.casefold() == one.casefold())
    return next(same, None)


def export_table(workspace: Workspace, name: str, form: str) -> bytes:
    """A table as a file in one of ``TABLE_FORMATS``, in the current language. Raises ``NotFound``."""
    table, words = get_table(workspace, name), Words(get_language())
    return TABLE_FORMATS[form](table, iterate_rows(workspace, table), words)
