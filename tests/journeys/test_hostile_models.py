"""What a hostile model writes is cut before it is verified, and the cut is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ModelReplyInvalid
from foundry.journeys.ask import ask, ask_streaming
from foundry.messages import Message
from foundry.ports import run_to_end
from tests.journeys.answers import FUSE, RATED, online, said
from tests.support.hostile_models import MODES
from tests.support.model_server import ModelServer, Text


@pytest.mark.parametrize("streamed", [False, True], ids=["plain", "streamed"])
def test_only_the_first_sentences_of_a_long_reply_are_verified(
    built: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    for module in ("text.replies", "journeys.writing.repair_loop"):
        monkeypatch.setattr(f"foundry.{module}.MAX_STATEMENTS", 40)
    wrong = [(f"The input fuse is rated at {number + 600} A slow.", "S1") for number in range(49)]
    server.default = said((RATED, "S1"), *wrong)
    with online(built, server, FOUNDRY_VALIDATION__ON_UNSUPPORTED="remove") as workspace:
        answer = run_to_end(ask_streaming(workspace, FUSE, stream=streamed))
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert len(answer.checks) == 40
    assert Message("writing-surplus", number=50, limit=40) in answer.notices


def test_an_overlong_sentence_is_left_out_with_a_notice(built: Path, server: ModelServer) -> None:
    server.default = said((RATED, "S1"), ("The lid is red" + " and red" * 300 + ".", "S1"))
    with online(built, server) as workspace:
        answer = ask(workspace, FUSE)
    assert [sentence.text for sentence in answer.sentences] == [RATED]
    assert any(
        "more than 2,000 characters" in str(notice) for notice in [*map(str, answer.notices)]
    )


@pytest.mark.parametrize("mode", ["20,000 sentences", "one sentence of 520 kB"])
def test_a_reply_beyond_its_tokens_is_an_error(built: Path, server: ModelServer, mode: str) -> None:
    server.default = MODES[mode]
    with online(built, server) as workspace, pytest.raises(ModelReplyInvalid):
        ask(workspace, FUSE)


def test_a_stream_of_full_stops_is_not_parsed_at_each_of_them(
    built: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(
        "foundry.journeys.writing.repair_loop.parse_partial_reply",
        lambda text, *_: parsed.append(text) or (),
    )
    server.default = Text(" ".join(f"{number}." for number in range(1000)))
    with online(built, server) as workspace:
        run_to_end(ask_streaming(workspace, FUSE))
    assert 10 < len(parsed) < 150
