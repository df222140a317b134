"""Sections of earlier runs: what they depended on, as a key, and what was written from it.

A section is taken over only where everything that could change it is the same: its
words in the specification, the passages found, the models, the settings, the prompts.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from foundry import __version__
from foundry.constants import gate_constants, verifier_constants
from foundry.craft.outline import SectionOutline
from foundry.records import Feature, Filters, SearchMode, SearchResult, Section, Usage
from foundry.workspace import Workspace

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_FORM = 1


@dataclass(frozen=True, slots=True)
class Scope:
    """What all sections of a document share: what it is about, for whom, and where to look."""

    topic: str
    feature: Feature | None
    language: str
    filters: Filters | None
    mode: SearchMode | None


def section_key(
    workspace: Workspace, scope: Scope, outline: SectionOutline, result: SearchResult
) -> str:
    """A hash of everything that decides the section's text."""
    config = workspace.config
    parts = {
        "form": _FORM,
        "version": __version__,
        "topic": scope.topic,
        "section": asdict(outline),
        "feature": scope.feature.content_hash if scope.feature else None,
        "language": scope.language,
        "mode": scope.mode,
        "filters": asdict(workspace.allowed(scope.filters)),
        "found": _found(workspace, result),
        "gate": result.gate.decision,
        "sources": _reachable(workspace),
        "brief": workspace.brief(),
        "models": config.models_in_use(),
        "settings": [
            getattr(config, part).model_dump(mode="json")
            for part in ("retrieval", "generation", "validation")
        ],
        "templates": asdict(workspace.templates),
        "constants": [
            asdict(gate_constants(workspace, result.mode)),
            asdict(verifier_constants(workspace)),
        ],
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return f"sec_{hashlib.sha256(text.encode()).hexdigest()}"


def _found(workspace: Workspace, result: SearchResult) -> list[tuple[str, ...]]:
    """The passages that may become evidence, and what a prompt says of their sources."""
    least = workspace.config.retrieval.min_score
    return [
        (
            hit.chunk.id,
            hit.source.content_hash,
            hit.source.title,
            hit.source.revision or "",
            hit.source.revision_date or "",
        )
        for hit in result.hits
        if hit.relevance >= least
    ]


def _reachable(workspace: Workspace) -> list[tuple[str, str]]:
    """A hypothetical answer may find any passage: with HyDE every source counts."""
    if workspace.hyde_model is None:
        return []
    return [(source.path, source.content_hash) for source in workspace.store.list_sources()]


def find_earlier(workspace: Workspace, key: str) -> Section | None:
    """The section that was written from exactly this, marked as reused; None where there is none."""
    text = workspace.store.find_section(key)
    if text is None:
        return None
    try:
        section = _adapter().validate_json(text)
    except ValueError:
        # Written by a version with other records: it is written again.
        return None
    return replace(section, reused=True, usage=Usage())


def keep_section(workspace: Workspace, key: str, section: Section) -> None:
    """Keep a section for later runs; its search is made anew by each."""
    kept = replace(section, search=None)
    workspace.store.save_section(key, _adapter().dump_json(kept).decode())


@cache
def _adapter() -> TypeAdapter[Section]:
    # Built on first use: it costs some 50 ms.
    from pydantic import TypeAdapter

    return TypeAdapter(Section)
