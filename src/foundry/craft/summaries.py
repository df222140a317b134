"""Extractive summaries of a source: title, sections, speakers, and how its sections open.

The stand-in where no language model writes summaries, for readers alone: no prompt has it. Sentences,
table rows and turns of speech are taken whole; nothing is rephrased, shortened or combined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, zip_longest

from foundry.analysis import find_sentences
from foundry.ports import CountTokens
from foundry.records import Block, Document
from foundry.text.headings import is_contents_line
from foundry.text.table_layout import count_header_rows
from foundry.text.tables import TextRow, find_rows

_MOST_SECTIONS = 16
"""Sections that are read, or stretches of a text with hardly a heading: 500 tokens are some 16 sentences. A guess."""
_MOST_READ = 200
"""Statements that are read at most, which bounds the time."""
_MIN_WORDS, _MAX_CHARS = 4, 500
"""Shorter statements say too little for a summary, and longer ones take too much of it. Guesses."""

_LABELS = {"nl": ("Onderdelen", "Sprekers"), "en": ("Sections", "Speakers")}


def summarise(document: Document, language: str, count: CountTokens, max_tokens: int) -> str:
    """A summary of at most ``max_tokens`` tokens, in reading order; "" for an empty document.

    The first statement of each section, then the second ones, as many as fit. Of many sections some
    are read, spread over the document.
    """
    head = _build_head(document, language, count, max_tokens)
    chosen: dict[str, int] = {}
    left = max_tokens - sum(count(part) + 2 for part in head)
    for place, text in islice(_list_statements(document, language), _MOST_READ):
        tokens = count(text) + 1
        if tokens <= left and text not in chosen:
            chosen[text] = place
            left -= tokens
        if left < 8:
            break
    return _fit_summary(head, [(place, text) for text, place in chosen.items()], count, max_tokens)


def _fit_summary(
    head: list[str], chosen: list[tuple[int, str]], count: CountTokens, max_tokens: int
) -> str:
    """The joined parts, without the last chosen ones while the whole is too long."""
    while True:
        body = " ".join(text for _, text in sorted(chosen))
        summary = "\n\n".join(part for part in (*head, body) if part)
        if count(summary) <= max_tokens or not (chosen or head):
            return summary
        if chosen:
            chosen.pop()
        else:
            head.pop()


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


def _list_statements(document: Document, language: str) -> Iterator[tuple[int, str]]:
    """Offset and words of the first statement of each section, then of the second ones, and so on."""
    sections = (
        _split_passages(document, blocks, language) for blocks in _split_sections(document.blocks)
    )
    statements = (one for turn in zip_longest(*sections) for one in turn if one)
    return (
        (place, text)
        for place, text in statements
        if len(text.split()) >= _MIN_WORDS and len(text) <= _MAX_CHARS and not text.endswith(":")
    )


def _split_sections(blocks: Sequence[Block]) -> Iterator[Sequence[Block]]:
    """What precedes the first heading, then at most ``_MOST_SECTIONS`` stretches, each from a heading on.

    Of a text with hardly a heading they are as many blocks each.
    """
    headings = [number for number, block in enumerate(blocks) if block.kind == "heading"]
    starts = headings if len(headings) > 2 else range(len(blocks))
    step = max(1, -(-len(starts) // _MOST_SECTIONS))
    return (blocks[start:end] for start, end in pairwise([0, *starts[::step], len(blocks)]))


def _split_passages(
    document: Document, blocks: Sequence[Block], language: str
) -> Iterator[tuple[int, str]]:
    """Offset and words of every sentence, row and turn."""
    turn: list[Block] = []
    for block in blocks:
        if turn and (block.kind != "cue" or block.speaker != turn[0].speaker or len(turn) > 40):
            yield from _split_turn(document, turn, language)
            turn = []
        if block.kind == "cue":
            turn.append(block)
        elif block.kind not in {"heading", "code", "contents"}:
            yield from _split_block(document.text[block.start : block.end], block, language)
    yield from _split_turn(document, turn, language)


def _split_block(words: str, block: Block, language: str) -> Iterator[tuple[int, str]]:
    if block.kind == "table":
        rows = find_rows(words, 0)[count_header_rows(block) :]
        said = [(row.start, row.end, _join_cells(words, row)) for row in rows]
    else:
        spans = find_sentences(words, language)
        said = [(start, end, " ".join(words[start:end].split())) for start, end in spans]
    for start, end, text in said:
        if not is_contents_line(words[start:end]):
            yield block.start + start, text


def _join_cells(words: str, row: TextRow) -> str:
    cells = (" ".join(words[slice(*cell)].split()) for cell in row.cells)
    return f"{', '.join(cell for cell in cells if any(map(str.isalnum, cell)))}."


def _split_turn(
    document: Document, turn: Sequence[Block], language: str
) -> Iterator[tuple[int, str]]:
    cues = [" ".join(document.text[block.start : block.end].split()) for block in turn]
    spoken = " ".join(cues)
    spans = find_sentences(spoken, language)
    if any(end - start > _MAX_CHARS for start, end in spans):
        # Speech without punctuation has no boundaries but its cues.
        yield from ((block.start, cue) for block, cue in zip(turn, cues, strict=True))
        return
    yield from ((turn[0].start + start, spoken[start:end]) for start, end in spans)
