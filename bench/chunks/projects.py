"""A set as a project of the product, chunked as asked, its vectors from the file of kept ones."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench.chunks.corpora import Corpus
from bench.chunks.kept import KeptEmbedder
from foundry.craft.prefixes import build_heading_prefix
from foundry.journeys.index import IngestOptions, open_index
from foundry.journeys.ingest import read_sources
from foundry.records import Chunk, Source
from foundry.workspace import Workspace, open_workspace


@dataclass(frozen=True)
class Size:
    """Bounds of a chunk and of an overlap, in tokens."""

    name: str
    tokens: tuple[int, int]
    overlap: tuple[int, int]


SIZES = {
    "850": Size("850", (700, 1000), (100, 150)),
    "850, no overlap": Size("850, no overlap", (700, 1000), (0, 0)),
    "400": Size("400", (325, 475), (40, 70)),
    "200": Size("200", (150, 250), (0, 40)),
    "100": Size("100", (70, 130), (0, 20)),
}


@dataclass(frozen=True)
class Bare:
    """What the text index does without."""

    title: bool = False
    headings: bool = False


@dataclass(frozen=True)
class Project:
    """A set, chunked: the workspace with its text index, all sources and all chunks."""

    workspace: Workspace
    sources: dict[str, Source]
    chunks: tuple[Chunk, ...]
    embedder: KeptEmbedder


@contextmanager
def opened(corpus: Corpus, size: str = "850", bare: Bare = Bare()) -> Iterator[Project]:
    """The project, in a temporary folder. Nothing is embedded before somebody asks for vectors."""
    bounds = SIZES[size]
    environment = {
        "FOUNDRY_INGEST__CHUNK_TOKENS": str(list(bounds.tokens)),
        "FOUNDRY_INGEST__CHUNK_OVERLAP": str(list(bounds.overlap)),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        corpus.write(root)
        with open_workspace(root, environment=environment, cwd=root) as workspace:
            embedder = KeptEmbedder()
            # A cached property: what stands there first is what the workspace uses.
            workspace.embedder = embedder
            open_index(workspace)
            files, _ = read_sources(workspace, (), IngestOptions())
            failed = [file.path for file in files if file.status == "failed"]
            if failed:
                raise RuntimeError(f"not read: {failed}")
            sources = {source.id: source for source in workspace.store.list_sources()}
            for identity, source in sources.items():
                sources[identity] = _retitled(workspace, source, corpus.titles, bare)
            chunks = [
                replace(chunk, prefix=build_heading_prefix(chunk, source.title))
                for source in sources.values()
                for chunk in workspace.store.source_chunks(source.id)
            ]
            yield Project(workspace, sources, tuple(chunks), embedder)


def _retitled(
    workspace: Workspace, source: Source, titles: Mapping[str, str], bare: Bare
) -> Source:
    """The source with its given title, or with less in the text index."""
    store = workspace.store
    title = "" if bare.title else titles.get(source.path, source.title)
    source = replace(source, title=title)
    if not bare.headings:
        store.update_source(source)
        return source
    chunks = [replace(chunk, heading_path=()) for chunk in store.source_chunks(source.id)]
    summary = store.summaries([source.id])[source.id]
    blocks = store.source_blocks(source.id)
    store.save_source(source, store.source_text(source.id), blocks, chunks, summary)
    return source
