"""Contradictions of an answer, and those in the evidence that a model reports and can quote.

A conflict must quote both passages; one with a quote that is not in its passage is dropped
with a notice. A model that fails finds none. Each line of a passage is marked as data.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from foundry.analysis import UNKNOWN, analyse_query
from foundry.craft.conflicts import find_conflicts, find_contradiction, resolve_conflicts
from foundry.craft.conflicts.detection import build_side
from foundry.craft.prompting import render_evidence
from foundry.errors import ModelError
from foundry.journeys.question import LoadedPassages
from foundry.messages import Message
from foundry.ports import ChatMessage, Generator, Reply
from foundry.prompts import TEXT, build_choice, build_list, build_object, fill
from foundry.records import (
    Conflict,
    ConflictKind,
    Evidence,
    Filters,
    Focus,
    Hit,
    Question,
    Quote,
    RetrieverHit,
    Sentence,
    Usage,
)
from foundry.text.glossary import EMPTY_GLOSSARY, Glossary
from foundry.text.json_replies import list_entries
from foundry.text.spotlight import escape, escape_line
from foundry.workspace import Workspace

_MAX_REPLY_TOKENS = 2000
_MAX_CONFLICTS = 40
_MAX_REASON_LENGTH = 300

COUNTERPARTS, COUNTERPART_WORDS = 5, 12
"""Further passages that are compared with a quote, and how many of its rarest words find them.
Guesses: the other source for a value has most of its words."""

_MOST_QUOTES, _MOST_COUNTERPARTS = 20, 15
"""Of a whole answer or section: each quote is a search, and 15 passages take 0.1 s to compare."""


def find_quoted_conflicts(
    workspace: Workspace,
    question: Question,
    evidence: Sequence[Evidence],
    sentences: Sequence[Sentence],
    filters: Filters | None = None,
    *,
    quotes: Sequence[Quote] = (),
) -> tuple[Conflict, ...]:
    """The conflicts by rule with what an answer or section quotes.

    ``quotes`` are shown too, without a sentence: the passages that come closest. The other side may be
    in a passage that the question did not find, in another language too.
    """
    shown = [*quotes, *(quote for sentence in sentences for quote in sentence.quotes)]
    if not shown:
        return ()
    beside = _find_counterparts(workspace, question, evidence, shown, filters or Filters())
    return find_conflicts([*evidence, *beside], workspace.glossary, shown)


def resolve_by_hierarchy(
    workspace: Workspace, conflicts: Sequence[Conflict], hierarchy: Sequence[str]
) -> tuple[Conflict, ...]:
    """The conflicts with the side that prevails by the patterns of ``hierarchy``."""
    paths = [source.path for source in workspace.store.outline_sources()] if hierarchy else []
    return resolve_conflicts(conflicts, hierarchy, paths)


def _find_counterparts(
    workspace: Workspace,
    question: Question,
    evidence: Sequence[Evidence],
    quotes: Sequence[Quote],
    filters: Filters,
) -> list[Evidence]:
    """Passages beside the evidence that share the rarest words with a quote, the best of each first.

    The words of all quotes together would be those of the rarest one.
    """
    known = {item.hit.chunk.id for item in evidence}
    texts = list(dict.fromkeys(quote.text for quote in quotes))[:_MOST_QUOTES]
    lists = [_search_words(workspace, question, text, known, filters) for text in texts]
    ranked = [hit for place in zip_longest(*lists) for hit in place if hit]
    scores = {hit.chunk_id: hit.score for hit in reversed(ranked)}
    chosen = list(dict.fromkeys(hit.chunk_id for hit in ranked))[:_MOST_COUNTERPARTS]
    return [
        Evidence(chunk.id, Hit(chunk, source, Focus(chunk.start, chunk.end), 0.0, scores[chunk.id]))
        for chunk, source in LoadedPassages(workspace.store).load(chosen)
    ]


def _search_words(
    workspace: Workspace, question: Question, text: str, known: Collection[str], filters: Filters
) -> Sequence[RetrieverHit]:
    """The passages, apart from the known ones, with most of the rarest words of a text."""
    store = workspace.store
    words = analyse_query(text, question.languages, UNKNOWN)
    counts = store.document_frequencies([term for word in words for term in word.terms])
    rarity = {w: max(counts[term] for term in w.terms) for w in words}
    rare = sorted((w for w in words if rarity[w]), key=lambda w: rarity[w])[:COUNTERPART_WORDS]
    terms = list(dict.fromkeys(term for word in rare for term in word.terms))
    found = store.search_text(terms, COUNTERPARTS + len(known), filters) if terms else []
    return [hit for hit in found if hit.chunk_id not in known][:COUNTERPARTS]


@dataclass(frozen=True, slots=True)
class ConflictScan:
    """The conflicts that a model found and quoted, its usage, and notices on what was dropped."""

    conflicts: tuple[Conflict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()


def scan_for_conflicts(
    generator: Generator,
    template: str,
    question: str,
    evidence: Sequence[Evidence],
    glossary: Glossary = EMPTY_GLOSSARY,
) -> ConflictScan:
    """The contradictions that a model sees in the evidence; a failing model is a notice.

    ``template`` is ``Templates.conflicts``. With fewer than two passages no model is asked.
    """
    if len(evidence) < 2:
        return ConflictScan()
    passages = "\n\n".join(render_evidence(item) for item in evidence)
    prompt = fill(template, {"passages": passages, "question": escape_line(question)})
    schema = build_conflict_schema([item.id for item in evidence])
    try:
        reply = generator.generate(
            [ChatMessage("user", prompt)], schema=schema, max_tokens=_MAX_REPLY_TOKENS
        )
    except ModelError as error:
        return ConflictScan(notices=(Message("conflict-scan-failed", cause=error.problem),))
    items = list_entries(reply.data, reply.text, "conflicts", last="b_quote")
    if items is None:
        notice = Message("conflict-scan-no-list", model=generator.model)
        return ConflictScan((), reply.usage, (*reply.notices, notice))
    return _verify_items(items, evidence, generator.model, reply, glossary)


def build_conflict_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply; only passages of the evidence are allowed."""
    passage = build_choice(ids)
    conflict = build_object(a=passage, a_quote=TEXT, b=passage, b_quote=TEXT, reason=TEXT)
    return build_object(conflicts=build_list(conflict))


def _verify_items(
    items: Sequence[Any],
    evidence: Sequence[Evidence],
    model: str,
    reply: Reply,
    glossary: Glossary,
) -> ConflictScan:
    by_id = {item.id: item for item in evidence}
    kept: list[Conflict] = []
    notices = list(reply.notices)
    for item in items[:_MAX_CONFLICTS]:
        conflict = _build_conflict(item, by_id, model, glossary)
        if isinstance(conflict, Message):
            notices.append(Message("conflict-scan-dropped", model=model, reason=conflict))
        else:
            kept.append(conflict)
    if len(items) > _MAX_CONFLICTS:
        cut = Message("conflict-scan-cut", model=model, number=len(items), limit=_MAX_CONFLICTS)
        notices.append(cut)
    return ConflictScan(tuple(kept), reply.usage, tuple(dict.fromkeys(notices)))


def _build_conflict(
    item: Any, by_id: Mapping[str, Evidence], model: str, glossary: Glossary
) -> Conflict | Message:
    """The conflict, or why it is dropped."""
    # Imported here: only a model quotes.
    from foundry.craft.grounding.model_quotes import locate_quote

    if not isinstance(item, Mapping):
        return Message("conflict-scan-not-object")
    quotes = []
    for key in ("a", "b"):
        name = str(item.get(key, "")).strip("[] ")[:40]
        if name not in by_id:
            return Message("conflict-scan-no-passage", name=name)
        quote = locate_quote(str(item.get(f"{key}_quote", "")), by_id[name])
        if quote is None:
            return Message("conflict-scan-quote-missing", name=name)
        quotes.append(quote)
    a, b = (build_side(by_id[quote.evidence_id], quote) for quote in quotes)
    same_words = " ".join(a.quote.text.split()) == " ".join(b.quote.text.split())
    overlap = a.source == b.source and a.quote.start < b.quote.end and b.quote.start < a.quote.end
    if same_words or overlap:
        return Message("conflict-scan-same-words")
    words = escape(" ".join(str(item.get("reason", "")).split()))[:_MAX_REASON_LENGTH]
    reason = Message("verbatim", text=words, fix="") if words else Message("conflict-no-reason")
    sides = [by_id[quote.evidence_id] for quote in quotes]
    difference = find_contradiction(sides, quotes, glossary)
    kind: ConflictKind = difference.kind if difference else "statement"
    values = difference.values if difference else (a.quote.text, b.quote.text)
    return Conflict(kind, a, b, values, reason, found_by=model)


def find_touched_conflicts(
    conflicts: Sequence[Conflict], sentences: Sequence[Sentence], quotes: Sequence[Quote] = ()
) -> tuple[Conflict, ...]:
    """The conflicts with a side that a sentence quotes, or that one of ``quotes`` overlaps."""
    shown = [*quotes, *(quote for sentence in sentences for quote in sentence.quotes)]
    spans = [(quote.evidence_id, quote.start, quote.end) for quote in shown]

    def is_touched(conflict: Conflict) -> bool:
        return any(
            side.quote.evidence_id == evidence_id
            and side.quote.start < end
            and start < side.quote.end
            for side in (conflict.a, conflict.b)
            for evidence_id, start, end in spans
        )

    return tuple(conflict for conflict in conflicts if is_touched(conflict))
