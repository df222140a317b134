"""A contradiction between sources as it is printed, as JSON, and as Markdown in a document.

Says where both places are and what was decided, and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from foundry.records import Conflict, ConflictSide
from foundry.render.escaping import escape, escape_within
from foundry.render.places import page_text, quote_as_dict, section_number, short_names

UNDECIDED = "Check the source hierarchy in your feature spec."
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class _Words:
    """What stands around a conflict in a document."""

    conflict: str
    superseded: str
    says: str
    first: str
    second: str
    undecided: str


_WORDS = {
    "en": _Words(
        "Sources contradict each other.",
        "Superseded.",
        "says",
        "The first holds",
        "The second holds",
        UNDECIDED,
    ),
    "nl": _Words(
        "Bronnen spreken elkaar tegen.",
        "Vervangen.",
        "zegt",
        "De eerste geldt",
        "De tweede geldt",
        "Controleer de bronhiërarchie in de specificatie.",
    ),
}


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


def conflict_in_brief(conflict: Conflict) -> dict[str, Any]:
    """A conflict as the front matter of a document keeps it."""
    return {
        "kind": conflict.kind,
        "a": _brief(conflict.a),
        "b": _brief(conflict.b),
        "holds": conflict.holds,
        "rule": conflict.rule,
        "superseded": conflict.superseded,
        "found_by": conflict.found_by,
    }


def _brief(side: ConflictSide) -> dict[str, Any]:
    page = page_text(side.quote)
    return {
        "source": side.source,
        "section": side.quote.section,
        "page": page,
        "quote": " ".join(side.quote.text.split()),
    }


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


def conflicts_markdown(conflicts: Iterable[Conflict], language: str = "en") -> list[str]:
    """One line of Markdown a conflict, superseded revisions last; words of sources are escaped."""
    listed = list(conflicts)
    names = short_names(side.source for one in listed for side in (one.a, one.b))
    words = _WORDS.get(language, _WORDS["en"])
    ranked = sorted(listed, key=lambda one: one.superseded)
    return [_line(one, names, words) for one in ranked]


def _line(conflict: Conflict, names: dict[str, str], words: _Words) -> str:
    head = words.superseded if conflict.superseded else words.conflict
    sides = "; ".join(_side_markdown(side, names, words) for side in (conflict.a, conflict.b))
    decided = words.undecided
    if conflict.holds is not None:
        decided = f"{words.first if conflict.holds == 'a' else words.second} ({conflict.rule})."
    return f"**{head}** {sides}. {escape(decided)}"


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


def _side_markdown(side: ConflictSide, names: dict[str, str], words: _Words) -> str:
    printed = ", ".join(part for part in (side.revision, side.revision_date) if part)
    revision = f" ({escape(printed)})" if printed else ""
    quote = escape_within(_short(side.quote.text))
    return f"{escape(_place(side, names))}{revision} {words.says} “{quote}”"


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
