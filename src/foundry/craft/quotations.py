"""The parts of sources that a document without a model quotes, whole and as they are.

A part is what an author put together: the text below one heading if it is short, else a paragraph, a
list with the sentence that opens it, or the rows of a table. For each thing that is asked the part is
taken that the built-in model reads as the nearest; of nearly equal ones that of the better source.
Nothing is written, so what is asked and not found is said instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from foundry.analysis import analyse, analyse_query, fold
from foundry.analysis.lexer import strip_number
from foundry.analysis.near_duplicates import Fingerprint, compute_fingerprint, is_repeat
from foundry.craft.conflicts.resolution import SourceOrder, SourceRank
from foundry.craft.excerpts import (
    MAX_ABOVE_CHARS,
    MAX_READ,
    MAX_READ_CHARS,
    MAX_WORDS,
    Line,
    build_line,
    list_terms_above,
    measure_words,
    read_lines,
    weigh_words,
)
from foundry.craft.forms import has_form, is_beside, select_lines
from foundry.craft.outline import AskedItem
from foundry.records import (
    Chunk,
    Evidence,
    Excerpt,
    ExcerptLine,
    Hit,
    QueryTerm,
    Quote,
    SectionForm,
)
from foundry.text.headings import MAX_LABEL, find_label
from foundry.text.passages import find_lines_and_passages

ReadTogether = Callable[[str, Sequence[Sequence[str]]], Sequence[float]]
"""How well the texts of each entry, read together, have something for each part of what is asked."""

MOST_NEAREST = 3
"""Parts of a section in which nothing is named as it is asked: as many as an answer shows."""

MAX_ROWS = 20
"""Of a table: of a longer one the nearest rows are quoted, in their order."""

NEARLY_EQUAL = 0.04
"""Parts whose nearness (0-1) differs by less are equal, so that the better source decides. A guess."""

NEAR_TOPIC = 0.1
"""How much less near a part may be where the topic itself is what is asked. A guess."""

LEAST_NEAR = 0.4
"""Below it nothing comes near. Of 31 things that the agent "blueprint" asks of the example, the nearest
part was about another thing for the 9 that scored .30 to .37, and on the subject for 17 of the 22 others;
none lay between."""

_NAMED = 0.7
"""What a heading or label that names the line of an agent adds to a part. A guess. For the lines of a
specification it cost 3 of 26 expected passages in two folders, and gained none."""

READS_ALIKE = 0.6
"""From here on the built-in model reads a heading as a name of a line of an agent, and a part as about the
topic. A guess: of the 391 headings of a folder read with 15 lines, those that name the line score .6 and
more ("goals": "Design Goals" .80), but "Objectives" .59; of the others few do ("schedule":
"Characterization Test Plan" .70). Parts about "Pinch valve" score .64 and more, those about other valves
.57 and less."""

_LEAST_WORDS = 4
"""Of a part without cells: fewer are a label that its reader took for text. A guess."""

_SAME_SHARE = 0.6
"""Share of the runs of words of the shorter of two parts from which they say the same. A guess."""

_WEIGHTS = {"words": 1.0, "above": 0.5, "reading": 2.0, "nearness": 1.0, "relevance": 0.3}
"""What each sign of a part counts: not fitted, as no set of documents says what belongs in them."""

_MOST = sum(_WEIGHTS.values())


@dataclass(frozen=True, slots=True)
class _Part:
    """``own`` are the terms of its lines and its heading, ``above`` also those of its title and headings.

    ``names`` are its headings, the deepest first, and the labels in it; of one without headings
    its own text.
    """

    lines: tuple[Line, ...]
    words: Fingerprint
    own: frozenset[str]
    above: frozenset[str]
    names: tuple[str, ...]
    rank: SourceRank

    @property
    def source_id(self) -> str:
        return self.lines[0].evidence.hit.source.id

    @property
    def chunk_ids(self) -> frozenset[str]:
        return frozenset(line.chunk.id for line in self.lines)

    @property
    def span(self) -> tuple[int, int]:
        return self.lines[0].passage.start, self.lines[-1].passage.end


@dataclass(frozen=True, slots=True)
class Quotation:
    """What a section quotes; ``named`` is false if nothing is named as it is asked.

    It is empty then, or only comes nearest.
    """

    excerpts: tuple[Excerpt, ...]
    named: bool = True


@dataclass(slots=True)
class Quoter:
    """Chooses the parts of all sections of a document.

    What answers two sections is in both, so that each can be read alone; what is only near is in one.

    ``order`` says which source is the better one. With ``narrow`` only what is about the topic is
    quoted.
    """

    read: ReadTogether
    order: SourceOrder
    topic: str
    narrow: bool = False
    used: list[_Part] = field(default_factory=list)

    def quote(
        self,
        title: str,
        asked: Sequence[AskedItem],
        evidence: Sequence[Evidence],
        most: int,
        *,
        wide: bool = False,
        rivals: Sequence[tuple[Quote, Quote]] = (),
        form: SectionForm | None = None,
    ) -> Quotation:
        """At most ``most`` lines of the evidence, by source and in reading order.

        For each thing asked its nearest part, then those that are hardly less near; more of these if it
        is the topic itself, or with ``wide``. For the line of an agent all that are named like it.
        ``rivals`` are pairs of contradicting quotes, of which the second was decided to prevail: it is
        shown instead of the first, and beside it where that is a step of a list. Of what is near, parts
        of the ``form`` are taken where there are any.
        """
        parts = list(self._find_parts(evidence))
        ranked = [_prefer(form, self._rate(title, one, parts), parts) for one in asked]
        chosen: dict[int, float] = {}
        for order in sorted(filter(None, ranked), key=lambda order: -order[0][1]):
            self._take(order, chosen, parts, most)
        for one, order in zip(asked, ranked, strict=True):
            whole = wide or fold(one.said) == fold(self.topic)
            near = 1.0 if one.is_name else NEAR_TOPIC if whole else NEARLY_EQUAL
            for number, score in (pair for pair in order if pair[1] >= order[0][1] - near):
                if not any(_repeats(parts[number], other) for other in self.used):
                    self._take([(number, score)], chosen, parts, most)
        named = bool(chosen) or not any(one.is_name for one in asked)
        overruled = list(_add_prevailing(rivals, chosen, parts))
        self.used += [parts[number] for number in chosen]
        queries = [query for one in asked for query in one.queries]
        shown = ((_drop_overruled(parts[number], overruled), s) for number, s in chosen.items())
        excerpts = [
            self._build(select_lines(form, lines), score, queries)
            for lines, score in shown
            if lines
        ]
        return Quotation(tuple(_sort_for_reading(excerpts)), named)

    def quote_nearest(
        self,
        title: str,
        asked: Sequence[AskedItem],
        evidence: Sequence[Evidence],
        form: SectionForm | None = None,
    ) -> Quotation:
        """The parts nearest to lines of an agent that nothing is named like, for a reader to judge.

        Without those that are quoted already: quote all other sections first.
        """
        parts = list(self._find_parts(evidence))
        fresh = {
            number
            for number, part in enumerate(parts)
            if not any(_repeats(part, other) for other in self.used)
        }
        best: dict[int, float] = {}
        for one in asked:
            rated = self._rate(title, replace(one, is_name=False), parts)
            near = [pair for pair in rated if pair[0] in fresh]
            for number, score in _prefer(form, near, parts)[:1]:
                best[number] = max(best.get(number, 0.0), score)
        chosen = sorted(best.items(), key=lambda pair: -pair[1])[:MOST_NEAREST]
        self.used += [parts[number] for number, _ in chosen]
        queries = [query for one in asked for query in one.queries]
        excerpts = [
            self._build(select_lines(form, parts[number].lines), score, queries)
            for number, score in chosen
        ]
        return Quotation(tuple(_sort_for_reading(excerpts)), named=False)

    def _find_parts(self, evidence: Sequence[Evidence]) -> Iterator[_Part]:
        for lines in _split(_join_chunks(evidence)):
            hit = lines[0].evidence.hit
            rank, language = self.order.rank(hit.source), hit.chunk.language
            text = " ".join(line.text for line in lines)
            own = frozenset(analyse(" ".join((text, *_list_headings(lines[0])[:1])), language))
            above = own | list_terms_above(lines[0])
            names = tuple(_list_names(lines))
            yield _Part(tuple(lines), compute_fingerprint(text), own, above, names, rank)

    def _rate(self, title: str, one: AskedItem, parts: Sequence[_Part]) -> list[tuple[int, float]]:
        """The parts found for one thing asked, by number, with how near they are; nearest first."""
        known = {hit.chunk.id: hit for hit in one.found}
        found = [n for n, part in enumerate(parts) if not part.chunk_ids.isdisjoint(known)]
        found = self._keep_on_topic(self._drop_superseded(found, parts), parts)
        named: dict[int, float] = {}
        if one.is_name:
            named = self._measure_named(one, parts, found)
            least = max(READS_ALIKE, max(named.values(), default=0.0) - NEAR_TOPIC)
            found = [number for number in found if named[number] >= least]
        best: dict[int, float] = {}
        for query in one.queries:
            asked = f"{title}: {query}" if title not in ("", query) else query
            for number, score in self._rate_query((query, asked), known, parts, found, named):
                best[number] = max(best.get(number, 0.0), score / _MOST)
        near = (pair for pair in best.items() if _is_near(one, parts[pair[0]], pair[1]))
        return sorted(near, key=lambda pair: -pair[1])

    def _rate_query(
        self,
        asked: tuple[str, str],
        known: Mapping[str, Hit],
        parts: Sequence[_Part],
        found: Sequence[int],
        named: Mapping[int, float],
    ) -> Iterator[tuple[int, float]]:
        """The nearest parts: by the words of the first text in them, and read with the second."""
        languages = {hit.chunk.language for hit in known.values()}
        texts = [parts[number].above for number in found]
        own, whole = (_weigh_terms(text, languages, texts) for text in asked)

        def rate(number: int) -> float:
            part = parts[number]
            hits = [known[chunk_id] for chunk_id in part.chunk_ids if chunk_id in known]
            signs = {
                "words": _measure_share(own, part.own),
                "above": _measure_share(whole, part.above),
                "nearness": max(_measure_nearness(part, hit) for hit in hits),
                "relevance": max(hit.relevance for hit in hits),
            }
            total = sum(_WEIGHTS[name] * value for name, value in signs.items())
            return total + _NAMED * named.get(number, 0.0)

        scores = {number: rate(number) for number in found}
        near = sorted(found, key=lambda number: -scores[number])[:MAX_READ]
        read = [_list_parts(parts[number].lines) for number in near]
        for number, match in zip(near, self._read(asked[1], read), strict=True):
            yield number, scores[number] + _WEIGHTS["reading"] * match

    def _read(self, asked: str, texts: Sequence[Sequence[str]]) -> Sequence[float]:
        return self.read(asked, texts) if texts else ()

    def _keep_on_topic(self, found: list[int], parts: Sequence[_Part]) -> list[int]:
        if not self.narrow:
            return found
        matches = self._read(self.topic, [_list_parts(parts[number].lines) for number in found])
        return [n for n, match in zip(found, matches, strict=True) if match >= READS_ALIKE]

    def _measure_named(
        self, one: AskedItem, parts: Sequence[_Part], found: Sequence[int]
    ) -> dict[int, float]:
        """How well a heading or label of each part names what is asked, by number; 0-1."""
        names = list(dict.fromkeys(name for number in found for name in parts[number].names))
        texts = [(name,) for name in names]
        matches = [self._read(query, texts) for query in one.queries]
        best = {name: max(scores) for name, *scores in zip(names, *matches, strict=True)}
        return {n: max((best[name] for name in parts[n].names), default=0.0) for n in found}

    def _drop_superseded(self, found: list[int], parts: Sequence[_Part]) -> list[int]:
        """Without the parts of a revision of which the newer one was found too."""
        sources = {number: parts[number].source_id for number in found}
        here = set(sources.values())
        return [n for n in found if self.order.newer.get(sources[n]) not in here]

    def _take(
        self,
        order: Sequence[tuple[int, float]],
        chosen: dict[int, float],
        parts: Sequence[_Part],
        most: int,
    ) -> None:
        """Add the nearest part, of nearly equal ones the better source's, if there is room.

        Nothing is added if that is shown already.
        """
        first = parts[order[0][0]]
        equal = [
            pair
            for pair in order
            if pair[1] >= order[0][1] - NEARLY_EQUAL or _is_same(parts[pair[0]], first)
        ]
        number, score = min(equal, key=lambda pair: (parts[pair[0]].rank, -pair[1]))
        shown = [parts[other] for other in chosen]
        size = sum(min(len(parts[other].lines), MAX_ROWS) for other in (*chosen, number))
        room = size <= most or not chosen
        if room and not any(_repeats(parts[number], other) for other in shown):
            chosen[number] = score

    def _build(self, lines: tuple[Line, ...], score: float, queries: Sequence[str]) -> Excerpt:
        if len(lines) > MAX_ROWS and all(line.cells for line in lines):
            lines = tuple(self._choose_rows(lines, queries))
        table = next((line.passage.place.table for line in lines if line.passage.place.table), None)
        title = [part for part in (table.title, table.unit) if part] if table else []
        return Excerpt(
            lines[0].evidence,
            tuple(_build_lines(lines)),
            lines[0].headings,
            ", ".join(dict.fromkeys(title)),
            min(max(score, 0.0), 1.0),
        )

    def _choose_rows(self, lines: Sequence[Line], queries: Sequence[str]) -> Sequence[Line]:
        texts = [(line.text[:MAX_READ_CHARS],) for line in lines]
        scores = [max(of) for of in zip(*(self.read(q, texts) for q in queries), strict=True)]
        best = sorted(range(len(lines)), key=lambda number: -scores[number])[:MAX_ROWS]
        return [lines[number] for number in sorted(best)]


def _prefer(
    form: SectionForm | None, near: list[tuple[int, float]], parts: Sequence[_Part]
) -> list[tuple[int, float]]:
    """The parts that are of the form, or all if none is."""
    return [pair for pair in near if has_form(parts[pair[0]].lines, form)] or near


def _build_lines(lines: Sequence[Line]) -> Iterator[ExcerptLine]:
    """The lines as they are shown; further sentences of a list item belong to it."""
    before: Line | None = None
    for line in lines:
        item = before if line.passage.kind == "list_item" else None
        same = item is not None and item.passage.place.start == line.passage.place.start
        yield replace(build_line(line), continues=same)
        before = line


def _add_prevailing(
    rivals: Sequence[tuple[Quote, Quote]], chosen: dict[int, float], parts: Sequence[_Part]
) -> Iterator[Quote]:
    """The overruled quotes that are shown; what prevails over each is added."""
    for yields, holds in rivals:
        if any(_has_quote(parts[number], yields) for number in chosen):
            other = next((n for n, part in enumerate(parts) if _has_quote(part, holds)), None)
            if other is not None:
                chosen.setdefault(other, min(chosen.values()))
                yield yields


def _has_quote(part: _Part, quote: Quote) -> bool:
    return any(_is_quoted(line, quote) for line in part.lines)


def _is_quoted(line: Line, quote: Quote) -> bool:
    start, end = line.passage.start, line.passage.end
    return line.evidence.id == quote.evidence_id and start < quote.end and quote.start < end


def _drop_overruled(part: _Part, overruled: Sequence[Quote]) -> tuple[Line, ...]:
    """The lines that hold; a step stays, as a procedure without it would be another one."""
    return tuple(
        line
        for line in part.lines
        if line.passage.kind == "list_item" or not any(_is_quoted(line, one) for one in overruled)
    )


def find_continuations(chunks: Sequence[Chunk], found: Collection[str]) -> list[Chunk]:
    """The chunks of a source, in order, in which a part begins or ends that is in those found."""
    taken = set(found)
    pairs = [(one, other) for one, other in pairwise(chunks) if _goes_on(one, other)]
    for one, other in pairs:
        taken |= {other.id} if one.id in taken else set()
    for one, other in reversed(pairs):
        taken |= {one.id} if other.id in taken else set()
    return [chunk for chunk in chunks if chunk.id in taken and chunk.id not in found]


def _goes_on(one: Chunk, other: Chunk) -> bool:
    """Whether a paragraph, list or table of one chunk goes on in the next, which may overlap it."""
    passages = find_lines_and_passages(one)
    last = passages[-1] if passages else None
    after = (p for p in find_lines_and_passages(other) if last and p.end > last.end)
    first = next(after, None)
    if last is None or first is None:
        return False
    same_list = first.kind == "list_item" and (last.kind == "list_item" or last.text.endswith(":"))
    same_path = first.place.heading_path == last.place.heading_path
    return first.place.start == last.blocks[-1].start or (same_list and same_path)


def _join_chunks(evidence: Sequence[Evidence]) -> Iterator[Line]:
    """The lines of the evidence by source and in reading order, each once: chunks overlap."""
    lines = [line for item in evidence for line in read_lines(item) if not line.passage.cut]
    end = 0
    for _, own in groupby(
        sorted(lines, key=lambda line: line.chunk.source_id), key=lambda line: line.chunk.source_id
    ):
        end = 0
        for line in sorted(own, key=lambda line: line.passage.start):
            if line.passage.start >= end:
                end = line.passage.end
                yield line


def _split(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The parts of the evidence: what is below one heading, divided where it is long."""
    stretch, before = 0, None
    numbered: list[tuple[int, Line]] = []
    for line in lines:
        stretch += before is not None and not is_beside(before.chunk, line.chunk)
        numbered.append((stretch, line))
        before = line
    for _, found in groupby(numbered, key=lambda pair: (pair[0], pair[1].headings)):
        below = [line for _, line in found]
        part: list[Line] = []
        for block in _split_blocks(below):
            size = sum(line.words for line in (*part, *block))
            if part and (size > MAX_WORDS or _is_table(part) or _is_table(block)):
                yield from _keep_whole(part)
                part = []
            part += block
        yield from _keep_whole(part)


def _keep_whole(part: list[Line]) -> Iterator[list[Line]]:
    """The part, unless it is no more than a label or opens something that is not there."""
    label = sum(line.words for line in part) < _LEAST_WORDS and not any(p.cells for p in part)
    if part and not label and not (len(part) == 1 and part[0].text.endswith(":")):
        yield part


def _is_table(lines: Sequence[Line]) -> bool:
    return lines[-1].passage.kind == "table"


def _split_blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Paragraphs, lists with the sentence that opens them, and tables."""
    block: list[Line] = []
    for line in lines:
        if block and not _continues(block[-1], line):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _continues(before: Line, line: Line) -> bool:
    if before.passage.blocks[-1].start == line.passage.place.start:
        return True
    if before.chunk.id == line.chunk.id and before.passage.run == line.passage.run:
        return True
    kind, last = line.passage.kind, before.passage.kind
    if kind == "table" or last == "table":
        return kind == last and before.passage.place.table is line.passage.place.table
    opens = before.text.endswith(":")
    return opens or (kind == "list_item" and last == "list_item")


_Weighed = tuple[tuple[QueryTerm, ...], list[float]]


def _weigh_terms(
    text: str, languages: Collection[str], among: Sequence[frozenset[str]]
) -> _Weighed:
    terms = tuple(analyse_query(text, languages))
    return terms, weigh_words(terms, among)


def _measure_share(weighed: _Weighed, terms: frozenset[str]) -> float:
    """The share of the words that a part has, by rarity; 0-1."""
    return measure_words(*weighed, terms) / (sum(weighed[1]) or 1.0)


def _measure_nearness(part: _Part, hit: Hit) -> float:
    """The cosine of what is asked and the nearest window that the part is in; 0 without vectors."""
    start, end = part.span
    return max((c for a, b, c in hit.nearness if a < end and start < b), default=0.0)


def _list_parts(lines: Sequence[Line]) -> tuple[str, str]:
    """The text under its heading, and the title and headings above it, which say of what it is."""
    first = lines[0]
    text = " ".join(line.text for line in lines)
    head = f"{first.headings[-1]}. {text}" if first.headings else text
    above = ". ".join((first.evidence.hit.source.title, *first.headings))
    return head[:MAX_READ_CHARS], above[:MAX_ABOVE_CHARS]


def _repeats(part: _Part, other: _Part) -> bool:
    """Whether a part shows what another one does: the same place, or mostly the same words."""
    if part.source_id == other.source_id:
        (a, b), (c, d) = part.span, other.span
        if a < d and c < b:
            return True
    elif _is_same(part, other):
        return True
    return is_repeat(part.words, other.words) or is_repeat(other.words, part.words)


def _list_headings(line: Line) -> list[str]:
    """Its two deepest headings, the deepest first, without the document's title."""
    title = fold(line.evidence.hit.source.title)
    near = (strip_number(heading) for heading in reversed(line.headings[-2:]))
    return [heading for heading in near if fold(heading) not in title]


def _list_names(lines: Sequence[Line]) -> Iterator[str]:
    """The headings of a part, and the labels of its rows and lines; without headings its text.

    Where the only heading is the document's title, that names it.
    """
    yield from _list_headings(lines[0]) or lines[0].headings[-1:]
    if not lines[0].headings:
        yield " ".join(line.text for line in lines)[:MAX_READ_CHARS]
    for line in lines:
        label = find_label(line.text)
        if label and not line.cells:
            yield label
        yield from (name or line.cells[0][1][:MAX_LABEL] for name, _ in line.cells)


def _is_near(one: AskedItem, part: _Part, score: float) -> bool:
    """Whether a part comes near; in a language that the item is not asked in, its words cannot count."""
    foreign = part.lines[0].chunk.language != one.question.language and len(one.queries) == 1
    possible = _MOST - _WEIGHTS["words"] - _WEIGHTS["above"] if foreign else _MOST
    return score * _MOST >= LEAST_NEAR * possible


def _is_same(part: _Part, other: _Part) -> bool:
    least = min(len(part.words.runs), len(other.words.runs))
    return bool(least) and len(part.words.runs & other.words.runs) >= _SAME_SHARE * least


def _sort_for_reading(excerpts: Sequence[Excerpt]) -> list[Excerpt]:
    """The sources by their best part; within one in reading order."""
    best: dict[str, float] = {}
    for excerpt in excerpts:
        source = excerpt.evidence.hit.source.id
        best[source] = max(best.get(source, 0.0), excerpt.score)

    def key(excerpt: Excerpt) -> tuple[float, str, int]:
        source = excerpt.evidence.hit.source.id
        return -best[source], source, excerpt.lines[0].quotes[0].start

    return sorted(excerpts, key=key)
