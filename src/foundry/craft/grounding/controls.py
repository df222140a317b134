"""Controls: statements that their passages contradict, put among those of a judge to test it.

A judge that accepts one of them accepts anything of that kind, so its verdicts on the rest say
nothing. The idea is that of the gold questions of crowd work (Le et al., "Ensuring quality in
crowdsourced search relevance evaluation", 2010).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from zlib import crc32

from foundry.craft.grounding.source_units import list_units
from foundry.lexicon import Lexicon, load_lexicons
from foundry.records import Evidence
from foundry.text.polarity import NEGATIONS

_MIN_WORDS, _MAX_WORDS = 6, 30
_LAST_PLACE = 6
"""Words in which the verb of the main clause comes, mostly; another one makes odd Dutch."""

_NUMBER = re.compile(r"(?<![\w.,:/-])[1-9]\d*(?![\w:/-]|[.,]\d)")
_WORD = re.compile(r"[\w'’-]+")


def build_control(evidence: Sequence[Evidence], seed: str) -> tuple[str, Evidence] | None:
    """A sentence of the evidence with its verb denied, or else with another number.

    The opposite comes first: rules compare numbers anyway. ``seed`` chooses among the sentences,
    the same one each time. None where no sentence can be changed so.
    """
    sentences = [(text, item) for item in evidence for text in _list_sentences(item)]
    if not sentences:
        return None
    first = crc32(seed.encode(errors="replace")) % len(sentences)
    turned = sentences[first:] + sentences[:first]
    everything = " ".join(item.hit.chunk.content for item in evidence)
    denied = ((_deny(text, item), item) for text, item in turned)
    changed = ((_change_number(text, everything), item) for text, item in turned)
    return next(((text, item) for text, item in (*denied, *changed) if text), None)


def _list_sentences(item: Evidence) -> Iterator[str]:
    """Plain whole sentences, which deny nothing themselves."""
    for unit in list_units(item, item.hit.chunk.language):
        text = unit.text.strip()
        words = _WORD.findall(text.lower())
        whole = text[:1].isupper() and text.endswith(".") and not any(p.cut for p in unit.passages)
        fits = _MIN_WORDS <= len(words) <= _MAX_WORDS and NEGATIONS.isdisjoint(words)
        if whole and fits and unit.row is None and not unit.marked_up:
            yield text


def _deny(text: str, item: Evidence) -> str:
    """The sentence with a negation after its first verb that can take one; "" without such a verb."""
    polarity = load_lexicons().get(item.hit.chunk.language, Lexicon()).polarity
    for match in list(_WORD.finditer(text))[1:_LAST_PLACE]:
        if match[0] in polarity.deniable:
            return f"{text[: match.end()]} {polarity.denial}{text[match.end() :]}"
    return ""


def _change_number(text: str, everything: str) -> str:
    """The sentence with its last number changed to one that no passage has; "" without a number."""
    for match in reversed(list(_NUMBER.finditer(text))):
        digit = int(match[0][0])
        others = (f"{(digit + step - 1) % 9 + 1}{match[0][1:]}" for step in (3, 4, 5, 2, 6))
        if new := next((one for one in others if one not in everything), None):
            return text[: match.start()] + new + text[match.end() :]
    return ""
