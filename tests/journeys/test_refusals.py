"""What a project refuses to answer, from ingest to decision, with the built-in models."""

from __future__ import annotations

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.workspace import Workspace


@pytest.fixture(autouse=True)
def _filled(workspace: Workspace) -> None:
    ingest(workspace)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is the supply voltage of the ZX-9000?", "ZX-9000"),
        ("Wat is de voedingsspanning van de ZX-9000?", "ZX-9000"),
        ("Which fuse does the DX-40 need?", "DX-40"),
    ],
)
def test_a_thing_that_no_source_knows_is_refused_by_name(
    workspace: Workspace, question: str, name: str
) -> None:
    gate = search(workspace, question).gate
    assert gate.decision == "no_evidence"
    assert str(gate.reasons[0]) == f"No source mentions: {name}."


def test_a_name_that_no_source_has_is_said_beside_what_was_found(workspace: Workspace) -> None:
    gate = search(workspace, "How do I connect the controller to a KNX bus?").gate
    assert (gate.decision, gate.unmentioned) == ("low_confidence", ("KNX",))


@pytest.mark.parametrize(
    "question",
    [
        "What is the supply voltage of the DX-4?",
        "what is the supply voltage of the dx4",
        "What supply does the DX 4 run on?",
        "Welke temperatuur is goed voor de opslag van de DX-4-regelaar?",
    ],
)
def test_a_thing_that_a_source_knows_is_not_refused(workspace: Workspace, question: str) -> None:
    gate = search(workspace, question).gate
    assert gate.decision != "no_evidence"


def test_a_refusal_says_what_no_source_covers(workspace: Workspace) -> None:
    answer = ask(workspace, "Who painted the ceiling of the Sistine Chapel?")
    assert answer.verdict == "no_evidence"
    assert answer.sentences == ()
    assert "No source mentions: Sistine Chapel." in [*map(str, answer.reasons)]
    assert {"painted", "ceiling"} <= set(answer.search.gate.uncovered)
