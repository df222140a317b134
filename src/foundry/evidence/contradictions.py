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

from foundry.craft.conflicts import contradicts
from foundry.craft.conflicts.finding import side_of
from foundry.craft.prompting import render_evidence
from foundry.errors import ModelError
from foundry.ports import Generator, Message, Reply
from foundry.prompts import fill
from foundry.records import Block, Conflict, ConflictKind, Evidence, Quote, Usage
from foundry.wording.passages import quote_at
from foundry.wording.replies import read_unfinished
from foundry.wording.spotlight import escape, one_line, unescape

_LONGEST_REPLY = 2000
_MOST_CONFLICTS = 40
_LEAST_QUOTE = 3
_LONGEST_REASON = 300
_LINE_MARK = re.compile(r"(?:^|\n)[ \t]*S\d{1,4}\|[ \t]?")
_QUOTES = "\"'“”‘’«»„`"


@dataclass(frozen=True, slots=True)
class Scan:
    """The conflicts that a model found and showed, what it took, and what was not believed."""

    conflicts: tuple[Conflict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def scan_for_conflicts(
    generator: Generator, template: str, question: str, evidence: Sequence[Evidence]
) -> Scan:
    """Contradictions between passages of the evidence as a model sees them; never raises for it.

    ``template`` is ``Templates.conflicts``. Fewer than two passages are not asked about.
    """
    if len(evidence) < 2:
        return Scan()
    passages = "\n\n".join(render_evidence(item) for item in evidence)
    asked = fill(template, {"passages": passages, "question": one_line(question)})
    schema = conflict_schema([item.id for item in evidence])
    try:
        reply = generator.generate(
            [Message("user", asked)], schema=schema, max_tokens=_LONGEST_REPLY
        )
    except ModelError as error:
        return Scan(notices=(f"No model looked for contradictions: {error.message}",))
    items = _items(reply)
    if items is None:
        said = f"{generator.model} gave no list of contradictions; only those found by rule count."
        return Scan((), reply.usage, (*reply.notices, said))
    return _believed(items, evidence, generator.model, reply)


def conflict_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply; passages are limited to those of the evidence."""
    passage = {"type": "string", "enum": list(ids)}
    keys = {
        "a": passage,
        "a_quote": {"type": "string"},
        "b": passage,
        "b_quote": {"type": "string"},
        "reason": {"type": "string"},
    }
    item = {
        "type": "object",
        "properties": keys,
        "required": list(keys),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"conflicts": {"type": "array", "items": item}},
        "required": ["conflicts"],
        "additionalProperties": False,
    }


def _items(reply: Reply) -> list[Any] | None:
    listed = reply.data.get("conflicts") if reply.data is not None else None
    if isinstance(listed, list):
        return listed
    # What stands before the cut of a reply without an end is whole.
    unfinished = read_unfinished(reply.text)
    whole = [item for item in unfinished or [] if isinstance(item, Mapping) and "b_quote" in item]
    return whole or None


def _believed(items: Sequence[Any], evidence: Sequence[Evidence], model: str, reply: Reply) -> Scan:
    by_id = {item.id: item for item in evidence}
    kept: list[Conflict] = []
    notices = list(reply.notices)
    for item in items[:_MOST_CONFLICTS]:
        found = _conflict(item, by_id, model)
        if isinstance(found, str):
            notices.append(f"A contradiction named by {model} was dropped: {found}.")
        else:
            kept.append(found)
    if len(items) > _MOST_CONFLICTS:
        notices.append(f"{model} named {len(items)} contradictions; {_MOST_CONFLICTS} were read.")
    return Scan(tuple(kept), reply.usage, tuple(dict.fromkeys(notices)))


def _conflict(item: Any, by_id: Mapping[str, Evidence], model: str) -> Conflict | str:
    """The conflict, or why it is not believed."""
    if not isinstance(item, Mapping):
        return "it is no object"
    quotes = []
    for key in ("a", "b"):
        name = str(item.get(key, "")).strip("[] ")[:40]
        if name not in by_id:
            return f"there is no passage {name!r}"
        quote = find_quote(str(item.get(f"{key}_quote", "")), by_id[name])
        if quote is None:
            return f"its words do not stand in {name}"
        quotes.append(quote)
    a, b = (side_of(by_id[quote.evidence_id], quote) for quote in quotes)
    same_words = " ".join(a.quote.text.split()) == " ".join(b.quote.text.split())
    overlap = a.source == b.source and a.quote.start < b.quote.end and b.quote.start < a.quote.end
    if same_words or overlap:
        return "both of its quotes are the same words"
    reason = escape(" ".join(str(item.get("reason", "")).split()))[:_LONGEST_REASON]
    told = contradicts(a.quote.text, b.quote.text)
    kind: ConflictKind = told.kind if told else "statement"
    values = told.values if told else (a.quote.text, b.quote.text)
    return Conflict(kind, a, b, values, reason or "not given", found_by=model)


def find_quote(words: str, evidence: Evidence) -> Quote | None:
    """Where a model's quote stands in the passage, white space aside; None where it does not."""
    plain = unescape(_LINE_MARK.sub(" ", words)).strip().strip(_QUOTES).strip()
    parts = [re.escape(part) for part in plain.split()]
    if len(plain) < _LEAST_QUOTE or not parts:
        return None
    chunk = evidence.hit.chunk
    match = re.search(r"\s+".join(parts), chunk.text)
    if match is None:
        return None
    start, end = chunk.start + match.start(), chunk.start + match.end()
    return quote_at(evidence, (start, end), _block_at(evidence, start))


def _block_at(evidence: Evidence, start: int) -> Block:
    chunk = evidence.hit.chunk
    inside = [block for block in chunk.blocks if block.start <= start < block.end]
    return inside[0] if inside else Block("paragraph", chunk.start, chunk.end, chunk.heading_path)
