"""The rules' verdict on a statement: exact, contradicted, or open, with the nearest words.

Exact and contradicted rest on one sentence or row alone, see ``restatement``.
Everything else is open: a judge or a reader decides it, with the nearest sentence before them and
the words that it shares and lacks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from foundry.craft.comparison import Difference
from foundry.craft.grounding.restatement import (
    UnitComparison,
    compare_row,
    compare_sentence,
    explain,
)
from foundry.craft.grounding.source_units import Claim, SourceUnit, Token, list_units, read_words
from foundry.messages import Message
from foundry.records import Chunk, Evidence, Quote
from foundry.text.passages import build_quote, build_quotes, find_passages, join_quotes

_VALUE_WEIGHT = 2.0
"""A value or name is rarer than a word. It only orders passages."""

_ENDS = ".!?…"
_CLOSERS = "\"'”’»)*_ "


@dataclass(frozen=True, slots=True)
class Finding:
    """What the rules say of a statement, and the words that say it.

    ``exact``: one sentence or row says it; ``contradicted``: one says the same with another value,
    name or polarity; ``open``: neither. ``quotes`` are that sentence or row, or the nearest one;
    ``nearness`` (0-1) is the share of the statement's words in it. ``said`` and ``differs`` are the
    words of the statement and of the source where only they differ. ``shared`` and ``missing`` are
    the words, names and values of the statement that the quote and its headings have and lack.
    """

    verdict: Literal["exact", "contradicted", "open"]
    reason: Message
    quotes: tuple[Quote, ...] = ()
    nearness: float = 0.0
    said: str | None = None
    differs: str | None = None
    shared: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def verify_statement(text: str, evidence: Sequence[Evidence], language: str) -> Finding:
    """The verdict on one statement in a ``language``; each piece of evidence is read once."""
    tokens = read_words(text, language)
    if not any(token.weight >= 1 for token in tokens):
        return Finding("open", Message("claim-says-nothing"))
    units = [unit for item in evidence for unit in list_units(item, language)]
    if not units:
        return Finding("open", Message("claim-no-sentence"), missing=_list_texts(tokens))
    units.sort(key=lambda unit: -_measure_nearness(tokens, unit))
    claim = Claim(text, tokens, language)
    compared = [(unit, _compare(claim, unit, units)) for unit in units]
    says = next((unit for unit, found in compared if found.says), None)
    if says is not None:
        shared = _list_texts(tokens)
        return Finding("exact", Message("claim-exact"), _quote(says), 1.0, shared=shared)
    verbatim = _find_verbatim(text, evidence)
    if verbatim:
        words = tuple(dict.fromkeys(token.text for token in tokens))
        return Finding("exact", Message("claim-word-for-word"), verbatim, 1.0, shared=words)
    differing = [(unit, found.difference) for unit, found in compared if found.difference]
    differing.sort(key=lambda pair: not pair[1].certain)
    if differing:
        return _build_differing(tokens, *differing[0])
    return _build_finding("open", Message("claim-open"), tokens, units[0])


def find_quote(claim: str, evidence: Evidence, language: str) -> Quote | None:
    """The sentence or row nearest to a claim in words; None if it shares none with any."""
    tokens = read_words(claim, language)
    units = list_units(evidence, language)
    best = max(units, key=lambda unit: _measure_nearness(tokens, unit), default=None)
    if best is None or _measure_nearness(tokens, best) <= 0:
        return None
    return max(_quote(best), key=lambda quote: len(quote.text))


def _compare(claim: Claim, unit: SourceUnit, units: Sequence[SourceUnit]) -> UnitComparison:
    found = compare_sentence(claim.text, claim.tokens, unit)
    if unit.row is None:
        return found
    return found if found.says and unit.row.certain else compare_row(claim, unit, units)


def _measure_nearness(tokens: Sequence[Token], unit: SourceUnit) -> float:
    """The share of a statement's words, by weight, that a unit or its headings have."""
    found = sum(_weigh(token) for token in tokens if _is_in(token, unit))
    return found / (sum(map(_weigh, tokens)) or 1.0)


def _weigh(token: Token) -> float:
    if token.weight < 1:
        return 0.0
    marked = token.quantity is not None or not token.text.islower()
    return _VALUE_WEIGHT if marked else 1.0


def _is_in(token: Token, unit: SourceUnit) -> bool:
    if token.quantity is None:
        return token.key in unit.known
    return any(token.key == quantity.key for quantity in unit.quantities)


def _build_finding(
    verdict: Literal["exact", "contradicted", "open"],
    reason: Message,
    tokens: Sequence[Token],
    unit: SourceUnit,
    difference: Difference | None = None,
) -> Finding:
    content = [token for token in tokens if token.weight >= 1]
    return Finding(
        verdict,
        reason,
        _quote(unit),
        round(_measure_nearness(tokens, unit), 4),
        difference.ours if difference else None,
        difference.theirs if difference else None,
        _list_texts([token for token in content if _is_in(token, unit)]),
        _list_texts([token for token in content if not _is_in(token, unit)]),
    )


def _build_differing(tokens: Sequence[Token], unit: SourceUnit, found: Difference) -> Finding:
    verdict: Literal["contradicted", "open"] = "contradicted" if found.certain else "open"
    return _build_finding(verdict, explain(found), tokens, unit, found)


def _list_texts(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(token.text for token in tokens if token.weight >= 1))


def _quote(unit: SourceUnit) -> tuple[Quote, ...]:
    chunk = unit.evidence.hit.chunk
    quotes = [quote for one in unit.passages for quote in build_quotes(one, unit.evidence)]
    return join_quotes(quotes, chunk)


def _find_verbatim(text: str, evidence: Sequence[Evidence]) -> tuple[Quote, ...]:
    """The statement's very words in running text, from the start of a sentence to the end of one.

    A statement may be cut into sentences otherwise than its source is.
    """
    pattern = _compile_words(" ".join(text.split()))
    for item in evidence:
        chunk = item.hit.chunk
        for match in pattern.finditer(chunk.text):
            start, end = match.start() + chunk.start, match.end() + chunk.start
            block = next((b for b in chunk.blocks if b.start <= start and end <= b.end), None)
            if block is None or block.kind in {"table", "heading", "code", "contents"}:
                continue
            ends = match[0].rstrip(_CLOSERS)[-1:] in _ENDS or end == block.end
            if ends and start in _list_starts(chunk):
                return (build_quote(item, (start, end), block),)
    return ()


@lru_cache(maxsize=64)
def _compile_words(text: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, text.split())))


@lru_cache(maxsize=256)
def _list_starts(chunk: Chunk) -> frozenset[int]:
    return frozenset(passage.start for passage in find_passages(chunk))
