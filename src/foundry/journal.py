"""What the query log keeps of each question: asked, found, judged, written, at what cost.

``log.redact`` leaves out the question's and the answer's words; ``log.retention_days``
removes old rows.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import UTC, datetime

from foundry.errors import FoundryError
from foundry.records import Answer, Draft, Filters, QueryRecord, SearchResult, Usage
from foundry.workspace import Workspace

REDACTED = "(redacted)"
_LONGEST = 10_000


def log_answer(
    workspace: Workspace,
    answer: Answer,
    filters: Filters | None,
    *,
    kind: str = "ask",
    asked: str | None = None,
) -> None:
    """One row for an answer, whatever its verdict; ``asked`` is what was typed before rewriting."""
    record = _found(_asked(workspace, kind, asked or answer.question, filters), answer.search)
    rewritten = _words(workspace, answer.question) if asked else None
    _write(
        workspace,
        replace(
            record,
            rewritten=rewritten,
            verdict=answer.verdict,
            models=_models(workspace, answer.model),
            answer=_words(workspace, answer.text) if answer.sentences else None,
            attribution_coverage=answer.attribution_coverage,
            shown_coverage=answer.shown_coverage,
            timings_ms=answer.timings_ms,
            usage=answer.usage,
        ),
    )


def log_draft(
    workspace: Workspace, draft: Draft, result: SearchResult, filters: Filters | None
) -> None:
    """One row for a draft; its text is in the file, not in the log."""
    record = _found(_asked(workspace, "generate", draft.topic, filters), result)
    _write(
        workspace,
        replace(
            record,
            verdict=draft.verdict,
            models=_models(workspace, draft.model),
            attribution_coverage=draft.attribution_coverage,
            shown_coverage=draft.shown_coverage,
            timings_ms=draft.timings_ms,
            usage=draft.usage,
        ),
    )


def log_failure(
    workspace: Workspace, kind: str, query: str, filters: Filters | None, error: FoundryError
) -> None:
    """One row for a question that ended in an error."""
    record = _asked(workspace, kind, query[:_LONGEST], filters)
    models = _models(workspace, workspace.config.generator())
    _write(workspace, replace(record, models=models, error=f"{error.code}: {error.message}"))


def _asked(workspace: Workspace, kind: str, query: str, filters: Filters | None) -> QueryRecord:
    return QueryRecord(
        id=f"qry_{secrets.token_hex(8)}",
        time=datetime.now(UTC),
        kind=kind,
        query=_words(workspace, query),
        rewritten=None,
        role=filters.role if filters else workspace.config.access.role,
        agent=None,
        verdict=None,
        gate_score=None,
        chunks=(),
        models=_models(workspace, None),
        answer=None,
        attribution_coverage=None,
        shown_coverage=None,
        timings_ms={},
        usage=Usage(),
    )


def _found(record: QueryRecord, result: SearchResult) -> QueryRecord:
    return replace(
        record,
        verdict=result.gate.decision,
        gate_score=result.gate.score,
        chunks=tuple((hit.chunk.id, round(hit.relevance, 4)) for hit in result.hits),
        timings_ms=result.timings_ms,
    )


def _write(workspace: Workspace, record: QueryRecord) -> None:
    workspace.store.log_query(record)
    if workspace.config.log.retention_days is not None:
        workspace.store.prune_log(workspace.config.log.retention_days)


def _words(workspace: Workspace, text: str) -> str:
    return REDACTED if workspace.config.log.redact else text


def _models(workspace: Workspace, generator: str | None) -> dict[str, str]:
    models = {"embedding": workspace.config.embedding.model}
    return {**models, "generator": generator} if generator else models
