"""Verification of any text, statement by statement, against the project's sources.

Reads the file as an ingest would, in a separate process, and searches passages for each statement,
first in the sources that it cites. The verdict is that of ``craft.grounding``, as in an answer.
No language model is called except the judge, if a model is named for it; nothing is stored except a
row in the log. A file that is itself a source is not evidence for itself.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from foundry.analysis import detect_language
from foundry.clock import get_now
from foundry.errors import (
    ChangedMeanwhile,
    FoundryError,
    ReadError,
    RuleError,
    StoreError,
    UsageError,
)
from foundry.journeys.query_log import log_failure, log_verification
from foundry.journeys.search import require_index
from foundry.journeys.statement_checks import RuledStatement, StatementChecker
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome
from foundry.records import (
    CheckedStatement,
    ClaimVerdict,
    Document,
    DocumentStatement,
    Filters,
    SearchMode,
    Source,
    Usage,
    Verification,
)
from foundry.render.docx_comments import AnnotatedFile, annotate_docx
from foundry.text.references import (
    find_named_source,
    is_page_alone,
)
from foundry.text.spotlight import escape_controls
from foundry.text.statements import find_statements
from foundry.workspace import Workspace, reconfigure

CONFIGURED = "configured"
"""The judge that ``validation.verifier`` names, if it names one."""


def verify(
    workspace: Workspace,
    path: Path,
    *,
    name: str | None = None,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    own_lines: Mapping[str, Message] | None = None,
    judge: str = CONFIGURED,
    progress: Progress = lambda _step: None,
) -> Verification:
    """Verify every statement of a file against the sources that ``filters`` admit.

    ``judge`` is the model that decides what the rules leave open: ``configured``, ``none``, ``same``
    (the model that writes), or a model's name.

    The file may be anywhere; ``name`` is its name in messages. ``own_lines`` are the lines that
    Foundry added to it, with the reason to skip each: without them, any that begin so. Raises ``UsageError`` if there
    is no such file, ``ReadError`` if it cannot be read, ``IndexMissing`` if the embedding model
    has no vectors, ``StoreError`` for a project without sources, and like ``choose_judge``.
    """
    workspace = choose_judge(workspace, judge)
    name = name or escape_controls(str(path))
    started = time.perf_counter()
    try:
        notices = require_index(workspace, mode or workspace.config.retrieval.mode)
        # A text may rest on an older revision, which it then says.
        allowed = filters or Filters()
        allowed = replace(allowed, revision=allowed.revision or "all")
        outcome = _read_file(workspace, path, name)
        sources, own = _select_sources(workspace, allowed, path, outcome)
        assert outcome.document
        read_ms = _measure_since(started)
        if own or allowed.sources:
            allowed = replace(allowed, sources=tuple(sources))
        checker = StatementChecker(workspace, allowed, mode, sources, progress)
        verification = _verify_statements(checker, outcome.document, name, own_lines)
    except FoundryError as error:
        log_failure(workspace, "verify", name, error)
        raise
    total = _measure_since(started)
    timings = {"read": read_ms, "verify": round(total - read_ms, 2), "total": total}
    found = (*notices, *outcome.document.warnings, *own, *verification.notices)
    verification = replace(
        verification,
        timings_ms=timings,
        notices=found,
        content_hash=outcome.content_hash or "",
    )
    unlogged = log_verification(workspace, verification)
    return replace(verification, notices=(*verification.notices, *unlogged))


def verify_text(
    workspace: Workspace,
    text: bytes,
    *,
    name: str = "text",
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    judge: str = CONFIGURED,
    progress: Progress = lambda _step: None,
) -> Verification:
    """Verify every statement of a Markdown or plain text, as ``verify`` does for a file."""
    # A parser process reads files.
    with tempfile.TemporaryDirectory(prefix="foundry-") as folder:
        path = Path(folder) / "input.md"
        path.write_bytes(text)
        return verify(
            workspace,
            path,
            name=name,
            filters=filters,
            mode=mode,
            judge=judge,
            progress=progress,
        )


def annotate(path: Path, verification: Verification) -> AnnotatedFile:
    """A copy of a Word file with a comment at each statement that is not ✓.

    Raises ``ChangedMeanwhile`` if the file is not the one that was verified.
    """
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != verification.content_hash:
        raise ChangedMeanwhile("verify-changed", where=verification.file)
    return annotate_docx(data, verification.statements, get_now())


def choose_judge(workspace: Workspace, judge: str) -> Workspace:
    """The project with that judge (see ``verify``) in place of the configured one.

    Raises ``UsageError`` for a name that is no language model, and ``ConfigError`` or ``KeyMissing``
    for a model that cannot be used here.
    """
    if judge == CONFIGURED:
        return workspace
    config = workspace.config
    model = config.generator() if judge == "same" else judge
    validation = config.validation.model_copy(update={"verifier": model})
    chosen = reconfigure(workspace, config.model_copy(update={"validation": validation}))
    if judge != "none" and chosen.verifier is None:
        raise UsageError("verify-judge-is-no-model", where="--judge", model=model)
    return chosen


def _read_file(workspace: Workspace, path: Path, name: str) -> ReadOutcome:
    """Read the file under the limits of an ingest."""
    settings = workspace.config.ingest
    _require_file(path, name, settings.max_file_mb)
    options = ReadOptions(
        name,
        workspace.passwords(),
        settings.ocr,
        time_s=settings.parse_timeout_s,
        as_written=True,
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
    checker: StatementChecker,
    document: Document,
    name: str,
    own_lines: Mapping[str, Message] | None,
) -> Verification:
    progress, language = checker.progress, detect_language(document.text)
    statements, skipped = find_statements(document, language, own_lines)
    if statements:
        progress(Step("verify", 0, len(statements), "statements"))
    ruled: list[RuledStatement] = []
    topics = _Topics(checker.names)
    for statement in statements:
        ruled.append(checker.check(statement, topics.find(statement), language))
        progress(Step("verify", len(ruled), len(statements), "statements"))
    checked = checker.judge_open(ruled)
    verdicts = [item.check.verdict for item in checked]
    counts: dict[str, int] = {key: verdicts.count(key) for key in get_args(ClaimVerdict)}
    exact, judged = (
        counts[key] / len(checked) if checked else None for key in ("exact", "supported")
    )
    judge = checker.judge
    return Verification(
        file=name,
        language=language,
        statements=tuple(checked),
        skipped=skipped,
        counts=counts,
        coverage=None if exact is None or judged is None else exact + judged,
        exact=exact,
        judged=judged,
        min_attribution=checker.workspace.config.validation.min_attribution,
        timings_ms={},
        usage=judge.usage if judge else Usage(),
        notices=(*_format_unresolved(checked), *_list_judge_notices(checker, len(checked))),
        judge=judge.generator.model if judge else None,
        unjudged=checker.unjudged,
    )


def check_statements(
    workspace: Workspace,
    statements: Sequence[DocumentStatement],
    wanted: Callable[[DocumentStatement], bool],
    language: str,
    progress: Progress = lambda _step: None,
) -> list[CheckedStatement]:
    """The ``wanted`` ones of a text's statements, checked against all sources as ``verify`` does.

    Raises like ``verify``.
    """
    require_index(workspace, workspace.config.retrieval.mode)
    sources = {source.path: source for source in workspace.store.list_sources()}
    checker = StatementChecker(workspace, Filters(), None, sources, progress)
    topics = _Topics(checker.names)
    ruled: list[RuledStatement] = []
    for number, statement in enumerate(statements):
        topic = topics.find(statement)
        if wanted(statement):
            progress(Step("verify", number, len(statements), "statements"))
            ruled.append(checker.check(statement, topic, language))
    return checker.judge_open(ruled)


def _list_judge_notices(checker: StatementChecker, total: int) -> list[Message]:
    """What the judge has to say, and how much it left undecided: once for all of its calls."""
    told = checker.judge.notices if checker.judge else []
    kept = dict.fromkeys(notice for notice in told if notice.code != "writing-judge-unclear")
    notices = list(kept)
    if checker.unjudged:
        number = checker.unjudged
        notices.append(Message("verify-not-judged", number=number, total=total))
    return notices


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


def _measure_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
