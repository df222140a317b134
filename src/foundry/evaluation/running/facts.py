"""What a run is recorded with: configuration, versions, and hashes of index and questions.

Two runs with the same facts ask the same questions in the same way; a run that was cut short is
continued only under the facts it began with.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import foundry
from foundry.config import Config
from foundry.ids import hash_text
from foundry.journeys.index import compute_ingest_recipe
from foundry.records import EvalQuestion, Source
from foundry.workspace import Workspace

_LIBRARIES = ("apsw", "sqlite-vec", "numpy", "scipy", "pytrec-eval-terrier", "litellm")
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class IndexState:
    """A project's index at one moment: each source's path with what stands for its content."""

    hash: str
    sources: Mapping[str, str]

    def changes_since(self, earlier: IndexState) -> list[str]:
        """The sources that were added, removed or changed, in words."""
        now, then = self.sources, earlier.sources
        return [
            f"{path} was {'added' if path not in then else 'removed' if path not in now else 'changed'}"
            for path in sorted({*now, *then})
            if now.get(path) != then.get(path)
        ]


def index_state(workspace: Workspace) -> IndexState:
    """The index as it is: reads the list of sources and counts, no chunk."""
    fingerprint = workspace.fingerprint()
    status = workspace.store.index_status(workspace.config.embedding.model)
    sources = {one.path: _source_hash(one) for one in workspace.store.list_sources()}
    whole = [fingerprint, status.chunks, status.vectors, sorted(sources.items())]
    return IndexState(_hashed(whole), sources)


def _source_hash(source: Source) -> str:
    parts = [source.id, source.content_hash, source.chunks, source.recipe, source.language]
    return _hashed([*parts, source.title, source.confidentiality, source.tags])


def questions_hash(questions: Sequence[EvalQuestion]) -> str:
    """A hash of the questions as they are asked and judged, whatever their order and notes."""
    rows = [
        [one.key, one.text, one.answerable, one.answers, [asdict(place) for place in one.expected]]
        for one in questions
    ]
    return _hashed(sorted(rows, key=lambda row: str(row[0])))


def flat_config(config: Config) -> dict[str, Any]:
    """Every key with its value, by dotted name; user names and passwords in addresses are masked."""
    flat: dict[str, Any] = {}
    pending: list[tuple[str, Any]] = [("", config.model_dump(mode="json"))]
    while pending:
        name, value = pending.pop(0)
        if isinstance(value, dict) and (value or not name):
            pending += [(f"{name}.{key}".lstrip("."), below) for key, below in value.items()]
        else:
            flat[name] = _USER_INFO.sub("…@", value) if isinstance(value, str) else value
    return dict(sorted(flat.items()))


def versions(workspace: Workspace) -> dict[str, str]:
    """Who measured: programs, models, and hashes of the texts that shape a prompt."""
    config = workspace.config
    fitted = workspace.store.evaluation.find_fitted(config.embedding.model)
    return {
        "foundry": foundry.__version__,
        "python": platform.python_version(),
        **{name: _installed(name) for name in _LIBRARIES},
        "embedding": config.embedding.model,
        "fingerprint": workspace.fingerprint(),
        "recipe": compute_ingest_recipe(workspace),
        "generator": config.generator(),
        "prompts": _hashed(repr(workspace.templates)),
        "brief": hash_text(workspace.brief())[:16] if config.project.brief else "none",
        "gate": f"fitted {fitted.made.isoformat()}" if fitted else "shipped",
    }


def _installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _hashed(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]
