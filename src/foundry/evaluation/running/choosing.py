"""Which questions a run asks, and what it tells who has none."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np

from foundry.errors import UsageError
from foundry.evaluation.questions import count_unreviewed, select_questions
from foundry.records import EvalQuestion
from foundry.workspace import Workspace


def questions_to_ask(
    workspace: Workspace, sets: Sequence[str], tags: Sequence[str], limit: int | None
) -> list[EvalQuestion]:
    """The reviewed questions of these sets with any of these tags; ``limit`` spread over them.

    Raises ``UsageError`` for an unknown set or tag, and where there is nothing to ask.
    """
    found = select_questions(workspace, sets, tags)
    if not found:
        raise _nothing(workspace, sets, tags)
    if limit is None or limit >= len(found):
        return found
    # At even distances: sets are often sorted by kind.
    return [found[int(place)] for place in np.linspace(0, len(found) - 1, limit)]


def _nothing(workspace: Workspace, sets: Sequence[str], tags: Sequence[str]) -> UsageError:
    unreviewed = count_unreviewed(workspace, sets, tags)
    where = " ".join([*(f"--set {name}" for name in sets), *(f"--tag {tag}" for tag in tags)])
    if unreviewed:
        return UsageError(
            f"None of these questions is reviewed: {unreviewed} wait for a person.",
            where=where or "eval run",
            fix="Read them with `foundry eval list`, and take over the good ones with "
            "`foundry eval accept`.",
        )
    known = {tag for one in workspace.store.evaluation.list_questions() for tag in one.tags}
    strange = [tag for tag in tags if tag not in known]
    if strange and known:
        near = difflib.get_close_matches(strange[0], sorted(known), n=1, cutoff=0.0)
        return UsageError(
            f"No question has the tag {strange[0]!r}.",
            where=where,
            fix=f"The nearest tag is {near[0]!r}; `foundry eval list` shows them all.",
        )
    return UsageError(
        "There are no questions to ask." if not tags else "No question of these sets has this tag.",
        where=where or "eval run",
        fix="Add one with `foundry eval add`, many with `foundry eval import FILE`, or draft some "
        "with `foundry eval draft`.",
    )
