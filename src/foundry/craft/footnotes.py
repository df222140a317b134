"""Footnotes of a draft's file, also after a person edited it.

Finds marks and definitions and what is wrong with them, splits a draft into its parts, and merges
the notes of several drafts into one list. Nothing is repaired, and no word is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import yaml

from foundry.analysis.lexer import FOOTNOTE, WORD, match_marker
from foundry.messages import Message
from foundry.records import CitationNote, Problem
from foundry.text.markdown import find_marks, lower_headings, parse_markdown

_INDENTS = ("    ", "\t")
_BLOCK_STARTS = ("#", ">", "```", "~~~", "|", "[^")
_BETWEEN = r"(?:\[\^[^\]\s]+\]|[\W_])+?"
"""What may be between two words of a statement in Markdown: marks, emphasis, escapes, line ends."""

_BEHIND = r"(?:\[\^[^\]\s]+\]|[^\w\s\[])*"


@dataclass(frozen=True, slots=True)
class FootnoteMark:
    """A mark in the text; ``line`` counts from 1 in the file."""

    label: str
    line: int


@dataclass(frozen=True, slots=True)
class FootnoteDefinition:
    """A footnote; ``place`` and ``quotes`` are Markdown, each on one line."""

    label: str
    line: int
    place: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftHeading:
    """The heading of a section, as it is read; ``line`` counts from 1 in the file."""

    title: str
    line: int


@dataclass(frozen=True, slots=True)
class DraftProblem(Problem):
    """A problem in a draft's file, with its line (from 1)."""

    line: int


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The marks and definitions of a draft; valid if ``problems`` is empty."""

    marks: tuple[FootnoteMark, ...]
    definitions: tuple[FootnoteDefinition, ...]
    problems: tuple[DraftProblem, ...]


@dataclass(frozen=True, slots=True)
class DraftParts:
    """The parts of a draft.

    ``body`` is Markdown without front matter, title and notes, its headings from level 2 on.
    """

    title: str
    body: str
    definitions: tuple[FootnoteDefinition, ...]
    problems: tuple[DraftProblem, ...]
    headings: tuple[DraftHeading, ...] = ()


@dataclass(slots=True)
class _RawDefinition:
    """A definition whose lines are being read."""

    label: str
    line: int
    lines: list[str] = field(default_factory=list)


def find_footnotes(text: str) -> Footnotes:
    """The marks and definitions of a draft, with all problems by line.

    Marks in code do not count, numbers may have gaps, and a label may be any text without blanks,
    in upper or lower case.
    """
    lines = _split_lines(text)
    _blank_lines(lines, 0, _find_front_matter_end(lines))
    definitions = _take_definitions(lines)
    marks, broken = _read_marks("\n".join(lines))
    problems = [*broken, *_check_definitions(definitions), *_check_matches(marks, definitions)]
    return Footnotes(marks, definitions, tuple(sorted(problems, key=lambda problem: problem.line)))


def split_draft(text: str) -> DraftParts:
    """Split a draft's file into its parts; a damaged front matter is a problem, not an error."""
    lines = _split_lines(text)
    end = _find_front_matter_end(lines)
    wrong = _check_front_matter(lines, end)
    _blank_lines(lines, 0, end)
    footnotes = find_footnotes(text)
    _take_definitions(lines)
    headings = tuple(_find_headings("\n".join(lines)))
    title, body = _take_title(lines)
    if any(find_marks(title)):
        wrong = (*wrong, DraftProblem(Message("footnote-in-title"), end + 1))
    problems = (*wrong, *footnotes.problems)
    return DraftParts(title, body, footnotes.definitions, problems, headings)


def compare_headings(
    headings: Sequence[DraftHeading], titles: Sequence[str]
) -> tuple[DraftProblem, ...]:
    """How a draft's sections differ from those that its agent declares: the same, in that order."""
    found = [heading.title for heading in headings]
    declared = [" ".join(title.split()) for title in titles]
    end = headings[-1].line if headings else 1
    problems = [
        DraftProblem(Message("agent-heading-missing", title=title), end)
        for title in declared
        if title not in found
    ]
    kept: list[DraftHeading] = []
    for heading in headings:
        if heading.title in declared and heading.title not in [one.title for one in kept]:
            kept.append(heading)
        else:
            problem = Message("agent-heading-added", title=heading.title)
            problems.append(DraftProblem(problem, heading.line))
    wanted = [title for title in declared if title in found]
    problems += [
        DraftProblem(Message("agent-heading-moved", title=heading.title), heading.line)
        for heading, title in zip(kept, wanted, strict=True)
        if heading.title != title
    ]
    return tuple(problems)


def _find_headings(text: str) -> Iterator[DraftHeading]:
    for token, inline in pairwise(parse_markdown(text)):
        if token.type == "heading_open" and token.tag == "h2" and token.map and token.level == 0:
            words = "".join(
                " " if child.type in {"softbreak", "hardbreak"} else child.content
                for child in inline.children or ()
            )
            yield DraftHeading(" ".join(words.split()), token.map[0] + 1)


def renumber(drafts: Sequence[DraftParts]) -> tuple[tuple[str, ...], tuple[CitationNote, ...]]:
    """Renumber the marks of several drafts into one list of notes: the new bodies, and the list.

    Notes are numbered by first use over all drafts; equal place and quotes share a number. A mark
    without a definition stays as written.
    """
    numbers: dict[tuple[str, tuple[str, ...]], int] = {}
    bodies: list[str] = []
    for draft in drafts:
        known = {
            _fold_label(definition.label): (definition.place, definition.quotes)
            for definition in draft.definitions[::-1]
        }
        labels: dict[str, int] = {}
        for mark in find_marks(draft.body):
            note = None if mark.label is None else known.get(_fold_label(mark.label))
            if mark.label is not None and note is not None:
                labels[_fold_label(mark.label)] = numbers.setdefault(note, len(numbers) + 1)
        bodies.append(_relabel(draft.body, labels))
    notes = tuple(
        CitationNote(number, place, quotes) for (place, quotes), number in numbers.items()
    )
    return tuple(bodies), notes


def mark_statements(body: str, statements: Sequence[str], mark: str) -> str:
    """The body with a mark behind each of the statements, wherever its words are.

    One that is not found, such as a statement made of the cells of a table, is added with its mark
    at the end, so that none goes unmarked.
    """
    for statement in statements:
        words = map(re.escape, WORD.findall(statement))
        pattern = re.compile(f"(?<!\\w){_BETWEEN.join(words)}(?!\\w){_BEHIND}")
        body, found = pattern.subn(lambda match: f"{match[0]} {mark}", body)
        if not found:
            body = f"{body.rstrip()}\n\n“{statement}” {mark}\n"
    return body


def _split_lines(text: str) -> list[str]:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _blank_lines(lines: list[str], start: int, end: int) -> None:
    # Lines are emptied, not removed, so that every later line keeps its number.
    lines[start:end] = [""] * (end - start)


def _fold_label(label: str) -> str:
    return label.casefold()


# Front matter


def _find_front_matter_end(lines: Sequence[str]) -> int:
    """The number of lines of the front matter; 0 if there is none."""
    if lines[0].rstrip() != "---":
        return 0
    ends = (index for index, line in enumerate(lines[1:], 1) if line.rstrip() in {"---", "..."})
    return next(ends, -1) + 1


def _check_front_matter(lines: Sequence[str], end: int) -> tuple[DraftProblem, ...]:
    if not end:
        if lines[0].rstrip() != "---":
            return ()
        return (DraftProblem(Message("footnote-front-matter-open"), 1),)
    try:
        read = yaml.safe_load("\n".join(lines[1 : end - 1]))
    # Impossible dates and deep nesting raise Python's own errors.
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = " ".join(str(getattr(error, "problem", None) or error).split())
        damage = Message("footnote-front-matter-damaged", cause=reason)
        return (DraftProblem(damage, (mark.line if mark else 0) + 2),)
    if read is None or isinstance(read, dict):
        return ()
    return (DraftProblem(Message("footnote-front-matter-not-keys"), 2),)


# Definitions


def _take_definitions(lines: list[str]) -> tuple[FootnoteDefinition, ...]:
    """The definitions in the lines; their lines are emptied."""
    code = _find_code_lines(lines)
    definitions: list[_RawDefinition] = []
    current: _RawDefinition | None = None
    for index, line in enumerate(lines):
        start = None if index in code and current is None else FOOTNOTE.fullmatch(line)
        if start and index not in code:
            current = _RawDefinition(start["label"], index + 1, [start["text"].strip()])
            definitions.append(current)
        elif current is None or not _is_continuation(line, lines[index - 1], current):
            current = None
            continue
        else:
            current.lines.append(line)
        lines[index] = ""
    return tuple(_parse_definition(raw) for raw in definitions)


def _is_continuation(line: str, before: str, current: _RawDefinition) -> bool:
    """Whether a line continues the definition above: blank, indented, or wrapped."""
    if not line.strip() or line.startswith(_INDENTS):
        return True
    opens = line.lstrip().startswith(_BLOCK_STARTS) or match_marker(line)
    wrapped = bool(current.lines[-1].strip()) and not opens
    return wrapped and before == ""


def _find_code_lines(lines: Sequence[str]) -> frozenset[int]:
    """The lines of fenced code, from 0."""
    text = "\n".join(lines)
    if "```" not in text and "~~~" not in text:
        return frozenset()
    fences = (token.map for token in parse_markdown(text) if token.type == "fence")
    return frozenset(index for span in fences if span for index in range(*span))


def _parse_definition(raw: _RawDefinition) -> FootnoteDefinition:
    words: list[str] = []
    quotes: list[str] = []
    quoting = False
    for line in raw.lines:
        inner = line.strip()
        quoted = inner.startswith(">")
        if quoted and quoting:
            quotes[-1] = f"{quotes[-1]} {inner[1:].strip()}".strip()
        elif quoted:
            quotes.append(inner[1:].strip())
        elif inner:
            words.append(inner)
        quoting = quoted
    kept = tuple(quote for quote in quotes if quote)
    return FootnoteDefinition(raw.label, raw.line, " ".join(words), kept)


# What is wrong


def _read_marks(text: str) -> tuple[tuple[FootnoteMark, ...], list[DraftProblem]]:
    marks: list[FootnoteMark] = []
    broken: list[DraftProblem] = []
    for mark in find_marks(text):
        if mark.label is not None:
            marks.append(FootnoteMark(mark.label, mark.line + 1))
        else:
            problem = Message("footnote-mark-invalid", mark=mark.text)
            broken.append(DraftProblem(problem, mark.line + 1))
    return tuple(marks), broken


def _check_definitions(definitions: Sequence[FootnoteDefinition]) -> Iterator[DraftProblem]:
    first: dict[str, int] = {}
    for definition in definitions:
        shown = f"[^{definition.label}]"
        if not definition.place and not definition.quotes:
            yield DraftProblem(Message("footnote-empty", mark=shown), definition.line)
        if _fold_label(definition.label) in first:
            where = first[_fold_label(definition.label)]
            problem = Message("footnote-twice", mark=shown, first=str(where))
            yield DraftProblem(problem, definition.line)
        first.setdefault(_fold_label(definition.label), definition.line)
        inner, broken = _read_marks("\n\n".join((definition.place, *definition.quotes)))
        if inner or broken:
            yield DraftProblem(Message("footnote-contains-mark", mark=shown), definition.line)


def _check_matches(
    marks: Sequence[FootnoteMark], definitions: Sequence[FootnoteDefinition]
) -> Iterator[DraftProblem]:
    defined = {_fold_label(definition.label) for definition in definitions}
    used = {_fold_label(item.label) for item in marks}
    for mark in marks:
        if _fold_label(mark.label) not in defined:
            yield DraftProblem(Message("footnote-missing", mark=f"[^{mark.label}]"), mark.line)
    for definition in definitions:
        if _fold_label(definition.label) not in used:
            problem = Message("footnote-unused", mark=f"[^{definition.label}]")
            yield DraftProblem(problem, definition.line)


# Bodies


def _take_title(lines: list[str]) -> tuple[str, str]:
    """The heading of level 1 that opens the text ("" if none), and the rest."""
    tokens = parse_markdown("\n".join(lines))
    title = ""
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1" and tokens[0].map:
        title = " ".join(tokens[1].content.split())
        _blank_lines(lines, *tokens[0].map)
        tokens = tokens[3:]
    body = "\n".join(lines)
    if any(token.type == "heading_open" and token.tag == "h1" for token in tokens):
        body = lower_headings(body)
    if not any(token.type in {"fence", "code_block"} for token in tokens):
        body = re.sub(r"\n{3,}", "\n\n", body)
    return title, body.strip("\n")


def _relabel(body: str, labels: Mapping[str, int]) -> str:
    """The body with the label of each mark replaced."""
    lines = body.split("\n")
    # From the end, so that earlier columns stay valid.
    for mark in reversed(list(find_marks(body))):
        if mark.label is not None and _fold_label(mark.label) in labels:
            line, end = lines[mark.line], mark.column + len(mark.text)
            lines[mark.line] = (
                f"{line[: mark.column]}[^{labels[_fold_label(mark.label)]}]{line[end:]}"
            )
    return "\n".join(lines)
