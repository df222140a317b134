"""Small sources for store tests: each paragraph is one block and one chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from foundry.analysis import analyse
from foundry.ids import hash_text, make_chunk_id, make_source_id
from foundry.messages import Message
from foundry.ports import ChunkVectors, Vectors
from foundry.records import (
    Block,
    Chunk,
    Conflict,
    ConflictSide,
    Correction,
    DraftRecord,
    QueryRecord,
    Quote,
    Review,
    SectionSummary,
    Source,
    Summary,
    Usage,
    UsedSource,
)
from foundry.store import Store
from tests.support.hash_embedder import text_vector

PROJECT = "prj_test"
URL = "sqlite:///.foundry/foundry.db"
DIMENSION = 32
MODEL = "test/words"
WHEN = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


class Made(NamedTuple):
    """The arguments of ``save_source``."""

    source: Source
    text: str
    blocks: tuple[Block, ...]
    chunks: tuple[Chunk, ...]
    summary: Summary

    def chunk(self, position: int) -> Chunk:
        return self.chunks[position]

    def ids(self) -> list[str]:
        return [chunk.id for chunk in self.chunks]


def make_source(
    path: str,
    *paragraphs: str,
    language: str = "en",
    headings: Sequence[str] = (),
    prefix: str = "",
    **fields: Any,
) -> Made:
    """A source of these paragraphs, separated by blank lines; ``fields`` are the Source's own."""
    identity = make_source_id(PROJECT, path)
    text = "\n\n".join(paragraphs)
    blocks, chunks, start = [], [], 0
    for position, paragraph in enumerate(paragraphs):
        end = start + len(paragraph)
        block = Block("paragraph", start, end, tuple(headings), page=position + 1)
        blocks.append(block)
        chunks.append(
            Chunk(
                id=make_chunk_id(identity, paragraph, paragraphs[:position].count(paragraph)),
                source_id=identity,
                position=position,
                start=start,
                end=end,
                text=paragraph,
                content=paragraph,
                tokens=len(paragraph.split()),
                language=language,
                heading_path=tuple(headings),
                prefix=prefix,
                blocks=(block,),
            )
        )
        start = end + 2
    known = {
        "title": "",
        "type": "md",
        "modified": WHEN,
        "ingested": WHEN,
        "content_hash": hash_text(text),
        **fields,
    }
    source = Source(
        id=identity, path=path, language=language, size=len(text), chunks=len(chunks), **known
    )
    return Made(source, text, tuple(blocks), tuple(chunks), Summary(identity, "In short.", "none"))


def make_correction(made: Made, **fields: Any) -> Correction:
    """A correction of the first letter of a source."""
    source = made.source
    correction = Correction(
        f"cor_{source.id}", source.path, source.content_hash, source.confidentiality, "words", 1,
        hash_text(made.chunks[0].text), 0, 1, made.text[0], made.text[0], "#", "print", "Ann", WHEN,
    )  # fmt: skip
    return replace(correction, **fields)


def vector(text: str) -> Vectors:
    return text_vector(text, DIMENSION)


def vectors(text: str) -> ChunkVectors:
    """A chunk that is one window."""
    return ChunkVectors(vector(text), vector(text)[None])


def embed(store: Store, model: str = MODEL) -> int:
    """Embed everything that is pending, as an ingest does; returns how many."""
    store.open_index(model, DIMENSION, "fp")
    pending = store.pending_chunks(model, 1000)
    return store.save_vectors(
        model, [(chunk, vectors(chunk.embedded_text)) for _, chunk in pending]
    )


def terms(text: str, language: str = "en") -> list[str]:
    return analyse(text, language)


def make_query(identity: str, **fields: Any) -> QueryRecord:
    record = QueryRecord(
        id=identity,
        time=WHEN,
        kind="ask",
        project=PROJECT,
        query="Hoe ver reikt het?",
        rewritten=None,
        role="secret",
        agent=None,
        verdict="answer",
        gate_score=0.75,
        chunks=(("chk_1", 0.5), ("chk_2", 0.25)),
        models={"embedding": MODEL},
        answer="300 m. [S1]",
        attribution_coverage=1.0,
        shown_coverage=None,
        timings_ms={"search": 12.5},
        usage=Usage(calls=1, prompt_tokens=10, completion_tokens=5, cost=None),
    )
    return replace(record, **fields)


def make_draft(path: str, **fields: Any) -> DraftRecord:
    """A draft with something in every field."""
    sides = [
        ConflictSide(f"chk_{name}", f"{name}.md", Quote(f"chk_{name}", "3,3 V \u00b1 5 %", 4, 15))
        for name in "ab"
    ]
    conflict = Conflict(
        "unit",
        sides[0],
        sides[1],
        ("3.3 V", "5 V"),
        Message("conflict-no-reason"),
        holds="b",
        rule=Message("conflict-unnamed-sources"),
    )
    sections = (
        SectionSummary("Voeding", 3, 1.0, 0.5, conflicts=(conflict,)),
        SectionSummary("Leeg", 0, None, None, reason=Message("answer-no-hits")),
    )
    record = DraftRecord(
        path=path, topic="Voeding", created=WHEN, content_hash="0" * 64, feature="supply",
        feature_hash="1" * 64, verdict="low_confidence", language="nl", model="m", mode="online",
        attribution_coverage=0.75, shown_coverage=None, sections=sections,
        sources=(UsedSource("a.md", "A", "2" * 64, "B", "2026-03"), UsedSource("b.md", "B", "3" * 64)),
        review=Review("S\u00e9bastien", WHEN, "4" * 64, "gelezen"),
        usage=Usage(calls=2, prompt_tokens=10, completion_tokens=5, cost=None, cached=1),
    )  # fmt: skip
    return replace(record, **fields)
