"""Reading chunks with their texts and blocks, which are stored with the source."""

from __future__ import annotations

from collections.abc import Iterable

from foundry.records import Block, Chunk
from foundry.store.relational.database import Transaction
from foundry.store.rows import SEGMENT, Row, encode_json, read_block, read_chunk


def read_chunks(db: Transaction, rows: Iterable[Row]) -> list[Chunk]:
    """The chunks of ``rows``, in their order, in two statements."""
    rows = list(rows)
    texts: list[list[str]] = [[] for _ in rows]
    spans = [(row["source"], row["char_start"], row["char_end"]) for row in rows]
    values = {"spans": encode_json(spans), "segment": SEGMENT}
    for number, text in db.run("text_spans", values):
        texts[number].append(text)
    blocks: list[list[Block]] = [[] for _ in rows]
    places = [(row["source"], row["first_block"], row["last_block"]) for row in rows]
    for number, *block in db.run("block_ranges", (encode_json(places),)):
        blocks[number].append(read_block(tuple(block)))
    return [
        read_chunk(row, "".join(texts[number]), tuple(blocks[number]))
        for number, row in enumerate(rows)
    ]


def read_blocks(db: Transaction, source: int, first: int, last: int) -> list[Block]:
    """The blocks of a source from position ``first`` up to, not including, ``last``."""
    return [read_block(row) for row in db.run("blocks_between", (source, first, last))]
