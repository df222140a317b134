"""Questions drafted without a language model: from tables, plain sentences and headings.

Dutch and English. The same sources give the same questions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from foundry.craft.quoting.candidates import QuoteCandidate, find_candidates
from foundry.evaluation.questions.drafting.headings import ask_heading
from foundry.evaluation.questions.drafting.phrasing import LANGUAGES
from foundry.evaluation.questions.drafting.proposals import Proposal, Skipped, Span
from foundry.evaluation.questions.drafting.sentences import ask_sentence
from foundry.evaluation.questions.drafting.tables import Asked, ask_row
from foundry.records import Chunk, Evidence, Focus, Hit, Source
from foundry.text.headings import is_administrative
from foundry.text.passages import Passage, find_passages
from foundry.workspace import Workspace

_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|^#+\s*|^[-•*]\s+")


@dataclass
class Drafted:
    """What a source gave: proposals in reading order, and what became none."""

    proposals: list[Proposal] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def draft_from_source(workspace: Workspace, source: Source, name: str) -> Drafted:
    """The questions that the source's tables, sentences and headings give, one for a place.

    ``name`` is what the source is called in a question.
    """
    found: dict[tuple[Span, ...], Proposal] = {}
    passed: Counter[str] = Counter()
    for chunk in workspace.store.source_chunks(source.id):
        language = chunk.language if chunk.language in LANGUAGES else source.language
        if language not in LANGUAGES:
            passed[f"there are no question forms for its language ({language})"] += 1
            continue
        for proposal in _of_chunk(source, name, chunk, language, passed):
            # Chunks overlap: a place that was read before is the same place.
            found.setdefault(proposal.spans, proposal)
    skipped = [
        Skipped(source.path, f"{times} passages", reason) for reason, times in passed.items()
    ]
    if not found and not skipped:
        skipped = [Skipped(source.path, "everything", "no passage of it asks for more")]
    return Drafted(list(found.values()), skipped)


def _of_chunk(
    source: Source, name: str, chunk: Chunk, language: str, passed: Counter[str]
) -> Iterator[Proposal]:
    passages = find_passages(chunk)
    named = Counter(_first_cell(one, chunk) for one in passages if one.cells)
    asked_of: set[str | None] = set()
    for number, passage in enumerate(passages):
        path = passage.place.heading_path or chunk.heading_path
        if any(is_administrative(heading) for heading in path):
            passed["their section speaks of the document itself"] += 1
        elif passage.kind == "table" and named[_first_cell(passage, chunk)] > 1:
            passed["several rows have the same name"] += 1
        elif passage.kind == "table":
            asked = list(ask_row(passage, chunk, language))
            if asked:
                # Of each row another column, so that the questions differ.
                proposal = _proposal(source, passage, asked[number % len(asked)], language)
                asked_of.add(proposal.section)
                yield proposal
            else:
                passed["the row says too little without its table"] += 1
        elif passage.kind == "cue":
            passed["spoken words lean on what was said before"] += 1
    for proposal in _of_sentences(source, chunk, language, passed):
        asked_of.add(proposal.section)
        yield proposal
    for proposal in _of_headings(source, name, chunk, language):
        if proposal.section not in asked_of:
            yield proposal


def _first_cell(row: Passage, chunk: Chunk) -> tuple[tuple[Span, ...], str]:
    """Which table a row is of, and what it is called there."""
    start, end = row.cells[0] if row.cells else (chunk.start, chunk.start)
    words = chunk.text[start - chunk.start : end - chunk.start]
    return row.header, " ".join(words.split()).casefold()


def _of_sentences(
    source: Source, chunk: Chunk, language: str, passed: Counter[str]
) -> Iterator[Proposal]:
    for one in _candidates(source, chunk):
        asked = next(ask_sentence(one.text, language), None)
        if asked is None:
            passed["the sentence is not built so that it turns into a question"] += 1
        else:
            yield _of_candidate(source, one, asked, language, "sentence")


def _of_headings(source: Source, name: str, chunk: Chunk, language: str) -> Iterator[Proposal]:
    """A question for each section, which its first sentence answers."""
    first: dict[tuple[str, ...], QuoteCandidate] = {}
    for one in _candidates(source, chunk):
        first.setdefault(one.section, one)
    for path, one in first.items():
        if path and one.kind == "paragraph":
            asked = ask_heading(path, source.title, name, one.text, language)
            if asked is not None:
                yield _of_candidate(source, one, asked, language, "heading")


def _candidates(source: Source, chunk: Chunk) -> list[QuoteCandidate]:
    """Whole sentences and list items that stand by themselves, of sections about the subject."""
    hit = Hit(chunk, source, Focus(chunk.start, chunk.end), 1.0, 0.0)
    return [
        one
        for one in find_candidates([Evidence("S1", hit)])
        if one.kind in {"paragraph", "list_item"}
        and len(one.spans) == 1
        and not any(is_administrative(heading) for heading in one.section)
    ]


def _proposal(source: Source, passage: Passage, asked: Asked, language: str) -> Proposal:
    path = passage.place.heading_path
    return Proposal(
        source, _plain(asked.text), _plain(asked.answer), passage.spans, language, "table",
        asked.weight, passage.place.page, path[-1] if path else None,
        asked.vague,
    )  # fmt: skip


def _of_candidate(
    source: Source, one: QuoteCandidate, asked: Asked, language: str, kind: str
) -> Proposal:
    page = one.quotes[0].page if one.quotes else None
    return Proposal(
        source, _plain(asked.text), _plain(asked.answer), one.spans, language, kind,
        asked.weight, page, one.section[-1] if one.section else None,
    )  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())
