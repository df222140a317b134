"""What a document costs: model calls, tokens and time for the example project's features.

The models are scripted and answer at once over real HTTP, so that what is left is Foundry's
own time: everything while no call is under way. The second run shows what is taken over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.example import open_example, open_online
from bench.tables import write_head, write_row
from foundry.journeys.generate import generate
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.models.remote_generator import RemoteGenerator
from foundry.ports import ChatMessage
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_runs import play
from tests.support.model_server import ModelServer

FEATURES = ("wiring-guide", "veiligheid")
HELPED = {
    "FOUNDRY_RETRIEVAL__HYDE": "true",
    "FOUNDRY_RETRIEVAL__HYDE_MODEL": "openai/scripted",
    "FOUNDRY_RETRIEVAL__SCORER_MODEL": "openai/scripted",
}
"""The model also helps to search."""


@dataclass
class _Calls:
    """Records when model calls were running, in any thread."""

    spans: list[tuple[float, float]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def seconds(self) -> float:
        """Seconds during which at least one call was running."""
        total, end = 0.0, 0.0
        for start, stop in sorted(self.spans):
            total += max(0.0, stop - max(start, end))
            end = max(end, stop)
        return total


def measure() -> Iterator[str]:
    yield from write_head(
        "feature", "writer", "run", "calls", "tokens", "s in all", "s outside calls", "sentences"
    )
    with open_example() as workspace, ModelServer() as server:
        for name in FEATURES:
            approve_specification(workspace, name, "bench")
        play(server)
        writers = {
            "no model": lambda: open_workspace(workspace.root, environment={}, cwd=workspace.root),
            "scripted": lambda: open_online(workspace.root, server.openai, **HELPED),
        }
        for name in FEATURES:
            for writer, reopen in writers.items():
                # The first run also loads the models and LiteLLM: it is not counted.
                _run(reopen, name, fresh=True)
                for run, fresh in (("first", True), ("again", False)):
                    yield write_row(name, writer, run, *_run(reopen, name, fresh=fresh))


def _run(reopen: Callable[[], Workspace], name: str, *, fresh: bool) -> tuple[object, ...]:
    """Calls, tokens, seconds, seconds outside calls, and sentences of one document."""
    with reopen() as workspace:
        feature = get_specification(workspace, name)
        workspace.embedder.embed_query("warm")
        with _watched() as calls:
            started = time.perf_counter()
            draft = generate(workspace, feature.title, feature=feature, fresh=fresh)
            seconds = time.perf_counter() - started
        # The scripted server invents its counts: prompts and replies are counted here.
        tokens = sum(workspace.count_tokens(text) for text in calls.texts)
    sentences = sum(len(section.sentences) for section in draft.sections)
    own = seconds - calls.seconds()
    return draft.usage.calls, f"{tokens:,}", f"{seconds:.2f}", f"{own:.2f}", sentences


@contextmanager
def _watched() -> Iterator[_Calls]:
    calls, real = _Calls(), RemoteGenerator.generate

    def watched(
        self: RemoteGenerator, messages: Sequence[ChatMessage], **options: object
    ) -> object:
        started = time.perf_counter()
        reply = real(self, messages, **options)  # type: ignore[arg-type]
        with calls.lock:
            calls.spans.append((started, time.perf_counter()))
            calls.texts += [*(message.content for message in messages), reply.text]
        return reply

    RemoteGenerator.generate = watched  # type: ignore[method-assign,assignment]
    try:
        yield calls
    finally:
        RemoteGenerator.generate = real  # type: ignore[method-assign]
