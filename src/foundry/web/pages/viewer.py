"""A source at the cited words: its pages with boxes over them, or its text.

``addresses`` says what an address has. Of several places the last is shown, those of a table below
its header; all are marked, the header paler.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field

from foundry.errors import NotFound
from foundry.journeys.passages.pages import (
    find_places,
    has_pages,
    list_page_sizes,
    read_lines,
    render_page,
    render_region,
)
from foundry.journeys.passages.texts import (
    Direction,
    TextSelector,
    build_selector,
    find_selector,
    find_words,
    read_window,
    split_headers,
)
from foundry.journeys.revisions import CitingStatement, find_citing_span
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.operations.table import LARGEST
from foundry.readers.pages.requests import PageDesk
from foundry.records import Box, MarkedPage, PagePicture, PageSize, Source
from foundry.text.passages import TextSpan
from foundry.web.pages.templates import MAX_PLACES, add_root_to_address, render_part
from foundry.web.pages.templates import render_page as render_html
from foundry.web.security.callers import Bound
from foundry.workspace import Workspace

router = APIRouter(prefix="/sources/{source_id}")
WINDOW = 15
"""Pages on either side of the cited one that a view has at first."""
SCALE = 2.0
"""Pixels per point of a page: sharp at the width of half a screen."""
KEPT = {"Cache-Control": "private, max-age=600"}
"""Headers of pictures: a browser need not ask twice while somebody reads."""
MAX_EXACT = 500
"""Characters of a quote in an address."""
MAX_FOUND = 500
"""Places that a search in a source lists."""


class Span(BaseModel):
    """What an address points at; ``end`` is None for a source without a place."""

    model_config = ConfigDict(frozen=True)

    start: int = Field(default=0, ge=0, le=LARGEST)
    end: int | None = Field(default=None, ge=0, le=LARGEST)
    at: tuple[Annotated[str, Field(pattern=r"^\d{1,15}-\d{1,15}$")], ...] = Field(
        default=(), max_length=MAX_PLACES
    )
    exact: str = Field(default="", max_length=2000)
    prefix: str = Field(default="", max_length=200)
    suffix: str = Field(default="", max_length=200)
    revision: str = Field(default="", max_length=64)
    page: int | None = Field(default=None, ge=1, le=LARGEST)
    direction: Direction = "around"

    def list_others(self) -> list[TextSpan]:
        """The places of ``at``."""
        pairs = (place.partition("-") for place in self.at)
        return [(int(start), int(end)) for start, _, end in pairs]


Kind = Literal["here", "other", "head"]
"""The place that is shown, another one, and the header of a table."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A rectangle on a page; an ``area`` is that of a whole block, read from a picture."""

    kind: Kind
    box: Box
    area: bool = False


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page with the address of its picture; marks are shares of its sides, from the top left."""

    page: PageSize
    picture: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceView:
    """What the template shows of a source. ``earlier`` and ``later`` are pages beyond the window."""

    source: Source
    span: Span
    link: str
    marks: Mapping[Kind, Sequence[TextSpan]]
    notes: tuple[Message, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    earlier: str | None = None
    later: str | None = None
    html: Markup | None = None
    citing: tuple[CitingStatement, ...] = ()


def get_desk(request: Request) -> PageDesk:
    """The processes that open the files of pages."""
    desk: PageDesk = request.app.state.desk
    return desk


Asked = Annotated[Span, Query()]
Desk = Annotated[PageDesk, Depends(get_desk)]


@router.get("")
def show_source(
    source_id: str,
    asked: Asked,
    workspace: Bound,
    desk: Desk,
    x_pane: Annotated[str | None, Header()] = None,
) -> HTMLResponse:
    """A source at a place: a page of its own, or the part that a pane shows."""
    source = get_source(workspace, source_id)
    view = _build_view(workspace, desk, source, asked)
    if x_pane:
        return HTMLResponse(render_part("source", "viewer", view, True))
    return render_html("source_page", current="/sources", workspace=workspace, view=view)


@router.get("/pages/{number}.webp")
def draw_page(
    source_id: str,
    number: Annotated[int, Path(ge=0, le=LARGEST)],
    workspace: Bound,
    desk: Desk,
    scale: Annotated[float, Query(ge=0.5, le=4)] = SCALE,
) -> Response:
    """A picture of a page."""
    source = get_source(workspace, source_id)
    return _send_picture(render_page(workspace, desk, source, number, scale))


@router.get("/words")
def show_words(
    source_id: str,
    workspace: Bound,
    desk: Desk,
    first: Annotated[int, Query(ge=1, le=LARGEST)] = 1,
    last: Annotated[int, Query(ge=1, le=LARGEST)] = 1,
) -> HTMLResponse:
    """The words of pages where they are printed, to be laid over their pictures, unseen."""
    source = get_source(workspace, source_id)
    pages = read_lines(workspace, desk, source, first, last)
    if isinstance(pages, Message):
        raise NotFound("web-not-found")
    return HTMLResponse(render_part("source", "words", pages, source.language), headers=KEPT)


@router.get("/region.svg")
def draw_region(source_id: str, asked: Asked, workspace: Bound, desk: Desk) -> Response:
    """The page around the words, which are marked, as a citation's card shows it."""
    source = get_source(workspace, source_id)
    span, _ = _find_span(workspace, source, asked)
    marked, _ = _place_marks(workspace, desk, source, _sort_marks(workspace, source, span))
    if not marked:
        raise NotFound("web-not-found")
    page, marks = next(iter(marked.values()))
    shown = MarkedPage(page, tuple(mark.box for mark in marks if mark.kind == "here"))
    picture = render_region(workspace, desk, source, shown, SCALE)
    if isinstance(picture, Message):
        raise NotFound("web-not-found")
    drawing = render_part("source", "region", picture, marks, b64encode(picture.data).decode())
    return Response(drawing, media_type="image/svg+xml", headers=KEPT)


@router.get("/find")
def search_source(
    source_id: str, words: Annotated[str, Query(min_length=1, max_length=200)], workspace: Bound
) -> dict[str, list[str]]:
    """The addresses of the places where a source has these words, whatever their case."""
    source = get_source(workspace, source_id)
    found = find_words(workspace.store.source_text(source.id), words, limit=MAX_FOUND)
    places = [f"/sources/{source.id}?start={start}&end={end}" for start, end in found]
    return {"places": [add_root_to_address(place) for place in places]}


def _send_picture(picture: PagePicture | Message) -> Response:
    if isinstance(picture, Message):
        raise NotFound("web-not-found")
    return Response(picture.data, media_type="image/webp", headers=KEPT)


def _build_view(workspace: Workspace, desk: PageDesk, source: Source, asked: Span) -> SourceView:
    span, notes = _find_span(workspace, source, asked)
    citing = find_citing_span(workspace, source, span.start, span.end) if span.end else ()
    link = _link_selector(workspace, source, span)
    marks = _sort_marks(workspace, source, span)
    view = SourceView(source, span, link, marks, notes, citing=citing)
    view = _add_pages(workspace, desk, view) if has_pages(source) else view
    return view if view.leaves else _add_text(workspace, view)


def _sort_marks(workspace: Workspace, source: Source, span: Span) -> dict[Kind, list[TextSpan]]:
    """The places of an address by what they are; a header alone is what is shown."""
    if not span.end:
        return {}
    place = (span.start, span.end)
    shown, heads = split_headers(workspace, source, [place])
    others, more = split_headers(workspace, source, span.list_others())
    if not shown:
        shown, heads = [place], []
    return {"here": shown, "other": others, "head": [*heads, *more]}


def _place_marks(
    workspace: Workspace,
    desk: PageDesk,
    source: Source,
    marks: Mapping[Kind, Sequence[TextSpan]],
) -> tuple[dict[int, tuple[PageSize, list[Mark]]], Message | None]:
    """The marks by page, the one that is shown first, and what is to be said of its place."""
    placed: dict[int, tuple[PageSize, list[Mark]]] = {}
    reason = None
    for kind, spans in marks.items():
        if not spans:
            continue
        placement = find_places(workspace, desk, source, *spans)
        reason = placement.reason if kind == "here" else reason
        for page in placement.pages:
            known = placed.setdefault(page.page.number, (page.page, []))[1]
            taken = {mark.box for mark in known}
            known += [Mark(kind, box) for box in page.boxes if box not in taken]
            known += [Mark(kind, box, area=True) for box in page.areas if box not in taken]
    return placed, reason


def _add_text(workspace: Workspace, view: SourceView) -> SourceView:
    """The text around the place, where there are no pages to show."""
    span, address = view.span, f"/sources/{view.source.id}"
    window = read_window(workspace, view.source, span.start, span.direction)
    before, after = window.previous, window.next
    return replace(
        view,
        # Our own HTML of stored text, every character of it escaped.
        html=Markup(window.html),  # noqa: S704
        earlier=None if before is None else f"{address}?start={before}&direction=before",
        later=None if after is None else f"{address}?start={after}&direction=after",
    )


def _link_selector(workspace: Workspace, source: Source, span: Span) -> str:
    """An address to send to others: the words with their surroundings, which outlive a change."""
    address = f"/sources/{source.id}"
    if not span.end:
        return address
    text = workspace.store.source_text(source.id)
    quoted = build_selector(text, span.start, min(span.end, span.start + MAX_EXACT))
    place = {"exact": quoted.exact, "prefix": quoted.prefix, "suffix": quoted.suffix}
    known: dict[str, object] = {}
    if span.at:
        known = {"start": span.start, "end": span.end, "at": span.at}
        known["revision"] = source.content_hash[:12]
    return f"{address}?{urlencode({**known, **place}, doseq=True)}"


def _find_span(
    workspace: Workspace, source: Source, asked: Span
) -> tuple[Span, tuple[Message, ...]]:
    """The span in the source as it is now, and what a reader must know about it."""
    if asked.revision and source.content_hash.startswith(asked.revision):
        return asked, ()
    if not (asked.revision or asked.exact):
        return asked, ()
    text = workspace.store.source_text(source.id)
    # Nothing says what the other places were.
    asked = asked.model_copy(update={"at": ()})
    if asked.end and text[asked.start : asked.end].startswith(asked.exact or "\0"):
        return asked, ()
    notes = (Message("site-pane-changed"),) if asked.end else ()
    found = find_selector(text, TextSelector(asked.exact, asked.prefix, asked.suffix))
    if isinstance(found, Message):
        return asked.model_copy(update={"start": 0, "end": None}), (*notes, found)
    return asked.model_copy(update={"start": found[0], "end": found[1]}), notes


def _add_pages(workspace: Workspace, desk: PageDesk, view: SourceView) -> SourceView:
    source, span = view.source, view.span
    marked, reason = _place_marks(workspace, desk, source, view.marks)
    notes = (*view.notes, reason) if reason else view.notes
    middle = span.page or next(iter(marked), 1)
    first, last = max(1, middle - WINDOW), middle + WINDOW
    sizes = list_page_sizes(workspace, desk, source, first, last + 1)
    if isinstance(sizes, Message):
        return replace(view, notes=(*notes, sizes))
    leaves = [_build_leaf(source, size, marked.get(size.number)) for size in sizes]
    return replace(
        view,
        notes=notes,
        leaves=tuple(leaf for leaf in leaves if leaf.page.number <= last),
        earlier=f"/sources/{source.id}?page={max(1, first - WINDOW - 1)}" if first > 1 else None,
        later=f"/sources/{source.id}?page={last + 1 + WINDOW}"
        if len(sizes) > last - first + 1
        else None,
    )


def locate_picture(source: Source, page: int) -> str:
    """The address of the picture of a page; it changes with the file."""
    return f"/sources/{source.id}/pages/{page}.webp?{source.content_hash[:12]}"


def _build_leaf(source: Source, size: PageSize, marked: tuple[PageSize, list[Mark]] | None) -> Leaf:
    marks = marked[1] if marked else []
    picture = locate_picture(source, size.number)
    shares = MarkedPage(size).list_shares(tuple(mark.box for mark in marks))
    return Leaf(
        size, picture, tuple(replace(m, box=box) for m, box in zip(marks, shares, strict=True))
    )
