"""Where the API has sources and jobs: apart from the others, because a question loads none of these models."""

from __future__ import annotations

from foundry.operations.endpoints import Endpoint
from foundry.wire.projects import RevisionChainsJson, SourceDetailsJson
from foundry.wire.server import ServerJobJson, SourcePageJson

LIST_SOURCES = Endpoint("GET", "/sources", SourcePageJson)
SHOW_SOURCE = Endpoint("GET", "/sources/{source_id}", SourceDetailsJson)
LIST_REVISIONS = Endpoint("GET", "/revisions", RevisionChainsJson)
SHOW_JOB = Endpoint("GET", "/jobs/{job_id}", ServerJobJson)
