"""Calls models on behalf of a cluster's nodes, so that keys, limits and cached replies stay here.

A node gets stand-ins, which pass each call to an actor on this node. This process takes the call from
the actor, and sends the reply or the error back by it. Nothing is streamed.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Generator as Pieces
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from foundry.config import parse_provider
from foundry.errors import ClusterError, FoundryError
from foundry.models.providers import IN_PROCESS
from foundry.ports import ChatMessage, Classifier, Embedder, Generator, Reply, Reranker, Vectors

_TICK_S = 0.2


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A call of a model's method."""

    name: str
    method: str
    given: tuple[Any, ...]
    named: Mapping[str, Any]


@contextmanager
def relay_models(
    ray: Any, models: Mapping[str, Embedder | Generator | Classifier | Reranker | None]
) -> Iterator[dict[str, Any]]:
    """Call these models for nodes, and yield their stand-ins by the same names.

    A model that runs in a process has no stand-in: each node opens its own.
    """
    away = {
        name: model
        for name, model in models.items()
        if model is not None and parse_provider(model.model) not in IN_PROCESS
    }
    if not away:
        yield {}
        return
    relay = ray.remote(_Relay).options(num_cpus=0, scheduling_strategy=_stay_here(ray)).remote()
    over = threading.Event()
    thread = threading.Thread(target=_serve, args=(ray, relay, away, over), daemon=True)
    thread.start()
    try:
        yield {name: _build_stand_in(relay, name, model) for name, model in away.items()}
    finally:
        over.set()
        thread.join()
        ray.kill(relay)


def _stay_here(ray: Any) -> Any:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)


class _Relay:
    """Holds the calls that wait for a reply."""

    def __init__(self) -> None:
        self._calls: asyncio.Queue[tuple[int, ModelRequest]] = asyncio.Queue()
        self._replies: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count()

    async def call(self, call: ModelRequest) -> Any:
        """Return the reply, which may be an error."""
        number = next(self._numbers)
        self._replies[number] = asyncio.get_running_loop().create_future()
        await self._calls.put((number, call))
        return await self._replies[number]

    async def take(self) -> tuple[int, ModelRequest]:
        """Return the next call, with its number."""
        return await self._calls.get()

    async def reply(self, number: int, reply: object) -> None:
        """Send a call's reply back."""
        self._replies.pop(number).set_result(reply)


def _serve(ray: Any, relay: Any, models: Mapping[str, Any], over: threading.Event) -> None:
    """Take calls until ``over`` is set; each has its own thread, and models limit how many run."""
    waiting = relay.take.remote()
    while not over.is_set():
        if ray.wait([waiting], timeout=_TICK_S)[0]:
            number, call = ray.get(waiting)
            waiting = relay.take.remote()
            given = (relay, models, number, call)
            threading.Thread(target=_answer, args=given, daemon=True).start()


def _answer(relay: Any, models: Mapping[str, Any], number: int, call: ModelRequest) -> None:
    reply: object
    try:
        reply = getattr(models[call.name], call.method)(*call.given, **call.named)
    except FoundryError as error:
        reply = error
    except Exception as error:  # noqa: BLE001 - raised on the node, which waits for it
        reply = ClusterError("cluster-task-failed", cause=repr(error)[:300])
    relay.reply.remote(number, reply)


def _build_stand_in(relay: Any, name: str, model: Any) -> Any:
    known = (relay, name, model.model, model.local)
    if hasattr(model, "generate"):
        return RelayedGenerator(*known, model.window())
    if hasattr(model, "embed_query"):
        return RelayedEmbedder(*known, model.lanes, model.fingerprint())
    return RelayedReranker(*known)


@dataclass(frozen=True, slots=True)
class _StandIn:
    relay: Any
    name: str
    model: str
    local: bool

    def _call(self, method: str, *given: object, **named: object) -> Any:
        import ray

        reply = ray.get(self.relay.call.remote(ModelRequest(self.name, method, given, named)))
        if isinstance(reply, Exception):
            raise reply
        return reply


@dataclass(frozen=True, slots=True)
class RelayedGenerator(_StandIn):
    """A language model that the command calls."""

    tokens: int

    def window(self) -> int:
        return self.tokens

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        reply = self._call("generate", list(messages), schema=schema, max_tokens=max_tokens)
        return cast("Reply", reply)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        reply = self.generate(messages, schema=schema, max_tokens=max_tokens)
        yield reply.text
        return reply


@dataclass(frozen=True, slots=True)
class RelayedEmbedder(_StandIn):
    """An embedding model that the command calls."""

    lanes: int
    known: str

    def fingerprint(self) -> str:
        return self.known

    def dimension(self) -> int:
        return cast("int", self._call("dimension"))

    def embed_query(self, text: str) -> Vectors:
        return cast("Vectors", self._call("embed_query", text))

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return cast("Vectors", self._call("embed_passages", list(texts)))


@dataclass(frozen=True, slots=True)
class RelayedReranker(_StandIn):
    """A reranker that the command calls."""

    def score_passages(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        scores = self._call("score_passages", question, list(passages))
        return cast("Sequence[float]", scores)
