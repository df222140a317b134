"""Where a passage has the words that a model quoted: a quote that is not there does not count."""

from __future__ import annotations

import re

from foundry.craft.grounding.verification import find_quote
from foundry.records import Block, Evidence, Quote
from foundry.text.passages import build_quote, build_quotes, find_passages, join_quotes
from foundry.text.spotlight import unescape

_MIN_QUOTE_LENGTH = 3
"""Shorter quotes prove nothing: they occur anywhere. A guess."""

_LINE_MARK = re.compile(r"(?:^|\n)[ \t]*S\d{1,4}\|[ \t]?")
_ELLIPSIS = re.compile(r"\s*(?:\[(?:…|\.{3})\]|…|\.{3})\s*")
_QUOTES = "\"'“”‘’«»„`"
_ALIKE = str.maketrans("“”„«»‘’‚`´–—−‐‑\u00a0\u202f\u2009\u00ad", "\"\"\"\"\"'''''-----    ")


def locate_quotes(words: str, evidence: Evidence) -> tuple[Quote, ...]:
    """The places of a model's quote in a passage, one for each part between ellipses.

    White space, case, the forms of dashes and quotation marks are no difference, nor is the name of
    the speaker before a line. Empty if any part is absent or the parts are in another order.
    """
    plain = unescape(_LINE_MARK.sub(" ", words)).strip().strip(_QUOTES).strip()
    for speaker in {block.speaker for block in evidence.hit.chunk.blocks if block.speaker}:
        # The file may name the speaker in another way.
        plain = plain.removeprefix(f"{speaker}:").strip()
    parts = [part for part in _ELLIPSIS.split(plain) if part]
    found: list[Quote] = []
    offset = 0
    for part in parts:
        quote = _locate(part, evidence, offset)
        if quote is None:
            return ()
        found.append(quote)
        offset = quote.end - evidence.hit.chunk.start
    return tuple(found)


def complete_quote(quote: Quote, evidence: Evidence) -> tuple[Quote, ...]:
    """The sentence, list item or row in which a quote stands, which half of it may mislead about."""
    touched = [
        one
        for one in find_passages(evidence.hit.chunk)
        if one.start < quote.end and quote.start < one.end and one.kind != "heading"
    ]
    whole = [part for one in touched for part in build_quotes(one, evidence)]
    return join_quotes(whole, evidence.hit.chunk) or (quote,)


def locate_quote(words: str, evidence: Evidence) -> Quote | None:
    """The one place of a model's quote in a passage; None if it is absent or has gaps."""
    found = locate_quotes(words, evidence)
    return found[0] if len(found) == 1 else None


def _locate(part: str, evidence: Evidence, offset: int) -> Quote | None:
    chunk = evidence.hit.chunk
    pattern = r"\s+".join(map(re.escape, part.translate(_ALIKE).split()))
    if len(part) < _MIN_QUOTE_LENGTH or not pattern:
        return None
    match = re.compile(pattern, re.IGNORECASE).search(chunk.text.translate(_ALIKE), offset)
    if match is not None:
        start, end = chunk.start + match.start(), chunk.start + match.end()
        return build_quote(evidence, (start, end), _find_block(evidence, start))
    # The prompt shows the passage as it was prepared for reading, such as with a table's header.
    if re.search(pattern, chunk.content.translate(_ALIKE), re.IGNORECASE):
        return find_quote(part, evidence, chunk.language)
    return None


def _find_block(evidence: Evidence, start: int) -> Block:
    chunk = evidence.hit.chunk
    inside = [block for block in chunk.blocks if block.start <= start < block.end]
    return inside[0] if inside else Block("paragraph", chunk.start, chunk.end, chunk.heading_path)
