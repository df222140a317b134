"""The query log, feedback on answers, and the audit stream."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from foundry.journeys.access import list_events
from foundry.journeys.query_log import EVAL, Period, get_query, log_stats, save_feedback
from foundry.records import Verdict
from foundry.web.replays import Key
from foundry.web.routes.page_bounds import LARGEST, Day, Limit
from foundry.web.security.callers import Bound, Known, Owned, UsedSite
from foundry.wire.access import AuditListJson
from foundry.wire.projects import FeedbackJson, LogStatsJson, QueryJson
from foundry.wire.requests import FeedbackRequest
from foundry.wire.server import QueryPageJson

router = APIRouter(prefix="/log", tags=["log"])


@router.get("")
def list_queries(
    *,
    workspace: Bound,
    limit: Limit = 50,
    after: Annotated[int, Query(ge=0, le=100_000)] = 0,
    kind: str | None = None,
    verdict: Verdict | Literal["error"] | None = None,
    since: Day | None = None,
) -> QueryPageJson:
    """The latest questions, drafts and verifications that the caller may see."""
    begin = datetime.combine(since, time(), UTC) if since else None
    rows = workspace.store.list_queries(
        after + limit + 1,
        kind=kind,
        without=None if kind else EVAL,
        verdict=verdict,
        since=begin,
    )[after:]
    following = after + limit if len(rows) > limit else None
    return QueryPageJson(queries=rows[:limit], next=following)


@router.get("/stats")
def show_stats(
    workspace: Bound, by: Period | None = None, since: Day | None = None, until: Day | None = None
) -> LogStatsJson:
    """Rates over time."""
    figures = log_stats(workspace, by=by, since=since, until=until)
    return LogStatsJson.copy_fields(figures, by=by, since=since, until=until)


@router.get("/audit")
def list_audit(
    workspace: Owned,
    limit: Limit = 50,
    before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
) -> AuditListJson:
    """What was done through the server, and by whom; the owner's alone."""
    return AuditListJson.from_record(list_events(workspace, limit, before))


@router.get("/{query_id}")
def show_query(query_id: str, workspace: Bound) -> QueryJson:
    """One row of the log."""
    return QueryJson.from_record(get_query(workspace, query_id))


@router.post("/{query_id}/feedback")
def judge(
    *,
    query_id: str,
    body: FeedbackRequest,
    workspace: Bound,
    caller: Known,
    site: UsedSite,
    key: Key = None,
) -> FeedbackJson:
    """Say whether an answer is correct, or what is wrong with it."""
    kind = None if body.judgement == "correct" else body.judgement

    def save() -> FeedbackJson:
        said = save_feedback(workspace, query_id, correct=kind is None, note=body.note, kind=kind)
        return FeedbackJson.from_record(said)

    scope = (caller.name, "feedback", query_id)
    return site.replays.run(key, scope, body.model_dump_json, save)
