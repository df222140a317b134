"""The query log, feedback on answers, and the audit stream."""

from __future__ import annotations

from datetime import UTC, datetime, time

from foundry.journeys.access import list_events
from foundry.journeys.access.tokens import AuditPage
from foundry.journeys.query_log import EVAL, get_query, log_stats, save_feedback
from foundry.operations.table import Scope, operation
from foundry.records import Feedback, QueryRecord
from foundry.wire.access import AuditListJson
from foundry.wire.projects import FeedbackJson, LogStatsJson, QueryJson
from foundry.wire.requests import AuditQuery, FeedbackRequest, LogQuery, StatsQuery
from foundry.wire.server import QueryPageJson


@operation("GET /log", QueryPageJson)
def list_queries(on: Scope, asked: LogQuery) -> QueryPageJson:
    """The latest questions, drafts and verifications that the caller may see."""
    following = asked.after + asked.limit
    rows = on.workspace.store.list_queries(
        following + 1,
        kind=asked.kind,
        without=None if asked.kind else EVAL,
        verdict=asked.verdict,
        since=datetime.combine(asked.since, time(), UTC) if asked.since else None,
    )
    more = following if len(rows) > following else None
    return QueryPageJson(queries=rows[asked.after : following], next=more)


@operation("GET /log/stats", LogStatsJson)
def show_stats(on: Scope, asked: StatsQuery) -> LogStatsJson:
    """Rates over time."""
    figures = log_stats(on.workspace, by=asked.by, since=asked.since, until=asked.until)
    return LogStatsJson.copy_fields(figures, **dict(asked))


@operation("GET /log/audit", AuditListJson, owner=True)
def list_audit(on: Scope, asked: AuditQuery) -> AuditPage:
    """What was done through the server, and by whom; the owner's alone."""
    return list_events(on.workspace, asked.limit, asked.before)


@operation("GET /log/{query_id}", QueryJson)
def show_query(on: Scope, query_id: str) -> QueryRecord:
    """One row of the log."""
    return get_query(on.workspace, query_id)


@operation("POST /log/{query_id}/feedback", FeedbackJson, once=True)
def judge(on: Scope, query_id: str, asked: FeedbackRequest) -> Feedback:
    """Say whether an answer is correct, or what is wrong with it."""
    kind = None if asked.judgement == "correct" else asked.judgement
    return save_feedback(on.workspace, query_id, correct=kind is None, note=asked.note, kind=kind)
