"""Sentences appear once verified; closing the stream stops the model."""

from __future__ import annotations

import time
from pathlib import Path

from foundry.journeys.ask import AnswerStream, ask, ask_streaming
from foundry.records import Answer, Event, SearchResult, Sentence
from tests.journeys.answers import FUSE, RATED, online, said
from tests.support.model_server import ModelServer, Text

SUPPLY = "The controller runs on a supply of 12 V DC with at most 2.5 A."
WRONG = "The input fuse is rated at 5 A slow."


def steps(answering: AnswerStream) -> tuple[list[Event], Answer]:
    seen = []
    while True:
        try:
            seen.append(next(answering))
        except StopIteration as end:
            return seen, end.value


def test_the_first_sentence_is_there_before_the_reply_ends(
    built: Path, server: ModelServer
) -> None:
    whole = said((SUPPLY, "S1"), (RATED, "S1")).text
    server.script(Text(whole, hold=len(whole.split()) - 4))
    with online(built, server) as workspace:
        answering = ask_streaming(workspace, FUSE)
        found, sentence = next(answering), next(answering)
        assert isinstance(found, SearchResult)
        assert isinstance(sentence, Sentence)
        assert (sentence.text, sentence.citations) == (SUPPLY, ("S1",))
        answering.close()


def test_closing_stops_the_model_and_leaves_a_row(built: Path, server: ModelServer) -> None:
    whole = said((SUPPLY, "S1"), (RATED, "S1")).text
    server.script(Text(whole, hold=len(whole.split()) - 4))
    with online(built, server) as workspace:
        answering = ask_streaming(workspace, FUSE)
        next(answering), next(answering)
        answering.close()
        deadline = time.monotonic() + 5
        while not server.disconnects and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.disconnects == 1
        assert "interrupted" in (workspace.store.list_queries(1)[0].error or "")


def test_a_failing_sentence_never_appears(built: Path, server: ModelServer) -> None:
    server.default = said((WRONG, "S1"), (RATED, "S1"))
    with online(built, server) as workspace:
        seen, answer = steps(ask_streaming(workspace, FUSE))
    shown = [step.text for step in seen if isinstance(step, Sentence)]
    assert shown == [RATED] == [sentence.text for sentence in answer.sentences]


def test_streamed_and_whole_answers_are_the_same(built: Path, server: ModelServer) -> None:
    server.default = said((SUPPLY, "S1"), (WRONG, "S1"), (RATED, "S9"))
    with online(built, server) as workspace:
        whole = ask(workspace, FUSE)
        _, streamed = steps(ask_streaming(workspace, FUSE))
    assert streamed.sentences == whole.sentences
    assert streamed.checks == whole.checks
    assert streamed.changes == whole.changes
    assert streamed.attribution_coverage == whole.attribution_coverage


def test_prose_is_streamed_too(built: Path, server: ModelServer) -> None:
    server.default = Text(f"{SUPPLY} [S1] {RATED[:-1]} [S1].")
    with online(built, server) as workspace:
        seen, answer = steps(ask_streaming(workspace, FUSE))
    assert [step.text for step in seen if isinstance(step, Sentence)] == [SUPPLY, RATED]
    assert [check.verdict for check in answer.checks] == ["exact", "exact"]


def test_a_streamed_refusal_shows_nothing(built: Path, server: ModelServer) -> None:
    server.default = Text("De geïndexeerde documentatie bevat deze informatie niet.")
    with online(built, server) as workspace:
        seen, answer = steps(ask_streaming(workspace, FUSE))
    assert [step for step in seen if isinstance(step, Sentence)] == []
    assert (answer.verdict, answer.sources) == ("no_evidence", ())


def test_the_built_in_writer_streams_its_sentences(built: Path, server: ModelServer) -> None:
    with online(built, server, FOUNDRY_GENERATION__MODEL="builtin/extractive") as workspace:
        seen, answer = steps(ask_streaming(workspace, FUSE))
    assert tuple(step for step in seen if isinstance(step, Sentence)) == answer.sentences
    assert server.requests == []
