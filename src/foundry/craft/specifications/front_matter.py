"""The front matter of a specification: its keys with their lines, and the values they hold.

Only strings and lists are read, straight from YAML nodes: nothing is constructed, so a value is
what the file says and not what YAML makes of it (``no``, ``2026-03-01``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain

import yaml

from foundry.records import Approval

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
# Line ends for YAML, but for no editor: what is one line there would be two here.
_LINE_SEPARATOR = re.compile("[\x85\u2028\u2029]")
_MAX_CHARS = 64_000
"""Characters of front matter: YAML takes seconds for much more, and no specification has it."""


class Unreadable(Exception):
    """There is no front matter that can be read; ``line`` is where it fails."""

    def __init__(self, message: str, fix: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.fix, self.line = message, fix, line


@dataclass(frozen=True, slots=True)
class FileLine:
    """One line of a file without its end, and its end as it is ("" for the last)."""

    text: str
    end: str


@dataclass(frozen=True, slots=True)
class FrontMatterEntry:
    """A key with its value; lines count from 1 in the file, ``last`` included."""

    key: str
    value: yaml.Node
    line: int
    last: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Every line of a file, its keys, and where the front matter closes.

    ``closing`` is the line of the second ``---``; ``indent`` stands before every key.
    """

    lines: tuple[FileLine, ...]
    closing: int
    entries: dict[str, FrontMatterEntry] = field(default_factory=dict)
    indent: str = ""

    def body(self) -> str:
        """What follows the front matter, line ends as line feeds."""
        return "\n".join(line.text for line in self.lines[self.closing :]).strip("\n")


def split_lines(text: str) -> tuple[FileLine, ...]:
    """A text as lines that join to exactly that text."""
    found = [FileLine(match[1], match[2]) for match in _LINE.finditer(text)]
    # The last match is empty where the text ends with a line end, and belongs to no line.
    return tuple(line for line in found if line.text or line.end)


def read_front_matter(text: str) -> FrontMatter:
    """The keys of a text's front matter. Raises ``Unreadable``."""
    lines = split_lines(text)
    closing = _find_closing(lines)
    inner = "\n".join(line.text for line in lines[1 : closing - 1])
    if len(inner) > _MAX_CHARS:
        raise Unreadable(
            f"The front matter is too long: {len(inner):,} characters.",
            "Close it with a line --- and put the specification below it.",
            1,
        )
    separator = _LINE_SEPARATOR.search(inner)
    if separator:
        line = inner.count("\n", 0, separator.start()) + 2
        fix = "Remove it, or type that line anew."
        raise Unreadable("An invisible line separator stands in the front matter.", fix, line)
    top = _compose(inner)
    if top is None:
        return FrontMatter(lines, closing)
    entries = _read_entries(top, inner)
    return FrontMatter(lines, closing, entries, " " * top.start_mark.column)


def get_line(node: yaml.Node) -> int:
    """The line of the file that a value begins on."""
    return _convert_mark(node.start_mark)


def _convert_mark(mark: yaml.Mark) -> int:
    # The first line of the file is the opening ---. PyYAML counts more kinds of line end.
    return (mark.buffer or "").count("\n", 0, mark.pointer) + 2


def _find_closing(lines: tuple[FileLine, ...]) -> int:
    if not lines or lines[0].text.rstrip() != "---":
        raise Unreadable(
            "There is no front matter.",
            "Begin the file with a line ---, then title, owner and sections, then a line ---.",
            1,
        )
    for number, line in enumerate(lines[1:], 2):
        if line.text.rstrip() in {"---", "..."}:
            return number
    raise Unreadable("The front matter is not closed.", "End it with a line --- of its own.", 1)


def _compose(inner: str) -> yaml.MappingNode | None:
    try:
        top = yaml.compose(inner, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or str(error)
        fix = "Mend that line; a text with a colon or a # needs quotes, and no tab may indent."
        line = _convert_mark(mark) if mark else None
        raise Unreadable(f"This is not valid YAML: {problem}.", fix, line) from error
    except yaml.reader.ReaderError as error:
        line = inner.count("\n", 0, error.position) + 2
        fix = "Remove the control character from that line."
        raise Unreadable("A character stands there that YAML does not allow.", fix, line) from error
    except RecursionError as error:
        fix = "Write each key on a line of its own, and sections as a plain list."
        raise Unreadable("The front matter is nested too deeply.", fix, 2) from error
    if top is None:
        return None
    if not isinstance(top, yaml.MappingNode) or top.flow_style:
        fix = "Write each key on a line of its own: title: …, owner: …, sections: …"
        raise Unreadable("The front matter is no list of keys and values.", fix, 2)
    return top


def _read_entries(top: yaml.MappingNode, inner: str) -> dict[str, FrontMatterEntry]:
    entries: dict[str, FrontMatterEntry] = {}
    seen: set[int] = set()
    for key, value in top.value:
        line = get_line(key)
        for node in chain(_walk(key), _walk(value)):
            if id(node) in seen:
                fix = "Write the value out in both places."
                raise Unreadable("An alias (*name) stands for another value.", fix, line)
            seen.add(id(node))
        if not isinstance(key, yaml.ScalarNode):
            raise Unreadable("A key is no plain word.", "Write it as word: value.", line)
        if key.value in entries:
            fix = "Keep one of the two."
            message = f"The key {key.value} stands twice (first on line {entries[key.value].line})."
            raise Unreadable(message, fix, line)
        entries[key.value] = FrontMatterEntry(
            key.value, value, line, _find_last_line(value, inner, line)
        )
    return entries


def _find_last_line(value: yaml.Node, inner: str, line: int) -> int:
    """The last line of a value: without the comments and blank lines that follow it."""
    leaf = value
    while isinstance(leaf, yaml.CollectionNode) and not leaf.flow_style and leaf.value:
        deepest = leaf.value[-1]
        leaf = deepest[1] if isinstance(deepest, tuple) else deepest
    end = leaf.end_mark.index
    if isinstance(leaf, yaml.CollectionNode) and not leaf.flow_style:
        end = leaf.start_mark.index
    # A block text ends where the next key begins.
    words = inner[:end].rstrip()
    return max(line, words.count("\n") + 2)


def _walk(node: yaml.Node) -> Iterator[yaml.Node]:
    """A node and all below it; endless where an alias makes a circle."""
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        if isinstance(one, yaml.SequenceNode):
            pending += one.value
        elif isinstance(one, yaml.MappingNode):
            pending += [part for pair in one.value for part in pair]


_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SpecificationValues:
    """What the front matter says, as far as it can be used."""

    title: str = ""
    status: str = "draft"
    owner: str = ""
    sections: tuple[str, ...] = ()
    source_hierarchy: tuple[str, ...] = ()
    approval: Approval | None = None


def read_values(front: FrontMatter) -> SpecificationValues:
    """The usable values: texts on one line, lists without empty and repeated entries."""
    return SpecificationValues(
        title=_get_text(front, "title"),
        status=_get_text(front, "status") or "draft",
        owner=_get_text(front, "owner"),
        sections=_get_list(front, "sections"),
        source_hierarchy=_get_list(front, "source_hierarchy"),
        approval=_parse_approval(front),
    )


def get_words(node: yaml.Node | None) -> str | None:
    """A text on one line; None for what YAML does not read as a text, "" for nothing."""
    if not isinstance(node, yaml.ScalarNode):
        return None
    if node.tag == "tag:yaml.org,2002:null":
        return ""
    return " ".join(node.value.split()) if node.tag == "tag:yaml.org,2002:str" else None


def list_items(node: yaml.Node | None) -> list[yaml.Node]:
    """The entries of a list; none for anything else."""
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def fold_heading(words: str) -> str:
    """What two sections have in common that a reader takes for one."""
    return " ".join(words.casefold().split())


def _get_text(front: FrontMatter, key: str) -> str:
    entry = front.entries.get(key)
    return get_words(entry.value if entry else None) or ""


def _get_list(front: FrontMatter, key: str) -> tuple[str, ...]:
    entry = front.entries.get(key)
    words = [get_words(node) for node in list_items(entry.value if entry else None)]
    kept: dict[str, str] = {}
    for one in words:
        if one:
            kept.setdefault(fold_heading(one) if key == "sections" else one, one)
    return tuple(kept.values())


def _parse_approval(front: FrontMatter) -> Approval | None:
    """The approval, if it is whole: a name, a time and a hash."""
    entry = front.entries.get("approval")
    if entry is None or not isinstance(entry.value, yaml.MappingNode):
        return None
    told = {
        key.value: value.value
        for key, value in entry.value.value
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)
    }
    by, digest = " ".join(told.get("by", "").split()), told.get("sha256", "")
    try:
        time = datetime.fromisoformat(told.get("at", ""))
    except ValueError:
        return None
    if not by or not _SHA256.fullmatch(digest):
        return None
    return Approval(by, time if time.tzinfo else time.replace(tzinfo=UTC), digest)
