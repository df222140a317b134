"""Verification of any text, statement by statement, against the project's sources.

Reads the file as an ingest would, in a separate process, and searches passages for each
statement. No language model is called except the judge, if a model is named for it; nothing is stored except a row in the log. A file that is itself a source is not
evidence for itself.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from foundry.analysis import detect_language
from foundry.errors import FoundryError, ReadError, RuleError, StoreError, UsageError
from foundry.journeys.matching import (
    StatementMatch,
    VerificationContext,
    detect_statement_language,
    explain_unsupported,
    find_computed,
    find_strongest,
    judge_statements,
    list_cited,
    match_statement,
    match_values,
)
from foundry.journeys.query_log import log_failure, log_verification
from foundry.journeys.search import require_index
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    ClaimVerdict,
    Document,
    DocumentStatement,
    Evidence,
    Filters,
    Hit,
    SearchMode,
    Source,
    Usage,
    Verification,
)
from foundry.render.places import format_page
from foundry.text.lines import ParsedEvidence, parse_evidence
from foundry.text.passages import find_passages
from foundry.text.references import (
    find_cited_pages,
    find_named_source,
    has_cited_page,
    is_page_alone,
)
from foundry.text.spotlight import escape_controls
from foundry.text.statements import find_statements
from foundry.workspace import Workspace


def verify(
    workspace: Workspace,
    path: Path,
    *,
    name: str | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    own_lines: Mapping[str, Message] | None = None,
    progress: Progress = lambda _step: None,
) -> Verification:
    """Verify every statement of a file against the sources that ``filters`` admit.

    The file may be anywhere; ``name`` is its name in messages. ``own_lines`` are the lines that
    Foundry added to it, with the reason to skip each: without them, any that begin so. Raises ``UsageError`` if there
    is no such file, ``ReadError`` if it cannot be read, ``IndexMissing`` if the embedding model
    has no vectors, and ``StoreError`` for a project without sources.
    """
    name = name or escape_controls(str(path))
    started = time.perf_counter()
    try:
        notices = require_index(workspace, mode or workspace.config.retrieval.mode)
        allowed = filters or Filters()
        outcome = _read_file(workspace, path, name)
        sources, own = _select_sources(workspace, allowed, path, outcome)
        assert outcome.document
        read_ms = _measure_since(started)
        if own or allowed.sources:
            allowed = replace(allowed, sources=tuple(sources))
        context = VerificationContext(workspace, allowed, mode, sources)
        verification = _verify_statements(context, outcome.document, name, own_lines, progress)
    except FoundryError as error:
        log_failure(workspace, "verify", name, error)
        raise
    total = _measure_since(started)
    timings = {"read": read_ms, "verify": round(total - read_ms, 2), "total": total}
    found = (*notices, *outcome.document.warnings, *own, *verification.notices)
    verification = replace(verification, timings_ms=timings, notices=found)
    unlogged = log_verification(workspace, verification)
    return replace(verification, notices=(*verification.notices, *unlogged))


def verify_text(
    workspace: Workspace,
    text: bytes,
    *,
    name: str = "text",
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    progress: Progress = lambda _step: None,
) -> Verification:
    """Verify every statement of a Markdown or plain text, as ``verify`` does for a file."""
    # A parser process reads files.
    with tempfile.TemporaryDirectory(prefix="foundry-") as folder:
        path = Path(folder) / "input.md"
        path.write_bytes(text)
        return verify(workspace, path, name=name, filters=filters, mode=mode, progress=progress)


def _read_file(workspace: Workspace, path: Path, name: str) -> ReadOutcome:
    """Read the file under the limits of an ingest."""
    settings = workspace.config.ingest
    _require_file(path, name, settings.max_file_mb)
    options = ReadOptions(
        name, workspace.passwords(), settings.ocr, time_s=settings.parse_timeout_s
    )
    with ParserPool(1, settings.parse_timeout_s, settings.parse_memory_mb) as pool:
        outcome = next(pool.read_all([ReadJob(path.resolve(), options)]))
    if outcome.document is None:
        raise outcome.error or ReadError("verify-no-result", where=name)
    return outcome


def _require_file(path: Path, name: str, max_mb: int) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        cause = str(error.strerror or error)
        raise UsageError("verify-file-missing", where=name, cause=cause) from error
    if path.is_dir():
        raise UsageError("verify-is-folder", where=name)
    if size > max_mb * 1_000_000:
        raise ReadError("verify-too-large", where=name, size=round(size / 1e6), limit=max_mb)


def _select_sources(
    workspace: Workspace, allowed: Filters, path: Path, outcome: ReadOutcome
) -> tuple[dict[str, Source], tuple[Message, ...]]:
    """The sources that count as evidence, by path, and a notice if the file is one of them."""
    known = workspace.store.list_sources()
    if not known:
        raise StoreError("verify-no-sources", where=str(workspace.root))
    visible = [source for source in known if not allowed.sources or source.path in allowed.sources]
    own = [
        source
        for source in visible
        if source.content_hash == outcome.content_hash
        or (workspace.root / source.path).resolve() == path.resolve()
    ]
    others = {source.path: source for source in visible if source not in own}
    if not others:
        code = "verify-only-itself" if own else "verify-none-admitted"
        raise RuleError(code, where=outcome.job.options.name)
    notice = Message("verify-own-source", paths=[source.path for source in own])
    return others, (notice,) if own else ()


def _verify_statements(
    context: VerificationContext,
    document: Document,
    name: str,
    own_lines: Mapping[str, Message] | None,
    progress: Progress,
) -> Verification:
    language = detect_language(document.text)
    statements, skipped = find_statements(document, language, own_lines)
    if statements:
        progress(Step("verify", 0, len(statements), "statements"))
    checked: list[CheckedStatement] = []
    topics = _Topics(context.names)
    for statement in statements:
        topic = topics.find(statement)
        checked.append(_check_statement(context, statement, topic, language))
        progress(Step("verify", len(checked), len(statements), "statements"))
    checked = judge_statements(context, checked)
    verdicts = [item.check.verdict for item in checked]
    counts: dict[str, int] = {key: verdicts.count(key) for key in get_args(ClaimVerdict)}
    judge = context.judge
    return Verification(
        file=name,
        language=language,
        statements=tuple(checked),
        skipped=skipped,
        counts=counts,
        coverage=counts["supported"] / len(checked) if checked else None,
        min_attribution=context.workspace.config.validation.min_attribution,
        timings_ms={},
        usage=judge.usage if judge else Usage(),
        notices=(*_format_unresolved(checked), *(judge.notices if judge else ())),
    )


@dataclass
class _Topics:
    """Which source each section of a text is about: the one that it named last."""

    names: Mapping[str, str]
    known: dict[tuple[str, ...], str] = field(default_factory=dict)

    def find(self, statement: DocumentStatement) -> str | None:
        """The path of the source that a statement, its section or one around it names, or None."""
        path = statement.heading_path
        named = find_named_source(statement.text, self.names)
        if named is None and path not in self.known:
            named = find_named_source(" ".join(path[-1:]), self.names)
        if named is not None:
            self.known[path] = named
        around = (self.known.get(path[:depth]) for depth in range(len(path), -1, -1))
        return next((source for source in around if source), None)


def _format_unresolved(checked: Sequence[CheckedStatement]) -> tuple[Message, ...]:
    """A notice on citations that name no source of the project."""
    unresolved = {
        reference.words or reference.mark: None
        for item in checked
        for reference in item.claimed.references
        if reference.source is None and not is_page_alone(reference.words)
    }
    if not unresolved:
        return ()
    shown = [*list(unresolved)[:5], *(["…"] if len(unresolved) > 5 else [])]
    return (Message("verify-unknown-citations", number=len(unresolved), names=shown),)


def _check_statement(
    context: VerificationContext,
    statement: DocumentStatement,
    topic: str | None,
    document_language: str,
) -> CheckedStatement:
    """Match a statement against the sources it cites or is about, then against all others."""
    references = tuple(map(context.resolve, statement.references))
    statement = replace(statement, references=references)
    cited = list_cited(statement)
    language = detect_statement_language(statement.text, document_language)
    first = cited or ((topic,) if topic else ())
    own = _put_cited_pages_first(statement, context.find_hits(statement, first) if first else ())
    matches = match_statement(context, statement, language, own)
    support = find_strongest(matches)
    verdict: ClaimVerdict = "supported"
    if support is None:
        known = {hit.chunk.id for hit in own}
        others = [hit for hit in context.find_hits(statement) if hit.chunk.id not in known]
        matches += match_statement(context, statement, language, others)
        support = find_strongest(matches)
        if support is None:
            matches += match_values(context, statement, language, matches)
            support = find_strongest(matches)
    if support is None:
        computed = find_computed(context, statement, language, matches)
        return computed or explain_unsupported(context, statement, first, language, matches)
    if cited and own and not any(hit.source.path in cited for hit in support.hits):
        verdict = "misattributed"
    found = _build_supported(statement, cited, verdict, support)
    return found if verdict == "misattributed" else _check_page(context, found, language, matches)


def _list_cited_pages(statement: DocumentStatement, source: Source) -> list[tuple[str, str]]:
    cited = [ref.words for ref in statement.references if ref.source == source.path]
    return [page for words in cited for page in find_cited_pages(words)]


def _put_cited_pages_first(statement: DocumentStatement, hits: Sequence[Hit]) -> list[Hit]:
    """The hits, those on a cited page first: a source may say the same on several pages."""

    def is_elsewhere(hit: Hit) -> bool:
        pages = _list_cited_pages(statement, hit.source)
        blocks, count = hit.chunk.blocks, hit.source.pages
        return not any(has_cited_page(pages, block, count) for block in blocks)

    return sorted(hits, key=is_elsewhere)


def _check_page(
    context: VerificationContext,
    found: CheckedStatement,
    language: str,
    matches: Sequence[StatementMatch],
) -> CheckedStatement:
    """The statement as misattributed if no page that it cites has a quote that supports it."""
    assert found.hit
    source, check = found.hit.source, found.check
    pages = _list_cited_pages(found.claimed, source)
    same = (match for match in matches if match.hits[0].source.id == source.id)
    more = [quote for match in same if match.finding.supported for quote in match.finding.quotes]
    quotes = (*check.quotes, *more)
    if not pages or any(has_cited_page(pages, quote, source.pages) for quote in quotes):
        return found

    def read_cited(evidence: Evidence) -> ParsedEvidence:
        places = enumerate(find_passages(evidence.hit.chunk))
        cited = (n for n, one in places if has_cited_page(pages, one.place, source.pages))
        return parse_evidence(evidence, frozenset(cited))

    for hit in context.find_hits(found.claimed, (source.path,)):
        # The source may say it twice, on the cited page in other words.
        there = context.match(found.claimed, language, (hit,), read_cited).finding
        if there.supported:
            return replace(found, check=replace(check, quotes=there.quotes), hit=hit)
    names = [first if first == last else f"{first}–{last}" for first, last in pages]
    reason = Message("verify-other-page", cited=names, found=format_page(check.quotes[0]))
    return replace(found, check=replace(check, verdict="misattributed", reason=reason))


def _build_supported(
    statement: DocumentStatement,
    cited: tuple[str, ...],
    verdict: ClaimVerdict,
    match: StatementMatch,
) -> CheckedStatement:
    finding = match.finding
    quoted = {quote.evidence_id for quote in finding.quotes}
    used = [hit for hit in match.hits if hit.chunk.id in quoted] or list(match.hits[:1])
    paths = tuple(dict.fromkeys(hit.source.path for hit in used))
    reason = finding.reason
    if verdict == "misattributed":
        reason = Message("verify-other-source", cited=cited, found=paths)
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


def _measure_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
