"""What a run records beside its outcomes, and stored runs: found, locked by name, and resumed.

Configuration, versions and hashes are the facts of a run. Two runs with the same facts ask the same
questions in the same way; an interrupted run resumes only under the facts with which it started.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import json
import platform
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import foundry
from foundry.config import Config
from foundry.errors import NotFound, RuleError
from foundry.evaluation.metrics.statistics import summarise
from foundry.evaluation.questions.rows import first_few, join_names
from foundry.ids import hash_text
from foundry.journeys.index import compute_ingest_recipe
from foundry.messages import Message
from foundry.records import EvalQuestion, EvalResult, EvalRun, Source
from foundry.workspace import Workspace

_LIBRARIES = ("apsw", "numpy", "scipy", "pytrec-eval-terrier", "litellm")
_NAMED = 3
"""Sources or changes that a notice names; it counts the rest."""

_USER_INFO = re.compile(r"(?<=://)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class IndexState:
    """A project's index at one moment; ``sources`` maps each path to a hash of its content."""

    hash: str
    sources: Mapping[str, str]

    def changes_since(self, earlier: IndexState) -> list[Message]:
        """Name the sources that were added, removed or changed."""
        now, then = self.sources, earlier.sources
        return [
            Message(
                "eval-source-changed",
                path=path,
                how="added" if path not in then else "removed" if path not in now else "changed",
            )
            for path in sorted({*now, *then})
            if now.get(path) != then.get(path)
        ]


def read_index_state(workspace: Workspace) -> IndexState:
    """The index as it is now, from the list of sources and two counts."""
    fingerprint = workspace.fingerprint()
    status = workspace.store.index_status(workspace.config.embedding.model)
    sources = {source.path: _hash_source(source) for source in workspace.store.list_sources()}
    whole = [fingerprint, status.chunks, status.vectors, sorted(sources.items())]
    return IndexState(_hash(whole), sources)


def _hash_source(source: Source) -> str:
    parts = [source.id, source.content_hash, source.chunks, source.recipe, source.language]
    return _hash([*parts, source.title, source.confidentiality, source.tags])


def hash_questions(questions: Sequence[EvalQuestion]) -> str:
    """Hash what is asked and how it is judged, whatever the order and notes."""
    rows = [
        [
            question.key,
            question.text,
            question.answerable,
            question.answers,
            [asdict(place) for place in question.expected],
        ]
        for question in questions
    ]
    return _hash(sorted(rows, key=lambda row: str(row[0])))


def flatten_config(config: Config) -> dict[str, Any]:
    """Every key by its dotted name; user names and passwords in addresses are masked."""
    flat = flatten(config.model_dump(mode="json"))
    return {
        key: mask_user(value) if isinstance(value, str) else value
        for key, value in sorted(flat.items())
    }


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested mappings by dotted keys; an empty mapping stays a value."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def mask_user(text: str) -> str:
    """The text with the user name and password of each address masked."""
    return _USER_INFO.sub("…@", text)


def read_versions(workspace: Workspace) -> dict[str, str]:
    """The versions of programs and models, and hashes of the texts that shape a prompt."""
    config = workspace.config
    fitted = workspace.store.evaluation.find_fitted(config.embedding.model)
    return {
        "foundry": foundry.__version__,
        "python": platform.python_version(),
        **{name: _find_version(name) for name in _LIBRARIES},
        "embedding": config.embedding.model,
        "fingerprint": workspace.fingerprint(),
        "recipe": compute_ingest_recipe(workspace),
        "generator": config.generator(),
        "prompts": _hash(repr(workspace.templates)),
        "brief": hash_text(workspace.brief())[:16] if config.project.brief else "none",
        "gate": f"fitted {fitted.made.isoformat()}" if fitted else "shipped",
    }


def _find_version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def describe_run(
    run: EvalRun, results: Sequence[EvalResult], before: IndexState, after: IndexState
) -> Iterator[Message]:
    """Notices that a reader needs beside the figures, the most serious first."""
    if before.hash != after.hash:
        changes = after.changes_since(before) or [Message("eval-vectors-rebuilt")]
        yield Message("eval-index-changed", changes=first_few(changes, _NAMED))
    yield from _describe_missing(results)
    cached = sum(result.usage.cached for result in results)
    if cached:
        yield Message("eval-replies-cached", n=cached)
    if run.counts.get("jobs", 1) > 1:
        yield Message("eval-asked-at-a-time", n=run.counts["jobs"])
    # The notices that at least half of the questions have.
    counts = Counter(notice for result in results for notice in dict.fromkeys(result.notices))
    for notice, count in counts.items():
        if count * 2 >= len(results):
            yield Message("eval-notice-of-many", n=count, of=len(results), notice=notice)


def _describe_missing(results: Sequence[EvalResult]) -> Iterator[Message]:
    names = list(dict.fromkeys(name for result in results for name in result.unknown))
    if names:
        touched = sum(bool(result.unknown) for result in results)
        unjudged = sum(
            bool(result.unknown) and result.figures.get("mrr") is None
            for result in results
            if not result.error
        )
        shown = first_few(names, _NAMED)
        yield Message("eval-index-lacks", n=touched, names=shown, unjudged=unjudged)


def _list_effective(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that answers depend on: a run that a spending limit ended goes on above it."""
    return {key: value for key, value in config.items() if not key.startswith("spending.")}


_FACTS: tuple[tuple[str, Callable[[EvalRun], object]], ...] = (
    ("eval-changed-kind", lambda run: run.kind),
    ("eval-changed-config", lambda run: (_list_effective(run.config), dict(run.overrides))),
    ("eval-changed-versions", lambda run: dict(run.versions)),
    ("eval-changed-index", lambda run: run.index),
    ("eval-changed-questions", lambda run: run.questions),
)


def figures_so_far(run: EvalRun, results: Sequence[EvalResult]) -> EvalRun:
    """The run; an unfinished one with the figures of the outcomes that it has."""
    if run.finished is not None:
        return run
    figures, counts = summarise(results)
    asked = run.counts.get("questions", counts["questions"])
    return replace(run, figures=figures, counts={**run.counts, **counts, "questions": asked})


def get_run(workspace: Workspace, id_or_name: str) -> EvalRun:
    """The run with that number, or the latest with that name.

    Raises ``NotFound`` with the nearest names.
    """
    run = workspace.store.evaluation.find_run(id_or_name.strip())
    if run is not None:
        return run
    runs = workspace.store.evaluation.list_runs()
    if not runs:
        raise NotFound("eval-no-runs", where="eval runs", name=id_or_name)
    names = list(dict.fromkeys(name for run in runs for name in (run.name, str(run.id))))
    near = difflib.get_close_matches(id_or_name, names, n=3, cutoff=0.4) or names[:3]
    raise NotFound("eval-run-unknown", where="eval runs", name=id_or_name, near=near)


@contextlib.contextmanager
def lock_name(workspace: Workspace, name: str) -> Iterator[None]:
    """Lock the name while a run uses it. Raises ``RuleError`` where another process runs under it."""

    def refuse(_holder: Message) -> None:
        raise RuleError("eval-run-locked", where=f"--name {name}", name=name)

    # By role: a lock must not show that a higher role runs something of that name.
    lock = f"eval-{workspace.principal.role}-{hash_text(name)[:16]}"
    with workspace.store.lock(lock, refuse):
        yield


def start_or_resume(
    workspace: Workspace, wanted: EvalRun, *, fresh: bool, tell: Callable[[Message], None]
) -> tuple[EvalRun, list[EvalResult]]:
    """Return the unfinished run that equals ``wanted`` with its outcomes, or else a new run.

    Outcomes that are errors are left out, so those questions are asked again. ``tell`` gets a
    message where a run is resumed, or why an unfinished one is not.
    """
    store = workspace.store.evaluation
    earlier = store.find_run(wanted.name)
    if earlier is None or earlier.finished is not None or fresh:
        return store.start_run(wanted), []
    changed = [Message(what) for what, fact in _FACTS if fact(earlier) != fact(wanted)]
    if changed:
        tell(Message("eval-run-cannot-resume", run=str(earlier.id), changed=join_names(changed)))
        return store.start_run(wanted), []
    done = [result for result in store.results(earlier.id) if result.error is None]
    of = wanted.counts["questions"]
    tell(Message("eval-run-resumes", run=str(earlier.id), done=len(done), of=of))
    return earlier, done
