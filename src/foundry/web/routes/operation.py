"""Whether the server lives and is ready, and whether the project is sound."""

from __future__ import annotations

import shutil

from fastapi import APIRouter, Response

from foundry.errors import FoundryError
from foundry.journeys.calibration import choose_gate_calibration, format_stale_notice
from foundry.journeys.doctor import check_setup
from foundry.web.security.callers import Bound, Owned, UsedSite
from foundry.wire.base import hide_places
from foundry.wire.projects import DoctorJson, IndexStatusJson
from foundry.wire.server import ReadinessJson
from foundry.workspace import Workspace

router = APIRouter(tags=["operation"])
health = APIRouter(tags=["operation"])
"""Open to whoever watches over the server: it says nothing of the project."""
LEAST_FREE = 100_000_000
"""Bytes of disk below which an ingest would soon fail (a guess)."""


@health.get("/healthz")
def check_health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@health.get("/readyz")
def check_readiness(response: Response, site: UsedSite) -> ReadinessJson:
    """Whether questions can be answered; 503 if not."""
    database, index = _check_store(site.owner)
    disk = shutil.disk_usage(site.owner.root).free > LEAST_FREE
    room = not site.room.is_crowded
    ok = database and index and disk and room
    ready = ReadinessJson(ok=ok, database=database, index=index, disk=disk, connections=room)
    response.status_code = 200 if ready.ok else 503
    return ready


def _check_store(workspace: Workspace) -> tuple[bool, bool]:
    """Whether the database answers, and has the index that searches need."""
    try:
        status = workspace.store.index_status(workspace.config.embedding.model)
    except FoundryError:
        return False, False
    return True, status.model is not None or not status.chunks


@router.get("/index")
def show_index(workspace: Bound) -> IndexStatusJson:
    """The sizes of the indexes, as far as the caller may see."""
    index = workspace.store.index_status(workspace.config.embedding.model)
    mode = workspace.config.retrieval.mode
    origin = "project" if choose_gate_calibration(workspace, mode).own else "shipped"
    stale = format_stale_notice(workspace, mode)
    return IndexStatusJson.copy_fields(index, constants=origin, notices=[stale] if stale else [])


@router.get("/doctor")
def examine(workspace: Owned) -> DoctorJson:
    """Configuration, database, models, keys and OCR, with a fix for each problem; the owner's."""
    checks = check_setup(
        workspace.root, environment=workspace.environment, cwd=workspace.root, role=None
    )
    failed = any(check.status == "fail" for check in checks)
    found = DoctorJson(ok=not failed, checks=checks).model_dump(mode="json")
    return DoctorJson.model_validate(hide_places(found, workspace.root))
