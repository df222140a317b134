"""``foundry chat``."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.failures import DONE, FAILED, describe_error, report_error
from foundry.cli.input import MAX_INPUT_BYTES
from foundry.cli.output import say, show, show_line
from foundry.cli.questions.answer_stream import show_answer_stream
from foundry.cli.scope import SearchScope, scope_options
from foundry.cli.workspace import open_project
from foundry.errors import FoundryError, UsageError
from foundry.journeys.chat import Conversation
from foundry.render.answer import turn_as_dict

PROMPT = "> "
HELP = "/new begins anew, /quit ends, Ctrl-C stops an answer."


@click.command("chat")
@scope_options
@common_options
@pass_call
def command(call: Call, *, scope: SearchScope) -> int:
    """Ask questions one after the other.

    A follow-up ("and its weight?") is made to stand alone, by the model or by carrying
    words over from the question before, and every question is judged by the gate anew.
    Earlier answers are never evidence. Reads one question a line; with --json each turn
    is one line of JSON.
    """
    with open_project(call) as workspace:
        conversation = Conversation(workspace, scope.read(workspace, call), scope.mode)
        if sys.stdin.isatty() and not call.quiet:
            say(f"Ask about the sources of {workspace.config.project.name!r}. {HELP}")
        failed = False
        for typed in _read_questions():
            if typed == "/new":
                conversation.forget()
                say("The conversation begins anew.")
            elif typed.startswith("/"):
                say(HELP)
            else:
                failed = not _take_turn(conversation, typed, call) or failed
    # Someone at a keyboard has seen the error; a script has only the status.
    return FAILED if failed and not sys.stdin.isatty() else DONE


def _take_turn(conversation: Conversation, typed: str, call: Call) -> bool:
    """One question and its answer; False when it ended in an error, and the conversation goes on."""
    try:
        if call.json:
            turn = conversation.ask(typed)
            how, carried = turn.standalone.how, turn.standalone.carried
            number = len(conversation.turns)
            show_line(json.dumps(turn_as_dict(number, typed, how, carried, turn.answer)))
        else:
            show_answer_stream(conversation.ask_streaming(typed), call)
            show()
    except FoundryError as error:
        if call.json:
            show_line(json.dumps(describe_error(error).as_dict()))
        else:
            report_error(error, call)
        return False
    except KeyboardInterrupt:
        if not sys.stdin.isatty():
            raise
        say("\nStopped.")
    return True


def _read_questions() -> Iterator[str]:
    """The lines that are typed or piped in; blank ones are passed over."""
    asks = sys.stdin.isatty()
    if asks:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - gives the line its editing and its memory
    while True:
        try:
            line = input(PROMPT) if asks else _read_piped_line()
        except EOFError:
            return
        except KeyboardInterrupt:
            say("")
            return
        if not asks and not line:
            return
        line = line.strip().lstrip("\ufeff")
        if line in ("/quit", "/exit", "/q"):
            return
        if line:
            yield line


def _read_piped_line() -> str:
    """The next line of standard input; "" at its end. Raises ``UsageError`` for what is not UTF-8."""
    try:
        return sys.stdin.buffer.readline(MAX_INPUT_BYTES).decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            "The questions are not UTF-8 text.", where="standard input", fix="Convert to UTF-8."
        ) from error
