"""Results on standard output, messages on standard error, and how numbers are written.

Text of sources is data: control characters, which a terminal would obey, are removed before
anything is shown. JSON keeps them, escaped.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from foundry.cli.call import Call
from foundry.messages import Message
from foundry.text.spotlight import BIDI, escape_controls

if TYPE_CHECKING:
    from foundry.records import StoreProblem

# What the lines after the first of a wrapped paragraph are indented by.
_LINE_START = re.compile(r" *(?:[-*•✗✓▸] |\d+\. |S\d+ +)?")
_LABELS = ("cli-note", "cli-warning", "cli-next")
# Control characters except tab and newline, and the marks that reorder text on screen.
_CONTROL = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{BIDI}]")


def prepare_streams() -> None:
    """Make every stream usable: a closed one reads or writes nothing.

    A terminal that is not UTF-8 shows ``?`` for a character that it cannot show.
    """
    # For a stream that was closed before the start, Python leaves None.
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for the whole run
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # Surrogates, from undecodable bytes in file names, cannot be encoded as UTF-8 either.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def strip_controls(text: str) -> str:
    """The text without control characters; CRLF becomes a newline."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def format_price(cost: float | None) -> Message:
    """US dollars; an amount below a cent keeps one significant digit."""
    if cost is None:
        return Message("cli-price-unknown")
    is_small = 0 < cost < 0.01
    return Message("cli-price-small", cost=cost) if is_small else Message("cli-price", cost=cost)


def format_fields(fields: Sequence[tuple[Message | str, object]]) -> list[str]:
    """Lines ``Label:  value`` with their values in one column."""
    width = max(len(str(label)) for label, _ in fields)
    return [f"{label!s:<{width}} {value}" for label, value in fields]


def show(text: str | Message = "", *, indent: int = 0, wrap: bool = True) -> None:
    """Print part of the result on standard output.

    A terminal gets long lines wrapped between words, with at least ``indent`` spaces before the
    lines after the first; a pipe gets them whole, as does a terminal without ``wrap``.
    """
    text = strip_controls(str(text))
    _write(sys.stdout, _wrap(text, sys.stdout, indent) if wrap else text)


def show_problems(problems: Iterable[StoreProblem]) -> None:
    """Print each problem of a database with what to do about it."""
    for problem in problems:
        show(f"{problem.message}\n  {Message('cli-next', text=problem.fix)}")


def show_json_line(record: object) -> None:
    """Print a record or document as one line of JSON Lines, in ASCII."""
    # Imported here, as below: most calls show text.
    import json

    from foundry.wire.base import build_document

    _write(sys.stdout, json.dumps(build_document(record).model_dump(mode="json")))


def say(text: str | Message) -> None:
    """Print a message on standard error; a closed stream does not stop the work."""
    with contextlib.suppress(OSError):
        _write(sys.stderr, _wrap(strip_controls(str(text)), sys.stderr))


def say_notices(call: Call, notices: Iterable[str | Message]) -> None:
    """Print what was skipped or incomplete, unless the call is quiet."""
    if not call.quiet:
        for notice in notices:
            # A notice may name a file, and a file name may contain line breaks.
            say(Message("cli-note", text=escape_controls(str(notice))))


def show_result(
    call: Call, kind: type[Any], record: object, text: str | Message | Callable[[], object]
) -> None:
    """Print the document of a result with ``--json``, else its text, or what prints it."""
    if call.json:
        from foundry.wire.base import get_model

        show_json(get_model(kind).from_record(record))
    elif callable(text):
        text()
    else:
        show(text)


def show_json(record: object) -> None:
    """Print a record or document as the JSON of a call, in ASCII where the stream is not UTF-8."""
    from foundry.wire.base import build_document

    show_json_document(build_document(record).model_dump(mode="json"))


def show_json_document(document: Mapping[str, Any]) -> None:
    """Print a JSON document that is no model of ours, in the same form."""
    import json

    text = format_json(document)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    _write(sys.stdout, text)


def format_json(document: Mapping[str, Any]) -> str:
    """A JSON document as text, without characters that a terminal would obey."""
    import json

    text = json.dumps(document, ensure_ascii=False, indent=2)
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _wrap(text: str, stream: TextIO, indent: int = 0) -> str:
    width = shutil.get_terminal_size().columns
    if not stream.isatty() or max(map(len, text.split("\n"))) <= width:
        return text
    return "\n".join(_wrap_line(line, width, indent) for line in text.split("\n"))


def _wrap_line(line: str, width: int, indent: int) -> str:
    # Imported here: only a long line on a terminal needs it.
    import textwrap

    indent = max(indent, _measure_start(line))
    return "\n".join(
        textwrap.wrap(
            line,
            width,
            subsequent_indent=" " * min(indent, width // 2),
            # A path, an id or an address stays in one piece.
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
            drop_whitespace=True,
        )
    )


def _measure_start(line: str) -> int:
    """The width of what the lines after the first are indented by: blanks and a mark or a label."""
    mark = _LINE_START.match(line)
    start = mark.end() if mark else 0
    for code in _LABELS:
        label = str(Message(code, text="\0")).partition("\0")[0]
        if line.startswith(label, start):
            return start + len(label)
    return start


def _write(stream: TextIO, text: str) -> None:
    stream.write(f"{text}\n")
    stream.flush()
