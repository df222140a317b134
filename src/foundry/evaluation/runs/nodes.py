"""Asks the questions of a run on the nodes of a cluster.

A node opens the project only for reading. The rows of the log that it would write come back with the
answer, and the run writes them, like the outcome. The run also calls models behind a server.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from foundry.config import Config
from foundry.errors import ConfigError, FoundryError
from foundry.evaluation.runs.history import IndexState, read_index_state
from foundry.evaluation.runs.side_index import needs_side_index, open_side_store
from foundry.journeys.ask import AskRequest, ask_streaming
from foundry.journeys.cluster import Cluster
from foundry.journeys.query_log import EVAL, save_record
from foundry.journeys.search import search
from foundry.ports import run_to_end
from foundry.records import Answer, QueryRecord, RunKind, SearchResult
from foundry.store import StoreView
from foundry.workspace import Workspace, open_configured, reconfigure

Found = SearchResult | Answer
Ask = Callable[[str], tuple[Found, float]]
"""Returns what was found for a question, and how many milliseconds it took."""

_MODELS: Mapping[RunKind, tuple[str, ...]] = {
    "retrieval": ("embedder", "hyde_model", "reranker"),
    "ask": ("embedder", "hyde_model", "reranker", "generator", "verifier", "scorer"),
}


def ask_question(workspace: Workspace, kind: RunKind, text: str) -> tuple[Found, float]:
    """Ask as a user would, or only search; return what was found and the milliseconds it took."""
    started = time.perf_counter()
    if kind == "retrieval":
        return search(workspace, text), _measure_ms(started)
    request = AskRequest(text, kind=EVAL)
    answer = run_to_end(ask_streaming(workspace, request, stream=False))
    return answer, _measure_ms(started)


def _measure_ms(started: float) -> float:
    return (time.perf_counter() - started) * 1000


@dataclass(frozen=True)
class AskedProject:
    """What a node needs to ask a project as this run does; equal if ``run`` is."""

    run: str
    kind: RunKind = field(compare=False)
    root: Path = field(compare=False)
    home: Config = field(compare=False)
    config: Config = field(compare=False)
    index: str = field(compare=False)
    host: str = field(compare=False)
    models: Mapping[str, Any] = field(compare=False)


@dataclass(frozen=True, slots=True)
class NodeOutcome:
    """A node's result for a question, with the rows of the log that it did not write."""

    found: tuple[Found, float] | None
    error: FoundryError | None
    records: tuple[QueryRecord, ...]


@contextmanager
def ask_on_nodes(
    cluster: Cluster, home: Workspace, target: Workspace, kind: RunKind, state: IndexState
) -> Iterator[Ask]:
    """Yield a function that asks ``target`` on the next free node."""
    models = {name: getattr(target, name) for name in _MODELS[kind]}
    with cluster.relay(models) as stand_ins:
        project = AskedProject(
            run=secrets.token_hex(8),
            kind=kind,
            root=home.root,
            home=home.config,
            config=target.config,
            index=state.hash,
            host=socket.gethostname(),
            models=stand_ins,
        )

        def ask(text: str) -> tuple[Found, float]:
            outcome = cluster.run(ask_on_node, project, text)
            unlogged = [one for record in outcome.records for one in save_record(target, record)]
            if outcome.error is not None:
                raise outcome.error
            assert outcome.found is not None
            found, took = outcome.found
            return replace(found, notices=(*found.notices, *unlogged)), took

        yield ask


def ask_on_node(project: AskedProject, text: str) -> NodeOutcome:
    """Ask a question on this node."""
    target = _open(project)
    log = cast("_ReadView", target.store)
    log.records = []
    try:
        return NodeOutcome(ask_question(target, project.kind, text), None, tuple(log.records))
    except FoundryError as error:
        return NodeOutcome(None, error, tuple(log.records))


@lru_cache(maxsize=1)
def _open(project: AskedProject) -> Workspace:
    """Open the project as the run has it. Raises ``ConfigError`` if it differs on this node."""
    here = socket.gethostname()
    beside = needs_side_index(project.home, project.config)
    if (beside or project.home.storage.url.startswith("sqlite:")) and here != project.host:
        raise ConfigError("cluster-sqlite-elsewhere", where="storage.url", node=here)
    # Each core has an actor of its own.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    home = open_configured(project.root, project.home, environment=environment)
    target = reconfigure(
        home,
        project.config,
        open_side_store(home, project.config, read_only=True) if beside else None,
    )
    for name, model in project.models.items():
        setattr(target, name, model)
    if read_index_state(target).hash != project.index:
        raise ConfigError("cluster-other-index", where=str(project.root), node=here)
    target.store = cast("StoreView", _ReadView(target.store))
    return target


class _ReadView:
    """A view that collects rows of the log for the run."""

    def __init__(self, view: StoreView) -> None:
        self._view = view
        self.records: list[QueryRecord] = []

    def log_query(self, record: QueryRecord) -> None:
        self.records.append(record)

    def prune_log(self, days: float) -> None:
        """Leave it to the run."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)
