"""The passages of the evidence that come closest to what is asked, cut to what a reader looks at.

An excerpt is built around one line, the nearest: its sentence with the others of its paragraph and
their neighbours under the same heading, its row with the rows around it, its list item with the
sentence that opens the list. Nothing is concluded and no line is called an answer.

A line's nearness adds up what its words share with those asked, how the built-in model reads both
together, and how near search found its passage. The weights are fitted on half of the groups of
``bench passages``; docs/evaluation/passages.md has the figures of the others.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import analyse, analyse_query, fold
from foundry.analysis.near_duplicates import Fingerprint, compute_fingerprint
from foundry.records import Evidence, Excerpt, ExcerptLine, QueryTerm
from foundry.text.folders import is_set_aside
from foundry.text.headings import is_contents_line, is_furniture
from foundry.text.lines import find_shared_terms
from foundry.text.markdown import strip_marks
from foundry.text.passages import (
    Passage,
    build_quote,
    build_quotes,
    find_lines_and_passages,
    join_quotes,
    label_cells,
)

ReadTogether = Callable[[Sequence[Sequence[str]]], Sequence[float]]
"""How well the texts of each entry, read together, have something for each part of what is asked."""

MAX_WORDS = 120
"""Of an excerpt: what a reader takes in at a glance, and most paragraphs have fewer (a choice)."""

MAX_READ = 48
"""Lines that are read with what is asked, the nearest by words first."""

_MAX_READ_CHARS, _MAX_ABOVE_CHARS = 600, 300

WEIGHTS: Mapping[str, float] = {
    "words": 1.0,
    "above": 0.5,
    "reading": 2.0,
    "nearness": 1.0,
    "relevance": 0.3,
    "again": -0.2,
}
"""What each sign of a line counts."""

_SAME_SHARE = 0.8
"""Share of the runs of words of the shorter of two excerpts from which they say the same."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A passage of one piece of evidence that may be shown; ``number`` is its place in it."""

    evidence: Evidence
    number: int
    passage: Passage
    text: str
    cells: tuple[tuple[str, str], ...]
    headings: tuple[str, ...]
    words: int

    @property
    def chunk_id(self) -> str:
        return self.evidence.hit.chunk.id


@dataclass(frozen=True, slots=True)
class _Rated:
    line: _Line
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
    the nearest lines by words with what is asked; it is called once, at most.
    """
    sources = [_read_lines(item) for item in evidence]
    rated = _rate_lines(asked, [line for lines in sources for line in lines], read)
    chosen: list[Excerpt] = []
    prints: list[Fingerprint] = []
    used: Counter[str] = Counter()
    by_chunk = {lines[0].chunk_id: lines for lines in sources if lines}
    taken: set[tuple[str, int]] = set()
    waiting = {(one.line.chunk_id, one.line.number): one for one in rated}
    while waiting and len(chosen) < limit:
        key, best = max(
            waiting.items(), key=lambda pair: pair[1].score + WEIGHTS["again"] * used[pair[0][0]]
        )
        del waiting[key]
        if key in taken or _is_shown(best.line, chosen):
            continue
        lines = _expand(best.line, by_chunk[key[0]], taken, max_words)
        opener = _find_opener(lines[0], by_chunk[key[0]])
        excerpt = _build_excerpt(lines, best, opener)
        own = compute_fingerprint(" ".join(line.text for line in excerpt.lines))
        same = next((n for n, other in enumerate(prints) if _is_same(own, other)), None)
        taken.update((line.chunk_id, line.number) for line in lines)
        used[key[0]] += 1
        if same is None:
            chosen.append(excerpt)
            prints.append(own)
        else:
            chosen[same] = _join_same(chosen[same], excerpt)
    return tuple(chosen)


def _read_lines(evidence: Evidence) -> tuple[_Line, ...]:
    return tuple(_find_lines(evidence))


def _find_lines(evidence: Evidence) -> Iterator[_Line]:
    """What may be shown of a piece of evidence: no headings, contents, page furniture or markup."""
    chunk, source = evidence.hit.chunk, evidence.hit.source
    title = frozenset(re.findall(r"\w+", fold(source.title)))
    for number, passage in enumerate(find_lines_and_passages(chunk)):
        if passage.kind in {"heading", "contents"}:
            continue
        cells = tuple(label_cells(passage, chunk)) if passage.kind == "table" else ()
        if passage.kind == "table" and passage.labels and not cells:
            continue
        text = _render_cells(cells) if cells else strip_marks(passage.text, source.type)
        words = re.findall(r"\w+", fold(text))
        if not words or is_contents_line(text) or is_furniture(text):
            continue
        if title.issuperset(words) and passage.kind == "paragraph":
            continue  # The title, repeated as a running header or on a cover.
        headings = passage.place.heading_path or chunk.heading_path
        yield _Line(evidence, number, passage, text, cells, headings, len(text.split()))


def _render_cells(cells: Sequence[tuple[str, str]]) -> str:
    """``Supply voltage; Min: 3.0 V; Max: 3.6 V``: the row's name stands without its label."""
    if len(cells) == 2 and not cells[1][0]:
        return f"{cells[0][1]}: {cells[1][1]}"
    first, *rest = cells
    name = first[1] if rest else ": ".join(part for part in first if part)
    said = [f"{label}: {cell}" if label else cell for label, cell in rest]
    return "; ".join(part for part in (name, *said) if part)


def _rate_lines(asked: str, lines: Sequence[_Line], read: ReadTogether | None) -> list[_Rated]:
    """The lines with their nearness, the nearest first; with ``read`` only those that were read."""
    if not lines:
        return []
    signs = _list_signs(asked, lines)
    rated = _sort(lines, signs)
    if read is None:
        return rated
    near = [one.line for one in rated[:MAX_READ]]
    matches = read([_list_parts(line) for line in near])
    by_line = {id(line): own for line, own in zip(lines, signs, strict=True)}
    both = [
        {**by_line[id(line)], "reading": match} for line, match in zip(near, matches, strict=True)
    ]
    return _sort(near, both)


def _sort(lines: Sequence[_Line], signs: Sequence[Mapping[str, float]]) -> list[_Rated]:
    rated = [
        _Rated(line, sum(WEIGHTS[name] * value for name, value in own.items()))
        for line, own in zip(lines, signs, strict=True)
    ]
    return sorted(rated, key=lambda one: -one.score)


def _list_parts(line: _Line) -> tuple[str, str]:
    """The text under its heading, and the title and headings above it, which say of what it is."""
    text = f"{line.headings[-1]}. {line.text}" if line.headings else line.text
    above = ". ".join((line.evidence.hit.source.title, *line.headings, _get_table(line)))
    return text[:_MAX_READ_CHARS], above[:_MAX_ABOVE_CHARS]


def _get_table(line: _Line) -> str:
    table = line.passage.place.table
    return " ".join(part for part in (table.title, table.unit) if part) if table else ""


def _list_signs(asked: str, lines: Sequence[_Line]) -> list[dict[str, float]]:
    languages = {line.evidence.hit.chunk.language for line in lines}
    terms = analyse_query(asked, languages)
    own = [frozenset(analyse(line.text, line.evidence.hit.chunk.language)) for line in lines]
    above = [_list_terms_above(line) for line in lines]
    weights = _weigh(terms, own)
    total = sum(weights) or 1.0
    return [
        {
            "words": _measure(terms, weights, mine) / total,
            "above": _measure(terms, weights, mine | over) / total,
            "nearness": _get_nearness(line),
            "relevance": line.evidence.hit.relevance,
        }
        for line, mine, over in zip(lines, own, above, strict=True)
    ]


def _list_terms_above(line: _Line) -> frozenset[str]:
    hit = line.evidence.hit
    about = " ".join((hit.source.title, *line.headings, _get_table(line)))
    return frozenset(analyse(about, hit.chunk.language))


def _weigh(terms: Sequence[QueryTerm], texts: Sequence[frozenset[str]]) -> list[float]:
    """The rarity of each word among the lines, above 0."""
    counts = [sum(not text.isdisjoint(term.terms) for text in texts) for term in terms]
    return [math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for n in counts]


def _measure(terms: Sequence[QueryTerm], weights: Sequence[float], text: frozenset[str]) -> float:
    """The weight of the words that a text has, a part of a compound counting less."""
    found = 0.0
    for term, weight in zip(terms, weights, strict=True):
        if not text.isdisjoint(term.terms):
            found += weight
        elif find_shared_terms(term.terms, text):
            found += 0.6 * weight
    return found


def _get_nearness(line: _Line) -> float:
    """The cosine of the nearest window that the line is in; 0 without vectors."""
    start, end = line.passage.start, line.passage.end
    near = (cosine for a, b, cosine in line.evidence.hit.nearness if a < end and start < b)
    return max(near, default=0.0)


def _is_shown(line: _Line, chosen: Sequence[Excerpt]) -> bool:
    """Whether another excerpt has some of its words: neighbouring passages overlap."""
    source = line.evidence.hit.source.id
    return any(
        excerpt.evidence.hit.source.id == source
        and any(q.start < line.passage.end and line.passage.start < q.end for q in excerpt.quotes)
        for excerpt in chosen
    )


def _expand(
    nearest: _Line, lines: Sequence[_Line], taken: set[tuple[str, int]], max_words: int
) -> list[_Line]:
    """The line with its neighbours under the same heading, those of its paragraph or table first.

    Then comes what follows, then what is before.
    """
    first = lines.index(nearest)
    last = first + 1
    opener = _find_opener(nearest, lines)
    room = max_words - nearest.words - (opener.words if opener else 0)

    def fits(place: int) -> bool:
        if not 0 <= place < len(lines):
            return False
        other = lines[place]
        return (
            (other is opener or other.words <= room)
            and other.headings == nearest.headings
            and (other.chunk_id, other.number) not in taken
        )

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
            return list(lines[first:last])


def _find_opener(item: _Line, lines: Sequence[_Line]) -> _Line | None:
    """The sentence that opens the list of an item: the one before it that ends in a colon."""
    before = [one for one in lines[: lines.index(item)] if one.headings == item.headings]
    if item.passage.kind != "list_item":
        return None
    opens = next((one for one in reversed(before) if one.passage.kind != "list_item"), None)
    return opens if opens and opens.text.endswith(":") else None


def _build_excerpt(lines: Sequence[_Line], best: _Rated, opener: _Line | None) -> Excerpt:
    nearest = best.line
    shown = [_build_line(opener, context=True)] if opener else []
    shown += [_build_line(line, nearest=line is nearest) for line in lines]
    table = next((line.passage.place.table for line in lines if line.passage.place.table), None)
    title = [part for part in (table.title, table.unit) if part] if table else []
    return Excerpt(
        evidence=nearest.evidence,
        lines=tuple(shown),
        headings=nearest.headings,
        table=", ".join(dict.fromkeys(title)),
        score=min(max(best.score, 0.0), 1.0),
    )


def _build_line(line: _Line, *, nearest: bool = False, context: bool = False) -> ExcerptLine:
    quotes = list(build_quotes(line.passage, line.evidence))
    if line.passage.header:
        header = line.passage.header
        span = (header[0][0], header[-1][1])
        quotes.append(build_quote(line.evidence, span, line.passage.place))
    return ExcerptLine(
        line.text,
        join_quotes(quotes, line.evidence.hit.chunk),
        kind=line.passage.kind,
        cells=line.cells,
        context=context,
        nearest=nearest,
    )


def _is_same(one: Fingerprint, other: Fingerprint) -> bool:
    least = min(len(one.runs), len(other.runs))
    return bool(least) and len(one.runs & other.runs) >= _SAME_SHARE * least


def _join_same(first: Excerpt, second: Excerpt) -> Excerpt:
    """The one whose document is current, with the evidence of the other."""
    kept, other = first, second
    if _is_aside(first.evidence) and not _is_aside(second.evidence):
        kept, other = second, first
    same = {item.id: item for item in (*first.same, *second.same, other.evidence)}
    same.pop(kept.evidence.id, None)
    return replace(kept, score=first.score, same=tuple(same.values()))


def _is_aside(evidence: Evidence) -> bool:
    """Whether a later revision of its document comes first, or its folder is "archive" or the like."""
    return evidence.hit.fit.reason is not None or is_set_aside(evidence.hit.source.path)
