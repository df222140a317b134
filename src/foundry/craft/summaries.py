"""Extractive summaries of a source: title, sections, speakers, central statements.

The fallback where no language model writes summaries. Sentences, table rows and turns of speech are
taken whole; nothing is rephrased, shortened or combined.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundry.analysis import analyse, find_sentences
from foundry.ports import CountTokens
from foundry.records import Block, Document
from foundry.text.headings import is_contents_line
from foundry.text.tables import TextRow, find_rows

_MAX_STATEMENTS = 4000
"""Scoring more takes seconds, and a sample says the same."""
_WHOLE = frozenset({"heading", "cue"})
"""Blocks that mean nothing without their neighbours."""

# The numbers below are guesses, judged by eye.
_MIN_TERMS, _MAX_CHARS = 3, 500
"""Shorter sentences say too little for a summary, and longer ones take too much of it."""

_DUPLICATE_OVERLAP = 0.6
"""Two statements are near duplicates if they share more of their terms (Jaccard index)."""

_LABELS = {"nl": ("Onderdelen", "Sprekers"), "en": ("Sections", "Speakers")}
_LEAD, _OPENING, _ROW, _PARTIAL = 1.3, 1.2, 0.7, 0.5
"""Weights of the first sentence of a section, the first 5 % of a document, a row, a fragment."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence, row or cue with its offset in the document, its terms and its weight."""

    place: int
    text: str
    terms: frozenset[str]
    weight: float


def summarise(document: Document, language: str, count: CountTokens, max_tokens: int) -> str:
    """A summary of at most ``max_tokens`` tokens, in reading order; "" for an empty document.

    Statements are chosen by the similarity of their terms to the whole document's (TF-IDF
    centroid; Radev et al., "Centroid-based summarization", 2004), with a preference for those that
    open a section; near duplicates are dropped. Documents of more than 4,000 statements are sampled
    evenly.
    """
    head = _build_head(document, language, count, max_tokens)
    statements = _sample_statements(list(_extract_statements(document, language)))
    chosen: list[_Statement] = []
    left = max_tokens - sum(count(part) + 2 for part in head)
    for statement in _rank_by_centrality(statements):
        tokens = count(statement.text) + 1
        if tokens <= left and not any(_is_near_duplicate(statement, other) for other in chosen):
            chosen.append(statement)
            left -= tokens
        if left < 8:
            break
    return _fit_summary(head, chosen, count, max_tokens)


def _fit_summary(
    head: list[str], chosen: list[_Statement], count: CountTokens, max_tokens: int
) -> str:
    """The joined parts, without the least central ones while the whole is too long."""
    while True:
        body = " ".join(s.text for s in sorted(chosen, key=lambda s: s.place))
        summary = "\n\n".join(part for part in (*head, body) if part)
        if count(summary) <= max_tokens or not (chosen or head):
            return summary
        (chosen or head).pop()


def _build_head(
    document: Document, language: str, count: CountTokens, max_tokens: int
) -> list[str]:
    """Title, section list and speakers, in at most half of the budget."""
    sections, speakers = _LABELS.get(language, _LABELS["en"])
    left = max_tokens // 2
    head: list[str] = []
    for label, names in (
        ("", [document.title.strip()]),
        (sections, _collect_section_names(document)),
        (speakers, _collect_speakers(document)),
    ):
        line = _join_names(label, [name for name in names if name], count, left)
        if line:
            head.append(line)
            left -= count(line) + 2
    return head


def _join_names(label: str, names: Sequence[str], count: CountTokens, tokens: int) -> str:
    """As many names as fit, as "Label: a; b; c", with "…" for the others."""
    line = ""
    for name in names:
        longer = f"{line}; {name}" if line else f"{label}: {name}" if label else name
        if count(longer) + 2 > tokens:
            return f"{line}; …" if line else ""
        line = longer
    return line


def _collect_section_names(document: Document) -> list[str]:
    """The headings of the two shallowest levels, without the title."""
    headings = [
        (block.level or 6, " ".join(document.text[block.start : block.end].split()).lstrip("# "))
        for block in document.blocks
        if block.kind == "heading"
    ]
    headings = [(level, name) for level, name in headings if name != document.title.strip()]
    levels = sorted({level for level, _ in headings})
    # Next to many chapters there is no room for their sections.
    shown = levels[:1] if sum(level in levels[:2] for level, _ in headings) > 24 else levels[:2]
    return list(dict.fromkeys(name for level, name in headings if level in shown))


def _collect_speakers(document: Document) -> list[str]:
    spoken = Counter(block.speaker for block in document.blocks if block.speaker)
    return [name for name, _ in spoken.most_common(12)]


def _extract_statements(document: Document, language: str) -> Iterator[_Statement]:
    total = max(1, len(document.text))
    opens = False
    for place, text, block in _split_passages(document, language):
        if block.kind == "heading":
            opens = True
            continue
        terms = frozenset(analyse(text, language))
        if len(terms) >= _MIN_TERMS and len(text) <= _MAX_CHARS:
            weight = _LEAD if opens else 1.0
            weight *= _OPENING if place < total // 20 else 1.0
            weight *= _ROW if block.kind == "table" else 1.0
            # A sentence without its beginning, or one that announces what does not follow.
            weight *= _PARTIAL if text[0].islower() or text.endswith(":") else 1.0
            yield _Statement(place, text, terms, weight)
        opens = False


def _split_passages(document: Document, language: str) -> Iterator[tuple[int, str, Block]]:
    """Offset, words and block of every sentence, row, turn and heading."""
    turn: list[Block] = []
    for block in _sample_blocks(document.blocks):
        if turn and (block.kind != "cue" or block.speaker != turn[0].speaker or len(turn) > 40):
            yield from _split_turn(document, turn, language)
            turn = []
        words = document.text[block.start : block.end]
        if block.kind == "cue":
            turn.append(block)
        elif block.kind == "heading":
            yield block.start, words, block
        elif block.kind not in {"code", "contents"}:
            yield from _split_block(words, block, language)
    yield from _split_turn(document, turn, language)


def _split_block(words: str, block: Block, language: str) -> Iterator[tuple[int, str, Block]]:
    if block.kind == "table":
        rows = find_rows(words, 0)
        said = [(row.start, row.end, _join_cells(words, row)) for row in rows]
    else:
        spans = find_sentences(words, language)
        said = [(start, end, " ".join(words[start:end].split())) for start, end in spans]
    for start, end, text in said:
        if not is_contents_line(words[start:end]):
            yield block.start + start, text, block


def _join_cells(words: str, row: TextRow) -> str:
    cells = (" ".join(words[slice(*cell)].split()) for cell in row.cells)
    return f"{', '.join(cell for cell in cells if any(map(str.isalnum, cell)))}."


def _sample_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """All headings, what follows them directly, and all cues; about 4,000 of the other blocks."""
    others = sum(block.kind not in _WHOLE for block in blocks)
    step, number, opens = max(1, -(-others // _MAX_STATEMENTS)), 0, False
    for block in blocks:
        if block.kind in _WHOLE:
            yield block
        else:
            if opens or number % step == 0:
                yield block
            number += 1
        opens = block.kind == "heading"


def _split_turn(
    document: Document, turn: Sequence[Block], language: str
) -> Iterator[tuple[int, str, Block]]:
    cues = [" ".join(document.text[block.start : block.end].split()) for block in turn]
    spoken = " ".join(cues)
    spans = find_sentences(spoken, language)
    if any(end - start > _MAX_CHARS for start, end in spans):
        # Speech without punctuation has no boundaries but its cues.
        yield from ((block.start, cue, block) for block, cue in zip(turn, cues, strict=True))
        return
    yield from ((turn[0].start + start, spoken[start:end], turn[0]) for start, end in spans)


def _sample_statements(statements: list[_Statement]) -> list[_Statement]:
    step = -(-len(statements) // _MAX_STATEMENTS)
    return statements[:: max(1, step)]


def _rank_by_centrality(statements: Sequence[_Statement]) -> list[_Statement]:
    """Best first: cosine of a statement's TF-IDF vector with the sum of all."""
    frequency = Counter(term for statement in statements for term in statement.terms)
    # A term in one statement says nothing about the document; one in all distinguishes none.
    idf = {term: math.log(1 + len(statements) / times) for term, times in frequency.items()}
    centroid = {term: times * idf[term] for term, times in frequency.items() if times > 1}

    def score(statement: _Statement) -> float:
        # The terms have no order, and a plain sum of floats depends on one.
        shared = math.fsum(centroid.get(term, 0.0) * idf[term] for term in statement.terms)
        length = math.sqrt(math.fsum(idf[term] ** 2 for term in statement.terms))
        return statement.weight * shared / length

    return sorted(statements, key=lambda statement: (-score(statement), statement.place))


def _is_near_duplicate(one: _Statement, other: _Statement) -> bool:
    shared = len(one.terms & other.terms)
    return shared > _DUPLICATE_OVERLAP * (len(one.terms) + len(other.terms) - shared)
