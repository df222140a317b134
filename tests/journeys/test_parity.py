"""Offline and online mode differ only in the generator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foundry.journeys.ask import ask
from foundry.records import Answer
from foundry.wire.answers import AnswerJson
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import FUSE, RATED, Talk, online, said
from tests.support.model_server import ModelServer, Request, Text

REFUSAL = Text("The indexed documentation does not contain this information.")
# Each question with what the model says to it, in both modes.
QUESTIONS = {
    FUSE: said((RATED, "S1")),
    "What is the rating of the fuse, and its colour?": said(
        (RATED, "S9"), ("Its colour is blue.", "S1")
    ),
    "How many channels does an output deliver?": said(("Each output delivers 500 channels.", "S1")),
    "Hoe vaak moet ik de behuizing reinigen?": Text(
        "Reinig de behuizing elke zes maanden met een droge doek [S1]. Ik weet dat uit ervaring."
    ),
    "What is the service code of the display?": REFUSAL,
    "How often must the housing be cleaned?": said(("It must be cleaned every 6 months.", "S1")),
    "Who painted the ceiling of the Sistine Chapel?": said(("Michelangelo did.", "S1")),
}


def scripted(request: Request) -> Any:
    """The reply to the question in the prompt, for any server."""
    asked = request.messages[-1]["content"]
    return next((reply for question, reply in QUESTIONS.items() if question in asked), REFUSAL)


def offline(built: Path, server: ModelServer) -> Workspace:
    environment = {
        "FOUNDRY_GENERATION__OFFLINE__MODEL": "ollama/scripted",
        "FOUNDRY_VALIDATION__VERIFIER": "none",
        "FOUNDRY_MODELS__CACHE": "false",
        "FOUNDRY_MODELS__API_BASE": json.dumps({"ollama": server.ollama}),
        "FOUNDRY_MODELS__WINDOWS": '{"ollama/scripted": 32768}',
    }
    return open_workspace(built, environment=environment, cwd=built)


def comparable(answer: Answer) -> dict[str, Any]:
    """All that a user sees of an answer except its model, timings, cost and place in the log."""
    shown = AnswerJson.from_record(answer).model_dump(mode="json")
    for key in ("id", "model", "mode", "timings_ms", "usage"):
        del shown[key]
    hits = [(hit.chunk.id, hit.relevance, hit.fused) for hit in answer.search.hits]
    return {**shown, "hits": hits}


@pytest.fixture
def both(built: Path, server: ModelServer) -> list[tuple[list[dict[str, Any]], list[Any]]]:
    """The answers of each mode and the messages that it sent."""
    server.default = scripted
    results = []
    for workspace in (offline(built, server), online(built, server)):
        before = len(server.chats)
        with workspace:
            answers = [comparable(ask(workspace, question)) for question in QUESTIONS]
        sent = [
            [(message["role"], message["content"]) for message in request.messages]
            for request in server.chats[before:]
        ]
        results.append((answers, sent))
    return results


def test_hits_verdicts_citations_and_refusals_are_identical_byte_for_byte(
    both: list[tuple[list[dict[str, Any]], list[Any]]],
) -> None:
    (one, _), (other, _) = both
    assert json.dumps(one, ensure_ascii=False) == json.dumps(other, ensure_ascii=False)
    verdicts = {answer["verdict"] for answer in one}
    assert verdicts == {"answer", "low_confidence", "no_evidence"}
    assert {change["action"] for answer in one for change in answer["changes"]} >= {"removed"}


def test_prompts_are_identical_byte_for_byte(
    both: list[tuple[list[dict[str, Any]], list[Any]]],
) -> None:
    (_, one), (_, other) = both
    assert json.dumps(one, ensure_ascii=False) == json.dumps(other, ensure_ascii=False)
    # Six questions pass the gate, and some are asked again; the seventh reaches no model.
    assert len(one) > 6
    assert not any("Sistine" in json.dumps(messages) for messages in one)


def test_a_conversation_is_rewritten_alike_in_both_modes(built: Path, server: ModelServer) -> None:
    server.default = Text('{"question": "Is the input fuse slow?"}')
    turns = []
    for workspace in (offline(built, server), online(built, server)):
        with workspace:
            conversation = Talk(workspace)
            conversation.ask(FUSE)
            turns.append(conversation.ask("Is it slow?"))
    assert turns[0].standalone.question == turns[1].standalone.question
    assert comparable(turns[0].answer) == comparable(turns[1].answer)
