"""``foundry eval runs``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.eval.figures import (
    format_figure,
    show_questions,
    show_run,
)
from foundry.cli.help import Command
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.table import list_columns, show_table
from foundry.cli.usage import UsageProblem
from foundry.cli.workspace import open_project
from foundry.evaluation.metrics.statistics import intervals_of
from foundry.evaluation.runs.history import figures_so_far, get_run
from foundry.evaluation.runs.side_index import SideIndex, list_side_indexes, remove_side_indexes
from foundry.messages import Message
from foundry.records import EvalRun
from foundry.wire.evaluation import EvalRunJson, EvalRunsJson
from foundry.workspace import Workspace

_MEASURES = ("recall@10", "ndcg@10", "false_refusal_rate", "auroc", "latency_p95_ms")


@click.command("runs", cls=Command)
@click.argument("name", metavar="[RUN]", required=False)
@click.option("--questions", is_flag=True)
@click.option("--remove", is_flag=True)
@click.option("--clear-indexes", is_flag=True)
@common_options
@pass_call
def command(
    call: Call, *, name: str | None, questions: bool, remove: bool, clear_indexes: bool
) -> None:
    if name is None and (questions or remove):
        option = "--questions" if questions else "--remove"
        raise UsageProblem(Message("eval-option-needs-run", option=option))
    with open_project(call, read_only=not (remove or clear_indexes)) as workspace:
        cleared = remove_side_indexes(workspace) if clear_indexes else []
        if name is None:
            document = _list(call, workspace, cleared)
        elif remove:
            document = _remove(call, workspace, get_run(workspace, name), cleared)
        else:
            document = _show(call, workspace, get_run(workspace, name), questions=questions)
    if call.json:
        show_json(document)


def _build_document(workspace: Workspace, **parts: Sequence[object]) -> EvalRunsJson:
    indexes = [
        {"path": _path(workspace, index), "size": index.size}
        for index in list_side_indexes(workspace)
    ]
    empty: dict[str, Sequence[object]] = {"runs": [], "questions": [], "removed": [], "cleared": []}
    return EvalRunsJson(indexes=indexes, **{**empty, **parts})


def _path(workspace: Workspace, index: SideIndex) -> str:
    return index.path.relative_to(workspace.root).as_posix()


def _list(call: Call, workspace: Workspace, cleared: list[SideIndex]) -> EvalRunsJson:
    runs = workspace.store.evaluation.list_runs()
    if not call.json:
        _show_list(workspace, runs)
        _show_indexes(workspace, cleared)
    return _build_document(
        workspace,
        runs=[EvalRunJson.from_run(run) for run in runs],
        cleared=[_path(workspace, one) for one in cleared],
    )


def _show_list(workspace: Workspace, runs: list[EvalRun]) -> None:
    if not runs:
        show(Message("eval-no-runs-yet"))
        return
    number, *named, asked, errors, overrides = list_columns(
        *("id", "name", "kind", "started", "questions", "errors", "overrides")
    )
    show_table(
        (number, *named, asked, errors, *_MEASURES, overrides),
        [_row(workspace, run) for run in runs],
        elastic=overrides,
        numbers=(number, asked, errors, *_MEASURES),
        optional=_MEASURES[::-1],
    )


def _row(workspace: Workspace, run: EvalRun) -> tuple[object, ...]:
    asked: Message | int = run.counts.get("questions", 0)
    if run.finished is None:
        done = len(workspace.store.evaluation.results(run.id))
        asked = Message("eval-of", n=done, of=asked)
    return (
        run.id,
        run.name,
        run.kind,
        f"{run.started.astimezone():%Y-%m-%d %H:%M}",
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


def _remove(
    call: Call, workspace: Workspace, run: EvalRun, cleared: list[SideIndex]
) -> EvalRunsJson:
    workspace.store.evaluation.remove_run(run.id)
    if not call.json:
        show(Message("eval-run-removed", run=str(run.id), name=run.name))
        _show_indexes(workspace, cleared)
    return _build_document(
        workspace, removed=[run.id], cleared=[_path(workspace, one) for one in cleared]
    )


def _show(call: Call, workspace: Workspace, run: EvalRun, *, questions: bool) -> EvalRunsJson:
    results = workspace.store.evaluation.results(run.id)
    run = figures_so_far(run, results)
    intervals = intervals_of(results)
    if not call.json:
        show_run(run, results, intervals, all_measures=call.verbosity > 0)
        say_notices(call, run.notices)
        if questions:
            show()
            show_questions(results)
    return _build_document(
        workspace,
        runs=[EvalRunJson.from_run(run, intervals)],
        questions=results if questions else [],
    )
