"""Where in a chunk a reader should look: the sentence that speaks to the query.

A chunk runs over several sections, pages and minutes; a citation should name the
section, page and time of the words that matter. Nothing here judges whether they
answer the question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from foundry.analysis import analyse, sentence_spans
from foundry.records import Block, Chunk, Focus

_HEADING_SHARE = 0.5
"""A term in the section's heading counts half of one in the sentence itself."""


def find_focus(chunk: Chunk, terms: Collection[str]) -> Focus:
    """The sentence (table row, cue) of the chunk that holds most of the analysed terms.

    Distinct terms count once; terms in the headings above count half; among equals
    the block that holds more of them wins, then the first. Without any match it is the
    first sentence under a heading that matches, else the first that is no heading.
    """
    wanted = frozenset(terms)
    best: tuple[float, int] = (0.0, 0)
    focus: Focus | None = None
    for block in chunk.blocks:
        if block.kind == "heading":
            continue
        words = _words(chunk, block)
        inside = len(_matches(words, chunk.language, wanted))
        if not inside:
            continue
        above = _matches(" ".join(block.heading_path), chunk.language, wanted)
        for start, end in _sentences(chunk, block, words):
            found = _matches(words[start:end], chunk.language, wanted)
            score = (len(found) + _HEADING_SHARE * len(above - found), inside)
            if found and score > best:
                best = score
                focus = _focus(block, block.start + start, block.start + end)
    return focus or _fallback(chunk, wanted)


def focus_at(chunk: Chunk, start: int, end: int) -> Focus:
    """The words from ``start`` to ``end`` of the source, with the place of the text they begin in."""
    within = [b for b in chunk.blocks if b.start < end and b.end > start]
    bodies = [block for block in within if block.kind != "heading"] or within
    if not bodies:
        return Focus(start, end, chunk.heading_path)
    return _focus(bodies[0], max(bodies[0].start, start), end)


def _fallback(chunk: Chunk, wanted: frozenset[str]) -> Focus:
    bodies = [block for block in chunk.blocks if block.kind != "heading"]
    under = [block for block in bodies if _matches(_deepest(block), chunk.language, wanted)]
    for block in [*under, *bodies, *chunk.blocks]:
        for start, end in _sentences(chunk, block, _words(chunk, block)):
            return _focus(block, block.start + start, block.start + end)
    return Focus(chunk.start, chunk.end, chunk.heading_path)


def _deepest(block: Block) -> str:
    return block.heading_path[-1] if block.heading_path else ""


def _focus(block: Block, start: int, end: int) -> Focus:
    return Focus(start, end, block.heading_path, block.page, block.page_label, block.time_start)


def _words(chunk: Chunk, block: Block) -> str:
    return chunk.text[block.start - chunk.start : block.end - chunk.start]


def _sentences(chunk: Chunk, block: Block, words: str) -> Iterator[tuple[int, int]]:
    if block.kind in ("cue", "caption"):
        yield 0, len(words)
    else:
        yield from sentence_spans(words, chunk.language)


def _matches(text: str, language: str, wanted: frozenset[str]) -> frozenset[str]:
    return wanted.intersection(analyse(text, language))
