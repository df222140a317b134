"""A large generated project: chunks of words drawn as in natural text, with random vectors.

Term frequencies follow Zipf's law, so that a query meets frequent and rare terms alike. One
source in ten is secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import numpy as np

from foundry.ids import hash_text, make_chunk_id, make_source_id
from foundry.ports import ChunkVectors, Store, Vectors
from foundry.records import Block, Chunk, Source, Summary
from foundry.store import open_store

PROJECT = "prj_large"
MODEL = "bench/random"
DIMENSION = 384
WINDOWS = 4
WORDS = 120
VOCABULARY = 30_000
PER_SOURCE = 100

_WHEN = datetime(2026, 3, 1, tzinfo=UTC)
_BATCH = 2000


def open_large(root: Path) -> Store:
    """The store of a generated project."""
    return open_store("sqlite:///.foundry/foundry.db", root, PROJECT)


def build_large(root: Path, chunks: int) -> None:
    """Create a project of that many chunks under ``root``."""
    rng = np.random.default_rng(7)
    store = open_large(root)
    for number in range(chunks // PER_SOURCE):
        texts = [write_words(rng, WORDS) for _ in range(PER_SOURCE)]
        store.save_source(*_make_source(number, texts))
    store.open_index(MODEL, DIMENSION, "random")
    pending: Iterator[tuple[int, Chunk]] = _list_pending(store)
    while batch := [chunk for _, chunk in islice(pending, _BATCH)]:
        store.save_vectors(MODEL, [(chunk, _draw_vectors(rng)) for chunk in batch])
    store.close()


def write_words(rng: np.random.Generator, count: int) -> str:
    """Made-up words; the n-th most frequent occurs in proportion to 1/n."""
    ranks = (VOCABULARY ** rng.random(count)).astype(int)
    return " ".join(f"w{rank}x" for rank in ranks)


def draw_query(rng: np.random.Generator) -> Vectors:
    """A random vector of length 1."""
    return _normalise(rng.standard_normal((1, DIMENSION), dtype=np.float32))[0]


def _draw_vectors(rng: np.random.Generator) -> ChunkVectors:
    windows = _normalise(rng.standard_normal((WINDOWS, DIMENSION), dtype=np.float32))
    return ChunkVectors(_normalise(windows.mean(axis=0, keepdims=True))[0], windows)


def _normalise(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def _list_pending(store: Store) -> Iterator[tuple[int, Chunk]]:
    after = 0
    while rows := store.pending_chunks(MODEL, _BATCH, after):
        yield from rows
        after = rows[-1][0]


def _make_source(
    number: int, texts: list[str]
) -> tuple[Source, str, list[Block], list[Chunk], Summary]:
    path = f"sources/{number:05d}.txt"
    identity = make_source_id(PROJECT, path)
    blocks: list[Block] = []
    chunks: list[Chunk] = []
    start = 0
    for position, text in enumerate(texts):
        block = Block("paragraph", start, start + len(text))
        blocks.append(block)
        chunks.append(
            Chunk(
                id=make_chunk_id(identity, text, 0),
                source_id=identity,
                position=position,
                start=block.start,
                end=block.end,
                text=text,
                content=text,
                tokens=len(text.split()),
                language="en",
                blocks=(block,),
            )
        )
        start = block.end + 1
    whole = "\n".join(texts)
    source = Source(
        id=identity,
        path=path,
        content_hash=hash_text(whole),
        title=f"File {number}",
        type="txt",
        language="en",
        size=len(whole),
        modified=_WHEN,
        ingested=_WHEN,
        chunks=len(chunks),
        confidentiality="secret" if number % 10 == 9 else "internal",
    )
    return source, whole, blocks, chunks, Summary(identity, "", "none")
