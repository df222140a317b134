"""Facts in a piece of evidence: its lines, with the amounts in them and what each one measures.

A fact is an amount with the words that say what it measures, under which conditions, and which of
several values it is. Facts are read from table rows, "Label: value" lines and prose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from foundry.analysis import fold
from foundry.craft.conflicts.amounts import Amount, read_amounts
from foundry.craft.conflicts.concepts import ROLES, WORDS, ConceptReader, find_role, stem_words
from foundry.records import Source
from foundry.text.glossary import Glossary
from foundry.text.lines import UNIT_LABELS, ParsedEvidence, ParsedLine
from foundry.text.passages import label_cells

_LABELLED = re.compile(r"\W{0,3}([^:=.!?]{1,60}?)\s*(?:: |=)\s*\S")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")
_NUMBERING = re.compile(r"^(?:[§#]\s*)?\d+(?:\.\d+)*\.?\s+")


@dataclass(frozen=True, slots=True)
class Fact:
    """An amount and what it measures. ``names`` are the sets of terms that may name it.

    Two facts are about one thing only if their ``conditions`` are equal.
    """

    names: tuple[frozenset[str], ...]
    amount: Amount
    role: str = ""
    conditions: frozenset[str] = frozenset()
    labelled: bool = False
    about: str = ""


# A fragment without a verb and with so few words does not say what it measures.
_MAX_FRAGMENT_TERMS = 3
# Programs and data: their values are examples more often than facts.
_PROGRAM_TEXT = re.compile(
    r"""[{}\\]|["']\s*:\s|\w\((?:\)|\s|$)|=\s*["'\[]|\b(?=\w+?_\w)\w++\s*=|https?://"""
)

Profile = tuple[tuple[str, Amount], ...]
"""The measures of a statement, by dimension and position."""


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell of a row, other than the first: the terms of its label, its words and its amounts.

    ``shown`` are the words with a unit from another column; ``free`` if the label announces free
    text.
    """

    label: frozenset[str]
    words: str
    shown: str
    terms: frozenset[str]
    amounts: tuple[Amount, ...]
    free: bool


@dataclass(frozen=True, slots=True, eq=False)
class FactLine:
    """A line of a source prepared for comparison; only table rows have ``cells`` and a ``subject``."""

    line: ParsedLine
    material: ParsedEvidence
    facts: tuple[Fact, ...]
    heading: frozenset[str]
    limits: bool
    subject: frozenset[str] = frozenset()
    cells: tuple[RowCell, ...] = ()
    terms: frozenset[str] = frozenset()
    profiles: tuple[Profile, ...] = ()

    @property
    def measures(self) -> frozenset[str]:
        """Its measured values as terms, such as "250V"."""
        amounts = (amount for profile in self.profiles for _, amount in profile)
        return frozenset(f"{_format_amount(amount)}" for amount in amounts)

    @property
    def source(self) -> Source:
        """The source of the line."""
        return self.material.evidence.hit.source


def extract_facts(material: ParsedEvidence, glossary: Glossary) -> list[FactLine]:
    """The lines of one piece of evidence, without programs and lines that the chunk cuts off."""
    return [
        _build_fact_line(line, material, glossary)
        for line in material.lines
        if line.passage is not None and not line.passage.cut and line.passage.kind != "code"
        if not _PROGRAM_TEXT.search(line.text) and not _has_free_label(line.text)
    ]


def _has_free_label(text: str) -> bool:
    """Whether a line's label does not say what is measured: "Page: 4", "Total: 340"."""
    label = _LABELLED.match(text)
    return label is not None and WORDS.free_labels.issuperset(re.findall(r"\w+", fold(label[1])))


def _build_fact_line(line: ParsedLine, material: ParsedEvidence, glossary: Glossary) -> FactLine:
    reader = ConceptReader(material.language, glossary)
    block = line.passage.place if line.passage else None
    path = block.heading_path if block else ()
    heading = reader.read(_NUMBERING.sub("", path[-1]) if path else "")
    limits = not WORDS.limit_headings.isdisjoint(re.findall(r"\w+", fold(" ".join(path))))
    prepared = FactLine(line, material, (), heading - _GENERAL_HEADINGS, limits)
    if line.passage is not None and line.passage.cells:
        columns = label_cells(line.passage, material.evidence.hit.chunk)
        # A single cell heads other rows.
        return _read_row(prepared, columns, reader) if len(columns) > 1 else prepared
    facts = tuple(_extract_prose_facts(line, reader))
    profiles = _build_profiles([line.clauses])
    return replace(prepared, facts=facts, terms=reader.select(line.terms), profiles=profiles)


def _build_profiles(statements: Iterable[Sequence[ParsedLine]]) -> tuple[Profile, ...]:
    """The measures of each statement that has several, all without bound, range or role."""
    profiles = (_build_profile(parts) for parts in statements)
    return tuple(profile for profile in profiles if len(profile) > MIN_SHARED_MEASURES)


MIN_SHARED_MEASURES = 2
"""Values that must agree before a differing one counts as another value of the same thing. One
agreement is too often chance."""


def _build_profile(parts: Sequence[ParsedLine]) -> Profile:
    amounts: dict[str, Amount] = {}
    seen: Counter[str] = Counter()
    for part in parts:
        for amount in read_amounts(part.text, part.quantities):
            if not amount.dimension:
                continue
            if amount.ranged or amount.bound or find_role(part.text):
                return ()
            amounts[f"{amount.dimension} {seen[amount.dimension]}"] = amount
            seen[amount.dimension] += 1
    return tuple(sorted(amounts.items()))


def find_predicate(text: str) -> int:
    """The offset where a text's predicate begins: after its first verb, "=" or label.

    The length of the text if there is none.
    """
    label = _LABELLED.match(text)
    if label:
        return label.end(1)
    for match in _WORD.finditer(text):
        if fold(match[0]) in WORDS.verbs and match.start() > 0:
            return match.end()
    return len(text)


_GENERAL_HEADINGS = stem_words(WORDS.general_headings)


def apply_role(amount: Amount, role: str) -> Amount:
    """The amount, as a bound if its role makes it one."""
    bound = {"max": -1, "min": 1}.get(role, 0)
    return replace(amount, bound=bound) if bound and not amount.bound else amount


def _extract_prose_facts(line: ParsedLine, reader: ConceptReader) -> Iterable[Fact]:
    label = _LABELLED.match(line.text)
    settled = find_predicate(line.text)
    opening = line.text[:settled]
    if (
        label is None
        and settled == len(line.text)
        and len(reader.select(line.terms)) <= _MAX_FRAGMENT_TERMS
    ):
        return
    for index, clause in enumerate(line.clauses):
        if clause.negated or not clause.quantities or line.text.rstrip().endswith("?"):
            continue
        others = [part for part in line.clauses if part is not clause]
        outside = frozenset(
            condition for part in others for condition in _collect_conditions(part, reader)
        )
        terms = reader.select(clause.terms)
        first = _WORD.search(clause.text)
        if index and first and fold(first[0]) in WORDS.verbs:
            terms |= reader.read(opening)
        yield from _extract_clause_facts(clause, terms, outside, label is not None)


def _extract_clause_facts(
    clause: ParsedLine, terms: frozenset[str], outside: frozenset[str], labelled: bool
) -> Iterable[Fact]:
    amounts = read_amounts(clause.text, clause.quantities)
    conditions = [other for other in amounts if is_condition(clause.text, other, amounts)]
    scope = (
        outside
        | {_format_amount(condition) for condition in conditions}
        | _collect_dates(clause)
        | _find_marks(clause)
    )
    scope |= {
        f"#{_format_amount(other)}"
        for other in amounts
        if not other.dimension and is_numbering(clause.text, other)
    }
    for amount in amounts:
        same = [other for other in amounts if other.dimension == amount.dimension]
        if amount in conditions or len(same) > 1 or _is_year(amount):
            continue
        if not amount.dimension and not (labelled or _is_count(clause.text, amount)):
            continue
        role = find_role(clause.text)
        names = (frozenset(terms),)
        yield Fact(
            names, apply_role(amount, role), _drop_bound_role(role), frozenset(scope), labelled
        )


def _is_count(text: str, amount: Amount) -> bool:
    """Whether a number counts things after a verb, as in "stores 99 scenes"."""
    counted = re.match(r"\s+[^\W\d_]{3,}", text[amount.end :]) is not None
    return counted and find_predicate(text) < amount.start and not is_numbering(text, amount)


def _find_marks(clause: ParsedLine) -> frozenset[str]:
    """Single capitals within a clause: the "A" of "port A"."""
    return frozenset(re.findall(r"(?<=[a-z] )[A-Z](?![\w'])(?! ?=)", _mask_amounts(clause)))


def _mask_amounts(clause: ParsedLine) -> str:
    text = clause.text
    for quantity in clause.quantities:
        text = text[: quantity.start] + "0" * (quantity.end - quantity.start) + text[quantity.end :]
    return text


def _collect_dates(clause: ParsedLine) -> frozenset[str]:
    return frozenset(q.text for q in clause.quantities if q.kind in ("date", "clock", "version"))


def _collect_conditions(part: ParsedLine, reader: ConceptReader) -> list[str]:
    """What another clause of the sentence adds as a condition to this one."""
    first = _WORD.search(part.text)
    narrows = first is not None and fold(first[0]) in WORDS.conditions
    codes = [name.key for name in part.names if name.identifier]
    return [*codes, *(reader.read(part.text) if narrows else ())]


def _drop_bound_role(role: str) -> str:
    """The role, or "" for one that the amount's bound expresses."""
    return "" if role in ("max", "min") else role


def _format_amount(amount: Amount) -> str:
    low, high = max(amount.low), max(amount.high)
    return f"{low:g}..{high:g}{amount.dimension}"


def _is_year(amount: Amount) -> bool:
    return not amount.dimension and _YEAR.match(amount.text) is not None


def is_condition(text: str, amount: Amount, amounts: Iterable[Amount]) -> bool:
    """Whether an amount is a condition: "at 25 °C" beside another amount, but not "rated at 2 A"."""
    before = [fold(word) for word in _WORD.findall(text[: amount.start])][-3:]
    if not before or not any(other.dimension != amount.dimension for other in amounts):
        return False
    hit = [index for index, word in enumerate(before[-2:]) if word in WORDS.quantity_conditions]
    return bool(hit) and not any(word in WORDS.settings for word in before)


def is_numbering(text: str, amount: Amount) -> bool:
    """Whether a bare number identifies a thing: "channel 1", "HW 2.0"."""
    before = re.search(r"(?<![^\W\d_])([^\W\d_]+)\.?[ \t-]*$", text[: amount.start])
    after = re.match(r"\s*([^\W\d_]{2,})", text[amount.end :])
    if before is None:
        return amount.start == 0 and after is None
    word = fold(before[1])
    plain = word in WORDS.verbs or word in WORDS.conditions or word in ROLES
    small = plain or word in _SMALL
    followed = after is not None and fold(after[1]) not in WORDS.verbs | WORDS.conditions | _SMALL
    return not small and not followed


_SMALL = WORDS.small_words | WORDS.neutral


def _read_row(row: FactLine, columns: list[tuple[str, str]], reader: ConceptReader) -> FactLine:
    name = columns[0][1]
    subject = reader.read(name)
    role = find_role(name)
    symbol, extra = _read_row_names(columns, reader)
    extra |= {q.text for q in row.line.clauses[0].quantities}
    unit = next((cell for label, cell in columns if fold(label) in UNIT_LABELS), "")
    cells: list[RowCell] = []
    facts: list[Fact] = []
    names = (subject, symbol) if symbol else (subject,)
    extent: dict[str, Amount] = {}
    for (label, cell), part in list(zip(columns, row.line.clauses, strict=True))[1:]:
        if _is_qualifier(label) or fold(label) in UNIT_LABELS or not label.strip():
            continue
        amounts = read_amounts(part.text, part.quantities)
        cells.append(_read_cell(label, cell, amounts, reader, unit))
        if len(amounts) != 1 or cells[-1].free or not _is_bare(cell):
            continue
        of = "+".join(sorted({*find_role(f"{label} {cell}").split("+"), *role.split("+")} - {""}))
        extent[of] = amounts[0]
        words_of_label = reader.read(label) - _VALUE_LABELS
        own = tuple(words | words_of_label for words in names)
        amount = replace(apply_role(amounts[0], of), text=cells[-1].shown)
        facts.append(Fact(own, amount, _drop_bound_role(of), extra, True, name))
    if {"min", "max"} <= extent.keys() and extent["min"].dimension == extent["max"].dimension:
        low, high = extent["min"], extent["max"]
        shown = replace(low, high=high.high, text=f"{low.text} … {high.text}", bound=0)
        facts.append(Fact(names, shown, "", extra, True, name))
    profiles = _build_profiles([part] for part in row.line.clauses)
    return replace(
        row, facts=tuple(facts), subject=subject | {f"?{qualifier}" for qualifier in extra},
        cells=tuple(cells), terms=subject | reader.read(row.line.text) if profiles else subject,
        profiles=profiles,
    )  # fmt: skip


def _read_cell(
    label: str, cell: str, amounts: tuple[Amount, ...], reader: ConceptReader, unit: str
) -> RowCell:
    free = any(word in WORDS.free_labels for word in re.findall(r"\w+", fold(label)))
    outside = re.sub(r"[-+]?\d[\d.,]*\s*[^\W\d_]{0,3}(?![^\W\d_])", " ", cell)
    bare = bool(amounts) and not re.search(r"[^\W\d_]", cell)
    shown = f"{cell} {unit}".strip() if bare else cell
    concepts = reader.read(outside)
    return RowCell(_extract_label_terms(label, reader), cell, shown, concepts, amounts, free)


_VALUE_LABELS = stem_words(WORDS.value_labels)


def _is_bare(cell: str) -> bool:
    """Whether a cell is an amount and little else: "2.1 V min", not "Screw terminal, 2 poles"."""
    return len(re.findall(r"[^\W\d_]{4,}", cell)) <= 1


def _extract_label_terms(label: str, reader: ConceptReader) -> frozenset[str]:
    return reader.read(label) | frozenset(find_role(label).split("+")) - {""}


def _is_qualifier(label: str) -> bool:
    return any(word in WORDS.qualifier_labels for word in re.findall(r"\w+", fold(label)))


def _read_row_names(
    columns: list[tuple[str, str]], reader: ConceptReader
) -> tuple[frozenset[str], frozenset[str]]:
    """The row's symbol, and what its other naming columns say."""
    symbol: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()
    for label, cell in columns[1:]:
        if fold(label) in WORDS.symbol_labels:
            symbol = reader.read(cell)
        elif _is_qualifier(label):
            extra |= reader.read(cell)
    return symbol, extra
