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

from foundry.craft.specifications.front_matter import (
    FrontMatter,
    FrontMatterEntry,
    SpecificationValues,
    fold_heading,
    get_line,
    get_words,
    list_items,
)
from foundry.records import SpecificationProblem

KEYS = ("title", "status", "owner", "sections", "source_hierarchy", "approval")
_REQUIRED = {
    "title": "title: what the document is called",
    "owner": "owner: who answers for the document",
}
_MAX_SECTIONS = 100
_MAX_SECTION_CHARS = 200
_MAX_BODY_CHARS = 40_000
"""Characters: some 10,000 tokens, which every prompt of the document would carry."""

_NAME = re.compile(r"[^\W_][\w-]{0,63}")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# What opens or closes a part of a prompt, or poses as another speaker.
_PROMPT_TAG = re.compile(
    r"</?\s*(?:context|system|assistant|user)\b[^>\n]*>|<\|[^|\n]{1,40}\|>|\[/?INST\]",
    re.IGNORECASE,
)
# Characters that reorder what is read, or spell out words that nobody sees.
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def check_name(name: str) -> SpecificationProblem | None:
    """Why a specification cannot be called that; None where it can."""
    if _NAME.fullmatch(unicodedata.normalize("NFC", name)):
        return None
    return SpecificationProblem(
        f"{name!r} is no name for a specification.",
        "Use letters, digits, - and _, beginning with a letter or digit; at most 64.",
    )


def find_problems(front: FrontMatter, values: SpecificationValues) -> list[SpecificationProblem]:
    """Everything wrong with the specification itself, in the order of its lines."""
    found = [
        *_check_keys(front),
        *_check_required(front),
        *_check_status(front, values),
        *_check_sections(front),
        *_check_hierarchy(front),
        *_check_body(front),
    ]
    return sorted(found, key=lambda one: one.line or 0)


def _check_keys(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for key, entry in front.entries.items():
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)[0]
            message = f"Unknown key {key}; the nearest known key is {near}."
            yield SpecificationProblem(
                message, f"Correct it, or remove it: {', '.join(KEYS)}.", entry.line
            )


def _check_required(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for key, told in _REQUIRED.items():
        entry = front.entries.get(key)
        words = get_words(entry.value if entry else None)
        if entry is None or words == "":
            yield SpecificationProblem(
                f"It has no {key}.", f"Add {told}.", entry.line if entry else 1
            )
        elif words is None:
            yield _report_no_text(key, entry)


def _check_status(
    front: FrontMatter, values: SpecificationValues
) -> Iterator[SpecificationProblem]:
    entry = front.entries.get("status")
    if entry and get_words(entry.value) is None:
        yield _report_no_text("status", entry)
    elif entry and values.status not in {"draft", "approved"}:
        fix = "Write status: draft; `foundry feature approve` changes it."
        yield SpecificationProblem(f"The status {values.status!r} is not known.", fix, entry.line)


def _check_sections(front: FrontMatter) -> Iterator[SpecificationProblem]:
    entry = front.entries.get("sections")
    nodes = list_items(entry.value if entry else None)
    if entry and get_words(entry.value) != "" and not isinstance(entry.value, yaml.SequenceNode):
        yield _report_no_list("sections", entry)
        return
    if not nodes:
        fix = "List the headings of the document under sections:, each behind a dash."
        yield SpecificationProblem("It names no sections.", fix, entry.line if entry else 1)
    if len(nodes) > _MAX_SECTIONS:
        fix = "Make several specifications of it."
        message = f"It names {len(nodes)} sections; at most {_MAX_SECTIONS} are written."
        yield SpecificationProblem(message, fix, entry.line if entry else 1)
    first: dict[str, int] = {}
    for node in nodes:
        words, line = get_words(node), get_line(node)
        if not words:
            yield _report_bad_section(node, words)
        elif fold_heading(words) in first:
            message = (
                f"The section {words!r} stands twice (first on line {first[fold_heading(words)]})."
            )
            yield SpecificationProblem(message, "Keep one of the two.", line)
        elif len(words) > _MAX_SECTION_CHARS:
            message = f"A section's heading has {len(words)} characters."
            yield SpecificationProblem(
                message, f"Shorten it to {_MAX_SECTION_CHARS} or fewer.", line
            )
        first.setdefault(fold_heading(words or ""), line)


def _report_bad_section(node: yaml.Node, words: str | None) -> SpecificationProblem:
    if words == "":
        fix = "Write a heading behind the dash, or remove it."
        return SpecificationProblem("A section is empty.", fix, get_line(node))
    fix = "Write the heading as plain text; put it in quotes if it has a colon or is a number."
    return SpecificationProblem("A section is no text.", fix, get_line(node))


def _check_hierarchy(front: FrontMatter) -> Iterator[SpecificationProblem]:
    entry = front.entries.get("source_hierarchy")
    if entry is None or get_words(entry.value) == "":
        return
    if not isinstance(entry.value, yaml.SequenceNode):
        yield _report_no_list("source_hierarchy", entry)
        return
    seen: set[str] = set()
    for node in list_items(entry.value):
        words, line = get_words(node), get_line(node)
        if not words:
            fix = "Write a path or a pattern, such as sources/service/*; one with * needs quotes."
            yield SpecificationProblem("An entry of source_hierarchy is no path.", fix, line)
        elif words in seen:
            fix = "Remove it: the first place counts."
            yield SpecificationProblem(f"{words} stands twice.", fix, line, blocking=False)
        seen.add(words or "")


def _check_body(front: FrontMatter) -> Iterator[SpecificationProblem]:
    body, first = front.body(), front.closing + 1
    words = _COMMENT.sub("", body)
    if not any(line.strip() and not line.startswith("#") for line in words.split("\n")):
        fix = "Say below the front matter what the document is for and what it must hold to."
        message = "The specification has no text, only its front matter."
        yield SpecificationProblem(message, fix, first, blocking=False)
    if len(body) > _MAX_BODY_CHARS:
        fix = "Shorten it, or split it: every prompt carries the whole text."
        message = f"The text is long: {len(body):,} characters."
        yield SpecificationProblem(message, fix, first, blocking=False)
    for number, line in enumerate(front.lines, 1):
        unseen = _INVISIBLE.search(line.text)
        tag = _PROMPT_TAG.search(line.text) if number > front.closing else None
        if unseen:
            message = f"An invisible character (U+{ord(unseen[0]):04X}) changes what is read."
            yield SpecificationProblem(message, "Type that line anew.", number)
        elif tag:
            fix = "Remove it if it came with copied text; a prompt shows it as plain characters."
            message = f"{tag[0]} looks like a part of a prompt."
            yield SpecificationProblem(message, fix, number, blocking=False)


def _report_no_text(key: str, entry: FrontMatterEntry) -> SpecificationProblem:
    fix = f"Write {key}: and one text; put a number, a date, yes or no in quotes."
    return SpecificationProblem(f"The {key} is no text.", fix, entry.line)


def _report_no_list(key: str, entry: FrontMatterEntry) -> SpecificationProblem:
    fix = f"Write {key}: and below it one entry per line, each behind a dash."
    return SpecificationProblem(f"The value of {key} is no list.", fix, entry.line)
