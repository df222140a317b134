"""The runs that are kept: found by number or name, listed, removed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace

from foundry.errors import UsageError
from foundry.evaluation.measuring.summing import summarise
from foundry.records import EvalResult, EvalRun
from foundry.workspace import Workspace


def figures_so_far(run: EvalRun, results: Sequence[EvalResult]) -> EvalRun:
    """The run, and where it is not finished, with the figures of what it has."""
    if run.finished is not None:
        return run
    figures, counts = summarise(results)
    asked = run.counts.get("questions", counts["questions"])
    return replace(run, figures=figures, counts={**run.counts, **counts, "questions": asked})


def load_run(workspace: Workspace, id_or_name: str) -> EvalRun:
    """The run of that number, else the latest of that name.

    Raises ``UsageError`` that names the nearest ones.
    """
    found = workspace.store.evaluation.find_run(id_or_name.strip())
    if found is not None:
        return found
    runs = workspace.store.evaluation.list_runs()
    if not runs:
        fix = "There is none yet: `foundry eval run` makes one."
    else:
        names = list(dict.fromkeys(name for run in runs for name in (run.name, str(run.id))))
        near = difflib.get_close_matches(id_or_name, names, n=3, cutoff=0.4) or names[:3]
        fix = f"The nearest are {', '.join(near)}; `foundry eval runs` lists all."
    raise UsageError(f"There is no run {id_or_name!r}.", where="eval runs", fix=fix)
