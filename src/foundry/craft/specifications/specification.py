"""A specification's text → what it asks for; writing an approval into it; a template for a new one.

An approval covers a hash of everything but the status and the approval itself. Line ends and a
byte order mark make no difference to it.
"""

from __future__ import annotations

import re

import yaml

from foundry.craft.specifications.checks import find_problems
from foundry.craft.specifications.front_matter import (
    FileLine,
    FrontMatter,
    SpecificationValues,
    Unreadable,
    read_front_matter,
    read_values,
    split_lines,
)
from foundry.ids import hash_text
from foundry.messages import Message
from foundry.records import Approval, Specification, SpecificationProblem, SpecificationStatus

_BOM = "\ufeff"
_STAMPED_KEYS = ("status", "approval")
_STATUS_LINE = re.compile(r"(\s*(['\"]?)status\2\s*:)(?:\s+(?!#)\S.*?)?(\s+#.*)?\s*")


def parse_specification(name: str, path: str, text: str) -> Specification:
    """The specification in a text, with everything that is wrong with it; never raises.

    A text that cannot be read gives status ``broken``. A status ``approved`` gives ``changed``
    where the approval is missing or does not match the content.
    """
    text = text.removeprefix(_BOM)
    try:
        front = read_front_matter(text)
    except Unreadable as error:
        problem = SpecificationProblem(error.problem, error.line)
        return build_broken_specification(name, path, problem, _hash_lines(split_lines(text)))
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
    bom = _BOM if text.startswith(_BOM) else ""
    front = read_front_matter(text.removeprefix(_BOM))
    end = front.lines[0].end or "\n"
    stamp = [FileLine(line, end) for line in _render_stamp(front, approval)]
    replaced = _find_stamped_lines(front)
    status = front.get_lines("status")
    position = status.start if status else front.closing
    lines: list[FileLine] = []
    for number, line in enumerate(front.lines, 1):
        lines += stamp if number == position else []
        lines += [] if number in replaced else [line]
    return bom + "".join(line.text + line.end for line in lines)


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
