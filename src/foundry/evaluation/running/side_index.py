"""An index of its own for overrides that change what is indexed, beside the project's.

The project's own sources go through the same ingest under the changed settings, into
``.foundry/eval/HASH.db``; a later run with the same settings finds it there. The project's index
is never touched, and its questions, runs and query log stay where they are.
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
from foundry.evaluation.running.facts import flat_config
from foundry.journeys.enrichment import Confirm
from foundry.journeys.ingest import ingest
from foundry.ports import Progress, Store
from foundry.records import QueryRecord, Source
from foundry.store import open_store
from foundry.workspace import Workspace, reconfigure

FOLDER = ".foundry/eval"

_INDEXED = ("ingest.", "embedding.", "generation.budget_tokenizer", "prompts.")
_NOT_INDEXED = frozenset(("ingest.workers", "ingest.parse_timeout_s", "ingest.parse_memory_mb"))
_SHAPING_PROMPTS = frozenset(("prompts.prefixes", "prompts.summary"))


@dataclass(frozen=True, slots=True)
class SideIndex:
    """A database of an index beside the project's; ``size`` in bytes."""

    path: Path
    size: int


def indexed_settings(config: Config) -> dict[str, Any]:
    """The keys that decide what is indexed, with their values."""
    return {
        key: value
        for key, value in flat_config(config).items()
        if key.startswith(_INDEXED)
        and key not in _NOT_INDEXED
        and (not key.startswith("prompts.") or key in _SHAPING_PROMPTS)
    }


def needs_side_index(home: Config, wanted: Config) -> bool:
    """Whether the project's own index cannot answer for the wanted configuration."""
    return indexed_settings(home) != indexed_settings(wanted)


@contextlib.contextmanager
def side_index(
    home: Workspace, config: Config, progress: Progress, confirm: Confirm
) -> Iterator[tuple[Workspace, tuple[str, ...]]]:
    """The project over an index made by ``config``, brought up to date; with notices about it."""
    path = _path(home, config)
    path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(f"sqlite:///{path}", home.root, config.project.id)
    try:
        workspace = reconfigure(home, config, cast("Store", _Beside(store, home.store)))
        yield workspace, _fill(home, workspace, progress, confirm)
    finally:
        store.close()


def list_side_indexes(workspace: Workspace) -> list[SideIndex]:
    """The indexes beside the project's, by name."""
    folder = workspace.root / FOLDER
    return [SideIndex(path, path.stat().st_size) for path in sorted(folder.glob("*.db"))]


def remove_side_indexes(workspace: Workspace) -> list[SideIndex]:
    """Remove them all, with the files that SQLite keeps beside each; returns those removed."""
    found = list_side_indexes(workspace)
    for index in found:
        for path in index.path.parent.glob(f"{index.path.name}*"):
            path.unlink(missing_ok=True)
    return found


class _Beside:
    """A store of its own for sources and indexes; the log and replies of models stay at home."""

    def __init__(self, store: Store, home: Store) -> None:
        self._store = store
        self.evaluation = home.evaluation
        self.find_response = home.find_response
        self.save_response = home.save_response
        self._home = home

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def log_query(self, record: QueryRecord) -> None:
        self._home.log_query(record)

    def prune_log(self, days: float) -> int:
        return self._home.prune_log(days)


def _path(home: Workspace, config: Config) -> Path:
    # Vectors of another release of a model have a file of their own.
    fingerprint = reconfigure(home, config).fingerprint()
    key = json.dumps([config.project.id, fingerprint, indexed_settings(config)]).encode()
    return home.root.resolve() / FOLDER / f"{hashlib.sha256(key).hexdigest()[:16]}.db"


def _fill(
    home: Workspace, side: Workspace, progress: Progress, confirm: Confirm
) -> tuple[str, ...]:
    """Ingest the files of the project's sources; say where the two differ."""
    sources = {source.path: source for source in home.store.list_sources()}
    files = [home.root / path for path in sources if (home.root / path).exists()]
    if not files:
        raise UsageError(
            "No source of this project has a file that could be indexed anew.",
            where=str(home.root),
            fix="Run `foundry ingest` first; the overrides are then tried on the same sources.",
        )
    report = ingest(side, files, progress=progress, confirm=confirm)
    failed = [f"{file.path}: {file.reason}" for file in report.files if file.status == "failed"]
    return (*_level(sources, side), *(f"Not in the side index: {one}" for one in failed))


def _level(sources: dict[str, Source], side: Workspace) -> Sequence[str]:
    """Take over labels and removals; name what the side index has in another revision or not."""
    notices = []
    found = {source.path: source for source in side.store.list_sources()}
    for path in found.keys() - sources.keys():
        side.store.remove_source(found[path].id)
    for path, own in sources.items():
        other = found.get(path)
        if other is None:
            notices.append(f"{path} has no file any more, so it is not in the side index.")
            continue
        if other.content_hash != own.content_hash:
            notices.append(f"{path} changed since the project ingested it.")
        _take_labels(side, own, other)
    return notices


def _take_labels(side: Workspace, own: Source, other: Source) -> None:
    labelled = replace(other, tags=own.tags, confidentiality=own.confidentiality)
    if labelled != other:
        side.store.update_source(labelled)
