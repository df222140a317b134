"""``foundry log list / show / stats / cost / feedback``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import get_args

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.output import format_fields, format_price, show, show_json, show_result
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import bind_project, open_project, shows
from foundry.clock import FIRST_DAY, LAST_DAY, format_minute
from foundry.config import SpendingConfig
from foundry.errors import UsageError
from foundry.journeys.access import AuditPage
from foundry.journeys.query_log import (
    EVAL,
    Period,
    log_stats,
    save_feedback,
    sum_spending,
)
from foundry.messages import Message
from foundry.operations import logs
from foundry.records import (
    AuditEvent,
    Feedback,
    LogFigures,
    LogStats,
    QueryRecord,
    ShownAnswer,
    Spending,
    Usage,
    Verdict,
)
from foundry.render.excerpts import find_nearest_quotes, render_line
from foundry.render.places import describe_place
from foundry.wire.projects import LogStatsJson, QueryListJson, SpendingJson
from foundry.workspace import Workspace

_LISTED = list_columns("id", "time", "kind", "verdict", "score", "coverage", "query")
_AUDITED = list_columns("time", "who", "role", "action", "outcome", "address", "subject")
_FIGURES = (
    *list_columns("n", "answered", "low", "passages", "none", "errors", "coverage"),
    *list_columns("exact", "supported", "p50", "p95", "tokens", "cost"),
)
_PERIODS: dict[Period, str] = {
    "day": "column-day",
    "week": "column-week",
    "month": "column-month",
}


@click.group("log", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


_SINCE = click.option("--since", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE")
_UNTIL = click.option("--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE")


def _read_days(
    command: str, since: datetime | None, until: datetime | None
) -> tuple[date | None, date | None]:
    first, last = since and since.date(), until and until.date()
    for day in filter(None, (first, last)):
        if not FIRST_DAY <= day <= LAST_DAY:
            days = {"first": str(FIRST_DAY), "last": str(LAST_DAY)}
            raise UsageError("log-day-out-of-range", where=command, day=str(day), **days)
    if first and last and first > last:
        raise UsageError("log-dates-reversed", where=command, since=str(first), until=str(last))
    return first, last


@command.command("list")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=20, show_default=True)
@click.option("--kind")
@click.option("--verdict", type=click.Choice([*get_args(Verdict), "error"]))
@_SINCE
@bind_project(read_only=True)
def list_(
    call: Call,
    workspace: Workspace,
    *,
    limit: int,
    kind: str | None,
    verdict: str | None,
    since: datetime | None,
) -> None:
    _read_days("foundry log list", since, None)
    begin, apart = since and since.astimezone(), None if kind else EVAL
    records = workspace.store.list_queries(
        limit, kind=kind, without=apart, verdict=verdict, since=begin
    )
    if call.json:
        show_json(QueryListJson(queries=records))
    elif not records:
        show(Message("log-no-match" if kind or verdict or since else "log-empty"))
    else:
        show_table(
            _LISTED,
            [_build_row(record) for record in records],
            elastic="column-query",
            numbers=("column-score", "column-coverage"),
            optional=("column-coverage", "column-score"),
        )


def _build_row(record: QueryRecord) -> tuple[object, ...]:
    return (
        record.id,
        format_minute(record.time),
        record.kind,
        _name_verdict(record.verdict or ("error" if record.error else None)),
        None if record.gate_score is None else Message("cli-score", value=record.gate_score),
        None if record.attribution_coverage is None else _format_share(record.attribution_coverage),
        record.query,
    )


@command.command("show")
@click.argument("query_id", metavar="ID")
@shows(logs.show_query)
def show_(_: Call, record: QueryRecord) -> str:
    lines = [
        f"{record.time.astimezone():%Y-%m-%d %H:%M:%S}  {record.kind}  {record.id}",
        *format_fields([(Message(code), value) for code, value in _list_facts(record) if value]),
    ]
    if record.chunks:
        lines += ["", str(Message("log-retrieved"))]
        lines += [
            f"  {Message('cli-score', value=score)}  {chunk}" for chunk, score in record.chunks
        ]
    if record.answer:
        lines += ["", str(Message("log-answer")), record.answer]
    if record.shown and record.shown.passages:
        lines += ["", str(Message("answer-head-passages")), *_render_passages(record.shown)]
    return "\n".join(lines)


def _render_passages(shown: ShownAnswer) -> Iterator[str]:
    sources = {source.id: source for source in shown.sources}
    for passage in shown.passages:
        source = sources[passage.id]
        places = map(describe_place, find_nearest_quotes(passage.lines)[:1])
        where = ", ".join(part for part in (source.path, source.revision, *places) if part)
        yield f"{passage.id}  {where}"
        yield from map(render_line, passage.lines)


def _list_facts(record: QueryRecord) -> Iterator[tuple[str, object]]:
    """The labels and values of a row; a value may be empty."""
    yield "log-query", record.query
    yield "log-searched", record.rewritten
    if record.kind != "verify":
        yield "log-verdict", _describe_verdict(record)
    yield "log-role", record.role
    yield "log-agent", record.agent
    for step, model in record.models.items():
        yield "log-model", f"{model} ({step})"
    yield "log-profile", record.profile
    yield "log-usage", _describe_usage(record.usage)
    yield (
        "log-times",
        ", ".join(
            f"{name} {Message('cli-milliseconds', value=ms)}"
            for name, ms in record.timings_ms.items()
        ),
    )
    if record.attribution_coverage is not None:
        yield "log-coverage", _format_share(record.attribution_coverage)
    for code, counts in (("log-checks", record.checks), ("log-changes", record.changes)):
        yield code, ", ".join(f"{count} {what}" for what, count in counts.items())
    yield "log-error", record.error


def _describe_verdict(record: QueryRecord) -> Message | str:
    verdict = _name_verdict(record.verdict) or Message("log-no-verdict")
    if record.gate_score is None:
        return str(verdict)
    return Message("log-gate", verdict=verdict, score=record.gate_score)


def _name_verdict(verdict: str | None) -> Message | None:
    return None if verdict is None else Message("cli-verdict", verdict=verdict)


def _describe_usage(usage: Usage) -> Message:
    cost = (
        Message("cli-price-unknown")
        if usage.cost is None
        else Message("log-cost-exact", cost=usage.cost)
    )
    tokens = usage.prompt_tokens, usage.completion_tokens
    return Message("log-calls", n=usage.calls, prompt=tokens[0], completion=tokens[1], cost=cost)


@command.command("stats")
@click.option("--by", type=click.Choice(get_args(Period)))
@_SINCE
@_UNTIL
@common_options
@pass_call
def stats(call: Call, *, by: Period | None, since: datetime | None, until: datetime | None) -> None:
    first, last = _read_days("foundry log stats", since, until)
    with open_project(call, read_only=True) as workspace:
        figures = log_stats(workspace, by=by, since=first, until=last)
    if call.json:
        show_json(LogStatsJson.copy_fields(figures, by=by, since=first, until=last))
    elif not figures.kinds:
        show(Message("log-empty-period" if first or last else "log-empty"))
    else:
        show_stats(figures, by)


@command.command("cost")
@_SINCE
@_UNTIL
@common_options
@pass_call
def cost(call: Call, *, since: datetime | None, until: datetime | None) -> None:
    first, last = _read_days("foundry log cost", since, until)
    with open_project(call, read_only=True) as workspace:
        spending, limits = (
            sum_spending(workspace, since=first, until=last),
            workspace.config.spending,
        )
    if call.json:
        show_json(SpendingJson.copy_fields(spending, since=first, until=last, limits=limits))
    elif not spending.rows:
        show(Message("log-no-calls"))
    else:
        show_spending(spending, limits)


@command.command("feedback")
@click.argument("query_id", metavar="ID")
@click.option("--correct/--incorrect", "correct", default=None)
@click.option("--note", default="")
@bind_project()
def feedback(
    call: Call, workspace: Workspace, *, query_id: str, correct: bool | None, note: str
) -> None:
    if correct is None:
        raise UsageError("log-feedback-needed", where="foundry log feedback")
    saved = save_feedback(workspace, query_id, correct=correct, note=note)
    show_result(
        call,
        Feedback,
        saved,
        Message("log-judged-correct" if correct else "log-judged-incorrect", id=query_id),
    )


@command.command("audit")
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True)
@click.option("--before", type=click.IntRange(1))
@shows(logs.list_audit)
def audit(_: Call, page: AuditPage) -> Message | None:
    if not page.events:
        return Message("log-audit-empty")
    rows = [_build_audit_row(event) for event in page.events]
    show_table(_AUDITED, rows, elastic="column-subject")
    return None


def _build_audit_row(event: AuditEvent) -> tuple[object, ...]:
    return (
        format_minute(event.time),
        event.who or Message("log-audit-owner"),
        event.role,
        event.action,
        event.outcome,
        event.address,
        event.subject,
    )


# Statistics


def show_stats(stats: LogStats, by: Period | None) -> None:
    """Print a table of the periods, one by kind of question, and one by model."""
    if by:
        _show_rows(
            _PERIODS[by], [(start.isoformat(), figures) for start, figures in stats.periods], stats
        )
        show()
    _show_rows("column-kind", stats.kinds.items(), None if by else stats)
    if stats.models:
        show()
        _show_rows("column-model", stats.models.items(), None)
    show()
    show(Message("log-shares"))
    show(Message("log-means"))
    if EVAL in stats.kinds:
        show(Message("log-runs-apart", kind=EVAL))
    if stats.total.unpriced:
        show(Message("log-unpriced", n=stats.total.unpriced))


def _show_rows(name: str, rows: Iterable[tuple[str, LogFigures]], whole: LogStats | None) -> None:
    listed = [(label, *_format_figures(figures)) for label, figures in rows]
    if whole is not None:
        listed.append((str(Message("log-all")), *_format_figures(whole.total)))
    show_table(
        (name, *_FIGURES),
        listed,
        elastic=name,
        numbers=_FIGURES,
        optional=("column-tokens", "column-p95", "column-supported", "column-exact"),
    )


def _format_figures(figures: LogFigures) -> tuple[object, ...]:
    rates = figures.verdict_rates
    return (
        Message("count-plain", n=figures.n),
        *(_format_share(rates[verdict]) for verdict in get_args(Verdict)),
        _format_share(figures.error_rate),
        _format_share(figures.coverage),
        _format_share(figures.check_rates["exact"]),
        _format_share(figures.check_rates["supported"]),
        _format_time(figures.p50_ms),
        _format_time(figures.p95_ms),
        Message("count-plain", n=figures.tokens),
        "–" if figures.cost is None else Message("log-cost", cost=figures.cost),
    )


def _format_share(value: float | None) -> Message | str:
    return "–" if value is None else Message("cli-share", value=value)


def _format_time(ms: float | None) -> Message | str:
    if ms is None:
        return "–"
    if ms < 1000:
        return Message("cli-milliseconds", value=ms)
    return Message("cli-seconds", value=ms / 1000)


# Cost


def show_spending(spending: Spending, limits: SpendingConfig) -> None:
    """Print a table by day, command and model, and what is spent of each limit of a day."""
    rows = [
        (row.day.isoformat(), row.command, row.model, *_format_spent(row.usage, row.unpriced))
        for row in spending.rows
    ]
    rows.append(
        (str(Message("log-all")), "", "", *_format_spent(spending.total, spending.unpriced))
    )
    numbers = list_columns("calls", "sent", "received", "cost")
    columns = (*list_columns("day", "command", "model"), *numbers)
    show_table(columns, rows, elastic="column-model", numbers=numbers)
    show()
    zone = limits.time_zone or Message("log-zone-local")
    today = format_price(spending.today.cost)
    tokens = spending.today.prompt_tokens + spending.today.completion_tokens
    show(Message("log-spent-today", zone=zone, cost=today, tokens=tokens))
    if limits.cost_per_day is not None:
        show(Message("log-limit-cost", limit=format_price(limits.cost_per_day)))
    if limits.tokens_per_day is not None:
        show(Message("log-limit-tokens", limit=limits.tokens_per_day))
    if spending.unpriced:
        show(Message("log-unpriced-calls", n=spending.unpriced))


def _format_spent(usage: Usage, unpriced: int) -> tuple[object, ...]:
    """Calls, tokens and cost; a dash where no price is known."""
    counts = (usage.calls, usage.prompt_tokens, usage.completion_tokens)
    cost = "–" if unpriced == usage.calls else format_price(usage.cost)
    return (*(Message("count-plain", n=count) for count in counts), cost)
