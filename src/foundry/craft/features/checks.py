"""What is missing or wrong in a specification that can be read, with the line it stands on.

A blocking problem prevents approval: the document could not be made as it is meant, or
whoever approves cannot see what is approved. Everything else is a hint.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator

import yaml

from foundry.craft.features.front_matter import Entry, FrontMatter, line_of
from foundry.craft.features.values import Values, items_of, same, words_of
from foundry.records import SpecProblem

KEYS = ("title", "status", "owner", "sections", "source_hierarchy", "approval")
_REQUIRED = {
    "title": "title: what the document is called",
    "owner": "owner: who answers for the document",
}
_MOST_SECTIONS = 100
_LONGEST_SECTION = 200
_LONGEST_BODY = 40_000
"""Characters: some 10,000 tokens, which every prompt of the document would carry."""

_NAME = re.compile(r"[^\W_][\w-]{0,63}")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# What opens or closes a part of a prompt, or poses as another speaker.
_PROMPT_TAG = re.compile(
    r"</?\s*(?:context|system|assistant|user)\b[^>\n]*>|<\|[^|\n]{1,40}\|>|\[/?INST\]",
    re.IGNORECASE,
)
# Characters that reorder what is read, or spell out words that nobody sees.
_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def name_problem(name: str) -> SpecProblem | None:
    """Why a specification cannot be called that; None where it can."""
    if _NAME.fullmatch(unicodedata.normalize("NFC", name)):
        return None
    return SpecProblem(
        f"{name!r} is no name for a specification.",
        "Use letters, digits, - and _, beginning with a letter or digit; at most 64.",
    )


def find_problems(front: FrontMatter, values: Values) -> list[SpecProblem]:
    """Everything wrong with the specification itself, in the order of its lines."""
    found = [
        *_unknown_keys(front),
        *_missing(front),
        *_status(front, values),
        *_sections(front),
        *_hierarchy(front),
        *_body(front),
    ]
    return sorted(found, key=lambda one: one.line or 0)


def _unknown_keys(front: FrontMatter) -> Iterator[SpecProblem]:
    for key, entry in front.entries.items():
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)[0]
            message = f"Unknown key {key}; the nearest known key is {near}."
            yield SpecProblem(message, f"Correct it, or remove it: {', '.join(KEYS)}.", entry.line)


def _missing(front: FrontMatter) -> Iterator[SpecProblem]:
    for key, told in _REQUIRED.items():
        entry = front.entries.get(key)
        words = words_of(entry.value if entry else None)
        if entry is None or words == "":
            yield SpecProblem(f"It has no {key}.", f"Add {told}.", entry.line if entry else 1)
        elif words is None:
            yield _no_text(key, entry)


def _status(front: FrontMatter, values: Values) -> Iterator[SpecProblem]:
    entry = front.entries.get("status")
    if entry and words_of(entry.value) is None:
        yield _no_text("status", entry)
    elif entry and values.status not in {"draft", "approved"}:
        fix = "Write status: draft; `foundry feature approve` changes it."
        yield SpecProblem(f"The status {values.status!r} is not known.", fix, entry.line)


def _sections(front: FrontMatter) -> Iterator[SpecProblem]:
    entry = front.entries.get("sections")
    nodes = items_of(entry.value if entry else None)
    if entry and words_of(entry.value) != "" and not isinstance(entry.value, yaml.SequenceNode):
        yield _no_list("sections", entry)
        return
    if not nodes:
        fix = "List the headings of the document under sections:, each behind a dash."
        yield SpecProblem("It names no sections.", fix, entry.line if entry else 1)
    if len(nodes) > _MOST_SECTIONS:
        fix = "Make several specifications of it."
        message = f"It names {len(nodes)} sections; at most {_MOST_SECTIONS} are written."
        yield SpecProblem(message, fix, entry.line if entry else 1)
    first: dict[str, int] = {}
    for node in nodes:
        words, line = words_of(node), line_of(node)
        if not words:
            yield _no_section(node, words)
        elif same(words) in first:
            message = f"The section {words!r} stands twice (first on line {first[same(words)]})."
            yield SpecProblem(message, "Keep one of the two.", line)
        elif len(words) > _LONGEST_SECTION:
            message = f"A section's heading has {len(words)} characters."
            yield SpecProblem(message, f"Shorten it to {_LONGEST_SECTION} or fewer.", line)
        first.setdefault(same(words or ""), line)


def _no_section(node: yaml.Node, words: str | None) -> SpecProblem:
    if words == "":
        fix = "Write a heading behind the dash, or remove it."
        return SpecProblem("A section is empty.", fix, line_of(node))
    fix = "Write the heading as plain text; put it in quotes if it has a colon or is a number."
    return SpecProblem("A section is no text.", fix, line_of(node))


def _hierarchy(front: FrontMatter) -> Iterator[SpecProblem]:
    entry = front.entries.get("source_hierarchy")
    if entry is None or words_of(entry.value) == "":
        return
    if not isinstance(entry.value, yaml.SequenceNode):
        yield _no_list("source_hierarchy", entry)
        return
    seen: set[str] = set()
    for node in items_of(entry.value):
        words, line = words_of(node), line_of(node)
        if not words:
            fix = "Write a path or a pattern, such as sources/service/*; one with * needs quotes."
            yield SpecProblem("An entry of source_hierarchy is no path.", fix, line)
        elif words in seen:
            fix = "Remove it: the first place counts."
            yield SpecProblem(f"{words} stands twice.", fix, line, blocking=False)
        seen.add(words or "")


def _body(front: FrontMatter) -> Iterator[SpecProblem]:
    body, first = front.body(), front.closing + 1
    words = _COMMENT.sub("", body)
    if not any(line.strip() and not line.startswith("#") for line in words.split("\n")):
        fix = "Say below the front matter what the document is for and what it must hold to."
        message = "The specification has no text, only its front matter."
        yield SpecProblem(message, fix, first, blocking=False)
    if len(body) > _LONGEST_BODY:
        fix = "Shorten it, or split it: every prompt carries the whole text."
        message = f"The text is long: {len(body):,} characters."
        yield SpecProblem(message, fix, first, blocking=False)
    for number, line in enumerate(front.lines, 1):
        unseen = _UNSEEN.search(line.text)
        tag = _PROMPT_TAG.search(line.text) if number > front.closing else None
        if unseen:
            message = f"An invisible character (U+{ord(unseen[0]):04X}) changes what is read."
            yield SpecProblem(message, "Type that line anew.", number)
        elif tag:
            fix = "Remove it if it came with copied text; a prompt shows it as plain characters."
            message = f"{tag[0]} looks like a part of a prompt."
            yield SpecProblem(message, fix, number, blocking=False)


def _no_text(key: str, entry: Entry) -> SpecProblem:
    fix = f"Write {key}: and one text; put a number, a date, yes or no in quotes."
    return SpecProblem(f"The {key} is no text.", fix, entry.line)


def _no_list(key: str, entry: Entry) -> SpecProblem:
    fix = f"Write {key}: and below it one entry per line, each behind a dash."
    return SpecProblem(f"The value of {key} is no list.", fix, entry.line)
