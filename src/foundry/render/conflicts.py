"""A conflict between sources as text, and as Markdown in a document.

It shows both places and what was decided, and decides nothing itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from foundry.messages import Message, Words, choose_language, format_message
from foundry.records import Conflict, ConflictSide
from foundry.render.escapes import escape, escape_within
from foundry.render.places import (
    find_section_number,
    format_page,
    format_revision,
    shorten_paths,
)

_MAX_QUOTE = 240
"""Characters: three lines of a terminal."""


def render_conflicts(conflicts: Sequence[Conflict], *, specified: bool = True) -> str:
    """All conflicts as text, superseded revisions last; "" if there are none.

    Without a specification (``specified``) there is no hierarchy to check.
    """
    names = shorten_paths(
        side.source for conflict in conflicts for side in (conflict.a, conflict.b)
    )
    current = [conflict for conflict in conflicts if not conflict.superseded]
    old = [conflict for conflict in conflicts if conflict.superseded]
    blocks = [render_conflict(conflict, names, specified=specified) for conflict in current]
    if old:
        blocks.append("\n".join(render_conflict(conflict, names) for conflict in old))
    return "\n\n".join(blocks)


def render_conflict(
    conflict: Conflict, names: dict[str, str] | None = None, *, specified: bool = True
) -> str:
    """A conflict in four lines, a superseded revision in one."""
    shown = names or shorten_paths((conflict.a.source, conflict.b.source))
    if conflict.superseded:
        return _render_superseded(conflict, shown)
    sides = (
        Message(
            "conflict-side",
            side=letter,
            place=_format_place(side, shown),
            quote=_shorten(side.quote.text),
        )
        for letter, side in (("A", conflict.a), ("B", conflict.b))
    )
    lines = (Message("conflict-detected"), *sides, render_decision(conflict, specified=specified))
    return "\n  ".join(map(str, lines))


def render_decision(conflict: Conflict, *, specified: bool = True) -> Message:
    """Which source is followed and by which rule, or what the reader can do."""
    if conflict.holds is None:
        return Message(_get_advice(specified=specified))
    return Message("conflict-decided", side=conflict.holds.upper(), rule=conflict.rule)


def _get_advice(*, specified: bool) -> str:
    return "document-check-hierarchy" if specified else "document-undecided"


def summarise_conflict(conflict: Conflict) -> dict[str, Any]:
    """A conflict as in the front matter of a document."""
    return {
        "kind": conflict.kind,
        "a": _summarise_side(conflict.a),
        "b": _summarise_side(conflict.b),
        "holds": conflict.holds,
        "rule": conflict.rule,
        "superseded": conflict.superseded,
        "found_by": conflict.found_by,
    }


def _summarise_side(side: ConflictSide) -> dict[str, Any]:
    page = format_page(side.quote)
    return {
        "source": side.source,
        "section": side.quote.section,
        "page": page,
        "quote": " ".join(side.quote.text.split()),
    }


def render_conflict_lines(
    conflicts: Iterable[Conflict], language: str = "en", *, specified: bool = True
) -> list[str]:
    """A line of Markdown per conflict, then one per superseded revision; source text is escaped."""
    listed = list(conflicts)
    names = shorten_paths(side.source for conflict in listed for side in (conflict.a, conflict.b))
    words = Words(choose_language(language))
    advice = words(_get_advice(specified=specified))
    replaced: dict[tuple[str, str, str], list[Conflict]] = defaultdict(list)
    for conflict in listed:
        if conflict.superseded:
            new, old = _order_sides(conflict)
            replaced[new.source, old.source, words.format(conflict.rule or "")].append(conflict)
    return [
        *(_render_line(one, names, words, advice) for one in listed if not one.superseded),
        *(_render_replaced(key, group, names, words) for key, group in replaced.items()),
    ]


def _order_sides(conflict: Conflict) -> tuple[ConflictSide, ConflictSide]:
    """The side that holds, then the other."""
    return (conflict.a, conflict.b) if conflict.holds == "a" else (conflict.b, conflict.a)


def _render_replaced(
    key: tuple[str, str, str],
    conflicts: Sequence[Conflict],
    names: dict[str, str],
    words: Words,
) -> str:
    """All values of one revision that another supersedes, in one line."""
    new, old = (names.get(path, path) for path in key[:2])
    follows = words("document-follows", new=new, old=old, rule=key[2])
    pairs = (map(_render_spot, _order_sides(conflict)) for conflict in conflicts)
    listed = "; ".join(words("document-not", new=ours, old=theirs) for ours, theirs in pairs)
    return f"**{words('document-replaced')}** {escape(follows)} {listed}."


def _render_spot(side: ConflictSide) -> str:
    """A quote with its section or page: ``§4.1 “Supply | 5 V”``."""
    number, page = find_section_number(side.quote.section), format_page(side.quote)
    spot = f"§{number}" if number else f"p. {page}" if page else ""
    return f"{escape(spot)} “{escape_within(_shorten(side.quote.text))}”".strip()


def _render_line(conflict: Conflict, names: dict[str, str], words: Words, advice: str) -> str:
    head = words("document-contradiction")
    sides = "; ".join(_render_side(side, names, words) for side in (conflict.a, conflict.b))
    if conflict.holds is None:
        decided = advice
    else:
        code = "document-first-holds" if conflict.holds == "a" else "document-second-holds"
        decided = words(code, rule=conflict.rule)
    return f"**{head}** {sides}. {escape(decided)}"


def _render_superseded(conflict: Conflict, names: dict[str, str]) -> str:
    old, new, reason = conflict.a, conflict.b, conflict.reason
    if conflict.holds == "a":
        old, new, reason = new, old, _swap_values(reason)
    message = Message(
        "conflict-superseded",
        old=_format_place(old, names),
        new=_format_place(new, names),
        reason=_shorten(format_message(reason)),
        rule=conflict.rule,
    )
    return str(message)


def _swap_values(reason: Message) -> Message:
    """The same difference as seen from the other side."""
    params = dict(reason.params)
    if isinstance(values := params.get("values"), Message):
        params["values"] = _swap_values(values)
    if "ours" in params:
        params["ours"], params["theirs"] = params["theirs"], params["ours"]
    return Message(reason.code, **params)


def _render_side(side: ConflictSide, names: dict[str, str], words: Words) -> str:
    printed = format_revision(side, words.format)
    revision = f" ({escape(printed)})" if printed else ""
    quote, says = escape_within(_shorten(side.quote.text)), words("document-says")
    return f"{escape(_format_place(side, names))}{revision} {says} “{quote}”"


def _format_place(side: ConflictSide, names: dict[str, str]) -> str:
    """``datasheet.pdf §4.2``, or with its page if the section has no number."""
    name = names.get(side.source, side.source)
    number, page = find_section_number(side.quote.section), format_page(side.quote)
    if number:
        return f"{name} §{number}"
    return f"{name}, p. {page}" if page else name


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_QUOTE else f"{line[: _MAX_QUOTE - 1].rstrip()}…"
