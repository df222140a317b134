"""Asking a model for contradictions in the evidence, and believing only what it can show.

Each conflict that it names must quote both passages; a quote that does not stand in its
passage drops the conflict, with a notice. A model that fails or talks nonsense finds none.
The text of the passages is data, marked line by line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundry.craft.conflicts import find_contradiction
from foundry.craft.conflicts.detection import build_side
from foundry.craft.prompting import render_evidence
from foundry.errors import ModelError
from foundry.ports import Generator, Message, Reply
from foundry.prompts import fill
from foundry.prompts.schemas import TEXT, build_choice, build_list, build_object
from foundry.records import Block, Conflict, ConflictKind, Evidence, Quote, Usage
from foundry.text.passages import build_quote
from foundry.text.replies import parse_partial_json
from foundry.text.spotlight import escape, escape_line, unescape

_MAX_REPLY_TOKENS = 2000
_MAX_CONFLICTS = 40
_MIN_QUOTE_LENGTH = 3
_MAX_REASON_LENGTH = 300
_LINE_MARK = re.compile(r"(?:^|\n)[ \t]*S\d{1,4}\|[ \t]?")
_QUOTES = "\"'“”‘’«»„`"


@dataclass(frozen=True, slots=True)
class ConflictScan:
    """The conflicts that a model found and showed, what it took, and what was not believed."""

    conflicts: tuple[Conflict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def scan_for_conflicts(
    generator: Generator, template: str, question: str, evidence: Sequence[Evidence]
) -> ConflictScan:
    """Contradictions between passages of the evidence as a model sees them; never raises for it.

    ``render_template`` is ``Templates.conflicts``. Fewer than two passages are not asked about.
    """
    if len(evidence) < 2:
        return ConflictScan()
    passages = "\n\n".join(render_evidence(item) for item in evidence)
    asked = fill(template, {"passages": passages, "question": escape_line(question)})
    schema = build_conflict_schema([item.id for item in evidence])
    try:
        reply = generator.generate(
            [Message("user", asked)], schema=schema, max_tokens=_MAX_REPLY_TOKENS
        )
    except ModelError as error:
        return ConflictScan(notices=(f"No model looked for contradictions: {error.message}",))
    items = _parse_items(reply)
    if items is None:
        said = f"{generator.model} gave no list of contradictions; only those found by rule count."
        return ConflictScan((), reply.usage, (*reply.notices, said))
    return _verify_items(items, evidence, generator.model, reply)


def build_conflict_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply; passages are limited to those of the evidence."""
    passage = build_choice(ids)
    conflict = build_object(a=passage, a_quote=TEXT, b=passage, b_quote=TEXT, reason=TEXT)
    return build_object(conflicts=build_list(conflict))


def _parse_items(reply: Reply) -> list[Any] | None:
    listed = reply.data.get("conflicts") if reply.data is not None else None
    if isinstance(listed, list):
        return listed
    # What stands before the cut of a reply without an end is whole.
    unfinished = parse_partial_json(reply.text)
    whole = [item for item in unfinished or [] if isinstance(item, Mapping) and "b_quote" in item]
    return whole or None


def _verify_items(
    items: Sequence[Any], evidence: Sequence[Evidence], model: str, reply: Reply
) -> ConflictScan:
    by_id = {item.id: item for item in evidence}
    kept: list[Conflict] = []
    notices = list(reply.notices)
    for item in items[:_MAX_CONFLICTS]:
        found = _build_conflict(item, by_id, model)
        if isinstance(found, str):
            notices.append(f"A contradiction named by {model} was dropped: {found}.")
        else:
            kept.append(found)
    if len(items) > _MAX_CONFLICTS:
        notices.append(f"{model} named {len(items)} contradictions; {_MAX_CONFLICTS} were read.")
    return ConflictScan(tuple(kept), reply.usage, tuple(dict.fromkeys(notices)))


def _build_conflict(item: Any, by_id: Mapping[str, Evidence], model: str) -> Conflict | str:
    """The conflict, or why it is not believed."""
    if not isinstance(item, Mapping):
        return "it is no object"
    quotes = []
    for key in ("a", "b"):
        name = str(item.get(key, "")).strip("[] ")[:40]
        if name not in by_id:
            return f"there is no passage {name!r}"
        quote = locate_quote(str(item.get(f"{key}_quote", "")), by_id[name])
        if quote is None:
            return f"its words do not stand in {name}"
        quotes.append(quote)
    a, b = (build_side(by_id[quote.evidence_id], quote) for quote in quotes)
    same_words = " ".join(a.quote.text.split()) == " ".join(b.quote.text.split())
    overlap = a.source == b.source and a.quote.start < b.quote.end and b.quote.start < a.quote.end
    if same_words or overlap:
        return "both of its quotes are the same words"
    reason = escape(" ".join(str(item.get("reason", "")).split()))[:_MAX_REASON_LENGTH]
    told = find_contradiction(a.quote.text, b.quote.text)
    kind: ConflictKind = told.kind if told else "statement"
    values = told.values if told else (a.quote.text, b.quote.text)
    return Conflict(kind, a, b, values, reason or "not given", found_by=model)


def locate_quote(words: str, evidence: Evidence) -> Quote | None:
    """Where a model's quote stands in the passage, white space aside; None where it does not."""
    plain = unescape(_LINE_MARK.sub(" ", words)).strip().strip(_QUOTES).strip()
    parts = [re.escape(part) for part in plain.split()]
    if len(plain) < _MIN_QUOTE_LENGTH or not parts:
        return None
    chunk = evidence.hit.chunk
    match = re.search(r"\s+".join(parts), chunk.text)
    if match is None:
        return None
    start, end = chunk.start + match.start(), chunk.start + match.end()
    return build_quote(evidence, (start, end), _find_block(evidence, start))


def _find_block(evidence: Evidence, start: int) -> Block:
    chunk = evidence.hit.chunk
    inside = [block for block in chunk.blocks if block.start <= start < block.end]
    return inside[0] if inside else Block("paragraph", chunk.start, chunk.end, chunk.heading_path)
