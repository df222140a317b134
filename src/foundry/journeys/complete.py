"""Questions that ask for all of something: every passage that may hold an item is read.

The passages are those with the question's words and those nearly as relevant as the best, not the
first few; at most ``answer.max_read``, and what is left is said. The rows and list items with
the words are found by rules. A model reads the passages in batches and names the items, each verified
like any sentence; what it leaves out of the rows and items is put before the judge. Without a model
they are shown as they are, and nothing is concluded from their number.
"""

from __future__ import annotations

from collections.abc import Generator as Pieces
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foundry.analysis import fold
from foundry.craft.enumeration import (
    FoundItems,
    build_item_excerpts,
    find_items,
    select_listed_words,
)
from foundry.craft.excerpts import Line, build_line
from foundry.craft.prompting import render_evidence
from foundry.craft.windows import find_focus
from foundry.errors import ModelError
from foundry.journeys.evidence import NEARLY_BEST, GatheredEvidence
from foundry.journeys.question import LoadedPassages, list_project_terms
from foundry.journeys.search import MIN_SCORES, search
from foundry.journeys.writing import Written
from foundry.messages import Message
from foundry.ports import Generator
from foundry.prompts import fill
from foundry.records import Evidence, Excerpt, Filters, Grounding, Hit, Sentence, Usage
from foundry.workspace import Workspace

if TYPE_CHECKING:
    from foundry.journeys.writing import LlmJudge


@dataclass(frozen=True, slots=True)
class CompleteReading:
    """What was read for a question: ``evidence`` with the rows and ``items`` found in it.

    ``found`` is the number of passages that may hold an item, ``unread`` that of files without text.
    """

    evidence: tuple[Evidence, ...]
    items: FoundItems
    found: int
    unread: int

    def explain(self, read: int, *, stopped: bool = False) -> Iterator[Message]:
        """What was and was not read; ``stopped`` if another message says why."""
        tables, unread = self.items.tables, self.unread
        yield Message("complete-read", read=read, found=self.found, tables=tables, unread=unread)
        if read < self.found and not stopped:
            yield Message("complete-left", number=self.found - read)


def read_all(workspace: Workspace, gathered: GatheredEvidence) -> CompleteReading:
    """Read every passage that may hold an item; the evidence of ``gathered`` keeps its ids."""
    question, filters = gathered.result.question, gathered.result.filters
    common = list_project_terms(workspace, question.language)
    words = select_listed_words(question, common)
    terms = [term for word in words for term in word.terms]
    ids = workspace.store.search_text(terms, question.chunks, filters) if terms else []
    known = {item.hit.chunk.id: item.hit for item in gathered.evidence}
    known |= {
        hit.chunk.id: hit
        for hit in _find_near(workspace, gathered, filters)
        if hit.chunk.id not in known
    }
    wanted = list(dict.fromkeys((*known, *(hit.chunk_id for hit in ids))))
    limit = max(workspace.config.answer.max_read, len(gathered.evidence))
    loaded = LoadedPassages(workspace.store).load(
        [one for one in wanted[:limit] if one not in known]
    )
    known |= {
        chunk.id: Hit(chunk, source, find_focus(chunk, terms), 0.0, 0.0, rated=False)
        for chunk, source in loaded
    }
    hits = [known[one] for one in wanted[:limit] if one in known]
    evidence = tuple(Evidence(f"S{number}", hit) for number, hit in enumerate(hits, 1))
    items = find_items(question, words, evidence)
    return CompleteReading(evidence, items, len(wanted), len(workspace.store.list_unread()))


def _find_near(workspace: Workspace, gathered: GatheredEvidence, filters: Filters) -> Iterable[Hit]:
    """The hits nearly as relevant as the best, however many: those in other words or languages."""
    result = gathered.result
    wide = search(workspace, result.query, filters=filters, mode=result.mode, top_k=MIN_SCORES)
    best = max((hit.relevance for hit in wide.hits), default=0.0)
    return [hit for hit in wide.hits if hit.relevance >= NEARLY_BEST * best]


def list_items(reading: CompleteReading) -> tuple[Excerpt, ...]:
    """The rows and items that have the question's words, by source."""
    return tuple(build_item_excerpts(reading.items.lines))


def explain_listed(reading: CompleteReading) -> tuple[Message, ...]:
    """What the rows and items shown have in common; that is all that is known of them."""
    number, words = len(reading.items.lines), reading.items.words
    matching = Message("complete-matching", number=number, words=words)
    return (
        matching if number else Message("complete-unmatched"),
        *reading.explain(len(reading.evidence)),
    )


@dataclass(slots=True)
class ItemList:
    """The items so far, each text once with all its places."""

    items: dict[str, Sentence] = field(default_factory=dict)
    parts: list[Written] = field(default_factory=list)
    read: int = 0

    def add(self, sentence: Sentence) -> bool:
        """Add an item; False if it is one that is known, which gets its places."""
        key = " ".join(fold(sentence.text).split())
        known = self.items.get(key)
        if known is None:
            self.items[key] = sentence
            return True
        self.items[key] = replace(
            known,
            citations=tuple(dict.fromkeys((*known.citations, *sentence.citations))),
            quotes=tuple(dict.fromkeys((*known.quotes, *sentence.quotes))),
            verified=known.verified or sentence.verified,
        )
        return False


def write_all(
    workspace: Workspace,
    generator: Generator,
    reading: CompleteReading,
    task: str,
    language: str,
    *,
    stream: bool = False,
) -> Pieces[Sentence, None, tuple[Written, tuple[Message, ...]]]:
    """The items that a model names, batch by batch, then the rows and items that the judge adds.

    Returns them as one text with what is to be said of it. A model that fails or reaches the spending
    limit ends the list, which is said; if it fails at once, that is raised.
    """
    # Imported here: without a model the rows and items are shown as they are.
    from foundry.journeys.writing import open_judge, write_with_model

    made = ItemList()
    asked = fill(workspace.templates.listing, {"question": task})
    stopped: list[Message] = []
    for batch in _split_batches(workspace, reading.evidence):
        try:
            writing = write_with_model(workspace, generator, asked, batch, language, stream=stream)
            part = yield from _write_batch(writing, made)
        except ModelError as error:
            if not made.parts:
                raise
            stopped = [Message("complete-stopped", cause=error.problem)]
            break
        left = sum(notice.code == "writing-window-full" for notice in part.notices)
        made.parts.append(part)
        made.read += len(batch) - left
    judge = open_judge(workspace, task) if made.items and not stopped else None
    added, open_lines = _judge_unlisted(judge, reading, made)
    yield from added
    written = _join(made, judge, whole=not open_lines and made.read == reading.found)
    number = Message("complete-items", number=len(made.items))
    reasons = [
        *([number] if made.items else []),
        *reading.explain(made.read, stopped=bool(stopped)),
        *stopped,
    ]
    if open_lines:
        paths = tuple(dict.fromkeys(line.evidence.hit.source.path for line in open_lines))
        reasons.append(Message("complete-unlisted", number=len(open_lines), paths=paths))
    return written, tuple(reasons)


def _write_batch(
    writing: Pieces[Sentence, None, Written], made: ItemList
) -> Pieces[Sentence, None, Written]:
    """Pass on each item that is new."""
    while True:
        try:
            sentence = next(writing)
        except StopIteration as end:
            written: Written = end.value
            return written
        if made.add(sentence):
            yield sentence


def _split_batches(
    workspace: Workspace, evidence: Sequence[Evidence]
) -> Iterator[tuple[Evidence, ...]]:
    """The passages, the nearest first, as many at once as ``generation.token_budget`` holds."""
    batch: list[Evidence] = []
    room = workspace.config.generation.token_budget
    for item in evidence:
        cost = workspace.count_tokens(render_evidence(item))
        if batch and cost > room:
            yield tuple(batch)
            batch, room = [], workspace.config.generation.token_budget
        batch.append(item)
        room -= cost
    if batch:
        yield tuple(batch)


def _judge_unlisted(
    judge: LlmJudge | None, reading: CompleteReading, made: ItemList
) -> tuple[list[Sentence], list[Line]]:
    """The rows and items that no sentence quotes: those that the judge accepts, and those still open."""
    from foundry.journeys.writing import DoubtfulStatement

    quoted = _list_quoted(reading, made.items.values())
    lines = [line for line in reading.items.lines if not _is_quoted(line, quoted)]
    if judge is None or not lines:
        return [], lines
    claims = [
        DoubtfulStatement(line.text, (line.evidence,), 1, line.chunk.language, exact=True)
        for line in lines
    ]
    judged = judge.judge(claims)
    added, undecided = list[Sentence](), list[Line]()
    for line, said in zip(lines, judged, strict=True):
        if said is None:
            undecided.append(line)
        elif said.verdict == "supported" and said.fits:
            sentence = Sentence(line.text, (line.evidence.id,), build_line(line).quotes)
            added += [sentence] if made.add(sentence) else []
    return added, undecided


def _list_quoted(
    reading: CompleteReading, sentences: Iterable[Sentence]
) -> dict[str, list[tuple[int, int]]]:
    """Source id → the spans that the sentences quote."""
    sources = {item.id: item.hit.source.id for item in reading.evidence}
    spans: dict[str, list[tuple[int, int]]] = {}
    for quote in (quote for sentence in sentences for quote in sentence.quotes):
        spans.setdefault(sources[quote.evidence_id], []).append((quote.start, quote.end))
    return spans


def _is_quoted(line: Line, quoted: dict[str, list[tuple[int, int]]]) -> bool:
    spans = quoted.get(line.chunk.source_id, ())
    return any(start < line.passage.end and line.passage.start < end for start, end in spans)


def _join(made: ItemList, judge: LlmJudge | None, *, whole: bool) -> Written:
    """The batches as one text; a batch without an item says nothing about the others."""
    grounded = [part.grounding for part in made.parts]
    held = [one for one in grounded if one.sentences]
    sentences = tuple(made.items.values())
    checks = tuple(check for one in held for check in one.checks)
    shares = [(one.attribution_coverage, len(one.checks)) for one in held]
    covered = sum((share or 0.0) * number for share, number in shares)
    verified = sum(sentence.verified for sentence in sentences)
    grounding = Grounding(
        sentences,
        changes=tuple(change for one in grounded for change in one.changes),
        attribution_coverage=covered / len(checks) if checks else None,
        shown_coverage=verified / len(sentences) if sentences else None,
        refused=not sentences and all(one.refused for one in grounded),
        checks=checks,
        beside=() if sentences else tuple(side for one in grounded for side in one.beside),
        complete=whole and bool(held) and all(one.complete for one in held),
    )
    notices = (notice for part in made.parts for notice in part.notices)
    return Written(
        grounding,
        made.parts[-1].model,
        sum((part.usage for part in made.parts), judge.usage if judge else Usage()),
        tuple(dict.fromkeys((*notices, *(judge.notices if judge else ())))),
        judge=next((part.judge for part in made.parts if part.judge), ""),
    )
