"""Whether the server lives and is ready."""

from __future__ import annotations

import shutil

from fastapi import APIRouter, Response

from foundry.errors import FoundryError
from foundry.web.security.callers import UsedSite
from foundry.wire.server import ReadinessJson
from foundry.workspace import Workspace

router = APIRouter(tags=["operation"])
"""Open to whoever watches over the server: it says nothing of the project."""
LEAST_FREE = 100_000_000
"""Bytes of disk below which an ingest would soon fail (a guess)."""


@router.get("/healthz")
def check_health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
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
