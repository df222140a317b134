"""``foundry log list / show / stats / feedback``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import get_args

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.commands import DefaultGroup
from foundry.cli.output import show, show_json
from foundry.cli.table import show_table
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.journeys.query_log import EVAL, Period, log_stats, save_feedback
from foundry.records import LogFigures, LogStats, QueryRecord, Verdict
from foundry.wire.projects import FeedbackJson, LogStatsJson, QueryJson, QueryListJson

_COLUMNS = (
    *("N", "ANSWERED", "LOW", "NONE", "ERRORS", "COVERAGE", "SUPPORTED"),
    *("P50", "P95", "TOKENS", "COST"),
)


@click.group("log", cls=DefaultGroup)
@common_options
def command() -> None:
    pass


_SINCE = click.option("--since", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE")


@command.command("list")
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
)
@click.option(
    "--kind",
)
@click.option(
    "--verdict",
    type=click.Choice([*get_args(Verdict), "error"]),
)
@_SINCE
@common_options
@pass_call
def list_(
    call: Call, *, limit: int, kind: str | None, verdict: str | None, since: datetime | None
) -> None:
    with open_project(call, read_only=True) as workspace:
        records = workspace.store.list_queries(
            limit,
            kind=kind,
            without=None if kind else EVAL,
            verdict=verdict,
            since=since and since.astimezone(),
        )
    if call.json:
        show_json(QueryListJson(queries=records))
    elif not records:
        show("No questions match." if kind or verdict or since else "No questions yet.")
    else:
        show_table(
            ("ID", "TIME", "KIND", "VERDICT", "SCORE", "COVERAGE", "QUERY"),
            [_build_row(record) for record in records],
            elastic="QUERY",
            numbers=("SCORE", "COVERAGE"),
            optional=("COVERAGE", "SCORE"),
        )


def _build_row(record: QueryRecord) -> tuple[object, ...]:
    return (
        record.id,
        f"{record.time.astimezone():%Y-%m-%d %H:%M}",
        record.kind,
        record.verdict or ("error" if record.error else None),
        None if record.gate_score is None else f"{record.gate_score:.2f}",
        None if record.attribution_coverage is None else f"{record.attribution_coverage:.0%}",
        record.query,
    )


@command.command("show")
@click.argument("query_id", metavar="ID")
@common_options
@pass_call
def show_(call: Call, query_id: str) -> None:
    with open_project(call, read_only=True) as workspace:
        record = workspace.store.find_query(query_id)
    if record is None:
        raise UsageError(
            f"The log has no query {query_id!r}.",
            where="log",
            fix="Run `foundry log list` to see the ids.",
        )
    if call.json:
        show_json(QueryJson.from_record(record))
    else:
        show(_render_query(record))


def _render_query(record: QueryRecord) -> str:
    gate = "" if record.gate_score is None else f" (gate {record.gate_score:.2f})"
    usage = record.usage
    lines = [
        f"{record.time.astimezone():%Y-%m-%d %H:%M:%S}  {record.kind}  {record.id}",
        f"Query:    {record.query}",
        *([f"Searched: {record.rewritten}"] if record.rewritten else []),
        *([] if record.kind == "verify" else [f"Verdict:  {record.verdict or 'none'}{gate}"]),
        f"Role:     {record.role}",
        *([f"Agent:    {record.agent}"] if record.agent else []),
        *(f"Model:    {model} ({step})" for step, model in record.models.items()),
        *([f"Profile:  {record.profile}"] if record.profile else []),
        f"Usage:    {usage.calls} calls, {usage.prompt_tokens} + {usage.completion_tokens} tokens, "
        + ("cost unknown" if usage.cost is None else f"{usage.cost:.4f} USD"),
        "Times:    " + ", ".join(f"{name} {ms:.0f} ms" for name, ms in record.timings_ms.items()),
    ]
    if record.attribution_coverage is not None:
        lines.append(f"Coverage: {record.attribution_coverage:.0%}")
    for name, counts in (("Checks:  ", record.checks), ("Changes: ", record.changes)):
        if counts:
            listed = ", ".join(f"{count} {what}" for what, count in counts.items())
            lines.append(f"{name} {listed}")
    if record.error:
        lines.append(f"Error:    {record.error}")
    if record.chunks:
        lines += ["", "Retrieved:"]
        lines += [f"  {score:.2f}  {chunk}" for chunk, score in record.chunks]
    if record.answer:
        lines += ["", "Answer:", record.answer]
    return "\n".join(lines)


@command.command("stats")
@click.option("--by", type=click.Choice(get_args(Period)))
@_SINCE
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE")
@common_options
@pass_call
def stats(call: Call, *, by: Period | None, since: datetime | None, until: datetime | None) -> None:
    first, last = since and since.date(), until and until.date()
    if first and last and first > last:
        raise click.UsageError(f"--since {first} is later than --until {last}: swap the dates.")
    with open_project(call, read_only=True) as workspace:
        figures = log_stats(workspace, by=by, since=first, until=last)
    if call.json:
        show_json(LogStatsJson.copy_fields(figures, by=by, since=first, until=last))
    elif not figures.kinds:
        show("No questions in that period." if first or last else "No questions yet.")
    else:
        show_stats(figures, by)


@command.command("feedback")
@click.argument("query_id", metavar="ID")
@click.option("--correct/--incorrect", "correct", default=None)
@click.option("--note", default="")
@common_options
@pass_call
def feedback(call: Call, *, query_id: str, correct: bool | None, note: str) -> None:
    if correct is None:
        raise click.UsageError("Give --correct or --incorrect.")
    with open_project(call) as workspace:
        saved = save_feedback(workspace, query_id, correct=correct, note=note)
    if call.json:
        show_json(FeedbackJson.from_record(saved))
    else:
        show(f"{query_id}: {'correct' if correct else 'incorrect'}.")


# Statistics


def show_stats(stats: LogStats, by: str | None) -> None:
    """Print a table of the periods, one by kind of question, and one by model."""
    if by:
        _show_rows(
            by.upper(), [(start.isoformat(), figures) for start, figures in stats.periods], stats
        )
        show()
    _show_rows("KIND", stats.kinds.items(), None if by else stats)
    if stats.models:
        show()
        _show_rows("MODEL", stats.models.items(), None)
    show()
    show("ANSWERED, LOW and NONE are shares of the rows with a verdict, ERRORS of all rows.")
    show("COVERAGE is a mean; SUPPORTED is a share of the checked statements.")
    if EVAL in stats.kinds:
        show(f"Questions of evaluation runs ({EVAL}) count only in their own line.")
    if stats.total.unpriced:
        show(f"COST leaves out {stats.total.unpriced:,} rows whose cost is unknown.")


def _show_rows(name: str, rows: Iterable[tuple[str, LogFigures]], whole: LogStats | None) -> None:
    listed = [(label, *_format_figures(figures)) for label, figures in rows]
    if whole is not None:
        listed.append(("all", *_format_figures(whole.total)))
    show_table(
        (name, *_COLUMNS),
        listed,
        elastic=name,
        numbers=_COLUMNS,
        optional=("TOKENS", "P95", "SUPPORTED"),
    )


def _format_figures(figures: LogFigures) -> tuple[str, ...]:
    rates = figures.verdict_rates
    return (
        f"{figures.n:,}",
        *(_format_share(rates[verdict]) for verdict in ("answer", "low_confidence", "no_evidence")),
        _format_share(figures.error_rate),
        _format_share(figures.coverage),
        _format_share(figures.check_rates["supported"]),
        _format_time(figures.p50_ms),
        _format_time(figures.p95_ms),
        f"{figures.tokens:,}",
        "–" if figures.cost is None else f"{figures.cost:.2f} USD",
    )


def _format_share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _format_time(ms: float | None) -> str:
    if ms is None:
        return "–"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
