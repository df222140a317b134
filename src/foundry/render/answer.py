"""Answers, search results and turns of a conversation as text.

The labels are in the language of the messages, the answer itself is in its own. Shows what the
records say and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from foundry.clock import format_minute
from foundry.messages import Message
from foundry.records import (
    Answer,
    CitedSource,
    DroppedHit,
    Evidence,
    Filters,
    Hit,
    SearchResult,
    Sentence,
    ShownAnswer,
    Source,
    Verdict,
    append_citations,
    choose_separator,
)
from foundry.render.conflicts import render_conflicts
from foundry.render.excerpts import render_excerpt
from foundry.render.places import (
    describe_place,
    format_location,
    format_revision,
    name_evidence,
    note_reading,
    shorten_paths,
)

NO_EVIDENCE = Message("answer-no-evidence")
READ = frozenset(("complete-items", "complete-read"))
"""Reasons that a reader of any answer sees: how much was read for a list."""

_MAX_EXCERPT = 240
"""Characters: three lines of a terminal."""
_MAX_PLACES = 3
_NAMED_BY_GATE = frozenset(("gate-uncovered", "gate-uncovered-here", "gate-unmentioned"))
"""Places listed per source: more would hide the other sources; --json has them all."""


def render_answer(answer: Answer) -> str:
    """The answer with its sources, or what is missing and what to do about it."""
    if answer.verdict == "no_evidence":
        return "\n".join([str(NO_EVIDENCE), *_suggest_actions(answer), *_render_changes(answer)])
    if answer.verdict == "passages":
        names = name_passages(answer.search)
        shown = [render_excerpt(passage, names) for passage in answer.passages]
        return "\n\n".join([render_answer_head("passages"), *shown, *_list_end(answer)])
    before = (None, *answer.sentences)
    text = "".join(map(render_sentence, answer.sentences, before))
    return "\n".join([render_answer_head(answer.verdict), text, "", render_answer_end(answer)])


def render_sentence(sentence: Sentence, before: Sentence | None) -> str:
    """A sentence after the one before it, marked if it is not verified: ``Five volts. [S1]``"""
    gap = choose_separator(before, sentence) if before else ""
    mark = "" if sentence.verified else f" ({Message('answer-not-verified')})"
    return f"{gap}{append_citations(sentence)}{mark}"


def render_answer_head(verdict: Verdict) -> str:
    """The line above an answer."""
    if verdict == "passages":
        return str(Message("answer-head-passages"))
    low = verdict == "low_confidence"
    return str(Message("answer-head-low-confidence" if low else "answer-head"))


def name_passages(result: SearchResult) -> dict[str, str]:
    """How the files of the evidence are named in an answer, by path."""
    return shorten_paths(item.hit.source.path for item in result.evidence)


def render_answer_end(answer: Answer) -> str:
    """What follows an answer: sources, conflicts, and what verification changed.

    Passages say themselves where they are; after them comes what they lack.
    """
    if answer.verdict == "passages":
        return "\n\n".join(_list_end(answer))
    names = shorten_paths(source.evidence.hit.source.path for source in answer.sources)
    lines = [
        str(Message("answer-sources")),
        *(_render_source(source, names) for source in answer.sources),
    ]
    if answer.verdict == "low_confidence":
        reasons = " ".join(map(str, answer.reasons))
        lines += ["", str(Message("answer-why-low-confidence", reasons=reasons))]
    else:
        read = [str(reason) for reason in answer.reasons if reason.code in READ]
        lines += ["", *read] if read else []
    if answer.conflicts:
        lines += ["", render_conflicts(answer.conflicts)]
    return "\n".join([*lines, *_render_changes(answer)])


def _list_end(answer: Answer) -> list[str]:
    """What follows passages, in paragraphs."""
    parts = ["\n".join(map(str, answer.reasons))]
    if answer.conflicts:
        parts.append(render_conflicts(answer.conflicts))
    parts.append("\n".join(_render_changes(answer)).strip())
    return [part for part in parts if part]


def _render_changes(answer: Answer) -> list[str]:
    """Every sentence that verification changed, with what was done and why."""
    if not answer.changes:
        return []
    lines = [
        f"- {Message(f'answer-change-{change.action}')}: {change.sentence}"
        f" ({name_evidence(change.reason, answer.search.evidence)})"
        for change in answer.changes
    ]
    return ["", str(Message("answer-changes")), *lines]


def render_search(result: SearchResult) -> str:
    """The hits, best first, each with its place and an excerpt, and the verdict of the gate."""
    names = shorten_paths(hit.source.path for hit in result.hits)
    lines: list[str] = []
    for number, hit in enumerate(result.hits, 1):
        ranks = ", ".join(
            f"{retriever} #{match.rank}"
            for retriever, match in (("dense", hit.dense), ("bm25", hit.bm25))
            if match is not None
        )
        where = format_location(names[hit.source.path], hit.focus)
        scored = Message("answer-hit", place=where, score=hit.relevance, ranks=ranks)
        if not hit.rated:
            scored = Message("answer-hit-unrated", place=where, ranks=ranks)
        lines += [f"{number}. {_add_notices(scored, hit)}", f"   {_cut_excerpt(hit)}", ""]
    if not result.hits:
        lines += [str(Message("answer-no-hits")), ""]
    gate = result.gate
    verdict = Message(
        "answer-gate", decision=gate.decision, score=gate.score, threshold=gate.threshold
    )
    lines.append(str(verdict))
    lines += [f"  {reason}" for reason in gate.reasons]
    return "\n".join(lines)


def render_choice(
    result: SearchResult, evidence: Sequence[Evidence], dropped: Sequence[DroppedHit], hyde: str
) -> str:
    """What would be read of the hits, what HyDE searched with, and why the others are left out."""
    ranks = {hit.chunk.id: number for number, hit in enumerate(result.hits, 1)}
    hits = [*(item.hit for item in evidence), *(item.hit for item in dropped)]
    names = shorten_paths(hit.source.path for hit in hits)

    def describe(hit: Hit) -> str:
        found = Message("answer-hit-rank", rank=ranks.get(hit.chunk.id, 0))
        return f"{format_location(names[hit.source.path], hit.focus)} ({found})"

    lines = [str(Message("answer-hyde", text=hyde))] if hyde else []
    lines += [str(Message("answer-would-read", number=len(evidence)))]
    lines += [f"  {item.id} {describe(item.hit)}" for item in evidence]
    lines += [f"  – {describe(item.hit)}: {item.reason}" for item in dropped]
    return "\n".join(lines)


def _suggest_actions(answer: Answer) -> list[str]:
    missing = answer.search.gate.uncovered
    lines = [*answer.reasons]
    # The gate has given the words, or a name that they are part of, as a reason if it refused.
    if missing and not _NAMED_BY_GATE & {reason.code for reason in lines}:
        lines.append(Message("gate-uncovered", words=missing))
    lines.append(Message("answer-add-about-that" if missing else "answer-add-an-answer"))
    return [str(line) for line in lines]


def _render_source(source: CitedSource, names: dict[str, str]) -> str:
    hit = source.evidence.hit
    quotes = sorted(source.quotes, key=lambda quote: quote.start)
    places = list(dict.fromkeys(filter(None, map(describe_place, quotes))))
    name = names[hit.source.path]
    printed = format_revision(hit.source)
    parts = [name, "; ".join(places[:_MAX_PLACES]), printed]
    where = ", ".join(part for part in parts if part)
    scored = Message("answer-source", place=where, score=hit.relevance)
    return f"- {source.evidence.id} {_add_notices(scored, hit, note_reading(quotes))}"


def _add_notices(scored: Message, hit: Hit, notes: Sequence[Message] = ()) -> Message:
    """A source or hit with what is to be said about it, such as that its file is gone."""
    notices = "; ".join(map(str, (*hit.notices, *notes)))
    if not notices:
        return scored
    return Message("answer-source-noted", source=scored, notices=notices)


def _cut_excerpt(hit: Hit) -> str:
    chunk, focus = hit.chunk, hit.focus
    words = " ".join(chunk.text[focus.start - chunk.start : focus.end - chunk.start].split())
    return words if len(words) <= _MAX_EXCERPT else f"{words[:_MAX_EXCERPT].rsplit(' ', 1)[0]} …"


def describe_asked(time: datetime, role: str, shown: ShownAnswer, who: str = "") -> Message:
    """When an answer was made, for whom, for which role, and from which of the sources."""
    filters = name_filters(shown.filters)
    code = "answer-asked-filtered" if filters else "answer-asked"
    facts = {"filters": filters} if filters else {}
    named = f"{role} ({who})" if who else role
    return Message(code, time=format_minute(time), role=named, **facts)


def name_filters(filters: Filters) -> str:
    """``type=pdf; from=2026-01-01``, as they are given on a command line."""
    return "; ".join(_list_filters(filters))


def _list_filters(filters: Filters) -> Iterator[str]:
    revision = () if filters.revision == "all" and filters.sources else (filters.revision,)
    lists = {
        "source": filters.sources,
        "folder": filters.folders,
        "type": filters.types,
        "tag": filters.tags,
        "confidentiality": filters.levels,
        "from": (filters.date_from,),
        "to": (filters.date_to,),
        "revision": revision,
    }
    for name, values in lists.items():
        for value in filter(None, values):
            yield f"{name}={value}"


def list_changed(shown: ShownAnswer, sources: Mapping[str, Source]) -> list[Message]:
    """The cited sources that are not as they were, by title; ``sources`` are those now, by id."""
    now = {one.source_id: sources.get(one.source_id) for one in shown.sources}
    known = {one.source_id: one for one in shown.sources}.values()
    gone = [one.title for one in known if now[one.source_id] is None]
    changed = [
        one.title
        for one in known
        if (source := now[one.source_id]) and source.content_hash != one.content_hash
    ]
    found = (("answer-source-changed", changed), ("answer-source-gone", gone))
    return [Message(code, sources=titles) for code, titles in found if titles]
