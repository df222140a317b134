"""A scripted model server on loopback, for tests that go through LiteLLM over real HTTP.

It speaks enough of the OpenAI API (chat completions with streaming, embeddings,
models) and of Ollama's (chat, generate, embed, tags, show). It records every
request, so that a test can count them. It invents nothing: each reply is
scripted, and an unscripted chat is answered with ``server.default``::

    with ModelServer() as server:
        server.script(Status(429, retry_after=0), Text("Five volts [S1]."))
        ...                       # two requests: the first refused, the second answered
        assert [r.path for r in server.requests] == ["/v1/chat/completions"] * 2

Point a model at it with ``api_base={"openai": server.openai}`` (any key will do)
or ``api_base={"ollama": server.ollama}``. What can be scripted:

=====================  ============================================================
``Text("…")``          an answer; streamed in ``pieces`` words where asked to stream
``Json({...})``        an answer whose text is that object
``Text(…, pause=s)``   seconds between the pieces of a stream
``Text(…, hold=n)``    sends n pieces of a stream, then holds the connection, until ``freed``
``Text(…, drop=n)``    sends n pieces (or n bytes of a plain answer), then drops it
``Stall()``            takes the request and never answers, until the client leaves
``Drip(s)``            answers a byte of white space every s seconds, without end
``Status(500)``        an error, with ``retry_after`` seconds and a ``message``
``Raw("…")``           these bytes as the body, with status 200
``Wire(function)``     whatever ``function(handler, request)`` writes to the connection
``Echo()``             the last message of the request, as the answer
``Vectors(...)``       embeddings: another dimension, count or value
a function             ``request -> behaviour``, to answer from the prompt itself
=====================  ============================================================

Replies that cite unknown evidence are plain data: ``Json({"sentences": [{"text":
"…", "citations": ["S99"]}]})``. Embedding requests get the vectors of
``tests.support.hash_embedder`` unless ``Vectors`` or an error is scripted for them.
"""

from __future__ import annotations

import base64
import json
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from tests.support.hash_embedder import text_vector


@dataclass(frozen=True)
class Request:
    """What a client sent. ``body`` is the parsed JSON, or an empty mapping."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[Mapping[str, Any]]:
        """The chat messages, or Ollama's prompt as one user message."""
        if "prompt" in self.body:
            return [{"role": "user", "content": self.body["prompt"]}]
        return list(self.body.get("messages", ()))

    @property
    def prompt(self) -> str:
        """All messages as one text, for looking something up in it."""
        return "\n".join(str(message.get("content")) for message in self.messages)


@dataclass(frozen=True)
class Text:
    """An answer of the model. ``finish`` is OpenAI's finish reason ("length" = cut off)."""

    text: str
    finish: str = "stop"
    pause: float = 0.0
    hold: int | None = None
    freed: threading.Event = field(default_factory=threading.Event)
    drop: int | None = None
    prompt_tokens: int = 11
    completion_tokens: int = 7

    @property
    def pieces(self) -> list[str]:
        words = self.text.split(" ")
        return [word if place == 0 else f" {word}" for place, word in enumerate(words)]


def Json(data: object, **options: Any) -> Text:  # noqa: N802  (used like the classes)
    """An answer that is a JSON object."""
    return Text(json.dumps(data), **options)


@dataclass(frozen=True)
class Stall:
    """Hold the connection without a byte until the client leaves or the server closes."""


@dataclass(frozen=True)
class Drip:
    """A byte of white space (or a comment of a stream) every ``pause`` seconds, for ever."""

    pause: float = 0.05


@dataclass(frozen=True)
class Status:
    """An HTTP error."""

    code: int
    message: str = "scripted error"
    retry_after: float | str | None = None
    error_code: str | None = None


@dataclass(frozen=True)
class Raw:
    """This body, whatever it is."""

    body: str
    content_type: str = "application/json"


@dataclass(frozen=True)
class Wire:
    """A function that writes the response itself; ``tests.support.hostile_models`` has some."""

    write: Callable[[Any, Request], None]


@dataclass(frozen=True)
class Echo:
    """The last message comes back as the answer."""


@dataclass(frozen=True)
class Vectors:
    """Embeddings gone wrong: ``missing`` rows left out, all values set to ``value``, or
    ``numbers`` for the texts' own."""

    dimension: int | None = None
    missing: int = 0
    value: float | None = None
    numbers: tuple[int, ...] | None = None


Behaviour = Text | Stall | Drip | Status | Raw | Wire | Echo | Vectors
Script = Behaviour | Callable[[Request], Behaviour]

_EMBEDDING_PATHS = ("/v1/embeddings", "/embeddings", "/api/embed")


@dataclass
class ModelServer:
    """The server; a context manager. ``url`` is its root, ``dimension`` its vectors' length."""

    default: Script = field(default_factory=lambda: Text("This is a scripted answer."))
    dimension: int = 64
    requests: list[Request] = field(default_factory=list)
    disconnects: int = 0

    def __enter__(self) -> ModelServer:
        self._scripts: deque[Script] = deque()
        self._lock = threading.Condition()
        self._closing = threading.Event()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai(self) -> str:
        """The address for ``api_base`` of OpenAI-compatible providers."""
        return f"{self.url}/v1"

    @property
    def ollama(self) -> str:
        """The address for ``api_base`` of Ollama."""
        return self.url

    @property
    def chats(self) -> list[Request]:
        """The requests that asked a model for text."""
        return [r for r in self.requests if r.path.endswith(("/completions", "chat", "generate"))]

    @property
    def embeddings(self) -> list[Request]:
        """The requests that asked for vectors."""
        return [request for request in self.requests if request.path in _EMBEDDING_PATHS]

    def script(self, *behaviours: Script) -> None:
        """The next requests are answered so, in this order."""
        with self._lock:
            self._scripts.extend(behaviours)

    def wait_for_disconnect(self, seconds: float = 5.0) -> bool:
        """True once a client has left before its answer was complete."""
        with self._lock:
            return self._lock.wait_for(lambda: self.disconnects > 0, seconds)

    def _take(self, request: Request) -> Behaviour:
        with self._lock:
            self.requests.append(request)
            if self._scripts:
                script = self._scripts.popleft()
            else:
                script = Vectors() if request.path in _EMBEDDING_PATHS else self.default
        return script if isinstance(script, Behaviour) else script(request)

    def _note_disconnect(self) -> None:
        with self._lock:
            self.disconnects += 1
            self._lock.notify_all()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    owner: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves is a scripted event, not a traceback on the console."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the console quiet."""

    def do_GET(self) -> None:
        request = Request("GET", self.path, dict(self.headers), {})
        with self.server.owner._lock:
            self.server.owner.requests.append(request)
        names = ["scripted"]
        bodies: dict[str, object] = {
            "/api/tags": {"models": [{"name": name, "model": name} for name in names]},
            "/api/version": {"version": "0.0.0"},
            "/v1/models": {"object": "list", "data": [{"id": n, "object": "model"} for n in names]},
        }
        found = bodies.get(self.path)
        self._send(200 if found else 404, json.dumps(found or {"error": "no such page"}))

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size) or b"{}")
        request = Request("POST", self.path, dict(self.headers), body)
        if self.path == "/api/show":
            with self.server.owner._lock:
                self.server.owner.requests.append(request)
            return self._send(200, json.dumps({"model_info": {"llama.context_length": 4096}}))
        behaviour = self.server.owner._take(request)
        try:
            return self._perform(request, behaviour)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            return self.server.owner._note_disconnect()

    def _perform(self, request: Request, behaviour: Behaviour) -> None:
        match behaviour:
            case Status():
                self._send_status(behaviour)
            case Raw(body, content_type):
                self._send(200, body, content_type)
            case Wire(write):
                self.close_connection = True
                write(self, request)
            case Stall():
                self._hold()
            case Drip(pause):
                self._drip(request, pause)
            case Vectors():
                self._send(200, json.dumps(self._vectors(request, behaviour)))
            case Echo():
                self._answer(request, Text(str(request.messages[-1]["content"])))
            case Text():
                self._answer(request, behaviour)

    def _send(self, code: int, body: str, content_type: str = "application/json") -> None:
        content = body.encode()
        self.send_response(code)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _send_status(self, status: Status) -> None:
        error = {"message": status.message, "type": "scripted", "code": status.error_code}
        content = json.dumps({"error": error}).encode()
        self.send_response(status.code)
        if status.retry_after is not None:
            after = status.retry_after
            self.send_header("Retry-After", after if isinstance(after, str) else f"{after:g}")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _hold(self, freed: threading.Event | None = None) -> bool:
        """Wait until the client closes its end, or the server stops; whether it was freed before."""
        self.close_connection = True
        while not self.server.owner._closing.is_set():
            if freed and freed.is_set():
                return True
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            if readable and not self._peek():
                self.server.owner._note_disconnect()
                return False
        return False

    def _peek(self) -> bytes:
        try:
            return bytes(self.connection.recv(1, socket.MSG_PEEK))
        except OSError:
            return b""

    def _drip(self, request: Request, pause: float) -> None:
        streamed = bool(request.body.get("stream"))
        self._open_stream("text/event-stream" if streamed else "application/json")
        while not self.server.owner._closing.is_set():
            self._chunk(": waiting\n\n" if streamed else " ")
            time.sleep(pause)

    def _answer(self, request: Request, answer: Text) -> None:
        ollama = request.path.startswith("/api/")
        # Ollama streams unless asked not to; OpenAI only when asked to.
        if request.body.get("stream", ollama):
            lines = _ollama_lines(request, answer) if ollama else _openai_lines(request, answer)
            return self._stream(lines, answer, "application/x-ndjson" if ollama else None)
        whole = _ollama_whole(request, answer) if ollama else _openai_whole(request, answer)
        body = json.dumps(whole)
        if answer.drop is None:
            return self._send(200, body)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: answer.drop].encode())
        return self._cut()

    def _stream(self, lines: Iterator[str], answer: Text, content_type: str | None) -> None:
        self._open_stream(content_type or "text/event-stream")
        for place, line in enumerate(lines):
            if place == answer.drop:
                return self._cut()
            if place == answer.hold and not self._hold(answer.freed):
                return None
            self._chunk(line)
            time.sleep(answer.pause)
        self.wfile.write(b"0\r\n\r\n")
        return None

    def _open_stream(self, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, text: str) -> None:
        content = text.encode()
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def _cut(self) -> None:
        """Drop the connection as a crashed server does."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def _vectors(self, request: Request, wanted: Vectors) -> dict[str, Any]:
        given = request.body.get("input", [])
        texts = [given] if isinstance(given, str) else list(given)
        size = wanted.dimension or self.server.owner.dimension
        rows = [text_vector(str(text), size) for text in texts][: len(texts) - wanted.missing]
        if wanted.value is not None:
            rows = [np.full(size, wanted.value, dtype=np.float32) for _ in rows]
        if request.path == "/api/embed":
            lists = [row.tolist() for row in rows]
            count = 3 * len(texts)
            return {
                "model": request.body.get("model"),
                "embeddings": lists,
                "prompt_eval_count": count,
            }
        packed = request.body.get("encoding_format") == "base64"
        data = [
            {
                "object": "embedding",
                "index": wanted.numbers[place] if wanted.numbers else place,
                "embedding": base64.b64encode(row.tobytes()).decode() if packed else row.tolist(),
            }
            for place, row in enumerate(rows)
        ]
        usage = {"prompt_tokens": 3 * len(texts), "total_tokens": 3 * len(texts)}
        return {"object": "list", "model": "scripted", "data": data, "usage": usage}


def _openai_whole(request: Request, answer: Text) -> dict[str, Any]:
    total = answer.prompt_tokens + answer.completion_tokens
    message = {"role": "assistant", "content": answer.text}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": request.body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": {
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "total_tokens": total,
        },
    }


def _openai_lines(request: Request, answer: Text) -> Iterator[str]:
    def line(delta: dict[str, str], finish: str | None) -> str:
        event = {
            "id": "chatcmpl-scripted",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": request.body.get("model", "scripted"),
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }
        return f"data: {json.dumps(event)}\n\n"

    for piece in answer.pieces:
        yield line({"role": "assistant", "content": piece}, None)
    yield line({}, answer.finish)
    yield "data: [DONE]\n\n"


def _ollama_piece(request: Request, text: str, answer: Text, *, done: bool) -> dict[str, Any]:
    piece: dict[str, Any] = {
        "model": request.body.get("model"),
        "created_at": "2026-01-01T00:00:00Z",
    }
    if request.path.endswith("/generate"):
        piece["response"] = text
    else:
        piece["message"] = {"role": "assistant", "content": text}
    piece["done"] = done
    if done:
        piece["done_reason"] = answer.finish
        piece["prompt_eval_count"] = answer.prompt_tokens
        piece["eval_count"] = answer.completion_tokens
    return piece


def _ollama_whole(request: Request, answer: Text) -> dict[str, Any]:
    return _ollama_piece(request, answer.text, answer, done=True)


def _ollama_lines(request: Request, answer: Text) -> Iterator[str]:
    for piece in answer.pieces:
        yield json.dumps(_ollama_piece(request, piece, answer, done=False)) + "\n"
    yield json.dumps(_ollama_piece(request, "", answer, done=True)) + "\n"
