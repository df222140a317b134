"""A feature specification: the text of ``features/NAME.md`` → what it asks for, and its approval.

An approval stands in the front matter of the file itself, so that it travels with the project
and shows in a diff. It holds for exactly the content that its hash covers: everything
but the status and the approval, with line ends and a byte order mark as no
difference. Reads and writes no file, and never raises on bad text: what is wrong comes back
as problems. Whether a pattern fits a source is not known here.
"""

from __future__ import annotations

import yaml

from foundry.craft.specifications.checks import check_name, find_problems
from foundry.craft.specifications.front_matter import (
    FileLine,
    FrontMatter,
    FrontMatterEntry,
    SpecificationValues,
    Unreadable,
    read_front_matter,
    read_values,
    split_lines,
)
from foundry.craft.specifications.template import render_template
from foundry.ids import hash_text
from foundry.records import Approval, Specification, SpecificationProblem, SpecificationStatus

__all__ = [
    "Unreadable",
    "build_broken_specification",
    "check_name",
    "describe_approval",
    "parse_specification",
    "render_template",
    "replace_approval",
]

_BOM = "\ufeff"
_STAMPED_KEYS = ("status", "approval")


def parse_specification(name: str, path: str, text: str) -> Specification:
    """The specification in a text, with everything that is wrong with it.

    ``name`` and ``path`` are taken as they are; a text that cannot be read gives status
    ``broken``. A status ``approved`` whose approval does not fit the content, or is missing,
    gives ``changed``.
    """
    try:
        front = read_front_matter(text.removeprefix(_BOM))
    except Unreadable as error:
        problem = SpecificationProblem(error.message, error.fix, error.line)
        return build_broken_specification(
            name, path, problem, _hash_lines(split_lines(text.removeprefix(_BOM)))
        )
    values = read_values(front)
    found = find_problems(front, values)
    content = _hash_lines(_select_hashed_lines(front))
    status = _derive_status(values, content, blocked=any(one.blocking for one in found))
    return Specification(
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
        problems=tuple(found + _find_doubts(front, values, content)),
    )


def build_broken_specification(
    name: str, path: str, problem: SpecificationProblem, content_hash: str = ""
) -> Specification:
    """A specification that cannot be read, with the reason."""
    return Specification(name, path, name, "broken", content_hash, problems=(problem,))


def replace_approval(text: str, approval: Approval | None) -> str:
    """The text with that approval, or as a draft; every other line stays byte for byte.

    Raises ``Unreadable`` where the text has no front matter to write it into.
    """
    bom = _BOM if text.startswith(_BOM) else ""
    front = read_front_matter(text.removeprefix(_BOM))
    status = front.entries.get("status")
    end = front.lines[0].end or "\n"
    stamped = [FileLine(line, end) for line in _render_stamp(front, status, approval)]
    gone = _find_stamped_lines(front)
    at = status.line if status else front.closing
    lines: list[FileLine] = []
    for number, line in enumerate(front.lines, 1):
        lines += stamped if number == at else []
        lines += [] if number in gone else [line]
    return bom + "".join(line.text + line.end for line in lines)


def _render_stamp(
    front: FrontMatter, status: FrontMatterEntry | None, approval: Approval | None
) -> list[str]:
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


def _find_stamped_lines(front: FrontMatter) -> set[int]:
    entries = [front.entries[key] for key in _STAMPED_KEYS if key in front.entries]
    return {number for one in entries for number in range(one.line, one.last + 1)}


def _select_hashed_lines(front: FrontMatter) -> list[FileLine]:
    gone = _find_stamped_lines(front)
    return [line for number, line in enumerate(front.lines, 1) if number not in gone]


def _hash_lines(lines: list[FileLine] | tuple[FileLine, ...]) -> str:
    return hash_text("\n".join(line.text for line in lines).rstrip("\n"))


def _derive_status(
    values: SpecificationValues, content: str, *, blocked: bool
) -> SpecificationStatus:
    if values.status != "approved":
        return "draft"
    fits = values.approval is not None and values.approval.content_hash == content
    return "approved" if fits and not blocked else "changed"


def _find_doubts(
    front: FrontMatter, values: SpecificationValues, content: str
) -> list[SpecificationProblem]:
    """Why a status ``approved`` does not hold; approving again settles it, so it blocks nothing."""
    if values.status != "approved":
        return []
    line = front.entries["status"].line
    if values.approval is None:
        fix = "Run `foundry feature approve` with its name."
        message = "The status says approved, but no approval is recorded with it."
        return [SpecificationProblem(message, fix, line, blocking=False)]
    if values.approval.content_hash == content:
        return []
    message = f"It was changed since {describe_approval(values.approval)}."
    fix = "Review what changed, then run `foundry feature approve` again."
    return [SpecificationProblem(message, fix, line, blocking=False)]


def describe_approval(approval: Approval) -> str:
    """Who approved it and on which day: ``Ann approved it on 2026-03-01``."""
    return f"{approval.by} approved it on {approval.time:%Y-%m-%d}"
