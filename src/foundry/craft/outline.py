"""What a specification or an agent asks of each section, and whether what the section shows has it.

A title alone is a poor query ("Testing"); the specification's text says what is meant. Each line
goes to the one section it is closest to, by shared words or else by meaning. Lines that say what
is out of scope go nowhere. Words alone decide whether a line is covered: only a passage that was found
for it and holds its rarest word and most of the others does, whatever it says about them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foundry.analysis import analyse, detect_language, fold
from foundry.analysis.lexer import COMMENT
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.ports import Similarity
from foundry.records import Hit, QueryTerm, Question, ScopeState, SectionForm
from foundry.text.headings import is_generic
from foundry.text.lines import find_shared_terms
from foundry.text.markdown import read_prose

_MAX_WORDS = 24
"""A line of more words is a poor query and mostly about the document itself. A guess."""

_WORDS = load_shared_lexicon().specifications
_EXCLUDED = re.compile(rf"\b{build_alternation(_WORDS.exclusions)}\b")
# Lines that say how to write, not what about.
_MANNER = re.compile(
    rf"^{build_alternation(_WORDS.manner_labels)}\b.{{0,3}}:"
    rf"|\b{build_alternation(_WORDS.all_of)}\b.{{0,40}}"
    rf"\b{build_alternation(_WORDS.citation_words)}\b"
)
# The lines under such a heading, up to the next one.
_MANNER_SECTION = re.compile(
    rf"^#+ *{build_alternation(_WORDS.manner_headings)} *\n(?:(?!#).*(?:\n|\Z))*",
    re.IGNORECASE | re.MULTILINE,
)
_AND = build_alternation(load_shared_lexicon().general.additive)
_BETWEEN_ITEMS = re.compile(rf"[,;]\s+(?:{_AND}\s+)?")
_BEFORE_LAST = re.compile(rf"\s+{_AND}\s+")
_MARGIN = 0.008
"""A line belongs to the closest section only if the second-closest is this much further, in cosine.
A guess: most differences between section titles are larger."""


@dataclass(frozen=True, slots=True)
class SectionOutline:
    """A section's title with the lines of the specification that say what it must contain.

    ``subject`` is searched for in place of a generic title ("Overview"); None searches for the
    lines alone, as an agent's titles are the same for all projects. ``needs`` are sources that
    would fill the section, ``form`` what it is made of. ``beside`` are the titles of its document's sections that have evidence.
    """

    title: str
    wants: tuple[str, ...] = ()
    subject: str | None = ""
    max_sentences: int = 12
    needs: str = ""
    beside: tuple[str, ...] = ()
    form: SectionForm | None = None

    @property
    def queries(self) -> tuple[str, ...]:
        """The search queries: the title or its substitute, if any, then each line."""
        return self.wants if self.subject is None else (self.subject or self.title, *self.wants)

    @property
    def items(self) -> tuple[str, ...]:
        """Each thing that is asked, an agent's in all its languages; the title if it is all there is."""
        if self.subject is None:
            return self.wants
        items = (item for want in self.wants for item in split_items(want))
        return tuple(items) or tuple(_BEFORE_LAST.split(self.subject or self.title, maxsplit=1))

    @property
    def said(self) -> tuple[str, ...]:
        """The lines as they are said: an agent's in its own language alone."""
        if self.subject is not None:
            return self.wants
        return tuple(split_phrases(line)[0] for line in self.wants)


def outline_sections(
    sections: Sequence[str], text: str, topic: str, similar: Similarity | None = None
) -> tuple[SectionOutline, ...]:
    """Assign the lines of a specification's ``text`` to its sections, in order.

    Under a generic title such as "Overview" the document's ``topic`` is searched for.
    """
    language = detect_language(text)
    wants: list[list[str]] = [[] for _ in sections]
    titles = [frozenset(analyse(title, language)) for title in sections]
    for line in _split_lines(text):
        index = _match_by_label(line, sections)
        if index is None:
            index = _match_by_words(line, titles, language)
        if index is None and similar is not None:
            index = _match_by_meaning(line, sections, similar)
        if index is not None:
            wants[index].append(_strip_label(line, sections[index]))
    return tuple(
        SectionOutline(title, tuple(lines), topic if is_generic(title) else "")
        for title, lines in zip(sections, wants, strict=True)
    )


def split_items(line: str) -> tuple[str, ...]:
    """The items that a line lists: ``Supply: voltage, current and fuse`` → three; else the line.

    Only a label and what follows commas, semicolons and the last "and" of a list are apart.
    """
    _, colon, rest = line.partition(": ")
    items = [item for item in _BETWEEN_ITEMS.split(rest if colon else line) if item]
    *first, last = items
    if first:
        # Only the end of a list may join its last two by "and" alone.
        items = [*first, *_BEFORE_LAST.split(last, maxsplit=1)]
    return tuple(item.strip(" .") for item in items if item.strip(" ."))


def split_phrases(line: str) -> tuple[str, ...]:
    """What a line of an agent says in several languages: ``requirements | eisen`` → both."""
    return tuple(filter(None, map(str.strip, line.split("|")))) or (line,)


def _split_lines(text: str) -> list[str]:
    wanted = _MANNER_SECTION.sub("", COMMENT.sub("", text))
    pieces = [" ".join(piece.split()) for piece in read_prose(wanted)]
    return [
        piece
        for piece in dict.fromkeys(pieces)
        if 1 < len(piece.split()) <= _MAX_WORDS
        and not _EXCLUDED.search(fold(piece))
        and not _MANNER.search(fold(piece))
    ]


def _strip_label(line: str, title: str) -> str:
    """``Testing: the endurance test`` → ``the endurance test`` under the title "Testing".

    A title in words the sources lack would make the gate refuse a line that they cover.
    """
    label, colon, rest = line.partition(":")
    return rest.strip() if colon and rest.strip() and fold(label) == fold(title) else line


def _match_by_label(line: str, sections: Sequence[str]) -> int | None:
    """Index of the section whose title stands before the line's colon."""
    label = fold(line.partition(":")[0])
    return next((n for n, title in enumerate(sections) if fold(title) == label), None)


def _match_by_words(line: str, titles: Sequence[frozenset[str]], language: str) -> int | None:
    """Index of the section whose title shares most with the line; None without or with a tie."""
    own = frozenset(analyse(line, language))
    shares = [
        len(find_shared_terms(title, own) | find_shared_terms(own, title)) / max(len(title), 1)
        for title in titles
    ]
    best = max(shares, default=0.0)
    return shares.index(best) if best > 0 and shares.count(best) == 1 else None


def _match_by_meaning(line: str, sections: Sequence[str], similar: Similarity) -> int | None:
    cosines = list(similar(line, sections))
    ranked = sorted(cosines, reverse=True)
    if len(ranked) > 1 and ranked[0] - ranked[1] < _MARGIN:
        return None
    return cosines.index(ranked[0]) if ranked else None


_MIN_SHARE = 0.66
"""Share of a line's words, weighed by rarity, that a passage needs. A guess: two of three, so that "the
supply voltage of the blower" is not covered by its price."""


@dataclass(frozen=True, slots=True)
class AskedItem:
    """One thing that a section asks, and the passages that were found for it.

    ``said`` is how it is named to the reader; ``queries`` are what it is read with, the same in
    several languages, and ``words`` the terms of each. ``found`` are the hits above the gate.
    ``is_name`` if it is said as a heading has it: a line of an agent that is not its topic.
    """

    said: str
    queries: tuple[str, ...]
    words: tuple[tuple[QueryTerm, ...], ...]
    question: Question
    found: tuple[Hit, ...]
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class ShownText:
    """What a section shows of one passage: its place, its terms with those of its headings."""

    chunk_id: str
    spans: tuple[tuple[int, int], ...]
    terms: frozenset[str]
    language: str


def judge_item(item: AskedItem, shown: Sequence[ShownText]) -> ScopeState:
    """Whether the section has it; if not, whether the sources hold anything about it."""
    if not item.found:
        return "not_found"
    known = {hit.chunk.id for hit in item.found}
    for text in shown:
        if text.chunk_id not in known:
            continue
        if any(holds_words(words, text.terms, item.question) for words in item.words):
            return "covered"
        if text.language != item.question.language and _is_nearest(text, item.found[0]):
            return "covered"
    return "missing"


def holds_words(words: Sequence[QueryTerm], terms: frozenset[str], question: Question) -> bool:
    """Whether the terms hold the rarest of the words and most of the others, by rarity.

    A word that no source has cannot be held.
    """
    if not words:
        return False
    weights = [question.compute_rarity(*word.terms) for word in words]
    held = [bool(find_shared_terms(word.terms, terms)) for word in words]
    total = sum(weight for weight, own in zip(weights, held, strict=True) if own)
    return held[weights.index(max(weights))] and total >= _MIN_SHARE * sum(weights)


def _is_nearest(text: ShownText, best: Hit) -> bool:
    """Whether it shows the nearest window of the best hit: across languages no words compare."""
    if text.chunk_id != best.chunk.id or not best.nearness:
        return False
    first, last, _ = max(best.nearness, key=lambda window: window[2])
    return any(start < last and first < end for start, end in text.spans)
