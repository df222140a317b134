"""Model servers gone wrong: each mode is a behaviour for ``ModelServer``.

``MODES`` names them all; ``QUICK`` are those that end at once by themselves. Every mode works for plain and
for streamed requests::

    server.default = MODES["gzip bomb"]

What never ends by itself ends when the client leaves or the server closes.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from tests.support.model_server import (
    Drip,
    Json,
    Raw,
    Request,
    Script,
    Stall,
    Status,
    Text,
    Wire,
)

SENTENCE = "The input fuse is rated at 3.15 A slow."
_MB = 10**6
_Write = Callable[[Any, Request], None]


def echo_key(code: int) -> Script:
    """An error whose message repeats the key that came with the request."""

    def answer(request: Request) -> Status:
        return Status(code, f"Bad header {request.headers.get('Authorization', '')}")

    return answer


def fail_in_stream(handler: Any, request: Request) -> None:
    """An error as an event of a stream, with the key in it; a plain error without streaming."""
    error = {"error": {"message": f"Bad header {request.headers.get('Authorization', '')}"}}
    _open(handler, request)
    handler.wfile.write(f"data: {json.dumps(error)}\n\n".encode())


def reset(handler: Any, _request: Request) -> None:
    """Reset the connection in the middle of a body."""
    _head(handler, "application/json", 5000)
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def dawdle_in_head(handler: Any, _request: Request) -> None:
    """A header line every tenth of a second."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in _count(handler, 0.1):
        handler.wfile.write(f"X-{number}: 1\r\n".encode())


def flood_head(handler: Any, _request: Request) -> None:
    """Header lines as fast as they are taken."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in _count(handler, 0):
        handler.wfile.write(f"X-{number}: {'1' * 900}\r\n".encode())


def stream_for_ever(handler: Any, request: Request) -> None:
    """Sentences as fast as they are taken."""
    _open(handler, request)
    for number in _count(handler, 0):
        handler.wfile.write(_event(f"Unit {number} runs at {number} V. "))


def stream_slowly(handler: Any, request: Request) -> None:
    """A character every tenth of a second, without end."""
    _open(handler, request)
    for _ in _count(handler, 0.1):
        handler.wfile.write(_event("a"))


def send_huge(handler: Any, request: Request) -> None:
    """100 MB of text as one reply, or as one line of a stream."""
    whole = _whole("x").split(b'"x"')
    start = b'data: {"choices": [{"index": 0, "delta": {"content": "'
    head, tail = (start, b'"}}]}\n\n') if _streams(request) else (whole[0] + b'"', b'"' + whole[1])
    _open(handler, request)
    handler.wfile.write(head)
    for _ in range(100):
        handler.wfile.write(b"x" * _MB)
    handler.wfile.write(tail)


def send_bomb(handler: Any, request: Request) -> None:
    """A reply of 1.5 GB in 1.5 MB of gzip."""
    body = _pack_bomb()
    content_type = "text/event-stream" if _streams(request) else "application/json"
    _head(handler, content_type, len(body), "Content-Encoding: gzip")
    handler.wfile.write(body)


def send_packed(handler: Any, _request: Request) -> None:
    """A sound reply, compressed as a proxy may do."""
    body = gzip.compress(_whole("Five volts."))
    _head(handler, "application/json", len(body), "Content-Encoding: gzip")
    handler.wfile.write(body)


def redirect_to(where: str) -> Script:
    """A redirect, to the address itself with ``where`` empty."""

    def write(handler: Any, request: Request) -> None:
        host = f"http://127.0.0.1:{handler.server.owner.port}"
        target = where or f"{host}{request.path}"
        handler.wfile.write(
            f"HTTP/1.1 307 Moved\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
        )

    return Wire(write)


def send_bytes(body: bytes, content_type: str = "application/json") -> Script:
    """This body, whatever was asked for."""

    def write(handler: Any, _request: Request) -> None:
        _head(handler, content_type, len(body))
        handler.wfile.write(body)

    return Wire(write)


def _say(count: int, length: int = 0) -> Text:
    """A structured reply of ``count`` sentences, each extended to ``length`` characters."""
    rows = [
        {"text": f"Unit {number} runs at {number} V.".ljust(length, "x"), "citations": ["S1"]}
        for number in range(count)
    ]
    return Json({"sentences": rows})


@cache
def _pack_bomb() -> bytes:
    unit = gzip.compress(b" " * _MB, 9)
    return gzip.compress(b'{"id": "1", ' + b" " * 50 * _MB, 9) + unit * 1450


def _streams(request: Request) -> bool:
    return bool(request.body.get("stream"))


def _whole(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    reply = {"id": "1", "object": "chat.completion", "created": 1, "choices": [choice]}
    return json.dumps(reply).encode()


def _event(text: str) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _open(handler: Any, request: Request) -> None:
    """Open a response that ends with the connection."""
    _head(handler, "text/event-stream" if _streams(request) else "application/json", None)


def _head(handler: Any, content_type: str, length: int | None, *more: str) -> None:
    size = [] if length is None else [f"Content-Length: {length}"]
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {content_type}", *size, *more, "Connection: close"]
    handler.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode())


def _count(handler: Any, pause: float) -> Iterator[int]:
    """0, 1, 2, … until the server closes; a client that leaves ends the writing."""
    number = 0
    while not handler.server.owner._closing.is_set():
        yield number
        number += 1
        time.sleep(pause)


QUICK: Mapping[str, Script] = {
    "401 with the key": echo_key(401),
    "500 with the key": echo_key(500),
    "error in the stream": Wire(fail_in_stream),
    "reset": Wire(reset),
    "cut": Text(SENTENCE * 3, drop=3),
    "garbage": send_bytes(bytes(range(256)) * 40),
    "html": Raw("<html><h1>Welcome</h1></html>", "text/html"),
    "empty": send_bytes(b""),
    "no choices": send_bytes(b'{"id": "1", "choices": []}'),
    "null choices": send_bytes(b'{"id": "1", "choices": null}'),
    "null content": send_bytes(_whole("x").replace(b'"x"', b"null")),
    "bad UTF-8": send_bytes(_whole("x").replace(b'"x"', b'"\xff\xfe\xc3("')),
    "lone surrogate": send_bytes(_whole("x").replace(b'"x"', b'"\\ud800 5 V."')),
    "redirect": redirect_to("http://127.0.0.1:1/v1/chat/completions"),
    "redirect loop": redirect_to(""),
    "deep JSON": send_bytes(b'{"choices": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "deep JSON in the text": Text('{"sentences": ' + "[" * 6000 + "]" * 6000 + "}"),
    "20,000 sentences": _say(20_000),
    "300 sentences": _say(300),
    "one sentence of 520 kB": _say(1, 520_000),
    "one sentence of 12 kB": _say(1, 12_000),
    "unclosed quotes": Text('{"sentences": [{"text": "' + '\\"' * 7000),
    "open thoughts": Text("<think>" * 2000),
    "15,000 line breaks": Text("It is 5 V." + "\n" * 15_000 + "x"),
    "1. 1. 1.": Text("1. " * 5000),
    "figures without end": Text("3.15 V and 5 A, " * 1000),
}

RETRY_AFTER: Mapping[str, str] = {
    "two numbers": "5, 10", "no number": "foo, bar", "nan": "nan", "infinite": "inf",
    "negative": "-5", "a day and more": "100000", "300 digits": "9" * 300,
    "year 9999": "Fri, 31 Dec 9999 23:59:59 GMT", "no such day": "Fri, 99 Dec 2026 23:59:59 GMT",
}  # fmt: skip
"""Values of the header ``Retry-After`` beyond plain seconds and dates."""

MODES: Mapping[str, Script] = {
    **QUICK,
    **{f"429, {name}": Status(429, retry_after=value) for name, value in RETRY_AFTER.items()},
    "hang": Stall(),
    "slow head": Wire(dawdle_in_head),
    "slow body": Drip(0.1),
    "slow stream": Wire(stream_slowly),
    "endless head": Wire(flood_head),
    "endless stream": Wire(stream_for_ever),
    "100 MB": Wire(send_huge),
    "gzip bomb of 1.5 GB": Wire(send_bomb),
}
