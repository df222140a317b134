"""A conflict between sources as text, as JSON, and as Markdown in a document.

It shows both places and what was decided, and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from foundry.records import Conflict, ConflictSide
from foundry.render.escapes import escape, escape_within
from foundry.render.places import find_section_number, format_page, quote_as_dict, shorten_paths

UNDECIDED = "Check the source hierarchy in your feature spec."
_MAX_QUOTE = 240
"""Characters: three lines of a terminal."""


@dataclass(frozen=True, slots=True)
class _ConflictWords:
    """The words around a conflict in a document."""

    conflict: str
    superseded: str
    says: str
    first: str
    second: str
    undecided: str


_WORDS = {
    "en": _ConflictWords(
        "Sources contradict each other.",
        "Superseded.",
        "says",
        "The first holds",
        "The second holds",
        UNDECIDED,
    ),
    "nl": _ConflictWords(
        "Bronnen spreken elkaar tegen.",
        "Vervangen.",
        "zegt",
        "De eerste geldt",
        "De tweede geldt",
        "Controleer de bronhiërarchie in de specificatie.",
    ),
}


def render_conflicts(conflicts: Sequence[Conflict]) -> str:
    """All conflicts as text, superseded revisions last; "" if there are none."""
    names = shorten_paths(side.source for one in conflicts for side in (one.a, one.b))
    open_ones = [one for one in conflicts if not one.superseded]
    old = [one for one in conflicts if one.superseded]
    blocks = [render_conflict(one, names) for one in open_ones]
    if old:
        blocks.append("\n".join(render_conflict(one, names) for one in old))
    return "\n\n".join(blocks)


def render_conflict(conflict: Conflict, names: dict[str, str] | None = None) -> str:
    """A conflict in four lines, a superseded revision in one."""
    shown = names or shorten_paths((conflict.a.source, conflict.b.source))
    if conflict.superseded:
        return _render_superseded(conflict, shown)
    lines = [
        "⚠ Conflict detected:",
        f"  Source A ({_format_place(conflict.a, shown)}): {_format_quote(conflict.a)}",
        f"  Source B ({_format_place(conflict.b, shown)}): {_format_quote(conflict.b)}",
        f"  {render_decision(conflict)}",
    ]
    return "\n".join(lines)


def render_decision(conflict: Conflict) -> str:
    """Which source is followed and by which rule, or what the reader can do."""
    if conflict.holds is None:
        return UNDECIDED
    return f"Source {conflict.holds.upper()} holds: {conflict.rule}."


def conflict_summary_as_dict(conflict: Conflict) -> dict[str, Any]:
    """A conflict as in the front matter of a document."""
    return {
        "kind": conflict.kind,
        "a": _side_summary_as_dict(conflict.a),
        "b": _side_summary_as_dict(conflict.b),
        "holds": conflict.holds,
        "rule": conflict.rule,
        "superseded": conflict.superseded,
        "found_by": conflict.found_by,
    }


def _side_summary_as_dict(side: ConflictSide) -> dict[str, Any]:
    page = format_page(side.quote)
    return {
        "source": side.source,
        "section": side.quote.section,
        "page": page,
        "quote": " ".join(side.quote.text.split()),
    }


def conflict_as_dict(conflict: Conflict) -> dict[str, Any]:
    """A conflict as in every JSON document."""
    return {
        "kind": conflict.kind,
        "a": _side_as_dict(conflict.a),
        "b": _side_as_dict(conflict.b),
        "values": list(conflict.values),
        "reason": conflict.reason,
        "holds": conflict.holds,
        "rule": conflict.rule,
        "superseded": conflict.superseded,
        "found_by": conflict.found_by,
    }


def render_conflict_lines(conflicts: Iterable[Conflict], language: str = "en") -> list[str]:
    """A line of Markdown per conflict, superseded revisions last; source text is escaped."""
    listed = list(conflicts)
    names = shorten_paths(side.source for one in listed for side in (one.a, one.b))
    words = _WORDS.get(language, _WORDS["en"])
    ranked = sorted(listed, key=lambda one: one.superseded)
    return [_render_line(one, names, words) for one in ranked]


def _render_line(conflict: Conflict, names: dict[str, str], words: _ConflictWords) -> str:
    head = words.superseded if conflict.superseded else words.conflict
    sides = "; ".join(_render_side(side, names, words) for side in (conflict.a, conflict.b))
    decided = words.undecided
    if conflict.holds is not None:
        decided = f"{words.first if conflict.holds == 'a' else words.second} ({conflict.rule})."
    return f"**{head}** {sides}. {escape(decided)}"


def _render_superseded(conflict: Conflict, names: dict[str, str]) -> str:
    old, new = (conflict.a, conflict.b) if conflict.holds == "b" else (conflict.b, conflict.a)
    places = f"{_format_place(old, names)} by {_format_place(new, names)}"
    return f"Superseded: {places}, {_shorten(conflict.reason)} ({conflict.rule})."


def _side_as_dict(side: ConflictSide) -> dict[str, Any]:
    return {
        "chunk_id": side.chunk_id,
        "source": side.source,
        "revision": side.revision,
        "revision_date": side.revision_date,
        "quote": {"id": side.quote.evidence_id, **quote_as_dict(side.quote)},
    }


def _render_side(side: ConflictSide, names: dict[str, str], words: _ConflictWords) -> str:
    printed = ", ".join(part for part in (side.revision, side.revision_date) if part)
    revision = f" ({escape(printed)})" if printed else ""
    quote = escape_within(_shorten(side.quote.text))
    return f"{escape(_format_place(side, names))}{revision} {words.says} “{quote}”"


def _format_place(side: ConflictSide, names: dict[str, str]) -> str:
    """``datasheet.pdf §4.2``, or with its page if the section has no number."""
    name = names.get(side.source, side.source)
    number, page = find_section_number(side.quote.section), format_page(side.quote)
    if number:
        return f"{name} §{number}"
    return f"{name}, p. {page}" if page else name


def _format_quote(side: ConflictSide) -> str:
    return f'"{_shorten(side.quote.text)}"'


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_QUOTE else f"{line[: _MAX_QUOTE - 1].rstrip()}…"
