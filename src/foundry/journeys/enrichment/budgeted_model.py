"""Asking one model about many things, and knowing when to stop.

A server that is down is asked once more by the gateway and then not again in this run; a
request that it refuses costs that request, and a second refusal in a row all others. It
keeps the usage and the reasons, and decides nothing about what was not written.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from foundry.errors import ModelError, ModelRejected, ModelReplyInvalid
from foundry.ports import Generator, Message, Reply
from foundry.records import Usage

TOKENIZER_MARGIN = 1.25
"""How much denser the shared tokenizer may count than the model's own."""

_MAX_REFUSALS = 2


@dataclass
class BudgetedModel:
    """One model of one run. Safe to use from several threads."""

    generator: Generator
    usage: Usage = field(default_factory=Usage)
    stopped: str | None = None
    _reasons: Counter[str] = field(default_factory=Counter)
    _refusals: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def room(self) -> int:
        """Tokens of the shared tokenizer that prompt and reply may have together."""
        return int(self.generator.window() / TOKENIZER_MARGIN)

    def ask(
        self, prompt: str, *, max_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> Reply | None:
        """The model's reply, or None where there is none; then the reason is kept."""
        if self.stopped is not None:
            return None
        try:
            message = Message("user", prompt)
            reply = self.generator.generate([message], schema=schema, max_tokens=max_tokens)
        except (ModelRejected, ModelReplyInvalid) as error:
            self._refused(error)
            return None
        except ModelError as error:
            self._stop(error)
            return None
        with self._lock:
            self.usage += reply.usage
            self._refusals = 0
        return reply

    def note(self, reason: str) -> None:
        """Keep why something was not written."""
        with self._lock:
            self._reasons[reason] += 1

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why things were not written, each once, the most frequent first."""
        with self._lock:
            listed = [
                f"{reason} ({times} times)" if times > 1 else reason
                for reason, times in self._reasons.most_common()
            ]
            return (*listed, *((self.stopped,) if self.stopped else ()))

    def _refused(self, error: ModelError) -> None:
        with self._lock:
            self._refusals += 1
            if self._refusals >= _MAX_REFUSALS and self.stopped is None:
                self.stopped = _format_error(error)
        if self.stopped is None:
            self.note(_format_error(error))

    def _stop(self, error: ModelError) -> None:
        with self._lock:
            if self.stopped is None:
                self.stopped = f"It was not asked further: {_format_error(error)}"


def _format_error(error: ModelError) -> str:
    return f"{error.message} {error.fix}".strip()
