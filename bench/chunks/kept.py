"""Embeddings kept on disk by their text: variants share what they have in common, once computed."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from foundry.models.builtin_embedder import DIMENSION, BuiltinEmbedder
from foundry.ports import Vectors

KEPT = Path("bench/results/vectors.sqlite")
_BATCH = 64


class KeptEmbedder:
    """The built-in embedder behind a file of what it has said; fits the ``Embedder`` port."""

    local = True

    def __init__(self, path: Path = KEPT) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._own = BuiltinEmbedder()
        self._db = sqlite3.connect(path, timeout=60, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, vector BLOB)")

    @property
    def model(self) -> str:
        return self._own.model

    def dimension(self) -> int:
        return DIMENSION

    def fingerprint(self) -> str:
        return self._own.fingerprint()

    def embed_query(self, text: str) -> Vectors:
        key = _key("query", text)
        known = self._find([key])
        if key not in known:
            known[key] = self._own.embed_query(text)
            self._keep({key: known[key]})
        return known[key]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        keys = [_key("passage", text) for text in texts]
        known = self._find(keys)
        missing = {k: text for k, text in zip(keys, texts, strict=True) if k not in known}
        todo = list(missing.items())
        for start in range(0, len(todo), _BATCH):
            part = todo[start : start + _BATCH]
            made = self._own.embed_passages([text for _, text in part])
            found = {key: vector for (key, _), vector in zip(part, made, strict=True)}
            self._keep(found)
            known |= found
            print(f"\rembedding: {start + len(part)} of {len(todo)}", end="", file=sys.stderr)
        if todo:
            print(file=sys.stderr)
        return np.stack([known[key] for key in keys])

    def _find(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._db.execute(f"SELECT key, vector FROM kept WHERE key IN ({marks})", part)
            found |= {key: np.frombuffer(data, dtype=np.float32) for key, data in rows}
        return found

    def _keep(self, made: dict[bytes, Vectors]) -> None:
        rows = [(key, vector.astype(np.float32).tobytes()) for key, vector in made.items()]
        self._db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
        self._db.commit()


def _key(kind: str, text: str) -> bytes:
    return hashlib.sha256(f"{kind}\0{text}".encode("utf-8", "surrogatepass")).digest()[:20]
