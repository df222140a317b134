"""A person takes responsibility for drafted questions, or throws them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foundry.errors import UsageError
from foundry.evaluation.questions.selecting import choose_questions
from foundry.records import EvalQuestion
from foundry.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Accepted:
    """By key: what was accepted or rejected, and what had been accepted before."""

    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def accept_questions(
    workspace: Workspace,
    names: Sequence[str] = (),
    *,
    set_name: str | None = None,
    everything: bool = False,
    reject: bool = False,
) -> Accepted:
    """Mark questions reviewed, by ``set/id`` or id, of a set, or all; ``reject`` removes them.

    Of a set, or of all, only those that wait for review are touched. Raises ``UsageError`` for a
    name that is not there, where nothing is named, and for rejecting what was accepted before.
    """
    if sum((bool(names), set_name is not None, everything)) != 1:
        raise UsageError(
            "It is not clear which questions are meant.",
            where="questions",
            fix="Name ids, or --set NAME, or --all.",
        )
    chosen = choose_questions(workspace, names, set_name)
    waiting = [one for one in chosen if not one.reviewed]
    before = tuple(one.key for one in chosen if one.reviewed) if names else ()
    keys = tuple(one.key for one in waiting)
    if reject:
        _require_waiting(before)
        workspace.store.evaluation.remove_questions(keys)
        return Accepted(rejected=keys)
    if waiting:
        accepted = [replace(one, reviewed=True) for one in waiting]
        workspace.store.evaluation.save_questions(accepted)
    return Accepted(accepted=keys, before=before, notices=_unlabelled(waiting))


def _require_waiting(before: Sequence[str]) -> None:
    if before:
        raise UsageError(
            f"{before[0]} was accepted before.",
            where="--reject",
            fix=f"Take it out with: foundry eval remove {before[0]}",
        )


def _unlabelled(accepted: Sequence[EvalQuestion]) -> tuple[str, ...]:
    bare = [one.key for one in accepted if one.answerable is None and not one.expected]
    if not bare:
        return ()
    said = (
        f"{len(bare):,} of them say neither whether nor where there is an answer "
        f"({bare[0]} …): a run can measure their latency and little else."
    )
    return (said,)
