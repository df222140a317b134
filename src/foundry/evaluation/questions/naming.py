"""Names of sets and questions: which are allowed, which stand for a question without one.

A set's name has no slash, so that in ``set/id`` the first slash is the border; an id may have any.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from foundry.errors import UsageError
from foundry.evaluation.questions.values import Unusable
from foundry.ids import hash_text
from foundry.records import EvalQuestion
from foundry.workspace import Workspace

DEFAULT_SET: Final = "questions"
_SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_LONGEST_ID = 200
_DIGITS = 10


def check_set(name: str) -> str:
    """The name of a set. Raises ``Unusable`` for one that is not plain."""
    if not _SET.fullmatch(name):
        raise Unusable(
            f"{name[:40]!r} is no name of a set.",
            "Use letters, digits, dots, dashes and underscores, and begin with a letter or digit.",
        )
    return name


def check_id(name: str) -> str:
    """A question's id: anything on one line. Raises ``Unusable`` otherwise."""
    if not name or _CONTROL.search(name):
        raise Unusable("Its id is empty or not on one line.", "Give it a short id, such as q1.")
    if len(name) > _LONGEST_ID:
        reason = f"Its id has {len(name):,} characters; {_LONGEST_ID} is the most."
        raise Unusable(reason, "Give it a short id, such as q1.")
    return name


def require_set(name: str, where: str = "--set") -> str:
    """``check_set`` for a command. Raises ``UsageError``."""
    try:
        return check_set(name)
    except Unusable as error:
        raise UsageError(error.reason, where=where, fix=error.fix) from error


def id_of_text(text: str) -> str:
    """The id of a question that has none: the same words have the same id on every machine."""
    return f"q{hash_text(' '.join(text.split()))[:_DIGITS]}"


def get_question(workspace: Workspace, name: str) -> EvalQuestion:
    """The question with this ``set/id``, or with this id where one set alone has it.

    Raises ``UsageError`` where there is none, or several.
    """
    return find_named(workspace.store.evaluation.list_questions(), [name])[0]


def find_named(stored: Sequence[EvalQuestion], names: Sequence[str]) -> list[EvalQuestion]:
    """The questions of these names, each once. Raises ``UsageError`` for the first that fails."""
    by_key = {one.key: one for one in stored}
    by_id: dict[str, list[EvalQuestion]] = {}
    for one in stored:
        by_id.setdefault(one.id, []).append(one)
    found = {}
    for name in names:
        fitting = [by_key[name]] if name in by_key else by_id.get(name, [])
        if len(fitting) != 1:
            raise _not_one(name, fitting)
        found[fitting[0].key] = fitting[0]
    return list(found.values())


def _not_one(name: str, fitting: Sequence[EvalQuestion]) -> UsageError:
    if not fitting:
        return UsageError(
            f"There is no question {name!r}.",
            where="questions",
            fix="Run `foundry eval list` to see the ids.",
        )
    keys = ", ".join(one.key for one in fitting)
    return UsageError(
        f"Several sets have a question {name!r}.", where="questions", fix=f"Say which: {keys}."
    )
