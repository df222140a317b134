"""A side index, for overrides that change what is indexed.

The project's sources are ingested under the changed settings into ``.foundry/eval/HASH.db``, where
a later run with the same settings finds them. The project's own index, questions, runs and query
log stay as they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from foundry.config import Config
from foundry.errors import UsageError
from foundry.evaluation.runs.history import flatten_config
from foundry.journeys.cluster import Cluster
from foundry.journeys.enrichment import Confirm
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.corrections import apply_corrections
from foundry.messages import Message
from foundry.ports import Progress
from foundry.records import Confidentiality, Source
from foundry.store import Store, StoreView, open_store
from foundry.workspace import Workspace, reconfigure

FOLDER = ".foundry/eval"

_INDEXED = ("ingest.", "embedding.", "generation.budget_tokenizer", "prompts.")
_NOT_INDEXED = frozenset(
    (
        *("ingest.workers", "ingest.parse_timeout_s", "ingest.parse_memory_mb", "ingest.ray"),
        "embedding.batch_texts",
    )
)
_SHAPING_PROMPTS = frozenset(("prompts.prefixes", "prompts.summary"))


@dataclass(frozen=True, slots=True)
class SideIndex:
    """The database of a side index; ``size`` in bytes."""

    path: Path
    size: int


def select_index_settings(config: Config) -> dict[str, Any]:
    """The keys that decide what is indexed, with their values."""
    return {
        key: value
        for key, value in flatten_config(config).items()
        if key.startswith(_INDEXED)
        and key not in _NOT_INDEXED
        and (not key.startswith("prompts.") or key in _SHAPING_PROMPTS)
    }


def needs_side_index(home: Config, wanted: Config) -> bool:
    """Whether the wanted configuration needs another index than the project's."""
    return select_index_settings(home) != select_index_settings(wanted)


@contextlib.contextmanager
def open_side_index(
    home: Workspace,
    config: Config,
    progress: Progress,
    confirm: Confirm,
    cluster: Cluster | None = None,
) -> Iterator[tuple[Workspace, Workspace, tuple[Message, ...]]]:
    """The project over an index built with ``config``, brought up to date; with notices.

    The first workspace asks as the role of ``config``, the second sees what ``home`` may see.
    """
    with contextlib.closing(open_side_store(home, config)) as side:
        asking = reconfigure(home, config, side)
        seeing = reconfigure(home, config.model_copy(update={"access": home.config.access}), side)
        with cluster.embed_for([seeing]) if cluster else contextlib.nullcontext():
            notices = _fill(home, seeing, progress, confirm, cluster)
        yield asking, seeing, notices


def open_side_store(home: Workspace, config: Config, *, read_only: bool = False) -> Store:
    """Open the store of a side index; questions, runs and the log are the project's."""
    url = f"sqlite:///{_path(home, config)}"
    store = open_store(url, home.root, config.project.id, read_only=read_only)
    return cast("Store", _SideStore(store, home.maintenance()))


def list_side_indexes(workspace: Workspace) -> list[SideIndex]:
    """The side indexes, by name."""
    folder = workspace.root / FOLDER
    return [SideIndex(path, path.stat().st_size) for path in sorted(folder.glob("*.db"))]


def remove_side_indexes(workspace: Workspace) -> list[SideIndex]:
    """Remove all side indexes with SQLite's files beside them; return what was removed."""
    indexes = list_side_indexes(workspace)
    for index in indexes:
        for path in index.path.parent.glob(f"{index.path.name}*"):
            path.unlink(missing_ok=True)
    return indexes


class _SideStore:
    """The side store for sources and indexes, the project's for log, runs and model replies."""

    def __init__(self, store: Store, home: Store) -> None:
        self._store = store
        self._home = home
        self.evaluation = home.evaluation

    def view(self, role: Confidentiality, *, exact: bool = False) -> StoreView:
        own = self._store.view(role, exact=exact)
        return cast("StoreView", _SideView(own, self._home.view(role)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _SideView:
    """The same, as a role sees both."""

    def __init__(self, view: StoreView, home: StoreView) -> None:
        self._view = view
        self.evaluation = home.evaluation
        self.find_response = home.find_response
        self.save_response = home.save_response
        self.log_query = home.log_query
        self.prune_log = home.prune_log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)


def _path(home: Workspace, config: Config) -> Path:
    # Vectors of another release of a model go into another file.
    fingerprint = reconfigure(home, config).fingerprint()
    key = json.dumps([config.project.id, fingerprint, select_index_settings(config)]).encode()
    return home.root.resolve() / FOLDER / f"{hashlib.sha256(key).hexdigest()[:16]}.db"


def _fill(
    home: Workspace,
    side: Workspace,
    progress: Progress,
    confirm: Confirm,
    cluster: Cluster | None,
) -> tuple[Message, ...]:
    """Ingest the files of the project's sources; return where the two indexes differ."""
    sources = {source.path: source for source in home.store.list_sources()}
    files = [home.root / path for path in sources if (home.root / path).exists()]
    if not files:
        raise UsageError("eval-side-no-files", where=str(home.root))
    report = ingest(side, files, progress=progress, confirm=confirm, cluster=cluster)
    _copy_corrections(home, side, progress)
    failed = (
        Message("eval-side-failed", path=file.path, reason=file.reason)
        for file in report.files
        if file.status == "failed"
    )
    return (*_align(sources, side), *failed)


def _copy_corrections(home: Workspace, side: Workspace, progress: Progress) -> None:
    """Correct in the side index what is corrected in the project."""
    wanted, known = home.store.list_corrections(), side.store.list_corrections()
    for content_hash in {one.content_hash for one in (*wanted, *known)}:
        own, other = (
            [one for one in corrections if one.content_hash == content_hash]
            for corrections in (wanted, known)
        )
        if own != other:
            apply_corrections(side, content_hash, own, progress)


def _align(sources: dict[str, Source], side: Workspace) -> Sequence[Message]:
    """Copy labels and removals; name sources that are missing or have another revision."""
    notices = []
    indexed = {source.path: source for source in side.store.list_sources()}
    for path in indexed.keys() - sources.keys():
        side.maintenance().remove_source(indexed[path].id)
    for path, own in sources.items():
        other = indexed.get(path)
        if other is None:
            notices.append(Message("eval-side-file-gone", path=path))
            continue
        if other.content_hash != own.content_hash:
            notices.append(Message("eval-side-file-changed", path=path))
        _copy_labels(side, own, other)
    return notices


def _copy_labels(side: Workspace, own: Source, other: Source) -> None:
    labelled = replace(other, tags=own.tags, confidentiality=own.confidentiality)
    if labelled != other:
        side.maintenance().update_source(labelled)
