"""Lines with the values that they label, and what two of them label otherwise.

A labelled value is an amount whose whole name is written beside it: in a row, in a "Label: value" line,
or in a sentence that only says what the name is. Amounts within other prose have no such name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import fold
from foundry.analysis.lexer import WORD, strip_number
from foundry.craft.comparison import (
    Amount,
    Difference,
    compare_amounts,
    compare_cells,
    join_differences,
    read_amounts,
)
from foundry.craft.comparison.sentences import (
    LABELLED,
    WORDS,
    ConceptReader,
    find_predicate,
    find_role,
)
from foundry.lexicon import build_alternation
from foundry.records import Source
from foundry.text.glossary import Glossary
from foundry.text.lines import UNIT_LABELS, ParsedEvidence, ParsedLine, parse_line
from foundry.text.polarity import NEGATIONS, split_words

_SAID = re.compile(rf"(.{{1,60}}?)\s{build_alternation(WORDS.copulas)}\s", re.IGNORECASE)
# Programs and data: their values are examples more often than facts.
_PROGRAM_TEXT = re.compile(
    r"""[{}\\]|["']\s*:\s|\w\((?:\)|\s|$)|=\s*["'\[]|\b(?=\w+?_\w)\w++\s*=|https?://"""
)
_UNNAMED = WORDS.free_labels | WORDS.qualifier_labels

MIN_SHARED_MEASURES = 2
"""Values that must agree before a differing one counts as another value of the same thing. One
agreement is too often chance."""

_MAX_SHORT_WORDS = 3
"""Cells of more words are prose, where other words need not mean another value."""


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """An amount and its names, each the terms of a whole label; ``extra`` says of which variant."""

    names: tuple[frozenset[str], ...]
    amount: Amount
    role: str = ""
    extra: frozenset[str] = frozenset()
    about: str = ""


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell of a row, other than the first: the terms of its label, its words and its amounts.

    ``shown`` are the words with a unit from another column.
    """

    label: frozenset[str]
    words: str
    shown: str
    terms: frozenset[str]
    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FactLine:
    """A line of a source prepared for comparison; only table rows have ``cells`` and a ``subject``."""

    line: ParsedLine
    material: ParsedEvidence
    heading: frozenset[str]
    terms: frozenset[str] = frozenset()
    values: tuple[LabelledValue, ...] = ()
    subject: frozenset[str] = frozenset()
    cells: tuple[RowCell, ...] = ()
    profile: tuple[Amount, ...] = ()

    @property
    def source(self) -> Source:
        """The source of the line."""
        return self.material.evidence.hit.source

    @property
    def is_row(self) -> bool:
        """Whether it is a table's row."""
        return bool(self.line.columns)

    @property
    def measures(self) -> frozenset[str]:
        """Its measured values as terms, such as "250..250V"."""
        return frozenset(
            f"{max(a.first.values):g}..{max(a.last.values):g}{a.dimension}" for a in self.profile
        )

    @property
    def named(self) -> frozenset[str]:
        """The names before its predicate, folded: what it names as its subject, not as its value."""
        end = find_predicate(self.line.text)
        if end == len(self.line.text):
            return frozenset()
        names = (name for name in self.line.names if name.start < end and not name.initial)
        return frozenset(name.key for name in names)


def extract_facts(material: ParsedEvidence, glossary: Glossary) -> list[FactLine]:
    """The lines of one piece of evidence, without programs and lines that the chunk cuts off."""
    return [
        _build_fact_line(line, material, glossary)
        for line in material.lines
        if line.passage is not None and not line.passage.cut and line.passage.kind != "code"
        if not _PROGRAM_TEXT.search(line.text) and not _is_metadata(line)
    ]


def _is_metadata(line: ParsedLine) -> bool:
    """Whether a line's label is of the document or names nothing: "Version: 1.0", "Page: 4"."""
    if line.columns:
        return False
    label = LABELLED.match(line.text)
    return label is not None and _UNNAMED.issuperset(WORD.findall(fold(label[1])))


def _build_fact_line(line: ParsedLine, material: ParsedEvidence, glossary: Glossary) -> FactLine:
    reader = ConceptReader(material.language, glossary)
    path = line.passage.place.heading_path if line.passage else ()
    heading = reader.read(strip_number(path[-1]) if path else "")
    prepared = FactLine(line, material, heading)
    if line.passage is not None and line.passage.cells:
        columns = line.passage.columns
        # A single cell heads other rows.
        return _read_row(prepared, columns, reader) if len(columns) > 1 else prepared
    return replace(
        prepared,
        terms=reader.select(line.terms),
        values=tuple(_read_labelled(line, reader)),
        profile=_build_profile(line),
    )


def _read_labelled(line: ParsedLine, reader: ConceptReader) -> Iterator[LabelledValue]:
    """The value of "Inrush current: 3.1 A" or "The maximum inrush current is 3.1 A."."""
    label = LABELLED.match(line.text) or _SAID.match(line.text)
    amounts = read_amounts(line.text, line.quantities)
    if label is None or len(amounts) != 1 or amounts[0].start < label.end():
        return
    amount, name = amounts[0], label[1]
    beside = f"{line.text[label.end() : amount.start]} {line.text[amount.end :]}"
    terms = reader.read(name)
    denied = not NEGATIONS.isdisjoint(split_words(line.text))
    if terms and not denied and not reader.read(beside) and not find_role(beside):
        yield _build_value((terms,), amount, find_role(name), about=name.strip(" *_-"))


def _build_value(
    names: tuple[frozenset[str], ...], amount: Amount, role: str, extra: frozenset[str] = frozenset(),
    about: str = "",
) -> LabelledValue:  # fmt: skip
    bound = {"max": -1, "min": 1}.get(role, 0)
    bounded = replace(amount, bound=bound) if bound and not amount.bound else amount
    return LabelledValue(names, bounded, "" if bound else role, extra, about)


def _build_profile(part: ParsedLine) -> tuple[Amount, ...]:
    """The measures of a statement that has several, by dimension, all without bound, range or role."""
    amounts = [one for one in read_amounts(part.text, part.quantities) if one.dimension]
    if len(amounts) <= MIN_SHARED_MEASURES or find_role(part.text):
        return ()
    if any(amount.ranged or amount.bound for amount in amounts):
        return ()
    return tuple(sorted(amounts, key=lambda amount: amount.dimension))


def _read_row(row: FactLine, columns: Sequence[tuple[str, str]], reader: ConceptReader) -> FactLine:
    """A row: its subject with the variant that other columns name, and the value of each column."""
    name, role = columns[0][1], find_role(columns[0][1])
    names, extra = _read_row_names(columns, reader)
    extra |= {quantity.text for quantity in row.line.columns[0].quantities}
    unit = next((cell for label, cell in columns if fold(label) in UNIT_LABELS), "")
    cells: list[RowCell] = []
    values: list[LabelledValue] = []
    for (label, cell), part in list(zip(columns, row.line.columns, strict=True))[1:]:
        if (
            not label.strip()
            or fold(label) in UNIT_LABELS
            or not _UNNAMED.isdisjoint(WORD.findall(fold(label)))
        ):
            continue
        amounts = read_amounts(part.text, part.quantities)
        cells.append(_read_cell(label, cell, amounts, reader, unit))
        if len(amounts) == 1 and not cells[-1].terms:
            of = "+".join(sorted({*find_role(label).split("+"), *role.split("+")} - {""}))
            own = reader.read(label)
            amount = replace(amounts[0], text=cells[-1].shown)
            values.append(_build_value(tuple(n | own for n in names), amount, of, extra, name))
    profile = max((_build_profile(part) for part in row.line.columns), key=len)
    return replace(
        row, values=tuple(values), subject=names[0] | {f"?{word}" for word in extra},
        cells=tuple(cells), terms=names[0] | reader.read(row.line.text) if profile else names[0],
        profile=profile,
    )  # fmt: skip


def _read_row_names(
    columns: Sequence[tuple[str, str]], reader: ConceptReader
) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """The row's name and symbol, and what its other naming columns say."""
    names = [reader.read(columns[0][1])]
    extra: frozenset[str] = frozenset()
    for label, cell in columns[1:]:
        if fold(label) in WORDS.symbol_labels:
            names.append(reader.read(cell))
        elif not WORDS.qualifier_labels.isdisjoint(WORD.findall(fold(label))):
            extra |= reader.read(cell) | frozenset(re.findall(r"\d[\d.,]*", cell))
    return tuple(name for name in names if name) or (frozenset(),), extra


def _read_cell(
    label: str, cell: str, amounts: tuple[Amount, ...], reader: ConceptReader, unit: str
) -> RowCell:
    outside = re.sub(r"[-+]?\d[\d.,]*\s*[^\W\d_]{0,3}(?![^\W\d_])", " ", cell)
    bare = bool(amounts) and not re.search(r"[^\W\d_]", cell)
    shown = f"{cell} {unit}".strip() if bare else cell
    of = reader.read(label) | (frozenset(find_role(label).split("+")) - {""})
    return RowCell(of, cell, shown, reader.read(outside), amounts)


def compare_facts(ours: FactLine, theirs: FactLine) -> Difference | None:
    """A labelled value against another value of the same name, or a part with another measure."""
    if is_below_same_heading(ours, theirs):
        for one in ours.values:
            for two in theirs.values:
                if _is_same_property(one, two) and compare_amounts(one.amount, two.amount):
                    about = one.about or two.about
                    return Difference("number", one.amount.text, two.amount.text, about)
    return _compare_profiles(ours, theirs)


def _is_same_property(one: LabelledValue, two: LabelledValue) -> bool:
    same = one.role == two.role and one.extra == two.extra
    alike = one.amount.dimension == two.amount.dimension and bool(one.amount.dimension)
    return same and alike and any(name in two.names for name in one.names if name)


def is_below_same_heading(ours: FactLine, theirs: FactLine) -> bool:
    """Whether one heading says all that the other says: under another, a label means another thing."""
    one, two = ours.heading, theirs.heading
    return not one or not two or one <= two or two <= one


def _compare_profiles(ours: FactLine, theirs: FactLine) -> Difference | None:
    """One measure that differs where all others agree: "5 x 20 mm, T 1 A, 250 V".

    This recognises a part in another language, where few words match.
    """
    codes = [{name.key for name in line.line.names if name.identifier} for line in (ours, theirs)]
    if not ours.terms & theirs.terms or (codes[0] and codes[1] and not codes[0] & codes[1]):
        return None
    if [one.dimension for one in ours.profile] != [one.dimension for one in theirs.profile]:
        return None
    pairs = zip(ours.profile, theirs.profile, strict=True)
    apart = [(one, two) for one, two in pairs if compare_amounts(one, two)]
    agreeing = len(ours.profile) - len(apart)
    if len(apart) != 1 or agreeing < MIN_SHARED_MEASURES:
        return None
    return Difference("number", apart[0][0].text, apart[0][1].text)


def compare_rows(ours: FactLine, theirs: FactLine) -> Difference | None:
    """Rows of one name: compare the columns that both have; of two names, the values they label."""
    if not ours.subject or ours.subject != theirs.subject:
        return compare_facts(ours, theirs)
    if not is_below_same_heading(ours, theirs):
        return None
    alike = ours.material.language == theirs.material.language
    language = ours.material.language if alike else ""
    others = {cell.label: cell for cell in theirs.cells}
    pairs = [(cell, others[cell.label]) for cell in ours.cells if cell.label in others]
    found = [_compare_cells(cell, other, language) for cell, other in pairs]
    differences = [difference for difference in found if difference]
    if not differences:
        return None
    if len(differences) > 1 and any(item.kind == "name" for item in differences):
        # Another name beside another value: another thing with the same position or label.
        return None
    return join_differences(differences, _read_subject(ours))


def _read_subject(row: FactLine) -> str:
    if row.line.passage is None or not row.line.passage.cells:
        return ""
    return row.material.evidence.hit.chunk.cut(*row.line.passage.cells[0])


def _compare_cells(cell: RowCell, other: RowCell, language: str) -> Difference | None:
    if cell.amounts or other.amounts:
        return _compare_amounts(cell, other)
    longest = max(len(part.words.split()) for part in (cell, other))
    if not language or longest > _MAX_SHORT_WORDS or fold(cell.words) == fold(other.words):
        return None
    ours, theirs = (parse_line(part.words, language) for part in (cell, other))
    difference = compare_cells(ours, theirs, language)
    if difference is not None or cell.terms & other.terms or not (cell.terms and other.terms):
        return difference
    return Difference("name", cell.words, other.words)


def _compare_amounts(cell: RowCell, other: RowCell) -> Difference | None:
    if len(cell.amounts) != len(other.amounts) or cell.terms != other.terms:
        return None
    kinds = set(map(compare_amounts, cell.amounts, other.amounts)) - {None}
    kind = kinds.pop() if len(kinds) == 1 else None
    return Difference(kind, cell.shown, other.shown) if kind and kind != "other" else None
