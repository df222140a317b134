"""Model servers on loopback that list models as Ollama, LM Studio, llama.cpp and vLLM do.

``serve(routes)`` answers each path with what it maps to: an object as JSON, bytes as they are, a
number as that status, a function of the request's body, or ``DRIP`` for a byte now and then without
end. Other paths are 404. ``NO_SERVERS`` is an environment in which nothing is looked for on the
usual ports.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NO_SERVERS = {
    "OLLAMA_HOST": "127.0.0.1:1",
    "LM_STUDIO_API_BASE": "http://127.0.0.1:1/v1",
    "LLAMAFILE_API_BASE": "http://127.0.0.1:1/v1",
    "HOSTED_VLLM_API_BASE": "http://127.0.0.1:1/v1",
}
"""Nothing listens on port 1."""

DRIP = object()
"""White space, a byte at a time, until the client or the test leaves."""

Routes = Mapping[str, Any]


@contextmanager
def serve(routes: Routes) -> Iterator[str]:
    """A server with these routes; yields its address."""
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _answer(self, routes.get(self.path, 404), None, closing)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            _answer(self, routes.get(self.path, 404), json.loads(body or b"{}"), closing)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that leaves early is what some tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _answer(
    handler: BaseHTTPRequestHandler, route: Any, body: Any, closing: threading.Event
) -> None:
    found = route(body) if callable(route) else route
    handler.send_response(found if isinstance(found, int) else 200)
    if found in (301, 302, 307):
        handler.send_header("Location", "http://127.0.0.2:9/elsewhere")
    handler.end_headers()
    while found is DRIP and not closing.wait(0.02):
        handler.wfile.write(b" ")
    if found is not DRIP and not isinstance(found, int):
        handler.wfile.write(found if isinstance(found, bytes) else json.dumps(found).encode())


def make_ollama(models: Mapping[str, Mapping[str, Any]]) -> Routes:
    """Ollama with these models: what ``/api/show`` says of each, and ``tag``, its entry in the list."""
    shown = {name: {k: v for k, v in said.items() if k != "tag"} for name, said in models.items()}
    entries = [{"name": name, **said.get("tag", {})} for name, said in models.items()]
    return {
        "/api/tags": {"models": entries},
        "/api/show": lambda body: shown.get(body["model"], 404),
    }


def make_lm_studio(*entries: Mapping[str, Any]) -> Routes:
    """LM Studio: its own list of models beside OpenAI's."""
    plain = [{"id": entry["id"], "object": "model"} for entry in entries]
    return {"/v1/models": {"data": plain}, "/api/v0/models": {"data": list(entries)}}


def make_llama_cpp(name: str, window: int, parameters: int = 268_098_176) -> Routes:
    """The server of llama.cpp with its one model."""
    entry = {"id": name, "owned_by": "llamacpp", "meta": {"n_params": parameters, "n_ctx": 1}}
    return {
        "/v1/models": {"data": [entry]},
        "/props": {"default_generation_settings": {"n_ctx": window}, "model_path": name},
    }


def make_vllm(**windows: int) -> Routes:
    """A vLLM with these models and the windows that they were started with."""
    entries = [
        {"id": name, "owned_by": "vllm", "max_model_len": size} for name, size in windows.items()
    ]
    return {"/v1/models": {"data": entries}}
