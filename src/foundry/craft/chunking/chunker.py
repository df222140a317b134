"""A document's blocks → chunks: the units of retrieval.

What is promised, for bounds of L–M tokens and an overlap of l–m:

- A chunk is a slice of the source text, from the start of its first block (or piece of a
  block) to the end of its last. All chunks together hold every block.
- No chunk has more than M tokens. One has fewer than L only where its document, top
  section or stretch ends, or before a table or listing that is kept whole. Only a run of
  headings longer than a chunk makes one of headings alone.
- Small sections share a chunk. Between L and M tokens a chunk closes where the highest
  heading begins, else between paragraphs or speakers, else between items, cues or
  sentences; a heading goes with what follows it, "as follows:" with its list.
- A chunk that begins within a section repeats l–m tokens of what came before in that
  section, in whole sentences, rows, lines or cues; never more than m, and less than l where
  whole ones do not add up to it. A chunk that begins at a heading repeats nothing.
- Tables and listings longer than M split between rows and lines. The header row stands in
  the first piece only, for a chunk is a slice; heading and caption keep naming the table.
- Equal closing places are chosen by a hash of the words that follow; each large top
  section starts afresh, and long stretches do so at anchors that their words alone
  determine, so that an edit changes the chunks around it and no others (content-defined
  chunking; Muthitacharoen et al., "A Low-bandwidth Network File System", SOSP 2001).

Nothing is rewritten here, no context is added (``prefix`` stays empty), no language is
guessed, and a chunk never holds two sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from foundry.craft.chunking.packer import ChunkLimits, Content, Packer
from foundry.craft.chunking.pieces import cut_pieces, split_groups
from foundry.ids import make_chunk_id
from foundry.ports import CountTokens
from foundry.records import Block, Chunk, Document

CHUNKER_VERSION = 1
"""Raised when the same document gives other chunks: sources are then made anew."""


def chunk_document(
    document: Document,
    *,
    source_id: str,
    language: str,
    title: str,
    count: CountTokens,
    bounds: tuple[int, int],
    overlap: tuple[int, int],
) -> list[Chunk]:
    """The chunks of a document in reading order; the same input gives the same chunks.

    ``bounds`` and ``overlap`` are tokens of ``count``. A chunk's ``headings`` leave out
    ``title``, which is indexed on its own. A document with text and no blocks counts as
    one paragraph; one without text has no chunks. Time is linear in its length.
    """
    blocks = document.blocks or (Block("paragraph", 0, len(document.text)),)
    limits = ChunkLimits(*bounds, *overlap)
    content = Content(document.text, blocks)
    pieces = cut_pieces(document.text, blocks, language, count, limits.most)
    groups = split_groups(pieces, limits.least, limits.most)
    spans = Packer(pieces, content, count, limits).pack(groups)
    occurrences: dict[str, int] = {}
    chunks: list[Chunk] = []
    for position, span in enumerate(spans):
        text = document.text[span.start : span.end]
        occurrences[text] = occurrences.get(text, -1) + 1
        inside = content.blocks(span.start, span.end)
        chunks.append(
            Chunk(
                id=make_chunk_id(source_id, text, occurrences[text]),
                source_id=source_id,
                position=position,
                start=span.start,
                end=span.end,
                text=text,
                content=span.content,
                tokens=span.tokens,
                language=language,
                heading_path=_find_shared_path(inside),
                headings=_collect_headings(inside, title),
                blocks=inside,
            )
        )
    return chunks


def _find_shared_path(blocks: Sequence[Block]) -> tuple[str, ...]:
    levels = zip(*(block.heading_path for block in blocks), strict=False)
    return tuple(names[0] for names in takewhile(lambda names: len(set(names)) == 1, levels))


def _collect_headings(blocks: Sequence[Block], title: str) -> tuple[str, ...]:
    names = dict.fromkeys(name for block in blocks for name in block.heading_path)
    return tuple(name for name in names if name != title)
