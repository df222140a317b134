"""What a question is about, and whether a passage is about that too (decision 35).

A name tells documents apart by structure: it is in the label (title, file name, front) of some
sources and hardly in others. No list of companies or products is needed. What is in doubt is
"unknown", never "other". Periods are searched as the sources may write them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from foundry.analysis import UNKNOWN, analyse_query, fold
from foundry.analysis.lexer import LETTERS, WORD, has_digit
from foundry.craft.question import MOST_PARTS
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.records import (
    AskedName,
    Chunk,
    Mentions,
    Name,
    Period,
    QueryTerm,
    Question,
    Side,
    Source,
    Subject,
    SubjectFit,
    TermSpread,
)
from foundry.text.names import is_mentioned_in, strip_possessive
from foundry.text.periods import Fit, find_periods, judge_label, judge_periods

_LEXICON = load_shared_lexicon()
_CONJUNCTIONS = _LEXICON.general.additive | _LEXICON.general.disjunctions

ABOUT_SHARE = 0.5
"""A source is about a name that at least this share of its chunks has, whatever its title says,
if the name is in the label of another one. A guess: more than half."""

SPECIFIC_SHARE = 0.8
"""A word without a capital names a document only if at least this share of the chunks that have it
are of sources with it in their label: "boeing" does, "tax" does not. A guess."""

MOST_WORDS = 20
"""A question with more words is a pasted text, which names too much."""


def list_subject_terms(question: Question) -> dict[QueryTerm, tuple[str, ...]]:
    """The words of the question that may name a document, with the terms of the whole word."""
    if len(question.words) > MOST_WORDS:
        return {}
    dated = {word for period in question.periods for word in WORD.findall(fold(period.text))}
    return {
        word: terms
        for word in question.words
        if fold(word.word) not in _LEXICON.questions.frame | _LEXICON.revisions.words
        and not (fold(word.word) in dated or word.word.isdigit() or len(word.word) == 1)
        and (terms := _list_whole_terms(word))
        and any(question.frequencies.get(term, 0) for term in terms)
    }


def find_subject(question: Question, mentions: Mentions) -> Subject:
    """What the question names; ``mentions`` are of its ``list_subject_terms``."""
    written = {name.key: name for name in question.names}
    found: list[tuple[Name | None, AskedName]] = []
    where = dict.fromkeys((name for name in question.names if name.sure), frozenset[str]())
    for word, terms in list_subject_terms(question).items():
        name = written.get(strip_possessive(fold(word.word)))
        spread = [mentions.spread[term] for term in terms]
        asked = _read_name(
            strip_possessive(word.word), mentions, spread, sure=bool(name and name.sure)
        )
        if asked:
            found.append((name, asked))
        elif name in where:
            having = np.any([term.chunks for term in spread], axis=0)
            where[name] = frozenset(mentions.select(having))
    names = tuple(_join_names(found, question.text))
    sides = _find_sides(question.text, found, where)
    about = frozenset().union(*(name.sources for name in names), *(side.sources for side in sides))
    return Subject(
        names,
        question.periods,
        frozenset().union(*(side.sources for side in sides)) or _choose_sources(names),
        question.language,
        sides,
        mentions.find_sizes(about),
    )


class _Named(NamedTuple):
    """A stretch of the question that names documents: its place, their ids, and whether a label does."""

    start: int
    end: int
    sources: frozenset[str]
    labelled: bool


def _find_sides(
    text: str,
    found: Sequence[tuple[Name | None, AskedName]],
    where: Mapping[Name, frozenset[str]],
) -> tuple[Side, ...]:
    """The names that have documents of their own, if no document has two of them.

    Where no label has one of them, such as a party to a contract, each is in one document alone. All
    of them are parallel in the sentence.
    """
    labelled = {name: asked.sources for name, asked in found if name and name in where}
    if not labelled and not any(where.values()):
        plain = (Name(asked.text, text.find(asked.text), False) for _, asked in found)
        labelled = dict(zip(plain, (asked.sources for _, asked in found), strict=True))
    named = [one for one in _join_neighbours(text, labelled, where) if one.sources]
    named = [one for one in named if not any(other.sources < one.sources for other in named)]
    if not all(one.labelled for one in named):
        named = [one for one in named if len(one.sources) == 1]
    if not all(_are_parallel(text, one, other) for one, other in pairwise(named)):
        return ()
    sides = {one.sources: Side(text[one.start : one.end], one.sources) for one in named}
    every = [source for sources in sides for source in sources]
    apart = 1 < len(sides) <= MOST_PARTS and len(every) == len(set(every))
    return tuple(sides.values()) if apart else ()


def _join_neighbours(
    text: str, labelled: Mapping[Name, frozenset[str]], where: Mapping[Name, frozenset[str]]
) -> list[_Named]:
    """The names in reading order, those that follow each other as one.

    With a word between them they are one if a document has both.
    """
    joined: list[_Named] = []
    # "Compare Yahoo and Kaplan" begins with a verb.
    names = (
        name for name in {**where, **labelled} if name.start or where.get(name) or name in labelled
    )
    for name in sorted(names, key=lambda one: one.start):
        sources = labelled.get(name, where.get(name, frozenset()))
        end, known = name.start + len(name.text), name in labelled
        last = joined[-1] if joined else None
        between = text[last.end : name.start].split() if last else []
        if last and (not between or (len(between) == 1 and last.sources & sources)):
            known = known or last.labelled
            joined[-1] = _Named(last.start, end, last.sources & sources, known)
        else:
            joined.append(_Named(name.start, end, sources, known))
    return joined


def _are_parallel(text: str, one: _Named, other: _Named) -> bool:
    """Whether two names are parallel in a sentence: "in A and in B", "A or B", "the A agreement … the B agreement".

    The same word is before both or after both, or only a conjunction is between them. The rule was made
    after reading nine of 1,363 written questions that had sides by mistake and has none of them
    now; of 20 comparisons written for it, ten of them left out, it costs one.
    """
    before = [text[: named.start].split()[-1:] for named in (one, other)]
    after = [re.findall(r"\w\w+", text[named.end :])[:1] for named in (one, other)]
    alike = any(a and a == b for a, b in (before, after))
    return alike or fold(text[one.end : other.start]).strip(" ,'s") in _CONJUNCTIONS


def _list_whole_terms(word: QueryTerm) -> tuple[str, ...]:
    """The terms of the whole word in each language, without those of its parts."""
    if strip_possessive(fold(word.word)).isalpha():
        return word.terms
    return word.terms[:1]


def _read_name(
    text: str, mentions: Mentions, spread: Sequence[TermSpread], *, sure: bool
) -> AskedName | None:
    """The name, or None if the word tells no documents apart."""
    labelled = np.any([term.labelled for term in spread], axis=0)
    if not labelled.any():
        return None
    if not sure:
        everywhere = sum(int(term.chunks.sum()) for term in spread)
        inside = sum(int(term.chunks[labelled].sum()) for term in spread)
        if inside < SPECIFIC_SHARE * everywhere:
            return None
    most = np.max([term.chunks for term in spread], axis=0) / mentions.sizes
    having = most > 0
    shares = dict(zip(mentions.select(having), most[having].tolist(), strict=True))
    about = labelled | (most >= ABOUT_SHARE) if sure else labelled
    return AskedName(text, frozenset(mentions.select(about)), shares, shares, sure)


def _join_names(found: Sequence[tuple[Name | None, AskedName]], text: str) -> Iterator[AskedName]:
    """Names that follow each other are one: "Best Buy" is about the sources that have both."""
    run = 0
    numbered: list[tuple[int, AskedName]] = []
    end = -1
    for name, asked in sorted(found, key=lambda pair: pair[0].start if pair[0] else -1):
        if name is None or end < 0 or text[end : name.start].strip():
            run += 1
        end = name.start + len(name.text) if name else -1
        numbered.append((run, asked))
    for _, group in groupby(numbered, key=lambda pair: pair[0]):
        yield _join_run([asked for _, asked in group])


def _choose_sources(names: Sequence[AskedName]) -> frozenset[str]:
    """The sources of all names, as in "Intel's 10-Q"; else of any, as in "Intel or NVIDIA"."""
    sets = [name.sources for name in names]
    if not sets:
        return frozenset()
    shared = frozenset.intersection(*sets)
    # A plain word of another document's title, such as "revision", adds none.
    sets = [name.sources for name in names if name.sure] or sets
    # "Intel's and NVIDIA's 10-Q": what all have in common names neither.
    narrow = [one for one in sets if not any(other < one for other in sets)]
    return shared or frozenset.union(*narrow)


def _join_run(run: Sequence[AskedName]) -> AskedName:
    shared = frozenset.intersection(*(name.sources for name in run))
    if len(run) == 1 or not shared:
        return run[0]
    every = {source for name in run for source in name.shares}
    found = {source: [name.shares.get(source, 0.0) for name in run] for source in every}
    shares = {source: min(each) for source, each in found.items()}
    traces = {source: max(each) for source, each in found.items()}
    words = " ".join(name.text for name in run)
    return AskedName(words, shared, shares, traces, any(name.sure for name in run))


def confirm_names(subject: Subject, passages: Sequence[tuple[Chunk, Source]]) -> Subject:
    """The subject with plain words made sure that a named source has among its own names.

    Without the names of persons who speak in the passages: what they say is about other things.
    """
    own = {
        word
        for source in {source.id: source for _, source in passages}.values()
        if source.id in subject.sources
        for name in source.names
        if name.place == "front"
        for word in _split_words(" ".join((name.name, *name.aliases)))
    }
    speakers = {block.speaker or "" for chunk, _ in passages for block in chunk.blocks}
    spoken = {word for speaker in speakers for word in _split_words(speaker)}
    kept = [name for name in subject.names if not spoken.issuperset(_split_words(name.text))]
    sources = subject.sources if len(kept) == len(subject.names) else _choose_sources(kept)
    names = (replace(name, sure=name.sure or fold(name.text) in own) for name in kept)
    return replace(subject, names=tuple(names), sources=sources)


def _split_words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", fold(text))


# Other forms of its names


_MIN_SIMILARITY = 0.85
"""Smallest ``difflib`` ratio of a misspelt name: one slip in six letters or more."""
_MIN_LENGTH = 5
_LONGEST_NAME = 6
"""Words of a name that an abbreviation may stand for."""
_SHORT = re.compile(r"[^\W\d_][\w&/-]*[A-Z][\w&/-]{0,7}")


def list_abbreviated(text: str) -> list[str]:
    """What in a text may be an abbreviation or a name in full, in lower case.

    Words with a second capital, and runs of words that begin with one.
    """
    words = re.findall(r"[^\W_][\w&/-]*", text)
    shaped = [word for word in words if _SHORT.fullmatch(word)]
    short = [form for word in shaped for form in (word, f"{word}s", word.removesuffix("s"))]
    runs = (
        words[start : start + size]
        for start in range(len(words))
        for size in range(2, _LONGEST_NAME + 1)
    )
    full = [" ".join(run) for run in runs if len(run) > 1 and _begins_name(run[0])]
    return list(dict.fromkeys(name.lower() for name in (*short, *full)))


def _begins_name(word: str) -> bool:
    return word[0].isupper() and fold(word) not in _LEXICON.general.stop_words


def can_be_misspelt(word: str, text: str) -> bool:
    """Whether a word of a question may be a name with a slip: names have a capital, if any word has."""
    plain = strip_possessive(word)
    shaped = plain[0].isupper() or text.islower()
    return shaped and len(plain) >= _MIN_LENGTH and plain.isalpha()


def find_label_word(word: str, labels: Iterable[str]) -> str | None:
    """The word of a source's label that a word without a source misspells, or None."""
    folded = strip_possessive(fold(word))
    known = {part for label in labels for part in LETTERS.findall(fold(label))}
    alike = [part for part in known if part[0] == folded[0] and abs(len(part) - len(folded)) <= 1]
    return next(iter(difflib.get_close_matches(folded, sorted(alike), 1, _MIN_SIMILARITY)), None)


def add_terms(word: QueryTerm, terms: Iterable[str]) -> QueryTerm:
    """The word with these terms as further variants."""
    return replace(word, terms=tuple(dict.fromkeys((*word.terms, *terms))))


# Whether a passage is about that


MENTIONED_SHARE = 0.1
"""A source that has a name in more of its chunks may be about it too: what it is about is then
unknown. A guess: a competitor or customer is named on few pages."""


def judge_passage(subject: Subject, source: Source, chunk: Chunk) -> SubjectFit:
    """Whether a passage is about the question's names and periods, in its text or its document.

    It is about another thing if that is sure of its document for every name, or of its periods.
    """
    names = _judge_names(subject, source, chunk)
    if names == "other":
        lacking = [name for name in subject.names if source.id not in name.sources]
        asked = tuple(dict.fromkeys(name.text for name in lacking))
        reason = Message("subject-other-document", title=source.title, names=asked)
        return SubjectFit("other" if any(name.sure for name in lacking) else "unknown", reason)
    own, periods = _judge_periods(subject, source, chunk)
    if periods == "other":
        asked = tuple(dict.fromkeys(period.text for period in subject.periods))
        # A report of one quarter may look ahead to the next.
        verdict: Fit = "other" if own == "other" else "unknown"
        return SubjectFit(verdict, Message("subject-other-period", periods=asked))
    sure = "fits" in (names, periods) and (names == "fits" or not subject.names)
    return SubjectFit("fits" if sure else "unknown")


PUT_BACK = 3
"""By how much a rank grows where it is in doubt that a passage is about another thing, or where it
is of another period: a table of several years may name only the first. A guess: on 146 questions
about quarterly reports 1 was worse and 1000 no better."""


def order_by_fit(fits: Sequence[SubjectFit]) -> list[int]:
    """The places of a ranking in a better order: passages about other things come last."""

    def find_place(place: int) -> tuple[bool, int]:
        fit = fits[place]
        if fit.reason is None:
            return False, place + 1
        sure = fit.verdict == "other" and fit.reason.code == "subject-other-document"
        return sure, (place + 1) * (1 if sure else PUT_BACK)

    return sorted(range(len(fits)), key=find_place)


def take_turns(subject: Subject, sources: Sequence[str]) -> list[int]:
    """The places of a ranking, by source id, in turn for each side: "Intel's and NVIDIA's revenue".

    Passages of none come last. The order stays for a question without sides.
    """
    turns, places = [0] * len(subject.sides), []
    for place, source in enumerate(sources):
        own = [index for index, side in enumerate(subject.sides) if source in side.sources]
        if own:
            turns[own[0]] += 1
        places.append((bool(turns) and not own, turns[own[0]] if own else place, place))
    return [place for *_, place in sorted(places)]


def _judge_names(subject: Subject, source: Source, chunk: Chunk) -> Fit:
    """Another one only if document and passage have next to nothing of the names they lack."""
    if source.id in subject.sources:
        return "fits"
    lacking = [name for name in subject.names if source.id not in name.sources]
    across = UNKNOWN in (subject.language, chunk.language) or subject.language != chunk.language
    for name in lacking:
        # A plain word has another form in another language.
        if across and not name.sure:
            return "unknown"
        # So has a law: "AI Act" is "AI-verordening" in Dutch.
        shares = name.traces if across else name.shares
        if shares.get(source.id, 0.0) > MENTIONED_SHARE or _has_name(name, chunk):
            return "unknown"
    return "other" if lacking else "unknown"


def _has_name(name: AskedName, chunk: Chunk) -> bool:
    text = fold("\n".join((*chunk.heading_path, chunk.content)))
    return is_mentioned_in(Name(name.text, 0, identifier=False), text)


def _judge_periods(subject: Subject, source: Source, chunk: Chunk) -> tuple[Fit, Fit]:
    """By the passage's own periods, and with those of its document where they leave it open."""
    if not subject.periods:
        return "unknown", "unknown"
    place = "\n".join((*chunk.heading_path, chunk.content))
    own = judge_periods(subject.periods, find_periods(place, chunk.language))
    if own == "fits":
        return own, own
    document = judge_label(subject.periods, source)
    if own == "other" and document == "fits":
        return "unknown", "unknown"
    return own, own if own == "other" else document


# How sources may write its periods


_ORDINALS = {int(number): words for number, words in _LEXICON.periods.ordinals.items()}
_PARTS = {f"q{number}" for number in range(1, 5)} | {"h1", "h2"}


def add_period_terms(
    words: Sequence[QueryTerm], periods: Sequence[Period], languages: Collection[str]
) -> tuple[QueryTerm, ...]:
    """The words, those of a quarter or half with the terms of its other spellings."""
    parts = {period.part for period in periods} & _PARTS
    numbers = {int(part[1]): part for part in parts}
    return tuple(_add_terms(word, numbers, languages) for word in words)


def drop_common_spellings(
    word: QueryTerm, added: QueryTerm, frequencies: Mapping[str, int]
) -> QueryTerm:
    """The word without the terms added to it, if it occurs as written in some chunk.

    "third" is in many a chunk that has nothing of "Q3"; "q3" tells something wherever it is.
    """
    return (
        word if has_digit(word.word) and any(frequencies.get(t, 0) for t in word.terms) else added
    )


def _add_terms(word: QueryTerm, parts: Mapping[int, str], languages: Collection[str]) -> QueryTerm:
    folded = fold(word.word)
    for number, part in parts.items():
        if folded == part:
            others = [t for name in sorted(_ORDINALS[number]) for t in _analyse(name, languages)]
        elif folded in _ORDINALS[number]:
            others = [part]
        else:
            continue
        return add_terms(word, others)
    return word


def _analyse(word: str, languages: Collection[str]) -> tuple[str, ...]:
    # The parts of "1st" are found everywhere.
    found = analyse_query(word, languages, "und")
    return found[0].terms if word.isalpha() and found else (word,)
