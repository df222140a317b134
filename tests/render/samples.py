"""Answers, searches and drafts made by hand for the tests of the renderers."""

from __future__ import annotations

from dataclasses import replace

from foundry.messages import Message
from foundry.records import (
    Answer,
    Block,
    CitedSource,
    Draft,
    Evidence,
    Excerpt,
    ExcerptLine,
    Focus,
    GateDecision,
    Hit,
    Question,
    Quote,
    RetrieverHit,
    SearchResult,
    Section,
    Sentence,
    Usage,
)
from foundry.text.passages import build_quotes, find_passages
from tests.craft.samples import WHEN, make_evidence

TEXT = "# 3.2 Supply\nThe supply is 5 V.\nIt must not exceed 6 V.\nCables may be 300 m long."
DECISIVE = Message("gate-decisive", score=0.71)
GATE = GateDecision("answer", 0.71234567, 0.2, (DECISIVE,), {"cosine": 0.91})


def evidence(id: str = "S1", source: str = "docs/sheet.pdf", text: str = TEXT) -> Evidence:  # noqa: A002
    """Evidence on page 14 ("xiv"), or whatever the text gives."""
    made = make_evidence(text, id, source=source, relevance=0.8349)
    blocks = tuple(replace(b, page=14, page_label="xiv") for b in made.hit.chunk.blocks)
    hit = replace(
        made.hit,
        chunk=replace(made.hit.chunk, blocks=blocks),
        focus=Focus(13, 31, ("3 Electrical", "3.2 Supply"), 14, "xiv"),
        dense=RetrieverHit("c", 1, 0.91234567),
    )
    return replace(made, hit=hit)


def with_blocks(made: Evidence, **changes: object) -> Evidence:
    """The evidence with every block changed."""
    blocks: tuple[Block, ...] = tuple(
        replace(block, **changes)  # type: ignore[arg-type]
        for block in made.hit.chunk.blocks
    )
    return replace(made, hit=replace(made.hit, chunk=replace(made.hit.chunk, blocks=blocks)))


def quotes(made: Evidence) -> list[Quote]:
    """The quotes of all sentences of the evidence."""
    passages = [p for p in find_passages(made.hit.chunk) if p.kind != "heading"]
    return [quote for passage in passages for quote in build_quotes(passage, made)]


def cite(made: Evidence, *numbers: int) -> tuple[Sentence, ...]:
    """A sentence for each of the evidence's quotes named."""
    found = quotes(made)
    return tuple(Sentence(found[n].text, (made.id,), (found[n],)) for n in numbers)


def search_result(*hits: Hit, gate: GateDecision = GATE) -> SearchResult:
    """A search that found these hits."""
    return SearchResult(Question("Which supply?", "en"), "hybrid", hits, gate, {"total": 12.3456})


def cited(*items: tuple[Evidence, tuple[Sentence, ...]]) -> tuple[CitedSource, ...]:
    """The source list of sentences, by evidence."""
    return tuple(
        CitedSource(one, tuple(q for s in sentences for q in s.quotes)) for one, sentences in items
    )


def answer(**changes: object) -> Answer:
    """An answer of two sentences from one source."""
    made = evidence()
    sentences = cite(made, 0, 1)
    whole = Answer(
        question="Which supply?", language="en", verdict="answer", confidence=0.71234567,
        reasons=(DECISIVE,), sentences=sentences, sources=cited((made, sentences)),
        model="builtin/extractive", mode="offline", attribution_coverage=1.0, shown_coverage=1.0,
        timings_ms={"total": 12.3456}, usage=Usage(), search=search_result(made.hit),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def excerpt(made: Evidence | None = None, **changes: object) -> Excerpt:
    """A passage of three sentences, the first of them nearest."""
    made = made or evidence()
    lines = tuple(
        ExcerptLine(quote.text, (quote,), nearest=n == 0) for n, quote in enumerate(quotes(made))
    )
    whole = Excerpt(made, lines, headings=("3 Electrical", "3.2 Supply"), score=0.61234567)
    return replace(whole, **changes)  # type: ignore[arg-type]


def passages_answer(*shown: Excerpt, **changes: object) -> Answer:
    """What ``ask`` gives where no model writes: these passages, or one."""
    found = shown or (excerpt(),)
    sources = tuple(CitedSource(one.evidence, one.quotes) for one in found)
    return answer(
        verdict="passages", reasons=(), sentences=(), sources=sources, passages=found,
        model="builtin/passages", attribution_coverage=None, shown_coverage=None, **changes,
    )  # fmt: skip


def row(*cells: tuple[str, str], nearest: bool = False) -> ExcerptLine:
    """A row of a table, whose header stands before it in the source."""
    text = "; ".join(": ".join(cell) for cell in cells)
    header, own = Quote("S1", "| a | b |", 0, 9), Quote("S1", text, 30, 30 + len(text))
    return ExcerptLine(text, (header, own), "table", cells, nearest=nearest)


def draft(*sections: Section, **changes: object) -> Draft:
    """A draft of the sections given, or of one."""
    made = evidence()
    sentences = cite(made, 0, 1)
    given = sections or (Section("Supply", sentences, cited((made, sentences))),)
    whole = Draft(
        topic="Power supply", language="en", verdict="answer", sections=given,
        model="builtin/extractive", mode="offline", attribution_coverage=1.0, shown_coverage=1.0,
        timings_ms={}, usage=Usage(), created=WHEN,
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]
