"""Stored runs: finding one, resuming one that was interrupted, and the lock on a name."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from foundry.errors import NotFound, RuleError
from foundry.evaluation.lines import join_names
from foundry.evaluation.metrics.statistics import summarise
from foundry.ids import hash_text
from foundry.messages import Message
from foundry.records import EvalResult, EvalRun
from foundry.workspace import Workspace

_FACTS: tuple[tuple[str, Callable[[EvalRun], object]], ...] = (
    ("eval-changed-kind", lambda run: run.kind),
    ("eval-changed-config", lambda run: (dict(run.config), dict(run.overrides))),
    ("eval-changed-versions", lambda run: dict(run.versions)),
    ("eval-changed-index", lambda run: run.index),
    ("eval-changed-questions", lambda run: run.questions),
)


def figures_so_far(run: EvalRun, results: Sequence[EvalResult]) -> EvalRun:
    """The run; an unfinished one with the figures of the outcomes that it has."""
    if run.finished is not None:
        return run
    figures, counts = summarise(results)
    asked = run.counts.get("questions", counts["questions"])
    return replace(run, figures=figures, counts={**run.counts, **counts, "questions": asked})


def get_run(workspace: Workspace, id_or_name: str) -> EvalRun:
    """The run with that number, or the latest with that name.

    Raises ``NotFound`` with the nearest names.
    """
    run = workspace.store.evaluation.find_run(id_or_name.strip())
    if run is not None:
        return run
    runs = workspace.store.evaluation.list_runs()
    if not runs:
        raise NotFound("eval-no-runs", where="eval runs", name=id_or_name)
    names = list(dict.fromkeys(name for run in runs for name in (run.name, str(run.id))))
    near = difflib.get_close_matches(id_or_name, names, n=3, cutoff=0.4) or names[:3]
    raise NotFound("eval-run-unknown", where="eval runs", name=id_or_name, near=near)


@contextlib.contextmanager
def lock_name(workspace: Workspace, name: str) -> Iterator[None]:
    """Lock the name while a run uses it. Raises ``RuleError`` where another process runs under it."""

    def refuse(_holder: Message) -> None:
        raise RuleError("eval-run-locked", where=f"--name {name}", name=name)

    # By role: a lock must not show that a higher role runs something of that name.
    lock = f"eval-{workspace.principal.role}-{hash_text(name)[:16]}"
    with workspace.store.lock(lock, refuse):
        yield


def start_or_resume(
    workspace: Workspace, wanted: EvalRun, *, fresh: bool, tell: Callable[[Message], None]
) -> tuple[EvalRun, list[EvalResult]]:
    """Return the unfinished run that equals ``wanted`` with its outcomes, or else a new run.

    Outcomes that are errors are left out, so those questions are asked again. ``tell`` gets a
    message where a run is resumed, or why an unfinished one is not.
    """
    store = workspace.store.evaluation
    earlier = store.find_run(wanted.name)
    if earlier is None or earlier.finished is not None or fresh:
        return store.start_run(wanted), []
    changed = [Message(what) for what, fact in _FACTS if fact(earlier) != fact(wanted)]
    if changed:
        tell(Message("eval-run-cannot-resume", run=str(earlier.id), changed=join_names(changed)))
        return store.start_run(wanted), []
    done = [result for result in store.results(earlier.id) if result.error is None]
    of = wanted.counts["questions"]
    tell(Message("eval-run-resumes", run=str(earlier.id), done=len(done), of=of))
    return earlier, done
