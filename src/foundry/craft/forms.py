"""A written section in its declared form: steps in their source's order, quotations word for word.

Only what is exact is decided here: where in a source the words of a step stand, and whether a source has
a quotation letter by letter. Whether something is a step at all is the writer's to say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from foundry.messages import Message
from foundry.records import Evidence, Grounding, GroundingChange, SectionForm, Sentence

_Place = tuple[str, int]
"""The source of a step, and where its words begin there."""


def shape(
    grounding: Grounding, form: SectionForm | None, evidence: Sequence[Evidence]
) -> tuple[Grounding, tuple[Message, ...]]:
    """The sentences in their form, and a notice if that changed their order."""
    if form == "quote":
        return _keep_quotations(grounding), ()
    if form != "steps":
        return grounding, ()
    ordered = _order_steps(grounding.sentences, evidence)
    moved = sum(one is not other for one, other in zip(grounding.sentences, ordered, strict=True))
    notices = (Message("generate-steps-moved", number=moved),) if moved else ()
    return replace(grounding, sentences=ordered), notices


def _order_steps(
    sentences: Sequence[Sentence], evidence: Sequence[Evidence]
) -> tuple[Sentence, ...]:
    """The sentences with the items of each source's list in that order, at the places that they have.

    A sentence that rests on no list item, or on two sources, stays where it is.
    """
    found = {item.id: item for item in evidence}
    places = [_find_place(sentence, found) for sentence in sentences]
    by_source = defaultdict[str, list[int]](list)
    for number, place in enumerate(places):
        if place is not None:
            by_source[place[0]].append(number)
    ordered = list(sentences)
    for numbers in by_source.values():
        inside = sorted(numbers, key=lambda number: (places[number], number))
        for number, other in zip(numbers, inside, strict=True):
            ordered[number] = sentences[other]
    return tuple(ordered)


def _find_place(sentence: Sentence, evidence: dict[str, Evidence]) -> _Place | None:
    places = set[_Place]()
    for quote in sentence.quotes:
        item = evidence.get(quote.evidence_id)
        blocks = item.hit.chunk.blocks if item else ()
        for block in blocks:
            if block.kind == "list_item" and block.start <= quote.start < block.end and item:
                places.add((item.hit.source.id, quote.start))
    return min(places) if len({source for source, _ in places}) == 1 else None


def _keep_quotations(grounding: Grounding) -> Grounding:
    """Without the sentences that are not in their source letter by letter."""
    kept = tuple(one for one in grounding.sentences if _is_quotation(one))
    gone = (one for one in grounding.sentences if one not in kept)
    reason = Message("claim-not-quoted")
    changes = tuple(GroundingChange(one.text, "removed", reason) for one in gone)
    return replace(grounding, sentences=kept, changes=(*grounding.changes, *changes))


def _is_quotation(sentence: Sentence) -> bool:
    """Whether one of its quotes has its words in a row, whatever marks stand between them."""
    own = _list_words(sentence.text)
    return any(f" {own} " in f" {_list_words(quote.text)} " for quote in sentence.quotes)


def _list_words(text: str) -> str:
    return " ".join(re.findall(r"[-+−±]?\d+(?:[.,]\d+)*|\w+", text))
