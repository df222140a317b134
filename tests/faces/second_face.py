"""A second face: JSON requests in, JSON replies out, with nothing but journeys and wire models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from foundry.errors import FoundryError
from foundry.journeys.delivery import build, choose_targets, generate_file
from foundry.journeys.sources import parse_filters
from foundry.wire.base import ErrorJson, WireModel
from foundry.wire.documents import BuildJson, DraftJson
from foundry.workspace import Workspace, open_workspace

Request = Mapping[str, Any]


def reply(root: Path, request: Request) -> Any:
    """What a client gets for one request, errors included."""
    try:
        with open_workspace(root, environment={}, cwd=root) as workspace:
            model = VERBS[request["verb"]](workspace, request)
    except FoundryError as error:
        model = ErrorJson.from_record(error)
    return model.model_dump(mode="json")


def _generate(workspace: Workspace, request: Request) -> WireModel:
    filters = parse_filters(workspace, request.get("filters", ()))
    output, overwrite = Path(request["output"]), request.get("overwrite", False)
    written = generate_file(
        workspace, request["topic"], output, filters=filters, overwrite=overwrite
    )
    return DraftJson.from_record(written)


def _build(workspace: Workspace, request: Request) -> WireModel:
    output = Path(request["output"]) if "output" in request else None
    targets = choose_targets(workspace, output, request.get("formats", ()))
    return BuildJson.from_record(
        build(workspace, targets, overwrite=request.get("overwrite", False))
    )


VERBS: Mapping[str, Callable[[Workspace, Request], WireModel]] = {
    "generate": _generate,
    "build": _build,
}
