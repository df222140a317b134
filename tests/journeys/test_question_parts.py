"""What a question says in other words than the sources: initials of a title, two parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.question import analyse_question
from foundry.journeys.search import search
from foundry.workspace import Workspace, open_workspace

ACTS = {
    "Algemene Ouderdomswet": "Recht op ouderdomspensioen heeft wie volgens deze wet verzekerd is.",
    "Pensioenwet": "Opgebouwde aanspraken worden bij een wijziging van de overeenkomst niet minder.",
    "Ziektewet": "Het ziekengeld van een werknemer is 70% van het dagloon.",
    "Wet werk en inkomen naar arbeidsvermogen": "Wie duurzaam niet kan werken krijgt een uitkering.",
}


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root: Path = tmp_path_factory.mktemp("acts")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_acts}\n", encoding="utf-8")
    for number, (title, text) in enumerate(ACTS.items()):
        path = root / "sources" / f"{number}.md"
        path.write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    workspace = open_workspace(root, environment={}, cwd=root)
    ingest(workspace)
    return workspace


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Wanneer krijg ik AOW?", "Algemene Ouderdomswet"),
        ("wanneer krijg ik aow", "Algemene Ouderdomswet"),
        ("Mag mijn pensioen volgens de PW omlaag?", "Pensioenwet"),
        ("Krijg ik WIA als ik niet meer kan?", "Wet werk en inkomen naar arbeidsvermogen"),
    ],
)
def test_the_initials_of_a_title_find_its_document(
    acts: Workspace, question: str, title: str
) -> None:
    found = search(acts, question)
    assert found.hits[0].source.title == title
    assert (found.gate.decision != "no_evidence", found.gate.unmentioned) == (True, ())


def test_other_initials_are_mentioned_by_no_source(acts: Workspace) -> None:
    assert search(acts, "Hoeveel krijg ik van de BRK?").gate.unmentioned == ("BRK",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Hoeveel ziekengeld krijgt een werknemer en wie heeft recht op ouderdomspensioen?",
            2,
        ),
        ("Hoeveel ziekengeld krijgt een werknemer? Wie heeft recht op ouderdomspensioen?", 2),
        ("Hoeveel ziekengeld krijgt een werknemer en wat kost het?", 0),
        ("Krijgt een werknemer ziekengeld en een uitkering?", 0),
    ],
)
def test_a_question_is_split_where_it_asks_two_things(
    acts: Workspace, text: str, parts: int
) -> None:
    assert len(analyse_question(acts, text).parts) == parts


def test_both_parts_of_a_question_are_among_the_first_hits(acts: Workspace) -> None:
    asked = "Hoeveel ziekengeld krijgt een werknemer en wie heeft recht op ouderdomspensioen?"
    titles = [hit.source.title for hit in search(acts, asked).hits]
    assert {"Ziektewet", "Algemene Ouderdomswet"} <= set(titles[:5])
    assert len(set(titles)) == len(ACTS)


@pytest.mark.parametrize(
    "question", ["¿Cuándo puedo jubilarme?", "de het een", "?", "woord " * 1500]
)
def test_an_odd_question_gets_a_verdict(acts: Workspace, question: str) -> None:
    assert search(acts, question).gate.reasons


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
