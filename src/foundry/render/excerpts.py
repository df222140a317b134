"""Shown passages as text: where each is, its lines as they are in the source, the nearest marked."""

from __future__ import annotations

from collections.abc import Mapping

from foundry.messages import Message
from foundry.records import Excerpt, ExcerptLine
from foundry.render.places import describe_place, format_revision, note_reading

NEAREST = "▸"
"""Before the line of a passage that is nearest to what was asked."""


def render_excerpt(excerpt: Excerpt, names: Mapping[str, str]) -> str:
    """A passage under the line that says where it is; ``names`` are those of files by path."""
    lines = [_render_place(excerpt, names)]
    if excerpt.table and excerpt.table not in excerpt.headings:
        lines.append(f"    {excerpt.table}")
    lines += [_render_line(line) for line in excerpt.lines]
    same = dict.fromkeys(
        f"{item.id} {names.get(item.hit.source.path, item.hit.source.path)}"
        for item in excerpt.same
    )
    if same:
        lines.append(f"    {Message('answer-passage-same', sources=list(same))}")
    return "\n".join(lines)


def _render_place(excerpt: Excerpt, names: Mapping[str, str]) -> str:
    hit = excerpt.evidence.hit
    marked = excerpt.nearest or excerpt.lines[0]
    place = describe_place(marked.quotes[0])
    name = names.get(hit.source.path, hit.source.path)
    where = ", ".join(part for part in (name, format_revision(hit.source), place) if part)
    notes = "; ".join(map(str, (*hit.notices, *note_reading(excerpt.quotes))))
    placed = f"{excerpt.evidence.id}  {where}"
    return str(Message("answer-source-noted", source=placed, notices=notes)) if notes else placed


def _render_line(line: ExcerptLine) -> str:
    text = f"({line.text})" if line.context else line.text
    return f"  {NEAREST if line.nearest else ' '} {text}"
