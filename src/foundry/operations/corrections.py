"""Corrections of what was read wrongly: every caller sees its own, the owner makes and undoes them."""

from __future__ import annotations

from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import (
    add_correction,
    get_correction,
    list_corrections,
    preview_correction,
    remove_correction,
)
from foundry.journeys.revisions import find_citing_span
from foundry.journeys.sources import get_source
from foundry.operations.table import After, Limit, Scope, cut_page, operation
from foundry.records import CorrectionState
from foundry.wire.corrections import CorrectionJson, CorrectionPageJson, CorrectionPreviewJson
from foundry.wire.requests import NewCorrectionRequest


@operation("GET", "/corrections", CorrectionPageJson)
def show_list(
    on: Scope, source: str | None = None, limit: Limit = 100, after: After = 0
) -> CorrectionPageJson:
    """The corrections of one source or all, oldest first."""
    chosen = None if source is None else get_source(on.workspace, source)
    corrections, following = cut_page(list_corrections(on.workspace, chosen), limit, after)
    return CorrectionPageJson(corrections=list(corrections), next=following)


@operation("GET", "/corrections/{correction_id}", CorrectionJson)
def show(on: Scope, correction_id: str) -> CorrectionState:
    """A correction, and whether it is applied."""
    return get_correction(on.workspace, correction_id)


@operation(
    "POST",
    "/sources/{source_id}/corrections",
    CorrectionJson,
    owner=True,
    audit="correction.add",
)
def add(on: Scope, source_id: str, asked: NewCorrectionRequest) -> CorrectionState:
    """Correct words, a heading or a table of a source; the owner's alone."""
    wanted = CorrectionRequest(**asked.model_dump(exclude={"by"}))
    made = add_correction(
        on.workspace,
        source_id,
        wanted,
        asked.by or on.who,
        on.progress,
        reviewed=on.reviewed,
    )
    on.note(made.id)
    return CorrectionState(made)


@operation("POST", "/sources/{source_id}/corrections/preview", CorrectionPreviewJson, owner=True)
def preview(on: Scope, source_id: str, asked: NewCorrectionRequest) -> CorrectionPreviewJson:
    """What a correction would change, and which answers and drafts cite that; the owner's alone."""
    wanted = CorrectionRequest(**asked.model_dump(exclude={"by"}))
    found = preview_correction(on.workspace, source_id, wanted)
    source = get_source(on.workspace, source_id)
    citing = find_citing_span(on.workspace, source, found.start, found.end)
    return CorrectionPreviewJson.from_preview(found, citing)


@operation(
    "DELETE",
    "/corrections/{correction_id}",
    CorrectionJson,
    owner=True,
    audit="correction.remove",
)
def remove(on: Scope, correction_id: str) -> CorrectionState:
    """Undo a correction; the owner's alone."""
    return remove_correction(on.workspace, correction_id, on.progress)
