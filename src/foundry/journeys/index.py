"""The index of a project: a document's chunks and text rows, then vectors.

Text and BM25 rows of a document are one transaction. Vectors follow in batches, each its own
transaction, for all chunks without one, so an interrupted run resumes.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import count

import numpy as np

from foundry.analysis import ANALYSIS_VERSION
from foundry.clock import get_now
from foundry.config import OutsideConfig, parse_provider
from foundry.craft.chunking import CHUNKER_VERSION
from foundry.craft.prefixes import build_heading_prefix
from foundry.craft.windows import build_embedding_texts
from foundry.errors import ProjectBusy, ReadError, UsageError
from foundry.ids import make_source_id
from foundry.journeys.enrichment.cache import (
    BUILTIN_SUMMARIZER,
    PARTIAL,
    compute_enrichment_recipe,
    find_prefix,
    find_summary,
    is_current_fallback,
    join_recipes,
)
from foundry.journeys.file_chunks import CutDocument, CutRequest
from foundry.messages import Message
from foundry.models.providers import IN_PROCESS
from foundry.ports import ChunkVectors, Progress, ReadOptions, Step
from foundry.readers import READERS_VERSION
from foundry.records import Chunk, Confidentiality, Correction, DocumentStatus, Source, Summary
from foundry.workspace import Workspace

EMBED_BATCH, LOCAL_TOKENS = 64, 8000
"""Chunks of a batch at most, and tokens of a local one: two seconds of one core between two signs of
life."""
LONG_TEXT = 2_000_000
"""Characters of a document above which cutting and storing show progress: seconds of work."""


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """The caller's options; None keeps what a source already has.

    Without ``wait`` an ingest fails at once if another one is running.
    """

    prune: bool = False
    tags: tuple[str, ...] | None = None
    confidentiality: Confidentiality | None = None
    wait: bool = True
    status: DocumentStatus | None = None


@dataclass(frozen=True, slots=True)
class IngestedFile:
    """The file of a document: its path in the project, and its bytes' hash and size."""

    path: str
    content_hash: str
    size: int
    modified: datetime


def build_cut_request(
    workspace: Workspace, options: ReadOptions, corrections: Sequence[Correction] = ()
) -> CutRequest:
    """How a parser process cuts the file of these options, with the corrections of its bytes or path."""
    settings = workspace.config.ingest
    return CutRequest(
        **{part.name: getattr(options, part.name) for part in fields(ReadOptions)},
        source_id=make_source_id(workspace.config.project.id, options.name),
        tokenizer=workspace.config.generation.budget_tokenizer,
        bounds=settings.chunk_tokens,
        overlap=settings.chunk_overlap,
        summary_tokens=settings.summary_max_tokens,
        corrections=tuple(corrections),
    )


def save_cut(
    workspace: Workspace,
    file: IngestedFile,
    cut: CutDocument,
    earlier: Source | None,
    options: IngestOptions,
    *,
    corrections: Sequence[Correction] | None = None,
    progress: Progress = lambda _step: None,
) -> Source:
    """Store one document in one transaction; returns its source.

    ``earlier`` is the source before this revision; its labels stay. ``corrections`` replace those
    known of its bytes, and ``progress`` gets the steps of a long document. No model is called:
    prefixes and summary come from the cache or are the built-in ones until the enrichment. Raises
    ``ReadError`` if the document has no text.
    """
    document = cut.document
    if not cut.chunks:
        raise ReadError("ingest-no-text", where=file.path)
    show = progress if len(document.text) > LONG_TEXT else lambda _step: None
    source = Source(
        id=make_source_id(workspace.config.project.id, file.path),
        path=file.path,
        content_hash=file.content_hash,
        title=document.title,
        type=document.type,
        language=cut.language,
        size=file.size,
        modified=file.modified,
        ingested=get_now(),
        pages=document.pages,
        tags=earlier.tags if earlier else (),
        confidentiality=earlier.confidentiality if earlier else "public",
        revision=document.revision,
        revision_date=document.revision_date,
        facts=document.facts,
        names=document.names,
        warnings=document.warnings,
        chunks=len(cut.chunks),
        copies=earlier.copies if earlier else (),
        chain=earlier.chain if earlier else "",
        chain_place=earlier.chain_place if earlier else 0,
    )
    save = partial(
        workspace.maintenance().save_source, reading=cut.reading, corrections=corrections
    )
    source = source.state(earlier.stated if earlier else None)
    return _store_document(workspace, relabel(source, options), cut, progress=show, save=save)


def _store_document(
    workspace: Workspace,
    source: Source,
    cut: CutDocument,
    *,
    progress: Progress,
    save: Callable[..., None],
) -> Source:
    """Store a source with the best prefixes and summary known; its recipe marks missing ones."""
    document, chunks = cut.document, cut.chunks
    # A chunk is analysed, then written.
    steps = count(1)

    def show_chunk() -> None:
        progress(Step("store", next(steps) // 2, len(chunks), "chunks", source.path))

    progress(Step("store", 0, len(chunks), "chunks", source.path))
    prefixes = [find_prefix(workspace, source, chunk) for chunk in chunks]
    builtin = Summary(source.id, cut.summary, BUILTIN_SUMMARIZER)
    wanted = is_current_fallback(workspace, builtin)
    summary = builtin if wanted else find_summary(workspace, source, document)
    complete = summary is not None and None not in prefixes
    enrichment = compute_enrichment_recipe(workspace) if complete else PARTIAL
    source = replace(source, recipe=join_recipes(compute_ingest_recipe(workspace), enrichment))
    prefixed = [
        replace(
            chunk, prefix=build_heading_prefix(chunk, source.title) if prefix is None else prefix
        )
        for chunk, prefix in zip(chunks, prefixes, strict=True)
    ]
    save(source, document.text, document.blocks, prefixed, summary or builtin, on_chunk=show_chunk)
    return source


def compute_ingest_recipe(workspace: Workspace) -> str:
    """A hash of everything except the file that decides a source's chunks."""
    settings = workspace.config.ingest
    parts = (
        READERS_VERSION,
        CHUNKER_VERSION,
        ANALYSIS_VERSION,
        settings.chunk_tokens,
        settings.chunk_overlap,
        settings.summary_max_tokens,
        workspace.config.generation.budget_tokenizer,
        *_list_outside(settings.outside),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _list_outside(settings: OutsideConfig) -> tuple[object, ...]:
    """What decides what a service reads; its version is in what it read, and how it is called no part."""
    if settings.pages == "never":
        return ()
    options = sorted(settings.options.items())
    return ("outside", settings.pages, settings.kind, settings.max_mb, options)


def relabel(source: Source, options: IngestOptions) -> Source:
    """The source with the labels in the options."""
    return replace(
        source.state(options.status or source.stated),
        tags=source.tags if options.tags is None else options.tags,
        confidentiality=options.confidentiality or source.confidentiality,
    )


def embed_pending(
    workspace: Workspace,
    progress: Progress = lambda _step: None,
    sources: Sequence[str] | None = None,
    saved: Callable[[int], None] = lambda _number: None,
    *,
    index: str | None = None,
) -> int:
    """Embed every chunk without a vector, or those of the ``sources``; returns the number written.

    ``saved`` gets the number of each batch, for a caller that may be interrupted; ``index`` is the
    name of a rebuild.
    """
    # Imported here: a search imports this module.
    from foundry.models.gateway import map_calls

    model, store = index or workspace.embedder.model, workspace.maintenance()
    total = store.pending_tokens(model, sources)
    written = done = 0
    embedded = deque[list[tuple[Chunk, ChunkVectors]]]()

    def save() -> None:
        nonlocal written, done
        while embedded:
            rows = embedded.popleft()
            number = store.save_vectors(model, rows)
            saved(number)
            written += number
            done += sum(chunk.tokens for chunk, _ in rows)

    def list_batches() -> Iterator[list[Chunk]]:
        for chunks in _read_pending(workspace, model, sources):
            source = store.find_source(chunks[0].source_id)
            path = source.path if source else ""
            progress(Step("embed", min(done, total), total, "tokens", path))
            yield chunks

    def embed(chunks: list[Chunk]) -> None:
        embedded.append(embed_chunks(workspace, chunks))

    try:
        for _ in map_calls(embed, list_batches(), workspace.embedder.lanes):
            save()
    finally:
        # What others embedded while one failed is kept.
        save()
    if written:
        progress(Step("embed", total, total, "tokens"))
    return written


def _read_pending(
    workspace: Workspace, model: str, sources: Sequence[str] | None
) -> Iterator[list[Chunk]]:
    """Yield chunks without a vector: those of one request to a server, or of a few seconds' work."""
    local = parse_provider(workspace.embedder.model) in IN_PROCESS
    most = LOCAL_TOKENS if local else workspace.config.embedding.batch_texts
    batch: list[Chunk] = []
    size = 0
    for chunk in _list_pending(workspace, model, sources):
        own = chunk.tokens if local else len(build_embedding_texts(chunk))
        if batch and (size + own > most or len(batch) == EMBED_BATCH):
            yield batch
            batch, size = [], 0
        batch.append(chunk)
        size += own
    if batch:
        yield batch


def _list_pending(
    workspace: Workspace, model: str, sources: Sequence[str] | None
) -> Iterator[Chunk]:
    store, row = workspace.maintenance(), 0
    while found := store.pending_chunks(model, EMBED_BATCH, after=row, sources=sources):
        yield from (chunk for _, chunk in found)
        row = found[-1][0]


def embed_chunks(workspace: Workspace, chunks: Sequence[Chunk]) -> list[tuple[Chunk, ChunkVectors]]:
    """Each chunk with one vector per window and the mean over prefix and windows."""
    texts = [build_embedding_texts(chunk) for chunk in chunks]
    vectors = workspace.embedder.embed_passages([text for part in texts for text in part])
    embedded, start = [], 0
    for chunk, part in zip(chunks, texts, strict=True):
        own = vectors[start : start + len(part)]
        start += len(part)
        mean = own.mean(axis=0)
        whole = (mean / (np.linalg.norm(mean) or 1.0)).astype(np.float32)
        embedded.append((chunk, ChunkVectors(whole, own[1:] if chunk.prefix else own)))
    return embedded


def rebuild_text_index(workspace: Workspace, progress: Progress = lambda _step: None) -> int:
    """Make the text index again from the chunks; returns its number of rows."""
    with hold_project(workspace, {"command": "index rebuild"}, progress) as run:
        rows = workspace.maintenance().rebuild_text_index()
        finish_run(workspace, run, {}, progress)
    return rows


def rebuild_engine(workspace: Workspace, progress: Progress = lambda _step: None) -> int:
    """Send every vector to the search engine again; returns how many.

    Raises ``UsageError`` if none is configured.
    """
    with hold_project(workspace, {"command": "index rebuild"}, progress) as run:
        sent = workspace.maintenance().rebuild_engine()
        finish_run(workspace, run, {}, progress)
    if sent is None:
        raise UsageError("engine-none", where="--engine")
    return sent


def rebuild_embeddings(workspace: Workspace, progress: Progress = lambda _step: None) -> int:
    """Embed every chunk again; returns the number written.

    Searches use the earlier vectors until the new ones are complete. What an interrupted rebuild
    wrote is kept and not written again.
    """
    store, embedder = workspace.maintenance(), workspace.embedder
    with hold_project(workspace, {"command": "index rebuild"}, progress) as run:
        name = store.open_rebuild(embedder.model, embedder.dimension(), workspace.fingerprint())
        written = embed_pending(workspace, progress, index=name)
        while not store.finish_rebuild(embedder.model):
            # A worker added vectors in the meantime. A damaged chunk can have none.
            added = embed_pending(workspace, progress, index=name)
            written += added
            if not added and store.finish_rebuild(embedder.model, anyway=True):
                break
        finish_run(workspace, run, {}, progress)
    return written


@contextmanager
def hold_project(
    workspace: Workspace, details: Mapping[str, object], progress: Progress, *, wait: bool = True
) -> Iterator[int]:
    """The one run that may change the index, by its number; finish it before leaving.

    Shows who holds the project while it waits. Raises ``ProjectBusy`` after some minutes, and at
    once without ``wait``.
    """

    def report_waiting(holder: Message) -> None:
        if not wait:
            raise ProjectBusy(holder, where=str(workspace.root)) from None
        progress(Step("wait", 0, 1, "", Message("ingest-waiting", holder=holder)))

    with workspace.maintenance().lock("ingest", report_waiting):
        yield workspace.maintenance().start_run(details)


def finish_run(
    workspace: Workspace, run: int, report: Mapping[str, object], progress: Progress
) -> None:
    """Close the run; ``progress`` gets a note if a search engine beside the database is behind."""
    if behind := workspace.maintenance().finish_run(run, report):
        progress(Step("note", 1, 1, "", behind))


def open_index(workspace: Workspace) -> None:
    """Open or create the configured model's vector table. Raises ``IndexMissing`` on a mismatch."""
    embedder = workspace.embedder
    workspace.maintenance().open_index(
        embedder.model, embedder.dimension(), workspace.fingerprint()
    )
