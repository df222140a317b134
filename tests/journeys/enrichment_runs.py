"""A project with prefixes and summaries by a scripted model, and the requests it got."""

from __future__ import annotations

import re
from pathlib import Path

from foundry.records import Chunk
from foundry.workspace import Workspace, open_workspace
from tests.support.model_server import Behaviour, Json, ModelServer, Request, Text

MODEL = "openai/scripted"
SMALL = {
    "FOUNDRY_INGEST__CHUNK_TOKENS": "[20, 40]",
    "FOUNDRY_INGEST__CHUNK_OVERLAP": "[0, 5]",
}
"""Chunks so small that the sources of the small project have several."""


def write(request: Request) -> Behaviour:
    """Answer a prefix request with one prefix per chunk, any other with a summary."""
    marks = asked_marks(request)
    if not marks:
        return Text("A short summary of the document.")
    chunks = {mark: asked_chunk(request, mark) for mark in marks}
    rows = [{"id": mark, "text": f"About: {text[:30]}"} for mark, text in chunks.items()]
    return Json({"prefixes": rows})


def asked_marks(request: Request) -> list[str]:
    return sorted(set(re.findall(r"^(C\d+)\| ", request.prompt, flags=re.MULTILINE)))


def asked_chunk(request: Request, mark: str) -> str:
    lines = re.findall(rf"^{mark}\| (.*)$", request.prompt, flags=re.MULTILINE)
    return " ".join(lines)


def prefix_requests(server: ModelServer) -> list[Request]:
    return [request for request in server.chats if asked_marks(request)]


def summary_requests(server: ModelServer) -> list[Request]:
    return [request for request in server.chats if not asked_marks(request)]


def annotated(root: Path, server: ModelServer, **variables: str) -> Workspace:
    """The project opened with a scripted model for both steps; nothing is cached by the gateway."""
    environment = {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_EMBEDDING__CONTEXT_MODEL": MODEL,
        "FOUNDRY_INGEST__SUMMARY_MODEL": MODEL,
        "FOUNDRY_MODELS__CACHE": "false",
        "FOUNDRY_MODELS__MAX_RETRIES": "0",
        "OPENAI_API_KEY": "test",
        "OPENAI_API_BASE": server.openai,
        **variables,
    }
    return open_workspace(root, environment=environment, cwd=root)


def chunks_of(workspace: Workspace, path: str) -> list[Chunk]:
    source = workspace.store.find_source(path)
    assert source
    return workspace.store.source_chunks(source.id)


def every_chunk(workspace: Workspace) -> list[Chunk]:
    sources = workspace.store.list_sources()
    return [chunk for s in sources for chunk in workspace.store.source_chunks(s.id)]
