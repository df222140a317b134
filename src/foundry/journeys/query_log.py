"""The query log: one row per question, draft or verification, and statistics over the rows.

A row records what was asked, found, decided and written, and its cost. With ``log.redact`` it
contains no words of question, answer or error, only numbers, ids and models;
``log.retention_days`` removes old rows.
"""

from __future__ import annotations

import math
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from operator import attrgetter
from typing import Literal, TypeVar, get_args

from foundry.clock import find_day, get_now, get_start
from foundry.errors import FoundryError, NotFound, StoreError
from foundry.messages import Message
from foundry.models import sum_usage
from foundry.records import (
    Answer,
    ClaimVerdict,
    Draft,
    Evidence,
    Excerpt,
    Feedback,
    FeedbackKind,
    Hit,
    JudgedQuery,
    LogFigures,
    LogStats,
    QueryFigures,
    QueryRecord,
    SearchResult,
    ShownAnswer,
    ShownPassage,
    ShownSource,
    Spending,
    SpendingRow,
    Usage,
    Verdict,
    Verification,
)
from foundry.render.places import name_evidence
from foundry.workspace import Workspace

EVAL = "eval"
"""The kind of a question that nobody asked but Foundry: in an evaluation, or to suggest it."""

_SPOKEN = ("ask", "chat")
"""The kinds of questions that people ask, which make conversations."""

REDACTED = "(redacted)"
_MAX_LENGTH = 10_000

Period = Literal["day", "week", "month"]


def log_answer(
    workspace: Workspace,
    answer: Answer,
    *,
    kind: str = "ask",
    asked: str | None = None,
    earlier: tuple[str, ...] = (),
    who: str = "",
) -> Answer:
    """Log an answer; ``asked`` is what the user typed if the question was rewritten.

    ``earlier`` are the rows of the conversation's turns before it, ``who`` is whoever asked.

    Returns the answer with the id of its row. If that failed it has a notice instead: a result that
    was made is shown all the same.
    """
    record = _start_record(workspace, kind, answer.question if asked is None else asked)
    rewritten = None if asked in (None, answer.question) else answer.question
    unlogged = save_record(
        workspace,
        replace(
            _add_search(record, answer.search),
            rewritten=None if rewritten is None else _redact_text(workspace, rewritten),
            verdict=answer.verdict,
            models={**_list_models(workspace, answer.model), **answer.models},
            answer=_redact_text(workspace, answer.text) if answer.sentences else None,
            attribution_coverage=answer.attribution_coverage,
            shown_coverage=answer.shown_coverage,
            checks=_count_values(check.verdict for check in answer.checks),
            changes=_count_values(change.action for change in answer.changes),
            timings_ms=answer.timings_ms,
            usage=answer.usage,
            shown=None
            if workspace.config.log.redact
            else replace(build_shown_answer(answer), earlier=earlier),
            who=who,
            conversation=next(iter(earlier), record.id) if kind in _SPOKEN else None,
        ),
    )
    notices = (*answer.notices, *unlogged)
    return replace(answer, notices=notices, id=None if unlogged else record.id)


def build_shown_answer(answer: Answer) -> ShownAnswer:
    """What a reader sees of an answer."""
    return ShownAnswer(
        language=answer.language,
        sentences=answer.sentences,
        sources=tuple(map(build_shown_source, _list_evidence(answer))),
        reasons=answer.reasons,
        uncovered=tuple(answer.search.gate.uncovered),
        changes=tuple(
            replace(change, reason=name_evidence(change.reason, answer.search.evidence))
            for change in answer.changes
        ),
        conflicts=answer.conflicts,
        notices=answer.notices,
        passages=tuple(map(build_shown_passage, answer.passages)),
        filters=answer.search.filters,
        mode=answer.search.mode,
    )


def _list_evidence(answer: Answer) -> list[Evidence]:
    """The evidence that is cited or shown, each id once."""
    listed = [source.evidence for source in answer.sources]
    for passage in answer.passages:
        listed += [passage.evidence, *passage.same]
    return list({evidence.id: evidence for evidence in listed}.values())


def build_shown_passage(passage: Excerpt) -> ShownPassage:
    """What a reader sees of a passage that is shown instead of an answer."""
    return ShownPassage(
        id=passage.evidence.id,
        lines=passage.lines,
        headings=passage.headings,
        table=passage.table,
        score=passage.score,
        same=tuple(evidence.id for evidence in passage.same),
    )


def build_shown_source(evidence: Evidence) -> ShownSource:
    """What a reader sees of a passage that is cited."""
    hit = evidence.hit
    return ShownSource(
        id=evidence.id,
        source_id=hit.source.id,
        chunk_id=hit.chunk.id,
        path=hit.source.path,
        title=hit.source.title,
        content_hash=hit.source.content_hash,
        relevance=hit.relevance,
        revision=hit.source.revision,
        revision_date=hit.source.revision_date,
        status=hit.source.status,
        notices=tuple(hit.notices),
        language=hit.source.language,
    )


def log_draft(workspace: Workspace, draft: Draft) -> tuple[Message, ...]:
    """Log a draft over all its sections; its text is in the file, not in the log."""
    record = _start_record(workspace, "generate", draft.topic)
    searches = [section.search for section in draft.sections if section.search]
    return save_record(
        workspace,
        replace(
            record,
            chunks=_rank_chunks(hit for search in searches for hit in search.hits),
            gate_score=max((search.gate.score for search in searches), default=None),
            verdict=draft.verdict,
            models=dict(draft.models) or _list_models(workspace, draft.model),
            attribution_coverage=draft.attribution_coverage,
            shown_coverage=draft.shown_coverage,
            checks=_count_values(check.verdict for check in draft.checks),
            changes=_count_values(change.action for change in draft.changes),
            timings_ms=draft.timings_ms,
            usage=draft.usage,
        ),
    )


def log_verification(workspace: Workspace, verification: Verification) -> tuple[Message, ...]:
    """Log a verified text: its name, coverage and verdicts, not its words."""
    record = _start_record(workspace, "verify", verification.file[:_MAX_LENGTH])
    statements = verification.statements
    judge = {"verifier": verification.judge} if verification.judge else {}
    return save_record(
        workspace,
        replace(
            record,
            chunks=_rank_chunks(statement.hit for statement in statements if statement.hit),
            attribution_coverage=verification.coverage,
            checks=_count_values(statement.check.verdict for statement in statements),
            models={**record.models, **judge},
            timings_ms=verification.timings_ms,
            usage=verification.usage,
        ),
    )


def log_failure(workspace: Workspace, kind: str, query: str, error: FoundryError) -> None:
    """Log a question that ended in an error."""
    record = _start_record(workspace, kind, query[:_MAX_LENGTH])
    # A verification uses no generator.
    models = _list_models(workspace, None if kind == "verify" else workspace.config.generator())
    # An error message may repeat the question.
    text = error.code if workspace.config.log.redact else f"{error.code}: {error.message}"
    save_record(workspace, replace(record, models=models, error=text))


def get_query(workspace: Workspace, query_id: str) -> QueryRecord:
    """The row of the log with that id. Raises ``NotFound``."""
    record = workspace.store.find_query(query_id)
    if record is None:
        raise NotFound("log-unknown-query", where="log", id=query_id)
    return record


def save_feedback(
    workspace: Workspace,
    query_id: str,
    *,
    correct: bool,
    note: str = "",
    kind: FeedbackKind | None = None,
) -> Feedback:
    """Save a reader's judgement of a logged answer. Raises ``NotFound`` for an unknown id."""
    get_query(workspace, query_id)
    feedback = Feedback(query_id, correct, get_now(), note.strip(), kind)
    workspace.store.evaluation.save_feedback(feedback)
    return feedback


def list_feedback(workspace: Workspace) -> list[JudgedQuery]:
    """What readers said of answers last, latest first. Raises ``RuleError`` below the highest role."""
    said = {one.query_id: one for one in workspace.maintenance().evaluation.list_feedback()}
    latest = sorted(said.values(), key=attrgetter("time"), reverse=True)
    rows = ((one, workspace.store.find_query(one.query_id)) for one in latest)
    return [
        JudgedQuery(one, row.query if row else "", row.verdict if row else None)
        for one, row in rows
    ]


def _start_record(workspace: Workspace, kind: str, query: str) -> QueryRecord:
    return QueryRecord(
        id=f"qry_{secrets.token_hex(8)}",
        time=get_now(),
        kind=kind,
        query=_redact_text(workspace, query),
        rewritten=None,
        role=workspace.principal.role,
        agent=workspace.agent.name if workspace.agent else None,
        profile=workspace.agent.profile if workspace.agent else None,
        verdict=None,
        gate_score=None,
        chunks=(),
        models=_list_models(workspace, None),
        answer=None,
        attribution_coverage=None,
        shown_coverage=None,
        timings_ms={},
        usage=Usage(),
        project=workspace.config.project.id,
    )


def _add_search(record: QueryRecord, result: SearchResult) -> QueryRecord:
    return replace(
        record,
        verdict=result.gate.decision,
        gate_score=result.gate.score,
        chunks=tuple((hit.chunk.id, round(hit.relevance, 4)) for hit in result.hits),
        timings_ms=result.timings_ms,
    )


def _rank_chunks(hits: Iterable[Hit]) -> tuple[tuple[str, float], ...]:
    """Each chunk once with its highest relevance, best first."""
    scores: dict[str, float] = {}
    for hit in hits:
        scores[hit.chunk.id] = max(scores.get(hit.chunk.id, 0.0), round(hit.relevance, 4))
    return tuple(sorted(scores.items(), key=lambda item: -item[1]))


def _count_values(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def save_record(workspace: Workspace, record: QueryRecord) -> tuple[Message, ...]:
    """Add a row to the log; returns why not, if that failed."""
    try:
        workspace.store.log_query(record)
        if workspace.config.log.retention_days is not None:
            workspace.store.prune_log(workspace.config.log.retention_days)
    except StoreError as error:
        return (Message("log-not-saved", cause=error.problem),)
    return ()


def _redact_text(workspace: Workspace, text: str) -> str:
    return REDACTED if workspace.config.log.redact else text


def _list_models(workspace: Workspace, generator: str | None) -> dict[str, str]:
    models = {"embedding": workspace.config.embedding.model}
    return {**models, "generator": generator} if generator else models


def log_stats(
    workspace: Workspace,
    *,
    by: Period | None = None,
    since: date | None = None,
    until: date | None = None,
) -> LogStats:
    """Rates over time, for the days from ``since`` to ``until``, both included.

    Questions of evaluation runs are counted as a separate kind. Days are local, weeks begin
    on Monday. Reading 100,000 rows takes about a second.
    """
    rows = workspace.store.query_figures(
        since=_get_midnight(since), until=_get_midnight(until and until + timedelta(days=1))
    )
    queries = [row for row in rows if row.kind != EVAL]
    by_day = _group_figures(queries, lambda row: _find_first_day(row, by)) if by else {}
    return LogStats(
        total=_compute_figures(queries),
        periods=tuple(sorted(by_day.items())),
        kinds=_group_figures(rows, lambda row: row.kind),
        models=_group_figures([row for row in queries if row.model], lambda row: row.model or ""),
    )


def _get_midnight(day: date | None, zone: tzinfo | None = None) -> datetime | None:
    return None if day is None else get_start(day, zone)


def _find_first_day(row: QueryFigures, by: Period) -> date:
    """The first day of the row's period."""
    day = find_day(datetime.fromtimestamp(row.moment, UTC))
    if by == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if by == "month" else day


Key = TypeVar("Key", date, str)


def _group_figures(
    rows: Sequence[QueryFigures], key: Callable[[QueryFigures], Key]
) -> dict[Key, LogFigures]:
    groups: dict[Key, list[QueryFigures]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {name: _compute_figures(group) for name, group in sorted(groups.items())}


def _compute_figures(rows: Sequence[QueryFigures]) -> LogFigures:
    verdicts = Counter(row.verdict for row in rows if row.verdict)
    checks: Counter[str] = Counter()
    for row in rows:
        for name, count in row.checks.items():
            checks[name] += count
    errors = sum(row.failed for row in rows)
    coverages = [row.coverage for row in rows if row.coverage is not None]
    times = sorted(row.total_ms for row in rows if row.total_ms is not None)
    costs = [row.cost for row in rows if row.cost is not None]
    return LogFigures(
        n=len(rows),
        verdicts={name: verdicts[name] for name in get_args(Verdict)},
        verdict_rates={
            name: _compute_rate(verdicts[name], verdicts.total()) for name in get_args(Verdict)
        },
        errors=errors,
        error_rate=_compute_rate(errors, len(rows)),
        coverage=sum(coverages) / len(coverages) if coverages else None,
        checks={name: checks[name] for name in get_args(ClaimVerdict)},
        check_rates={
            name: _compute_rate(checks[name], checks.total()) for name in get_args(ClaimVerdict)
        },
        p50_ms=_compute_percentile(times, 50),
        p95_ms=_compute_percentile(times, 95),
        tokens=sum(row.tokens for row in rows),
        cost=sum(costs) if costs else None,
        unpriced=len(rows) - len(costs),
    )


def _compute_rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _compute_percentile(ordered: Sequence[float], percent: int) -> float | None:
    """By nearest rank: a measured value, never an interpolated one."""
    return ordered[math.ceil(percent / 100 * len(ordered)) - 1] if ordered else None


def sum_spending(
    workspace: Workspace, *, since: date | None = None, until: date | None = None
) -> Spending:
    """What requests to models took from ``since`` to ``until``, both included.

    A day is that of ``spending.time_zone``. Raises ``RuleError`` below the highest role: the figures
    are of all roles.
    """
    zone, ledger = workspace.config.spending.get_zone(), workspace.maintenance()
    today = find_day(get_now(), zone)
    sums = ledger.sum_calls(
        since=_get_midnight(since, zone),
        until=_get_midnight(until and until + timedelta(days=1), zone),
    )
    rows: dict[tuple[date, str, str], SpendingRow] = {}
    for one in sums:
        key = (find_day(one.time, zone), one.command, one.model)
        known = rows.get(key, SpendingRow(*key, Usage(), 0))
        rows[key] = replace(
            known, usage=known.usage + one.usage, unpriced=known.unpriced + one.unpriced
        )
    return Spending(
        rows=tuple(rows[key] for key in sorted(rows)),
        total=sum_usage(sums),
        unpriced=sum(one.unpriced for one in sums),
        day=today,
        today=sum_usage(ledger.sum_calls(since=get_start(today, zone))),
    )
