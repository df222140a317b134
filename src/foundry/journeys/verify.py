"""Any text, statement by statement, against the project's sources: carried, and by what?

Reads the file as an ingest would, in a process of its own; finds passages for each
statement with the search that questions use, and holds the statement against them.
No language model is called but the judge of borderline
statements, where one is configured; nothing is changed but a row in the log. A
file that is itself a source is no evidence for itself.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from foundry.analysis import detect_language
from foundry.craft.grounding import find_quote
from foundry.errors import FoundryError, ReadError, RuleError, StoreError, UsageError
from foundry.journeys.matching import (
    StatementMatch,
    VerificationContext,
    detect_statement_language,
    find_strongest,
    match_statement,
)
from foundry.journeys.query_log import log_failure, log_verification
from foundry.journeys.search import require_index
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    CheckedStatement,
    ClaimCheck,
    ClaimVerdict,
    Document,
    DocumentStatement,
    Evidence,
    Filters,
    SearchMode,
    Source,
    Usage,
    Verification,
)
from foundry.text.statements import find_statements
from foundry.workspace import Workspace


def verify(
    workspace: Workspace,
    path: Path,
    *,
    name: str | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    progress: Progress = lambda _step: None,
) -> Verification:
    """Hold every statement of a file against the sources that ``filters`` let be seen.

    The file may lie anywhere; ``name`` is what it is called in messages. Raises
    ``UsageError`` where there is no such file, ``ReadError`` where it cannot be read,
    ``IndexMissing`` for the hard stop, and ``StoreError`` for a project without sources.
    """
    name = name or str(path)
    started = time.perf_counter()
    try:
        notices = require_index(workspace, mode or workspace.config.retrieval.mode)
        allowed = workspace.allowed(filters)
        outcome = _read_file(workspace, path, name)
        sources, own = _select_sources(workspace, allowed, path, outcome)
        assert outcome.document
        read_ms = _measure_since(started)
        if own or allowed.sources:
            allowed = replace(allowed, sources=tuple(sources))
        desk = VerificationContext(workspace, allowed, mode, sources)
        verification = _verify_statements(desk, outcome.document, name, progress)
    except FoundryError as error:
        log_failure(workspace, "verify", name, filters, error)
        raise
    total = _measure_since(started)
    timings = {"read": read_ms, "verify": round(total - read_ms, 2), "total": total}
    said = (*notices, *outcome.document.warnings, *own, *verification.notices)
    verification = replace(verification, timings_ms=timings, notices=said)
    log_verification(workspace, verification, filters)
    return verification


def _read_file(workspace: Workspace, path: Path, name: str) -> ReadOutcome:
    """The file's document, read under the limits that an ingest has."""
    settings = workspace.config.ingest
    _require_file(path, name, settings.max_file_mb)
    options = ReadOptions(name=name, passwords=workspace.passwords(), ocr=settings.ocr)
    with ParserPool(1, settings.parse_timeout_s, settings.parse_memory_mb) as pool:
        outcome = next(pool.read_all([ReadJob(path.resolve(), options)]))
    if outcome.document is None:
        raise outcome.error or ReadError("The parser gave no result.", where=name)
    return outcome


def _require_file(path: Path, name: str, max_mb: int) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UsageError(
            f"The file cannot be found or opened: {error.strerror or error}.",
            where=name,
            fix="Check the path; - reads standard input.",
        ) from error
    if path.is_dir():
        raise UsageError(
            "This is a folder.", where=name, fix="Name one file; verify each file by itself."
        )
    if size > max_mb * 1_000_000:
        raise ReadError(
            f"It is too large: {size / 1e6:,.0f} MB, and ingest.max_file_mb allows {max_mb:,} MB.",
            where=name,
            fix="Verify a part of it, or raise ingest.max_file_mb.",
        )


def _select_sources(
    workspace: Workspace, allowed: Filters, path: Path, outcome: ReadOutcome
) -> tuple[dict[str, Source], tuple[str, ...]]:
    """The sources that count as evidence, by path, and a notice where the file is one of them."""
    known = workspace.store.list_sources()
    if not known:
        raise StoreError(
            "The project has no sources: there is nothing to verify against.",
            where=str(workspace.root),
            fix="Put files into sources/ and run `foundry ingest`.",
        )
    level = CONFIDENTIALITY_LEVELS.index
    visible = [
        source
        for source in known
        if level(source.confidentiality) <= level(allowed.role)
        and (not allowed.sources or source.path in allowed.sources)
    ]
    own = [
        source
        for source in visible
        if source.content_hash == outcome.content_hash
        or (workspace.root / source.path).resolve() == path.resolve()
    ]
    others = {source.path: source for source in visible if source not in own}
    if not others:
        raise RuleError(
            "No source is left to verify against"
            + (": the file is the only one itself." if own else ": none may be seen."),
            where=outcome.job.options.name,
            fix="Widen --filter and --role, or ingest what the text rests on.",
        )
    names = ", ".join(source.path for source in own)
    notice = f"The file is itself a source ({names}); it is no evidence for itself."
    return others, (notice,) if own else ()


def _verify_statements(
    desk: VerificationContext, document: Document, name: str, progress: Progress
) -> Verification:
    language = detect_language(document.text)
    claimed, skipped = find_statements(document, language)
    if claimed:
        progress(Step("verify", 0, len(claimed), "statements"))
    checked: list[CheckedStatement] = []
    for statement in claimed:
        checked.append(_check_statement(desk, statement, language))
        progress(Step("verify", len(checked), len(claimed), "statements"))
    found = [one.check.verdict for one in checked]
    counts: dict[str, int] = {verdict: found.count(verdict) for verdict in get_args(ClaimVerdict)}
    return Verification(
        file=name,
        language=language,
        statements=tuple(checked),
        skipped=skipped,
        counts=counts,
        coverage=counts["supported"] / len(checked) if checked else None,
        min_attribution=desk.workspace.config.validation.min_attribution,
        timings_ms={},
        usage=desk.verifier.usage if desk.verifier else Usage(),
        notices=(*_format_unresolved(checked), *(desk.verifier.notices if desk.verifier else ())),
    )


def _format_unresolved(checked: Sequence[CheckedStatement]) -> tuple[str, ...]:
    """A notice on citations that lead to no source of this project."""
    lost = {
        reference.words or reference.mark: None
        for one in checked
        for reference in one.claimed.references
        if reference.source is None
    }
    if not lost:
        return ()
    shown = ", ".join(list(lost)[:5]) + (", …" if len(lost) > 5 else "")
    return (f"{len(lost)} citation(s) name no source of this project: {shown}.",)


def _check_statement(
    desk: VerificationContext, statement: DocumentStatement, language: str
) -> CheckedStatement:
    """What it cites is tried first, then everything else."""
    references = tuple(desk.resolved(reference) for reference in statement.references)
    statement = replace(statement, references=references)
    cited = tuple(dict.fromkeys(one.source for one in references if one.source))
    spoken = detect_statement_language(statement.text, language)
    own = desk.hits(statement, cited) if cited else ()
    tried = match_statement(desk, statement, spoken, own)
    carrying = find_strongest(tried)
    verdict: ClaimVerdict = "supported"
    if carrying is None:
        known = {hit.chunk.id for hit in own}
        others = [hit for hit in desk.hits(statement) if hit.chunk.id not in known]
        tried += match_statement(desk, statement, spoken, others)
        carrying = find_strongest(tried)
        verdict = "misattributed" if own else "supported"
    if carrying is None:
        return _build_unsupported(statement, cited, spoken, tried)
    return _build_supported(statement, cited, verdict, carrying)


def _build_supported(
    statement: DocumentStatement,
    cited: tuple[str, ...],
    verdict: ClaimVerdict,
    held: StatementMatch,
) -> CheckedStatement:
    finding = held.finding
    quoted = {quote.evidence_id for quote in finding.quotes}
    used = [hit for hit in held.hits if hit.chunk.id in quoted] or list(held.hits[:1])
    paths = tuple(dict.fromkeys(hit.source.path for hit in used))
    reason = finding.reason
    if verdict == "misattributed":
        reason = f"{', '.join(cited)} does not carry it, but {', '.join(paths)} does"
    check = ClaimCheck(
        sentence=statement.text,
        verdict=verdict,
        score=finding.score,
        reason=reason,
        citations=cited,
        carried_by=paths,
        quotes=finding.quotes,
    )
    return CheckedStatement(statement, check, used[0])


def _build_unsupported(
    statement: DocumentStatement,
    cited: tuple[str, ...],
    language: str,
    tried: Sequence[StatementMatch],
) -> CheckedStatement:
    """The passage that comes nearest, and what differs there."""
    if not tried:
        check = ClaimCheck(statement.text, "unsupported", 0.0, "no passage was found", cited)
        return CheckedStatement(statement, check)
    open_ = [held for held in tried if not held.finding.supported]
    nearest = max(open_, key=lambda held: (held.finding.words or 0.0, held.finding.score))
    finding, hit = nearest.finding, nearest.hits[0]
    quotes = finding.quotes
    if not quotes:
        quote = find_quote(statement.text, Evidence(hit.chunk.id, hit), language)
        quotes = (quote,) if quote else ()
    check = ClaimCheck(
        sentence=statement.text,
        verdict=finding.verdict,
        score=finding.score,
        reason=finding.reason,
        citations=cited,
        quotes=quotes,
        differs=finding.differs,
    )
    return CheckedStatement(statement, check, hit if quotes else None)


def _measure_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
