"""What a command takes from its user: a question, permission to overwrite a file, a name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from foundry.cli.call import Call
from foundry.cli.output import say
from foundry.errors import UsageError
from foundry.messages import Message

if TYPE_CHECKING:
    from foundry.render.files import ExistingFiles

MAX_INPUT_BYTES = 1_000_000
"""Bytes read from standard input: far more than any question, far less than the memory."""
_NAME_VARIABLES = ("USER", "LOGNAME", "USERNAME")
_GIT_TIMEOUT_S = 5.0
"""Reading a setting takes milliseconds; a git that hangs must not block an approval."""

by_option = click.option("--by", metavar="NAME")


def is_interactive() -> bool:
    """Whether someone at a terminal can answer a question."""
    return sys.stdin.isatty()


Asked = Literal["question", "query", "topic"]


def read_question(words: Sequence[str], what: Asked = "question") -> str:
    """The words joined, or standard input for ``-``. Raises ``UsageError`` when it is empty."""
    text = (_read_stdin(what) if tuple(words) == ("-",) else " ".join(words)).strip()
    if not text:
        raise UsageError("cli-input-empty", what=what)
    return text


def _read_stdin(what: Asked) -> str:
    raw = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(raw) > MAX_INPUT_BYTES:
        raise UsageError("cli-input-too-long", where="stdin", what=what, limit=MAX_INPUT_BYTES)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("cli-input-not-utf8", where="stdin", what=what) from error


def confirm_overwrite(paths: Sequence[Path], *, yes: bool) -> bool:
    """False if none of the files exists, True if the user agrees to replace them.

    Raises ``OverwriteRefused`` if the answer is no, or if there is no terminal to ask on.
    """
    # Imported here, as below: help needs none of it.
    from foundry.render.files import decide_overwrite

    return decide_overwrite(paths, yes or ask_overwrite)


def ask_overwrite(files: ExistingFiles) -> bool:
    """Ask on the terminal whether to replace files; False if there is none."""
    if not is_interactive():
        return False
    if files.warning:
        say(files.warning)
    say(Message("cli-file-exists", names=[path.name for path in files.paths]))
    return confirm(Message("cli-overwrite"))


def confirm(question: Message) -> bool:
    """Ask on the terminal; anything but yes, in the current language, is no."""
    shown = f"{Message('cli-confirm', question=question)} "
    typed = click.prompt(shown, default="", show_default=False, prompt_suffix="", err=True)
    return typed.strip().lower() in str(Message("cli-yes")).split()


def identify_person(call: Call, by: str | None, root: Path) -> str:
    """The name to record; "" if none is known. ``by`` wins even when it is empty."""
    if by is not None:
        return by
    known = (call.environment.get(variable, "") for variable in _NAME_VARIABLES)
    return _find_git_name(call, root) or next(filter(str.strip, known), "")


def _find_git_name(call: Call, root: Path) -> str:
    import subprocess

    try:
        done = subprocess.run(
            ["git", "config", "--get", "user.name"],
            cwd=root,
            env=dict(call.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
