"""A stand-in for docling-serve and MinerU on loopback, with their addresses and shapes.

It answers the requests of docling-serve 1.38 (tasks), MinerU 3.4 (``/file_parse``) and MinerU 4.0
(``/v1/file_parse``), keeps what it was sent, and says of each page what ``server.page`` is::

    with PageServer(docling(text("Hello."))) as server:
        ...                      # server.sent has the pages, server.paths the requests

``fail`` is what goes wrong instead: a status, bytes for the body, or seconds of silence.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = Mapping[str, Any]
SIZE = {"width": 600.0, "height": 800.0}


@dataclass
class PageServer:
    """The server; a context manager. ``page`` is its reply about a page, ``version`` its version."""

    page: Json
    version: str = "1.38.2"
    fail: int | bytes | float | None = None
    sent: list[bytes] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[Json] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    polls: int = 1

    def __enter__(self) -> PageServer:
        owner, self.closing = self, threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner.answer(self)

            do_POST = do_GET  # noqa: N815  (the name that the library calls)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.partition("?")[0]
        self.paths.append(path)
        self.headers.append(dict(handler.headers))
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        self.bodies.append(body)
        if found := re.search(rb"%PDF.*%%EOF\s*", body, re.DOTALL):
            self.sent.append(found[0])
        if path in {"/version", "/health", "/v1/health"}:
            self.send(handler, *self.say_version(path))
        elif isinstance(self.fail, float):
            self.closing.wait(self.fail)
        elif isinstance(self.fail, int):
            self.send(handler, self.fail, b'{"detail": "it went wrong"}')
        elif isinstance(self.fail, bytes):
            self.send(handler, 200, self.fail)
        elif path.startswith(("/v1/convert/file/async", "/v1/status/poll/")):
            self.polls -= path.startswith("/v1/status")
            status = "success" if self.polls < 1 else "started"
            self.send(handler, 200, encode({"task_id": "t/1", "task_status": status}))
        elif path == "/v1/result/t%2F1" or path.endswith("/file_parse"):
            self.send(handler, 200, encode(self.page))
        else:
            self.send(handler, 404, b"{}")

    def say_version(self, path: str) -> tuple[int, bytes]:
        old = self.version.startswith("3")
        if path == "/version":
            return 200, encode({"docling-serve": self.version, "docling": "2.143.0"})
        known = path == ("/health" if old else "/v1/health")
        return (200, encode({"status": "ok", "version": self.version})) if known else (404, b"{}")

    def send(self, handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)


def encode(value: object) -> bytes:
    return json.dumps(value).encode()


def docling(*items: Json, size: Json = SIZE, status: str = "success") -> Json:
    """The reply of docling-serve about a page with these items in this order."""
    document: dict[str, Any] = {"texts": [], "tables": [], "pictures": [], "groups": []}
    children = []
    for item in items:
        group = "tables" if "data" in item else item.get("group", "texts")
        reference = f"#/{group}/{len(document[group])}"
        document[group].append({"self_ref": reference, "children": [], **item})
        if item.get("content_layer") != "furniture":
            children.append({"$ref": reference})
    body = {"self_ref": "#/body", "children": children, "label": "unspecified"}
    pages = {"1": {"size": size, "page_no": 1}}
    content = {"schema_name": "DoclingDocument", "version": "1.8.0", "body": body, "pages": pages}
    made = {"filename": "page.pdf", "json_content": {**content, **document}}
    return {"document": made, "status": status, "errors": [], "processing_time": 0.1}


def text(words: str, label: str = "text", box: Json | None = None, **more: Any) -> Json:
    return {"label": label, "orig": words, "text": words, "prov": prov(box), **more}


def table(*rows: tuple[str, ...], box: Json | None = None) -> Json:
    return {"label": "table", "prov": prov(box), "data": grid(*rows)}


def grid(*rows: tuple[str, ...]) -> Json:
    cells = [
        {
            "text": words,
            "row_span": 1,
            "col_span": 1,
            "start_row_offset_idx": row,
            "end_row_offset_idx": row + 1,
            "start_col_offset_idx": column,
            "end_col_offset_idx": column + 1,
            "column_header": row == 0,
        }
        for row, line in enumerate(rows)
        for column, words in enumerate(line)
    ]
    return {"table_cells": cells, "num_rows": len(rows), "num_cols": len(rows[0])}


def prov(box: Json | None, page: int = 1) -> list[Json]:
    shown = box or {"l": 0, "t": 0, "r": 600, "b": 800, "coord_origin": "TOPLEFT"}
    return [{"page_no": page, "bbox": shown, "charspan": [0, 1]}]


def mineru3(*items: Json) -> Json:
    """The reply of MinerU 3 with these items of a content list."""
    listed = json.dumps([{"page_idx": 0, **item} for item in items])
    results = {"page": {"content_list": listed}}
    return {"backend": "pipeline", "version": "3.4.5", "results": results}


def mineru4(*blocks: Json) -> Json:
    """The reply of MinerU 4 with these blocks of structured content."""
    content = {"structured_content": {"pages": [{"page_idx": 0, "blocks": list(blocks)}]}}
    file = {"name": "page.pdf", "status": "completed", "content": content}
    return {"task_id": "t1", "status": "completed", "files": [file]}
