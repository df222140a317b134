"""The spans that a collector of OpenTelemetry gets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project, open_project
from foundry.web.app import make_app
from foundry.web.site import open_site

trace_service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
TRACE = "0af7651916cd43dd8448eb211c80319c"


class Collector(ThreadingHTTPServer):
    """Keeps the spans that are sent to it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[bytes] = []

    def list_spans(self) -> list[object]:
        found = []
        for body in self.bodies:
            sent = trace_service.ExportTraceServiceRequest.FromString(body)
            found += [s for r in sent.resource_spans for p in r.scope_spans for s in p.spans]
        return found


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Nothing."""


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with Collector() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        yield server
        server.shutdown()


def ask(project: Project, collector: Collector) -> list[object]:
    """The spans of a search that has words in its address."""
    root = project.workspace.root
    with open_project(root, environment={"OTEL_EXPORTER_OTLP_ENDPOINT": "set"}) as traced:
        app = make_app(open_site(traced.workspace, "127.0.0.1"))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
            client.get("/search", params={"q": "salary of Anna"}, headers=headers)
    return collector.list_spans()


def test_a_request_is_a_span_of_its_callers_trace(project: Project, collector: Collector) -> None:
    (span,) = ask(project, collector)
    assert (span.name, span.trace_id.hex()) == ("GET /search", TRACE)  # type: ignore[attr-defined]


def test_no_span_has_the_words_of_a_question(project: Project, collector: Collector) -> None:
    ask(project, collector)
    assert collector.bodies
    assert not any(b"salary" in body for body in collector.bodies)
