"""The query log, feedback on answers, and the audit stream."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Annotated, Literal

from annotated_types import Ge, Le

from foundry.journeys.access import AuditPage, list_events
from foundry.journeys.query_log import (
    EVAL,
    Period,
    get_query,
    list_feedback,
    log_stats,
    save_feedback,
)
from foundry.operations.table import LARGEST, Day, Limit, Scope, operation
from foundry.records import Feedback, JudgedQuery, QueryRecord, Verdict
from foundry.wire.projects import AuditListJson, FeedbackListJson, LogStatsJson, QueryJson
from foundry.wire.requests import FeedbackRequest
from foundry.wire.server import QueryPageJson


@operation("GET", "/log", QueryPageJson)
def list_queries(
    on: Scope,
    *,
    limit: Limit = 50,
    after: Annotated[int, Ge(0), Le(100_000)] = 0,
    kind: str | None = None,
    verdict: Verdict | Literal["error"] | None = None,
    since: Day | None = None,
) -> QueryPageJson:
    """The latest questions, drafts and verifications that the caller may see."""
    following = after + limit
    rows = on.workspace.store.list_queries(
        following + 1,
        kind=kind,
        without=None if kind else EVAL,
        verdict=verdict,
        since=datetime.combine(since, time(), UTC) if since else None,
    )
    more = following if len(rows) > following else None
    return QueryPageJson(queries=rows[after:following], next=more)


@operation("GET", "/log/stats", LogStatsJson)
def show_stats(
    on: Scope, by: Period | None = None, since: Day | None = None, until: Day | None = None
) -> LogStatsJson:
    """Rates over time."""
    figures = log_stats(on.workspace, by=by, since=since, until=until)
    return LogStatsJson.copy_fields(figures, by=by, since=since, until=until)


@operation("GET", "/log/audit", AuditListJson, owner=True)
def list_audit(
    on: Scope, limit: Limit = 50, before: Annotated[int, Ge(1), Le(LARGEST)] | None = None
) -> AuditPage:
    """What was done through the server, and by whom; the owner's alone."""
    return list_events(on.workspace, limit, before)


@operation("GET", "/log/feedback", FeedbackListJson, listed="feedback", owner=True)
def list_feedback_(on: Scope) -> Sequence[JudgedQuery]:
    """What readers said of answers last, latest first; the owner's alone."""
    return list_feedback(on.workspace)


@operation("GET", "/log/{query_id}", QueryJson)
def show_query(on: Scope, query_id: str) -> QueryRecord:
    """One row of the log."""
    return get_query(on.workspace, query_id)


@operation("POST", "/log/{query_id}/feedback", Feedback, once=True)
def judge(on: Scope, query_id: str, asked: FeedbackRequest) -> Feedback:
    """Say whether an answer is correct, or what is wrong with it."""
    kind = None if asked.judgement == "correct" else asked.judgement
    return save_feedback(on.workspace, query_id, correct=kind is None, note=asked.note, kind=kind)
