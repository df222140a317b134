"""A run's name, the lock on it while it runs, and the unfinished run that a new call goes on with."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from foundry.errors import RuleError, UsageError
from foundry.evaluation.running.side_index import FOLDER
from foundry.ids import hash_text
from foundry.records import EvalResult, EvalRun, RunKind
from foundry.workspace import Workspace

_LONGEST_NAME = 100

_FACTS: tuple[tuple[str, Callable[[EvalRun], object]], ...] = (
    ("it ran over search alone, or this one does", lambda run: run.kind),
    ("the configuration changed", lambda run: (dict(run.config), dict(run.overrides))),
    ("models, prompts or programs changed", lambda run: dict(run.versions)),
    ("the index changed", lambda run: run.index),
    ("the questions changed", lambda run: run.questions),
)


def run_name(name: str | None, sets: Sequence[str], kind: RunKind) -> str:
    """The name as given, else after what is asked. Raises ``UsageError`` for one that cannot be."""
    if name is None:
        chosen = "+".join(dict.fromkeys(sets)) or "all"
        chosen = f"set-{chosen}" if chosen.isdigit() else chosen
        return chosen if kind == "ask" else f"{chosen}-{kind}"
    name = name.strip()
    if not name or name.isdigit() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(
            "A run's name has a letter in it, as a plain number is the number of a run, and at "
            f"most {_LONGEST_NAME} characters.",
            where=f"--name {name[:_LONGEST_NAME]!r}",
            fix="Choose a name such as --name small-chunks.",
        )
    return name


@contextlib.contextmanager
def held_name(workspace: Workspace, name: str) -> Iterator[None]:
    """Held by the one run of this name that may be going on. Raises ``RuleError`` for a second."""
    # Imported on first use: no other command of evaluation needs it.
    import filelock

    folder = workspace.root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(folder / f"{hash_text(name)[:16]}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise RuleError(
            f"A run of the name {name!r} is going on in another process.",
            where=f"--name {name}",
            fix="Wait until it is done, or give this one another --name.",
        ) from None
    try:
        yield
    finally:
        lock.release()


def begin(
    workspace: Workspace, wanted: EvalRun, *, fresh: bool, tell: Callable[[str], None]
) -> tuple[EvalRun, list[EvalResult]]:
    """The unfinished run that is the same as ``wanted``, with what it has; else a new one.

    Questions that ended in an error are asked again.
    """
    store = workspace.store.evaluation
    earlier = store.find_run(wanted.name)
    if earlier is None or earlier.finished is not None or fresh:
        return store.start_run(wanted), []
    changed = [what for what, fact in _FACTS if fact(earlier) != fact(wanted)]
    if changed:
        tell(f"Run {earlier.id} was cut short and is not continued: {', and '.join(changed)}.")
        return store.start_run(wanted), []
    done = [result for result in store.results(earlier.id) if result.error is None]
    tell(f"Continuing run {earlier.id}: {len(done)} of {wanted.counts['questions']} done.")
    return earlier, done
