"""Extraction tables: questions put to every source, and what people decide on each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from foundry.errors import FoundryError, RuleError, UsageError
from foundry.journeys.extraction import count_rows, get_table, iterate_rows
from foundry.messages import Message
from foundry.operations import tables
from foundry.operations.table import LARGEST
from foundry.records import ExtractionCell, ExtractionTable, RowKind
from foundry.render.extraction import (
    describe_places,
    describe_state,
    describe_value,
    format_quote,
    is_unread,
    list_notes,
)
from foundry.web.pages.acts import act, begin, describe, get_status, split_lines
from foundry.web.pages.templates import link_to_source, render_page
from foundry.web.security.callers import Bound, Owned, get_site, make_scope
from foundry.wire.requests import CellReviewRequest, RequestModel, TableRunRequest
from foundry.workspace import Workspace

router = APIRouter(prefix="/tables")
PAGE = 50
"""Rows on a page of a table: with twenty questions a thousand cells."""
SIGNS = {
    "answered": "answer",
    "quoted": "answer",
    "low_confidence": "low-confidence",
    "passage": "passages",
    "nothing": "no-evidence",
    "failed": "error",
}
"""State of a cell → the class of its sign."""


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell as the page shows it; ``href`` opens its source at the quoted words."""

    cell: ExtractionCell
    value: str
    state: Message
    sign: str
    place: str
    words: tuple[str, ...]
    href: str
    notes: tuple[Message, ...]

    @property
    def unread(self) -> bool:
        """Whether there is only a passage, which is state and value in one."""
        return is_unread(self.cell)


def view_cell(table: ExtractionTable, cell: ExtractionCell | None) -> CellView | None:
    """The view of a cell; None for one that is not asked yet."""
    if cell is None:
        return None
    answer = cell.answer
    return CellView(
        cell,
        describe_value(cell),
        describe_state(cell),
        SIGNS[answer.state],
        describe_places(answer),
        tuple(map(format_quote, answer.quotes)),
        link_to_source(cell.source_id, answer.quotes, content_hash=answer.content_hash),
        tuple(list_notes(table, cell)),
    )


class NewTableForm(RequestModel):
    """The fields of the page: a question on each line, and which sources are the rows."""

    name: str = Field(max_length=200)
    questions: str = Field(max_length=200_000)
    type: str = Field(default="", max_length=200)
    tag: str = Field(default="", max_length=200)
    folder: str = Field(default="", max_length=2000)
    by: RowKind = "source"
    confirmed: bool = False

    def build_request(self) -> TableRunRequest:
        """The request that the fields make."""
        filters = [
            f"{key}={value}"
            for key in ("type", "tag", "folder")
            if (value := getattr(self, key).strip())
        ]
        return TableRunRequest(
            name=self.name,
            questions=split_lines(self.questions),
            filters=filters,
            confirmed=self.confirmed,
            by=self.by,
        )


@router.get("")
def show_tables(request: Request, workspace: Bound) -> HTMLResponse:
    """The kept tables, and for the owner a form for a new one."""
    return _render_list(request, workspace)


@router.post("")
def make_table(
    request: Request, workspace: Owned, form: Annotated[NewTableForm, Form()]
) -> Response:
    """Run a new table, which goes on when the browser is closed, and lead to it."""
    name = " ".join(form.name.split())
    try:
        begin(request, workspace, _name_work(name), tables.run, asked=form.build_request())
    except (RuleError, UsageError) as error:
        return _render_list(request, workspace, form, error)
    return RedirectResponse(f"/tables/{quote(name, safe='')}", status_code=303)


def _name_work(table: str) -> str:
    """The name of the work: one run of a table at a time."""
    return f"table {table}"


def _render_list(
    request: Request,
    workspace: Workspace,
    form: NewTableForm | None = None,
    error: FoundryError | None = None,
) -> HTMLResponse:
    facets = workspace.store.count_facets()
    return render_page(
        "tables",
        workspace=workspace,
        current="/tables",
        status=get_status(error),
        found=tables.list_tables_.perform(make_scope(request, workspace)),
        form=form or NewTableForm(name="", questions=""),
        problem=error and describe(error, workspace),
        sources=sum(one.count for one in facets.type),
        types=sorted(one.value for one in facets.type),
        tags=sorted(one.value for one in facets.tag),
    )


@router.get("/{name}")
def show_table(
    request: Request,
    workspace: Bound,
    name: str,
    after: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
) -> HTMLResponse:
    """A table: each cell with its value, place and state, and what to decide on it."""
    return _render_table(request, workspace, name, after)


@router.post("/{name}/review")
def review(
    request: Request,
    workspace: Bound,
    name: str,
    form: Annotated[CellReviewRequest, Form()],
) -> Response:
    """Decide on a cell, and go back to it."""
    try:
        cell = act(request, workspace, tables.review, table=name, asked=form)
    except (RuleError, UsageError) as error:
        return _render_table(request, workspace, name, 0, error)
    place = quote(f"cell-{cell.row}-{cell.column}")
    return RedirectResponse(f"/tables/{quote(name, safe='')}#{place}", status_code=303)


@router.post("/{name}/run")
def run_again(request: Request, workspace: Owned, name: str) -> Response:
    """Ask what is not known yet, or has changed since; what was broken off goes on."""
    asked = TableRunRequest(name=name, confirmed=True)
    try:
        begin(request, workspace, _name_work(name), tables.run, asked=asked)
    except (RuleError, UsageError) as error:
        return _render_table(request, workspace, name, 0, error)
    return RedirectResponse(f"/tables/{quote(name, safe='')}", status_code=303)


@router.post("/{name}/stop")
def stop(request: Request, workspace: Owned, name: str) -> RedirectResponse:  # noqa: ARG001 - the owner's
    """Stop after the cell that is asked."""
    get_site(request).background.stop(_name_work(name))
    return RedirectResponse(f"/tables/{quote(name, safe='')}", status_code=303)


@router.post("/{name}/remove")
def remove(request: Request, workspace: Owned, name: str) -> RedirectResponse:
    """Remove a table with its answers and reviews."""
    act(request, workspace, tables.remove, table=name)
    return RedirectResponse("/tables", status_code=303)


def _render_table(
    request: Request,
    workspace: Workspace,
    name: str,
    after: int,
    error: FoundryError | None = None,
) -> HTMLResponse:
    table = get_table(workspace, name)
    total = count_rows(workspace, table)
    owner = workspace.principal.sees_all
    work = get_site(request).background.find(_name_work(table.name)) if owner else None
    failed = error or (work.error if work and not work.running else None)
    rows = iterate_rows(workspace, table, after, PAGE)
    return render_page(
        "table",
        workspace=workspace,
        current="/tables",
        status=get_status(error),
        table=table,
        rows=[(row, [view_cell(table, cell) for cell in row.cells]) for row in rows],
        total=total,
        first=after + 1,
        later=after + PAGE if after + PAGE < total else None,
        earlier=max(0, after - PAGE) if after else None,
        person=make_scope(request, workspace).who,
        work=work,
        cells=table.rows * len(table.questions),
        problem=failed and describe(failed, workspace),
    )
