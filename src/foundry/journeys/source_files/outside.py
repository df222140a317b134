"""The page service of an ingest, and which sources it has to read again."""

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
"""Largest share of a file's time limit for one page, so that there is time left to read the rest."""


def find_service(workspace: Workspace) -> OutsideReader | None:
    """Return the configured service with its version, or with the problem that keeps it from use."""
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
    """Whether a source was read by another version of the service, or not read because it failed.

    False while the service is unavailable.
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
    """Return the failures of the service on a document that it had read completely before."""
    failed = tuple(warning for warning in document.warnings if warning.code == FAILED)
    return () if any(warning.code == FAILED for warning in source.warnings) else failed
