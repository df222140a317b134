"""A contradiction between sources as it is printed, as JSON, and as Markdown in a document.

Says where both places are and what was decided, and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from foundry.records import Conflict, ConflictSide
from foundry.render.markdown import escape
from foundry.render.places import page_text, quote_as_dict, section_number, short_names

UNDECIDED = "Check the source hierarchy in your feature spec."
_LONGEST = 240


def conflicts_text(conflicts: Sequence[Conflict]) -> str:
    """All conflicts as text, superseded revisions after the others; "" without any."""
    names = short_names(side.source for one in conflicts for side in (one.a, one.b))
    open_ones = [one for one in conflicts if not one.superseded]
    old = [one for one in conflicts if one.superseded]
    blocks = [conflict_text(one, names) for one in open_ones]
    if old:
        blocks.append("\n".join(conflict_text(one, names) for one in old))
    return "\n\n".join(blocks)


def conflict_text(conflict: Conflict, names: dict[str, str] | None = None) -> str:
    """One conflict in four lines; a superseded revision in one. No line end at the end."""
    shown = names or short_names((conflict.a.source, conflict.b.source))
    if conflict.superseded:
        return _superseded(conflict, shown)
    lines = [
        "⚠ Conflict detected:",
        f"  Source A ({_place(conflict.a, shown)}): {_quoted(conflict.a)}",
        f"  Source B ({_place(conflict.b, shown)}): {_quoted(conflict.b)}",
        f"  {decision_text(conflict)}",
    ]
    return "\n".join(lines)


def decision_text(conflict: Conflict) -> str:
    """What was decided and by which rule, or what the reader can do."""
    if conflict.holds is None:
        return UNDECIDED
    return f"Source {conflict.holds.upper()} holds: {conflict.rule}."


def conflict_as_dict(conflict: Conflict) -> dict[str, Any]:
    """A conflict as every ``--json`` shows it."""
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


def conflicts_markdown(conflicts: Iterable[Conflict]) -> list[str]:
    """Lines of a Markdown list, one item a conflict, words of sources escaped."""
    listed = list(conflicts)
    names = short_names(side.source for one in listed for side in (one.a, one.b))
    lines: list[str] = []
    for one in [*(c for c in listed if not c.superseded), *(c for c in listed if c.superseded)]:
        lines.append(f"- {_side_markdown('A', one.a, names)}\\")
        lines.append(f"  {_side_markdown('B', one.b, names)}\\")
        kind = "Superseded. " if one.superseded else ""
        lines.append(f"  {kind}{escape(decision_text(one))}")
    return lines


def _superseded(conflict: Conflict, names: dict[str, str]) -> str:
    old, new = (conflict.a, conflict.b) if conflict.holds == "b" else (conflict.b, conflict.a)
    places = f"{_place(old, names)} by {_place(new, names)}"
    return f"Superseded: {places}, {_short(conflict.reason)} ({conflict.rule})."


def _side_as_dict(side: ConflictSide) -> dict[str, Any]:
    return {
        "chunk_id": side.chunk_id,
        "source": side.source,
        "revision": side.revision,
        "revision_date": side.revision_date,
        "quote": {"id": side.quote.evidence_id, **quote_as_dict(side.quote)},
    }


def _side_markdown(letter: str, side: ConflictSide, names: dict[str, str]) -> str:
    place = escape(_place(side, names))
    printed = ", ".join(part for part in (side.revision, side.revision_date) if part)
    revision = f" ({escape(printed)})" if printed else ""
    return f"Source {letter}, {place}{revision}: “{escape(_short(side.quote.text))}”"


def _place(side: ConflictSide, names: dict[str, str]) -> str:
    """``datasheet.pdf §4.2``, else with its page or heading."""
    name = names.get(side.source, side.source)
    number, page = section_number(side.quote.section), page_text(side.quote)
    if number:
        return f"{name} §{number}"
    return f"{name}, p. {page}" if page else name


def _quoted(side: ConflictSide) -> str:
    return f'"{_short(side.quote.text)}"'


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
