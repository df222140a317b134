"""Whether the server lives and is ready, for whoever watches over it."""

from __future__ import annotations

from fastapi import APIRouter, Request

from foundry.web.security.callers import get_site

router = APIRouter(tags=["operation"])


@router.get("/healthz")
def check_health() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
def check_readiness(request: Request) -> dict[str, str]:
    """The database answers too. Fails with 503 otherwise."""
    owner = get_site(request).owner
    owner.store.index_status(owner.config.embedding.model)
    return {"status": "ok"}
