"""The passages of the evidence that come closest to what is asked, cut to what a reader looks at.

An excerpt is built around one line, the nearest: its sentence with the others of its paragraph and
their neighbours under the same heading, its row with the rows around it, its list item with the
sentence that opens the list. Nothing is concluded and no line is called an answer.

A line's nearness adds up the words that it, its headings and its neighbours share with those asked,
and how near search found its passage; ``read`` may add how the built-in model reads both together.
The weights are fitted on two groups of documents; docs/evaluation/passages.md has the figures of the
others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foundry.analysis import analyse, analyse_query, fold
from foundry.analysis.lexer import WORD, has_digit, match_marker, strip_marker
from foundry.analysis.near_duplicates import Fingerprint, compute_fingerprint
from foundry.records import Chunk, Evidence, Excerpt, ExcerptLine, QueryTerm
from foundry.text.headings import is_contents_line, is_furniture
from foundry.text.lines import PART_CREDIT, find_shared_terms
from foundry.text.passages import (
    Passage,
    build_quote,
    build_quotes,
    find_lines_and_passages,
    join_quotes,
)

ReadTogether = Callable[[Sequence[Sequence[str]]], Sequence[float]]
"""How well the texts of each entry, read together, have something for each part of what is asked."""

MAX_WORDS = 120
"""Of an excerpt: what a reader takes in at a glance, and most paragraphs have fewer (a choice)."""

MAX_READ = 16
"""Lines that are read with what is asked, the nearest by their other signs: 0.4 s of CPU."""

MAX_READ_CHARS, MAX_ABOVE_CHARS = 600, 300

WEIGHTS = {
    "words": 1.5,
    "above": 4.2,
    "around": 2.5,
    "nearness": 1.3,
    "relevance": 3.0,
    "rank": 1.4,
    "short": -0.4,
    "reading": 10.0,
}
"""What each sign of a line counts."""

_AGAIN = 0.5
"""Taken off the score of each further excerpt of a passage, so that another passage comes first."""

_SHORT = 5
"""Words: a shorter line is mostly a label or a link."""

_SAME_SHARE = 0.6
"""Share of the runs of words of the longer one of two excerpts from which they say the same. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A passage of one piece of evidence that may be shown; ``place`` is its index among those."""

    evidence: Evidence
    place: int
    passage: Passage
    text: str
    cells: tuple[tuple[str, str], ...]
    headings: tuple[str, ...]
    words: int

    @property
    def chunk(self) -> Chunk:
        """The chunk that it is in."""
        return self.evidence.hit.chunk


@dataclass(frozen=True, slots=True)
class _Rated:
    line: Line
    score: float


def choose_excerpts(
    asked: str,
    evidence: Sequence[Evidence],
    *,
    limit: int,
    read: ReadTogether | None = None,
    max_words: int = MAX_WORDS,
) -> tuple[Excerpt, ...]:
    """At most ``limit`` excerpts, the nearest to ``asked`` first, none of which overlap.

    Each has at most ``max_words`` words, unless a single sentence or row has more. ``read`` compares
    the nearest lines with what is asked; it is called once, at most.
    """
    sources = [list(_find_lines(item)) for item in evidence]
    waiting = _rate_lines(asked, sources, read, max_words)
    members = {item.id: lines for item, lines in zip(evidence, sources, strict=True)}
    chosen: list[tuple[Excerpt, Fingerprint]] = []
    shown: list[Line] = []
    while waiting and len(chosen) < limit:
        again = {line.chunk.id for line in shown}
        best = max(waiting, key=lambda one: one.score - _AGAIN * (one.line.chunk.id in again))
        waiting.remove(best)
        if _overlaps(best.line, shown):
            continue
        passage = members[best.line.evidence.id]
        lines = _expand(best.line, passage, max_words, shown)
        shown += lines
        if chosen and sum(line.words for line in lines) < _SHORT:
            continue
        opener = _find_opener(lines[0], passage)
        if opener and sum(line.words for line in (opener, *lines)) > max_words:
            opener = None
        _add(chosen, _build_excerpt(lines, best, opener))
    return tuple(excerpt for excerpt, _ in chosen)


def _overlaps(line: Line, shown: Sequence[Line]) -> bool:
    """Whether some of its words are shown: neighbouring passages of a source overlap."""
    start, end = line.passage.start, line.passage.end
    return any(
        other.chunk.source_id == line.chunk.source_id
        and other.passage.start < end
        and start < other.passage.end
        for other in shown
    )


def _add(chosen: list[tuple[Excerpt, Fingerprint]], excerpt: Excerpt) -> None:
    """Add an excerpt, or name its evidence with the one that says the same."""
    own = compute_fingerprint(" ".join(line.text for line in excerpt.lines))
    for index, (first, other) in enumerate(chosen):
        if _is_same(own, other):
            chosen[index] = (_join_same(first, excerpt), other)
            return
    chosen.append((excerpt, own))


def read_lines(evidence: Evidence) -> tuple[Line, ...]:
    """What may be shown of a piece of evidence, in reading order, without headings."""
    return tuple(line for line in _find_lines(evidence) if line.passage.kind != "heading")


def _find_lines(evidence: Evidence) -> Iterator[Line]:
    """What may be shown of a piece of evidence: no contents, page furniture or markup."""
    chunk, source = evidence.hit.chunk, evidence.hit.source
    title = frozenset(WORD.findall(fold(source.title)))
    place = 0
    for passage in find_lines_and_passages(chunk):
        if passage.kind == "contents" or (passage.labels and not passage.columns):
            continue
        cells = passage.columns
        text = _render_cells(cells) if cells else _read_text(passage)
        words = WORD.findall(fold(text))
        if cells and not any(cell for _, cell in cells):
            continue  # A row of pictures.
        if not words or is_contents_line(text) or is_furniture(text):
            continue
        if title.issuperset(words) and passage.kind == "paragraph":
            continue  # The title, repeated as a running header or on a cover.
        headings = passage.place.heading_path or chunk.heading_path
        yield Line(evidence, place, passage, text, cells, headings, len(text.split()))
        place += 1


def _read_text(passage: Passage) -> str:
    """The words without a bullet; a step of a procedure keeps its number."""
    text = strip_marker(passage.text)
    mark = match_marker(passage.text)
    numbered = passage.kind == "list_item" and mark and mark["number"]
    return f"{mark[0].strip()} {text}" if mark and numbered and text else text


def _render_cells(cells: Sequence[tuple[str, str]]) -> str:
    """``Supply voltage; Min: 3.0 V; Max: 3.6 V``: the row's name stands without its label."""
    if len(cells) == 2 and not cells[1][0]:
        return f"{cells[0][1]}: {cells[1][1]}"
    first, *rest = cells
    name = first[1] if rest else ": ".join(part for part in first if part)
    said = [f"{label}: {cell}" if label else cell for label, cell in rest]
    return "; ".join(part for part in (name, *said) if part)


def _list_rated(sources: Sequence[Sequence[Line]]) -> list[Line]:
    """The lines that may be the nearest: a heading only says what is below it."""
    return [line for own in sources for line in own if line.passage.kind != "heading"]


def _rate_lines(
    asked: str, sources: Sequence[Sequence[Line]], read: ReadTogether | None, max_words: int
) -> list[_Rated]:
    """The lines with their nearness; with ``read`` those that were read, unless there are few."""
    lines = _list_rated(sources)
    rated = sorted(
        (
            _Rated(line, sum(WEIGHTS[name] * value for name, value in signs.items()))
            for line, signs in zip(lines, _list_signs(asked, sources, max_words), strict=True)
        ),
        key=lambda one: -one.score,
    )
    if read is None or not rated:
        return rated
    near = rated[:MAX_READ]
    matches = read([_list_parts(one.line) for one in near])
    # The others are taken for as far away as the farthest that was read.
    return [
        *(
            replace(one, score=one.score + WEIGHTS["reading"] * match)
            for one, match in zip(near, matches, strict=True)
        ),
        *(
            replace(one, score=one.score + WEIGHTS["reading"] * min(matches))
            for one in rated[MAX_READ:]
        ),
    ]


def _list_parts(line: Line) -> tuple[str, str]:
    """The text under its heading, and the title and headings above it, which say of what it is."""
    text = f"{line.headings[-1]}. {line.text}" if line.headings else line.text
    above = ". ".join((line.evidence.hit.source.title, *line.headings, _get_table(line)))
    return text[:MAX_READ_CHARS], above[:MAX_ABOVE_CHARS]


def _get_table(line: Line) -> str:
    table = line.passage.place.table
    return " ".join(part for part in (table.title, table.unit) if part) if table else ""


def _list_signs(
    asked: str, sources: Sequence[Sequence[Line]], max_words: int
) -> Iterator[dict[str, float]]:
    """What speaks for each line, in order."""
    lines = _list_rated(sources)
    terms = analyse_query(asked, {line.chunk.language for line in lines})
    own = {line: frozenset(analyse(line.text, line.chunk.language)) for line in lines}
    weights = weigh_words(terms, own.values())
    total = sum(weights) or 1.0
    relevant = max((line.evidence.hit.relevance for line in lines), default=0.0)
    for rank, members in enumerate(sources):
        for line in _list_rated([members]):
            near = _expand(line, members, max_words)
            around = frozenset[str]().union(*(own.get(other, frozenset()) for other in near))
            yield {
                "words": measure_words(terms, weights, own[line]) / total,
                "above": measure_words(terms, weights, own[line] | list_terms_above(line)) / total,
                "around": measure_words(terms, weights, around) / total,
                "nearness": _get_nearness(line),
                "relevance": line.evidence.hit.relevance - relevant,
                "rank": -math.log(1 + rank),
                "short": float(line.words < _SHORT),
            }


def list_terms_above(line: Line) -> frozenset[str]:
    """The terms of the title, the headings and the table above a line."""
    about = " ".join((line.evidence.hit.source.title, *line.headings, _get_table(line)))
    return _list_terms(about, line.chunk.language)


@lru_cache(maxsize=64)  # Many lines have the same headings.
def _list_terms(text: str, language: str) -> frozenset[str]:
    return frozenset(analyse(text, language))


def weigh_words(terms: Sequence[QueryTerm], texts: Collection[frozenset[str]]) -> list[float]:
    """The rarity of each word among the lines, above 0."""
    counts = [sum(not text.isdisjoint(term.terms) for text in texts) for term in terms]
    return [math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for n in counts]


def measure_words(
    terms: Sequence[QueryTerm], weights: Sequence[float], text: frozenset[str]
) -> float:
    """The weight of the words that a text has, a part of a compound counting less."""
    found = 0.0
    for term, weight in zip(terms, weights, strict=True):
        if not text.isdisjoint(term.terms):
            found += weight
        elif find_shared_terms(term.terms, text):
            found += PART_CREDIT * weight
    return found


def _get_nearness(line: Line) -> float:
    """The cosine of the nearest window that the line is in; 0 without vectors."""
    start, end = line.passage.start, line.passage.end
    near = (cosine for a, b, cosine in line.evidence.hit.nearness if a < end and start < b)
    return max(near, default=0.0)


def _expand(
    nearest: Line, lines: Sequence[Line], max_words: int, shown: Sequence[Line] = ()
) -> list[Line]:
    """The line with its neighbours under the same heading, those of its paragraph or table first.

    Then comes what follows, then what is before, then the parts of the section below.
    """
    first, last = nearest.place, nearest.place + 1
    opener = _find_opener(nearest, lines)
    room = max_words - nearest.words - (opener.words if opener else 0)

    def fits(place: int) -> bool:
        if not 0 <= place < len(lines):
            return False
        other = lines[place]
        inside = other.headings == nearest.headings and other.passage.kind != "heading"
        return inside and (other is opener or other.words <= room) and not _overlaps(other, shown)

    while True:
        before, after = fits(first - 1), fits(last)
        if before and after:
            inside = lines[first - 1].passage.run == nearest.passage.run
            after = not inside or lines[last].passage.run == nearest.passage.run
        if after:
            room -= lines[last].words
            last += 1
        elif before:
            first -= 1
            room -= 0 if lines[first] is opener else lines[first].words
        else:
            break
    return [*lines[first:last], *_continue(nearest, lines[last:], room, shown)]


def _continue(nearest: Line, rest: Sequence[Line], room: int, shown: Sequence[Line]) -> list[Line]:
    """The parts of the section with headings of their own, while there is room."""
    depth = len(nearest.headings)
    more: list[Line] = []
    for line in rest:
        room -= line.words
        below = len(line.headings) > depth and line.headings[:depth] == nearest.headings
        if room < 0 or not below or _overlaps(line, shown):
            break
        more.append(line)
    while more and more[-1].passage.kind == "heading":
        more.pop()
    return more


def _find_opener(item: Line, lines: Sequence[Line]) -> Line | None:
    """The sentence that opens the list of an item: the one before it that ends in a colon."""
    if item.passage.kind != "list_item":
        return None
    for line in reversed(lines[: item.place]):
        if line.headings != item.headings:
            return None
        if line.passage.kind != "list_item":
            return line if line.text.endswith(":") else None
    return None


def _build_excerpt(lines: Sequence[Line], best: _Rated, opener: Line | None) -> Excerpt:
    nearest = best.line
    shown = [build_line(opener, context=True)] if opener else []
    shown += [build_line(line, nearest=line is nearest) for line in lines]
    table = next((line.passage.place.table for line in lines if line.passage.place.table), None)
    title = [part for part in (table.title, table.unit) if part] if table else []
    if title and title[0] in " ".join(line.text for line in shown):
        title = title[1:]  # The sentences above it.
    return Excerpt(
        evidence=nearest.evidence,
        lines=tuple(shown),
        headings=nearest.headings,
        table=", ".join(dict.fromkeys(title)),
        score=1 / (1 + math.exp(-best.score / 4)),
    )


def build_line(line: Line, *, nearest: bool = False, context: bool = False) -> ExcerptLine:
    """The line as it is shown, with its exact words; of a row also those of its header."""
    quotes = list(build_quotes(line.passage, line.evidence))
    if line.passage.header:
        header = line.passage.header
        span = (header[0][0], header[-1][1])
        quotes.append(build_quote(line.evidence, span, line.passage.place))
    return ExcerptLine(
        line.text,
        join_quotes(quotes, line.chunk),
        kind=line.passage.kind,
        cells=line.cells,
        context=context,
        nearest=nearest,
    )


def _is_same(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether two excerpts differ in few words, and in no number of the shorter one."""
    short, long = sorted((one.runs, other.runs), key=len)
    if not short or len(short & long) < _SAME_SHARE * len(long):
        return False
    own = (word for run in short - long for word in run)
    return not any(map(has_digit, own))


def _join_same(first: Excerpt, second: Excerpt) -> Excerpt:
    """The one whose document is current, with the evidence of the other."""
    kept, other = first, second
    if _is_aside(first.evidence) and not _is_aside(second.evidence):
        kept, other = second, first
    same = {item.id: item for item in (*first.same, *second.same, other.evidence)}
    same.pop(kept.evidence.id, None)
    return replace(kept, score=first.score, same=tuple(same.values()))


def _is_aside(evidence: Evidence) -> bool:
    """Whether a later revision of its document comes first, or it is a draft, archived or the like."""
    return evidence.hit.fit.reason is not None or evidence.hit.source.is_set_aside
