"""What reaches the terminal: results on standard output, messages on standard error.

Text of sources is data: control characters, which a terminal would obey, are
taken out before anything is shown. JSON carries them escaped.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from foundry.cli.call import Call

# Control characters but tab and newline, and the marks that reorder text on screen.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def prepare_streams() -> None:
    """Make every stream usable: one that was closed reads or writes nothing.

    A terminal that is not UTF-8 shows a ``?`` where it cannot show a character.
    """
    # Python leaves None in place of a stream that was closed before the start.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for the whole run
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # Surrogates, which stand for undecodable bytes in file names, fail in UTF-8 too.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def strip_controls(text: str) -> str:
    """The text without what a terminal would obey; line ends become newlines."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def format_count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: ``1 page``, ``1,200 pages``; ``plural`` where it is not noun + s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def show(text: str = "") -> None:
    """A piece of the result, on standard output."""
    _write(sys.stdout, strip_controls(text))


def show_line(text: str) -> None:
    """One line of JSON Lines, ready made."""
    _write(sys.stdout, text)


def say(text: str) -> None:
    """A message, on standard error; that nobody reads it must not stop the work."""
    with contextlib.suppress(OSError):
        _write(sys.stderr, strip_controls(text))


def say_notices(call: Call, notices: Iterable[str]) -> None:
    """What was skipped or partial, unless only results are wanted."""
    if not call.quiet:
        for notice in notices:
            say(f"Note: {notice}")


def show_json(document: Mapping[str, Any]) -> None:
    """The one JSON document of a call. Only ASCII where the stream has no UTF-8."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    _write(sys.stdout, text)


def _write(stream: TextIO, text: str) -> None:
    stream.write(f"{text}\n")
    stream.flush()
