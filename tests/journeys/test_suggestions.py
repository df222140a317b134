"""Questions that sources suggest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.suggestions import suggest_questions
from foundry.journeys.search import search
from foundry.workspace import Workspace, open_workspace


@pytest.fixture
def own(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    root = shutil.copytree(built, tmp_path / "project")
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def test_suggested_questions_are_answered_and_stay_the_same(own: Workspace) -> None:
    questions = suggest_questions(own)
    assert questions
    assert all(search(own, item.text).gate.decision == "answer" for item in questions)
    assert suggest_questions(own) == questions


def test_a_question_is_in_the_language_of_its_source(own: Workspace) -> None:
    sections = "\n\n".join(
        f"## Ventilatie van zaal {name}\n\nDe handleiding zegt over de ventilatie van zaal {name} dat "
        "het rooster elke maand met een zachte borstel wordt gereinigd. " * 3
        for name in ("Noord", "Zuid", "Oost")
    )
    file = own.root / "sources/handleiding.md"
    file.write_text(f"# Handleiding luchtbehandeling\n\n{sections}\n")
    ingest(own, [file])
    texts = [item.text for item in suggest_questions(own) if item.language == "nl"]
    assert texts[0].startswith("Wat zegt “Handleiding luchtbehandeling” over “Ventilatie van zaal")


def test_no_question_comes_from_a_source_that_the_role_may_not_see(own: Workspace) -> None:
    file = own.root / "sources/datasheet.md"
    ingest(own, [file], options=IngestOptions(confidentiality="secret"))
    with open_workspace(own.root, environment={}, cwd=own.root, role="public") as low:
        assert all("DX-4" not in item.text for item in suggest_questions(low))
    assert any("DX-4" in item.text for item in suggest_questions(own))


def test_a_project_without_an_index_suggests_nothing(workspace: Workspace) -> None:
    assert suggest_questions(workspace) == ()
