"""The front matter of a specification: its keys, the lines they are on, and their usable values.

ruamel.yaml reads it, because it keeps the line of every key and list entry. The file itself is
never written through YAML: whoever changes it replaces whole lines, so all others stay byte for
byte and the hash of an approval keeps its meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.reader import ReaderError

from foundry.messages import Message, Parameter
from foundry.records import Approval

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
# Line ends to YAML but not to an editor: they would shift every line number.
_LINE_SEPARATOR = re.compile("[\x85\u2028\u2029]")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_CHARS = 64_000
"""Characters of front matter. Far more than a specification needs; YAML takes seconds beyond it."""


class Unreadable(Exception):
    """The front matter cannot be read. ``line`` is where it fails, None where unknown."""

    def __init__(self, code: str, line: int | None = None, **params: Parameter) -> None:
        super().__init__(code)
        self.problem, self.line = Message(code, **params), line


@dataclass(frozen=True, slots=True)
class FileLine:
    """One line of a file without its end, and that end ("" for the last line)."""

    text: str
    end: str


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """All lines of a file and the keys of its front matter; lines count from 1.

    ``closing`` is the line of the second ``---``.
    """

    lines: tuple[FileLine, ...]
    closing: int
    keys: CommentedMap = field(default_factory=CommentedMap)

    @property
    def body(self) -> str:
        """The text after the front matter, with line feeds as line ends."""
        return "\n".join(line.text for line in self.lines[self.closing :]).strip("\n")

    @property
    def indent(self) -> str:
        """The blanks before each key."""
        return " " * self.keys.lc.col if self.keys else ""

    def get_line(self, key: str) -> int:
        """The line of a key; 1 where the key is missing."""
        return self._starts.get(key, 1)

    def get_lines(self, key: str) -> range:
        """The lines of a key and its value, without comments and blanks after it; may be empty."""
        start = self._starts.get(key)
        if start is None:
            return range(0)
        end = min((later for later in self._starts.values() if later > start), default=self.closing)
        while not self.lines[end - 2].text.strip() or self._is_comment(end - 1):
            end -= 1
        return range(start, end)

    @property
    def _starts(self) -> dict[Any, int]:
        # The first line of the file is the opening ---.
        return {key: place[0] + 2 for key, place in (self.keys.lc.data or {}).items()}

    def _is_comment(self, line: int) -> bool:
        return self.lines[line - 1].text.lstrip().startswith("#")


@dataclass(frozen=True, slots=True)
class SpecificationValues:
    """What the front matter says, as far as it can be used."""

    title: str = ""
    status: str = "draft"
    owner: str = ""
    sections: tuple[str, ...] = ()
    source_hierarchy: tuple[str, ...] = ()
    approval: Approval | None = None


def split_lines(text: str) -> tuple[FileLine, ...]:
    """Split a text into lines that join to exactly that text."""
    lines = [FileLine(match[1], match[2]) for match in _LINE.finditer(text)]
    # The last match is empty where the text ends with a line end; it is not a line.
    return tuple(line for line in lines if line.text or line.end)


def read_front_matter(text: str) -> FrontMatter:
    """Read the keys of a text's front matter. Raises ``Unreadable``."""
    lines = split_lines(text)
    closing = _find_closing(lines)
    inner = "\n".join(line.text for line in lines[1 : closing - 1])
    if len(inner) > _MAX_CHARS:
        raise Unreadable("feature-front-matter-long", 1, length=len(inner))
    separator = _LINE_SEPARATOR.search(inner)
    if separator:
        line = inner.count("\n", 0, separator.start()) + 2
        raise Unreadable("feature-line-separator", line)
    keys = _load(inner)
    return FrontMatter(lines, closing) if keys is None else FrontMatter(lines, closing, keys)


def _find_closing(lines: tuple[FileLine, ...]) -> int:
    if not lines or lines[0].text.rstrip() != "---":
        raise Unreadable("feature-front-matter-missing", 1)
    for number, line in enumerate(lines[1:], 2):
        if line.text.rstrip() in {"---", "..."}:
            return number
    raise Unreadable("feature-front-matter-open", 1)


def _load(inner: str) -> CommentedMap | None:
    try:
        keys = _reader().load(inner)
        _reject_aliases(inner)
    except DuplicateKeyError as error:
        raise _explain_duplicate(error, inner) from error
    except ReaderError as error:
        line = inner.count("\n", 0, error.position) + 2
        raise Unreadable("feature-control-character", line) from error
    except YAMLError as error:
        mark = isinstance(error, MarkedYAMLError) and (error.problem_mark or error.context_mark)
        problem = getattr(error, "problem", None) or error
        place = mark.line + 2 if mark else None
        raise Unreadable("feature-not-yaml", place, cause=str(problem)) from error
    except (ValueError, OverflowError) as error:
        # A date with a 13th month, or a number of thousands of digits.
        cause = str(error).partition(";")[0].rstrip(".")
        raise Unreadable("feature-not-yaml", cause=cause) from error
    except RecursionError as error:
        raise Unreadable("feature-nested-deeply", 2) from error
    if keys is None:
        return None
    if not isinstance(keys, CommentedMap) or keys.fa.flow_style():
        raise Unreadable("feature-not-mapping", 2)
    odd = next((key for key in keys if not isinstance(key, str)), None)
    if odd is not None:
        line = keys.lc.key(odd)[0] + 2
        raise Unreadable("feature-odd-key", line)
    return keys


def _reader() -> YAML:
    reader = YAML()
    # As in foundry.yaml: an unquoted yes or no is not text.
    reader.version = "1.1"
    return reader


def _reject_aliases(inner: str) -> None:
    """An alias could show text that the hash of an approval does not cover."""
    for event in _reader().parse(inner):
        if isinstance(event, AliasEvent):
            raise Unreadable("feature-alias", event.start_mark.line + 2)


def _explain_duplicate(error: DuplicateKeyError, inner: str) -> Unreadable:
    line = error.problem_mark.line
    lines = inner.split("\n")
    key = lines[line].split(":")[0].strip()
    first = next((n for n, other in enumerate(lines) if other.split(":")[0].strip() == key), line)
    return Unreadable("feature-key-twice", line + 2, key=key, first=str(first + 2))


def read_values(front: FrontMatter) -> SpecificationValues:
    """The usable values: text on one line, lists without empty or repeated entries."""
    return SpecificationValues(
        title=get_words(front.keys.get("title")) or "",
        status=get_words(front.keys.get("status")) or "draft",
        owner=get_words(front.keys.get("owner")) or "",
        sections=_collect_words(front, "sections"),
        source_hierarchy=_collect_words(front, "source_hierarchy"),
        approval=_parse_approval(front.keys.get("approval")),
    )


def get_words(value: object) -> str | None:
    """A text on one line; "" for an empty value, None for anything that is not text."""
    if value is None:
        return ""
    return " ".join(value.split()) if isinstance(value, str) else None


def list_items(value: object) -> list[tuple[Any, int]]:
    """The entries of a list with their lines; empty for anything else."""
    if not isinstance(value, CommentedSeq):
        return []
    return [(item, value.lc.item(index)[0] + 2) for index, item in enumerate(value)]


def fold_heading(words: str) -> str:
    """A heading without what a reader does not see as a difference: case and blanks."""
    return " ".join(words.casefold().split())


def _collect_words(front: FrontMatter, key: str) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for item, _ in list_items(front.keys.get(key)):
        words = get_words(item)
        if words:
            kept.setdefault(fold_heading(words) if key == "sections" else words, words)
    return tuple(kept.values())


def _parse_approval(value: object) -> Approval | None:
    """The approval, if it is complete: a name, a time and a hash."""
    if not isinstance(value, CommentedMap):
        return None
    by, digest = get_words(value.get("by")), get_words(value.get("sha256"))
    try:
        # Unquoted it is a time already, which reads the same.
        time = datetime.fromisoformat(str(value.get("at")))
    except ValueError:
        return None
    if not by or not digest or not _SHA256.fullmatch(digest):
        return None
    return Approval(by, time if time.tzinfo else time.replace(tzinfo=UTC), digest)
