"""A question about two documents, and odd ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.workspace import Workspace, open_workspace

LEASES = {
    "lease-1": "This lease is between Vellum Mills and the town. Rent is paid each month.",
    "lease-2": "This lease is between Corda Works and the town. Rent is paid each quarter.",
}


@pytest.fixture(scope="module")
def leases(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root: Path = tmp_path_factory.mktemp("leases")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_leases}\n", encoding="utf-8")
    for name, text in LEASES.items():
        (root / "sources" / f"{name}.md").write_text(f"# Lease\n\n{text}\n", encoding="utf-8")
    workspace = open_workspace(root, environment={}, cwd=root)
    ingest(workspace)
    return workspace


def test_a_comparison_of_two_documents_shows_a_passage_of_each(leases: Workspace) -> None:
    answer = ask(leases, "Is the rent of Vellum Mills paid more often than that of Corda Works?")
    assert {one.evidence.hit.source.path for one in answer.passages[:2]} == {
        f"sources/{name}.md" for name in LEASES
    }
    assert "gate-separate" not in {reason.code for reason in answer.search.gate.reasons}


def test_a_side_that_no_source_has_is_named(leases: Workspace) -> None:
    found = search(leases, "Is the rent of Vellum Mills paid more often than that of Zwartgras?")
    assert found.gate.unmentioned == ("Zwartgras",)


@pytest.mark.parametrize(
    "question", ["¿Cuándo puedo jubilarme?", "de het een", "?", "woord " * 1500]
)
def test_an_odd_question_gets_a_verdict(leases: Workspace, question: str) -> None:
    assert search(leases, question).gate.reasons
