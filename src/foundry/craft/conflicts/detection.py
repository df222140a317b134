"""Detection of conflicts in evidence: which lines and rows to compare, each conflict once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import shorten

from foundry.craft.comparison import Difference, compare_lines
from foundry.craft.comparison.sentences import ConceptReader
from foundry.craft.conflicts.facts import (
    MIN_SHARED_MEASURES,
    FactLine,
    compare_facts,
    compare_rows,
    extract_facts,
    is_below_same_heading,
)
from foundry.craft.conflicts.resolution import (
    find_preferred_revisions,
    is_about_same,
    mark_superseded,
)
from foundry.messages import Message
from foundry.records import Conflict, ConflictSide, Evidence, Quote
from foundry.text.glossary import EMPTY_GLOSSARY, Glossary
from foundry.text.lines import parse_evidence, refers_back
from foundry.text.passages import Passage, build_quotes, find_passages

_MIN_SHARED = 0.5
"""Two lines are compared if they share this much of the shorter one's terms. With less the labelled pairs
keep all figures and a folder takes three times as long; with 0.7, 10 of 91 conflicts are lost."""

_MAX_CANDIDATES = 12
"""Partners tried for a line, those with most shared terms first, which bounds the time."""

_MAX_LINE_CHARS = 1200
"""Longer than any sentence: text that a reader could not split."""

_MAX_SUBJECT_CHARS = 90


def find_conflicts(
    evidence: Sequence[Evidence],
    glossary: Glossary = EMPTY_GLOSSARY,
    quotes: Sequence[Quote] | None = None,
) -> tuple[Conflict, ...]:
    """The contradictions between passages of different sources, in the order of the evidence.

    ``glossary`` lists words that mean the same. ``quotes`` limits them to those with passages that
    are quoted, in less time. Conflicts between two revisions of a document are
    marked ``superseded``; an older revision beside a later one has no others, as that one is what
    other documents agree with. A conflict that copies repeat is given once. Takes about 0.1 s for 15
    chunks.
    """
    sources = {item.hit.source.path: item.hit.source for item in evidence}
    if len(sources) < 2:
        return ()
    chosen = [None] * len(evidence) if quotes is None else _choose(evidence, glossary, quotes)
    lines = [
        line
        for item, numbers in zip(evidence, chosen, strict=True)
        for line in extract_facts(parse_evidence(item, numbers), glossary)
    ]
    conflicts: dict[tuple[str, ...], Conflict] = {}
    for ours, theirs, about_same in _pair_lines(lines, quotes):
        difference = _compare_pair(ours, theirs, about_same)
        if difference is not None:
            conflict = _build_conflict(ours, theirs, difference)
            conflicts.setdefault(_get_quote_key(conflict), conflict)
    marked = [mark_superseded(conflict, sources) for conflict in conflicts.values()]
    older = find_preferred_revisions("", sources.values())
    old = {path for path, source in sources.items() if source.id in older}
    return tuple(one for one in marked if one.superseded or not old & {one.a.source, one.b.source})


def _choose(
    evidence: Sequence[Evidence], glossary: Glossary, quotes: Sequence[Quote]
) -> list[frozenset[int]]:
    """The passages of each evidence that are quoted, and those that share a concept with them."""
    concepts: set[str] = set()
    rest: list[tuple[int, int, frozenset[str]]] = []
    chosen: list[set[int]] = [set() for _ in evidence]
    for index, item in enumerate(evidence):
        before = ""
        for number, passage in enumerate(find_passages(item.hit.chunk)):
            if passage.kind == "heading":
                continue
            words = _read_words(passage)
            text = f"{before} {words}" if refers_back(words) else words
            before = words
            own = ConceptReader(item.hit.chunk.language, glossary).read(text)
            if _is_quoted(item.id, passage, quotes):
                chosen[index].add(number)
                concepts |= own
            else:
                rest.append((index, number, own))
    for index, number, own in rest:
        if not own.isdisjoint(concepts):
            chosen[index].add(number)
    return [frozenset(numbers) for numbers in chosen]


def _read_words(passage: Passage) -> str:
    """What a passage says, with the labels of its cells or its speaker."""
    if passage.cells:
        return " ; ".join(f"{label} {cell}" for label, cell in passage.columns)
    return f"{passage.place.speaker or ''} {passage.text}"


def _is_quoted(evidence_id: str, passage: Passage, quotes: Sequence[Quote]) -> bool:
    return any(
        quote.evidence_id == evidence_id and quote.start < passage.end and passage.start < quote.end
        for quote in quotes
    )


def find_contradiction(
    evidence: Sequence[Evidence], quotes: Sequence[Quote], glossary: Glossary = EMPTY_GLOSSARY
) -> Conflict | None:
    """The first contradiction between two quotes, each of its own ``evidence``; None without.

    Only their words are compared, as if nothing else were known of their documents.
    """
    sides = [
        _cut(item, quote, name) for item, quote, name in zip(evidence, quotes, "ab", strict=True)
    ]
    return next(iter(find_conflicts(sides, glossary)), None)


def _cut(evidence: Evidence, quote: Quote, name: str) -> Evidence:
    """The quoted words as evidence from a source called ``name``."""
    chunk, source = evidence.hit.chunk, evidence.hit.source
    start, end = quote.start, quote.end
    blocks = tuple(
        replace(block, start=max(block.start, start), end=min(block.end, end), heading_path=())
        for block in chunk.blocks
        if block.start < end and start < block.end
    )
    said = replace(
        chunk, id=f"chk_{name}", start=start, end=end, text=quote.text, content=quote.text,
        heading_path=(), headings=(), blocks=blocks,
    )  # fmt: skip
    unknown = replace(
        source, id=f"src_{name}", path=name, title="", revision=None, revision_date=None, names=()
    )
    return replace(evidence, id=name, hit=replace(evidence.hit, chunk=said, source=unknown))


def merge_conflicts(rules: Sequence[Conflict], scanned: Sequence[Conflict]) -> tuple[Conflict, ...]:
    """The conflicts found by rule, then those of a model at other places."""
    kept = list(rules)
    for conflict in scanned:
        if not any(_is_same_place(conflict, other) for other in kept):
            kept.append(conflict)
    return tuple(kept)


def _is_same_place(one: Conflict, other: Conflict) -> bool:
    straight = _has_overlap(one.a, other.a) and _has_overlap(one.b, other.b)
    return straight or (_has_overlap(one.a, other.b) and _has_overlap(one.b, other.a))


def _has_overlap(one: ConflictSide, other: ConflictSide) -> bool:
    if one.source != other.source:
        return " ".join(one.quote.text.split()) == " ".join(other.quote.text.split())
    return one.quote.start < other.quote.end and other.quote.start < one.quote.end


def _pair_lines(
    lines: Sequence[FactLine], quotes: Sequence[Quote] | None
) -> Iterator[tuple[FactLine, FactLine, bool]]:
    """Lines that share most of their words, each pair once, and whether their sources are about one thing.

    If nothing printed says so, both lines name their subject. With ``quotes``, one is quoted.
    """
    said = _StatedLines(lines)
    by_term: dict[str, list[int]] = defaultdict(list)
    quoted = [quotes is None or _is_quoted_line(line, quotes) for line in lines]
    for number, line in enumerate(lines):
        shared: Counter[int] = Counter()
        for term in line.terms:
            shared.update(by_term[term])
            by_term[term].append(number)
        near = [
            (count, -other)
            for other, count in shared.items()
            if (quoted[number] or quoted[other]) and _is_comparable(count, line, lines[other])
        ]
        tried = 0
        for _, other in sorted(near, reverse=True):
            ours = lines[-other]
            same = is_about_same(ours.source, line.source)
            named = same is None and not ours.named.isdisjoint(line.named)
            if (same or named) and not said.are_both_true(ours, line):
                yield ours, line, bool(same)
                tried += 1
            if tried == _MAX_CANDIDATES:
                break


class _StatedLines:
    """What each source states, by which a line is no rival of another that its source has too."""

    def __init__(self, lines: Sequence[FactLine]) -> None:
        self._texts = {(line.source.id, line.line.folded) for line in lines}
        rows = {(_get_row_key(line), line.line.folded) for line in lines if line.is_row}
        self._rows = Counter(key for key, _ in rows)

    def are_both_true(self, one: FactLine, other: FactLine) -> bool:
        """Whether one source has both lines, or one of them is among several rows of one name."""
        known = self._texts
        shared = {(one.source.id, other.line.folded), (other.source.id, one.line.folded)}
        return bool(known & shared) or any(
            self._rows[_get_row_key(line)] > 1 for line in (one, other) if line.is_row
        )


def _get_row_key(row: FactLine) -> tuple[object, ...]:
    """What names a row within a source: its heading, its subject and the labels of its cells."""
    return row.source.id, row.heading, row.subject, frozenset(cell.label for cell in row.cells)


def _is_quoted_line(line: FactLine, quotes: Sequence[Quote]) -> bool:
    passage = line.line.passage
    return passage is not None and _is_quoted(line.material.evidence.id, passage, quotes)


def _is_comparable(count: int, one: FactLine, other: FactLine) -> bool:
    if one.source.id == other.source.id or one.line.folded == other.line.folded:
        return False
    alike = len(one.measures & other.measures) >= MIN_SHARED_MEASURES
    return alike or count >= _MIN_SHARED * min(len(one.terms), len(other.terms))


def _compare_pair(ours: FactLine, theirs: FactLine, about_same: bool) -> Difference | None:
    """What two lines state differently; labels and rows say it only of the thing of their source."""
    if ours.is_row and theirs.is_row:
        return compare_rows(ours, theirs) if about_same else None
    difference = None
    if not ours.is_row and not theirs.is_row and ours.material.language == theirs.material.language:
        if "?" in (ours.line.text[-1:], theirs.line.text[-1:]):
            return None
        if max(len(ours.line.text), len(theirs.line.text)) > _MAX_LINE_CHARS:
            return None
        difference = compare_lines(ours.line, theirs.line, ours.material.language)
        # Under another heading, short lines mean another thing.
        if len(ours.terms & theirs.terms) < 3 and not is_below_same_heading(ours, theirs):
            difference = None
    return difference or (compare_facts(ours, theirs) if about_same else None)


def _build_conflict(ours: FactLine, theirs: FactLine, difference: Difference) -> Conflict:
    a, b = _build_side(ours), _build_side(theirs)
    reason = difference.reason
    if not difference.about:
        words = shorten(" ".join(a.quote.text.split()), _MAX_SUBJECT_CHARS, placeholder="…")
        reason = Message("conflict-values-in", values=reason, words=words)
    return Conflict(difference.kind, a, b, (difference.ours, difference.theirs), reason)


def _build_side(line: FactLine) -> ConflictSide:
    evidence, passage = line.material.evidence, line.line.passage
    assert passage is not None
    return build_side(evidence, build_quotes(passage, evidence)[0])


def build_side(evidence: Evidence, quote: Quote) -> ConflictSide:
    """A quote of a piece of evidence as one side of a conflict."""
    source = evidence.hit.source
    return ConflictSide(
        evidence.hit.chunk.id,
        source.path,
        quote,
        source.revision,
        source.revision_date,
        source.status,
    )


def _get_quote_key(conflict: Conflict) -> tuple[str, ...]:
    texts = sorted(
        " ".join(side.quote.text.split()).casefold() for side in (conflict.a, conflict.b)
    )
    return tuple(texts)
