"""What a document costs: model calls, tokens and time for the example project's features.

The models are scripted and answer at once over real HTTP, so that what is left is Foundry's
own time: everything while no call is under way. The second run shows what is taken over.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.startup import EXAMPLE
from foundry.journeys.generate import generate
from foundry.journeys.ingest import ingest
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.models.remote_generator import RemoteGenerator
from foundry.ports import ChatMessage
from foundry.records import Draft
from foundry.workspace import open_workspace
from tests.journeys.draft_runs import play
from tests.support.model_server import ModelServer

FEATURES = ("wiring-guide", "veiligheid")
MODEL = "openai/scripted"


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


def measure(_data: Path | None) -> Iterator[str]:
    yield "| feature | writer | run | calls | tokens | s in all | s outside calls | sentences |"
    yield "|---|---|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder, ModelServer() as server:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
            for name in FEATURES:
                approve_specification(workspace, name, "bench")
        play(server)
        scripted = {
            "FOUNDRY_MODE": "online",
            "FOUNDRY_GENERATION__MODEL": MODEL,
            "FOUNDRY_RETRIEVAL__HYDE": "true",
            "FOUNDRY_RETRIEVAL__HYDE_MODEL": MODEL,
            "FOUNDRY_RETRIEVAL__SCORER_MODEL": MODEL,
            "FOUNDRY_MODELS__CACHE": "false",
            "OPENAI_API_KEY": "unused",
            "OPENAI_API_BASE": server.openai,
        }
        for name in FEATURES:
            for writer, environment in (("no model", {}), ("scripted", scripted)):
                # The first run also loads the models and LiteLLM: it is not counted.
                _run(root, name, environment, fresh=True)
                for run, fresh in (("first", True), ("again", False)):
                    yield _row((name, writer, run), *_run(root, name, environment, fresh=fresh))


def _run(
    root: Path, name: str, environment: dict[str, str], *, fresh: bool
) -> tuple[Draft, int, float, float]:
    with open_workspace(root, environment=environment, cwd=root) as workspace:
        feature = get_specification(workspace, name)
        workspace.embedder.embed_query("warm")
        with _watched() as calls:
            started = time.perf_counter()
            draft = generate(workspace, feature.title, feature=feature, fresh=fresh)
            seconds = time.perf_counter() - started
        # The scripted server invents its counts: prompts and replies are counted here.
        tokens = sum(workspace.count_tokens(text) for text in calls.texts)
    return draft, tokens, seconds, seconds - calls.seconds()


def _row(what: tuple[str, str, str], draft: Draft, tokens: int, seconds: float, own: float) -> str:
    sentences = sum(len(section.sentences) for section in draft.sections)
    numbers = f"{draft.usage.calls} | {tokens:,} | {seconds:.2f} | {own:.2f} | {sentences}"
    return f"| {' | '.join(what)} | {numbers} |"


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
