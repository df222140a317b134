"""Embedding models behind LiteLLM.

Replies are checked before use: as many vectors as texts, all of one length, finite
and not zero. Rows are scaled to length 1. Texts are never cut: one that exceeds the
model's limit is the provider's error.
"""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from foundry.errors import ModelRejected, ModelReplyInvalid
from foundry.models.gateway import call, map_calls, request_arguments
from foundry.models.litellm_client import load_http_handler, load_litellm
from foundry.models.providers import Target, require_key, resolve_target
from foundry.models.settings import ModelSettings
from foundry.models.tokens import estimate_usage, get_window, measure_usage, sanitize
from foundry.ports import Vectors

_BATCH_CHARACTERS = 120_000
# The largest models known give 8192 numbers of up to 25 characters, and the rest is headroom.
_BYTES_PER_TEXT = 2**18
_ENVELOPE_BYTES = 2**20
_PROBE = "dimension"

# Models trained with a prefix before each text: (pattern, query, passage).
_PREFIXES = (
    (r"(^|/)(multilingual-)?e5-(small|base|large)(-v2)?\b", "query: ", "passage: "),
    (r"nomic-embed-text", "search_query: ", "search_document: "),
    (
        r"mxbai-embed-large|snowflake-arctic-embed(?!2)",
        "Represent this sentence for searching relevant passages: ",
        "",
    ),
)
# Providers that send numbers in base64 if asked. The client takes 4 ms to check the 1024 numbers of a
# list one by one; a server that does not know the parameter sends them all the same.
_BASE64 = ("openai", "azure", "hosted_vllm")
# Providers of the same requests. Here their client is LiteLLM's for vLLM over the shared session:
# OpenAI's own builds an object for each vector, and takes 0.15 ms a text instead of 0.10.
_PLAIN_CLIENT = ("openai", "hosted_vllm")
# Providers that take the purpose as a parameter: (query, passage).
_PURPOSES = {
    "cohere": ("search_query", "search_document"),
    "voyage": ("query", "document"),
    "nvidia_nim": ("query", "passage"),
}


@dataclass
class RemoteEmbedder:
    """An embedding model behind LiteLLM, as an ``Embedder``; safe in threads."""

    target: Target
    settings: ModelSettings
    _dimension: int | None = field(default=None, init=False)
    _plain: bool = field(default=False, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    @property
    def model(self) -> str:
        return self.target.model

    @property
    def local(self) -> bool:
        return self.target.local

    @property
    def lanes(self) -> int:
        return self.settings.max_concurrency

    def dimension(self) -> int:
        """Length of a vector; calls the model if nothing was embedded yet."""
        if self._dimension is None:
            self._embed([_PROBE], query=False)
        assert self._dimension is not None
        return self._dimension

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension()), dtype=np.float32)
        prefix = find_prefixes(self.target.name)[1]
        prefixed = [prefix + text for text in texts]
        batches = _split_batches(prefixed, self.settings.batch_texts)
        parts = map_calls(
            lambda batch: self._embed(batch, query=False), batches, self.settings.max_concurrency
        )
        return np.concatenate(list(parts))

    def embed_query(self, text: str) -> Vectors:
        """The vector of one query, shape (dimension,), length 1."""
        prefix = find_prefixes(self.target.name)[0]
        vector: Vectors = self._embed([prefix + text], query=True)[0]
        return vector

    def fingerprint(self) -> str:
        """A hash of model, dimension and prefixes."""
        parts = (self.target.litellm_name, self.dimension(), find_prefixes(self.target.name))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def _embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        arguments = request_arguments(self.target, self.settings)
        arguments["input"] = [_clean_text(text) for text in texts]
        arguments |= self._build_purpose_arguments(query=query)
        if self.target.provider in _PLAIN_CLIENT:
            arguments |= {
                "model": f"hosted_vllm/{self.target.name}",
                "client": load_http_handler(),
            }
        most = partial(estimate_usage, self.target, arguments["input"], 0)
        with self.settings.meter.charge(self.model, self.target.host, most) as charge:
            reply = self._request(arguments)
            charge.settle(measure_usage(getattr(reply, "usage", None), self.target, None))
        vectors = self._parse_vectors(reply.data, len(texts))
        with self._lock:
            if self._dimension is None:
                self._dimension = vectors.shape[1]
            elif self._dimension != vectors.shape[1]:
                raise self._build_error(
                    "models-vectors-length", length=vectors.shape[1], earlier=self._dimension
                )
        return vectors

    def _request(self, arguments: dict[str, Any]) -> Any:
        """The reply; a server that refuses base64 is asked without, from then on."""

        def send() -> Any:
            limit = _ENVELOPE_BYTES + _BYTES_PER_TEXT * len(arguments["input"])
            work = partial(load_litellm().embedding, **arguments)
            return call(self.target, self.settings, work, limit=limit)

        try:
            return send()
        except ModelRejected as error:
            refused = error.problem.code == "models-request-rejected"
            if not refused or not arguments.pop("encoding_format", None):
                raise
        reply = send()
        self._plain = True
        return reply

    def _build_purpose_arguments(self, *, query: bool) -> dict[str, Any]:
        provider = self.target.provider
        if provider == "ollama":
            # Without truncate=False the server would silently cut texts over the window.
            window = get_window(self.target.model, self.settings)
            return {"truncate": False, "options": {"num_ctx": window}}
        if provider in _BASE64 and not self._plain:
            return {"encoding_format": "base64"}
        purposes = _PURPOSES.get(provider)
        return {"input_type": purposes[0 if query else 1]} if purposes else {}

    def _parse_vectors(self, data: Any, wanted: int) -> Vectors:
        places = [_get_value(item, "index") for item in data or []]
        if len(places) != wanted:
            raise self._build_error("models-vectors-count", vectors=len(places), texts=wanted)
        # A server that numbers none gives them in order.
        if places != [None] * wanted and sorted(map(str, places)) != sorted(
            map(str, range(wanted))
        ):
            raise self._build_error("models-vectors-places")
        ordered = sorted(data, key=lambda item: int(_get_value(item, "index") or 0))
        rows = [_read_row(_get_value(item, "embedding")) for item in ordered]
        if len({len(row) for row in rows}) != 1 or not len(rows[0]):
            raise self._build_error("models-vectors-unequal")
        vectors = np.asarray(rows, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not (lengths > 0).all():
            raise self._build_error("models-vectors-zero")
        unit: Vectors = vectors / lengths
        return unit

    def _build_error(self, code: str, **params: Any) -> ModelReplyInvalid:
        return ModelReplyInvalid(code, where=self.target.host, model=self.model, **params)


def open_embedder(model: str, settings: ModelSettings) -> RemoteEmbedder:
    """The embedder for a LiteLLM name; raises ``KeyMissing`` and ``ConfigError`` at once."""
    target = resolve_target(model, settings)
    require_key(target, settings)
    return RemoteEmbedder(target, settings)


def find_prefixes(name: str) -> tuple[str, str]:
    """The prefixes (query, passage) that a model was trained with; empty for most."""
    for pattern, query, passage in _PREFIXES:
        if re.search(pattern, name.lower()):
            return query, passage
    return "", ""


def _split_batches(texts: Sequence[str], most: int) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == most or size + len(text) > _BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _read_row(row: Any) -> Any:
    """The numbers of a vector: a list, or little-endian floats of 32 bits in base64."""
    return np.frombuffer(base64.b64decode(row), "<f4") if isinstance(row, str) else row


def _clean_text(text: str) -> str:
    """The text as it can be sent: providers refuse empty texts, UTF-8 lone surrogates."""
    text = sanitize(text.replace("\0", " "))
    return text if text.strip() else "."


def _get_value(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, dict) else getattr(item, name, None)
