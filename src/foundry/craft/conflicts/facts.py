"""Evidence → statements as they are compared: lines, with the facts (amounts of something) in them.

A fact is an amount with the words that say of what, under which conditions and which of
several values it is. It reads rows by their columns, "Label: value" and prose alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foundry.analysis import analyse, fold
from foundry.craft.conflicts import words
from foundry.craft.conflicts.amounts import Amount, read_amounts
from foundry.records import Source
from foundry.text.lines import ParsedEvidence, ParsedLine
from foundry.text.passages import label_cells

_LABELLED = re.compile(r"\W{0,3}([^:=.!?]{1,60}?)\s*(?:: |=)\s*\S")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")
_NUMBERING = re.compile(r"^(?:[§#]\s*)?\d+(?:\.\d+)*\.?\s+")


@dataclass(frozen=True, slots=True)
class Fact:
    """An amount and what it is of. ``names`` are the sets of terms that it may go by.

    ``conditions`` must be the same for two facts to speak of one thing.
    """

    names: tuple[frozenset[str], ...]
    amount: Amount
    role: str = ""
    conditions: frozenset[str] = frozenset()
    labelled: bool = False
    about: str = ""


# Words of a fragment, without a verb, that do not tell what it is of.
_MAX_FRAGMENT_TERMS = 3
# What programs and data are written in; their values are examples more often than facts.
_PROGRAM_TEXT = re.compile(r"""[{}\\]|["']\s*:\s|\w\((?:\)|\s|$)|=\s*["'\[]|\w_\w+\s*=|https?://""")

Profile = tuple[tuple[str, Amount], ...]
"""The measures of a statement, by dimension and order within it."""


@dataclass(frozen=True, slots=True)
class RowCell:
    """A column of a row besides the first: its label's terms, its words and amounts.

    ``shown`` are its words with the unit that stands in another column; ``free`` where its label announces words that are told freely.
    """

    label: frozenset[str]
    words: str
    shown: str
    terms: frozenset[str]
    amounts: tuple[Amount, ...]
    free: bool


@dataclass(frozen=True, slots=True, eq=False)
class FactLine:
    """A line of a source prepared for comparison; ``split_row`` and ``subject`` are those of a row.

    ``parse_partial_reply`` is the offset in the text from which it says something of its subject.
    """

    line: ParsedLine
    material: ParsedEvidence
    facts: tuple[Fact, ...]
    settled: int
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
        """The source that it stands in."""
        return self.material.evidence.hit.source


def extract_facts(material: ParsedEvidence) -> list[FactLine]:
    """The lines of one piece of evidence, those that the chunk cuts left out."""
    return [
        _build_fact_line(line, material)
        for line in material.lines
        if line.passage is not None and not line.passage.cut and line.passage.kind != "code"
        if not _PROGRAM_TEXT.search(line.text) and not _has_free_label(line.text)
    ]


def _has_free_label(text: str) -> bool:
    """True for a line whose label says what it is, and not of what: "Page: 4", "Total: 340"."""
    label = _LABELLED.match(text)
    return label is not None and words.FREE_LABELS.issuperset(re.findall(r"\w+", fold(label[1])))


def _build_fact_line(line: ParsedLine, material: ParsedEvidence) -> FactLine:
    language = material.language
    block = line.passage.place if line.passage else None
    path = block.heading_path if block else ()
    heading = extract_concepts(_NUMBERING.sub("", path[-1]) if path else "", language)
    limits = not words.LIMITS.isdisjoint(re.findall(r"\w+", fold(" ".join(path))))
    told = FactLine(
        line, material, (), find_predicate(line.text), heading - _GENERAL_HEADINGS, limits
    )
    if line.passage is not None and line.passage.cells:
        columns = label_cells(line.passage, material.evidence.hit.chunk)
        # A single cell heads other rows.
        return _read_row(told, columns, language) if len(columns) > 1 else told
    facts = tuple(_extract_prose_facts(line, language))
    profiles = _build_profiles([line.clauses])
    return replace(told, facts=facts, terms=map_to_concepts(line.terms), profiles=profiles)


def _build_profiles(statements: Iterable[Sequence[ParsedLine]]) -> tuple[Profile, ...]:
    """The measures of each statement that has several and none with a bound, range or role."""
    found = (_build_profile(parts) for parts in statements)
    return tuple(profile for profile in found if len(profile) > MIN_SHARED_MEASURES)


MIN_SHARED_MEASURES = 2
"""Values that must agree before one that differs is taken for another value of one thing."""


def _build_profile(parts: Sequence[ParsedLine]) -> Profile:
    found: dict[str, Amount] = {}
    seen: Counter[str] = Counter()
    for part in parts:
        for amount in read_amounts(part.text, part.quantities):
            if not amount.dimension:
                continue
            if amount.ranged or amount.bound or find_role(part.text):
                return ()
            found[f"{amount.dimension} {seen[amount.dimension]}"] = amount
            seen[amount.dimension] += 1
    return tuple(sorted(found.items()))


def find_predicate(text: str) -> int:
    """Where a text turns to what it says: after its first verb, "=" or label; its length if never."""
    label = _LABELLED.match(text)
    if label:
        return label.end(1)
    for match in _WORD.finditer(text):
        if fold(match[0]) in words.VERBS and match.start() > 0:
            return match.end()
    return len(text)


@lru_cache(maxsize=4096)
def extract_concepts(text: str, language: str) -> frozenset[str]:
    """The concepts of a short text."""
    return map_to_concepts(term for term in analyse(text, language) if len(term) > 1)


def map_to_concepts(terms: Iterable[str]) -> frozenset[str]:
    """Terms by their English technical word, harmless ones and roles left out."""
    found: set[str] = set()
    for term in terms:
        found.update(words.GLOSSARY.get(term, (term,)))
    return frozenset(one for one in found if one not in _IGNORED and not one.isdigit())


def _stem_words(listed: Iterable[str]) -> frozenset[str]:
    stems = {stem for word in listed for tongue in ("en", "nl") for stem in analyse(word, tongue)}
    return frozenset(stems | set(listed))


_IGNORED = _stem_words([*words.HARMLESS, *words.ROLES, "maximum", "minimum"])
_GENERAL_HEADINGS = _stem_words(words.GENERAL_HEADINGS)
THINGS = _stem_words(words.THINGS)
"""Stems of the words for the whole thing that a source describes."""


def find_role(text: str) -> str:
    """Which of several values a text names: "max", "min", "typ", "nom", "peak" or ""."""
    found = {words.ROLES[word] for word in re.findall(r"\w+", fold(text)) if word in words.ROLES}
    return "+".join(sorted(found))


def apply_role(amount: Amount, role: str) -> Amount:
    """The amount as a bound where its role makes it one."""
    bound = {"max": -1, "min": 1}.get(role, 0)
    return replace(amount, bound=bound) if bound and not amount.bound else amount


def _extract_prose_facts(line: ParsedLine, language: str) -> Iterable[Fact]:
    label = _LABELLED.match(line.text)
    settled = find_predicate(line.text)
    opening = line.text[:settled]
    if (
        label is None
        and settled == len(line.text)
        and len(map_to_concepts(line.terms)) <= _MAX_FRAGMENT_TERMS
    ):
        return
    for at, clause in enumerate(line.clauses):
        if clause.negated or not clause.quantities or line.text.rstrip().endswith("?"):
            continue
        others = [part for part in line.clauses if part is not clause]
        outside = frozenset(one for part in others for one in _collect_conditions(part, language))
        terms = map_to_concepts(clause.terms)
        first = _WORD.search(clause.text)
        if at and first and fold(first[0]) in words.VERBS:
            terms |= extract_concepts(opening, language)
        yield from _extract_clause_facts(clause, terms, outside, label is not None)


def _extract_clause_facts(
    clause: ParsedLine, terms: frozenset[str], outside: frozenset[str], labelled: bool
) -> Iterable[Fact]:
    amounts = read_amounts(clause.text, clause.quantities)
    conditions = [one for one in amounts if is_condition(clause.text, one, amounts)]
    scope = (
        outside
        | {_format_amount(one) for one in conditions}
        | _collect_dates(clause)
        | _find_marks(clause)
    )
    scope |= {
        f"#{_format_amount(one)}"
        for one in amounts
        if not one.dimension and is_numbering(clause.text, one)
    }
    for amount in amounts:
        same = [one for one in amounts if one.dimension == amount.dimension]
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
    """True for "holds 99 scenes": a number behind a verb and before a noun."""
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


def _collect_conditions(part: ParsedLine, language: str) -> list[str]:
    """What another clause of the sentence says that may narrow this one."""
    first = _WORD.search(part.text)
    narrows = first is not None and fold(first[0]) in words.CONDITIONS
    found = [name.key for name in part.names if name.identifier]
    return [*found, *(extract_concepts(part.text, language) if narrows else ())]


def _drop_bound_role(role: str) -> str:
    """Roles that are bounds are told by the bound; the others stay."""
    return "" if role in ("max", "min") else role


def _format_amount(amount: Amount) -> str:
    low, high = max(amount.low), max(amount.high)
    return f"{low:g}..{high:g}{amount.dimension}"


def _is_year(amount: Amount) -> bool:
    return not amount.dimension and _YEAR.match(amount.text) is not None


def is_condition(text: str, amount: Amount, amounts: Iterable[Amount]) -> bool:
    """True for "at 25 °C" beside another amount, but not for "rated at 2 A"."""
    before = [fold(word) for word in _WORD.findall(text[: amount.start])][-3:]
    if not before or not any(one.dimension != amount.dimension for one in amounts):
        return False
    hit = [at for at, word in enumerate(before[-2:]) if word in words.AT]
    return bool(hit) and not any(word in words.SETTING for word in before)


def is_numbering(text: str, amount: Amount) -> bool:
    """True for a bare number that tells one thing from another: "channel 1", "HW 2.0"."""
    before = re.search(r"([^\W\d_]+)\.?[ \t-]*$", text[: amount.start])
    after = re.match(r"\s*([^\W\d_]{2,})", text[amount.end :])
    if before is None:
        return amount.start == 0 and after is None
    word = fold(before[1])
    plain = word in words.VERBS or word in words.CONDITIONS or word in words.ROLES
    small = plain or word in _SMALL
    followed = after is not None and fold(after[1]) not in words.VERBS | words.CONDITIONS | _SMALL
    return not small and not followed


_SMALL = words.split_words(
    "the a an of to at on in and or up than de het een van op aan en of dan uit no about least most"
) | frozenset(words.HARMLESS)


def _read_row(told: FactLine, columns: list[tuple[str, str]], language: str) -> FactLine:
    name = columns[0][1]
    subject = extract_concepts(name, language)
    role = find_role(name)
    symbol, extra = _read_row_names(columns, language)
    extra |= {q.text for q in told.line.clauses[0].quantities}
    unit = next((cell for label, cell in columns if fold(label) in words.UNIT_HEADERS), "")
    cells: list[RowCell] = []
    facts: list[Fact] = []
    names = (subject, symbol) if symbol else (subject,)
    extent: dict[str, Amount] = {}
    for (label, cell), part in list(zip(columns, told.line.clauses, strict=True))[1:]:
        if _is_qualifier(label) or fold(label) in words.UNIT_HEADERS or not label.strip():
            continue
        found = read_amounts(part.text, part.quantities)
        cells.append(_read_cell(label, cell, found, language, unit))
        if len(found) != 1 or cells[-1].free or not _is_bare(cell):
            continue
        of = "+".join(sorted({*find_role(f"{label} {cell}").split("+"), *role.split("+")} - {""}))
        extent[of] = found[0]
        words_of_label = extract_concepts(label, language) - _VALUE_LABELS
        own = tuple(one | words_of_label for one in names)
        amount = replace(apply_role(found[0], of), text=cells[-1].shown)
        facts.append(Fact(own, amount, _drop_bound_role(of), extra, True, name))
    if {"min", "max"} <= extent.keys() and extent["min"].dimension == extent["max"].dimension:
        low, high = extent["min"], extent["max"]
        shown = replace(low, high=high.high, text=f"{low.text} … {high.text}", bound=0)
        facts.append(Fact(names, shown, "", extra, True, name))
    profiles = _build_profiles([part] for part in told.line.clauses)
    return replace(
        told, facts=tuple(facts), subject=subject | {f"?{one}" for one in extra},
        cells=tuple(cells), terms=subject | extract_concepts(told.line.text, language) if profiles else subject,
        settled=0, profiles=profiles,
    )  # fmt: skip


def _read_cell(
    label: str, cell: str, found: tuple[Amount, ...], language: str, unit: str
) -> RowCell:
    free = any(word in words.FREE_LABELS for word in re.findall(r"\w+", fold(label)))
    outside = re.sub(r"[-+]?\d[\d.,]*\s*[^\W\d_]{0,3}(?![^\W\d_])", " ", cell)
    bare = bool(found) and not re.search(r"[^\W\d_]", cell)
    shown = f"{cell} {unit}".strip() if bare else cell
    concepts = extract_concepts(outside, language)
    return RowCell(_extract_label_terms(label, language), cell, shown, concepts, found, free)


_VALUE_LABELS = _stem_words(["value", "limit", "rating", "waarde", "limiet"])


def _is_bare(cell: str) -> bool:
    """An amount and little else: "2.1 V min", not "Screw terminal, 2 poles"."""
    return len(re.findall(r"[^\W\d_]{4,}", cell)) <= 1


def _extract_label_terms(label: str, language: str) -> frozenset[str]:
    return extract_concepts(label, language) | frozenset(find_role(label).split("+")) - {""}


def _is_qualifier(label: str) -> bool:
    return any(word in words.QUALIFIERS for word in re.findall(r"\w+", fold(label)))


def _read_row_names(
    columns: list[tuple[str, str]], language: str
) -> tuple[frozenset[str], frozenset[str]]:
    """The row's symbol, and what its other naming columns say."""
    symbol: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()
    for label, cell in columns[1:]:
        if fold(label) in ("symbol", "symbool"):
            symbol = extract_concepts(cell, language)
        elif _is_qualifier(label):
            extra |= extract_concepts(cell, language)
    return symbol, extra
