"""The query log: what was asked, what came of it, and how long it took."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from foundry.clock import get_now
from foundry.render.answer import name_filters
from foundry.web.pages.templates import render_page
from foundry.web.security.callers import Bound

router = APIRouter()
STEP = 50
"""Rows that each "show more" adds."""
KINDS = ("ask", "chat", "generate", "verify", "eval")
VERDICTS = ("answer", "low_confidence", "passages", "no_evidence", "error")
Kind = Literal["", "ask", "chat", "generate", "verify", "eval"]
Outcome = Literal["", "answer", "low_confidence", "passages", "no_evidence", "error"]


@router.get("/log")
def show_log(
    workspace: Bound,
    kind: Kind = "",
    verdict: Outcome = "",
    days: Annotated[int, Query(ge=0, le=3650)] = 0,
    limit: Annotated[int, Query(ge=1, le=5000)] = STEP,
) -> HTMLResponse:
    """The newest rows, which ``kind``, ``verdict`` and ``days`` limit, above them their rates."""
    since = get_now() - timedelta(days=days) if days else None
    rows = workspace.store.list_queries(
        limit + 1, kind=kind or None, verdict=verdict or None, since=since
    )
    counts = workspace.store.count_queries(since)
    verdicts: Counter[str] = Counter()
    for one in counts:
        verdicts[one.verdict or ""] += one.n
    return render_page(
        "log",
        current="/log",
        workspace=workspace,
        rows=rows[:limit],
        filters={row.id: name_filters(row.shown.filters) for row in rows if row.shown},
        more=limit + STEP if len(rows) > limit else None,
        total=verdicts.total(),
        outcomes=verdicts,
        errors=sum(one.n for one in counts if one.failed),
        kinds=KINDS,
        verdicts=VERDICTS,
        chosen={"kind": kind, "verdict": verdict, "days": days},
    )
