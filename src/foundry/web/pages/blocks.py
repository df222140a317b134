"""A source as read: the blocks of a page beside its picture, and a block with what corrects it.

Both work without scripts: a block and its box on the page are links to each other, and a correction
is a form that shows first what would change.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup
from pydantic import Field, ValidationError

from foundry.errors import FoundryError, NotFound
from foundry.journeys.passages.blocks import ReadBlock, SourceBlocks, read_blocks
from foundry.journeys.passages.correction_requests import CorrectionRequest, request_words
from foundry.journeys.passages.corrections import (
    CorrectionPreview,
    list_corrections,
    name_state,
    preview_correction,
)
from foundry.journeys.passages.pages import has_pages, list_page_sizes
from foundry.journeys.revisions import CitingStatement, find_citing_span
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.operations import corrections
from foundry.operations.table import LARGEST
from foundry.readers.table_corrections import name_column
from foundry.records import Box, CorrectionState, MarkedPage, PageSize, Source
from foundry.render.corrections import describe_change
from foundry.render.places import note_recognition
from foundry.web.pages.acts import act, describe, get_status, refuse
from foundry.web.pages.templates import render_page
from foundry.web.pages.viewer import Desk, locate_picture
from foundry.web.security.callers import Bound, Owned, bind_whole, make_scope
from foundry.wire.requests import NewCorrectionRequest, RequestModel
from foundry.workspace import Workspace

router = APIRouter(prefix="/sources/{source_id}/read")
Number = Annotated[int, Query(ge=1, le=LARGEST)]
LONGEST = 20_000
"""Characters of a block that can be rewritten in a field: as many as a correction may have."""
ROWS = 100
"""Rows of a table from which cells are chosen, on one page."""


class BlockAddress(RequestModel):
    """Which blocks are shown: those of a part of the source, or the part with a page, block or offset."""

    part: int = Field(default=1, ge=1, le=LARGEST)
    page: int | None = Field(default=None, ge=1, le=LARGEST)
    block: int | None = Field(default=None, ge=1, le=LARGEST)
    at: int | None = Field(default=None, ge=0, le=LARGEST)

    def choose(self, blocks: SourceBlocks, parts: Sequence[range]) -> int:
        """The number of the part from 0, the nearest there is."""
        number = blocks.find(self.at) if self.at is not None else self.block
        if self.page is not None:
            pages = enumerate(blocks.reading.blocks, 1)
            number = next((n for n, block in pages if (block.page or 0) >= self.page), None)
        if number is not None:
            return next((n for n, part in enumerate(parts) if number in part), len(parts) - 1)
        return min(self.part, len(parts)) - 1


class ChoiceAddress(RequestModel):
    """What of a block is shown and chosen: a piece of a long one, rows from a first one, a cell or a row."""

    piece: int = Field(default=1, ge=1, le=LARGEST)
    first: int = Field(default=1, ge=1, le=LARGEST)
    cell: str = Field(default="", max_length=20)
    row: str = Field(default="", max_length=20)

    @property
    def query(self) -> str:
        """The part of the address that keeps the piece and the rows, "" for the first ones."""
        kept = self.model_dump(include={"piece", "first"}, exclude_defaults=True)
        return f"?{urlencode(kept)}" if kept else ""


class CorrectionForm(NewCorrectionRequest):
    """A correction, or a block as it should read; ``seen`` is the state of the block on the page."""

    written: str | None = Field(default=None, max_length=2 * LONGEST)
    reason: str = Field(default="", max_length=2000)
    seen: str = Field(default="", max_length=100_000)
    act: Literal["preview", "save"] = "preview"

    def build(self, blocks: SourceBlocks, block: ReadBlock) -> NewCorrectionRequest:
        """The request that the form makes. Raises ``UsageError`` for words that nobody changed."""
        said = self.model_dump(exclude={"written", "seen", "act", "block"}, exclude_unset=True)
        if self.written is not None:
            wanted = request_words(block, blocks.edits, self.written)
            said |= {"words": wanted.words, "read": wanted.read, "start": wanted.start}
        return NewCorrectionRequest(**{"reason": self.reason, **said, "block": block.read.number})


@dataclass(frozen=True, slots=True)
class BlockView:
    """A block as a page shows it; ``share`` is its box as shares of the page's sides."""

    block: ReadBlock
    html: Markup
    pieces: int
    share: Box | None
    notes: tuple[Message, ...]

    @property
    def kind(self) -> Message:
        """What it is."""
        read = self.block.parts[0] if self.block.parts else self.block.read.block
        return Message("site-block-kind", kind=read.kind, level=str(read.level or ""))

    @property
    def doubtful(self) -> bool:
        """Whether labels of its table are in doubt."""
        return any(one.table is not None and not one.table.certain for one in self.block.parts)


@dataclass(frozen=True, slots=True)
class Pictured:
    """The page beside blocks, with the address of its picture."""

    page: PageSize
    picture: str


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """A piece of a table as the reader made it; ``rows`` have their numbers from 1."""

    letters: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    total: int


@dataclass(frozen=True, slots=True)
class Previewed:
    """What a correction would change: the blocks before and after, and who cites that."""

    request: dict[str, object]
    change: Message
    before: tuple[Markup, ...]
    after: tuple[Markup, ...]
    citing: tuple[CitingStatement, ...]


@router.get("")
def show_blocks(
    source_id: str,
    workspace: Bound,
    desk: Desk,
    asked: Annotated[BlockAddress, Query()],
) -> HTMLResponse:
    """The blocks of a page, or of a part of a source without pages, in reading order."""
    source = get_source(workspace, source_id)
    blocks = read_blocks(workspace, source)
    parts = blocks.split()
    part = asked.choose(blocks, parts)
    found = [blocks.get(number) for number in parts[part]]
    page = next((one.read.block.page for one in found if one.read.block.page), None)
    pictured = _picture(workspace, desk, source, page)
    return render_page(
        "source_read",
        current="/sources",
        workspace=workspace,
        source=source,
        part=part + 1,
        parts_of=len(parts),
        page=page,
        label=next((one.read.block.page_label for one in found), None) or str(page or ""),
        pictured=pictured,
        blocks=[_view(one, pictured) for one in found],
        chosen=asked.block or (blocks.find(asked.at) if asked.at is not None else None),
    )


def _picture(workspace: Workspace, desk: Desk, source: Source, page: int | None) -> Pictured | None:
    if page is None or not has_pages(source):
        return None
    sizes = list_page_sizes(workspace, desk, source, page, page)
    if isinstance(sizes, Message) or not sizes:
        return None
    return Pictured(sizes[0], locate_picture(source, page))


def _view(block: ReadBlock, pictured: Pictured | None, piece: int = 0) -> BlockView:
    read = block.read.block
    share = None
    if pictured and read.box and read.page == pictured.page.number:
        (share,) = MarkedPage(pictured.page).list_shares((read.box,))
    recognition = next((one.recognition for one in block.parts), read.recognition)
    notes = note_recognition(recognition) if recognition else []
    # Our own HTML of stored text, every character of it escaped.
    html = Markup(block.render(piece))  # noqa: S704
    return BlockView(block, html, block.count_pieces(), share, tuple(notes))


class BlockPage:
    """The page of a block: what it shows however it was reached. Raises ``NotFound``."""

    def __init__(
        self,
        request: Request,
        workspace: Bound,
        desk: Desk,
        source_id: str,
        number: Annotated[int, Path(ge=1, le=LARGEST)],
    ) -> None:
        self._request, self._workspace, self._desk = request, workspace, desk
        self._source = get_source(workspace, source_id)
        self.address = f"/sources/{source_id}/read/{number}"
        self.blocks = read_blocks(workspace, self._source)
        if number > len(self.blocks.reading.blocks):
            raise NotFound("web-not-found")
        self.block = self.blocks.get(number)

    def save(self, wanted: NewCorrectionRequest, seen: str) -> None:
        """Make a correction. Raises as ``add_correction``."""
        given = {"source_id": self._source.id, "asked": wanted}
        act(self._request, self._workspace, corrections.add, seen=seen, **given)

    def preview(self, wanted: NewCorrectionRequest) -> Previewed:
        """What a request would change."""
        made = CorrectionRequest(**wanted.model_dump(exclude={"by"}))
        found: CorrectionPreview = preview_correction(self._workspace, self._source.id, made)
        before, after = (
            tuple(Markup(one.render(one.find_piece(found.start))) for one in blocks)  # noqa: S704
            for blocks in (found.before, found.after)
        )
        citing = find_citing_span(self._workspace, self._source, found.start, found.end)
        fields = wanted.model_dump(exclude={"reason", "by", "block"}, exclude_defaults=True)
        return Previewed(fields, describe_change(found.correction), before, after, citing)

    def render(
        self,
        choice: ChoiceAddress,
        form: CorrectionForm | None = None,
        error: FoundryError | None = None,
        preview: Previewed | None = None,
    ) -> HTMLResponse:
        """The page, with what was filled in and what came of it."""
        workspace, source, block = self._workspace, self._source, self.block
        number, total = block.read.number, len(self.blocks.reading.blocks)
        pictured = _picture(workspace, self._desk, source, block.read.block.page)
        piece = min(choice.piece, max(block.count_pieces(), 1))
        known = list_corrections(workspace, source)
        return render_page(
            "source_block",
            current="/sources",
            workspace=workspace,
            status=get_status(error),
            source=source,
            view=_view(block, pictured, piece - 1),
            number=number,
            total=total,
            piece=piece,
            pictured=pictured,
            grid=_make_grid(block, choice.first),
            choice=choice,
            chosen=_read_choice(block, choice),
            form=form,
            problem=error and describe(error, workspace),
            preview=preview,
            person=make_scope(self._request, workspace).who or (form.by if form else ""),
            seen=name_state([one.correction for one in known], number),
            corrections=[(one, describe_change(one.correction)) for one in self._choose(known)],
            citing=find_citing_span(workspace, source, block.start, block.end),
            longest=LONGEST,
        )

    def _choose(self, known: Sequence[CorrectionState]) -> list[CorrectionState]:
        """The corrections of the block: those applied to it, and those that no longer fit."""
        own = set(self.block.corrections)
        return [
            one
            for one in known
            if one.correction.id in own
            or (one.reason and one.correction.block == self.block.read.number)
        ]


Opened = Annotated[BlockPage, Depends()]


@router.get("/{number}")
def show_block(page: Opened, choice: Annotated[ChoiceAddress, Query()]) -> HTMLResponse:
    """A block beside its page, its corrections, who cites it, and what corrects it."""
    return page.render(choice)


@router.post("/{number}", dependencies=[Depends(bind_whole)])
def correct(
    page: Opened,
    shown: Annotated[ChoiceAddress, Query()],
    form: Annotated[CorrectionForm, Form()],
) -> Response:
    """Show what a correction would change, or make it; the owner's alone."""
    choice = shown.model_copy(update={"cell": form.cell or "", "row": form.row or ""})
    error, preview = None, None
    try:
        wanted = form.build(page.blocks, page.block)
        try:
            if form.act == "save":
                page.save(wanted, form.seen)
                return RedirectResponse(page.address + shown.query, status_code=303)
        except FoundryError as refused:
            error = refused
        preview = page.preview(wanted)
    except (FoundryError, ValidationError) as refused:
        error = error or (refuse(refused) if isinstance(refused, ValidationError) else refused)
    return page.render(choice, form, error, preview)


@router.post("/{number}/undo")
def undo(
    request: Request,
    workspace: Owned,
    page: Opened,
    shown: Annotated[ChoiceAddress, Query()],
    correction: Annotated[str, Form(max_length=200)],
) -> RedirectResponse:
    """Undo a correction; the owner's alone."""
    # Somebody else may have undone it: the page says what is left.
    with suppress(NotFound):
        act(request, workspace, corrections.remove, correction_id=correction)
    return RedirectResponse(page.address + shown.query, status_code=303)


def _make_grid(block: ReadBlock, first: int) -> BlockGrid | None:
    rows = block.read.rows
    if not rows:
        return None
    width = max(map(len, rows))
    shown = list(enumerate(rows, 1))[first - 1 : first - 1 + ROWS]
    return BlockGrid(
        tuple(map(name_column, range(width))),
        tuple((number, (*row, *[""] * (width - len(row)))) for number, row in shown),
        len(rows),
    )


def _read_choice(block: ReadBlock, choice: ChoiceAddress) -> str:
    """The words of the chosen cell or row as they were read, "" for none."""
    for number, row in enumerate(block.read.rows, 1):
        if choice.row == str(number):
            return " | ".join(row)
        for column, words in enumerate(row):
            if choice.cell.upper() == f"{name_column(column)}{number}":
                return words
    return ""
