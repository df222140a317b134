"""Answers, search results and turns of a conversation as text.

The wording is fixed and English; the answer itself is in its own language. Shows what the
records say and computes nothing.
"""

from __future__ import annotations

from foundry.records import (
    Answer,
    CitedSource,
    Hit,
    SearchResult,
    Verdict,
)
from foundry.render.conflicts import render_conflicts
from foundry.render.places import (
    describe_place,
    format_location,
    format_revision,
    shorten_paths,
)

NO_EVIDENCE = "No supporting documentation found in indexed sources."
ANSWER = "Answer:"
LOW_CONFIDENCE = "Answer (LOW CONFIDENCE — limited source coverage):"
_MAX_EXCERPT = 240
"""Characters: three lines of a terminal."""
_ACTIONS = {
    "reattributed": "citation corrected",
    "recited": "citation dropped",
    "regenerated": "rewritten",
    "removed": "removed",
}
_MAX_PLACES = 3
"""Places listed per source: more would hide the other sources; --json has them all."""


def render_answer(answer: Answer) -> str:
    """The answer with its sources, or what is missing and what to do about it."""
    if answer.verdict == "no_evidence":
        return "\n".join([NO_EVIDENCE, *_suggest_actions(answer), *_render_changes(answer)])
    return "\n".join(
        [render_answer_head(answer.verdict), answer.text, "", render_answer_end(answer)]
    )


def render_answer_head(verdict: Verdict) -> str:
    """The line above an answer."""
    return LOW_CONFIDENCE if verdict == "low_confidence" else ANSWER


def render_answer_end(answer: Answer) -> str:
    """What follows the text of an answer: sources, conflicts, and what verification changed."""
    names = shorten_paths(source.evidence.hit.source.path for source in answer.sources)
    lines = ["Sources:", *(_render_source(source, names) for source in answer.sources)]
    if answer.verdict == "low_confidence":
        lines += ["", f"Why low confidence: {' '.join(answer.reasons)}"]
    if answer.conflicts:
        lines += ["", render_conflicts(answer.conflicts)]
    return "\n".join([*lines, *_render_changes(answer)])


def _render_changes(answer: Answer) -> list[str]:
    """Every sentence that verification changed, with what was done and why."""
    if not answer.changes:
        return []
    lines = [
        f"- {_ACTIONS[change.action]}: {change.sentence} ({change.reason})"
        for change in answer.changes
    ]
    return ["", "Changed by verification:", *lines]


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
        lines += [f"{number}. {where} (score: {hit.relevance:.2f}; {ranks})"]
        lines += [f"   {_cut_excerpt(hit)}", ""]
    if not result.hits:
        lines += ["No hits.", ""]
    gate = result.gate
    lines.append(
        f"Gate: {gate.decision} (score: {gate.score:.2f}, min_score: {gate.threshold:.2f})"
    )
    lines += [f"  {reason}" for reason in gate.reasons]
    return "\n".join(lines)


def _suggest_actions(answer: Answer) -> list[str]:
    missing = answer.search.gate.uncovered
    lines = [*answer.reasons]
    if missing:
        lines.append(f"No source covers: {', '.join(missing)}.")
    what = "about that" if missing else "with the answer"
    lines.append(f"Add a document {what} to the sources, then run `foundry ingest`.")
    # The gate may have given the uncovered words as a reason already.
    return list(dict.fromkeys(lines))


def _render_source(source: CitedSource, names: dict[str, str]) -> str:
    hit = source.evidence.hit
    quotes = sorted(source.quotes, key=lambda quote: quote.start)
    places = list(dict.fromkeys(filter(None, map(describe_place, quotes))))
    name = names[hit.source.path]
    printed = format_revision(hit.source)
    parts = [name, "; ".join(places[:_MAX_PLACES]), printed]
    where = ", ".join(part for part in parts if part)
    return f"- {source.evidence.id} {where} (score: {hit.relevance:.2f})"


def _cut_excerpt(hit: Hit) -> str:
    chunk, focus = hit.chunk, hit.focus
    words = " ".join(chunk.text[focus.start - chunk.start : focus.end - chunk.start].split())
    return words if len(words) <= _MAX_EXCERPT else f"{words[:_MAX_EXCERPT].rsplit(' ', 1)[0]} …"
