"""A draft's file held against the sources: footnotes, their quotes, then every statement.

It is stricter than ``foundry verify`` on a foreign text: a draft carries Foundry's word that
every statement was verified, so one that is not carried by what it cites fails the
whole. Foundry's own words for a section without evidence state nothing and are left out;
only where they stand exactly as they were written.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from foundry.craft.footnotes import DraftProblem, FootnoteDefinition, split_draft
from foundry.errors import ReadError
from foundry.journeys.drafts.state import compare_draft_bytes, get_draft_path, read_draft_bytes
from foundry.journeys.verify import verify
from foundry.ports import Progress
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    CheckedStatement,
    DraftRecord,
    DraftState,
    SkippedText,
    Source,
    Verification,
)
from foundry.render.conflicts import render_conflict_lines
from foundry.render.markdown import LOW_CONFIDENCE, NOTHING_FOUND
from foundry.text.references import find_named_source
from foundry.workspace import Workspace

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_FILE_NAME = re.compile(r"\S+\.[a-zA-Z]\w{1,4}(?=[\s,§]|$)")
_HIDDEN = frozenset({"Cc", "Cf", "Cs"})
_MAX_SHOWN = 80
_OWN_LINES = frozenset(f"*{words}*" for words in NOTHING_FOUND.values())
_NO_EVIDENCE_REASON = "says that evidence is missing"


@dataclass(frozen=True, slots=True)
class DraftVerification:
    """What became of a draft's footnotes, quotes and statements.

    ``verification`` is None where the file is no text that can be verified; ``footnotes``
    says why.
    """

    record: DraftRecord
    state: DraftState
    footnotes: tuple[DraftProblem, ...]
    quotes: tuple[DraftProblem, ...]
    verification: Verification | None

    @property
    def faults(self) -> tuple[CheckedStatement, ...]:
        """The statements that what they cite does not carry."""
        found = self.verification.statements if self.verification else ()
        return tuple(one for one in found if one.check.verdict != "supported")

    @property
    def passed(self) -> bool:
        """True when nothing is wrong and there is at least one statement."""
        sound = not (self.footnotes or self.quotes or self.faults)
        return sound and bool(self.verification and self.verification.statements)

    def failures(self) -> tuple[str, ...]:
        """What is wrong, a sentence each with its line."""
        lines = [f"line {one.line}: {one.message}" for one in (*self.footnotes, *self.quotes)]
        for one in self.faults:
            where = f"line {one.claimed.line}: " if one.claimed.line else ""
            lines.append(f"{where}{one.check.verdict}: {_truncate(one.check.sentence)}")
        if self.verification and not self.verification.statements:
            lines.append("It makes no statement.")
        return tuple(lines)


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
        fix = "Save it as UTF-8, or generate the draft again."
        return _build_unreadable(record, state, DraftProblem("It is not UTF-8 text.", line, fix))
    parts = split_draft(text)
    quotes = tuple(_check_quotes(workspace, record, parts.definitions))
    try:
        found = verify(
            workspace, get_draft_path(workspace, record), name=record.path, progress=progress
        )
    except ReadError as error:
        problem = DraftProblem(error.message, 1, error.fix)
        return _build_unreadable(record, state, *parts.problems, problem)
    found = _drop_own_words(found, text, record)
    footnotes = _deduplicate((*parts.problems, *_find_uncited(found)))
    return DraftVerification(record, state, footnotes, quotes, found)


def _build_unreadable(
    record: DraftRecord, state: DraftState, *problems: DraftProblem
) -> DraftVerification:
    return DraftVerification(record, state, _deduplicate(problems), (), None)


def _deduplicate(problems: Iterable[DraftProblem]) -> tuple[DraftProblem, ...]:
    """By line; a mark that stands in a line several times is told once."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda one: one.line))


def _find_uncited(found: Verification) -> Iterator[DraftProblem]:
    """Statements that a source carries, but that lead to none: a reader could not check them."""
    for one in found.statements:
        if not one.claimed.references and one.check.verdict == "supported":
            source = ", ".join(one.check.carried_by)
            message = f"A statement has no footnote: “{_truncate(one.check.sentence)}”."
            fix = f"Put a mark behind it; {source} carries it."
            yield DraftProblem(message, one.claimed.line or 1, fix)


def _check_quotes(
    workspace: Workspace, record: DraftRecord, definitions: Iterable[FootnoteDefinition]
) -> Iterator[DraftProblem]:
    """Footnotes that name no source, and quotes that do not stand in the one that is named."""
    sources = _list_visible(workspace)
    cited = {one.path: sources[one.path] for one in record.sources if one.path in sources}
    texts = _SourceTexts(workspace, sources)
    for definition in definitions:
        place = _unescape(definition.place)
        # Two files may share a name: the one that the draft cited is meant.
        path = _find_named_source(place, cited) or _find_named_source(place, sources)
        if path is None:
            if definition.place:
                fix = "Name the source as `foundry sources list` shows it."
                message = f"Footnote [^{definition.label}] names no source of this project."
                yield DraftProblem(message, definition.line, fix)
            continue
        for quote in map(_unescape, definition.quotes):
            if not texts.hold(path, quote):
                yield _build_misquote(definition, path, quote, texts)


def _build_misquote(
    definition: FootnoteDefinition, path: str, quote: str, texts: _SourceTexts
) -> DraftProblem:
    other = next((one for one in texts.sources if one != path and texts.hold(one, quote)), None)
    where = f"it stands in {other}" if other else "no source has these words"
    fix = (
        f"Name {other} in the footnote."
        if other
        else "Put the words back as the source has them, or remove the quote with its statement."
    )
    shown = f"Footnote [^{definition.label}] quotes what {path} does not say"
    return DraftProblem(f"{shown}; {where}: “{_truncate(quote)}”.", definition.line, fix)


def _find_named_source(place: str, sources: Mapping[str, Source]) -> str | None:
    """The source that a footnote begins with, by path or file name; else the one it mentions."""
    told = place.casefold()
    begun = [
        (len(name), path)
        for path in sources
        for name in (path.casefold(), PurePosixPath(path).name.casefold())
        if told.startswith(name) and not told[len(name) : len(name) + 1].isalnum()
    ]
    if begun:
        return max(begun)[1]
    # A file that is none of the sources is not made up for by a title in its section.
    return None if _FILE_NAME.match(place) else find_named_source(place, sources.values())


class _SourceTexts:
    """The sources' texts as quotes show them, each read once."""

    def __init__(self, workspace: Workspace, sources: Mapping[str, Source]) -> None:
        self._workspace = workspace
        self._texts: dict[str, str] = {}
        self.sources = sources

    def hold(self, path: str, quote: str) -> bool:
        """Whether the words stand in a source, white space folded."""
        if path not in self._texts:
            text = self._workspace.store.source_text(self.sources[path].id)
            self._texts[path] = _fold_space(text)
        return _fold_space(quote) in self._texts[path]


def _list_visible(workspace: Workspace) -> dict[str, Source]:
    """The sources that the owner's role may see, by path."""
    level = CONFIDENTIALITY_LEVELS.index
    role = workspace.allowed(None).role
    found = workspace.store.list_sources()
    return {one.path: one for one in found if level(one.confidentiality) <= level(role)}


def _unescape(markdown: str) -> str:
    """Words as they were before they were escaped for Markdown."""
    return _ESCAPED.sub(r"\1", markdown)


def _fold_space(text: str) -> str:
    """As ``render.markdown.escape`` shows words: white space is one space, nothing is hidden."""
    words = " ".join(text.split())
    if words.isascii() and words.isprintable():
        return words
    return "".join(c for c in words if unicodedata.category(c) not in _HIDDEN)


def _drop_own_words(found: Verification, text: str, record: DraftRecord) -> Verification:
    """The verification without what Foundry itself wrote: no evidence, a contradiction, a flag."""
    own = {**dict.fromkeys(_OWN_LINES, _NO_EVIDENCE_REASON), **_list_own_lines(record)}
    lines = {
        number: own[line.strip()]
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() in own
    }
    gone = [one.claimed for one in found.statements if one.claimed.line in lines]
    if not gone:
        return found
    kept = tuple(one for one in found.statements if one.claimed.line not in lines)
    skipped = tuple(SkippedText(one.text, lines[one.line or 0], one.line) for one in gone)
    told: Counter[str] = Counter(one.check.verdict for one in kept)
    return replace(
        found,
        statements=kept,
        skipped=tuple(sorted((*found.skipped, *skipped), key=lambda one: one.line or 0)),
        counts={verdict: told[verdict] for verdict in found.counts},
        coverage=told["supported"] / len(kept) if kept else None,
    )


def _list_own_lines(record: DraftRecord) -> dict[str, str]:
    """The lines about contradictions, as they were written, and the flag of a weak section."""
    told = {f"> {LOW_CONFIDENCE}": "flags a section of low confidence"}
    for section in record.sections:
        for line in render_conflict_lines(section.conflicts, record.language):
            told[f"> {line}"] = "tells of a contradiction between sources"
    return told


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"
