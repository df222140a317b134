"""Verification of a draft's file: its footnotes, their quotes, then every statement.

Stricter than ``foundry verify``: a statement that its footnotes contradict or do not carry fails the
draft, and one that the rules leave open needs a named reviewer. Sentences that Foundry adds itself (missing
evidence, contradictions) are skipped if unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from foundry.craft.footnotes import (
    DraftProblem,
    FootnoteDefinition,
    compare_headings,
    split_draft,
)
from foundry.craft.revisions import fold_space, has_words
from foundry.errors import ReadError
from foundry.journeys.drafts.state import compare_draft_bytes, get_draft_path, read_draft_bytes
from foundry.journeys.verify import verify
from foundry.messages import LANGUAGES, Message
from foundry.ports import Progress
from foundry.records import (
    CheckedStatement,
    DraftRecord,
    DraftState,
    Source,
    Verification,
)
from foundry.render.conflicts import render_conflict_lines
from foundry.render.markdown import (
    format_gaps,
    format_left_out,
    format_low_confidence,
    format_nearest,
    format_needs,
    format_nothing_found,
    format_nothing_named,
    format_quoted,
)
from foundry.render.places import list_endings
from foundry.render.verification import PASSED
from foundry.text.references import build_source_names, find_named_source
from foundry.workspace import Workspace

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_FILE_NAME = re.compile(r"\S+\.[a-zA-Z]\w{1,4}(?=[\s,§]|$)")
_MAX_SHOWN = 80


@dataclass(frozen=True, slots=True)
class DraftVerification:
    """The result for a draft's footnotes, quotes and statements.

    ``verification`` is None if the file is not readable text; ``footnotes`` then has the reason.
    ``headings`` are sections that are not those of its agent. ``stale`` says why the draft is out of
    date, which does not fail it.
    """

    record: DraftRecord
    state: DraftState
    footnotes: tuple[DraftProblem, ...]
    quotes: tuple[DraftProblem, ...]
    verification: Verification | None
    stale: tuple[Message, ...] = ()
    headings: tuple[DraftProblem, ...] = ()

    @property
    def faults(self) -> tuple[CheckedStatement, ...]:
        """The statements that the sources contradict, or that others carry than those they cite."""
        statements = self.verification.statements if self.verification else ()
        return tuple(i for i in statements if i.check.verdict not in {*PASSED, "unclear"})

    @property
    def undecided(self) -> tuple[CheckedStatement, ...]:
        """The statements of which nobody but a reader can tell whether a source supports them."""
        statements = self.verification.statements if self.verification else ()
        return tuple(item for item in statements if item.check.verdict == "unclear")

    @property
    def passed(self) -> bool:
        """True if there is at least one statement, and all are supported."""
        return not self.failures()

    def failures(self) -> tuple[Message, ...]:
        """Everything that keeps the draft from passing, as sentences with their lines."""
        return (*self.list_faults(), *map(_describe_fault, self.undecided))

    def list_faults(self) -> tuple[Message, ...]:
        """What no reviewer may accept: wrong footnotes and quotes, unsupported statements."""
        found = [
            Message("draft-on-line", line=str(item.line), problem=item.problem)
            for item in (*self.headings, *self.footnotes, *self.quotes)
        ]
        found += map(_describe_fault, self.faults)
        if self.verification and not self.verification.statements:
            found.append(Message("draft-no-statement"))
        return tuple(found)


def _describe_fault(item: CheckedStatement) -> Message:
    fault = Message(
        "draft-fault",
        verdict=Message(f"verification-{item.check.verdict}"),
        sentence=_truncate(item.check.sentence),
    )
    line = item.claimed.line
    return Message("draft-on-line", line=str(line), problem=fault) if line else fault


def verify_draft_file(
    workspace: Workspace, record: DraftRecord, progress: Progress
) -> DraftVerification:
    """Check the file of a draft as it is now. Raises like ``foundry.journeys.verify.verify``."""
    data = read_draft_bytes(get_draft_path(workspace, record)) or b""
    state = compare_draft_bytes(data, record)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _build_unreadable(record, state, DraftProblem(Message("draft-not-utf8"), line))
    parts = split_draft(text)
    sources = {source.path: source for source in workspace.store.list_sources()}
    quotes = tuple(check_quotes(workspace, record, parts.definitions, sources))
    try:
        path = get_draft_path(workspace, record)
        own = list_own_lines(record)
        result = verify(workspace, path, name=record.path, own_lines=own, progress=progress)
    except ReadError as error:
        problem = DraftProblem(error.problem, 1)
        return _build_unreadable(record, state, *parts.problems, problem)
    footnotes = sort_once((*parts.problems, *_find_uncited(result)))
    # Only an agent declares the sections by name.
    titles = [section.title for section in record.sections] if record.agent else []
    headings = sort_once(compare_headings(parts.headings, titles)) if record.agent else ()
    return DraftVerification(record, state, footnotes, quotes, result, headings=headings)


def _build_unreadable(
    record: DraftRecord, state: DraftState, *problems: DraftProblem
) -> DraftVerification:
    return DraftVerification(record, state, sort_once(problems), (), None)


def sort_once(problems: Iterable[DraftProblem]) -> tuple[DraftProblem, ...]:
    """The problems by line, without duplicates."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.line))


def _find_uncited(result: Verification) -> Iterator[DraftProblem]:
    """Supported statements without a footnote, which a reader could not check."""
    for item in result.statements:
        if not item.claimed.references and item.check.verdict in PASSED:
            problem = Message(
                "draft-uncited",
                sentence=_truncate(item.check.sentence),
                sources=item.check.carried_by,
            )
            yield DraftProblem(problem, item.claimed.line or 1)


def check_quotes(
    workspace: Workspace,
    record: DraftRecord,
    definitions: Iterable[FootnoteDefinition],
    sources: Mapping[str, Source],
) -> Iterator[DraftProblem]:
    """Footnotes that name no source, and quotes that their source does not contain."""
    texts = _SourceTexts(workspace, sources)
    for definition in definitions:
        path = find_noted_source(definition, record, sources)
        if path is None:
            if definition.place:
                problem = Message("draft-unknown-source", mark=f"[^{definition.label}]")
                yield DraftProblem(problem, definition.line)
            continue
        for quote in map(unescape, definition.quotes):
            if not texts.has_quote(path, quote):
                yield _build_misquote(definition, path, quote, texts)


def _build_misquote(
    definition: FootnoteDefinition, path: str, quote: str, texts: _SourceTexts
) -> DraftProblem:
    others = (other for other in texts.sources if other != path)
    other = next((other for other in others if texts.has_quote(other, quote)), None)
    shown = {"mark": f"[^{definition.label}]", "path": path, "quote": _truncate(quote)}
    problem = (
        Message("draft-quote-elsewhere", **shown, other=other)
        if other
        else Message("draft-quote-nowhere", **shown)
    )
    return DraftProblem(problem, definition.line)


def find_noted_source(
    note: FootnoteDefinition, record: DraftRecord, sources: Mapping[str, Source]
) -> str | None:
    """The path of the source that a draft's footnote names, or None.

    If two files share a name, it is the one that the draft cited.
    """
    place = unescape(note.place)
    cited = {used.path: sources[used.path] for used in record.sources if used.path in sources}
    return _find_source(place, cited) or _find_source(place, sources)


def _find_source(place: str, sources: Mapping[str, Source]) -> str | None:
    """The source that a footnote starts with, by as much of its path as it gives; else the one it mentions."""
    folded = place.casefold()
    starts = [
        (len(name), path)
        for path in sources
        for name in map(str.casefold, list_endings(path))
        if folded.startswith(name) and not folded[len(name) : len(name) + 1].isalnum()
    ]
    if starts:
        return max(starts)[1]
    # An unknown file name stays unknown, even if the section's title names a source.
    return (
        None
        if _FILE_NAME.match(place)
        else find_named_source(place, build_source_names(sources.values()))
    )


class _SourceTexts:
    """The sources' texts with folded white space, each read once."""

    def __init__(self, workspace: Workspace, sources: Mapping[str, Source]) -> None:
        self._workspace = workspace
        self._texts: dict[str, str] = {}
        self.sources = sources

    def has_quote(self, path: str, quote: str) -> bool:
        """Whether a source contains the words, white space aside."""
        if path not in self._texts:
            text = self._workspace.store.source_text(self.sources[path].id)
            self._texts[path] = fold_space(text)
        return has_words(self._texts[path], fold_space(quote))


def unescape(markdown: str) -> str:
    """The text before it was escaped for Markdown."""
    return _ESCAPED.sub(r"\1", markdown)


def list_own_lines(record: DraftRecord) -> dict[str, Message]:
    """Foundry's lines on contradictions and weak or empty sections, with the reason to skip each."""
    lines: dict[str, Message] = {}
    for language in LANGUAGES:
        lines[format_nothing_found(language)] = Message("draft-skipped-no-evidence")
        lines[format_nothing_named(language)] = Message("draft-skipped-no-evidence")
        lines[format_low_confidence(language)] = Message("draft-skipped-low-confidence")
        lines[format_quoted(language)] = Message("draft-skipped-quoted")
        lines[format_nearest(language)] = Message("draft-skipped-no-evidence")
    for section in record.sections:
        if section.needs:
            line = format_needs(section.needs, record.language)
            lines[line] = Message("draft-skipped-no-evidence")
        for line in (
            *format_gaps(section.scope, record.language),
            *format_left_out(section, record.language),
        ):
            lines[line] = Message("draft-skipped-no-evidence")
        specified = record.feature is not None
        for line in render_conflict_lines(section.conflicts, record.language, specified=specified):
            lines[f"> {line}"] = Message("draft-skipped-contradiction")
    return lines


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"
