"""``foundry chat``, and an answer that is shown while it is made: each sentence once it is verified, or each passage."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import click

from foundry.cli.call import Call
from foundry.cli.entry import Terminated
from foundry.cli.failures import DONE, FAILED, describe_error, report_error
from foundry.cli.help import Command
from foundry.cli.input import MAX_INPUT_BYTES, is_interactive
from foundry.cli.options import add_options, read_filters
from foundry.cli.output import say, say_notices, show, show_json_line, strip_controls
from foundry.cli.workspace import bind_project
from foundry.errors import FoundryError, UsageError
from foundry.messages import Message
from foundry.operations import questions
from foundry.operations.table import Scope
from foundry.options import ScopeOptions
from foundry.records import Answer, Event, Excerpt, SearchResult, Sentence, Turn, Verdict
from foundry.render.answer import (
    name_passages,
    render_answer,
    render_answer_end,
    render_answer_head,
    render_sentence,
)
from foundry.render.excerpts import render_excerpt
from foundry.wire.requests import EarlierTurnRequest, TurnRequest
from foundry.workspace import Workspace

PROMPT = "> "
END_WORDS = ("quit", "exit", "stop", "einde")
"""End the chat in any language, with or without a slash. None is a question."""


@click.command("chat", cls=Command)
@add_options(ScopeOptions)
@bind_project()
def chat_command(call: Call, workspace: Workspace, **options: Any) -> int:
    read_filters(call, workspace, options["filters"])
    if is_interactive() and not call.quiet:
        say(Message("chat-welcome", project=workspace.config.project.name))
        say(Message("chat-help"))
    failed, earlier = False, list[EarlierTurnRequest]()
    for typed in _read_questions():
        if typed == "/new":
            earlier.clear()
            say(Message("chat-started-over"))
        elif typed.startswith("/"):
            say(Message("chat-help"))
        else:
            asked = questions.chat_.fill(typed=typed, earlier=earlier, **options)
            turn = _take_turn(call, workspace, asked)
            earlier += [EarlierTurnRequest.from_record(turn.as_earlier())] if turn else []
            failed = failed or turn is None
    # A person has seen the error; a script has only the exit status.
    return FAILED if failed and not is_interactive() else DONE


def _take_turn(call: Call, workspace: Workspace, asked: TurnRequest) -> Turn | None:
    """Show the turn; None after an error, which does not end the chat."""
    try:
        if call.json:
            turn = questions.chat_.perform(Scope(workspace), asked=asked)
            show_json_line(questions.chat_.build(turn))
        else:
            scope, shown = Scope(workspace, streams=True), ShownAnswerStream(call)
            turn = questions.chat_.perform(scope, asked=asked, on_event=shown)
            shown.finish(turn.answer)
            show()
    except FoundryError as error:
        if call.json:
            show_json_line(describe_error(error).to_json())
        else:
            report_error(error, call)
        return None
    except KeyboardInterrupt as stop:
        if isinstance(stop, Terminated) or not is_interactive():
            raise
        say("")
        say(Message("chat-stopped"))
        return None
    return turn


def _read_questions() -> Iterator[str]:
    """The lines typed or piped in, without blank ones."""
    interactive = is_interactive()
    if interactive:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - adds line editing and history
    while True:
        try:
            line = input(PROMPT) if interactive else _read_piped_line()
        except EOFError:
            return
        except KeyboardInterrupt:
            say("")
            return
        if not interactive and not line:
            return
        line = line.strip().lstrip("\ufeff")
        if line.lower().removeprefix("/") in END_WORDS:
            return
        if line:
            yield line


def _read_piped_line() -> str:
    """The next line of standard input, "" at its end. Raises ``UsageError`` unless it is UTF-8."""
    try:
        return sys.stdin.buffer.readline(MAX_INPUT_BYTES).decode()
    except UnicodeDecodeError as error:
        raise UsageError("chat-not-utf8", where="stdin") from error


class ShownAnswerStream:
    """What of an answer is on the terminal already; it is called with each event."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._gate: Verdict = "answer"
        self._last: Sentence | None = None
        self._passages, self._names = 0, dict[str, str]()
        self._noticed: tuple[str | Message, ...] = ()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Sentence):
            if self._last is None:
                show(render_answer_head(self._gate))
            sys.stdout.write(strip_controls(render_sentence(event, self._last)))
            self._last = event
        elif isinstance(event, Excerpt):
            if not self._passages:
                show(render_answer_head("passages"))
            show(f"\n{render_excerpt(event, self._names)}", indent=4)
            self._passages += 1
        else:
            say_notices(self._call, event.notices)
            self._noticed += event.notices
            if isinstance(event, SearchResult):
                self._gate, self._names = event.gate.decision, name_passages(event)
        sys.stdout.flush()

    def finish(self, answer: Answer) -> None:
        """Show what is left of the answer."""
        if self._last is None and not self._passages:
            show(render_answer(answer))
        elif answer.verdict == "passages":
            end = render_answer_end(answer)
            show(f"\n{end}" if end else "")
        else:
            show("\n")
            if answer.verdict == "low_confidence" != self._gate:
                show(f"{Message('ask-low-confidence')}\n")
            show(render_answer_end(answer))
        left = [notice for notice in answer.notices if notice not in self._noticed]
        say_notices(self._call, left)
