"""The passages of a chunk that can be quoted: sentences, list items, table rows, spoken sentences.

Each keeps the exact spans of its words in the source, so a quote is always verbatim. A sentence
that continues over two cues or over a page break has two spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial

from foundry.analysis import find_sentences
from foundry.records import (
    Block,
    BlockKind,
    Chunk,
    Evidence,
    Quote,
    Recognition,
    join_recognitions,
)
from foundry.text.tables import find_cells, find_lines, find_rows, label_row

TextSpan = tuple[int, int]

_ENDS = re.compile(r"[.!?…:;]['\"”’»)\]*_]*$")
_LABELLED = re.compile(r"([^:]{1,60}): (.+)")
_ITEM_MARK = re.compile(r"(?:[-*+•·▪◦‣–—]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)°])\s+\S")
# Characters: about three lines on a screen, and where to cut longer speech.
_MAX_SPOKEN = 320
_MIN_SPOKEN_PART = 240


@dataclass(frozen=True, slots=True)
class Passage:
    """A quotable passage: its words on one line, their spans, and the block of each span.

    ``cells`` are the spans of a table row's cells and ``header`` those of the lines that name its
    columns, if they are in the chunk; ``labels`` is True for a row that only labels others.
    ``columns`` are its cells as (label, words), its own name first; a label is "" where nothing says
    it. Numbers get the unit of their table.
    ``run`` numbers the running text that it belongs to, so that neighbours of one run can be read
    together. ``cut`` is True if the chunk begins or ends inside it.
    """

    kind: BlockKind
    text: str
    spans: tuple[TextSpan, ...]
    blocks: tuple[Block, ...]
    run: int
    cells: tuple[TextSpan, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    header: tuple[TextSpan, ...] = ()
    labels: bool = False
    cut: bool = field(default=False)

    @property
    def start(self) -> int:
        """The offset of its first character in the source text."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """The offset after its last character in the source text."""
        return self.spans[-1][1]

    @property
    def place(self) -> Block:
        """The block of its first word."""
        return self.blocks[0]


@dataclass(frozen=True, slots=True)
class _BlockPart:
    """The part of a block that the chunk contains."""

    block: Block
    start: int
    end: int
    text: str


@lru_cache(maxsize=256)
def find_passages(chunk: Chunk) -> tuple[Passage, ...]:
    """The passages of a chunk in reading order, headings included."""
    passages: list[Passage] = []
    for number, run in enumerate(_split_runs(chunk)):
        kind = run[0].block.kind
        if kind == "table":
            made = _find_rows(run[0], number)
        elif kind in {"heading", "code"}:
            made = [_build_passage(run, 0, len(run[0].text), number)]
        else:
            made = _find_sentences(run, number, chunk.language)
        passages.extend(_mark_cut(passage, chunk) for passage in made if passage.text)
    return tuple(_mark_typed_items(passages))


def _mark_typed_items(passages: Sequence[Passage]) -> Iterator[Passage]:
    """The passages, with the items of typed lists as list items.

    "a. …" or "2) …" after a sentence that ends in a colon, or after such an item: many contracts
    and mails have lists without list formatting. Later sentences of an item's block belong to it.
    """
    opened, item = False, None
    for passage in passages:
        here = item is not None and item.place is passage.place
        marked = passage.kind == "paragraph" and _ITEM_MARK.match(passage.text)
        if marked and (opened or item is not None):
            item = passage
        elif passage.kind != "paragraph" or not here:
            item = None
        whole = here and item is not None and item.start == passage.place.start
        yield replace(passage, kind="list_item") if item is passage or whole else passage
        opened = passage.text.rstrip("*_ ").endswith(":")


@lru_cache(maxsize=64)
def find_lines_and_passages(chunk: Chunk) -> tuple[Passage, ...]:
    """The passages of a chunk, with each line of code that has words as one of its own."""
    return tuple(
        part
        for passage in find_passages(chunk)
        for part in (_split_code(passage, chunk) if passage.kind == "code" else (passage,))
    )


def _split_code(passage: Passage, chunk: Chunk) -> Iterator[Passage]:
    text = chunk.cut(passage.start, passage.end)
    for start, end in find_lines(text):
        line = " ".join(text[start:end].split())
        if re.search(r"\w{2}", line) and not line.startswith("```"):
            span = (passage.start + start, passage.start + end)
            yield replace(passage, text=line, spans=(span,), cut=False)


def build_quotes(passage: Passage, evidence: Evidence) -> tuple[Quote, ...]:
    """The passage's exact words: one quote, or one for each page or cue that it covers."""
    pairs = zip(passage.spans, passage.blocks, strict=True)
    return join_quotes([build_quote(evidence, *pair) for pair in pairs], evidence.hit.chunk)


def join_quotes(quotes: Sequence[Quote], chunk: Chunk) -> tuple[Quote, ...]:
    """Sorts the quotes of one chunk and joins those that overlap or touch on one page."""
    joined: list[Quote] = []
    for quote in sorted(quotes, key=lambda quote: (quote.start, -quote.end)):
        last = joined[-1] if joined else None
        adjoins = (
            last is not None
            and last.page == quote.page
            and (quote.start <= last.end or not chunk.cut(last.end, quote.start).strip())
        )
        if last is None or not adjoins:
            joined.append(quote)
            continue
        end = max(last.end, quote.end)
        recognition = join_recognitions((last.recognition, quote.recognition))
        corrections = tuple(dict.fromkeys((*last.corrections, *quote.corrections)))
        joined[-1] = replace(
            last,
            text=chunk.cut(last.start, end),
            end=end,
            recognition=recognition,
            corrections=corrections,
            doubtful=tuple(dict.fromkeys((*last.doubtful, *quote.doubtful))),
        )
    return tuple(joined)


def build_quote(evidence: Evidence, span: TextSpan, block: Block) -> Quote:
    """The source's words in ``span``, with the page, section and time of their block."""
    text = evidence.hit.chunk.cut(*span)
    return Quote(
        evidence_id=evidence.id,
        text=text,
        start=span[0],
        end=span[1],
        page=block.page,
        page_label=block.page_label,
        section=block.heading_path[-1] if block.heading_path else None,
        time=block.time_start,
        box=block.box,
        recognition=_narrow_recognition(block.recognition, text),
        corrections=tuple(
            part for part in block.corrections if part.start < span[1] and span[0] < part.end
        ),
        doubtful=_list_doubtful(block, span),
    )


def _list_doubtful(block: Block, span: TextSpan) -> tuple[str, ...]:
    """Return the distinct table values in a span whose labels are in doubt."""
    cells = find_cells(block.table, *span) if block.table else ()
    return tuple(dict.fromkeys(cell.value for cell in cells if not cell.certain))


def _narrow_recognition(recognition: Recognition | None, text: str) -> Recognition | None:
    """How surely OCR read a part of a block: its doubts are those about words in the part."""
    if recognition is None:
        return None
    words = _space_words(text)
    doubts = (doubt for doubt in recognition.doubts if _space_words(doubt.read) in words)
    return replace(recognition, doubts=tuple(doubts))


def _space_words(text: str) -> str:
    return f" {' '.join(word.strip('.,;:') or word for word in text.split())} "


def _split_runs(chunk: Chunk) -> Iterator[list[_BlockPart]]:
    """Blocks that read as one text: cues of one speaker, a paragraph across a page break."""
    run: list[_BlockPart] = []
    for piece in _split_blocks(chunk):
        if run and not _is_continued(run[-1], piece):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _split_blocks(chunk: Chunk) -> Iterator[_BlockPart]:
    blocks = chunk.blocks or (
        Block("paragraph", chunk.start, chunk.end, heading_path=chunk.heading_path),
    )
    for block in blocks:
        start, end = max(block.start, chunk.start), min(block.end, chunk.end)
        text = chunk.cut(start, end)
        if text.strip():
            yield _BlockPart(block, start, end, text)


def _is_continued(before: _BlockPart, after: _BlockPart) -> bool:
    kind = before.block.kind
    if kind != after.block.kind:
        return False
    if kind == "cue":
        return before.block.speaker == after.block.speaker
    if kind != "paragraph" or _ENDS.search(before.text.rstrip()):
        return False
    return after.text.lstrip()[:1].islower()


def _find_sentences(run: Sequence[_BlockPart], number: int, language: str) -> list[Passage]:
    joined = " ".join(piece.text for piece in run)
    spans = _find_entries(joined) or find_sentences(joined, language)
    if run[0].block.kind == "cue" and len(run) > 1:
        spans = tuple(part for span in spans for part in _split_speech(run, span))
    return [_build_passage(run, start, end, number) for start, end in spans]


def _find_entries(text: str) -> tuple[TextSpan, ...]:
    """The lines of a text if every one is an entry ("Date: 5 March"), else none."""
    lines = tuple(match.span() for match in re.finditer(r"\S[^\n]*", text))
    labelled = all(_LABELLED.fullmatch(text, *line) for line in lines)
    return lines if labelled and len(lines) > 1 else ()


def _split_speech(run: Sequence[_BlockPart], span: TextSpan) -> Iterator[TextSpan]:
    """Splits speech without full stops at cues, into parts short enough to show."""
    start, end = span
    if end - start <= _MAX_SPOKEN:
        yield span
        return
    offset = 0
    for piece in run:
        offset += len(piece.text) + 1
        if start < offset < end and offset - start >= _MIN_SPOKEN_PART:
            yield start, offset - 1
            start = offset
    yield start, end


def _build_passage(run: Sequence[_BlockPart], start: int, end: int, number: int) -> Passage:
    """The passage from ``start`` to ``end`` of the run's texts, joined by a space."""
    spans: list[TextSpan] = []
    blocks: list[Block] = []
    words: list[str] = []
    offset = 0
    for piece in run:
        first, last = max(start - offset, 0), min(end - offset, len(piece.text))
        part = piece.text[first:last] if first < last else ""
        if part.strip():
            lead = len(part) - len(part.lstrip())
            spans.append((piece.start + first + lead, piece.start + first + len(part.rstrip())))
            blocks.append(piece.block)
            words.extend(part.split())
        offset += len(piece.text) + 1
    kind = run[0].block.kind
    return Passage(kind, " ".join(words), tuple(spans), tuple(blocks), number)


def _find_rows(piece: _BlockPart, number: int) -> list[Passage]:
    table = piece.block.table
    header: list[TextSpan] = []
    rows: list[Passage] = []
    for row in find_rows(piece.text, piece.start, table.cells if table else ()):
        span = (row.start, row.end)
        text = " ".join(_read(piece, *span).split())
        labels = table is not None and not find_cells(table, *span)
        if labels and all(before.labels for before in rows):
            header.append(span)
        # The chunk's words: where marks were taken out of a text, they are not in a cell either.
        words = (_read(piece, *cell) for cell in row.cells)
        columns = label_row(table, *span, partial(_read, piece)) if table else _label_cells(words)
        rows.append(
            Passage(
                *("table", text, (span,), (piece.block,), number),
                cells=row.cells,
                columns=tuple(columns),
                header=() if labels else tuple(header),
                labels=labels,
            )
        )
    return rows


def _read(piece: _BlockPart, start: int, end: int) -> str:
    return piece.text[max(start - piece.start, 0) : max(end - piece.start, 0)]


def _label_cells(words: Iterable[str]) -> list[tuple[str, str]]:
    """The cells of a row that no table labels; rows of very long sheets do: ``Part: U7 | Price: 3``."""
    cells = [cell for one in words if (cell := " ".join(one.split()))]
    named = [_LABELLED.fullmatch(cell) for cell in cells]
    if len(named) > 1 and all(named):
        return [(match[1], match[2]) for match in named if match]
    return [("", cell) for cell in cells]


def _mark_cut(passage: Passage, chunk: Chunk) -> Passage:
    if passage.cells:
        return passage  # Tables are divided between rows.
    first, last = passage.blocks[0], passage.blocks[-1]
    starts_cut = passage.start <= chunk.start and first.start < chunk.start
    ends_cut = passage.end >= chunk.end and last.end > chunk.end
    opens = passage.text[:1].isupper() or passage.text[:1].isdigit()
    if (starts_cut and not opens) or (ends_cut and not _ENDS.search(passage.text)):
        return replace(passage, cut=True)
    return passage
