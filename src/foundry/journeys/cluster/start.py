"""Connects to a Ray cluster, or starts one on this machine, and starts the actors on its nodes.

Ray reports nothing to anyone, and what it starts here listens on loopback only, with a token of its own.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, TypeVar

from foundry.errors import ClusterError, require_extra
from foundry.journeys.cluster.nodes import describe_foundry
from foundry.models.providers import is_loopback

LOCAL = "local"
"""The address that starts Ray on this machine, for as long as the command runs."""
_ROOM_MB = 512
"""Memory of an actor besides its parser process: the embedding model and what is sent. A guess."""
_STORE_MB = 256
_CONNECT_S, _HEAD_S, _START_S = 5.0, 2.0, 120.0

T = TypeVar("T")
StartActor = Callable[[], Any]


def connect(
    address: str, workers: int, memory_mb: int, resources: ExitStack
) -> tuple[Any, list[StartActor]]:
    """Connect to the cluster at HOST:PORT, or start one with ``local``.

    Return Ray and a function that starts each actor: one per core, or ``workers``. ``memory_mb`` is
    the limit of each parser process, and a node gets no more actors than it has memory for. Closing
    ``resources`` shuts everything down. Raises ``ExtraMissing``, and ``ClusterError`` within seconds
    for an address where no cluster answers, or for nodes with another version of Foundry.
    """
    require_extra("ray", where="--ray")
    start = _start_local if address == LOCAL else _join
    ray = start(address, workers, resources)
    alive = [node for node in ray.nodes() if node["Alive"]]
    _require_same(ray, alive)
    places = _choose_places(alive, workers, memory_mb)
    return ray, [partial(_start_actor, ray, place) for place in places]


def _start_local(address: str, workers: int, resources: ExitStack) -> Any:
    ray = _import_ray(
        **LOOPBACK,
        # Ray's own limits of 30 and 45 s are too short for a busy machine.
        RAY_agent_register_timeout_ms=str(round(1000 * _START_S)),
        RAY_raylet_start_wait_time_s=str(round(_START_S)),
        AUTOSCALER_METRIC_PORT="0",
        RAY_AUTH_MODE="token",
        # A process can have no second one: Ray keeps the first.
        RAY_AUTH_TOKEN=os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32),
    )
    folder = tempfile.TemporaryDirectory(prefix="foundry-ray-", ignore_cleanup_errors=True)
    options = {
        "num_cpus": workers or None,
        "include_dashboard": False,
        "object_store_memory": _STORE_MB * 2**20,
        "_temp_dir": resources.enter_context(folder),
    }
    _init(ray, address, resources, **options)
    return ray


def _join(address: str, _workers: int, resources: ExitStack) -> Any:
    host, port = _parse_address(address)
    _require_server(address, host, port)
    ray = _import_ray(**(LOOPBACK if is_loopback(f"//{host}") else {}))
    _init(ray, address, resources)
    return ray


def _import_ray(**variables: str) -> Any:
    """Import Ray, set to report nothing to anyone; it reads its settings from variables."""
    os.environ.update(
        RAY_USAGE_STATS_ENABLED="0",
        RAY_NUM_REDIS_GET_RETRIES="5",  # a wrong address takes seconds
        RAY_ENABLE_AUTO_CONNECT="0",  # what is used after the end must not start another cluster
        **variables,
    )
    import ray

    # Ray would print errors of nodes among our output, and has no setting against it.
    ray._private.worker.print_to_stdstream = lambda *_args, **_options: None  # noqa: SLF001
    return ray


def _init(ray: Any, address: str, resources: ExitStack, **options: Any) -> None:
    resources.callback(ray.shutdown)
    try:
        with _mute_stderr():
            ray.init(address, log_to_driver=False, logging_level="CRITICAL", **options)
    except Exception as error:
        # Ray raises all kinds; if versions differ, its message names both.
        cause = " ".join(str(error).split())[:300]
        raise ClusterError("cluster-refused", where=f"--ray {address}", cause=cause) from error


LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Ray's own setting for a cluster of one machine: it listens on loopback only."""


@contextmanager
def _mute_stderr() -> Iterator[None]:
    """Discard what a library writes directly to file descriptor 2."""
    kept = os.dup(2)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _parse_address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ClusterError("cluster-address", where=f"--ray {address}")
    return host, int(port)


def _require_server(address: str, host: str, port: int) -> None:
    """Raise ``ClusterError`` unless something there speaks HTTP/2; Ray itself tries for minutes."""
    try:
        with socket.create_connection((host, port), _CONNECT_S) as connection:
            connection.settimeout(_CONNECT_S)
            connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5))
            # A frame of settings: three bytes of length, then its type.
            answers = connection.recv(4)[3:] == b"\x04"
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClusterError("cluster-away", where=f"--ray {address}", cause=reason) from error
    if not answers:
        raise ClusterError("cluster-no-ray", where=f"--ray {address}")


def find_head(ray: Any) -> str:
    """Return HOST:PORT of the head node of the cluster that this process uses."""
    return str(ray.get_runtime_context().gcs_address)


def has_head(address: str) -> bool:
    """Return whether the head node accepts connections."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _HEAD_S).close()
    except OSError:
        return False
    return True


def _require_same(ray: Any, nodes: Sequence[dict[str, Any]]) -> None:
    """Raise ``ClusterError`` for nodes that have no Foundry or another one."""

    # Inside this function it is sent by value, so that a node without Foundry can answer.
    def describe() -> str:
        try:
            from foundry.journeys.cluster.nodes import describe_foundry
        except ImportError:
            return "none"
        return describe_foundry()

    ours, check = describe_foundry(), ray.remote(describe)
    tasks = {
        check.options(num_cpus=0, scheduling_strategy=_bind(node, soft=False)).remote(): node
        for node in nodes
    }
    try:
        found = ray.get([*tasks], timeout=_START_S)
    except ray.exceptions.RayError as error:
        raise ClusterError("cluster-silent", cause=type(error).__name__) from error
    for theirs, node in zip(found, tasks.values(), strict=True):
        if theirs != ours:
            name = node["NodeManagerHostname"]
            raise ClusterError("cluster-other-foundry", node=name, theirs=theirs, ours=ours)


def _choose_places(
    nodes: Sequence[dict[str, Any]], workers: int, memory_mb: int
) -> list[dict[str, Any]]:
    """Return the node of each actor: one per core, as far as its memory allows."""
    need = (memory_mb + _ROOM_MB) * 2**20
    room = [
        [node] * min(int(kinds.get("CPU", 0)), max(1, int(kinds.get("memory", 0) // need)))
        for node in nodes
        for kinds in [node["Resources"]]
    ]
    # Nodes take turns, so that a smaller number is spread.
    deepest = max(map(len, room), default=0)
    places = [row[turn] for turn in range(deepest) for row in room if turn < len(row)]
    if not places:
        raise ClusterError("cluster-empty")
    return [places[number % len(places)] for number in range(workers or len(places))]


def _start_actor(ray: Any, node: dict[str, Any]) -> Any:
    class Worker:
        """Runs one function after another; their modules keep any state."""

        def run(self, function: Callable[..., T], *arguments: object) -> T:
            return function(*arguments)

    actor = ray.remote(Worker).options(
        # Actors of several commands share the cores, as processes do; their number is ours.
        num_cpus=0,
        # Ray would retry a task in the restarted actor, and so a file that kills its actor endlessly.
        max_restarts=0,
        scheduling_strategy=_bind(node, soft=True),
    )
    return actor.remote()


def _bind(node: dict[str, Any], *, soft: bool) -> Any:
    """Return the strategy for this node; with ``soft`` another one takes over if it is lost."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    return NodeAffinitySchedulingStrategy(node["NodeID"], soft=soft)
