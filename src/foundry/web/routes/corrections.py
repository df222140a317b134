"""Corrections of what was read wrongly: every caller sees its own, the owner makes and undoes them."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

from foundry.journeys.passages.corrections import (
    CorrectionRequest,
    add_correction,
    get_correction,
    list_corrections,
    remove_correction,
)
from foundry.journeys.sources import get_source
from foundry.records import CorrectionState
from foundry.web.routes.page_bounds import After, Limit, cut_page
from foundry.web.security.callers import Bound, Known, Owned, audit
from foundry.wire.corrections import CorrectionJson, CorrectionPageJson
from foundry.wire.requests import NewCorrectionRequest

router = APIRouter(tags=["corrections"])


@router.get("/corrections")
def show_list(
    workspace: Bound, source: str | None = None, limit: Limit = 100, after: After = 0
) -> CorrectionPageJson:
    """The corrections of one source or all, oldest first."""
    chosen = None if source is None else get_source(workspace, source)
    corrections, following = cut_page(list_corrections(workspace, chosen), limit, after)
    return CorrectionPageJson(corrections=list(corrections), next=following)


@router.get("/corrections/{correction_id}")
def show(correction_id: str, workspace: Bound) -> CorrectionJson:
    """A correction, and whether it is applied."""
    return CorrectionJson.from_record(get_correction(workspace, correction_id))


@router.post("/sources/{source_id}/corrections", dependencies=[Depends(audit("correction.add"))])
def add(
    source_id: str, body: NewCorrectionRequest, workspace: Owned, caller: Known, request: Request
) -> CorrectionJson:
    """Correct words, a heading or a table's header of a source; the owner's alone."""
    wanted = CorrectionRequest(
        body.words, body.block, body.read, body.heading, body.header_rows, body.reason
    )
    made = add_correction(workspace, source_id, wanted, body.by or caller.name)
    request.state.subject = made.id
    return CorrectionJson.from_record(CorrectionState(made))


@router.delete("/corrections/{correction_id}", dependencies=[Depends(audit("correction.remove"))])
def remove(correction_id: str, workspace: Owned) -> CorrectionJson:
    """Undo a correction; the owner's alone."""
    return CorrectionJson.from_record(remove_correction(workspace, correction_id))
