"""Questions over HTTP give the documents that the commands print."""

from __future__ import annotations

import json

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, build_json

FUSE = "What is the rating of the input fuse?"


def read_events(text: str) -> list[tuple[str, dict[str, object]]]:
    """Name and data of each event; comments are left out."""
    events = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            events.append((fields["event"], json.loads(fields["data"])))
    return events


def test_an_answer_is_the_document_of_the_command(client: TestClient, project: Project) -> None:
    reply = client.post("/api/v2/ask", json={"question": FUSE}).json()
    own = build_json(project.ask(FUSE))
    assert (reply["answer"], reply["sources"]) == (own["answer"], own["sources"])
    assert reply.keys() == own.keys()


def test_a_streamed_answer_ends_with_the_whole_document(client: TestClient) -> None:
    reply = client.post("/api/v2/ask/stream", json={"question": FUSE})
    events = read_events(reply.text)
    names = [name for name, _ in events]
    assert names[:4] == ["stage", "search", "stage", "passage"]
    shown = [data for name, data in events if name == "passage"]
    assert (names[-1], events[-1][1]["passages"]) == ("result", shown)


def test_a_refusal_is_an_answer(client: TestClient) -> None:
    reply = client.post("/api/v2/ask", json={"question": "Who won the football world cup?"})
    assert (reply.status_code, reply.json()["verdict"]) == (200, "no_evidence")


def test_a_follow_up_gets_the_turns_before_from_the_client(client: TestClient) -> None:
    earlier = [{"question": FUSE, "answer": "3.15 A", "language": "en"}]
    body = {"typed": "And its supply?", "earlier": earlier}
    events = read_events(client.post("/api/v2/chat/stream", json=body).text)
    assert events[1][0] == "question"
    assert events[-1][1]["turn"] == 2


def test_an_error_in_a_stream_is_its_last_event(client: TestClient) -> None:
    body = {"question": FUSE, "filters": ["colour=red"]}
    events = read_events(client.post("/api/v2/ask/stream", json=body).text)
    assert [name for name, _ in events] == ["stage", "error"]
    assert events[-1][1]["error"]["code"] == "usage"


def test_a_text_is_verified(client: TestClient) -> None:
    text = "The input fuse is rated at 3.15 A slow. The input fuse is rated at 6 A slow."
    reply = client.post("/api/v2/verify", json={"text": text}).json()
    assert [item["verdict"] for item in reply["statements"]] == ["exact", "contradicted"]


def test_a_text_of_a_whole_book_is_not_verified_in_one_request(client: TestClient) -> None:
    reply = client.post("/api/v2/verify", json={"text": "5 A. " * 20_001})
    assert (reply.status_code, reply.json()["error"]["where"]) == (422, "body.text")


def test_an_unknown_key_is_an_error_that_names_it(client: TestClient) -> None:
    reply = client.post("/api/v2/ask", json={"question": FUSE, "colour": "red"})
    assert (reply.status_code, reply.json()["error"]["where"]) == (422, "body.colour")


@pytest.mark.parametrize("question", ['"\\ud800"', '"a\\u0000b"'])
def test_what_is_no_text_is_refused(client: TestClient, question: str) -> None:
    headers = {"Content-Type": "application/json"}
    reply = client.post("/api/v2/ask", content=f'{{"question": {question}}}', headers=headers)
    assert (reply.status_code, reply.json()["error"]["code"]) == (422, "usage")
