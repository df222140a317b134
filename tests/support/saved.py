"""What an ingest saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from foundry.workspace import open_workspace


def describe_saved(root: Path) -> dict[str, object]:
    """Return everything in a project's index by the path of its source, without the time of the ingest."""
    found = dict[str, object]()
    with open_workspace(root, environment={}, cwd=root) as workspace:
        store = workspace.maintenance()
        for source in store.list_sources():
            chunks = store.source_chunks(source.id)
            vectors = store.get_vectors(workspace.embedder.model, [one.id for one in chunks])
            found[source.path] = (
                replace(source, ingested=source.modified),
                store.source_text(source.id),
                list(store.source_blocks(source.id)),
                chunks,
                store.summaries([source.id]),
                {key: (one.whole.tobytes(), one.windows.tobytes()) for key, one in vectors.items()},
            )
    return found
