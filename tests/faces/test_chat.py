"""``foundry chat`` and ``foundry ask --stream``: what a person and a script see."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import PROGRAM, Run
from tests.support.model_server import ModelServer, Text

FUSE = "What is the rating of the input fuse?"
NOBODY = "Who won the football world cup in Brazil?"


def test_each_turn_is_one_line_of_the_documented_json(run: Run, project: Path) -> None:
    outcome = run("chat", "--json", text=f"{FUSE}\nAnd is it slow?\n\n{NOBODY}\n")
    turns = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.status == 0
    assert [turn["turn"] for turn in turns] == [1, 2, 3]
    assert all(MODELS["chat"].model_validate(turn) for turn in turns)
    assert turns[1]["how"] == "words carried over"
    assert turns[2]["answer"]["verdict"] == "no_evidence"


def test_a_conversation_shows_the_words_that_were_carried_over(run: Run, project: Path) -> None:
    outcome = run("chat", text=f"{FUSE}\nAnd is it slow?\n/new\nAnd is it slow?\n")
    assert outcome.out.count("Passages that come closest:") >= 2
    assert outcome.err.count("carried over") == 1
    assert "Started a new conversation." in outcome.err


def test_a_turn_that_fails_does_not_end_the_conversation(run: Run, project: Path) -> None:
    outcome = run("chat", "--json", text=f"{'x' * 20_000}\n{FUSE}\n")
    first, second = (json.loads(line) for line in outcome.out.splitlines())
    assert first["error"]["code"] == "usage"
    assert second["answer"]["verdict"] != "no_evidence"
    assert outcome.status == 1


def test_a_chat_without_a_question_succeeds(run: Run, project: Path) -> None:
    outcome = run("chat", text="\n \n/quit\nnever asked\n")
    assert (outcome.status, outcome.out) == (0, "")


@pytest.mark.parametrize("word", ["quit", "Exit", "/quit", "stop"])
def test_a_word_ends_the_chat_instead_of_being_searched(run: Run, project: Path, word: str) -> None:
    outcome = run("chat", "--json", text=f"{word}\nnever asked\n")
    assert (outcome.status, outcome.out) == (0, "")


def test_questions_that_are_not_utf8_are_wrong_usage(run: Run, project: Path) -> None:
    outcome = run("chat", text="Wat is één?\n".encode("latin-1"))
    assert outcome.status == 2
    assert "UTF-8" in outcome.err


def test_a_streamed_answer_has_the_form_of_a_whole_one(run: Run, project: Path) -> None:
    whole = run("ask", FUSE).out.split()
    assert run("ask", FUSE, "--stream").out.split() == whole


def test_a_streamed_refusal_says_what_to_do(run: Run, project: Path) -> None:
    outcome = run("ask", NOBODY, "--stream")
    assert outcome.status == 3
    assert outcome.out.startswith("No supporting documentation found in indexed sources.")


def test_on_a_terminal_it_asks_and_answers(project: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "chat"], stdin=follower, stdout=follower, stderr=follower, close_fds=True
    )
    os.close(follower)
    try:
        os.write(leader, f"{FUSE}\n/quit\n".encode())
        shown = _read_until(leader, None)
    finally:
        process.kill()
        os.close(leader)
    assert process.wait(5) == 0
    assert "Ask about the sources" in shown
    assert "3.15 A" in shown


def _read_until(source: int, mark: bytes | None) -> str:
    """The output up to the mark or the end; waits at most a minute."""
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (mark is None or mark not in shown):
        ready, _, _ = select.select([source], [], [], 0.2)
        if not ready:
            continue
        try:
            part = os.read(source, 4096)
        except OSError:
            # A terminal whose other side has gone.
            break
        if not part:
            break
        shown += part
    return shown.decode(errors="replace")


INTERRUPTIBLE = (
    "import signal; from foundry.cli import main; "
    # What was begun in the background of a shell inherits an interrupt that is ignored.
    "signal.signal(signal.SIGINT, signal.default_int_handler); main()"
)


def test_an_interrupt_stops_the_models_call(project: Path) -> None:
    reply = {"text": "The input fuse is rated at 3.15 A slow.", "citations": ["S1"]}
    whole = json.dumps({"sentences": [reply, reply | {"text": "It is slow."}]})
    with ModelServer() as server:
        server.script(Text(whole, hold=len(whole.split()) - 2))
        environment = {
            **os.environ,
            "FOUNDRY_MODE": "online",
            "FOUNDRY_GENERATION__MODEL": "openai/scripted",
            "FOUNDRY_VALIDATION__VERIFIER": "none",
            "OPENAI_API_KEY": "test",
            "OPENAI_API_BASE": server.openai,
        }
        words = [sys.executable, "-c", INTERRUPTIBLE, "ask", FUSE, "--stream", "-q"]
        process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE)
        assert process.stdout
        try:
            shown = _read_until(process.stdout.fileno(), b"[S1]")
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        finally:
            process.kill()
        process.stdout.close()
        assert "3.15 A slow. [S1]" in shown
        assert server.disconnects == 1
