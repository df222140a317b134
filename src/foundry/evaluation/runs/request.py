"""What a run asks, and under which configuration: questions, name, overrides (``-o KEY=VALUE``)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from foundry.config import Config, override_config
from foundry.errors import UsageError
from foundry.evaluation.questions import count_unreviewed, select_questions
from foundry.messages import Message
from foundry.records import CONFIDENTIALITY_LEVELS, EvalQuestion, RunKind
from foundry.workspace import Workspace

_Item = TypeVar("_Item")

LONGEST_NAME = 100
"""Characters of a run's name: it is a column of tables and part of file names."""

_REFUSED = {
    "project": "eval-fixed-project",
    "storage": "eval-fixed-storage",
    "output": "eval-fixed-output",
    "log": "eval-fixed-log",
    "web": "eval-fixed-web",
    "ingest.include": "eval-fixed-sources",
    "ingest.exclude": "eval-fixed-sources",
}


REMOTE_KEYS = (
    "retrieval.mode",
    "retrieval.top_k",
    "retrieval.top_k_bm25",
    "retrieval.top_k_dense",
    "retrieval.rrf_k",
    "retrieval.fusion",
    "retrieval.rerank_candidates",
    "retrieval.hyde",
    "retrieval.relevance_threshold",
    "retrieval.min_score",
    "retrieval.min_chunks",
    "retrieval.max_context_chunks",
    "generation.token_budget",
    "generation.max_source_summaries",
    "generation.max_tokens",
    "generation.temperature",
    "validation.min_attribution",
    "validation.on_unsupported",
    "validation.max_regenerations",
    "validation.repair",
)
"""What a run may change for somebody who only has a token: nothing that names a model, a host or a
file, or that decides whether anything leaves this machine."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run. No ``sets`` means all; ``overrides`` are ``KEY=VALUE``; ``jobs`` run at a time.

    ``questions`` are asked instead of the stored ones. With ``count_missing`` an expected place
    that the index lacks counts as not found; otherwise it is left out of the figures.
    """

    sets: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    name: str | None = None
    kind: RunKind = "ask"
    overrides: tuple[str, ...] = ()
    limit: int | None = None
    jobs: int = 1
    fresh: bool = False
    questions: tuple[EvalQuestion, ...] = ()
    count_missing: bool = False


def get_questions(workspace: Workspace, request: RunRequest) -> list[EvalQuestion]:
    """The questions of a run: reviewed, in these sets, with any of these tags, at most ``limit``.

    Raises ``UsageError`` for an unknown set or tag, and where there is nothing to ask.
    """
    if request.questions:
        return list(request.questions)
    questions = select_questions(workspace, request.sets, request.tags)
    if not questions:
        raise _nothing_to_ask(workspace, request.sets, request.tags)
    return spread(questions, request.limit)


def spread(items: Sequence[_Item], limit: int | None) -> list[_Item]:
    """At most ``limit`` items at even distances, because sets are often sorted by kind."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[int(index)] for index in np.linspace(0, len(items) - 1, limit)]


def _nothing_to_ask(workspace: Workspace, sets: Sequence[str], tags: Sequence[str]) -> UsageError:
    unreviewed = count_unreviewed(workspace, sets, tags)
    where = " ".join([*(f"--set {name}" for name in sets), *(f"--tag {tag}" for tag in tags)])
    if unreviewed:
        return UsageError("eval-none-reviewed", where=where or "eval run", n=unreviewed)
    known = {
        tag for question in workspace.store.evaluation.list_questions() for tag in question.tags
    }
    unknown = [tag for tag in tags if tag not in known]
    if unknown and known:
        near = difflib.get_close_matches(unknown[0], sorted(known), n=1, cutoff=0.0)
        return UsageError("eval-tag-unknown", where=where, tag=unknown[0], near=near[0])
    return UsageError(
        "eval-no-questions" if not tags else "eval-no-question-has-tag", where=where or "eval run"
    )


def choose_name(request: RunRequest) -> str:
    """The name as given, or one after the sets. Raises ``UsageError`` for an unusable name."""
    if request.name is None:
        chosen = "+".join(dict.fromkeys(request.sets)) or "all"
        chosen = f"set-{chosen}" if chosen.isdigit() else chosen
        return chosen if request.kind == "ask" else f"{chosen}-{request.kind}"
    name = request.name.strip()
    if not name or name.isdigit() or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(
            "eval-run-name-invalid", where=f"--name {name[:LONGEST_NAME]!r}", limit=LONGEST_NAME
        )
    return name


def parse_overrides(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``KEY=VALUE`` texts; the last of a key counts. Raises ``UsageError`` for others."""
    overrides = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError("eval-not-key-value", where=f"-o {text}", text=text)
        overrides[key.strip()] = value.strip()
    return overrides


def require_remote_keys(keys: Iterable[str]) -> None:
    """Raise ``UsageError``, which names ``REMOTE_KEYS``, unless all keys are among them."""
    for key in keys:
        if key not in REMOTE_KEYS:
            raise UsageError("eval-key-not-remote", where="overrides", key=key, known=REMOTE_KEYS)


def apply_overrides(config: Config, overrides: Mapping[str, str]) -> Config:
    """The configuration of a run. Raises ``UsageError`` with ``-o KEY`` for what a run cannot change."""
    for key in overrides:
        reason = _REFUSED.get(key) or _REFUSED.get(key.partition(".")[0])
        if reason:
            raise UsageError("eval-key-fixed", where=f"-o {key}", key=key, reason=Message(reason))
    wanted = override_config(config, overrides)
    chosen = f"generation.{wanted.mode}.model"
    if "generation.model" in overrides and getattr(wanted.generation, wanted.mode).model:
        raise UsageError(
            "eval-model-has-no-effect",
            where="-o generation.model",
            key=chosen,
            value=overrides["generation.model"],
        )
    level = CONFIDENTIALITY_LEVELS.index
    if level(wanted.access.role) > level(config.access.role):
        raise UsageError(
            "eval-role-above",
            where="-o access.role",
            wanted=wanted.access.role,
            role=config.access.role,
        )
    return wanted
