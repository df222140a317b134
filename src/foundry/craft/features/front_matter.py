"""The front matter of a specification, with the line that each of its keys stands on.

Only strings and lists are read, straight from YAML's nodes: nothing is constructed, so a value
is what the file says and not what YAML makes of it (``no``, ``2026-03-01``). Changes
nothing and judges nothing but what keeps the front matter from being read at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import yaml

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
# Line ends for YAML, but for no editor: what is one line there would be two here.
_SEPARATOR = re.compile("[\x85\u2028\u2029]")
_LONGEST = 64_000
"""Characters of front matter: YAML takes seconds for much more, and no specification has it."""


class Unreadable(Exception):
    """There is no front matter that can be read; ``line`` is where it fails."""

    def __init__(self, message: str, fix: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.fix, self.line = message, fix, line


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file without its end, and its end as it is ("" for the last)."""

    text: str
    end: str


@dataclass(frozen=True, slots=True)
class Entry:
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

    lines: tuple[Line, ...]
    closing: int
    entries: dict[str, Entry] = field(default_factory=dict)
    indent: str = ""

    def body(self) -> str:
        """What follows the front matter, line ends as line feeds."""
        return "\n".join(line.text for line in self.lines[self.closing :]).strip("\n")


def split_lines(text: str) -> tuple[Line, ...]:
    """A text as lines that join to exactly that text."""
    found = [Line(match[1], match[2]) for match in _LINE.finditer(text)]
    # The last match is empty where the text ends with a line end, and belongs to no line.
    return tuple(line for line in found if line.text or line.end)


def read_front_matter(text: str) -> FrontMatter:
    """The keys of a text's front matter. Raises ``Unreadable``."""
    lines = split_lines(text)
    closing = _closing(lines)
    inner = "\n".join(line.text for line in lines[1 : closing - 1])
    if len(inner) > _LONGEST:
        raise Unreadable(
            f"The front matter is too long: {len(inner):,} characters.",
            "Close it with a line --- and put the specification below it.",
            1,
        )
    separator = _SEPARATOR.search(inner)
    if separator:
        line = inner.count("\n", 0, separator.start()) + 2
        fix = "Remove it, or type that line anew."
        raise Unreadable("An invisible line separator stands in the front matter.", fix, line)
    top = _compose(inner)
    if top is None:
        return FrontMatter(lines, closing)
    entries = _entries(top, inner)
    return FrontMatter(lines, closing, entries, " " * top.start_mark.column)


def line_of(node: yaml.Node) -> int:
    """The line of the file that a value begins on."""
    return _line(node.start_mark)


def _line(mark: yaml.Mark) -> int:
    # The first line of the file is the opening ---. PyYAML counts more kinds of line end.
    return (mark.buffer or "").count("\n", 0, mark.pointer) + 2


def _closing(lines: tuple[Line, ...]) -> int:
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
        line = _line(mark) if mark else None
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


def _entries(top: yaml.MappingNode, inner: str) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    seen: set[int] = set()
    for key, value in top.value:
        line = line_of(key)
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
        entries[key.value] = Entry(key.value, value, line, _last(value, inner, line))
    return entries


def _last(value: yaml.Node, inner: str, line: int) -> int:
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
