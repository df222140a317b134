"""SQL statements that the verbs execute on the example project.

``verify`` checks the example's handover note, which has five statements.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw

from bench.startup import EXAMPLE
from foundry.journeys.ask import ask
from foundry.journeys.generate import generate
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.journeys.verify import verify
from foundry.workspace import Workspace, open_workspace

QUESTION = "How many fixtures may one output drive?"
FEATURE = "wiring-guide"
NOTE = EXAMPLE.parent / "handover-note.md"
UNCOUNTED = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA")
"""What opens a connection, or begins and ends a transaction."""


def measure(_data: Path | None) -> Iterator[str]:
    yield "| verb | statements | transactions | ms in SQLite |"
    yield "|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
            approve_specification(workspace, FEATURE, "bench")
        for name, verb in VERBS.items():
            yield count_statements(root, name, verb)


def _generate(workspace: Workspace) -> object:
    feature = get_specification(workspace, FEATURE)
    return generate(workspace, feature.title, feature=feature, fresh=True)


VERBS: dict[str, Callable[[Workspace], object]] = {
    "search": lambda workspace: search(workspace, QUESTION),
    "ask": lambda workspace: ask(workspace, QUESTION),
    "verify": lambda workspace: verify(workspace, NOTE),
    "generate": _generate,
}


def count_statements(root: Path, name: str, verb: Callable[[Workspace], object]) -> str:
    """A row of the table, for a project opened only for this."""
    run: list[str] = []
    spent: list[float] = []

    def trace(_cursor: apsw.Cursor, statement: str, _values: object) -> bool:
        run.append(statement.split(maxsplit=1)[0])
        return True

    def profile(_statement: str, nanoseconds: int) -> None:
        spent.append(nanoseconds / 1e6)

    def watch(connection: apsw.Connection) -> None:
        connection.set_exec_trace(trace)
        connection.set_profile(profile)

    apsw.connection_hooks.append(watch)
    try:
        with open_workspace(root, environment={}, cwd=root) as workspace:
            run.clear()
            spent.clear()
            verb(workspace)
            statements = sum(word not in UNCOUNTED for word in run)
            return f"| {name} | {statements} | {run.count('BEGIN')} | {sum(spent):.1f} |"
    finally:
        apsw.connection_hooks.remove(watch)
