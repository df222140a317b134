"""One model asked many times in a run, and the rule for when to stop asking.

A failing server is not asked again in this run (the gateway has retried by then). A rejected
request costs only itself; a second rejection in a row stops all others.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from foundry.errors import ModelError, ModelRejected, ModelReplyInvalid
from foundry.messages import Message
from foundry.ports import ChatMessage, Generator, Reply
from foundry.records import Usage

TOKENIZER_MARGIN = 1.25
"""Safety factor on a model's window: its own tokenizer may count this much more than ours (a guess)."""

_MAX_REFUSALS = 2
"""Rejections in a row: one may be the fault of its prompt, two are the fault of the setup."""


@dataclass
class BudgetedModel:
    """A model with its usage and its reasons for stopping. Thread-safe."""

    generator: Generator
    usage: Usage = field(default_factory=Usage)
    stopped: Message | None = None
    _reasons: Counter[Message] = field(default_factory=Counter)
    _refusals: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def room(self) -> int:
        """Tokens of the shared tokenizer for prompt and reply together."""
        return int(self.generator.window() / TOKENIZER_MARGIN)

    def ask(
        self, prompt: str, *, max_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> Reply | None:
        """The model's reply; None if there is none, with the reason noted."""
        if self.stopped is not None:
            return None
        try:
            message = ChatMessage("user", prompt)
            reply = self.generator.generate([message], schema=schema, max_tokens=max_tokens)
        except (ModelRejected, ModelReplyInvalid) as error:
            self._count_refusal(error)
            return None
        except ModelError as error:
            self._stop(error)
            return None
        with self._lock:
            self.usage += reply.usage
            self._refusals = 0
        return reply

    def note(self, reason: Message) -> None:
        """Count a reason why something was not written."""
        with self._lock:
            self._reasons[reason] += 1

    @property
    def reasons(self) -> tuple[Message, ...]:
        """Each reason once, the most frequent first."""
        with self._lock:
            counted = [
                Message("enrich-times", reason=reason, times=times) if times > 1 else reason
                for reason, times in self._reasons.most_common()
            ]
            return (*counted, *((self.stopped,) if self.stopped else ()))

    def _count_refusal(self, error: ModelError) -> None:
        with self._lock:
            self._refusals += 1
            if self._refusals >= _MAX_REFUSALS and self.stopped is None:
                self.stopped = _explain(error)
        if self.stopped is None:
            self.note(_explain(error))

    def _stop(self, error: ModelError) -> None:
        with self._lock:
            if self.stopped is None:
                self.stopped = Message("enrich-stopped", reason=_explain(error))


def _explain(error: ModelError) -> Message:
    return Message("enrich-failed", problem=error.problem)
