"""The question as search understands it: its terms, what it names, the passages about that."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from foundry.analysis import (
    UNKNOWN,
    analyse,
    analyse_query,
    detect_query_language,
    fold,
    split_compounds,
)
from foundry.analysis.lexer import LETTER_THEN_DIGIT
from foundry.craft.conflicts import find_preferred_revisions
from foundry.craft.conflicts.resolution import is_about_revisions
from foundry.craft.fusion import FusedHit
from foundry.craft.gate import MAX_JUDGED
from foundry.craft.question import drop_words, list_parts, read_question
from foundry.craft.subjects import (
    MOST_WORDS,
    add_period_terms,
    add_terms,
    can_be_misspelt,
    confirm_names,
    drop_common_spellings,
    find_label_word,
    find_subject,
    judge_passage,
    list_abbreviated,
    list_subject_terms,
    order_by_fit,
    take_turns,
)
from foundry.errors import UsageError
from foundry.messages import Message
from foundry.records import Chunk, Filters, QueryTerm, Question, Source, Subject, SubjectFit
from foundry.store import StoreView
from foundry.text.names import find_long_form
from foundry.text.periods import Fit, judge_label, spell_out_periods
from foundry.workspace import Workspace

MAX_QUERY_LENGTH = 10_000
"""Characters. Longer texts are pasted documents, not questions."""

MAX_INITIALS = 6
"""Letters of a word that may be the initials of a title, as "Wvggz" is."""

LONG_DOCUMENT = MAX_JUDGED
"""Passages, on average, of documents whose passages are ranked apart. A shorter document is read
whole once it is found, and dropping its name cost .027 in nDCG@10 on pages of two passages."""


SUBJECT_DEPTH = 30
"""Hits read to find those about what the question names, where it names anything. A guess."""


_EMPTY = {"question": "search-question-empty", "topic": "search-topic-empty"}
_LONG = {"question": "search-question-long", "topic": "search-topic-long"}


def require_query(query: str, what: Literal["question", "topic"] = "question") -> str:
    """The query with single spaces. Raises ``UsageError`` if it is empty or too long."""
    text = " ".join(query.split())
    if not text:
        raise UsageError(_EMPTY[what], where=what)
    if len(text) > MAX_QUERY_LENGTH:
        length, limit = len(text), MAX_QUERY_LENGTH
        raise UsageError(_LONG[what], where=what, length=length, limit=limit)
    return text


def analyse_question(workspace: Workspace, query: str) -> Question:
    """The question as its own text and the sources have it; read here, and nowhere again."""
    languages = workspace.store.languages()
    question = read_question(query, detect_query_language(query))
    spelled = spell_out_periods(query, question.periods)
    words = analyse_query(spelled, languages, question.language)
    added = add_period_terms(words, question.periods, languages)
    frequencies = workspace.store.document_frequencies([t for word in added for t in word.terms])
    pairs = zip(words, added, strict=True)
    question = replace(
        question,
        words=tuple(drop_common_spellings(*pair, frequencies) for pair in pairs),
        frequencies=frequencies,
        chunks=sum(languages.values()),
        languages=frozenset(languages),
    )
    question = _read_titles(workspace, _read_abbreviations(workspace, question))
    question = _read_misspelt(workspace, question)
    question = replace(question, subject=_read_subject(workspace, question))
    return replace(question, parts=list_parts(question))


def list_project_terms(workspace: Workspace, language: str) -> set[str]:
    """The words of what the whole project is about: its name and its brief."""
    return set(analyse(f"{workspace.config.project.name}\n{workspace.brief()}", language))


def _read_abbreviations(workspace: Workspace, question: Question) -> Question:
    """The question with each abbreviation searched as its full name too, and the reverse."""
    asked = list_abbreviated(question.text)
    for pair in workspace.store.find_abbreviations(asked) if asked else ():
        (old, _), (new, counts) = (_find_rarest(workspace, question, name) for name in pair)
        if old and new:
            question = _add_reading(question, old, new, counts)
    return question


def _read_titles(workspace: Workspace, question: Question) -> Question:
    """The question with a short name that no chunk has searched as the title with its initials.

    So "AOW" finds "Algemene Ouderdomswet", where no source says that the one stands for the other.
    A short name has a capital, if any word has one.
    """
    unknown = [
        word
        for word in question.words
        if not question.is_covered(word)
        and len(word.word) <= MAX_INITIALS
        and (word.word[0].isupper() or question.text.islower())
    ]
    labels = "\n".join(workspace.store.list_labels()) if unknown else ""

    def is_indexed(part: str) -> bool:
        return any(_count_words(workspace, question, part)[1].values())

    for word in unknown[:MOST_WORDS]:
        full = find_long_form(fold(word.word), labels, is_indexed)
        new, counts = _find_rarest(workspace, question, full or "")
        if full and new:
            question = _add_reading(question, word, new, counts, full)
    return question


Counts = Mapping[str, int]


def _count_words(
    workspace: Workspace, question: Question, name: str
) -> tuple[Sequence[QueryTerm], Counts]:
    words = analyse_query(name, question.languages, UNKNOWN)
    terms = [term for word in words for term in word.terms]
    return words, workspace.store.document_frequencies(terms) if terms else {}


def _find_rarest(
    workspace: Workspace, question: Question, name: str
) -> tuple[QueryTerm | None, Counts]:
    """The word of a name that the fewest chunks have, of those that any has: "act" is in many.

    The first if none has any; with the counts of all words.
    """
    words, counts = _count_words(workspace, question, name)
    known = {word: max(counts[term] for term in word.terms) for word in words}
    return min(words, key=lambda word: known[word] or math.inf, default=None), counts


def _read_misspelt(workspace: Workspace, question: Question) -> Question:
    """The question with names that no chunk has searched as the names in labels that are alike."""
    unknown = [
        word
        for word in question.words
        if not question.is_covered(word) and can_be_misspelt(word.word, question.text)
    ]
    labels = workspace.store.list_labels() if unknown else []
    for word in unknown[:MOST_WORDS]:
        found, counts = _count_words(workspace, question, find_label_word(word.word, labels) or "")
        for new in found:
            question = _add_reading(question, word, new, counts, new.word)
    return question


def _add_reading(
    question: Question, old: QueryTerm, new: QueryTerm, counts: Counts, read_as: str = ""
) -> Question:
    """The question with the terms of ``new`` as variants of the word that has those of ``old``."""
    return replace(
        question,
        words=tuple(
            add_terms(word, new.terms) if _is_same(word, old) else word for word in question.words
        ),
        frequencies={**question.frequencies, **{term: counts[term] for term in new.terms}},
        readings={**question.readings, **({old.word: read_as} if read_as else {})},
    )


def _is_same(word: QueryTerm, other: QueryTerm) -> bool:
    # No stemmer makes one of "RSU" and "RSUs".
    plain = other.word.lower().removesuffix("s")
    return other.terms[0] in word.terms or word.word.lower().removesuffix("s") == plain


def spell_out_readings(question: Question) -> str:
    """The question's text with each short or misspelt name as it was read."""
    text = question.text
    for word, other in question.readings.items():
        text = other.join(re.split(rf"(?<!\w){re.escape(word)}(?!\w)", text))
    return text


def expand_terms(workspace: Workspace, question: Question) -> list[str]:
    """The question's terms, and the parts of compounds that no chunk contains."""
    terms = [term for word in question.words for term in word.terms]
    unknown = [word.word for word in question.words if not question.is_covered(word)]
    if unknown:
        languages, count = sorted(question.languages), workspace.store.document_frequencies
        terms += split_compounds(unknown[:MOST_WORDS], languages, count)
    return list(dict.fromkeys(terms))


def list_rare_identifiers(question: Question) -> list[str]:
    """The whole terms of words with letters and digits that less than half of the chunks have."""
    shaped = (w.terms[0] for w in question.words if LETTER_THEN_DIGIT.match(w.word))
    return [term for term in shaped if 0 < 2 * question.frequencies.get(term, 0) < question.chunks]


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A fused hit with its text, and whether it is about what the question names."""

    hit: FusedHit
    chunk: Chunk
    source: Source
    fit: SubjectFit


class LoadedPassages:
    """Chunks with their sources, each read once."""

    def __init__(self, store: StoreView) -> None:
        self._store = store
        self._chunks: dict[str, Chunk] = {}
        self._sources: dict[str, Source | None] = {}

    def load(self, ids: Sequence[str]) -> list[tuple[Chunk, Source]]:
        """In the order of the ids, without those that another process removed meanwhile."""
        missing = [i for i in dict.fromkeys(ids) if i not in self._chunks]
        if missing:
            new = self._store.get_chunks(missing)
            self._chunks |= {chunk.id: chunk for chunk in new}
            unknown = {chunk.source_id for chunk in new} - self._sources.keys()
            self._sources |= self._store.get_sources(unknown) if unknown else {}
        found = [self._chunks[i] for i in ids if i in self._chunks]
        pairs = ((chunk, self._sources.get(chunk.source_id)) for chunk in found)
        return [(chunk, source) for chunk, source in pairs if source]


def _read_subject(workspace: Workspace, question: Question) -> Subject:
    """What the question names, by where the project's sources have its words."""
    asked = [term for terms in list_subject_terms(question).values() for term in terms]
    return find_subject(question, workspace.store.count_mentions(asked))


Narrow = tuple[Question, Filters]


def choose_revisions(workspace: Workspace, query: str, filters: Filters) -> Filters:
    """Exclude superseded revisions, unless the filters or the question ask for them."""
    if filters.revision or is_about_revisions(query):
        return filters
    return replace(filters, without=tuple(workspace.store.list_superseded()))


def filter_sources(filters: Filters, sources: Collection[str]) -> Filters | None:
    """The filters for these sources alone; None if they exclude all of them."""
    kept = set(filters.sources) & set(sources) if filters.sources else set(sources)
    return replace(filters, sources=tuple(sorted(kept))) if kept else None


def narrow_question(workspace: Workspace, question: Question, filters: Filters) -> Narrow | None:
    """The question to ask of the named documents alone, and the filters that choose these.

    It lacks the names and periods that chose them: every passage of such a document has these, and
    above all its cover, contents and signatures. None if it names no documents, or nothing else, or
    short ones.
    """
    subject = question.subject
    fits = _judge_labels(workspace, subject)
    narrowed = filter_sources(filters, {key for key, fit in fits.items() if fit != "other"})
    if narrowed is None:
        return None
    sources = narrowed.sources
    dated = all(fits[source] == "fits" for source in sources)
    periods = subject.periods if dated else ()
    names = [word for name in subject.names for word in name.text.split()]
    narrow = drop_words(question, [*names, *(period.text for period in periods)])
    if not narrow.words or sum(subject.sizes[s] for s in sources) < LONG_DOCUMENT * len(sources):
        return None
    return narrow, narrowed


def _judge_labels(workspace: Workspace, subject: Subject) -> dict[str, Fit]:
    """Whether each source that the question names is of the period asked about, by its label."""
    if not subject.periods or not subject.sources:
        return dict.fromkeys(subject.sources, "unknown")
    sources = workspace.store.get_sources(subject.sources)
    return {key: judge_label(subject.periods, one) for key, one in sources.items() if one}


def prefer_subject(
    question: Question,
    ranking: Sequence[FusedHit],
    limit: int,
    passages: LoadedPassages,
) -> tuple[list[FusedHit], list[RankedPassage]]:
    """The ranking with passages about other things put back, and its first ``limit`` passages.

    Only the first ``SUBJECT_DEPTH`` are read.
    """
    subject = question.subject
    depth = SUBJECT_DEPTH if subject.names or subject.periods or subject.sides else 0
    read = _judge_passages(subject, ranking[: max(limit, depth)], passages)
    read = [read[place] for place in order_by_fit([passage.fit for passage in read])]
    read = [read[place] for place in take_turns(subject, [one.source.id for one in read])]
    read = _prefer_revisions(question, read)
    rest = ranking[max(limit, depth) :]
    return [*(passage.hit for passage in read), *rest], read[:limit]


def _prefer_revisions(question: Question, read: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The passages, those of a superseded revision behind the first one of its successor."""
    sources = {passage.source.id: passage.source for passage in read}
    preferred = find_preferred_revisions(question.text, sources.values())
    first = {passage.source.id: place for place, passage in reversed(list(enumerate(read)))}
    placed = [(place, 0, passage) for place, passage in enumerate(read)]
    for place, passage in enumerate(read):
        new = preferred.get(passage.source.id)
        if new is not None:
            reason = _explain_preference(passage.source, new)
            fit = replace(passage.fit, reason=passage.fit.reason or reason)
            placed[place] = (max(place, first[new.id]), 1, replace(passage, fit=fit))
    return [passage for *_, passage in sorted(placed, key=lambda entry: entry[:2])]


def _explain_preference(old: Source, new: Source) -> Message:
    if old.is_set_aside and not new.is_set_aside:
        status = Message(f"source-is-{old.status}")
        return Message("subject-set-aside", status=status, path=new.path)
    return Message("subject-other-revision", revision=new.revision)


def _judge_passages(
    subject: Subject, ranking: Sequence[FusedHit], passages: LoadedPassages
) -> list[RankedPassage]:
    hits = {hit.chunk_id: hit for hit in ranking}
    pairs = passages.load(list(hits))
    subject = confirm_names(subject, pairs)
    return [
        RankedPassage(hits[chunk.id], chunk, source, judge_passage(subject, source, chunk))
        for chunk, source in pairs
    ]
