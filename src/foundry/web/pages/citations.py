"""An answer as a page shows it: sentences, numbered sources, and a card for each citation.

Where no model wrote, passages are shown instead of sentences, each with its nearest line marked.

It is built from what the query log keeps, so a fresh answer and an old one look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from foundry.analysis import analyse
from foundry.clock import get_now
from foundry.ids import make_source_id
from foundry.journeys.query_log import build_shown_answer
from foundry.messages import Message
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Conflict,
    ConflictSide,
    Feedback,
    GroundingChange,
    QueryRecord,
    Quote,
    Sentence,
    ShownAnswer,
    ShownPassage,
    ShownSource,
    Turn,
    choose_separator,
)
from foundry.render.answer import describe_asked
from foundry.render.delivery.answer import number_sources
from foundry.render.excerpts import (
    LineGroup,
    Part,
    find_nearest_quotes,
    group_lines,
    mark_words,
)
from foundry.render.places import describe_place, format_revision, note_reading
from foundry.web.pages.templates import link_to_source
from foundry.workspace import Workspace

STRENGTHS = (
    (0.7, "site-strength-strong"),
    (0.4, "site-strength-fair"),
    (0.0, "site-strength-weak"),
)
"""Calibrated relevance from which a passage is called so, in words (a guess)."""
_VALUES = frozenset({"conflict-values", "conflict-values-in"})
"""Reasons that say no more than the values, which are marked."""
PICTURED = frozenset({".pdf"})
"""Files of which a card shows the region of the page."""


@dataclass(frozen=True, slots=True)
class CardQuote:
    """The exact words of a source, where they are, and what is to be said of their reading."""

    parts: tuple[Part, ...]
    place: str
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A citation of one sentence: a source with the quotes that support the sentence.

    ``href`` opens the source at the words; ``picture`` is the region of the page, if it has pages.
    """

    id: str
    number: int
    source: ShownSource
    place: str
    quotes: tuple[CardQuote, ...]
    strength: Message
    href: str
    picture: str | None


@dataclass(frozen=True, slots=True)
class CitedText:
    """A sentence, what separates it from the one before, its citations, and what speaks against it."""

    text: str
    separator: str
    cards: tuple[Card, ...]
    computed: tuple[str, ...] = ()
    verified: bool = True
    objection: str = ""


@dataclass(frozen=True, slots=True)
class PassageView:
    """A numbered passage; ``href`` opens the source at its nearest line.

    ``place`` is the page or time, ``headings`` end with its section. ``same`` are the titles and
    addresses of other sources that say it.
    """

    number: int
    source: ShownSource
    place: str
    printed: str
    href: str
    headings: tuple[str, ...]
    table: str
    groups: tuple[LineGroup, ...]
    notes: tuple[Message, ...]
    same: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ListedSource:
    """An entry of the list below an answer, which opens it at all its quotes."""

    number: int
    source: ShownSource
    place: str
    revision: str
    href: str


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One place of a contradiction: its file and words, the differing value marked."""

    name: str
    revision: str | None
    parts: tuple[Part, ...]
    href: str
    language: str


@dataclass(frozen=True, slots=True)
class Opposite:
    """A place that contradicts another, ``reason`` if the marked values do not say why."""

    side: ShownSide
    reason: Message | None
    decision: Message | None


@dataclass(frozen=True, slots=True)
class ShownConflict:
    """A place and all that contradict it; ``superseded`` if they are revisions of a document."""

    side: ShownSide
    opposites: tuple[Opposite, ...]
    superseded: bool


@dataclass(frozen=True, slots=True)
class AnswerView:
    """Everything that the template of an answer shows. ``key`` is unique on the page."""

    key: str
    id: str | None
    question: str
    typed: str
    text: str
    language: str
    verdict: str
    sentences: tuple[CitedText, ...]
    sources: tuple[ListedSource, ...]
    doubts: tuple[Message, ...]
    uncovered: tuple[str, ...]
    changes: tuple[GroundingChange, ...]
    conflicts: tuple[ShownConflict, ...]
    notices: tuple[Message, ...]
    passages: tuple[PassageView, ...]
    asked: Message
    role: str
    judgement: str | None = None
    changed: tuple[Message, ...] = ()

    @property
    def shares(self) -> tuple[str, ...]:
        """The lower roles that it may be shared with, if they see its sources."""
        if self.id is None or self.verdict == "no_evidence":
            return ()
        return CONFIDENTIALITY_LEVELS[: CONFIDENTIALITY_LEVELS.index(self.role)]


def view_record(
    record: QueryRecord, key: str, workspace: Workspace, said: Feedback | None = None
) -> AnswerView | None:
    """The view of a logged answer with what a reader ``said`` of it last.

    None for a row that kept no answer to show.
    """
    if record.shown is None:
        return None
    return _build_view(
        record.shown,
        key,
        workspace,
        id=record.id,
        question=record.rewritten or record.query,
        typed=record.query,
        text=record.answer or "",
        verdict=record.verdict or "no_evidence",
        asked=describe_asked(record.time, record.role, record.shown, record.who),
        role=record.role,
        judgement=said and ("correct" if said.correct else said.kind),
    )


def view_turn(turn: Turn, key: str, workspace: Workspace, role: str, who: str = "") -> AnswerView:
    """The view of an answer that was just made for somebody in a role."""
    answer = turn.answer
    shown = build_shown_answer(answer)
    return _build_view(
        shown,
        key,
        workspace,
        id=answer.id,
        question=answer.question,
        typed=turn.typed,
        text=answer.text,
        verdict=answer.verdict,
        asked=describe_asked(get_now(), role, shown, who),
        role=role,
    )


def view_sentences(shown: ShownAnswer, key: str) -> tuple[CitedText, ...]:
    """The views of the sentences, in order."""
    numbers = number_sources(shown.sentences)
    indices = range(len(shown.sentences))
    return tuple(_build_sentence(shown, numbers, key, index) for index in indices)


def list_sources(shown: ShownAnswer) -> tuple[ListedSource, ...]:
    """The sources that sentences cite, by number."""
    return tuple(_list_sources(shown, number_sources(shown.sentences)))


def _build_view(shown: ShownAnswer, key: str, workspace: Workspace, **facts: Any) -> AnswerView:
    return AnswerView(
        key=key,
        language=shown.language,
        sentences=view_sentences(shown, key),
        sources=list_sources(shown),
        # That the gate is open is a reason too, but for no doubt.
        doubts=tuple(reason for reason in shown.reasons if reason.code != "gate-enough"),
        uncovered=shown.uncovered,
        changes=shown.changes,
        conflicts=tuple(group_conflicts(shown.conflicts, workspace)),
        notices=shown.notices,
        passages=view_passages(shown),
        **facts,
    )


def view_newest(shown: ShownAnswer, key: str) -> CitedText:
    """The view of the last sentence so far, as the view of the whole answer will have it."""
    return _build_sentence(shown, number_sources(shown.sentences), key, len(shown.sentences) - 1)


def _build_sentence(
    shown: ShownAnswer, numbers: Mapping[str, int], key: str, index: int
) -> CitedText:
    """A sentence with the cards of its citations."""
    sources = {source.id: source for source in shown.sources}
    sentence = shown.sentences[index]
    cards = tuple(
        _build_card(sentence, sources[name], numbers[name], f"{key}-{index}", shown.language)
        for name in sentence.citations
        if name in sources
    )
    separator = choose_separator(shown.sentences[index - 1], sentence) if index else ""
    objection = str(sentence.objection or "")
    return CitedText(
        sentence.text.strip(), separator, cards, sentence.computed, sentence.verified, objection
    )


def view_passages(shown: ShownAnswer) -> tuple[PassageView, ...]:
    """The views of the passages of an answer, numbered from 1."""
    sources = {source.id: source for source in shown.sources}
    return tuple(
        _view_passage(number, passage, sources)
        for number, passage in enumerate(shown.passages, 1)
        if passage.id in sources
    )


def _view_passage(
    number: int, passage: ShownPassage, sources: Mapping[str, ShownSource]
) -> PassageView:
    source, quotes = sources[passage.id], find_nearest_quotes(passage.lines)
    places = [replace(q, section=None) for q in quotes] if passage.headings else quotes
    read = [quote for line in passage.lines for quote in line.quotes]
    nearest = next((line.quotes for line in passage.lines if line.nearest), quotes)
    same = [sources[name] for name in passage.same if name in sources]
    return PassageView(
        number=number,
        source=source,
        place=_describe_places(source, places),
        printed=format_revision(source, title=source.title),
        href=link_to(source, nearest),
        headings=tuple(heading for heading in passage.headings if heading != source.title),
        table=passage.table,
        groups=group_lines(passage.lines),
        notes=(*note_reading(read), *source.notices),
        same=tuple((other.title, link_to(other, ())) for other in same),
    )


def _build_card(
    sentence: Sentence, source: ShownSource, number: int, key: str, language: str
) -> Card:
    quotes = [quote for quote in sentence.quotes if quote.evidence_id == source.id]
    terms = frozenset(analyse(sentence.text, language))
    return Card(
        id=f"card-{key}-{number}",
        number=number,
        source=source,
        place=_describe_places(source, quotes),
        quotes=tuple(
            CardQuote(
                tuple(mark_words(quote.text, terms, language)),
                describe_place(quote),
                tuple(note_reading([quote])),
            )
            for quote in quotes
        ),
        strength=describe_strength(source.relevance),
        href=link_to(source, quotes),
        picture=_picture(source, quotes),
    )


def _describe_places(source: ShownSource, quotes: Iterable[Quote]) -> str:
    """The places of quotes; a heading that is the title already says nothing."""
    places = dict.fromkeys(map(describe_place, quotes))
    return "; ".join(place for place in places if place and place != source.title)


def describe_strength(relevance: float) -> Message:
    """How well a passage fits the question, in words."""
    return Message(next(code for least, code in STRENGTHS if relevance >= least))


def link_to(source: ShownSource, quotes: Sequence[Quote], view: str = "") -> str:
    """The address of a source at its quotes, as it was when they were cited."""
    return link_to_source(source.source_id, quotes, content_hash=source.content_hash, view=view)


def group_conflicts(found: Sequence[Conflict], workspace: Workspace) -> Iterator[ShownConflict]:
    """The contradictions, those of the same words with several others together."""
    show = _SideViews(workspace, found).show
    groups: dict[tuple[str, int, int, bool], list[Conflict]] = {}
    for one in found:
        quote = one.a.quote
        key = (one.a.source, quote.start, quote.end, one.superseded)
        groups.setdefault(key, []).append(one)
    for group in groups.values():
        first = group[0]
        side = show(first.a, first.values[0])
        opposites = (_show_opposite(one, show(one.b, one.values[1])) for one in group)
        yield ShownConflict(side, tuple(opposites), first.superseded)


def _show_opposite(found: Conflict, side: ShownSide) -> Opposite:
    clear = found.reason.code in _VALUES and all(
        value in one.quote.text
        for value, one in zip(found.values, (found.a, found.b), strict=True)
        if value
    )
    decision = None
    if found.holds:
        followed = found.a if found.holds == "a" else found.b
        name = _name_file(followed)
        decision = Message("site-conflict-holds", source=name, rule=found.rule)
    return Opposite(side, None if clear else found.reason, decision)


class _SideViews:
    """Makes the views of the places of contradictions, whose sources are looked up together."""

    def __init__(self, workspace: Workspace, found: Sequence[Conflict]) -> None:
        project = workspace.config.project.id
        paths = {side.source for one in found for side in (one.a, one.b)}
        self._ids = {path: make_source_id(project, path) for path in paths}
        self._sources = workspace.store.get_sources(self._ids.values()) if paths else {}

    def show(self, side: ConflictSide, value: str) -> ShownSide:
        """The view of a place, the value marked."""
        quote, source_id = side.quote, self._ids[side.source]
        before, marked, after = quote.text.partition(value) if value else (quote.text, "", "")
        parts = (Part(before, marked=False), Part(marked, marked=True), Part(after, marked=False))
        source = self._sources.get(source_id)
        return ShownSide(
            _name_file(side),
            format_revision(side),
            tuple(part for part in parts if part.text),
            link_to_source(source_id, [quote]),
            source.language if source else "und",
        )


def _name_file(side: ConflictSide) -> str:
    return side.source.rpartition("/")[2]


def _picture(source: ShownSource, quotes: Sequence[Quote]) -> str | None:
    if not quotes or not source.path.lower().endswith(tuple(PICTURED)):
        return None
    return link_to(source, quotes, "/region.svg")


def _list_sources(shown: ShownAnswer, numbers: Mapping[str, int]) -> Iterator[ListedSource]:
    quotes = [quote for sentence in shown.sentences for quote in sentence.quotes]
    cited = [source for source in shown.sources if source.id in numbers]
    for source in sorted(cited, key=lambda source: numbers[source.id]):
        own = [quote for quote in quotes if quote.evidence_id == source.id]
        yield ListedSource(
            numbers[source.id],
            source,
            _describe_places(source, own),
            format_revision(source, title=source.title),
            link_to(source, own),
        )
