"""Lines of JSON that people and programs wrote: what can be used is, what cannot is named.

A broken line costs that line and no other. Nothing is guessed: a line is one JSON object in UTF-8,
or it is left out with its number and the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from foundry.errors import UsageError

NAMED = 5
"""How many of the things that were left out are named in a notice; the rest is counted."""

Read = TypeVar("Read")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that was left out: its number, from 1, in which file, and why."""

    file: str
    line: int
    reason: str

    def as_dict(self) -> dict[str, str | int]:
        """The line as ``--json`` prints it."""
        return {"file": self.file, "line": self.line, "reason": self.reason}


class UnusableLine(ValueError):
    """Raised by a reader of rows: why this row cannot be used."""


def read_lines(
    lines: Iterable[bytes], file: str, read: Callable[[Row], Read]
) -> tuple[list[Read], list[SkippedLine]]:
    """What ``read`` makes of each line's object, and the lines that it or JSON refused.

    Empty lines are nothing. ``read`` raises ``UnusableLine`` with the reason.
    """
    found: list[Read] = []
    skipped: list[SkippedLine] = []
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                found.append(read(_parse(text)))
        except UnicodeDecodeError:
            skipped.append(SkippedLine(file, number, "it is not UTF-8"))
        except UnusableLine as error:
            skipped.append(SkippedLine(file, number, str(error)))
    return found, skipped


def read_file(path: Path, read: Callable[[Row], Read]) -> tuple[list[Read], list[SkippedLine]]:
    """``read_lines`` of a file that is there."""
    with path.open("rb") as lines:
        return read_lines(lines, path.name, read)


def require_some(found: Sequence[object], skipped: Sequence[SkippedLine], where: str) -> None:
    """Raise ``UsageError`` where no line could be used, with the first reason."""
    if found:
        return
    first = f" Line {skipped[0].line}: {skipped[0].reason}." if skipped else ""
    raise UsageError(
        f"There is no usable line.{first}",
        where=where,
        fix="Give a file in UTF-8 with one JSON object on each line (JSON Lines).",
    )


def tell_skipped(skipped: Sequence[SkippedLine]) -> tuple[str, ...]:
    """Notices: the first of the lines by number, and how many more there are."""
    told = tuple(
        f"{one.file}, line {one.line} was left out: {one.reason}." for one in skipped[:NAMED]
    )
    more = len(skipped) - len(told)
    return (*told, f"Lines left out besides: {more:,}.") if more else told


def tell_names(names: Sequence[str]) -> str:
    """How many, and the first of them by name: ``7 (d1, d2, d3, d4, d5 …)``."""
    more = " …" if len(names) > NAMED else ""
    return f"{len(names):,} ({', '.join(names[:NAMED])}{more})"


def first_few(names: Sequence[str], most: int = NAMED) -> str:
    """The first few of some names, and how many more there are: ``d1, d2, d3 and 4 more``."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def require_text(row: Row, key: str) -> str:
    """The row's string under ``key``; raises ``UnusableLine`` for none, or one of white space."""
    if key not in row:
        raise UnusableLine(f'it has no "{key}"')
    value = row[key]
    if not isinstance(value, str):
        raise UnusableLine(f'"{key}" is {_kind(value)}, not a text')
    if not value.strip():
        raise UnusableLine(f'"{key}" is empty')
    return value


def require_label(row: Row, key: str = "label") -> bool:
    """The row's yes or no: true, false, 1, 0, or those as texts; else raises ``UnusableLine``."""
    if key not in row:
        raise UnusableLine(f'it has no "{key}"')
    label = as_label(row[key])
    if label is None:
        raise UnusableLine(f'"{key}" is {json.dumps(row[key])[:40]}, neither true nor false')
    return label


def as_label(value: object) -> bool | None:
    """A yes or no in any of its usual spellings; None for anything else."""
    if isinstance(value, str):
        return {"true": True, "1": True, "false": False, "0": False}.get(value.strip().lower())
    if isinstance(value, bool | int | float) and value in (0, 1):
        return bool(value)
    return None


def _parse(text: str) -> Row:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep or too long"
        raise UnusableLine(f"it is not JSON: {reason}") from error
    if not isinstance(row, dict):
        raise UnusableLine(f"it is {_kind(row)}, not a JSON object")
    return _encodable(row) if "\\ud" in text.lower() else row


def _encodable(row: Row) -> Row:
    """Halves of surrogate pairs, which no text can hold, read as "?"."""
    mended: Row = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
    return mended


def _kind(value: object) -> str:
    kinds = ((bool, "true or false"), (str, "a text"), (int | float, "a number"), (list, "a list"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "null" if value is None
                else "an object")  # fmt: skip
