"""A run: every chosen question through the real journeys, each outcome kept as soon as it is there.

A run that was cut short is continued by the same call: same name, sets, configuration, versions,
index and questions. Under anything else a new one is begun, and it is said why.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from foundry.config import Config
from foundry.errors import Interrupted
from foundry.evaluation.measuring.places import Places
from foundry.evaluation.measuring.summing import summarise
from foundry.evaluation.running.asking import Asking, make_ready
from foundry.evaluation.running.choosing import questions_to_ask
from foundry.evaluation.running.continuing import begin, held_name, run_name
from foundry.evaluation.running.facts import (
    IndexState,
    flat_config,
    index_state,
    questions_hash,
    versions,
)
from foundry.evaluation.running.noticing import notices_of
from foundry.evaluation.running.overriding import overridden, parse_overrides
from foundry.evaluation.running.side_index import needs_side_index, side_index
from foundry.journeys.enrichment import Confirm, refuse
from foundry.ports import Progress
from foundry.records import EvalQuestion, EvalResult, EvalRun, RunKind
from foundry.workspace import Workspace, reconfigure

__all__ = ["RunRequest", "run_questions"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run. No ``sets`` means all; ``overrides`` are ``KEY=VALUE``; ``jobs`` at a time."""

    sets: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    name: str | None = None
    kind: RunKind = "ask"
    overrides: tuple[str, ...] = ()
    limit: int | None = None
    jobs: int = 1
    fresh: bool = False


def run_questions(
    workspace: Workspace,
    request: RunRequest,
    *,
    progress: Progress = lambda _step: None,
    tell: Callable[[str], None] = lambda _text: None,
    confirm: Confirm = refuse,
) -> tuple[EvalRun, list[EvalResult]]:
    """Ask the questions and keep what came of them; returns the finished run and its outcomes.

    ``tell`` is told what a reader should know before it begins ("Continuing run 3 …");
    ``confirm`` is asked before a side index sends much to language models. A question that fails
    is an outcome with an error. Raises ``UsageError`` where there is nothing to ask, what search
    and models raise before the first question, ``StoreError`` at any time, and ``Interrupted``
    for Ctrl-C: the same call then goes on.
    """
    name = run_name(request.name, request.sets, request.kind)
    overrides = parse_overrides(request.overrides)
    config = overridden(workspace.config, overrides)
    questions = questions_to_ask(workspace, request.sets, request.tags, request.limit)
    with (
        held_name(workspace, name),
        _evaluated(workspace, config, progress, confirm) as (target, notices),
    ):
        make_ready(target, request.kind)
        state = index_state(target)
        wanted = EvalRun(
            id=0,
            name=name,
            kind=request.kind,
            sets=tuple(dict.fromkeys(one.set for one in questions)),
            started=datetime.now(UTC),
            config=flat_config(config),
            overrides=overrides,
            versions=versions(target),
            index=state.hash,
            questions=questions_hash(questions),
            counts={"questions": len(questions), "jobs": request.jobs},
            notices=notices,
        )
        run, done = begin(workspace, wanted, fresh=request.fresh, tell=tell)
        asking = Asking(workspace.store.evaluation, target, Places(target), run, progress)
        run = _asked(workspace, asking, questions, done, request.jobs)
        return _finished(workspace, run, questions, state, index_state(target))


@contextlib.contextmanager
def _evaluated(
    home: Workspace, config: Config, progress: Progress, confirm: Confirm
) -> Iterator[tuple[Workspace, tuple[str, ...]]]:
    """The workspace that is asked, over the project's own index or one beside it; with notices."""
    if not needs_side_index(home.config, config):
        yield reconfigure(home, config), ()
        return
    with side_index(home, config, progress, confirm) as found:
        yield found


def _asked(
    workspace: Workspace,
    asking: Asking,
    questions: Sequence[EvalQuestion],
    done: Sequence[EvalResult],
    jobs: int,
) -> EvalRun:
    """Ask what is left; returns the run with the time that it took in all."""
    keys = {result.question.key for result in done}
    left = [one for one in questions if one.key not in keys]
    earlier = max(asking.run.seconds, _seconds(done) / jobs)
    started = time.perf_counter()
    try:
        asking.ask_all(left, len(questions), jobs)
    except KeyboardInterrupt:
        seconds = earlier + time.perf_counter() - started
        workspace.store.evaluation.save_run(replace(asking.run, seconds=seconds))
        kept = len(questions) - len(left) + asking.asked
        raise Interrupted(
            f"Interrupted: run {asking.run.id} has {kept} of {len(questions)} questions; "
            "the same command goes on from there.",
            where=f"eval run {asking.run.name}",
            fix="Run the same command again; it goes on from there.",
        ) from None
    return replace(asking.run, seconds=earlier + time.perf_counter() - started)


def _seconds(results: Sequence[EvalResult]) -> float:
    return sum(one.timings_ms.get("question", 0.0) for one in results) / 1000


def _finished(
    workspace: Workspace,
    run: EvalRun,
    questions: Sequence[EvalQuestion],
    before: IndexState,
    after: IndexState,
) -> tuple[EvalRun, list[EvalResult]]:
    """Sum up, with what a reader of the figures must know, and keep it."""
    keys = {one.key for one in questions}
    results = [
        one for one in workspace.store.evaluation.results(run.id) if one.question.key in keys
    ]
    figures, counts = summarise(results)
    run = replace(
        run,
        finished=datetime.now(UTC),
        figures=figures,
        counts={**run.counts, **counts},
        notices=(*run.notices, *notices_of(run, results, before, after)),
    )
    workspace.store.evaluation.save_run(run)
    return run, results
