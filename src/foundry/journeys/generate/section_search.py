"""The searches of a section, in the documents that its draft is about.

A section is searched for with its own words alone: with the topic added, the gate opens for
sections that no source covers (decision 18). The topic decides which documents are read instead.
Those of a sister product, another company or another revision are left out. Prompts name the topic.
The lines of an agent fit any subject, so its topic has a gate of its own before theirs.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import UNKNOWN, analyse, analyse_query, fold
from foundry.analysis.lexer import has_digit
from foundry.craft.outline import SectionOutline, split_phrases
from foundry.craft.question import select_subject_words
from foundry.craft.subjects import MENTIONED_SHARE
from foundry.journeys.question import list_project_terms
from foundry.journeys.search import search
from foundry.messages import Message
from foundry.records import (
    Agent,
    DocumentName,
    Filters,
    GateVerdict,
    Hit,
    Name,
    Question,
    SearchMode,
    SearchResult,
    Source,
    Specification,
)
from foundry.text.names import is_code, is_mentioned_in
from foundry.text.periods import find_periods
from foundry.workspace import Workspace, reconfigure

_VERDICT_ORDER: tuple[GateVerdict, ...] = ("no_evidence", "low_confidence", "answer")
_KINDS = {"organisation", "product", "identifier"}
_SURE_MARK = 3
"""Characters of a mark that needs no word before it: "2023", but "revision A", "part 2". A guess."""
_HITS_PER_ITEM = 10
"""Passages read for each thing that a section without a model asks: the right one is among the first
five for nine of ten questions, and some are copies of others."""
MOST_QUOTED_FROM = 30
"""Passages that one section without a model quotes from at most. A guess."""
_MOST_NAMES = 3
"""A topic with more names is about none of them in particular. A guess."""
_LEAST_SAID = 0.7
"""Share of the topic's words, by rarity, in one passage of a document about it. "Assembling and
installing the blower" has three such words, and any report has two of them. In a project of 76 files about three subjects and two filings, seven
topics not looked at before found 2 to 13 files each, none of another subject."""
_MOST_COMPARED = 60
"""Passages with words of the topic that are compared with it, the best by these words."""
_SURE = 0.6
"""From here on the gate has no doubt (decision 6): a passage in another language shares no words."""
_MOST_UNKNOWN = 0.5
"""A topic of which no source has this share of the words, and whose gate is not sure, is not covered.
A guess: half lets "the controller's battery" through, and neither "a cookery course" nor one for
lighting engineers."""


@dataclass(frozen=True, slots=True)
class DraftScope:
    """What all sections of a draft share.

    ``names`` are those of its subject that only the brief says; ``reads`` filters out documents
    about others like it. ``filters`` are the caller's. ``refused`` is the search for a topic that no
    source covers, the result of every section; ``own`` if the whole project is about the topic, and
    ``narrow`` if its name and brief have none of its words.
    """

    topic: str
    feature: Specification | None
    language: str
    filters: Filters | None
    mode: SearchMode | None
    names: tuple[str, ...] = ()
    reads: Filters | None = None
    notices: tuple[Message, ...] = ()
    agent: Agent | None = None
    refused: SearchResult | None = None
    own: bool = False
    narrow: bool = False

    def describe_section(self, outline: SectionOutline) -> str:
        """What the section is about in one line: ``Safety file of the LC-512 – Fuse: its value.``"""
        topic = f"{self.topic} ({', '.join(self.names)})" if self.names else self.topic
        title = outline.title if outline.title != self.topic else ""
        wants = "; ".join(want.rstrip(".") for want in outline.said)
        section = ": ".join(filter(None, (title, wants)))
        return f"{topic} – {section}." if section else topic


def find_subject(
    workspace: Workspace, scope: DraftScope, outlines: Sequence[SectionOutline]
) -> DraftScope:
    """The scope with what the draft is about, and without documents about others like it.

    The topic and the specification's title say what it is about, else the project's brief; of a
    series, the one of the year or revision that they name is read. What a section names itself
    may be read too.
    """
    scope = replace(scope, reads=scope.filters)
    sources = workspace.store.list_sources()
    title = scope.feature.title if scope.feature else ""
    said = f"{scope.topic}\n{title}"
    wanted = "\n".join([said, *(query for outline in outlines for query in outline.queries)])
    names, others = _find_sisters(workspace, sources, said, wanted)
    if not names:
        names, others = _find_sisters(workspace, sources, workspace.brief(), wanted)
        scope = replace(scope, names=names)
    marks, twins = _find_twins(sources, said, wanted)
    others |= twins
    if not others or (scope.filters and scope.filters.sources):
        return scope
    kept = tuple(source.path for source in sources if source.id not in others)
    about = tuple(dict.fromkeys((*names, *marks)))
    left_out = Message("generate-other-documents", number=len(others), names=about)
    reads = replace(scope.filters or Filters(), sources=kept)
    return replace(scope, reads=reads, notices=(left_out,))


def judge_topic(workspace: Workspace, scope: DraftScope) -> DraftScope:
    """The scope of an agent's draft, refused if no source covers its topic.

    Of a topic that is not the project's own, only the documents are read that mention it. With a
    specification, that says what the draft is about, in lines with gates of their own.
    """
    if scope.agent is None or scope.feature is not None:
        return scope
    found = search(workspace, scope.topic, filters=scope.reads, mode=scope.mode)
    gate = found.gate
    asked = len(select_subject_words(found.question))
    # A threshold of 0 asks to see everything.
    unknown = 0 < _MOST_UNKNOWN * asked <= len(gate.uncovered) and gate.threshold > 0
    if gate.decision == "no_evidence" or (gate.decision == "low_confidence" and unknown):
        skipped = "gate-off-topic" if gate.decision == "no_evidence" else "gate-unsure"
        why = [reason for reason in gate.reasons if reason.code != skipped]
        reasons = (Message("generate-topic-unknown", topic=scope.topic), *why)
        closed = replace(gate, decision="no_evidence", reasons=reasons)
        return replace(scope, refused=replace(found, gate=closed, hits=()))
    notices = scope.notices
    if gate.decision == "low_confidence":
        doubt = Message("generate-topic-doubtful", topic=scope.topic, reasons=gate.reasons)
        notices = (*notices, doubt)
    return _read_on_topic(workspace, replace(scope, notices=notices), found)


def drop_topic_lines(
    scope: DraftScope, outlines: Sequence[SectionOutline]
) -> tuple[SectionOutline, ...]:
    """The outlines without the lines that only name what the whole project is about.

    Any passage answers such a line; it stays where a section has no other.
    """
    if not scope.own:
        return tuple(outlines)
    return tuple(
        replace(outline, wants=tuple(w for w in outline.wants if w != scope.topic) or outline.wants)
        for outline in outlines
    )


def _read_on_topic(workspace: Workspace, scope: DraftScope, found: SearchResult) -> DraftScope:
    """The scope without the documents that do not mention the topic.

    All documents of a project belong to what its name or brief says, whether they name it or not.
    """
    known = list_project_terms(workspace, found.question.language)
    asked = select_subject_words(found.question)
    words = [word.terms for word in asked if found.question.is_covered(word)]
    said = [bool(known & set(terms)) for terms in words]
    if any(said) or (scope.filters and scope.filters.sources):
        return replace(scope, own=bool(said) and all(said))
    scope = replace(scope, narrow=True)
    allowed = scope.reads.sources if scope.reads else ()
    every = [s for s in workspace.store.list_sources() if not allowed or s.path in allowed]
    about = _find_on_topic(workspace, scope, found, words)
    kept = tuple(source.path for source in every if source.id in about)
    if not kept or len(kept) == len(every):
        return scope
    left_out = Message("generate-beside-topic", number=len(every) - len(kept), topic=scope.topic)
    reads = replace(scope.reads or Filters(), sources=kept)
    return replace(scope, reads=reads, notices=(*scope.notices, left_out))


def _find_on_topic(
    workspace: Workspace, scope: DraftScope, found: SearchResult, words: Sequence[tuple[str, ...]]
) -> set[str]:
    """The ids of the sources of which one passage has most of the topic's words, by rarity.

    Where no passage has, those that have as many as any. Others are found in another language only. A
    code in the topic is what it is about: then only sources that have it.
    """
    terms = [term for own in words for term in own]
    hits = workspace.store.search_text(terms, _MOST_COMPARED, scope.reads or Filters())
    chunks = workspace.store.get_chunks([hit.chunk_id for hit in hits])
    number, frequencies = found.question.chunks, found.question.frequencies
    rarity = {own: math.log(1 + number / (1 + frequencies.get(own[0], 0))) for own in words}
    best: dict[str, float] = defaultdict(float)
    for chunk in chunks:
        said = set(analyse(" ".join((chunk.content, *chunk.headings)), chunk.language))
        share = sum(rarity[own] for own in words if not said.isdisjoint(own))
        best[chunk.source_id] = max(best[chunk.source_id], share / (sum(rarity.values()) or 1.0))
    least = min(_LEAST_SAID, max(best.values(), default=0.0))
    about = {source_id for source_id, share in best.items() if share >= least}
    for code in filter(is_code, found.question.names):
        whole = analyse_query(code.text, found.question.languages, UNKNOWN)
        mentions = workspace.store.count_mentions([word.terms[0] for word in whole])
        spread = mentions.spread.values()
        holding = {source for one in spread for source in mentions.select(one.chunks > 0)}
        about = about & holding or holding or about
    spoken = (found.question.language, UNKNOWN)
    return about | {
        hit.source.id
        for hit in found.hits
        if hit.chunk.language not in spoken and hit.relevance >= _SURE
    }


def _find_sisters(
    workspace: Workspace, sources: Sequence[Source], said: str, wanted: str
) -> tuple[tuple[str, ...], set[str]]:
    """The names in a text, and the ids of sources about others like them; neither if too many."""
    known = {name for source in sources for name in _list_own_names(source)}
    asked = _find_mentioned(known, said)
    spellings = sorted((name.name for name in asked), key=lambda name: (not name.isupper(), name))
    names = tuple(sorted({fold(name): name for name in spellings}.values()))
    if not 0 < len(names) <= _MOST_NAMES:
        return (), set()
    asked |= _find_mentioned(known, wanted)
    own = {
        source.id
        for source in sources
        if any(_is_same(one, other) for one in asked for other in _list_own_names(source))
    }
    series = {_mask_title(source) for source in sources if source.id in own} - {"#"}
    others = {
        source.id
        for source in sources
        if _is_about_sister(source, asked)
        or (source.id not in own and _list_own_names(source) and _mask_title(source) in series)
    }
    return names, others - _list_mentioning(workspace, asked) if others else others


def _list_own_names(source: Source) -> list[DocumentName]:
    own = (name for name in source.names if name.place == "front" and name.kind in _KINDS)
    # A year is a mark of one of a series (see below), not a name.
    return [name for name in own if not find_periods(name.name, UNKNOWN)]


def _find_mentioned(names: Iterable[DocumentName], text: str) -> set[DocumentName]:
    folded = fold(text)
    return {
        name
        for name in names
        if any(
            is_mentioned_in(Name(form, 0, identifier=False), folded) for form in _list_forms(name)
        )
    }


def _list_forms(name: DocumentName) -> list[str]:
    """The name and its short forms, without those that are said of many: "the Company"."""
    short = (alias for alias in name.aliases if " " in alias or not alias.istitle())
    return [name.name, *short]


def _is_about_sister(source: Source, wanted: Collection[DocumentName]) -> bool:
    """Whether the source has names like a wanted one on its front, but not one that is wanted."""
    own = _list_own_names(source)
    for name in wanted:
        alike = [other for other in own if _is_alike(name, other)]
        if alike and not any(_is_same(one, other) for one in wanted for other in alike):
            return True
    return False


def _mask_title(source: Source) -> str:
    """The title without its numbers: "AX-105 data sheet 2015" and "BX-20 data sheet 2016" are one."""
    words = _split_words(source.title)
    return " ".join("#" if has_digit(word) else fold(word) for word in words)


def _is_alike(name: DocumentName, other: DocumentName) -> bool:
    """Whether both are companies or products, or type numbers with the same letters before them."""
    if name.kind != "identifier" or other.kind != "identifier":
        return name.kind == other.kind
    letters = _get_letters(name)
    return bool(letters) and letters == _get_letters(other)


def _get_letters(name: DocumentName) -> str:
    return re.split(r"[\W\d]", fold(name.name), maxsplit=1)[0]


def _is_same(name: DocumentName, other: DocumentName) -> bool:
    """Whether they have a form in common; LC-512-ER is a variant of LC-512."""
    forms = {fold(form) for form in _list_forms(name)}
    others = {fold(form) for form in _list_forms(other)}
    return any(
        a == b or a.startswith((f"{b}-", f"{b} ")) or b.startswith((f"{a}-", f"{a} "))
        for a in forms
        for b in others
    )


def _list_mentioning(workspace: Workspace, names: Iterable[DocumentName]) -> set[str]:
    """The ids of sources that have a name in more than ``MENTIONED_SHARE`` of their chunks."""
    languages = workspace.store.languages()
    found: set[str] = set()
    for form in (form for name in names for form in _list_forms(name)):
        words = [word.terms for word in analyse_query(form, languages, UNKNOWN)]
        mentions = workspace.store.count_mentions([term for terms in words for term in terms[:1]])
        shares = [
            set(
                mentions.select(mentions.spread[terms[0]].chunks / mentions.sizes > MENTIONED_SHARE)
            )
            for terms in words
        ]
        found |= set.intersection(*shares) if shares else set()
    return found


def _find_twins(
    sources: Sequence[Source], said: str, wanted: str
) -> tuple[tuple[str, ...], set[str]]:
    """The marks in a text that tell sources of one series apart, and the ids of the others.

    Titles of such a series differ in one mark alone: "manual, revision C" and "manual, revision D".
    """
    series: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
    for source in sources:
        for mark, rest in _list_marks(_split_words(source.title)):
            series[rest].append((mark, source.id))
    asked, listed = (f" {fold(' '.join(_split_words(text)))} " for text in (said, wanted))
    marks, others = dict[str, None](), set[str]()
    for entries in series.values():
        found = [mark for mark, _ in entries if f" {fold(mark)} " in asked]
        # LC-512-ER is a variant of LC-512.
        near = tuple(f"{fold(mark)}-" for mark in found)
        twins = {
            source_id
            for mark, source_id in entries
            if f" {fold(mark)} " not in listed and not fold(mark).startswith(near)
        }
        if found and twins:
            marks |= dict.fromkeys(found)
            others |= twins
    return tuple(marks), others


def _list_marks(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each mark of a title, with the words without it, folded: a number, or a letter after a word."""
    for place, word in enumerate(words):
        short = len(word) < _SURE_MARK
        if (short and place == 0) or not (len(word) == 1 or has_digit(word)):
            continue
        mark = f"{words[place - 1]} {word}" if short else word
        rest = tuple(map(fold, words))
        yield mark, (*rest[:place], "", *rest[place + 1 :])


def _split_words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[-/.]\w+)*", text)


def search_section(
    workspace: Workspace, outline: SectionOutline, scope: DraftScope
) -> tuple[SearchResult, ...]:
    """The result of each of the section's queries."""
    if scope.refused is not None:
        return (scope.refused,) * len(outline.queries)
    depth = _choose_depth(workspace, scope)

    def find(query: str) -> SearchResult:
        return search(workspace, query, filters=scope.reads, mode=scope.mode, top_k=depth)

    if scope.agent is None:
        return tuple(map(find, outline.queries))
    return tuple(
        merge_searches(workspace, scope, [find(phrase) for phrase in split_phrases(query)])
        for query in outline.queries
    )


def search_items(
    workspace: Workspace, outline: SectionOutline, scope: DraftScope
) -> tuple[SearchResult, ...]:
    """The result of each thing that a section asks; a closed gate has no hits.

    The gate judges it without the topic, which would open it for what no source covers. The passages
    are those found without and with it.
    """
    if scope.refused is not None:
        return (scope.refused,) * len(outline.items)
    retrieval = workspace.config.retrieval.model_copy(update={"reranker": "none"})
    # The parts of the passages are read with what is asked later, and quicker.
    workspace = reconfigure(workspace, workspace.config.model_copy(update={"retrieval": retrieval}))
    return tuple(
        _join_results(
            [
                found
                for phrase in list_phrases(outline, item)
                for found in _search_phrase(workspace, scope, phrase)
            ],
            _HITS_PER_ITEM * 2,
        )
        for item in outline.items
    )


def list_phrases(outline: SectionOutline, item: str) -> tuple[str, ...]:
    """What is searched for an item: an agent's in each language, others below their title."""
    if outline.subject is None:
        return split_phrases(item)
    title = outline.subject or outline.title
    return (item if item in (title, outline.title) else f"{title}: {item}",)


def _search_phrase(workspace: Workspace, scope: DraftScope, phrase: str) -> Iterator[SearchResult]:
    def find(query: str) -> SearchResult:
        return search(workspace, query, filters=scope.reads, mode=scope.mode, top_k=_HITS_PER_ITEM)

    alone = find(phrase)
    if alone.gate.decision == "no_evidence":
        yield replace(alone, hits=())
        return
    yield alone
    if fold(scope.topic) not in fold(phrase):
        yield replace(find(f"{scope.topic}: {phrase}"), gate=alone.gate)


def _choose_depth(workspace: Workspace, scope: DraftScope) -> int:
    """A topic without a specification is one section, and one of an agent asks many things."""
    depth = workspace.config.retrieval.top_k
    if scope.feature is None:
        depth = max(depth, workspace.config.retrieval.max_context_chunks)
    return depth


def merge_searches(
    workspace: Workspace, scope: DraftScope, results: Sequence[SearchResult]
) -> SearchResult:
    """The merged hits of all queries of a section."""
    quoted = workspace.generator is None
    depth = MOST_QUOTED_FROM if quoted else _choose_depth(workspace, scope)
    merged = _join_results(results, depth)
    return replace(merged, question=_merge_questions(merged.question, results))


def _merge_questions(best: Question, results: Sequence[SearchResult]) -> Question:
    """The queries of a section as one question, in the language of the best."""
    questions = [result.question for result in results]
    return replace(
        best,
        text=" ".join(question.text for question in questions),
        words=tuple(dict.fromkeys(word for question in questions for word in question.words)),
        frequencies={key: n for question in questions for key, n in question.frequencies.items()},
        names=tuple(dict.fromkeys(name for question in questions for name in question.names)),
    )


def _join_results(results: Sequence[SearchResult], limit: int) -> SearchResult:
    """Merge searches: the best gate decides, and each hit keeps its highest relevance.

    Hits of a closed gate do not count if another gate is open.
    """
    best = max(
        results, key=lambda item: (_VERDICT_ORDER.index(item.gate.decision), item.gate.score)
    )
    if len(results) == 1:
        return best
    hits: dict[str, Hit] = {}
    for result in [item for item in results if item.gate.decision != "no_evidence"] or [best]:
        for hit in result.hits:
            known = hits.get(hit.chunk.id)
            if known is None or hit.relevance > known.relevance:
                hits[hit.chunk.id] = hit
    ranked = sorted(hits.values(), key=lambda hit: (-hit.relevance, -hit.fused))[:limit]
    notices = dict.fromkeys(notice for result in results for notice in result.notices)
    timings = _sum_timings(results)
    return replace(best, hits=tuple(ranked), notices=tuple(notices), timings_ms=timings)


def _sum_timings(results: Sequence[SearchResult]) -> dict[str, float]:
    total: dict[str, float] = {}
    for result in results:
        for name, value in result.timings_ms.items():
            total[name] = round(total.get(name, 0.0) + value, 2)
    return total
