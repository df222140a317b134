"""Similarity of sentences by the project's embedder, and rarity of words in its index."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from foundry.analysis import analyse_query
from foundry.ports import Embedder, Vectors
from foundry.records import SearchResult
from foundry.workspace import Workspace

MAX_COMPARED = 40
"""Sentences embedded per comparison across languages, at about 20 ms each."""


def build_similarity(workspace: Workspace) -> Callable[[str, Sequence[str]], Sequence[float]]:
    """Cosines of a sentence with others, by the project's embedding model."""
    return build_embedder_similarity(lambda: workspace.embedder)


def build_embedder_similarity(
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


def compute_term_weights(workspace: Workspace, result: SearchResult) -> dict[str, float]:
    """The rarity of each analysed term of the question in the project: BM25's idf."""
    languages = workspace.store.languages()
    words = analyse_query(result.query, sorted(languages))
    terms = [term for word in words for term in word.terms]
    frequencies = workspace.store.document_frequencies(terms)
    count = sum(languages.values())
    return {
        term: math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
        for term, frequency in ((term, frequencies.get(term, 0)) for term in terms)
    }
