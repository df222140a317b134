"""The cached project of a set: found again by its content, filled where it is not yet.

A document is saved in one transaction and vectors in small batches, so whatever stops a run,
the next one goes on from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from foundry.config import CONFIG_NAME
from foundry.errors import ReadError
from foundry.evaluation.dataset.beir import CorpusDocument, Dataset, read_dataset
from foundry.evaluation.dataset.setups import DEFAULT, Setup
from foundry.evaluation.lines import tell_names
from foundry.ids import hash_bytes
from foundry.journeys.enrichment import enrich
from foundry.journeys.enrichment.cache import has_recipe
from foundry.journeys.index import (
    IngestedFile,
    IngestOptions,
    compute_ingest_recipe,
    embed_pending,
    open_index,
    save_document,
)
from foundry.ports import Progress, Step
from foundry.readers.text.plain import parse_text
from foundry.workspace import Workspace, open_workspace

Titles = Literal["index", "ignore"]


@dataclass(frozen=True, slots=True)
class Form:
    """How documents are put in: whole or in chunks, and with their titles or without."""

    keep_documents: bool = False
    title: Titles = "index"


@dataclass(frozen=True, slots=True)
class Filled:
    """What is in the project: source id → document id; ``reused`` documents were there before.

    ``altered`` are documents whose stored text is not the set's own: no span counts in them.
    """

    homes: Mapping[str, str]
    reused: int
    altered: frozenset[str] = frozenset()
    notices: tuple[str, ...] = ()


def open_dataset(
    directory: Path,
    *,
    keep_documents: bool = False,
    title: Titles = "index",
    environment: Mapping[str, str],
    setup: Setup = DEFAULT,
    progress: Progress = lambda _step: None,
) -> tuple[Dataset, Workspace, Mapping[str, str]]:
    """The set, its cached project filled, and source id → document id; the caller closes it."""
    dataset, form = read_dataset(directory), Form(keep_documents, title)
    workspace = open_project(dataset, form, setup, environment)
    return dataset, workspace, fill(workspace, dataset, form, progress).homes


def open_project(
    dataset: Dataset, form: Form, setup: Setup, environment: Mapping[str, str]
) -> Workspace:
    """A project of the set's own, under the user's cache folder."""
    cache = environment.get("FOUNDRY_CACHE_DIR") or environment.get("XDG_CACHE_HOME")
    base = Path(cache) if cache else Path(environment.get("HOME", ".")) / ".cache"
    key = _project_key(dataset, form, setup)
    root = base / "foundry" / "datasets" / f"{dataset.name}-{key}"
    root.mkdir(parents=True, exist_ok=True)
    (root / CONFIG_NAME).write_text(
        f"project: {{name: {_quoted(dataset.name)}, id: dataset}}\n"
        "retrieval: {hyde: false}\n"
        "generation: {model: builtin/extractive}\n",
        encoding="utf-8",
    )
    return open_workspace(root, environment=setup.over(environment), cwd=root)


def fill(workspace: Workspace, dataset: Dataset, form: Form, progress: Progress) -> Filled:
    """Bring the cached project up to date; a second run finds everything there."""
    with workspace.store.ingest_lock(lambda: progress(Step("wait", 0, 1, "", "another run"))):
        open_index(workspace)
        reused, empty = _save_missing(workspace, dataset, form, progress)
        annotated = enrich(workspace, progress=progress)
        embed_pending(workspace, progress)
    homes = _homes(workspace, dataset)
    altered = _altered(workspace, dataset, homes) if dataset.has_spans else frozenset()
    notices = list(annotated.notices if annotated else ())
    if empty:
        notices.append(f"Documents without text, which cannot be found: {tell_names(empty)}.")
    if altered:
        told = tell_names(sorted(altered))
        notices.append(f"Documents not stored as they are, so that no span in them counts: {told}.")
    return Filled(homes, reused, altered, tuple(notices))


def _save_missing(
    workspace: Workspace, dataset: Dataset, form: Form, progress: Progress
) -> tuple[int, list[str]]:
    """How many documents were there already, and which have no text."""
    recipe = compute_ingest_recipe(workspace)
    known = {source.path: source for source in workspace.store.list_sources()}
    reused, empty = 0, []
    for number, document in enumerate(dataset.documents, start=1):
        source = known.get(_path(number, document))
        if source is not None and has_recipe(source, recipe):
            reused += 1
        elif not _save(workspace, _path(number, document), document, form):
            empty.append(document.id)
        progress(Step("read", number, len(dataset.documents), "documents"))
    return reused, empty


def _save(workspace: Workspace, path: str, document: CorpusDocument, form: Form) -> bool:
    """False for a document without any text."""
    data = document.text.encode("utf-8")
    file = IngestedFile(path, hash_bytes(data), len(data), datetime.now(UTC))
    try:
        parsed = document.parsed or parse_text(document.text, path)
        parsed = replace(parsed, title=document.title if form.title == "index" else "")
        save_document(
            workspace, file, parsed, None, IngestOptions(), keep_whole=form.keep_documents
        )
    except ReadError:
        return False
    return True


def _project_key(dataset: Dataset, form: Form, setup: Setup) -> str:
    digest = hashlib.sha256(f"{form.keep_documents} {form.title}".encode())
    for document in dataset.documents:
        digest.update(repr((document.id, document.title, document.text)).encode())
        if document.parsed is not None:
            digest.update(document.parsed.type.encode())
    digest.update(setup.index_key().encode())
    return digest.hexdigest()[:16]


def _path(number: int, document: CorpusDocument) -> str:
    return f"corpus/{number:07d}.{document.parsed.type if document.parsed else 'txt'}"


def _homes(workspace: Workspace, dataset: Dataset) -> dict[str, str]:
    by_path = {_path(n, document): document.id for n, document in enumerate(dataset.documents, 1)}
    return {source.id: by_path[source.path] for source in workspace.store.list_sources()}


def _altered(workspace: Workspace, dataset: Dataset, homes: Mapping[str, str]) -> frozenset[str]:
    texts = {document.id: document.text for document in dataset.documents}
    return frozenset(
        document
        for source, document in homes.items()
        if workspace.store.source_text(source) != texts[document]
    )


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
