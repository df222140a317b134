"""Generated projects for measuring stores: text by Zipf's law in three languages, clustered vectors.

A source has its own topic, which shows in a third of its words and in all of its vectors. Vectors vary
in ``LATENT`` directions, as those of a language model do, and not in all 384 alike. The same seed
gives the same project everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import numpy as np

from foundry.ids import hash_text, make_chunk_id, make_source_id
from foundry.ports import ChunkVectors, Vectors
from foundry.records import CONFIDENTIALITY_LEVELS, Block, Chunk, Confidentiality, Source, Summary
from foundry.store import Store
from foundry.store.text_ranking import describe_source, make_terms

PROJECT = "prj_stores"
MOST, SOME, THREE = "most", "some", "three"
"""Tags of 90 % of the sources, of 10 %, and of one with three chunks."""
MODEL = "bench/clustered"
FINGERPRINT = "generated"
DIMENSION = 384
WINDOWS = 4
BATCH = 64
"""Chunks of one ``save_vectors``, as an ingest has them for a built-in model."""
LATENT = 96
VOCABULARY = 40_000
TOPIC_WORDS = 400
TOPICS = 200
SEED = 7
QUERIES = 200
QUERY_WORDS = 6
SYLLABLES = {
    "en": "ba ter ing con st ar le tion mu ver cal ob sim pre lo dent gra fi nor wel th ow",
    "nl": "ge aan oor sch ij vel den kaa lij uit ber dro ste wer moe paa zui lig hoe kke",
    "de": "un auf sch ein zeu gru ver lei tung keit wer stä mög ach ent bur zug fen kla",
}

_WHEN = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Document:
    """A source with its chunks' texts and vectors, shape (n, WINDOWS, DIMENSION)."""

    source: Source
    text: str
    blocks: tuple[Block, ...]
    chunks: tuple[Chunk, ...]
    windows: Vectors

    def list_vectors(self) -> list[tuple[Chunk, ChunkVectors]]:
        """Each chunk with the vectors that an embedding model would have made."""
        wholes = _normalise(self.windows.mean(axis=1))
        parts = zip(self.chunks, wholes, self.windows, strict=True)
        return [(chunk, ChunkVectors(whole, windows)) for chunk, whole, windows in parts]

    def save_text(self, store: Store) -> None:
        summary = Summary(self.source.id, "", "none")
        store.save_source(self.source, self.text, self.blocks, self.chunks, summary)

    def save_vectors(self, store: Store) -> None:
        rows = iter(self.list_vectors())
        while batch := list(islice(rows, BATCH)):
            store.save_vectors(MODEL, batch)

    def save(self, store: Store) -> None:
        """Save everything by the verbs of an ingest."""
        self.save_text(store)
        self.save_vectors(store)


def write_documents(size: int) -> Iterator[Document]:
    """Sources with ``size`` chunks in all; one of them has three."""
    rng = np.random.default_rng(SEED)
    writer = _Writer(rng)
    counts = _draw_counts(rng, size)
    for number, count in enumerate(counts):
        yield writer.write(number, count)


def _draw_counts(rng: np.random.Generator, size: int) -> list[int]:
    counts, left = [3], size - 3
    while left > 0:
        counts.append(min(left, max(1, int(rng.lognormal(3.5, 0.8)))))
        left -= counts[-1]
    return counts


class _Writer:
    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._words = {code: _make_words(rng, parts.split()) for code, parts in SYLLABLES.items()}
        self._chances = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7) ** 1.05)
        self._topics = rng.integers(50, VOCABULARY, (TOPICS, TOPIC_WORDS))
        self._directions = np.linalg.qr(rng.standard_normal((DIMENSION, LATENT)))[0].T
        self._spread = (1 / np.sqrt(1 + np.arange(LATENT) / 8)).astype(np.float32)
        self._centres = self._draw_offsets((TOPICS,), 1.0)

    def write(self, number: int, count: int) -> Document:
        rng = self._rng
        topic = int(rng.integers(TOPICS))
        language = ("en", "nl", "de")[int(rng.choice(3, p=(0.5, 0.35, 0.15)))]
        texts = [self._write_text(language, topic) for _ in range(count)]
        title = self._write_text(language, topic, words=4)
        own = self._centres[topic] + self._draw_offsets((1,), 0.6)
        chunks = own + self._draw_offsets((count,), 0.7)
        windows = chunks[:, None, :] + self._draw_offsets((count, WINDOWS), 0.5)
        level = CONFIDENTIALITY_LEVELS[int(rng.choice(4, p=(0.3, 0.5, 0.15, 0.05)))]
        return _build_document(
            number, title, texts, language, level=level, windows=_normalise(windows)
        )

    def _write_text(self, language: str, topic: int, words: int = 0) -> str:
        rng = self._rng
        count = words or int(rng.integers(120, 200))
        ranks = np.searchsorted(self._chances, rng.random(count) * self._chances[-1])
        own = rng.random(count) < 1 / 3
        ranks[own] = self._topics[topic][
            (TOPIC_WORDS ** rng.random(int(own.sum()))).astype(int) - 1
        ]
        known = self._words[language]
        text = " ".join(known[rank] for rank in ranks)
        return text if words else f"{text.capitalize()}."

    def _draw_offsets(self, shape: tuple[int, ...], length: float) -> Vectors:
        latent = self._rng.standard_normal((*shape, LATENT), dtype=np.float32) * self._spread
        latent /= np.linalg.norm(latent, axis=-1, keepdims=True)
        offsets: Vectors = (length * latent @ self._directions).astype(np.float32)
        return offsets


def _make_words(rng: np.random.Generator, syllables: Sequence[str]) -> list[str]:
    """Made-up words, short ones first, each once."""
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        count = 2 if len(words) < 200 else 3 if len(words) < 4000 else 4
        words["".join(rng.choice(syllables, count))] = None
    return list(words)


def _normalise(vectors: Vectors) -> Vectors:
    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled.astype(np.float32)


def _build_document(
    number: int,
    title: str,
    texts: Sequence[str],
    language: str,
    *,
    level: Confidentiality,
    windows: Vectors,
) -> Document:
    path = f"sources/{number:05d}.md"
    identity = make_source_id(PROJECT, path)
    blocks: list[Block] = []
    chunks: list[Chunk] = []
    start = 0
    for position, text in enumerate(texts):
        block = Block("paragraph", start, start + len(text))
        blocks.append(block)
        chunks.append(
            Chunk(
                id=make_chunk_id(identity, text, 0), source_id=identity, position=position,
                start=block.start, end=block.end, text=text, content=text,
                tokens=2 * len(text.split()), language=language, blocks=(block,),
            )
        )  # fmt: skip
        start = block.end + 1
    whole = "\n".join(texts)
    moment = _WHEN + timedelta(hours=number)
    source = Source(
        id=identity, path=path, content_hash=hash_text(whole), title=title, type="md",
        language=language, size=len(whole), modified=moment, ingested=moment, chunks=len(chunks),
        tags=_choose_tags(number), confidentiality=level,
    )  # fmt: skip
    return Document(source, whole, tuple(blocks), tuple(chunks), windows)


def _choose_tags(number: int) -> tuple[str, ...]:
    if number == 0:
        return (THREE,)
    return (MOST,) if number % 10 else (SOME,)


@dataclass(frozen=True, slots=True)
class Query:
    """The analysed terms of a question, and its vector."""

    terms: tuple[str, ...]
    vector: Vectors


def keep_queries(folder: Path, size: int) -> None:
    """Draw the queries of a project into a folder, unless they are there.

    Words of a chunk, repeated ones more often, and a vector near one of its windows.
    """
    if (folder / "queries.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED + 1)
    places = sorted(map(int, rng.choice(size, QUERIES)))
    drawn, vectors, first = [], [], 0
    for document in write_documents(size):
        about = describe_source(document.source)
        for place in [one - first for one in places if 0 <= one - first < len(document.chunks)]:
            found = make_terms(about, document.chunks[place])
            known, counts = np.unique(f"{found.title} {found.body}".split(), return_counts=True)
            chances = np.sqrt(counts)
            chosen = rng.choice(known, QUERY_WORDS, replace=False, p=chances / chances.sum())
            drawn.append([str(term) for term in chosen])
            noise = rng.standard_normal(DIMENSION)
            near = document.windows[place][int(rng.integers(WINDOWS))]
            vectors.append(_normalise(near + 0.5 * noise / np.linalg.norm(noise)))
        first += len(document.chunks)
    order = rng.permutation(QUERIES)
    np.save(folder / "queries.npy", np.array(vectors, dtype=np.float32)[order])
    (folder / "queries.json").write_text(json.dumps([drawn[place] for place in order]))


def read_queries(folder: Path) -> list[Query]:
    asked = json.loads((folder / "queries.json").read_text())
    vectors = np.load(folder / "queries.npy")
    return [Query(tuple(words), vector) for words, vector in zip(asked, vectors, strict=True)]
