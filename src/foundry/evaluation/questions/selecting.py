"""Which of the stored questions are meant: by set, tag, label and whether a person accepted them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foundry.errors import UsageError
from foundry.evaluation.questions.naming import find_named
from foundry.records import EvalQuestion
from foundry.workspace import Workspace


def select_questions(
    workspace: Workspace,
    sets: Sequence[str] = (),
    tags: Sequence[str] = (),
    *,
    reviewed_only: bool = True,
    answerable: bool | None = None,
) -> list[EvalQuestion]:
    """The questions of these sets (of all, where none is named) with any of these tags.

    In the order of set and key. ``answerable`` keeps those with that label. Without a person's
    acceptance a drafted question is left out, unless ``reviewed_only`` is False; how many those
    are says ``count_unreviewed``. Raises ``UsageError`` for a set that does not exist.
    """
    stored = workspace.store.evaluation.list_questions()
    _require_known(stored, sets)
    return [
        one
        for one in stored
        if (not sets or one.set in sets)
        and (not tags or any(tag in one.tags for tag in tags))
        and (one.reviewed or not reviewed_only)
        and (answerable is None or one.answerable is answerable)
    ]


def count_unreviewed(
    workspace: Workspace, sets: Sequence[str] = (), tags: Sequence[str] = ()
) -> int:
    """How many of the same choice no person has accepted yet."""
    chosen = select_questions(workspace, sets, tags, reviewed_only=False)
    return sum(not one.reviewed for one in chosen)


def choose_questions(
    workspace: Workspace, names: Sequence[str] = (), set_name: str | None = None
) -> list[EvalQuestion]:
    """The questions of these names (``set/id`` or id), else of the set, else all.

    Raises ``UsageError`` for a name or set that does not exist.
    """
    if names:
        return find_named(workspace.store.evaluation.list_questions(), names)
    return select_questions(workspace, [set_name] if set_name else (), reviewed_only=False)


def _require_known(stored: Iterable[EvalQuestion], sets: Sequence[str]) -> None:
    known = sorted({one.set for one in stored})
    for name in sets:
        if name not in known:
            listed = f"There are: {', '.join(known)}." if known else "There is none yet."
            raise UsageError(
                f"There is no set of questions {name!r}.",
                where="--set",
                fix=f"{listed} `foundry eval import FILE --set {name}` makes one.",
            )
