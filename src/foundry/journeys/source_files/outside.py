"""The service that reads pages of an ingest, and which sources are to be read by it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foundry.errors import ModelError
from foundry.messages import Message
from foundry.models.page_services import OutsideReader, open_outside
from foundry.readers.outside.checks import FAILED, READ
from foundry.records import Document, Source
from foundry.workspace import Workspace

_CALL_SHARE = 0.25
"""Share of the time limit of a file that one page may take, so that the file is read all the same."""


def find_service(workspace: Workspace) -> OutsideReader | None:
    """The configured service with its version, or with why it cannot be asked; None without one."""
    config, ingest = workspace.config, workspace.config.ingest
    seconds = min(ingest.outside.timeout_s, _CALL_SHARE * ingest.parse_timeout_s)
    settings = ingest.outside.model_copy(update={"timeout_s": seconds})
    service = open_outside(settings, workspace.environment, config.models.max_concurrency)
    if service is None:
        return None
    try:
        return replace(service, version=service.find_version())
    except ModelError as error:
        return replace(service, problem=error.problem)


def wants_service(sources: Sequence[Source], service: OutsideReader | None) -> bool:
    """Whether one of them was read by another version of the service, or failed to be read by it.

    While the service cannot be asked, they stay as they are.
    """
    if service is None or service.problem:
        return False
    return any(
        warning.code == FAILED
        or (warning.code == READ and warning.params["reader"] != service.name)
        for source in sources
        for warning in source.warnings
    )


def find_lost(source: Source, document: Document) -> tuple[Message, ...]:
    """What the service did not read of a document now, though it had read all of the source."""
    failed = tuple(warning for warning in document.warnings if warning.code == FAILED)
    return () if any(warning.code == FAILED for warning in source.warnings) else failed
