"""``foundry eval run``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.compare import show_worse
from foundry.cli.eval.figures import show_run
from foundry.cli.failures import DONE, FAILED
from foundry.cli.help import Command
from foundry.cli.output import say, say_notices, show, show_json
from foundry.cli.progress import pause_progress, show_progress
from foundry.cli.project.ingest import confirm_cost
from foundry.cli.workspace import open_project
from foundry.evaluation.comparison import Comparison, compare_results, require_common
from foundry.evaluation.metrics.measures import (
    Breach,
    find_breaches,
    parse_bounds,
    require_measured,
)
from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import get_run
from foundry.evaluation.runs.request import get_questions
from foundry.messages import Message
from foundry.records import Estimate, EvalResult, EvalRun
from foundry.wire.evaluation import EvalRunJson, RunOutcomeJson
from foundry.workspace import Workspace


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
@click.option("--yes", is_flag=True)
@common_options
@pass_call
def command(
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
    yes: bool,
) -> int:
    bounds = [*parse_bounds(below, above=False), *parse_bounds(above, above=True)]
    request = RunRequest(
        sets, tags, name, "retrieval" if retrieval_only else "ask", overrides, limit, jobs, fresh
    )
    require_measured(bounds, request.kind)
    with open_project(call) as workspace:
        before = _baseline(workspace, baseline, request)
        run, results = _run(call, workspace, request, yes=yes)
    comparison = compare_results(*before, run, results) if before else None
    return _report(call, run, results, find_breaches(run, bounds), comparison)


def _baseline(
    workspace: Workspace, name: str | None, request: RunRequest
) -> tuple[EvalRun, list[EvalResult]] | None:
    """The run to compare with and its outcomes, read before this run starts."""
    if name is None:
        return None
    run = get_run(workspace, name)
    results = workspace.store.evaluation.results(run.id)
    questions = get_questions(workspace, request)
    require_common(run, results, questions)
    return run, results


def _run(
    call: Call, workspace: Workspace, request: RunRequest, *, yes: bool
) -> tuple[EvalRun, list[EvalResult]]:
    with show_progress(call) as progress:

        def confirm(estimate: Estimate) -> bool:
            with pause_progress(progress):
                return yes or confirm_cost(workspace, estimate)

        def tell(message: Message) -> None:
            if not call.quiet:
                with pause_progress(progress):
                    say(str(message))

        return run_questions(workspace, request, progress=progress, tell=tell, confirm=confirm)


def _report(
    call: Call,
    run: EvalRun,
    results: Sequence[EvalResult],
    broken: Sequence[Breach],
    comparison: Comparison | None,
) -> int:
    intervals = intervals_of(results)
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
            show_worse(comparison)
    return FAILED if broken or worse else DONE
