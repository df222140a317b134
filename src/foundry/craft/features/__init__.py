"""A feature specification: the text of ``features/NAME.md`` → what it asks for, and its approval.

An approval stands in the front matter of the file itself, so that it travels with the project
and shows in a diff. It holds for exactly the content that its hash covers: everything
but the status and the approval, with line ends and a byte order mark as no
difference. Reads and writes no file, and never raises on bad text: what is wrong comes back
as problems. Whether a pattern fits a source is not known here.
"""

from __future__ import annotations

import yaml

from foundry.craft.features.checks import find_problems, name_problem
from foundry.craft.features.front_matter import (
    Entry,
    FrontMatter,
    Line,
    Unreadable,
    read_front_matter,
    split_lines,
)
from foundry.craft.features.template import template
from foundry.craft.features.values import Values, read_values
from foundry.identity import text_hash
from foundry.records import Approval, Feature, FeatureStatus, SpecProblem

__all__ = [
    "Unreadable",
    "broken_feature",
    "name_problem",
    "read_feature",
    "template",
    "told_approval",
    "with_approval",
]

_BOM = "\ufeff"
_STAMPED = ("status", "approval")


def read_feature(name: str, path: str, text: str) -> Feature:
    """The specification in a text, with everything that is wrong with it.

    ``name`` and ``path`` are taken as they are; a text that cannot be read gives status
    ``broken``. A status ``approved`` whose approval does not fit the content, or is missing,
    gives ``changed``.
    """
    try:
        front = read_front_matter(text.removeprefix(_BOM))
    except Unreadable as error:
        problem = SpecProblem(error.message, error.fix, error.line)
        return broken_feature(name, path, problem, _hash(split_lines(text.removeprefix(_BOM))))
    values = read_values(front)
    found = find_problems(front, values)
    content = _hash(_kept(front))
    status = _status(values, content, blocked=any(one.blocking for one in found))
    return Feature(
        name=name,
        path=path,
        title=values.title or name,
        status=status,
        content_hash=content,
        owner=values.owner,
        sections=values.sections,
        source_hierarchy=values.source_hierarchy,
        text=front.body(),
        approval=values.approval,
        problems=tuple(found + _doubts(front, values, content)),
    )


def broken_feature(name: str, path: str, problem: SpecProblem, content_hash: str = "") -> Feature:
    """A specification that cannot be read, with the reason."""
    return Feature(name, path, name, "broken", content_hash, problems=(problem,))


def with_approval(text: str, approval: Approval | None) -> str:
    """The text with that approval, or as a draft; every other line stays byte for byte.

    Raises ``Unreadable`` where the text has no front matter to write it into.
    """
    bom = _BOM if text.startswith(_BOM) else ""
    front = read_front_matter(text.removeprefix(_BOM))
    status = front.entries.get("status")
    end = front.lines[0].end or "\n"
    stamped = [Line(line, end) for line in _stamp(front, status, approval)]
    gone = _stamped_lines(front)
    at = status.line if status else front.closing
    lines: list[Line] = []
    for number, line in enumerate(front.lines, 1):
        lines += stamped if number == at else []
        lines += [] if number in gone else [line]
    return bom + "".join(line.text + line.end for line in lines)


def _stamp(front: FrontMatter, status: Entry | None, approval: Approval | None) -> list[str]:
    """The lines of status and approval; a comment behind the old status stays."""
    word = "approved" if approval else "draft"
    line = f"status: {word}"
    if status and status.line == status.last and isinstance(status.value, yaml.ScalarNode):
        old = front.lines[status.line - 1].text
        start, end = status.value.start_mark.column, status.value.end_mark.column
        gap = "" if old[:start].endswith(" ") else " "
        line = f"{old[:start]}{gap}{word}{old[end:]}".removeprefix(front.indent)
    if approval is None:
        return [front.indent + line]
    told = {
        "by": approval.by,
        "at": approval.time.isoformat(timespec="seconds"),
        "sha256": approval.content_hash,
    }
    block = yaml.safe_dump({"approval": told}, allow_unicode=True, sort_keys=False, width=10_000)
    return [front.indent + part for part in (line, *block.rstrip("\n").split("\n"))]


def _stamped_lines(front: FrontMatter) -> set[int]:
    entries = [front.entries[key] for key in _STAMPED if key in front.entries]
    return {number for one in entries for number in range(one.line, one.last + 1)}


def _kept(front: FrontMatter) -> list[Line]:
    gone = _stamped_lines(front)
    return [line for number, line in enumerate(front.lines, 1) if number not in gone]


def _hash(lines: list[Line] | tuple[Line, ...]) -> str:
    return text_hash("\n".join(line.text for line in lines).rstrip("\n"))


def _status(values: Values, content: str, *, blocked: bool) -> FeatureStatus:
    if values.status != "approved":
        return "draft"
    fits = values.approval is not None and values.approval.content_hash == content
    return "approved" if fits and not blocked else "changed"


def _doubts(front: FrontMatter, values: Values, content: str) -> list[SpecProblem]:
    """Why a status ``approved`` does not hold; approving again settles it, so it blocks nothing."""
    if values.status != "approved":
        return []
    line = front.entries["status"].line
    if values.approval is None:
        fix = "Run `foundry feature approve` with its name."
        message = "The status says approved, but no approval is recorded with it."
        return [SpecProblem(message, fix, line, blocking=False)]
    if values.approval.content_hash == content:
        return []
    message = f"It was changed since {told_approval(values.approval)}."
    fix = "Review what changed, then run `foundry feature approve` again."
    return [SpecProblem(message, fix, line, blocking=False)]


def told_approval(approval: Approval) -> str:
    """Who approved it and on which day: ``Ann approved it on 2026-03-01``."""
    return f"{approval.by} approved it on {approval.time:%Y-%m-%d}"
