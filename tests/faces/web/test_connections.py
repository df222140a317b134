"""Connections of a served project, with real sockets: how many, and how long without a request."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx
import pytest

from foundry.web import connections
from foundry.web.connections import LoopLog, Room, choose_limit
from foundry.web.security import perimeter
from foundry.web.server import make_server
from foundry.web.site import Site, Worker
from foundry.workspace import reconfigure

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = b"POST /api/v2/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n"


@contextmanager
def serve(site: Site, room: Room) -> Iterator[tuple[str, int]]:
    """The site as a server in a thread; its address."""
    server = make_server(replace(site, room=room, worker=Worker(site.owner)))
    # So that nothing but our own limits ends a connection.
    server.config.timeout_keep_alive = 600
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield listener.getsockname()
        server.should_exit = True
        thread.join(timeout=20)


@contextmanager
def connect(address: tuple[str, int], data: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=20) as link:
        link.sendall(data)
        yield link


def read_rest(link: socket.socket) -> bytes:
    """What arrives until the server closes; fails if it does not."""
    data = bytearray()
    try:
        while part := link.recv(65536):
            data += part
    except ConnectionResetError:
        pass
    return bytes(data)


def wait_until(room: Room, taken: int = 0) -> None:
    end = time.monotonic() + 20
    while room.taken != taken and time.monotonic() < end:
        time.sleep(0.01)
    assert room.taken == taken


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"\r\n" + HEAD], ids=["no", "half", "second"])
def test_a_connection_ends_on_which_no_request_arrives(site: Site, begun: bytes) -> None:
    room = Room(head_s=0.3)
    with serve(site, room) as address, connect(address, begun) as link:
        replies = read_rest(link)
        assert replies.count(b"200 OK") == begun.count(b"\r\n\r\n")
        wait_until(room)


def test_a_request_may_take_longer_than_its_head(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = threading.Event()
    monkeypatch.setattr(type(site.owner.store), "list_sources", lambda *_: slow.wait(1) or [])
    with serve(site, Room(head_s=0.2)) as (host, port):
        reply = httpx.get(f"http://{host}:{port}/api/v2/sources", timeout=20)
    assert reply.status_code == 200


def test_a_body_that_trickles_ends(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perimeter, "BODY_S", 0.3)
    room = Room(head_s=0.3)
    with serve(site, room) as address, connect(address, BODY) as link:
        link.settimeout(0.05)
        reply, end = b"", time.monotonic() + 20
        while b"408" not in reply and time.monotonic() < end:
            link.sendall(b" ")
            try:
                reply += link.recv(65536)
            except TimeoutError:
                continue
        assert b"408" in reply
        wait_until(room)


def test_a_reply_that_nobody_reads_ends(site: Site) -> None:
    room, asked = Room(head_s=0.3), HEAD.replace(b"/healthz", b"/api/v2/openapi.json") + b"\r\n"
    with serve(site, room) as address, connect(address, asked * 200):
        wait_until(room, 1)
        wait_until(room)


def test_a_full_server_refuses_and_says_so(site: Site) -> None:
    room = Room(limit=2)
    with serve(site, room) as (host, port):
        with httpx.Client(base_url=f"http://{host}:{port}") as first:
            assert first.get("/readyz").json()["connections"]
            with connect((host, port)):
                with connect((host, port)) as third:
                    assert b" 503 " in read_rest(third)
                reply = first.get("/readyz")
                assert (reply.status_code, reply.json()["connections"]) == (503, False)
        wait_until(room)


def test_a_server_leaves_files_to_its_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (256, 4096))
    assert choose_limit() == 128
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (65536, 65536))
    assert choose_limit() == connections.MOST


def test_failures_to_accept_are_written_once(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("foundry.web")
    log.addHandler(caplog.handler)
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        loop.set_exception_handler(LoopLog())
        context = {"message": "socket.accept() out of system resource", "exception": OSError(24)}
        for _ in range(1000):
            loop.call_exception_handler(context)
    log.removeHandler(caplog.handler)
    assert len({id(record) for record in caplog.records}) == 1


@pytest.mark.parametrize(("hosts", "trusted"), [((), False), (("docs.example",), True)])
def test_a_proxy_is_believed_only_where_one_is_named(
    site: Site, hosts: tuple[str, ...], trusted: bool
) -> None:
    config = site.owner.config
    named = config.model_copy(update={"web": config.web.model_copy(update={"hosts": hosts})})
    owner = reconfigure(site.owner, named)
    assert make_server(replace(site, owner=owner)).config.proxy_headers is trusted
