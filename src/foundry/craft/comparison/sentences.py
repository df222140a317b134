"""Two sentences or cells compared word by word: one place that differs where all else is the same.

What lies between shared words is judged gap by gap. A gap says the same, contradicts, or shows
that the two speak of different things; then no difference between them is certain. The concepts of a
text are its terms as the glossary has them, without neutral words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

from foundry.analysis import analyse, fold
from foundry.analysis.languages import FAVOURED
from foundry.analysis.lexer import JOINED_WORD, LETTERS_AND_DIGITS, WORD
from foundry.craft.comparison.amounts import (
    Amount,
    compare_amounts,
    exclude,
    has_same_digits,
    read_amounts,
)
from foundry.lexicon import load_shared_lexicon
from foundry.messages import Message
from foundry.records import ConflictKind
from foundry.text.alignment import AlignmentToken, Gap, align, tokenize_line
from foundry.text.dates import MONTHS
from foundry.text.glossary import Glossary
from foundry.text.lines import ParsedLine
from foundry.text.names import find_names
from foundry.text.polarity import (
    ANTONYMS,
    EXCLUSIVE_WORDS,
    NEGATIONS,
    exclude_each_other,
    is_reversed,
)

WORDS = load_shared_lexicon().comparison
"""The words that the comparison of statements treats specially, in every language."""

ROLES = {word: role for role, names in WORDS.roles.items() for word in names}
"""Word → which of several values of a quantity it means; different roles never conflict."""

LABELLED = re.compile(r"\W{0,3}([^:=.!?]{1,60}?)\s*(?:: |=)\s*(?=\S)")
"""The label of a "Label: value" or "name = value" line."""


@dataclass(frozen=True, slots=True)
class ConceptReader:
    """Reads the concepts of texts in one language, with a project's glossary."""

    language: str
    glossary: Glossary

    @lru_cache(maxsize=4096)  # noqa: B019  a reader is small, and equal ones share their results
    def read(self, text: str) -> frozenset[str]:
        """The concepts of a short text."""
        return self.select(term for term in analyse(text, self.language) if len(term) > 1)

    def select(self, terms: Iterable[str]) -> frozenset[str]:
        """Terms as concepts, without neutral words, roles and numbers."""
        concepts = self.glossary.translate(terms) - _NEUTRAL
        return frozenset(concept for concept in concepts if not concept.isdigit())


_NEUTRAL = frozenset(
    stem
    for word in WORDS.neutral | ROLES.keys()
    for code in FAVOURED
    for stem in (word, *analyse(word, code))
)
"""Neutral words and roles, and their stems in every favoured language."""


def find_role(text: str) -> str:
    """Which of several values a text means: "max", "min", "typ", "nom", "peak" or ""."""
    roles = {ROLES[word] for word in WORD.findall(fold(text)) if word in ROLES}
    return "+".join(sorted(roles))


def find_predicate(text: str) -> int:
    """The offset where a text's predicate begins: after its first verb, "=" or label.

    The length of the text if there is none.
    """
    label = LABELLED.match(text)
    if label:
        return label.end(1)
    for match in JOINED_WORD.finditer(text):
        if fold(match[0]) in WORDS.verbs and match.start() > 0:
            return match.end()
    return len(text)


_LEXICON = load_shared_lexicon()
_WEEKDAYS = frozenset(day for names in _LEXICON.dates.weekdays.values() for day in names)
_NARROWING = NEGATIONS | _LEXICON.signs.conditions | _LEXICON.signs.limits
_SMALL = WORDS.conditions | WORDS.neutral
_TELLING = NEGATIONS | EXCLUSIVE_WORDS.keys() | WORDS.conditions

_MIN_CONTENT = 2
"""Words that two statements must share to be about one thing. With 1, 93 of 101 labelled conflicts are
found, with one false alarm; with 2, 91 and none; with 3, 75."""

_LEAST_AROUND = 4
"""Words that a statement shares with a sentence around a difference; fewer are alike by chance."""

_MOST_DIFFERENT = 4
"""Words that differ in one place: a value, a name, a negation with its verb."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What two texts state differently, as each writes it, and about what ("" if unknown).

    ``certain`` if both cannot be true; otherwise it only says where to look.
    """

    kind: ConflictKind
    ours: str
    theirs: str
    about: str = ""
    certain: bool = True

    @property
    def reason(self) -> Message:
        """``"3.3 V" against "5 V" for supply voltage``."""
        values = {"ours": self.ours, "theirs": self.theirs}
        if not self.about:
            return Message("conflict-values", **values)
        return Message("conflict-values-about", **values, about=self.about)


def join_differences(found: Sequence[Difference], about: str = "") -> Difference:
    """Several differences as one, of the kind of the first."""
    sides = (", ".join(item.ours for item in found), ", ".join(item.theirs for item in found))
    return Difference(found[0].kind, *sides, about)


@dataclass(frozen=True, eq=False)
class _Side:
    """A text with its words; ``predicate`` is the offset where what it says of its subject begins.

    At 0 nothing in it names another subject: a cell of a known row, or a sentence that is restated.
    """

    text: str
    tokens: Sequence[AlignmentToken]
    predicate: int

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Its amounts."""
        return read_amounts(self.text, [one.quantity for one in self.tokens if one.quantity])

    @cached_property
    def exclusive(self) -> bool:
        """Whether only one value can be true: "is connected to A", not "supports A"."""
        spoken = {fold(word) for word in WORD.findall(self.text)}
        says = not WORDS.copulas.isdisjoint(spoken) or not self.predicate or ":" in self.text
        return says and WORDS.shared_properties.isdisjoint(spoken)


def compare_lines(ours: ParsedLine, theirs: ParsedLine, language: str) -> Difference | None:
    """The fact that two lines state differently; None unless everything else agrees."""
    sides = [
        _Side(line.text, tokenize_line(line, language), find_predicate(line.text))
        for line in (ours, theirs)
    ]
    found = _compare(*sides)
    return found if found and _is_same_subject(ours, theirs, found) else None


def compare_cells(ours: ParsedLine, theirs: ParsedLine, language: str) -> Difference | None:
    """The same for the words of two cells of one row and column, which are all predicate."""
    return _compare(
        *(_Side(line.text, tokenize_line(line, language), 0) for line in (ours, theirs))
    )


def compare_stretch(
    text: str, ours: Sequence[AlignmentToken], other: str, theirs: Sequence[AlignmentToken]
) -> Difference | None:
    """The one place where a statement differs from a stretch of a sentence, each with its words."""
    gap = _find_only_gap(ours, theirs)
    if gap is None:
        return None
    judged = _judge_gap(gap, *(_Side(*side, 0) for side in ((text, ours), (other, theirs))))
    if isinstance(judged, Difference):
        return replace(judged, certain=_is_certain(gap, judged))
    if not gap.ours or not gap.theirs:
        return None
    said, found = (" ".join(token.text for token in part) for part in (gap.ours, gap.theirs))
    return Difference("statement", said, found, certain=False)


def _find_only_gap(ours: Sequence[AlignmentToken], theirs: Sequence[AlignmentToken]) -> Gap | None:
    """The one gap within a stretch, if what the sentence has around it narrows nothing."""
    gaps = align(ours, theirs)
    ends = (*gaps[:1], *gaps[-1:])
    around = [gap for gap in ends if not gap.ours and "" in (gap.before, gap.after)]
    inside = [gap for gap in gaps if gap not in around]
    if len(inside) != 1 or len(ours) - len(inside[0].ours) < _LEAST_AROUND:
        return None
    narrows = any(t.folded in _NARROWING or t.quantity for gap in around for t in gap.theirs)
    long = max(len(inside[0].ours), len(inside[0].theirs)) > _MOST_DIFFERENT
    return None if narrows or long else inside[0]


def _is_certain(gap: Gap, found: Difference) -> bool:
    """Whether only one can hold of a restated sentence.

    A name may be another name of the same, and a table may state its scale elsewhere ("235446" beside
    "235.446"), but the same number with another unit is another value.
    """
    if found.kind == "name":
        return exclude_each_other(fold(found.ours), fold(found.theirs))
    values = [
        [token.quantity for token in part if token.quantity] for part in (gap.ours, gap.theirs)
    ]
    scaled = any(
        has_same_digits(one, two) and one.text != two.text for one, two in product(*values)
    )
    return found.kind != "number" or not scaled


def _compare(ours: _Side, theirs: _Side) -> Difference | None:
    found: list[Difference] = []
    for gap in align(ours.tokens, theirs.tokens):
        judged = _judge_gap(gap, ours, theirs)
        if judged is None:
            return None
        if isinstance(judged, Difference):
            found.append(judged)
    return _merge(found) if found else None


def _merge(found: Sequence[Difference]) -> Difference | None:
    """One difference; up to three as one if all are measured values, else None."""
    # Both sides of a size may differ: "105 x 90 mm".
    found = list(dict.fromkeys(found))
    if len(found) == 1:
        return found[0]
    if len(found) > 3 or any(item.kind not in ("number", "unit") for item in found):
        return None
    return join_differences(found)


def _is_same_subject(ours: ParsedLine, theirs: ParsedLine, found: Difference) -> bool:
    """Whether enough words are shared; more are needed where no verb or label makes a statement."""
    shared = len(ours.terms & theirs.terms)
    if ":" in ours.text[:40] or "=" in ours.text[:40]:
        return shared > 0
    are_statements = all(find_predicate(line.text) < len(line.text) for line in (ours, theirs))
    if found.kind in ("number", "unit"):
        # "The fuse is 2 A" needs no second word.
        return shared >= (1 if are_statements else _MIN_CONTENT + 1)
    return shared >= _MIN_CONTENT + (not are_statements and found.kind != "negation")


@dataclass(frozen=True, slots=True)
class _Part:
    """The words of one side in a gap that can change the meaning."""

    tokens: Sequence[AlignmentToken]
    side: _Side

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens)

    @property
    def negations(self) -> list[AlignmentToken]:
        return [token for token in self.tokens if token.folded in NEGATIONS]

    @property
    def predicative(self) -> bool:
        """Whether all of it is in the predicate."""
        return all(token.start >= self.side.predicate for token in self.tokens)

    @property
    def amounts(self) -> list[Amount]:
        """Its amounts if it has nothing else, else none."""
        spans = [
            next((one for one in self.side.amounts if one.start <= t.start < one.end), None)
            for t in self.tokens
            if t.quantity or t.folded not in _SMALL
        ]
        found = [one for one in dict.fromkeys(spans) if one]
        return found if None not in spans else []


_SAME = "same"


def _judge_gap(gap: Gap, ours: _Side, theirs: _Side) -> Difference | str | None:
    """The difference in a gap, ``_SAME`` if there is none, None if the subjects may differ."""
    mine = _Part([token for token in gap.ours if _is_content(token)], ours)
    yours = _Part([token for token in gap.theirs if _is_content(token)], theirs)
    if not mine.tokens and not yours.tokens:
        return _SAME
    if len(mine.negations) % 2 != len(yours.negations) % 2 and (
        gap.after.casefold() not in _LEXICON.polarity.undenied
    ):
        return _judge_negation(gap, mine, yours)
    if not mine.tokens or not yours.tokens:
        # Words on one side only may narrow what it says.
        return None
    if mine.amounts and yours.amounts:
        return _judge_amounts(mine, yours)
    return _judge_marks(mine, yours) or _judge_words(gap, mine, yours)


def _is_content(token: AlignmentToken) -> bool:
    """Whether a word can change the meaning: content, negation, contrary or condition."""
    if token.quantity or token.is_code:
        return True
    word = token.folded
    if word in WORDS.neutral:
        return False
    return bool(token.weight) or word in _TELLING


def _judge_negation(gap: Gap, mine: _Part, yours: _Part) -> Difference | None:
    """A negation on one side only, with nothing but a verb that carries it, or for its contrary."""
    if any(
        token.folded not in NEGATIONS and token.folded not in WORDS.auxiliaries
        for token in (*mine.tokens, *yours.tokens)
    ):
        return _judge_rivals(gap, mine, yours)
    own, other = (
        " ".join([*(token.text for token in part), gap.after]).strip() or gap.before
        for part in (gap.ours, gap.theirs)
    )
    return Difference("negation", own, other)


def _judge_amounts(mine: _Part, yours: _Part) -> Difference | str | None:
    if len(mine.amounts) != len(yours.amounts):
        return None
    found: list[Difference] = []
    for pair in zip(mine.amounts, yours.amounts, strict=True):
        kind = compare_amounts(*pair)
        if kind is None:
            continue
        if (
            kind == "other"
            or _is_of_subject(pair[0], mine.side)
            or _is_of_subject(pair[1], yours.side)
        ):
            return None
        dated = all(map(_is_year, pair))
        found.append(Difference("date" if dated else kind, pair[0].text, pair[1].text))
    return _merge(found) if found else _SAME


def _is_of_subject(amount: Amount, side: _Side) -> bool:
    """Whether an amount says of what, when or where something is said."""
    if not side.predicate:
        return False
    numbering = not amount.dimension and _is_numbering(amount, side)
    return numbering or _is_condition(amount, side)


def _is_condition(amount: Amount, side: _Side) -> bool:
    """Whether an amount is a condition: "at 25 °C" beside another amount, but not "rated at 2 A"."""
    before = LETTERS_AND_DIGITS.findall(fold(side.text[: amount.start]))[-3:]
    if all(other.dimension == amount.dimension for other in side.amounts):
        return False
    hit = not WORDS.quantity_conditions.isdisjoint(before[-2:])
    return hit and WORDS.settings.isdisjoint(before)


def _is_numbering(amount: Amount, side: _Side) -> bool:
    """Whether a bare number identifies a thing: "channel 1", "HW 2.0"."""
    before = re.search(r"(?<![^\W\d_])([^\W\d_]+)\.?[ \t-]*$", side.text[: amount.start])
    after = re.match(r"\s*([^\W\d_]{2,})", side.text[amount.end :])
    if before is None:
        return amount.start == 0 and after is None
    word = fold(before[1])
    if word in WORDS.verbs or word in ROLES or word in _SMALL:
        return False
    return after is None or fold(after[1]) in WORDS.verbs | _SMALL


def _is_year(amount: Amount) -> bool:
    return not amount.dimension and amount.text.isdigit() and 1000 <= int(amount.text) <= 2100


def _judge_marks(mine: _Part, yours: _Part) -> Difference | None:
    """Another date, clock time, version or code in the predicate."""
    if len(mine.tokens) != 1 or len(yours.tokens) != 1:
        return None
    one, two = mine.tokens[0], yours.tokens[0]
    if not mine.predicative or not yours.predicative:
        return None
    a, b = one.quantity, two.quantity
    if a is None and b is None:
        codes = one.is_code and two.is_code and mine.side.exclusive and yours.side.exclusive
        return Difference("name", one.text, two.text) if codes else None
    if a is None or b is None or a.kind == "number" or not exclude(a, b):
        return None
    return Difference("version" if a.kind == "version" else "date", one.text, two.text)


def _judge_words(gap: Gap, mine: _Part, yours: _Part) -> Difference | None:
    if len(mine.tokens) > 3 or len(yours.tokens) > 3:
        return None
    rival = _judge_rivals(gap, mine, yours)
    if rival or not mine.side.exclusive or not yours.side.exclusive:
        return rival
    return _judge_names(mine, yours)


def _judge_rivals(gap: Gap, mine: _Part, yours: _Part) -> Difference | None:
    """Two words that exclude each other, the last of their clause or said of the subject."""
    if len(mine.tokens) != 1 or len(yours.tokens) != 1:
        return None
    one, two = mine.tokens[0], yours.tokens[0]
    if not exclude_each_other(one.folded, two.folded):
        return None
    verbal = {one.folded, two.folded} <= WORDS.state_verbs
    # In "the left channel" the word identifies the thing, so it must come last.
    last = not gap.after or gap.after.casefold() in WORDS.conditions or not mine.side.predicate
    if not verbal and not (last and mine.predicative and yours.predicative):
        return None
    kind: ConflictKind = "name"
    if verbal or two.folded in ANTONYMS.get(one.folded, ()) or is_reversed(one.folded, two.folded):
        kind = "negation"
    elif one.folded in MONTHS or one.folded in _WEEKDAYS:
        kind = "date"
    return Difference(kind, one.text, two.text)


def _judge_names(mine: _Part, yours: _Part) -> Difference | None:
    """Another name in the predicate: "was designed by Jansen" against "by De Vries"."""
    for part in (mine, yours):
        named = {name.start for name in find_names(part.side.text) if not name.initial}
        capital = [token for token in part.tokens if token.start in named]
        content = [token for token in part.tokens if token.weight]
        if not capital or not part.predicative or len(capital) < len(content):
            return None
        if any(token.quantity for token in part.tokens):
            return None
    if any(one.may_abbreviate(two) for one in mine.tokens for two in yours.tokens):
        return None
    return Difference("name", mine.text, yours.text)
