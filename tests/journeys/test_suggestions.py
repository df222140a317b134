"""Questions that sources suggest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.suggestions import find_suggestions, suggest_questions
from foundry.store import StoreView
from foundry.workspace import Workspace, open_workspace


@pytest.fixture
def own(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    root = shutil.copytree(built, tmp_path / "project")
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def add(workspace: Workspace, name: str, text: str) -> None:
    file = workspace.root / "sources" / name
    file.write_text(text, encoding="utf-8")
    ingest(workspace, [file])


def list_texts(workspace: Workspace) -> list[str]:
    return [item.text for item in suggest_questions(workspace, 15)]


LEASE = """# Lease of Canal Street 14

## Payment

The monthly rent is EUR 1,240, payable in advance. The tenant is 34 years old.

The rent and the deposit are EUR 3,720 together.

## How do I report damage?

Report damage with photos to the landlord within 48 hours.
"""


def test_a_value_with_its_name_makes_a_question_that_its_sentence_answers(own: Workspace) -> None:
    add(own, "lease.md", LEASE)
    texts = list_texts(own)
    assert "What is the monthly rent?" in texts
    assert not [text for text in texts if "deposit" in text or "tenant" in text]


def test_a_heading_that_asks_is_suggested_as_it_is(own: Workspace) -> None:
    add(own, "lease.md", LEASE)
    assert "How do I report damage?" in list_texts(own)


def test_a_row_of_a_table_is_asked_by_its_name_and_a_person_is_not(own: Workspace) -> None:
    rows = "| Property | Value |\n|---|---|\n| Maximum flow rate | 42 l/min |\n| Ann | 34 years |\n"
    add(own, "pump.md", f"# Pump\n\n{rows}")
    texts = list_texts(own)
    assert "What is the maximum flow rate?" in texts
    assert not [text for text in texts if "ann" in text.casefold()]


def test_a_dutch_source_is_asked_in_dutch(own: Workspace) -> None:
    text = "De maximale afstand bedraagt 90 kilometer per dag, gemeten over de kortste weg."
    add(own, "reizen.md", f"# Reiskosten\n\n{text}\n")
    assert "Wat is de maximale afstand?" in list_texts(own)


def test_suggestions_are_made_once_and_then_known(own: Workspace) -> None:
    add(own, "lease.md", LEASE)
    assert find_suggestions(own) is None
    made = suggest_questions(own)
    assert made
    assert find_suggestions(own) == suggest_questions(own) == made


def test_no_question_comes_from_a_source_that_the_role_may_not_see(own: Workspace) -> None:
    file = own.root / "sources/datasheet.md"
    ingest(own, [file], options=IngestOptions(confidentiality="secret"))
    with open_workspace(own.root, environment={}, cwd=own.root, role="public") as low:
        assert {item.source_id for item in suggest_questions(low, 15)} <= {
            source.id for source in low.store.list_sources()
        }


def test_a_project_without_an_index_suggests_nothing(workspace: Workspace) -> None:
    assert suggest_questions(workspace) == ()


def test_a_project_without_an_index_is_not_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoreView, "list_sources", lambda _: pytest.fail("all sources were read"))
    assert suggest_questions(workspace) == ()
