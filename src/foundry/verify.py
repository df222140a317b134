"""Any text, statement by statement, against the project's sources: carried, and by what?

Reads the file as an ingest would, in a process of its own; finds passages for each
statement with the search that questions use, and holds the statement against them.
No language model is called and nothing is written or changed but a row in the log. A
file that is itself a source is no evidence for itself.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import get_args

from foundry.analysis import detect_language, detect_query_language, fold
from foundry.craft.grounding import Finding, Similar, find_quote, verify_statement
from foundry.errors import FoundryError, ReadError, RuleError, StoreError, UsageError
from foundry.journal import log_failure, log_verification
from foundry.ports import Progress, ReadOptions, Step, Vectors
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Check,
    CheckedStatement,
    Claimed,
    ClaimVerdict,
    Document,
    Evidence,
    Filters,
    Hit,
    Reference,
    SearchMode,
    Source,
    Verification,
)
from foundry.search import require_index, search
from foundry.wording.references import find_named
from foundry.wording.statements import find_statements
from foundry.workspace import Workspace
from foundry.writing import MOST_SIMILAR

HITS = 5
"""Passages that a statement is held against: each takes about 25 ms, and the first mostly does."""

JOINTLY = 3
"""Of those, how many are read together where none alone carries the statement."""

_LONGEST_QUERY = 2_000
_FEW_WORDS = 5
_DETECTABLE_WORDS = 6


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
        outcome = _read(workspace, path, name)
        sources, own = _sources(workspace, allowed, path, outcome)
        assert outcome.document
        read_ms = _since(started)
        if own or allowed.sources:
            allowed = replace(allowed, sources=tuple(sources))
        desk = _Desk(workspace, allowed, mode, sources)
        verification = _verify(desk, outcome.document, name, progress)
    except FoundryError as error:
        log_failure(workspace, "verify", name, filters, error)
        raise
    total = _since(started)
    timings = {"read": read_ms, "verify": round(total - read_ms, 2), "total": total}
    said = (*notices, *outcome.document.warnings, *own, *verification.notices)
    verification = replace(verification, timings_ms=timings, notices=said)
    log_verification(workspace, verification, filters)
    return verification


def _read(workspace: Workspace, path: Path, name: str) -> ReadOutcome:
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


def _sources(
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


def _verify(desk: _Desk, document: Document, name: str, progress: Progress) -> Verification:
    language = detect_language(document.text)
    claimed, skipped = find_statements(document, language)
    progress(Step("verify", 0, len(claimed), "statements"))
    checked: list[CheckedStatement] = []
    for statement in claimed:
        checked.append(_check(desk, statement, language))
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
        notices=_unexplained(checked),
    )


def _unexplained(checked: Sequence[CheckedStatement]) -> tuple[str, ...]:
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


@dataclass(frozen=True, slots=True)
class _Held:
    """A statement held against one passage, or against several together."""

    finding: Finding
    hits: tuple[Hit, ...]


def _check(desk: _Desk, statement: Claimed, language: str) -> CheckedStatement:
    """What it cites is tried first, then everything else."""
    references = tuple(desk.resolved(reference) for reference in statement.references)
    statement = replace(statement, references=references)
    cited = tuple(dict.fromkeys(one.source for one in references if one.source))
    spoken = _language(statement.text, language)
    own = desk.hits(statement, cited) if cited else ()
    tried = _hold(desk, statement, spoken, own)
    carrying = next((held for held in tried if held.finding.supported), None)
    verdict: ClaimVerdict = "supported"
    if carrying is None:
        known = {hit.chunk.id for hit in own}
        others = [hit for hit in desk.hits(statement) if hit.chunk.id not in known]
        tried += _hold(desk, statement, spoken, others)
        carrying = next((held for held in tried if held.finding.supported), None)
        verdict = "misattributed" if own else "supported"
    if carrying is None:
        return _not_carried(statement, cited, spoken, tried)
    return _carried(statement, cited, verdict, carrying)


def _hold(desk: _Desk, statement: Claimed, language: str, hits: Sequence[Hit]) -> list[_Held]:
    """Findings for one passage after the other until one carries it, then for several together."""
    tried: list[_Held] = []
    for hit in hits:
        held = _Held(desk.find(statement, language, [hit]), (hit,))
        if held.finding.supported:
            return [held]
        tried.append(held)
    if len(hits) > 1:
        together = tuple(hits[:JOINTLY])
        joint = _Held(desk.find(statement, language, together), together)
        if joint.finding.supported:
            return [joint]
    return tried


def _carried(
    statement: Claimed, cited: tuple[str, ...], verdict: ClaimVerdict, held: _Held
) -> CheckedStatement:
    finding = held.finding
    quoted = {quote.evidence_id for quote in finding.quotes}
    used = [hit for hit in held.hits if hit.chunk.id in quoted] or list(held.hits[:1])
    paths = tuple(dict.fromkeys(hit.source.path for hit in used))
    reason = finding.reason
    if verdict == "misattributed":
        reason = f"{', '.join(cited)} does not carry it, but {', '.join(paths)} does"
    check = Check(
        sentence=statement.text,
        verdict=verdict,
        score=finding.score,
        reason=reason,
        citations=cited,
        carried_by=paths,
        quotes=finding.quotes,
    )
    return CheckedStatement(statement, check, used[0])


def _not_carried(
    statement: Claimed, cited: tuple[str, ...], language: str, tried: Sequence[_Held]
) -> CheckedStatement:
    """The passage that comes nearest, and what differs there."""
    if not tried:
        check = Check(statement.text, "unsupported", 0.0, "no passage was found", cited)
        return CheckedStatement(statement, check)
    nearest = max(tried, key=lambda held: (held.finding.words or 0.0, held.finding.score))
    finding, hit = nearest.finding, nearest.hits[0]
    quotes = finding.quotes
    if not quotes:
        quote = find_quote(statement.text, Evidence(hit.chunk.id, hit), language)
        quotes = (quote,) if quote else ()
    check = Check(
        sentence=statement.text,
        verdict=finding.verdict,
        score=finding.score,
        reason=finding.reason,
        citations=cited,
        quotes=quotes,
        differs=finding.differs,
    )
    return CheckedStatement(statement, check, hit if quotes else None)


def _language(text: str, document: str) -> str:
    """A statement's own language where it is long enough to tell, else its document's."""
    found = detect_query_language(text) if len(text.split()) >= _DETECTABLE_WORDS else "und"
    return document if found == "und" else found


@dataclass
class _Desk:
    """What every statement needs: the sources, the search, and sentences embedded so far."""

    workspace: Workspace
    filters: Filters
    mode: SearchMode | None
    sources: dict[str, Source]
    _vectors: dict[str, Vectors] = field(default_factory=dict)
    _resolved: dict[str, str | None] = field(default_factory=dict)

    def hits(self, statement: Claimed, only: tuple[str, ...] = ()) -> tuple[Hit, ...]:
        """The passages nearest to a statement, in all sources or ``only`` in some."""
        short = len(statement.text.split()) < _FEW_WORDS or _points_back(statement.text)
        query = f"{statement.subject} {statement.text}" if short else statement.text
        filters = replace(self.filters, sources=only) if only else self.filters
        result = search(
            self.workspace,
            query[:_LONGEST_QUERY],
            filters=filters,
            mode=self.mode,
            top_k=HITS,
        )
        return result.hits

    def find(self, statement: Claimed, language: str, hits: Sequence[Hit]) -> Finding:
        """The statement against passages taken together."""
        crosses = any(hit.chunk.language not in (language, "und") for hit in hits)
        return verify_statement(
            statement.text,
            [Evidence(hit.chunk.id, hit) for hit in hits],
            language,
            known_words=" ".join([*statement.heading_path, statement.subject]),
            similar=self.similar if crosses else None,
        )

    @cached_property
    def similar(self) -> Similar:
        """As ``writing.compare_sentences``, but no sentence is embedded twice."""

        def similar(sentence: str, others: Sequence[str]) -> Sequence[float]:
            compared = list(others)[:MOST_SIMILAR]
            query = self.workspace.embedder.embed_query(sentence)
            new = list(dict.fromkeys(text for text in compared if text not in self._vectors))
            if new:
                vectors = self.workspace.embedder.embed_passages(new)
                self._vectors.update(zip(new, vectors, strict=True))
            cosines = [float(self._vectors[text] @ query) for text in compared]
            return [*cosines, *([0.0] * (len(others) - len(compared)))]

        return similar

    def resolved(self, reference: Reference) -> Reference:
        """The reference with the source that its words name."""
        if reference.words not in self._resolved:
            self._resolved[reference.words] = self._find_source(reference.words)
        return replace(reference, source=self._resolved[reference.words])

    def _find_source(self, words: str) -> str | None:
        if not words.startswith("chk_"):
            return find_named(words, self.sources.values())
        chunks = self.workspace.store.get_chunks(words.split(maxsplit=1)[:1])
        owners = {source.id: path for path, source in self.sources.items()}
        return owners.get(chunks[0].source_id) if chunks else None


def _points_back(text: str) -> bool:
    """True for a sentence that says "it" of what stands before it."""
    first = fold(text).split(" ", 1)[0].strip(".,;:")
    return first in _ANAPHORA


_ANAPHORA = frozenset(
    [
        *("it", "this", "that", "these", "those", "they", "its", "their"),
        *("dit", "dat", "deze", "die", "hij", "zij", "ze"),
    ]
)


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
