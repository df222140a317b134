"""What an actor on a node of the cluster does: read files in a parser process, embed texts.

It keeps the process and the model for the next task. Ray sends only a file's path or bytes with its
options, or texts.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from foundry import __version__
from foundry.analysis import ANALYSIS_VERSION
from foundry.craft.chunking import CHUNKER_VERSION
from foundry.errors import ConfigError
from foundry.journeys.file_chunks import CutRequest, get_cut
from foundry.models import ModelSettings, get_embedder
from foundry.ports import Embedder, Vectors
from foundry.readers import READERS_VERSION
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The function that reads a file ("module:function") and the limits of its process."""

    reader: str
    timeout_s: float
    memory_mb: int


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file for an actor, which reads it in place if it finds the same file there.

    ``size`` and ``modified`` (ns) identify it; ``content`` is for actors that do not find it.
    """

    path: Path
    size: int
    modified: int
    options: CutRequest
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An actor's outcome for a file; ``attached`` has the bytes of each attachment, by place."""

    outcome: ReadOutcome
    attached: dict[int, bytes]


def describe_foundry() -> str:
    """Return the versions that all nodes must share to give the same results."""
    parts = (READERS_VERSION, CHUNKER_VERSION, ANALYSIS_VERSION)
    return f"{__version__}-{'-'.join(map(str, parts))}"


def read_files(limits: ReadLimits, files: Sequence[SentFile]) -> list[ReadAnswer | None]:
    """Read files in the parser process of this actor; None for one that is not here."""
    return [_read_file(limits, file) for file in files]


def _read_file(limits: ReadLimits, file: SentFile) -> ReadAnswer | None:
    with tempfile.TemporaryDirectory(prefix="foundry-", ignore_cleanup_errors=True) as folder:
        scratch = Path(folder) / "scratch"
        scratch.mkdir()
        path = _find_file(file, Path(folder))
        if path is None:
            return None
        job = ReadJob(path, replace(file.options, temporary=scratch))
        (outcome,) = _open_pool(limits).read_all([job])
        return ReadAnswer(outcome, _read_attached(outcome))


def _find_file(file: SentFile, folder: Path) -> Path | None:
    with contextlib.suppress(OSError):
        status = file.path.stat()
        if (status.st_size, status.st_mtime_ns) == (file.size, file.modified):
            return file.path
    if file.content is None:
        return None
    copy = folder / file.path.name
    copy.write_bytes(file.content)
    os.utime(copy, ns=(file.modified, file.modified))
    return copy


def _read_attached(outcome: ReadOutcome) -> dict[int, bytes]:
    cut = get_cut(outcome)
    files = cut.document.attachments if cut else ()
    return {place: file.path.read_bytes() for place, file in enumerate(files) if file.path}


@lru_cache(maxsize=8)
def _open_pool(limits: ReadLimits) -> ParserPool:
    return ParserPool(1, limits.timeout_s, limits.memory_mb, reader=limits.reader)


def embed_texts(model: str, fingerprint: str, texts: Sequence[str]) -> Vectors:
    """Embed passages on this actor. Raises ``ConfigError`` if its model is another one."""
    embedder, ours = _open_embedder(model)
    if ours != fingerprint:
        raise ConfigError("cluster-other-model", where="embedding.model", model=model)
    return embedder.embed_passages(texts)


@lru_cache(maxsize=2)
def _open_embedder(model: str) -> tuple[Embedder, str]:
    # Each core has an actor of its own.
    settings = ModelSettings(environment={**os.environ, "OMP_NUM_THREADS": "1"})
    embedder = get_embedder(model, settings)
    return embedder, embedder.fingerprint()
