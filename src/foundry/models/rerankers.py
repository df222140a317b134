"""Rerankers that are not built in: a cross-encoder in a directory, and any that LiteLLM knows.

``onnx:DIR`` is a directory as sentence-transformers or Optimum write a cross-encoder:
``model.onnx`` and ``tokenizer.json``, with one relevance score (or two classes, the second
"relevant") for a pair of texts. A pair longer than the model's limit loses the end of its passage.
Replies of servers are checked before use: one finite score for each passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from foundry.errors import ConfigError, ModelReplyInvalid
from foundry.models.gateway import call, request_arguments
from foundry.models.litellm_client import load_http_handler, load_litellm
from foundry.models.onnx_models import OnnxPairs, find_onnx_folder, read_settings
from foundry.models.providers import Target, require_key, resolve_target
from foundry.models.settings import ModelSettings
from foundry.models.tokens import estimate_usage, sanitize

_ENVELOPE_BYTES = 2**20
_BYTES_PER_PASSAGE = 2**16
"""Some servers send the passages back."""


@dataclass
class OnnxReranker:
    """A cross-encoder in a directory, as a ``Reranker``; loaded at the first question."""

    model: str
    folder: Path
    pairs: OnnxPairs
    local: bool = True

    def score_passages(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """The model's score of each pair; raises ``ConfigError`` if it cannot be loaded."""
        outputs = self.pairs.run([self.pairs.encode(question, passage) for passage in passages])
        if outputs.shape[1] > 2 or not np.isfinite(outputs).all():
            raise ConfigError("models-onnx-no-score", where=str(self.folder))
        return [float(row[-1] - (row[0] if len(row) == 2 else 0)) for row in outputs]


def open_onnx_reranker(model: str) -> OnnxReranker:
    """The reranker for ``onnx:DIR``; raises ``ConfigError`` for a missing package or file."""
    folder = find_onnx_folder(model, "retrieval.reranker")
    return OnnxReranker(model, folder, OnnxPairs(read_settings(folder), "only_second"))


@dataclass
class RemoteReranker:
    """A reranking model behind LiteLLM, as a ``Reranker``; safe in threads."""

    target: Target
    settings: ModelSettings

    @property
    def model(self) -> str:
        return self.target.model

    @property
    def local(self) -> bool:
        return self.target.local

    def score_passages(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """The server's relevance of each passage; raises ``ModelError``."""
        if not passages:
            return []
        arguments = request_arguments(self.target, self.settings)
        arguments |= {
            "query": _clean_text(question),
            "documents": [_clean_text(passage) for passage in passages],
            "top_n": len(passages),
            "return_documents": False,
            "client": load_http_handler(),
        }
        texts = [arguments["query"], *arguments["documents"]]
        most = partial(estimate_usage, self.target, texts, 0)
        with self.settings.meter.charge(self.model, self.target.host, most):
            reply = call(
                self.target,
                self.settings,
                lambda: load_litellm().rerank(**arguments),
                limit=_ENVELOPE_BYTES + _BYTES_PER_PASSAGE * len(passages),
            )
        return self._parse_scores(reply.results or [], len(passages))

    def _parse_scores(self, results: Sequence[Any], wanted: int) -> list[float]:
        scores: dict[int, float] = {}
        for result in results:
            index, score = result.get("index"), result.get("relevance_score")
            if isinstance(index, int) and isinstance(score, int | float) and np.isfinite(score):
                scores[index] = float(score)
        if set(scores) != set(range(wanted)):
            raise ModelReplyInvalid(
                "models-scores-missing",
                where=self.target.host,
                model=self.model,
                scores=len(scores),
                passages=wanted,
            )
        return [scores[index] for index in range(wanted)]


def open_reranker(model: str, settings: ModelSettings) -> RemoteReranker:
    """The reranker for a LiteLLM name; raises ``KeyMissing`` and ``ConfigError`` at once."""
    target = resolve_target(model, settings)
    require_key(target, settings)
    return RemoteReranker(target, settings)


def _clean_text(text: str) -> str:
    """The text as it can be sent: servers refuse empty texts, UTF-8 lone surrogates."""
    return sanitize(text.replace("\0", " ")).strip() or "."
