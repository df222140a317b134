"""A scripted model for every step of a document: HyDE, scoring, conflicts, writing."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from foundry.records import Approval, Specification
from foundry.workspace import Workspace
from tests.journeys.answers import online
from tests.support.model_server import Behaviour, Json, ModelServer, Request, Text

PARTS = {
    "hyde": "It is used only to search with",
    "scorer": "Score how useful each passage",
    "conflicts": "Find statements in the passages that contradict",
    "section": 'Write the section "',
}

Part = Callable[[Request], Behaviour]


def part_of(request: Request) -> str:
    """The step that a request belongs to."""
    return next((name for name, words in PARTS.items() if words in request.prompt), "answer")


def parts(server: ModelServer) -> list[str]:
    """The steps of all requests, in order."""
    return [part_of(request) for request in server.chats]


def ids_in(request: Request) -> list[str]:
    """The evidence numbers in a prompt."""
    return re.findall(r"^\[([SH]\d+)\]", request.prompt, re.MULTILINE)


def play(server: ModelServer, **roles: Part) -> None:
    """Answer every request by its step; a step without a role gets a valid reply."""
    sound: Mapping[str, Part] = {
        "hyde": lambda _: Text("The input fuse is rated at 3.15 A slow."),
        "scorer": lambda request: Json(
            {"scores": [{"id": i, "score": 8} for i in ids_in(request)]}
        ),
        "conflicts": lambda _: Json({"conflicts": []}),
        "section": first_lines,
        "answer": first_lines,
    }
    taken = {**sound, **roles}
    server.default = lambda request: taken[part_of(request)](request)


def first_lines(request: Request) -> Behaviour:
    """Quotes the first sentence of each passage, so every statement is supported."""
    said = []
    for mark, line in re.findall(r"^(S\d+)\| (.*\.)$", request.prompt, re.MULTILINE):
        said.append({"text": f"{line.split('. ')[0].rstrip('.')}.", "citations": [mark]})
    return Json({"sentences": said[:3]})


def drafting(built: Path, server: ModelServer, **variables: str) -> Workspace:
    """The small project with one scripted model for every step."""
    model = "openai/scripted"
    return online(
        built,
        server,
        FOUNDRY_RETRIEVAL__HYDE_MODEL=variables.pop("hyde", model),
        FOUNDRY_RETRIEVAL__SCORER_MODEL=variables.pop("scorer", model),
        **variables,
    )


def feature(
    *sections: str, text: str = "What a technician needs.", **options: object
) -> Specification:
    """An approved specification, as if read from its file."""
    # Each call has other content, so no cached section of another test is reused.
    digest = secrets.token_hex(8)
    return Specification(
        name="dx4",
        path="features/dx4.md",
        title="The DX-4",
        status="approved",
        content_hash=digest,
        owner="Ada",
        sections=sections,
        text=text,
        approval=Approval("Ada", datetime(2026, 11, 1, tzinfo=UTC), digest),
        **options,  # type: ignore[arg-type]
    )
