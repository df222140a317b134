"""A specification's text → what it asks for and what is wrong with it; its approval; a new template.

An approval covers a hash of everything but the status and the approval itself. Line ends and a
byte order mark make no difference to it. A blocking problem prevents approval: the document could
not be written as intended, or whoever approves cannot see what they approve. All else is a hint.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

import yaml

from foundry.analysis.lexer import COMMENT
from foundry.craft.specifications.fields import BOM, replace_lines
from foundry.craft.specifications.front_matter import (
    FileLine,
    FrontMatter,
    SpecificationValues,
    Unreadable,
    fold_heading,
    get_words,
    read_front_matter,
    read_values,
    split_lines,
    split_section,
)
from foundry.ids import hash_text
from foundry.messages import Message
from foundry.records import (
    SECTION_FORMS,
    Approval,
    Specification,
    SpecificationProblem,
    SpecificationStatus,
)

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


_STAMPED_KEYS = ("status", "approval")
_STATUS_LINE = re.compile(r"(\s*(['\"]?)status\2\s*:)(?:\s+(?!#)\S.*?)?(\s+#.*)?\s*")


def parse_specification(name: str, path: str, text: str) -> Specification:
    """The specification in a text, with everything that is wrong with it; never raises.

    A text that cannot be read gives status ``broken``. A status ``approved`` gives ``changed``
    where the approval is missing or does not match the content.
    """
    text = text.removeprefix(BOM)
    try:
        front = read_front_matter(text)
    except Unreadable as error:
        problem = SpecificationProblem(error.problem, error.line)
        broken = build_broken_specification(name, path, problem, _hash_lines(split_lines(text)))
        return replace(broken, markdown=text)
    values = read_values(front)
    problems = find_problems(front, values)
    content = _hash_lines(_select_hashed_lines(front))
    is_blocked = any(problem.blocking for problem in problems)
    return Specification(
        name=name,
        path=path,
        title=values.title or name,
        status=_derive_status(values, content, is_blocked=is_blocked),
        content_hash=content,
        owner=values.owner,
        sections=values.sections,
        source_hierarchy=values.source_hierarchy,
        text=front.body,
        markdown=text,
        approval=values.approval,
        problems=tuple(problems + _find_doubts(front, values, content)),
        forms=values.forms,
    )


def build_broken_specification(
    name: str, path: str, problem: SpecificationProblem, content_hash: str = ""
) -> Specification:
    """A specification that cannot be read, with the reason."""
    return Specification(name, path, name, "broken", content_hash, problems=(problem,))


def replace_approval(text: str, approval: Approval | None) -> str:
    """The text with this approval, or as a draft for None; all other lines stay byte for byte.

    Raises ``Unreadable`` where the text has no front matter to write it into.
    """
    front = read_front_matter(text.removeprefix(BOM))
    return replace_lines(text, {"status": _render_stamp(front, approval), "approval": []})


def _render_stamp(front: FrontMatter, approval: Approval | None) -> list[str]:
    """The lines of status and approval; a comment after the old status stays."""
    word = "approved" if approval else "draft"
    status = f"{front.indent}status: {word}"
    lines = front.get_lines("status")
    old = _STATUS_LINE.fullmatch(front.lines[lines.start - 1].text) if len(lines) == 1 else None
    if old:
        status = f"{old[1]} {word}{old[3] or ''}"
    if approval is None:
        return [status]
    values = {
        "by": approval.by,
        "at": approval.time.isoformat(timespec="seconds"),
        "sha256": approval.content_hash,
    }
    block = yaml.safe_dump({"approval": values}, allow_unicode=True, sort_keys=False, width=10_000)
    return [status, *(front.indent + line for line in block.rstrip("\n").split("\n"))]


def _find_stamped_lines(front: FrontMatter) -> set[int]:
    return {number for key in _STAMPED_KEYS for number in front.get_lines(key)}


def _select_hashed_lines(front: FrontMatter) -> list[FileLine]:
    stamped = _find_stamped_lines(front)
    return [line for number, line in enumerate(front.lines, 1) if number not in stamped]


def _hash_lines(lines: list[FileLine] | tuple[FileLine, ...]) -> str:
    return hash_text("\n".join(line.text for line in lines).rstrip("\n"))


def _derive_status(
    values: SpecificationValues, content: str, *, is_blocked: bool
) -> SpecificationStatus:
    if values.status != "approved":
        return "draft"
    matches = values.approval is not None and values.approval.content_hash == content
    return "approved" if matches and not is_blocked else "changed"


def _find_doubts(
    front: FrontMatter, values: SpecificationValues, content: str
) -> list[SpecificationProblem]:
    """Why a status ``approved`` does not count. Approving again settles it, so it blocks nothing."""
    if values.status != "approved":
        return []
    line = front.get_line("status")
    if values.approval is None:
        return [SpecificationProblem(Message("feature-approval-missing"), line, blocking=False)]
    if values.approval.content_hash == content:
        return []
    approval = values.approval
    changed = Message("feature-changed", by=approval.by, day=f"{approval.time:%Y-%m-%d}")
    return [SpecificationProblem(changed, line, blocking=False)]


_TEMPLATE = """---
title:{title}
status: draft          # `foundry feature approve` sets it; any later edit undoes the approval
owner:{owner}
sections:              # the headings of the document, in order; behind a colon what one is made of:
  # - Purpose          # prose, steps, list, table, figures or quote
  # - Mounting: steps
source_hierarchy:      # optional: where sources contradict each other, the first pattern wins
  # - sources/service/*
  # - sources/manuals/*.pdf
---

# {heading}

## Purpose

<!-- Who the document is for, and what it must enable them to do. -->

## Scope

<!-- What the document must cover, and what not. Each line is used as a search query, so use the
words of your sources. A line that starts with a section's title and a colon belongs to it. -->

## Requirements

<!-- What every statement must comply with: units, versions, language, which source takes
precedence. -->
"""


def render_template(title: str, owner: str = "") -> str:
    """A new specification: every key with its purpose. It has no section, so it cannot be approved."""
    heading = " ".join(title.split())
    person = _format_scalar(owner) or "                 # who is responsible for this document"
    return _TEMPLATE.format(title=_format_scalar(heading), owner=person, heading=heading)


def _format_scalar(value: str) -> str:
    """A value as YAML, after the blank behind its key; "" for an empty one."""
    words = " ".join(value.split())
    if not words:
        return ""
    shown = yaml.safe_dump(words, allow_unicode=True, width=10_000)
    return " " + shown.removesuffix("\n").removesuffix("\n...")
