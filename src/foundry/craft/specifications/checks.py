"""What is missing or wrong in a readable specification, with the line it is on.

A blocking problem prevents approval: the document could not be written as intended, or whoever
approves cannot see what they approve. Everything else is a hint.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator

from foundry.analysis.lexer import COMMENT
from foundry.craft.specifications.front_matter import (
    FrontMatter,
    SpecificationValues,
    fold_heading,
    get_words,
    split_section,
)
from foundry.messages import Message
from foundry.records import SECTION_FORMS, SpecificationProblem

KEYS = ("title", "status", "owner", "sections", "source_hierarchy", "approval")
_REQUIRED = {"title": "feature-without-title", "owner": "feature-without-owner"}
_MAX_SECTIONS = 100
"""More than any document we have seen; each section costs a search and a model call."""

_MAX_SECTION_CHARS = 200
"""A heading of two lines; longer text is a paragraph in the wrong place."""

_MAX_BODY_CHARS = 40_000
"""About 10,000 tokens, which every prompt of the document would carry."""

_NAME = re.compile(r"[^\W_][\w-]{0,63}")
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
    return SpecificationProblem(Message("feature-name-invalid", name=name))


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
            problem = Message("feature-unknown-key", key=key, near=near, known=KEYS)
            yield SpecificationProblem(problem, front.get_line(key))


def _check_required(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for key, code in _REQUIRED.items():
        words = get_words(front.keys.get(key))
        if words == "":
            yield SpecificationProblem(Message(code), front.get_line(key))
        elif words is None:
            yield _report_no_text(key, front)


def _check_status(
    front: FrontMatter, values: SpecificationValues
) -> Iterator[SpecificationProblem]:
    if get_words(front.keys.get("status")) is None:
        yield _report_no_text("status", front)
    elif values.status not in {"draft", "approved"}:
        problem = Message("feature-unknown-status", status=values.status)
        yield SpecificationProblem(problem, front.get_line("status"))


def _check_sections(front: FrontMatter) -> Iterator[SpecificationProblem]:
    value, line = front.keys.get("sections"), front.get_line("sections")
    items = front.list_items("sections")
    if get_words(value) != "" and not isinstance(value, list):
        yield _report_no_list("sections", line)
        return
    if not items:
        yield SpecificationProblem(Message("feature-without-sections"), line)
    if len(items) > _MAX_SECTIONS:
        problem = Message("feature-too-many-sections", number=len(items), limit=_MAX_SECTIONS)
        yield SpecificationProblem(problem, line)
    first: dict[str, int] = {}
    for item, line in items:
        words, form = split_section(item)
        key = fold_heading(words or "")
        if not words:
            yield _report_bad_section(words, line)
        elif form is not None and form not in SECTION_FORMS:
            facts = {"section": words, "form": str(form), "forms": SECTION_FORMS}
            yield SpecificationProblem(Message("feature-section-form", **facts), line)
        elif key in first:
            problem = Message("feature-section-twice", section=words, first=str(first[key]))
            yield SpecificationProblem(problem, line)
        elif len(words) > _MAX_SECTION_CHARS:
            length, limit = len(words), _MAX_SECTION_CHARS
            problem = Message("feature-section-long", length=length, limit=limit)
            yield SpecificationProblem(problem, line)
        first.setdefault(key, line)


def _report_bad_section(words: str | None, line: int) -> SpecificationProblem:
    code = "feature-section-empty" if words == "" else "feature-section-not-text"
    return SpecificationProblem(Message(code), line)


def _check_hierarchy(front: FrontMatter) -> Iterator[SpecificationProblem]:
    value = front.keys.get("source_hierarchy")
    if get_words(value) == "":
        return
    if not isinstance(value, list):
        yield _report_no_list("source_hierarchy", front.get_line("source_hierarchy"))
    seen: set[str] = set()
    for item, line in front.list_items("source_hierarchy"):
        words = get_words(item)
        if not words:
            yield SpecificationProblem(Message("feature-hierarchy-not-path"), line)
        elif words in seen:
            problem = Message("feature-hierarchy-twice", pattern=words)
            yield SpecificationProblem(problem, line, blocking=False)
        seen.add(words or "")


def _check_body(front: FrontMatter) -> Iterator[SpecificationProblem]:
    body, first = front.body, front.closing + 1
    lines = COMMENT.sub("", body).split("\n")
    if not any(line.strip() and not line.startswith("#") for line in lines):
        yield SpecificationProblem(Message("feature-without-text"), first, blocking=False)
    if len(body) > _MAX_BODY_CHARS:
        problem = Message("feature-text-long", length=len(body))
        yield SpecificationProblem(problem, first, blocking=False)


def _check_characters(front: FrontMatter) -> Iterator[SpecificationProblem]:
    for number, line in enumerate(front.lines, 1):
        hidden = _INVISIBLE.search(line.text)
        tag = _PROMPT_TAG.search(line.text) if number > front.closing else None
        if hidden:
            problem = Message("feature-invisible-character", code=f"U+{ord(hidden[0]):04X}")
            yield SpecificationProblem(problem, number)
        elif tag:
            problem = Message("feature-prompt-tag", tag=tag[0])
            yield SpecificationProblem(problem, number, blocking=False)


def _report_no_text(key: str, front: FrontMatter) -> SpecificationProblem:
    return SpecificationProblem(Message("feature-not-text", key=key), front.get_line(key))


def _report_no_list(key: str, line: int) -> SpecificationProblem:
    return SpecificationProblem(Message("feature-not-list", key=key), line)
