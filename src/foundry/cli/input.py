"""What a command takes from its user: a question, permission to overwrite a file, a name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from foundry.cli.call import Call
from foundry.cli.output import say
from foundry.errors import UsageError
from foundry.render.files import OverwriteRefused

MAX_INPUT_BYTES = 1_000_000
"""Bytes read from standard input: far more than any question, far less than the memory."""
_OVERWRITE_FIX = "Choose another --output, or give --yes to overwrite."
_NAME_VARIABLES = ("USER", "LOGNAME", "USERNAME")
_GIT_TIMEOUT_S = 5.0
"""Reading a setting takes milliseconds; a git that hangs must not block an approval."""

by_option = click.option(
    "--by", metavar="NAME", help="Your name.  [default: git's user.name, or the system's]"
)


def is_interactive() -> bool:
    """Whether someone at a terminal can answer a question."""
    return sys.stdin.isatty()


def read_question(words: Sequence[str], what: str = "question") -> str:
    """The words joined, or standard input for ``-``. Raises ``UsageError`` when it is empty."""
    text = (_read_stdin(what) if tuple(words) == ("-",) else " ".join(words)).strip()
    if not text:
        raise UsageError(
            f"The {what} is empty.", fix="Give it in quotes, or give - and pipe it in."
        )
    return text


def _read_stdin(what: str) -> str:
    raw = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(raw) > MAX_INPUT_BYTES:
        raise UsageError(
            f"The {what} is longer than {MAX_INPUT_BYTES:,} bytes.",
            where="standard input",
            fix="Shorten it.",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The {what} is not UTF-8 text.", where="standard input", fix="Convert it to UTF-8."
        ) from error


def confirm_overwrite(paths: Sequence[Path], *, yes: bool, warning: str | None = None) -> bool:
    """Ask before replacing files: False if none exists, True if the user agrees.

    ``warning`` says what else would be lost. Raises ``OverwriteRefused`` if the answer is no, or
    if there is no terminal to ask on.
    """
    existing = [path for path in paths if path.exists()]
    if not existing or yes:
        return bool(existing)
    names, where = ", ".join(path.name for path in existing), str(existing[0].parent)
    if not is_interactive():
        reason = f". {warning}" if warning else ""
        raise OverwriteRefused(f"File exists: {names}{reason}", where=where, fix=_OVERWRITE_FIX)
    if warning:
        say(warning)
    say(f"File exists: {names}")
    if not click.confirm("Overwrite?", err=True):
        raise OverwriteRefused(f"Not overwritten: {names}", where=where, fix=_OVERWRITE_FIX)
    return True


def identify_person(call: Call, by: str | None, root: Path) -> str:
    """The name to record; "" if none is known. ``by`` wins even when it is empty."""
    if by is not None:
        return by
    known = (call.environment.get(variable, "") for variable in _NAME_VARIABLES)
    return _find_git_name(call, root) or next(filter(str.strip, known), "")


def _find_git_name(call: Call, root: Path) -> str:
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
