"""``foundry eval run``, ``runs`` and ``compare``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.figures import format_figure, format_number, show_questions, show_run
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command, UsageProblem
from foundry.cli.ingest import confirm_cost
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.table import list_columns, show_table
from foundry.cli.workspace import open_project
from foundry.clock import format_minute
from foundry.evaluation.comparison import (
    ChangedQuestion,
    Comparison,
    MeasureChange,
    compare_results,
    compare_runs,
    get_severity,
    require_common,
)
from foundry.evaluation.metrics.measures import (
    CHIEF,
    MEASURES,
    find_breaches,
    parse_bounds,
    require_measured,
)
from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import figures_so_far, get_run
from foundry.evaluation.runs.run import get_questions
from foundry.evaluation.runs.side_index import SideIndex, list_side_indexes, remove_side_indexes
from foundry.journeys.cluster import Cluster, open_cluster
from foundry.messages import Message
from foundry.records import Estimate, EvalResult, EvalRun
from foundry.wire.evaluation import ComparisonJson, EvalRunJson, EvalRunsJson, RunOutcomeJson
from foundry.workspace import Workspace

_MEASURES = ("recall@10", "ndcg@10", "false_refusal_rate", "auroc", "latency_p95_ms")
_SHOWN = 20
"""Changed questions that are listed without -v: a screenful."""


@click.command("run", cls=Command)
@click.option("--set", "sets", multiple=True, metavar="NAME")
@click.option("--tag", "tags", multiple=True, metavar="TAG")
@click.option("--name")
@click.option("--retrieval-only", is_flag=True)
@click.option(*("-o", "--override", "overrides"), multiple=True, metavar="KEY=VALUE")
@click.option("--limit", type=click.IntRange(min=1))
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option("--fresh", is_flag=True)
@click.option("--baseline", metavar="RUN")
@click.option("--fail-below", "below", multiple=True, metavar="MEASURE=VALUE")
@click.option("--fail-above", "above", multiple=True, metavar="MEASURE=VALUE")
@click.option("--ray", metavar="ADDRESS")
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def run_command(
    call: Call,
    *,
    sets: tuple[str, ...],
    tags: tuple[str, ...],
    name: str | None,
    retrieval_only: bool,
    overrides: tuple[str, ...],
    limit: int | None,
    jobs: int,
    fresh: bool,
    baseline: str | None,
    below: tuple[str, ...],
    above: tuple[str, ...],
    ray: str | None,
    yes: bool,
) -> int:
    bounds = [*parse_bounds(below, above=False), *parse_bounds(above, above=True)]
    request = RunRequest(
        sets, tags, name, "retrieval" if retrieval_only else "ask", overrides, limit, jobs, fresh
    )
    require_measured(bounds, request.kind)
    with open_project(call) as workspace:
        # The run to compare with is read before this run starts.
        before = _read_baseline(workspace, baseline, request)
        with _open_cluster(workspace, ray, jobs) as cluster:
            request = replace(request, jobs=cluster.lanes) if cluster else request
            run, results = _run(call, workspace, request, cluster, yes=yes)
    broken, intervals = find_breaches(run, bounds), intervals_of(results)
    comparison = compare_results(*before, run, results) if before else None
    worse = comparison.worse() if comparison else ()
    if call.json:
        outcome = RunOutcomeJson(
            run=EvalRunJson.from_run(run, intervals),
            passed=not broken and not worse,
            failed=broken,
            worse=[change.measure for change in worse],
            baseline=comparison,
        )
        show_json(outcome)
    else:
        show_run(run, results, intervals, all_measures=call.verbosity > 0)
        say_notices(call, run.notices)
        for breach in broken:
            show(Message("eval-failed", breach=breach.describe()))
        if comparison:
            _show_worse(comparison)
    return FAILED if broken or worse else DONE


def _open_cluster(
    workspace: Workspace, ray: str | None, jobs: int
) -> AbstractContextManager[Cluster | None]:
    """Open the cluster with an actor for each question at a time; one at a time means one a core."""
    return open_cluster(workspace, ray, jobs if jobs > 1 else 0) if ray else nullcontext()


def _read_baseline(
    workspace: Workspace, name: str | None, request: RunRequest
) -> tuple[EvalRun, list[EvalResult]] | None:
    if name is None:
        return None
    run = get_run(workspace, name)
    results = workspace.store.evaluation.results(run.id)
    require_common(run, results, get_questions(workspace, request))
    return run, results


def _run(
    call: Call, workspace: Workspace, request: RunRequest, cluster: Cluster | None, *, yes: bool
) -> tuple[EvalRun, list[EvalResult]]:
    with show_progress(call) as progress:

        def confirm(estimate: Estimate) -> bool:
            with pause_progress(progress):
                return yes or confirm_cost(workspace, estimate)

        def tell(message: Message) -> None:
            if not call.quiet:
                with pause_progress(progress):
                    say(str(message))

        return run_questions(
            workspace, request, progress=progress, tell=tell, confirm=confirm, cluster=cluster
        )


def _show_worse(comparison: Comparison) -> None:
    """Show what is clearly worse than the baseline, and by how much."""
    worse = comparison.worse()
    named = {"run": str(comparison.first.id), "name": comparison.first.name}
    for change in worse:
        first, second, moved, low, high = map(str, _build_change_row(change)[1:6])
        code = "eval-measure-lost" if change.lost else "eval-measure-worse"
        ends = {"first": first, "second": second, "moved": moved, "low": low, "high": high}
        show(Message("eval-worse", change=Message(code, measure=change.measure, **ends), **named))
    if not worse:
        show(Message("eval-nothing-worse", n=comparison.common, **named))


@click.command("compare", cls=Command)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@common_options
@pass_call
def compare_command(call: Call, *, first: str, second: str) -> None:
    with open_project(call, read_only=True) as workspace:
        comparison = compare_runs(workspace, get_run(workspace, first), get_run(workspace, second))
    if call.json:
        show_json(ComparisonJson.from_record(comparison))
    else:
        say_notices(call, comparison.notices)
        _show_comparison(comparison, everything=call.verbosity > 0)


def _show_comparison(comparison: Comparison, *, everything: bool) -> None:
    for letter, run in (("A", comparison.first), ("B", comparison.second)):
        facts = {"run": str(run.id), "name": run.name, "kind": run.kind, "sets": run.sets}
        show(Message("eval-compared-run", letter=letter, **facts))
    left = comparison.left_out
    counts = (
        ("eval-only-first", left.only_first),
        ("eval-only-second", left.only_second),
        ("eval-text-changed", left.text_changed),
        ("eval-label-changed", left.label_changed),
    )
    parts = [str(Message(code, n=len(keys))) for code, keys in counts if keys]
    code = "eval-in-common-left-out" if parts else "eval-in-common"
    show(Message(code, n=comparison.common, parts=parts))
    show()
    if comparison.differs:
        rows = [(one.name, one.first or "–", one.second or "–") for one in comparison.differs]
        show_table((*list_columns("differs"), "A", "B"), rows, elastic="A")
    else:
        show(Message("eval-nothing-differs"))
    show()
    _show_measures(comparison, everything=everything)
    show()
    _show_changed(comparison.changed, everything=everything)


def _show_measures(comparison: Comparison, *, everything: bool) -> None:
    names = MEASURES if everything else CHIEF
    changes = [
        one
        for one in comparison.measures
        if one.measure in (*names, "errors") or one.better or one.worse
    ]
    measure, low, high, n = list_columns("measure", "from", "to", "n")
    columns = (measure, "A", "B", "B - A", low, high, n, "")
    show_table(
        columns, [_build_change_row(one) for one in changes], elastic=measure, numbers=columns[1:-1]
    )
    if not everything:
        show(Message("eval-no-other-change"))
    compared = sum(one.interval is not None for one in comparison.measures)
    clear = sum(one.clear for one in comparison.measures)
    show(Message("eval-intervals-clear", n=clear, of=compared))


def _build_change_row(change: MeasureChange) -> tuple[object, ...]:
    name, interval = change.measure, change.interval
    low, high = (
        ("", "") if interval is None
        else (_format_signed(name, interval.low), _format_signed(name, interval.high))
    )  # fmt: skip
    worse, better = Message("eval-moved-worse"), Message("eval-moved-better")
    return (
        name,
        format_figure(name, change.first),
        format_figure(name, change.second),
        _format_signed(name, change.difference),
        low,
        high,
        change.n,
        worse if change.worse else better if change.better else "",
    )


def _format_signed(measure: str, value: float | None) -> str:
    text = format_figure(measure, value)
    # A value that rounds to 0 has no sign.
    if value is not None and not any(digit in "123456789" for digit in text):
        return text.lstrip("-")
    return text if value is None or value < 0 else f"+{text}"


def _show_changed(changed: Sequence[ChangedQuestion], *, everything: bool) -> None:
    if not changed:
        show(Message("eval-no-question-changed"))
        return
    shown = changed if everything else sorted(changed, key=get_severity)[:_SHOWN]
    what, key, question = list_columns("changed", "key", "question")
    rows = [
        (
            Message(f"eval-changed-{one.what}") if one.what in ("error", "verdict") else one.what,
            Message(f"eval-moved-{one.direction}"),
            _format_end(one.first),
            _format_end(one.second),
            one.question.key,
            one.question.text,
        )
        for one in shown
    ]
    show_table((what, "", "A", "B", key, question), rows, elastic=question)
    if len(shown) < len(changed):
        show(Message("eval-changes-more", n=len(changed) - len(shown)))


def _format_end(value: str | float | None) -> Message | str | None:
    if isinstance(value, str):
        return Message("cli-verdict", verdict=value)
    return "–" if value is None else format_number("score", value)


@click.command("runs", cls=Command)
@click.argument("name", metavar="[RUN]", required=False)
@click.option("--questions", is_flag=True)
@click.option("--remove", is_flag=True)
@click.option("--clear-indexes", is_flag=True)
@common_options
@pass_call
def runs_command(
    call: Call, *, name: str | None, questions: bool, remove: bool, clear_indexes: bool
) -> None:
    if name is None and (questions or remove):
        option = "--questions" if questions else "--remove"
        raise UsageProblem(Message("eval-option-needs-run", option=option))
    with open_project(call, read_only=not (remove or clear_indexes)) as workspace:
        cleared = remove_side_indexes(workspace) if clear_indexes else []
        if name is None:
            document = _list_runs(call, workspace, cleared)
        elif remove:
            document = _remove_run(call, workspace, get_run(workspace, name), cleared)
        else:
            document = _show_one(call, workspace, get_run(workspace, name), questions=questions)
    if call.json:
        show_json(document)


def _build_runs(workspace: Workspace, **parts: Sequence[object]) -> EvalRunsJson:
    indexes = [
        {"path": _path(workspace, index), "size": index.size}
        for index in list_side_indexes(workspace)
    ]
    empty: dict[str, Sequence[object]] = {"runs": [], "questions": [], "removed": [], "cleared": []}
    return EvalRunsJson(indexes=indexes, **{**empty, **parts})


def _path(workspace: Workspace, index: SideIndex) -> str:
    return index.path.relative_to(workspace.root).as_posix()


def _list_runs(call: Call, workspace: Workspace, cleared: list[SideIndex]) -> EvalRunsJson:
    runs = workspace.store.evaluation.list_runs()
    if not call.json:
        _show_runs(workspace, runs)
        _show_indexes(workspace, cleared)
    return _build_runs(
        workspace,
        runs=[EvalRunJson.from_run(run) for run in runs],
        cleared=[_path(workspace, one) for one in cleared],
    )


def _show_runs(workspace: Workspace, runs: list[EvalRun]) -> None:
    if not runs:
        show(Message("eval-no-runs-yet"))
        return
    number, *named, asked, errors, overrides = list_columns(
        *("id", "name", "kind", "started", "questions", "errors", "overrides")
    )
    show_table(
        (number, *named, asked, errors, *_MEASURES, overrides),
        [_build_run_row(workspace, run) for run in runs],
        elastic=overrides,
        numbers=(number, asked, errors, *_MEASURES),
        optional=_MEASURES[::-1],
    )


def _build_run_row(workspace: Workspace, run: EvalRun) -> tuple[object, ...]:
    asked: Message | int = run.counts.get("questions", 0)
    if run.finished is None:
        done = len(workspace.store.evaluation.results(run.id))
        asked = Message("eval-of", n=done, of=asked)
    return (
        run.id,
        run.name,
        run.kind,
        format_minute(run.started),
        asked,
        run.counts.get("errors") if run.finished else None,
        *(
            format_figure(name, run.figures.get(name)) if run.finished else None
            for name in _MEASURES
        ),
        " ".join(f"{key}={value}" for key, value in run.overrides.items()),
    )


def _show_indexes(workspace: Workspace, cleared: list[SideIndex]) -> None:
    for index in cleared:
        show(Message("eval-index-removed", path=_path(workspace, index), size=index.size / 1e6))
    left = list_side_indexes(workspace)
    if left:
        size = sum(index.size for index in left) / 1e6
        show(Message("eval-indexes-left", n=len(left), size=size))


def _remove_run(
    call: Call, workspace: Workspace, run: EvalRun, cleared: list[SideIndex]
) -> EvalRunsJson:
    workspace.store.evaluation.remove_run(run.id)
    if not call.json:
        show(Message("eval-run-removed", run=str(run.id), name=run.name))
        _show_indexes(workspace, cleared)
    return _build_runs(
        workspace, removed=[run.id], cleared=[_path(workspace, one) for one in cleared]
    )


def _show_one(call: Call, workspace: Workspace, run: EvalRun, *, questions: bool) -> EvalRunsJson:
    results = workspace.store.evaluation.results(run.id)
    run = figures_so_far(run, results)
    intervals = intervals_of(results)
    if not call.json:
        show_run(run, results, intervals, all_measures=call.verbosity > 0)
        say_notices(call, run.notices)
        if questions:
            show()
            show_questions(results)
    return _build_runs(
        workspace,
        runs=[EvalRunJson.from_run(run, intervals)],
        questions=results if questions else [],
    )
