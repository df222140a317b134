"""Files of lines written by people and programs: usable lines are read, the others are named.

A line of JSON Lines is one object in UTF-8, one of relevance judgements has three or four columns; a
broken line costs only that line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from foundry.errors import UsageError
from foundry.messages import Message, Parameter, format_message

NAMED = 5
"""How many left-out things a notice names; the rest is counted. More would not fit two lines."""
_LONGEST = 80

Read = TypeVar("Read")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was left out: its file, its number from 1, the reason, and its id if it has one."""

    file: str
    line: int | None
    reason: Message
    id: str | None = None

    @property
    def fix(self) -> str:
        """What to do next, where the reason says so."""
        return format_message(self.reason, attribute="fix")

    @property
    def where(self) -> str:
        """``questions.jsonl:7``."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class UnusableLine(Exception):
    """Raised by a reader of rows: why the row cannot be used."""

    def __init__(self, code: str, **params: Parameter) -> None:
        self.reason = Message(code, **params)
        super().__init__(self.reason)


def read_lines(
    lines: Iterable[bytes], file: str, read: Callable[[Row], Read]
) -> tuple[list[Read], list[RefusedLine]]:
    """What ``read`` makes of each line's object, and the lines that it or JSON rejected.

    Empty lines are ignored. ``read`` raises ``UnusableLine`` with the reason.
    """
    items: list[Read] = []
    skipped: list[RefusedLine] = []
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                items.append(read(_parse(text)))
        except UnicodeDecodeError:
            skipped.append(RefusedLine(file, number, Message("eval-line-not-utf8")))
        except UnusableLine as error:
            skipped.append(RefusedLine(file, number, error.reason))
    return items, skipped


def read_file(path: Path, read: Callable[[Row], Read]) -> tuple[list[Read], list[RefusedLine]]:
    """``read_lines`` of an existing file."""
    with path.open("rb") as lines:
        return read_lines(lines, path.name, read)


def list_judgement_files(folder: Path) -> list[Path]:
    """The relevance judgements of a folder in BEIR form."""
    paths = [folder / "qrels.tsv", *sorted((folder / "qrels").glob("*.tsv"))]
    return [path for path in paths if path.is_file()]


def parse_judgements(
    lines: Iterable[str],
) -> Iterator[tuple[int, tuple[str, str, int] | None]]:
    """Each line's number from 1 with its query, document and relevance; None where it is no judgement.

    Lines have TREC's four columns or BEIR's three; empty ones and a header are left out.
    """
    for number, line in enumerate(lines, start=1):
        cells = [cell.strip() for cell in line.rstrip("\r\n").split("\t")]
        # TREC's own form has an unused column in the middle.
        fields = [cells[0], *cells[2:]] if len(cells) == 4 else cells
        relevance = _parse_relevance(fields[2]) if len(fields) == 3 else None
        if relevance is not None:
            yield number, (fields[0], fields[1], relevance)
        elif any(cells) and (number > 1 or len(fields) != 3):
            yield number, None


def _parse_relevance(cell: str) -> int | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return int(value) if value.is_integer() else None


def require_some(items: Sequence[object], skipped: Sequence[RefusedLine], where: str) -> None:
    """Raise ``UsageError`` with the first reason if no line could be used."""
    if items:
        return
    if not skipped:
        raise UsageError("eval-file-no-lines", where=where)
    line, reason = str(skipped[0].line), skipped[0].reason
    raise UsageError("eval-file-no-usable-line", where=where, line=line, reason=reason)


def report_skipped(skipped: Sequence[RefusedLine]) -> tuple[Message, ...]:
    """Notices that name the first skipped lines and count the others."""
    notices = tuple(
        Message("eval-line-left-out", file=line.file, line=str(line.line), reason=line.reason)
        for line in skipped[:NAMED]
    )
    more = len(skipped) - len(notices)
    return (*notices, Message("eval-lines-left-out", n=more)) if more else notices


def abbreviate_names(names: Sequence[str]) -> str:
    """How many names there are, with the first of them: ``7 (d1, d2, d3, d4, d5 …)``."""
    more = " …" if len(names) > NAMED else ""
    return f"{len(names):,} ({', '.join(names[:NAMED])}{more})"


def first_few(names: Sequence[Message | str], most: int = NAMED) -> Message | str:
    """The first names and how many more there are: ``d1, d2, d3 and 4 more``."""
    more, shown = len(names) - most, join_names([_shorten(name) for name in names[:most]])
    return Message("eval-first-few", names=shown, n=more) if more > 0 else shown


def _shorten(name: Message | str) -> Message | str:
    """A name from a file may be as long as the file."""
    return f"{name[: _LONGEST - 1]}…" if isinstance(name, str) and len(name) > _LONGEST else name


def join_names(names: Sequence[Message | str]) -> Message | str:
    """The names with commas between them; a list of messages would be read as sentences."""
    joined: Message | str = names[0] if names else ""
    for name in names[1:]:
        joined = Message("eval-names", first=joined, other=name)
    return joined


def require_text(row: Row, key: str) -> str:
    """The row's text under ``key``. Raises ``UnusableLine`` if it is missing, blank or not text."""
    if key not in row:
        raise UnusableLine("eval-line-lacks", key=key)
    value = row[key]
    if not isinstance(value, str):
        raise UnusableLine("eval-line-not-text", key=key, kind=_name_kind(value))
    if not value.strip():
        raise UnusableLine("eval-line-empty", key=key)
    return value


def require_label(row: Row, key: str = "label") -> bool:
    """The row's label, in any spelling of ``as_label``. Raises ``UnusableLine`` otherwise."""
    if key not in row:
        raise UnusableLine("eval-line-lacks", key=key)
    label = as_label(row[key])
    if label is None:
        raise UnusableLine("eval-line-not-flag", key=key, value=json.dumps(row[key])[:40])
    return label


def as_label(value: object) -> bool | None:
    """True or false from true, false, 1, 0, or those as text; None for anything else."""
    if isinstance(value, str):
        return {"true": True, "1": True, "false": False, "0": False}.get(value.strip().lower())
    if isinstance(value, bool | int | float) and value in (0, 1):
        return bool(value)
    return None


def _parse(text: str) -> Row:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError):
            raise UnusableLine("eval-line-not-json", reason=error.msg) from error
        raise UnusableLine("eval-line-too-large") from error
    if not isinstance(row, dict):
        raise UnusableLine("eval-line-not-object", kind=_name_kind(row))
    return _replace_surrogates(row) if "\\ud" in text.lower() else row


def _replace_surrogates(row: Row) -> Row:
    """The row with lone surrogates, which no text can contain, replaced by "?"."""
    encoded = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")
    clean: Row = json.loads(encoded)
    return clean


def _name_kind(value: object) -> str:
    kinds = ((bool, "flag"), (str, "text"), (int | float, "number"), (list, "list"))
    names = (name for kind, name in kinds if isinstance(value, kind))
    return next(names, "null" if value is None else "object")
