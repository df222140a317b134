"""How often a question asks the database; a statement counts once per execution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from foundry.journeys.ask import ask
from foundry.journeys.search import search
from foundry.journeys.verify import verify_text
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import FUSE

MOST = 70
CONFLICTS = 14
"""What an answer takes to be logged, and to look for passages that contradict it and for nearly identical sources, within these.

In SQLite a term of a search of words is one of them, unless it was read before."""
UNCOUNTED = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA")
"""What opens a connection, or begins and ends a transaction."""


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements of all connections opened from now on, as they run."""
    run: list[str] = []

    def trace(_cursor: apsw.Cursor, statement: str, _values: object) -> bool:
        if not statement.strip().startswith(UNCOUNTED):
            run.append(statement)
        return True

    hooks = [lambda connection: setattr(connection, "exec_trace", trace)]
    monkeypatch.setattr(apsw, "connection_hooks", hooks)
    return run


@pytest.fixture
def counted(built: Path, statements: list[str]) -> Iterator[Workspace]:
    """The ingested project, opened under the count of ``statements``."""
    with open_workspace(built, environment={}, cwd=built) as opened:
        statements.clear()
        yield opened


@pytest.mark.parametrize(
    "question", [FUSE, "How often must the housing be cleaned?", "Wat is de displaycode?"]
)
def test_an_answer_takes_few_statements(
    counted: Workspace, statements: list[str], question: str
) -> None:
    assert ask(counted, question).search.hits
    assert 10 < len(statements) <= MOST


def test_a_search_leaves_nothing_for_the_answer_to_ask_again(
    counted: Workspace, statements: list[str]
) -> None:
    # The first one reads calibrations, vectors and postings.
    search(counted, FUSE)
    statements.clear()
    search(counted, FUSE)
    searched = len(statements)
    ask(counted, FUSE)
    assert len(statements) == 2 * searched + CONFLICTS


NOTE = "The fuse is rated at 2 A.\n\nThe housing is blue.\n\nThe display shows E7.\n\n"
PER_STATEMENT = 21
SOURCES = 30
"""What it takes once a text to look for absent values in the sources themselves."""


@pytest.mark.parametrize("times", [1, 4])
def test_a_verified_text_takes_as_many_statements_as_it_has_to_check(
    counted: Workspace, statements: list[str], times: int
) -> None:
    text = "".join(NOTE.replace(" is ", f" {number} is ") for number in range(times))
    checked = len(verify_text(counted, text.encode()).statements)
    assert checked == 3 * times
    assert 10 < len(statements) <= MOST + SOURCES + PER_STATEMENT * (checked - 1)
