"""What is missing or wrong in a readable specification, with the line it is on.

A blocking problem prevents approval: the document could not be written as intended, or whoever
approves cannot see what they approve. Everything else is a hint.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator

from ruamel.yaml.comments import CommentedSeq

from foundry.craft.specifications.front_matter import (
    FrontMatter,
    SpecificationValues,
    fold_heading,
    get_words,
    list_items,
)
from foundry.records import SpecificationProblem

KEYS = ("title", "status", "owner", "sections", "source_hierarchy", "approval")
_REQUIRED = {
    "title": "title: the name of the document",
    "owner": "owner: the person responsible for the document",
}
_MAX_SECTIONS = 100
"""More than any document we have seen; each section costs a search and a model call."""

_MAX_SECTION_CHARS = 200
"""A heading of two lines; longer text is a paragraph in the wrong place."""

_MAX_BODY_CHARS = 40_000
"""About 10,000 tokens, which every prompt of the document would carry."""

_NAME = re.compile(r"[^\W_][\w-]{0,63}")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# What opens or closes a part of a prompt, or poses as another speaker.
_PROMPT_TAG = re.compile(
    r"</?\s*(?:context|system|assistant|user)\b[^>\n]*>|<\|[^|\n]{1,40}\|>|\[/?INST\]",
    re.IGNORECASE,
)
# Characters that reorder the text, or spell out words that nobody sees.
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def check_name(name: str) -> SpecificationProblem | None:
    """Why a specification cannot have this name; None where it can."""
    if _NAME.fullmatch(unicodedata.normalize("NFC", name)):
        return None
    return SpecificationProblem(
        f"{name!r} is not a valid name for a specification.",
        "Use letters, digits, - and _, starting with a letter or digit; at most 64.",
    )


def find_problems(front: FrontMatter, values: SpecificationValues) -> list[SpecificationProblem]:
    """Everything that is wrong with the specification itself, in the order of its lines."""
    problems = [
        *_check_keys(front),
        *_check_required(front),
        *_check_status(front, values),
        *_check_sections(front),
        *_check_hierarchy(front),
        *_check_body(front),
        *_check_characters(front),
    ]
    return sorted(problems, key=lambda problem: problem.line or 0)


def _check_keys(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for key in front.keys:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.0)[0]
            message = f"Unknown key {key}; the nearest known key is {near}."
            fix = f"Correct or remove it. Known keys: {', '.join(KEYS)}."
            yield SpecificationProblem(message, fix, front.get_line(key))


def _check_required(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for key, hint in _REQUIRED.items():
        words = get_words(front.keys.get(key))
        if words == "":
            yield SpecificationProblem(f"It has no {key}.", f"Add {hint}.", front.get_line(key))
        elif words is None:
            yield _report_no_text(key, front)


def _check_status(
    front: FrontMatter, values: SpecificationValues
) -> Iterator[SpecificationProblem]:
    if get_words(front.keys.get("status")) is None:
        yield _report_no_text("status", front)
    elif values.status not in {"draft", "approved"}:
        fix = "Write status: draft; `foundry feature approve` changes it."
        line = front.get_line("status")
        yield SpecificationProblem(f"Unknown status {values.status!r}.", fix, line)


def _check_sections(front: FrontMatter) -> Iterator[SpecificationProblem]:
    value, line = front.keys.get("sections"), front.get_line("sections")
    items = list_items(value)
    if get_words(value) != "" and not isinstance(value, CommentedSeq):
        yield _report_no_list("sections", line)
        return
    if not items:
        fix = "List the headings of the document under sections:, each after a dash."
        yield SpecificationProblem("It lists no sections.", fix, line)
    if len(items) > _MAX_SECTIONS:
        message = f"It lists {len(items)} sections; the limit is {_MAX_SECTIONS}."
        yield SpecificationProblem(message, "Split it into several specifications.", line)
    first: dict[str, int] = {}
    for item, line in items:
        words = get_words(item)
        key = fold_heading(words or "")
        if not words:
            yield _report_bad_section(words, line)
        elif key in first:
            message = f"The section {words!r} is listed twice (first on line {first[key]})."
            yield SpecificationProblem(message, "Remove one of the two.", line)
        elif len(words) > _MAX_SECTION_CHARS:
            message = f"The heading of a section has {len(words)} characters."
            fix = f"Shorten it to {_MAX_SECTION_CHARS} or fewer."
            yield SpecificationProblem(message, fix, line)
        first.setdefault(key, line)


def _report_bad_section(words: str | None, line: int) -> SpecificationProblem:
    if words == "":
        fix = "Write a heading after the dash, or remove the line."
        return SpecificationProblem("A section is empty.", fix, line)
    fix = "Write the heading as plain text; quote it if it contains a colon or is a number."
    return SpecificationProblem("A section is not text.", fix, line)


def _check_hierarchy(front: FrontMatter) -> Iterator[SpecificationProblem]:
    value = front.keys.get("source_hierarchy")
    if get_words(value) == "":
        return
    if not isinstance(value, CommentedSeq):
        yield _report_no_list("source_hierarchy", front.get_line("source_hierarchy"))
    seen: set[str] = set()
    for item, line in list_items(value):
        words = get_words(item)
        if not words:
            fix = "Write a path or a pattern, such as sources/service/*; quote a leading *."
            yield SpecificationProblem("An entry of source_hierarchy is not a path.", fix, line)
        elif words in seen:
            fix = "Remove it: the first entry counts."
            yield SpecificationProblem(f"{words} is listed twice.", fix, line, blocking=False)
        seen.add(words or "")


def _check_body(front: FrontMatter) -> Iterator[SpecificationProblem]:
    body, first = front.body, front.closing + 1
    lines = _COMMENT.sub("", body).split("\n")
    if not any(line.strip() and not line.startswith("#") for line in lines):
        fix = "Describe below the front matter what the document is for and what it must meet."
        message = "The specification has no text, only its front matter."
        yield SpecificationProblem(message, fix, first, blocking=False)
    if len(body) > _MAX_BODY_CHARS:
        fix = "Shorten or split it: every prompt contains the whole text."
        message = f"The text is long: {len(body):,} characters."
        yield SpecificationProblem(message, fix, first, blocking=False)


def _check_characters(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for number, line in enumerate(front.lines, 1):
        hidden = _INVISIBLE.search(line.text)
        tag = _PROMPT_TAG.search(line.text) if number > front.closing else None
        if hidden:
            message = f"An invisible character (U+{ord(hidden[0]):04X}) changes how the line reads."
            yield SpecificationProblem(message, "Retype the line.", number)
        elif tag:
            fix = "Remove it if it was copied by accident; prompts show it as plain characters."
            message = f"{tag[0]} looks like a part of a prompt."
            yield SpecificationProblem(message, fix, number, blocking=False)


def _report_no_text(key: str, front: FrontMatter) -> SpecificationProblem:
    fix = f"Write {key}: followed by text; quote a number, a date, yes or no."
    return SpecificationProblem(f"The {key} is not text.", fix, front.get_line(key))


def _report_no_list(key: str, line: int) -> SpecificationProblem:
    fix = f"Write {key}: and below it one entry per line, each after a dash."
    return SpecificationProblem(f"The value of {key} is not a list.", fix, line)
