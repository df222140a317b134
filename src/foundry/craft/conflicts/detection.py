"""Detection of conflicts in evidence: which lines and rows to compare, each conflict once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from textwrap import shorten

from foundry.analysis import detect_query_language, fold
from foundry.craft.conflicts.amounts import is_consistent
from foundry.craft.conflicts.concepts import THINGS
from foundry.craft.conflicts.facts import (
    MIN_SHARED_MEASURES,
    Fact,
    FactLine,
    RowCell,
    extract_facts,
)
from foundry.craft.conflicts.line_comparison import (
    Discrepancy,
    compare_lines,
    join_discrepancies,
)
from foundry.craft.conflicts.resolution import mark_superseded
from foundry.messages import Message
from foundry.records import (
    Block,
    Chunk,
    Conflict,
    ConflictSide,
    Evidence,
    Focus,
    Hit,
    Quote,
    Source,
)
from foundry.text.glossary import EMPTY_GLOSSARY, Glossary
from foundry.text.lines import parse_evidence, parse_line
from foundry.text.passages import build_quotes

_CODE = re.compile(r"(?!(?:V|REV|HW|FW|SW|SB|TR)-?\d)(?=[A-Z])[A-Z]{1,6}-?[A-Z]{0,4}\d[A-Z0-9-]*$")


_MIN_SHARED = 0.5
"""Two lines are compared if they share this much of the shorter one's terms. A guess: half."""

_MAX_CANDIDATES = 12
"""Partners tried for a line, those with most shared terms first, which bounds the time."""

_MIN_SHARED_TERMS = 2
"""Terms that two lines of one language must share before their measures are compared."""

_MAX_SHORT_WORDS = 3
"""Cells of more words are prose, where other words need not mean another value."""

_MAX_LINE_CHARS = 1200
"""Longer than any sentence: text that a reader could not split."""

_MAX_SUBJECT_CHARS = 90
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def compare_facts(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """An amount in one line against another amount of the same thing, role and conditions."""
    if any(
        is_consistent(one.amount, two.amount)
        for one in ours.facts
        for two in theirs.facts
        if one.amount.dimension and one.role == two.role
    ):
        # A line that also has the other's value covers several cases.
        return _compare_profiles(ours, theirs)
    for one in ours.facts:
        for two in theirs.facts:
            if _is_same_fact(one, two, ours, theirs) and not is_consistent(one.amount, two.amount):
                return Discrepancy(
                    "number", one.amount.text, two.amount.text, one.about or two.about
                )
    return _compare_profiles(ours, theirs)


def _compare_profiles(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """One measure that differs where two others agree: "5 x 20 mm, T 1 A, 250 V".

    This recognises a part in another language, where few words match.
    """
    codes = [{name.key for name in line.line.names if name.identifier} for line in (ours, theirs)]
    shared = (ours.terms & theirs.terms) - THINGS
    if not shared or (codes[0] and codes[1] and not codes[0] & codes[1]):
        return None
    if ours.material.language == theirs.material.language and len(shared) < _MIN_SHARED_TERMS:
        return None
    for mine in ours.profiles:
        for yours in theirs.profiles:
            apart = [
                (a, b)
                for (_, a), (_, b) in zip(mine, yours, strict=False)
                if not is_consistent(a, b)
            ]
            if [key for key, _ in mine] == [key for key, _ in yours] and len(apart) == 1:
                return Discrepancy("number", apart[0][0].text, apart[0][1].text)
    return None


def _is_same_fact(one: Fact, two: Fact, ours: FactLine, theirs: FactLine) -> bool:
    if one.amount.dimension != two.amount.dimension or one.role != two.role:
        return False
    if one.conditions != two.conditions:
        return False
    pairs = [(a, b) for a in one.names for b in two.names]
    return any(
        _has_no_other_subject(a, b, ours, theirs)
        and _is_specific_enough((a & b) - THINGS, one, two, ours, theirs)
        for a, b in pairs
    )


def _has_no_other_subject(
    a: frozenset[str], b: frozenset[str], ours: FactLine, theirs: FactLine
) -> bool:
    """Whether each word that only one of them has is in the title or headings of the other."""
    mine, yours = (line.material.context.terms for line in (ours, theirs))
    return not ((a - b) - THINGS - yours) and not ((b - a) - THINGS - mine)


def _is_specific_enough(
    shared: frozenset[str], one: Fact, two: Fact, ours: FactLine, theirs: FactLine
) -> bool:
    """Whether shared terms identify a thing: two words, a code, or a label under like headings."""
    if len(shared) >= 2:
        return True
    coded = any(re.search(r"\d|^v[a-z]{2}$", term) for term in shared)
    if not one.amount.dimension and not (one.labelled and two.labelled):
        return False
    labelled = one.labelled or two.labelled
    return bool(shared) and (coded or (labelled and _has_shared_heading(ours, theirs)))


def _has_shared_heading(ours: FactLine, theirs: FactLine) -> bool:
    return not ours.heading or not theirs.heading or bool(ours.heading & theirs.heading)


def compare_rows(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    """Rows of one name: compare the columns that both have, otherwise their amounts by role."""
    if not ours.subject or ours.subject != theirs.subject or not _is_same_row(ours, theirs):
        return compare_facts(ours, theirs)
    alike = ours.material.language == theirs.material.language
    language = ours.material.language if alike else ""
    discrepancies = [
        difference
        for cell, other in _pair_columns(ours.cells, theirs.cells)
        if (difference := _compare_cells(cell, other, language)) is not None
    ]
    if not discrepancies:
        return None if _has_same_labels(ours, theirs) else compare_facts(ours, theirs)
    return join_discrepancies(discrepancies, _read_subject(ours))


def _read_subject(row: FactLine) -> str:
    if row.line.passage is None or not row.line.passage.cells:
        return ""
    chunk = row.material.evidence.hit.chunk
    start, end = row.line.passage.cells[0]
    return chunk.text[start - chunk.start : end - chunk.start]


def _is_same_row(ours: FactLine, theirs: FactLine) -> bool:
    return len(ours.subject) >= 2 or _has_shared_heading(ours, theirs)


def _has_same_labels(ours: FactLine, theirs: FactLine) -> bool:
    return {cell.label for cell in ours.cells} == {cell.label for cell in theirs.cells}


def _pair_columns(
    ours: Iterable[RowCell], theirs: Iterable[RowCell]
) -> list[tuple[RowCell, RowCell]]:
    others = {cell.label: cell for cell in theirs}
    return [(cell, others[cell.label]) for cell in ours if cell.label in others]


def _compare_cells(cell: RowCell, other: RowCell, language: str) -> Discrepancy | None:
    if fold(cell.words) == fold(other.words) or cell.free or other.free:
        return None
    if cell.amounts or other.amounts:
        return _compare_amounts(cell, other)
    if not language or not _is_short(cell) or not _is_short(other):
        return None
    ours, theirs = (parse_line(part.words, language) for part in (cell, other))
    discrepancy = compare_lines(ours, theirs, language, (0, 0))
    if discrepancy is not None or cell.terms & other.terms or not (cell.terms and other.terms):
        return discrepancy
    return Discrepancy("name", cell.words, other.words)


def _is_short(cell: RowCell) -> bool:
    return len(cell.words.split()) <= _MAX_SHORT_WORDS


def _compare_amounts(cell: RowCell, other: RowCell) -> Discrepancy | None:
    if len(cell.amounts) != len(other.amounts) or cell.terms != other.terms:
        return None
    pairs = list(zip(cell.amounts, other.amounts, strict=True))
    if all(is_consistent(one, two) for one, two in pairs):
        return None
    if all(one.dimension == two.dimension for one, two in pairs):
        return Discrepancy("number", cell.shown, other.shown)
    same = all(one.bare & two.bare and one.dimension and two.dimension for one, two in pairs)
    return Discrepancy("unit", cell.shown, other.shown) if same else None


def find_conflicts(
    evidence: Sequence[Evidence], glossary: Glossary = EMPTY_GLOSSARY
) -> tuple[Conflict, ...]:
    """The contradictions between passages of different sources, in the order of the evidence.

    ``glossary`` lists words that mean the same. Conflicts between two revisions of a document are
    marked ``superseded``. A conflict that copies repeat is given once. Takes about 0.1 s for 15
    chunks.
    """
    if len({item.hit.source.id for item in evidence}) < 2:
        return ()
    lines = [line for item in evidence for line in extract_facts(parse_evidence(item), glossary)]
    conflicts: dict[tuple[str, ...], Conflict] = {}
    for ours, theirs in _pair_lines(lines):
        discrepancy = _compare_pair(ours, theirs)
        if discrepancy is not None:
            conflict = _build_conflict(ours, theirs, discrepancy)
            conflicts.setdefault(_get_quote_key(conflict), conflict)
    return tuple(
        mark_superseded(
            conflicts.values(), {item.hit.source.path: item.hit.source for item in evidence}
        )
    )


def find_contradiction(a: str, b: str, glossary: Glossary = EMPTY_GLOSSARY) -> Conflict | None:
    """The first contradiction between two plain texts, whose sides are "a" and "b"; None without.

    Lines with bars are read as rows of a table, the first as its header.
    """
    language = detect_query_language(f"{a}\n{b}")
    sides = [
        build_plain_evidence(text, f"S{number}", name, _detect_side_language(text, language))
        for number, (text, name) in enumerate(((a, "a"), (b, "b")), 1)
    ]
    return next(iter(find_conflicts(sides, glossary)), None)


def _detect_side_language(text: str, both: str) -> str:
    own = detect_query_language(text)
    return own if own in ("nl", "en") else both


def build_plain_evidence(text: str, id: str, name: str, language: str) -> Evidence:  # noqa: A002
    """A plain text as evidence: each line a paragraph, or a table row if it has bars."""
    blocks: list[Block] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        words = line.strip()
        start = offset + len(line) - len(line.lstrip())
        kind = "table" if "|" in words else "paragraph"
        if words and kind == "table" and blocks and blocks[-1].kind == "table":
            blocks[-1] = replace(blocks[-1], end=start + len(words))
        elif words:
            blocks.append(
                Block("table" if kind == "table" else "paragraph", start, start + len(words))
            )
        offset += len(line)
    chunk = Chunk(
        id=f"chk_{name}", source_id=f"src_{name}", position=0, start=0, end=len(text), text=text,
        content=text, tokens=0, language=language, blocks=tuple(blocks),
    )  # fmt: skip
    source = Source(
        id=f"src_{name}", path=name, content_hash=name, title="", type="txt", language=language,
        size=len(text), modified=_NEVER, ingested=_NEVER,
    )  # fmt: skip
    return Evidence(id, Hit(chunk, source, Focus(0, len(text)), 1.0, 1.0))


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


def _pair_lines(lines: Sequence[FactLine]) -> Iterator[tuple[FactLine, FactLine]]:
    """Lines of different sources that share most of their rarer words, each pair once."""
    by_term: dict[str, list[int]] = defaultdict(list)
    codes = {line.source.id: find_product_codes(line.source) for line in lines}
    for number, line in enumerate(lines):
        shared: Counter[int] = Counter()
        for term in line.terms:
            shared.update(by_term[term])
            by_term[term].append(number)
        near = [
            (count, -other)
            for other, count in shared.items()
            if _is_comparable(count, line, lines[other], codes)
        ]
        for _, other in sorted(near, reverse=True)[:_MAX_CANDIDATES]:
            yield lines[-other], line


def _is_comparable(
    count: int, one: FactLine, other: FactLine, codes: dict[str, frozenset[str]]
) -> bool:
    if one.source.id == other.source.id or one.line.folded == other.line.folded:
        return False
    mine, yours = codes[one.source.id], codes[other.source.id]
    if mine and yours and not mine & yours:
        return False
    if (
        one.profiles
        and other.profiles
        and len(one.measures & other.measures) >= MIN_SHARED_MEASURES
    ):
        return True
    return count >= _MIN_SHARED * min(len(one.terms), len(other.terms))


def _compare_pair(ours: FactLine, theirs: FactLine) -> Discrepancy | None:
    if ours.limits != theirs.limits:
        return None
    if ours.cells and theirs.cells:
        return compare_rows(ours, theirs)
    difference = None
    if not ours.cells and not theirs.cells and ours.material.language == theirs.material.language:
        if "?" in (ours.line.text[-1:], theirs.line.text[-1:]):
            return None
        if max(len(ours.line.text), len(theirs.line.text)) > _MAX_LINE_CHARS:
            return None
        difference = compare_lines(ours.line, theirs.line, ours.material.language)
        if difference is not None and not _has_same_subject(ours, theirs):
            difference = None
    return difference or compare_facts(ours, theirs)


def _has_same_subject(ours: FactLine, theirs: FactLine) -> bool:
    """Whether short lines have a heading in common: under another, they mean another thing."""
    if len(ours.terms & theirs.terms) >= 3 or not ours.heading or not theirs.heading:
        return True
    return bool(ours.heading & theirs.heading)


def _build_conflict(ours: FactLine, theirs: FactLine, difference: Discrepancy) -> Conflict:
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
        evidence.hit.chunk.id, source.path, quote, source.revision, source.revision_date
    )


def _get_quote_key(conflict: Conflict) -> tuple[str, ...]:
    texts = sorted(
        " ".join(side.quote.text.split()).casefold() for side in (conflict.a, conflict.b)
    )
    return tuple(texts)


def find_product_codes(source: Source) -> frozenset[str]:
    """Product codes in a source's title and file name, without revisions and dates."""
    parts = re.split(r"[\s_,;:()/\\.]+", f"{source.title} {source.path.rsplit('/', 1)[-1]}")
    codes = (part.strip("-") for part in parts)
    return frozenset(code for code in codes if _CODE.match(code) and not re.search(r"20\d\d", code))
