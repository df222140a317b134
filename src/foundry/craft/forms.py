"""The declared form of a section: which lines of a source have it, and what a model wrote in it.

Only what is exact is decided here: where in a list of its source a step stands, and whether a source has
a quotation word for word. Whether something is a step at all is the writer's to say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from foundry.craft.excerpts import Line
from foundry.messages import Message
from foundry.records import (
    Block,
    Chunk,
    Evidence,
    Grounding,
    GroundingChange,
    SectionForm,
    Sentence,
)
from foundry.text.headings import find_label

_Place = tuple[int, int]
"""The number of a step's list, and where its words begin in their source."""


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


def has_form(lines: Sequence[Line], form: SectionForm | None) -> bool:
    """Whether what a source says in these lines is of the form."""
    kinds = [line.passage.kind for line in lines]
    match form:
        case "prose":
            return not {"list_item", "table"} & set(kinds)
        case "steps":
            return kinds.count("list_item") > 1
        case "list":
            labelled = sum(find_label(line.text) is not None for line in lines if not line.cells)
            return kinds.count("list_item") > 1 or labelled > 1
        case "table":
            return any(line.cells for line in lines)
        case "figures":
            return "caption" in kinds
    return True


def select_lines(form: SectionForm | None, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Of figures only the captions."""
    captions = tuple(line for line in lines if line.passage.kind == "caption")
    return captions if form == "figures" and captions else lines


def _order_steps(
    sentences: Sequence[Sentence], evidence: Sequence[Evidence]
) -> tuple[Sentence, ...]:
    """The sentences with the items of each list in its order, at the places that they have.

    A sentence that rests on no list item, or on those of two lists, stays where it is.
    """
    items = _find_items(evidence)
    places = [_find_place(sentence, items) for sentence in sentences]
    by_list = defaultdict[int, list[int]](list)
    for number, place in enumerate(places):
        if place is not None:
            by_list[place[0]].append(number)
    ordered = list(sentences)
    for numbers in by_list.values():
        inside = sorted(numbers, key=lambda number: (places[number], number))
        for number, other in zip(numbers, inside, strict=True):
            ordered[number] = sentences[other]
    return tuple(ordered)


def _find_items(evidence: Sequence[Evidence]) -> dict[str, list[tuple[Block, int]]]:
    """The list items of each piece of evidence, with the number of their list.

    A list may go on in the next chunk of its source.
    """
    found = sorted(
        ((item, block) for item in evidence for block in item.hit.chunk.blocks),
        key=lambda pair: (pair[0].hit.source.id, pair[1].start, pair[0].hit.chunk.position),
    )
    items = defaultdict[str, list[tuple[Block, int]]](list)
    number = 0
    before: Chunk | None = None
    for item, block in found:
        chunk, listed = item.hit.chunk, block.kind == "list_item"
        if not listed or before is None or not is_beside(before, chunk):
            number += 1
        if listed:
            items[item.id].append((block, number))
        before = chunk
    return items


def is_beside(before: Chunk, chunk: Chunk) -> bool:
    """Whether a chunk is the same as the one before or follows it in its source."""
    return before.source_id == chunk.source_id and chunk.position - before.position <= 1


def _find_place(
    sentence: Sentence, items: Mapping[str, Sequence[tuple[Block, int]]]
) -> _Place | None:
    places = {
        (number, quote.start)
        for quote in sentence.quotes
        for block, number in items.get(quote.evidence_id, ())
        if block.start <= quote.start < block.end
    }
    return min(places) if len({number for number, _ in places}) == 1 else None


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
