"""The front matter of a specification: its keys, the lines they are on, and their usable values.

The file itself is never written through YAML: whoever changes it replaces whole lines, so all
others stay byte for byte and the hash of an approval keeps its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import yaml
from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from foundry.analysis.lexer import LINE
from foundry.config.yaml_text import AliasFound, RepeatedKey, compose_yaml, construct_yaml
from foundry.messages import Message, Parameter
from foundry.records import SECTION_FORMS, Approval, SectionForm

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

    ``closing`` is the line of the second ``---``; ``nodes`` are each key's own and its value's.
    """

    lines: tuple[FileLine, ...]
    closing: int
    keys: Mapping[str, Any] = field(default_factory=dict)
    nodes: Mapping[str, tuple[yaml.Node, yaml.Node]] = field(default_factory=dict)

    @property
    def body(self) -> str:
        """The text after the front matter, with line feeds as line ends."""
        return "\n".join(line.text for line in self.lines[self.closing :]).strip("\n")

    @property
    def indent(self) -> str:
        """The blanks before each key."""
        return next((" " * key.start_mark.column for key, _ in self.nodes.values()), "")

    def get_line(self, key: str) -> int:
        """The line of a key; 1 where the key is missing."""
        return self._starts.get(key, 1)

    def list_items(self, key: str) -> list[tuple[Any, int]]:
        """The entries of a list with their lines; empty for anything else."""
        value = self.keys.get(key)
        if not isinstance(value, list):
            return []
        return [
            (item, _find_line(node))
            for item, node in zip(value, self.nodes[key][1].value, strict=True)
        ]

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
    def _starts(self) -> dict[str, int]:
        return {key: _find_line(node) for key, (node, _) in self.nodes.items()}

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
    forms: Mapping[str, SectionForm] = field(default_factory=dict)


def split_lines(text: str) -> tuple[FileLine, ...]:
    """Split a text into lines that join to exactly that text."""
    lines = [FileLine(match[1], match[2]) for match in LINE.finditer(text)]
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
    return FrontMatter(lines, closing, *_load(inner))


def _find_line(node: yaml.Node) -> int:
    # The first line of the file is the opening ---.
    return int(node.start_mark.line) + 2


def _find_closing(lines: tuple[FileLine, ...]) -> int:
    if not lines or lines[0].text.rstrip() != "---":
        raise Unreadable("feature-front-matter-missing", 1)
    for number, line in enumerate(lines[1:], 2):
        if line.text.rstrip() in {"---", "..."}:
            return number
    raise Unreadable("feature-front-matter-open", 1)


def _load(inner: str) -> tuple[dict[str, Any], dict[str, tuple[yaml.Node, yaml.Node]]]:
    """The values and the nodes of the keys."""
    try:
        node = compose_yaml(inner)
        _require_plain_keys(node)
        keys = construct_yaml(node)
    except RepeatedKey as error:
        first, line = (int(line) + 1 for line in error.lines)
        raise Unreadable("feature-key-twice", line, key=error.key, first=str(first)) from error
    except ReaderError as error:
        line = inner.count("\n", 0, error.position) + 2
        raise Unreadable("feature-control-character", line) from error
    except yaml.YAMLError as error:
        mark = isinstance(error, MarkedYAMLError) and (error.problem_mark or error.context_mark)
        problem = getattr(error, "problem", None) or error
        place = mark.line + 2 if mark else None
        if isinstance(error, AliasFound):
            raise Unreadable("feature-alias", place) from error
        raise Unreadable("feature-not-yaml", place, cause=str(problem)) from error
    except ValueError as error:
        # A date with a 13th month, or a number of thousands of digits.
        cause = str(error).partition(";")[0].rstrip(".")
        raise Unreadable("feature-not-yaml", cause=cause) from error
    except RecursionError as error:
        raise Unreadable("feature-nested-deeply", 2) from error
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return keys or {}, {key.value: (key, value) for key, value in pairs}


def _require_plain_keys(node: yaml.Node | None) -> None:
    """Raise ``Unreadable`` for what is no list of keys with values, in lines of their own."""
    if node is None or node.tag.endswith(":null"):
        return
    if not isinstance(node, yaml.MappingNode) or node.flow_style or not node.tag.endswith(":map"):
        raise Unreadable("feature-not-mapping", 2)
    odd = next((key for key, _ in node.value if not key.tag.endswith(":str")), None)
    if odd is not None:
        raise Unreadable("feature-odd-key", _find_line(odd))


def read_values(front: FrontMatter) -> SpecificationValues:
    """The usable values: text on one line, lists without empty or repeated entries."""
    return SpecificationValues(
        title=get_words(front.keys.get("title")) or "",
        status=get_words(front.keys.get("status")) or "draft",
        owner=get_words(front.keys.get("owner")) or "",
        sections=_collect_words(front, "sections"),
        source_hierarchy=_collect_words(front, "source_hierarchy"),
        approval=_parse_approval(front.keys.get("approval")),
        forms=_collect_forms(front),
    )


def get_words(value: object) -> str | None:
    """A text on one line; "" for an empty value, None for anything that is not text."""
    if value is None:
        return ""
    return " ".join(value.split()) if isinstance(value, str) else None


def split_section(item: object) -> tuple[str | None, object]:
    """The heading of a section as ``get_words`` gives it, and the form behind its colon if it has one."""
    if isinstance(item, dict) and len(item) == 1:
        [(heading, form)] = item.items()
        return get_words(heading), "" if form is None else form
    return get_words(item), None


def fold_heading(words: str) -> str:
    """A heading without what a reader does not see as a difference: case and blanks."""
    return " ".join(words.casefold().split())


def _collect_words(front: FrontMatter, key: str) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for item, _ in front.list_items(key):
        words = split_section(item)[0] if key == "sections" else get_words(item)
        if words:
            kept.setdefault(fold_heading(words) if key == "sections" else words, words)
    return tuple(kept.values())


def _collect_forms(front: FrontMatter) -> dict[str, SectionForm]:
    sections = (split_section(item) for item, _ in front.list_items("sections"))
    return {
        words: known
        for words, form in sections
        for known in SECTION_FORMS
        if words and known == form
    }


def _parse_approval(value: object) -> Approval | None:
    """The approval, if it is complete: a name, a time and a hash."""
    if not isinstance(value, dict):
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
