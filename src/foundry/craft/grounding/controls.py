"""Controls: statements that their passages contradict, put among those of a judge to test it.

A judge that accepts one of them accepts anything of that kind, so its verdicts on the rest say
nothing. The idea is that of the gold questions of crowd work (Le et al., "Ensuring quality in
crowdsourced search relevance evaluation", 2010).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from zlib import crc32

from foundry.craft.grounding.source_units import SourceUnit, list_units
from foundry.lexicon import Lexicon, load_lexicons, load_shared_lexicon
from foundry.records import Evidence
from foundry.text.polarity import NEGATIONS

_MIN_WORDS, _MAX_WORDS = 6, 40
"""Of a sentence that can be made false and still be read as one; a guess."""

_LAST_PLACE = 6
"""Words in which the verb of the main clause comes, mostly; another one makes odd Dutch. By eye, on 180 controls of
three sets."""

_NUMBER = re.compile(r"(?<![\w.,:/-])[1-9]\d*(?![\w:/-]|[.,]\d)")
_WORD = re.compile(r"[\w'’-]+")
_QUOTED = re.compile(r"[\"“”„«»()]")
_OPENINGS = tuple(f"{article} " for article in load_shared_lexicon().general.articles)
"""What opens a sentence about one thing: "some" may be and not be."""

_CONDITIONS = load_shared_lexicon().signs.conditions


def build_control(evidence: Sequence[Evidence], seed: str) -> tuple[str, Evidence] | None:
    """A false statement of the evidence, with the passage that it would be of.

    First two sentences of different passages, the second as the cause of the first: each is true,
    so only a judge that reads the whole rejects it. Else a sentence with its verb denied, or with
    another number, or such a row. ``seed`` chooses among them, the same one each time. None where
    nothing can be changed so.
    """
    units = [unit for item in evidence for unit in list_units(item, item.hit.chunk.language)]
    first = crc32(seed.encode(errors="replace")) % max(1, len(units))
    turned = units[first:] + units[:first]
    everything = " ".join(item.hit.chunk.content for item in evidence)
    return next(((text, unit.evidence) for text, unit in _list_changed(turned, everything)), None)


def _list_changed(units: Sequence[SourceUnit], everything: str) -> Iterator[tuple[str, SourceUnit]]:
    """What can be made of the units, in the order in which it is wanted."""
    sentences = [unit for unit in units if _is_plain(unit)]
    definite = [unit for unit in sentences if unit.text.lower().startswith(_OPENINGS)]
    for effect, cause in (*permutations(definite, 2), *permutations(sentences, 2)):
        if text := _join_as_cause(effect, cause):
            yield text, effect
    for unit in (*definite, *sentences):
        if text := _deny(unit):
            yield text, unit
    for unit in (*sentences, *(unit for unit in units if unit.row)):
        if text := _change_number(unit.text, everything):
            yield text, unit


def _join_as_cause(effect: SourceUnit, cause: SourceUnit) -> str:
    """Two sentences with a word between them that no source has there; "" if they are of one place."""
    one, other = effect.evidence.hit.chunk, cause.evidence.hit.chunk
    polarity = load_lexicons().get(one.language, Lexicon()).polarity
    if one == other or one.language != other.language or not polarity.because:
        return ""
    said = cause.text
    if said.lower().startswith(_OPENINGS):
        said = said[0].lower() + said[1:]
    return f"{effect.text[:-1]}, {polarity.because} {said}"


def _is_plain(unit: SourceUnit) -> bool:
    """Whether it is a whole sentence that denies nothing itself."""
    words = _WORD.findall(unit.text.lower())
    whole = unit.text[:1].isupper() and unit.text.endswith(".")
    fits = _MIN_WORDS <= len(words) <= _MAX_WORDS and NEGATIONS.isdisjoint(words)
    known = unit.row is None
    return known and whole and fits and not any(passage.cut for passage in unit.passages)


def _deny(unit: SourceUnit) -> str:
    """The sentence with a negation after its first verb that can take one; "" without such a verb.

    Nor where a condition or a quotation comes before it: that, and not the sentence, would be denied.
    """
    text, language = unit.text, unit.evidence.hit.chunk.language
    polarity = load_lexicons().get(language, Lexicon()).polarity
    words = list(_WORD.finditer(text))
    for match in words[1:_LAST_PLACE]:
        if match[0] in polarity.deniable:
            before = {word[0].lower() for word in words if word.end() < match.end()}
            clear = _CONDITIONS.isdisjoint(before) and not _QUOTED.search(text[: match.start()])
            changed = f"{text[: match.end()]} {polarity.denial}{text[match.end() :]}"
            return changed if clear else ""
    return ""


def _change_number(text: str, everything: str) -> str:
    """The text with its last number changed to one that no passage has; "" without a number."""
    for match in reversed(list(_NUMBER.finditer(text))):
        digit = int(match[0][0])
        others = (f"{(digit + step - 1) % 9 + 1}{match[0][1:]}" for step in (3, 4, 5, 2, 6))
        if new := next((one for one in others if one not in everything), None):
            return text[: match.start()] + new + text[match.end() :]
    return ""
