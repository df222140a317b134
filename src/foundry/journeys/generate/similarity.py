"""Similarity of sentences by the project's embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from foundry.ports import Embedder, Vectors
from foundry.workspace import Workspace

MAX_COMPARED = 40
"""Sentences embedded per comparison across languages, at about 20 ms each."""


def build_similarity(workspace: Workspace) -> Callable[[str, Sequence[str]], Sequence[float]]:
    """Cosines of a sentence with others, by the project's embedding model."""
    return _build_embedder_similarity(lambda: workspace.embedder)


def _build_embedder_similarity(
    embedder: Callable[[], Embedder],
) -> Callable[[str, Sequence[str]], Sequence[float]]:
    """Cosines of a sentence with others, by an embedder that is opened on first use.

    Compares at most ``MAX_COMPARED`` others per call and gives the rest 0. Embeds each of the
    others once, however often it is compared.
    """
    known: dict[str, Vectors] = {}

    def similar(sentence: str, others: Sequence[str]) -> Sequence[float]:
        if not others:
            return []
        compared = list(others)[:MAX_COMPARED]
        new = [text for text in dict.fromkeys(compared) if text not in known]
        if new:
            known.update(zip(new, embedder().embed_passages(new), strict=True))
        query = embedder().embed_query(sentence)
        cosines = [float(known[text] @ query) for text in compared]
        return [*cosines, *([0.0] * (len(others) - len(compared)))]

    return similar
