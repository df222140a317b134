"""Extraction tables: whoever sees a table decides on its cells, the owner runs and removes it.

A run asks many questions, so it is the owner's; a cell rests on its source alone, so whoever sees that
may sign for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from foundry.journeys.extraction import (
    CellDecision,
    TableRequest,
    count_rows,
    get_table,
    iterate_rows,
    list_tables,
    remove_table,
    review_cell,
    run_table,
)
from foundry.operations.table import After, Limit, Scope, operation
from foundry.records import ExtractionCell, ExtractionRun, ExtractionTable
from foundry.wire.extraction import (
    ExtractionCellJson,
    ExtractionListJson,
    ExtractionPageJson,
    ExtractionRunJson,
    ExtractionTableJson,
)
from foundry.wire.requests import CellReviewRequest, TableRunRequest


@operation("GET", "/tables", ExtractionListJson, listed="tables")
def list_tables_(on: Scope) -> Sequence[ExtractionTable]:
    """The kept tables whose sources the caller may all see, latest first."""
    return list_tables(on.workspace)


@operation(
    "POST",
    "/tables",
    ExtractionRunJson,
    owner=True,
    slow=True,
    audit="table.run",
    stream=(
        "stream_table",
        "Run a table cell by cell; the last event says what was done. The owner's alone.",
    ),
)
def run(on: Scope, asked: TableRunRequest) -> ExtractionRun:
    """Put the questions to every source and keep the answers; the owner's alone.

    What is known is not asked again; a run that was broken off goes on with the same request.
    """
    on.note(asked.name)
    wanted = TableRequest(
        name=asked.name,
        questions=tuple(asked.questions),
        filters=None if asked.filters is None else tuple(asked.filters),
        mode=asked.mode,
        jobs=asked.jobs,
        fresh=asked.fresh,
        confirmed=asked.confirmed,
        by=asked.by,
    )
    return run_table(on.workspace, wanted, progress=on.progress)


@operation("GET", "/tables/{table}", ExtractionPageJson)
def show_table(on: Scope, table: str, limit: Limit = 100, after: After = 0) -> ExtractionPageJson:
    """A table with its cells, source by source."""
    found = get_table(on.workspace, table)
    total, end = count_rows(on.workspace, found), after + limit
    rows = list(iterate_rows(on.workspace, found, after, limit))
    return ExtractionPageJson(
        table=found, rows=rows, total=total, next=end if end < total else None
    )


@operation("POST", "/tables/{table}/review", ExtractionCellJson, audit="table.review")
def review(on: Scope, table: str, asked: CellReviewRequest) -> ExtractionCell:
    """Approve, correct or reject a cell by name; 409 if somebody did, or the answer changed."""
    decision = CellDecision(
        asked.row,
        asked.column,
        asked.verdict,
        asked.by or on.who,
        asked.value,
        asked.seen,
        asked.again,
    )
    return review_cell(on.workspace, table, decision)


@operation("DELETE", "/tables/{table}", ExtractionTableJson, owner=True, audit="table.remove")
def remove(on: Scope, table: str) -> ExtractionTable:
    """Remove a table with its answers and reviews; the owner's alone."""
    return remove_table(on.workspace, table)
