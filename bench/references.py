"""What the product's search is compared with: ``bm25s`` and plain vectors of whole texts.

``bm25s`` is used as its own users do (its tokenizer, stop words and a stemmer of the language), and
on the product's terms; plain vectors are of the same embedding model, one for each text however
long, compared by cosine. Vectors are kept on disk by the hash of their text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from foundry.analysis import analyse, analyse_query, detect_language
from foundry.config import BUILTIN_EMBEDDING
from foundry.models import ModelSettings, get_embedder

VECTORS = Path(__file__).parent / "results" / "vectors"
DEPTH = 100
_SAVED_EVERY = 256
_STOP_WORDS: dict[str, str | list[str]] = {"english": "en", "dutch": "nl"}


@dataclass(frozen=True)
class Unit:
    """A text that is ranked, under its id."""

    id: str
    text: str


Rankings = Mapping[str, Sequence[str]]
"""Query id → unit ids, best first."""


def rank_by_stems(units: Sequence[Unit], queries: Mapping[str, str], language: str) -> Rankings:
    """``bm25s`` with its own tokenizer and defaults; an empty ``language`` means no stemmer."""
    stemmer = Stemmer.Stemmer(language) if language else None
    words = _STOP_WORDS.get(language, [])

    def terms(texts: Sequence[str]) -> list[list[str]]:
        cut = bm25s.tokenize(
            list(texts), stopwords=words, stemmer=stemmer, return_ids=False, show_progress=False
        )
        return [list(found) for found in cut]

    asked = dict(zip(queries, terms(list(queries.values())), strict=True))
    return _rank(bm25s.BM25(), units, terms([unit.text for unit in units]), asked)


def rank_by_terms(units: Sequence[Unit], queries: Mapping[str, str]) -> Rankings:
    """``bm25s`` on the product's terms."""
    spoken = [detect_language(unit.text) for unit in units]
    corpus = [
        list(analyse(unit.text, language)) for unit, language in zip(units, spoken, strict=True)
    ]
    asked = {}
    for query, text in queries.items():
        words = analyse_query(text, sorted(set(spoken)))
        asked[query] = list(dict.fromkeys(term for word in words for term in word.terms))
    return _rank(bm25s.BM25(k1=1.2, b=0.75), units, corpus, asked)


def _rank(
    index: bm25s.BM25,
    units: Sequence[Unit],
    corpus: list[list[str]],
    asked: Mapping[str, list[str]],
) -> Rankings:
    index.index(corpus, show_progress=False)
    known = set(index.vocab_dict)
    rankings: dict[str, list[str]] = {}
    for query, terms in asked.items():
        sought = [term for term in terms if term in known]
        if not sought:
            rankings[query] = []
            continue
        found, scores = index.retrieve([sought], k=min(DEPTH, len(units)), show_progress=False)
        rankings[query] = [
            units[int(place)].id
            for place, score in zip(found[0], scores[0], strict=True)
            if score > 0
        ]
    return rankings


def rank_by_vectors(units: Sequence[Unit], queries: Mapping[str, str]) -> Rankings:
    """Cosine of whole texts by the built-in embedding model."""
    embedder = get_embedder(BUILTIN_EMBEDDING, ModelSettings())
    vectors = embed_whole([unit.text for unit in units])
    rankings = {}
    for query, text in queries.items():
        near = np.argsort(-(vectors @ embedder.embed_query(text)), kind="stable")[:DEPTH]
        rankings[query] = [units[int(place)].id for place in near]
    return rankings


def embed_whole(texts: Sequence[str]) -> np.ndarray:
    """Each text as one vector, as the model pools it; shape (len(texts), dimension)."""
    embedder = get_embedder(BUILTIN_EMBEDDING, ModelSettings())
    path = VECTORS / f"{embedder.fingerprint()}.npz"
    known = _load(path)
    missing = [text for text in dict.fromkeys(texts) if _key(text) not in known]
    for start in range(0, len(missing), _SAVED_EVERY):
        part = missing[start : start + _SAVED_EVERY]
        known |= zip(map(_key, part), embedder.embed_passages(part), strict=True)
        _save(path, known)
    return np.array([known[_key(text)] for text in texts])


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _load(path: Path) -> dict[str, np.ndarray]:
    if not path.is_file():
        return {}
    with np.load(path) as kept:
        return dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))


def _save(path: Path, known: Mapping[str, np.ndarray]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp.npz")
    np.savez(temporary, keys=np.array(list(known)), vectors=np.array(list(known.values())))
    temporary.replace(path)
