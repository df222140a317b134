"""A draft for its reviewer: each sentence with its quotations in the sources, and its verdict.

Reading checks nothing: a verdict is from the last check of the sentence, and holds while the sources stay
the same. Without one, the reader sees whether the sentence is still as Foundry wrote it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, cached_property
from typing import TYPE_CHECKING

from foundry import __version__
from foundry.analysis import detect_language, fold
from foundry.analysis.lexer import FOOTNOTE_MARK, WORD
from foundry.craft.footnotes import DraftProblem, FootnoteDefinition, split_draft
from foundry.errors import RuleError, StoreError
from foundry.journeys.drafts.state import get_draft_path, hash_draft_text, read_draft_bytes
from foundry.journeys.drafts.verification import (
    check_quotes,
    find_noted_source,
    list_own_lines,
    sort_once,
    unescape,
)
from foundry.journeys.passages.texts import find_words
from foundry.readers.decoding import decode
from foundry.readers.text_files import mark_markdown
from foundry.records import (
    Block,
    CheckedStatement,
    DocumentStatement,
    DraftRecord,
    Quote,
    Sentence,
    ShownAnswer,
    ShownSource,
    Source,
    deduplicate_conflicts,
)
from foundry.render.places import find_section_number
from foundry.render.verification import PASSED
from foundry.text.statements import find_statements
from foundry.workspace import Workspace

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence, item or row of a draft.

    ``check`` is its last check. ``edited`` says whether it differs from what Foundry wrote, None if that
    text was not kept. ``verified`` is what the last check found; where there is none or it was unclear,
    whether the sentence is still as Foundry wrote and verified it; None if that is not known.
    """

    claimed: DocumentStatement
    check: CheckedStatement | None
    edited: bool | None
    verified: bool | None

    @property
    def key(self) -> tuple[str, ...]:
        """What identifies it in another text."""
        return build_key(self.claimed)


@dataclass(frozen=True, slots=True)
class DraftText:
    """A text of a draft with its sentences; ``shown`` has the same ones, in order, as an answer has them.

    ``problems`` are what is wrong with its footnotes and quotations.
    """

    record: DraftRecord
    markdown: str
    content_hash: str
    language: str
    sentences: tuple[DraftSentence, ...]
    shown: ShownAnswer
    problems: tuple[DraftProblem, ...]


def read_draft_text(workspace: Workspace, record: DraftRecord) -> DraftText:
    """The file of a draft as it is now. Raises ``RuleError`` if it cannot be read, or is no text."""
    return view_draft_text(workspace, record, get_text(workspace, record))


def get_text(workspace: Workspace, record: DraftRecord) -> str:
    """The text of a draft's file, with line feeds. Raises ``RuleError`` if there is none."""
    data = read_draft_bytes(get_draft_path(workspace, record))
    if data is None:
        raise RuleError("draft-file-missing", where=record.path, path=record.path)
    try:
        return normalise(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RuleError("draft-not-utf8", where=record.path) from error


def normalise(text: str) -> str:
    """The text with LF line endings, from which its hash is computed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def view_draft_text(workspace: Workspace, record: DraftRecord, text: str) -> DraftText:
    """A text of a draft: that of its file, or one that it had."""
    content, language = hash_draft_text(text), detect_language(text)
    statements = list_statements(record, text)
    written = _list_written(workspace, record, content)
    checks = CheckMemory(workspace)
    marked = [fold_words(words) for part in record.sections for words in part.unverified]
    sentences = []
    for claimed in statements:
        check, said = checks.find(claimed), fold_words(claimed.text)
        edited = None if written is None else bool(written) and build_key(claimed) not in written
        verified = _judge(check, edited, unsure=any(said.endswith(words) for words in marked))
        sentences.append(DraftSentence(claimed, check, edited, verified))
    parts = split_draft(text)
    sources = {source.path: source for source in workspace.store.list_sources()}
    shown = _QuoteFinder(workspace, record, parts.definitions, sources).show(sentences)
    misquoted = check_quotes(workspace, record, parts.definitions, sources)
    problems = sort_once((*parts.problems, *misquoted))
    return DraftText(record, text, content, language, tuple(sentences), shown, problems)


def list_statements(record: DraftRecord, text: str) -> tuple[DocumentStatement, ...]:
    """The statements of a draft's text in order, without those that Foundry adds itself."""
    document = mark_markdown(decode(text.encode("utf-8", "replace")), record.path)
    return find_statements(document, detect_language(document.text), list_own_lines(record))[0]


def build_key(claimed: DocumentStatement) -> tuple[str, ...]:
    """The exact words of a statement and what it cites, which identify it in another text."""
    return (" ".join(claimed.text.split()), *sorted({one.words for one in claimed.references}))


def fold_words(text: str) -> str:
    """The words only, case-folded."""
    return " ".join(WORD.findall(fold(text)))


def _list_written(
    workspace: Workspace, record: DraftRecord, content: str
) -> frozenset[tuple[str, ...]] | None:
    """The keys of what Foundry wrote; empty if the text is unchanged, None if it was not kept."""
    if content == record.content_hash:
        return frozenset()
    kept = workspace.store.find_text(record.path, record.content_hash)
    return frozenset(map(build_key, list_statements(record, kept.text))) if kept else None


def _judge(check: CheckedStatement | None, edited: bool | None, *, unsure: bool) -> bool | None:
    if check and check.check.verdict != "unclear":
        return check.check.verdict in PASSED
    if edited is None:
        return False if check else None
    return not edited and not unsure


class CheckMemory:
    """The last check of each statement, stored under a hash of all it depends on; roles share none."""

    def __init__(self, workspace: Workspace) -> None:
        self._store, self._config = workspace.store, workspace.config

    @cached_property
    def _around(self) -> tuple[object, ...]:
        """What a check depends on besides the statement: sources, settings, models."""
        config, corrections = self._config, self._store.list_corrections()
        return (
            __version__,
            [(source.path, source.content_hash) for source in self._store.list_sources()],
            [one.id for one in corrections],
            config.models_in_use(),
            config.retrieval.model_dump(mode="json"),
            config.validation.model_dump(mode="json"),
        )

    @cached_property
    def _digest(self) -> Callable[[], hashlib._Hash]:
        text = json.dumps(self._around, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).copy

    def _build_key(self, claimed: DocumentStatement) -> str:
        said = (build_key(claimed), claimed.subject, claimed.heading_path)
        digest = self._digest()
        digest.update(json.dumps(said).encode())
        return f"check_{digest.hexdigest()}"

    def find(self, claimed: DocumentStatement) -> CheckedStatement | None:
        """The last check of a statement, with the place that it has now."""
        text = self._store.find_section(self._build_key(claimed))
        if text is None:
            return None
        try:
            return replace(_build_adapter().validate_json(text), claimed=claimed)
        except ValueError:
            # Kept by another version of Foundry.
            return None

    def keep(self, checked: Iterable[CheckedStatement]) -> None:
        """Keep the checks, if the database can be written."""
        with suppress(StoreError):
            for one in checked:
                text = _build_adapter().dump_json(one).decode()
                self._store.save_section(self._build_key(one.claimed), text)


@cache
def _build_adapter() -> TypeAdapter[CheckedStatement]:
    # Built on first use: it takes about 50 ms.
    from pydantic import TypeAdapter

    return TypeAdapter(CheckedStatement)


class _QuoteFinder:
    """Where the quotations of a draft's notes are in the sources; each source is read once."""

    def __init__(
        self,
        workspace: Workspace,
        record: DraftRecord,
        notes: Sequence[FootnoteDefinition],
        sources: Mapping[str, Source],
    ) -> None:
        self._store, self._record, self._sources = workspace.store, record, sources
        self._notes = {f"[^{note.label}]".casefold(): note for note in reversed(notes)}
        self._named: dict[str, str | None] = {}
        self._texts: dict[str, tuple[str, list[Block]]] = {}
        self._cited: dict[str, ShownSource] = {}

    def show(self, sentences: Sequence[DraftSentence]) -> ShownAnswer:
        """The sentences in the form of an answer, each with the words that support it."""
        shown = tuple(self._show(one) for one in sentences)
        record = self._record
        conflicts = deduplicate_conflicts(one for part in record.sections for one in part.conflicts)
        sources = tuple(self._cited.values())
        return ShownAnswer(record.language, shown, sources, conflicts=conflicts)

    def _show(self, sentence: DraftSentence) -> Sentence:
        check = sentence.check
        quotes = self._find_checked(check) if check else ()
        quotes = quotes or tuple(self._find_noted(sentence.claimed))
        against = check and check.check.verdict not in PASSED and check.check.verdict != "unclear"
        return Sentence(
            sentence.claimed.text,
            tuple(dict.fromkeys(quote.evidence_id for quote in quotes)),
            quotes,
            verified=bool(sentence.verified),
            objection=check.check.reason if check and against else None,
        )

    def _find_checked(self, checked: CheckedStatement) -> tuple[Quote, ...]:
        """The words that support a statement, where a check found some."""
        hit = checked.hit
        if (
            hit is None
            or checked.check.verdict not in PASSED
            or hit.source.path not in self._sources
        ):
            return ()
        name = self._cite(hit.source, hit.chunk.id)
        own = (one for one in checked.check.quotes if one.evidence_id == hit.chunk.id)
        return tuple(replace(one, evidence_id=name) for one in own)

    def _cite(self, source: Source, chunk_id: str = "") -> str:
        """The id of a source in what is shown."""
        if source.path not in self._cited:
            name = f"S{len(self._cited) + 1}"
            # A note names a source, and no search has said how near it is.
            self._cited[source.path] = ShownSource(
                name, source.id, chunk_id, source.path, source.title, source.content_hash, 1.0,
                source.revision, source.revision_date, language=source.language,
            )  # fmt: skip
        return self._cited[source.path].id

    def _find_noted(self, claimed: DocumentStatement) -> Iterable[Quote]:
        """The quotations in the notes of a statement that are in their source."""
        for reference in claimed.references:
            note = self._notes.get(reference.mark.casefold())
            path = self._find_source(note) if note else None
            if note and path:
                for quote in _choose_quotes(claimed, [unescape(one) for one in note.quotes]):
                    yield from self._locate(self._sources[path], note, quote)

    def _find_source(self, note: FootnoteDefinition) -> str | None:
        if note.label not in self._named:
            self._named[note.label] = find_noted_source(note, self._record, self._sources)
        return self._named[note.label]

    def _locate(self, source: Source, note: FootnoteDefinition, quote: str) -> Iterable[Quote]:
        if source.path not in self._texts:
            read = self._store.source_text(source.id), self._store.source_blocks(source.id)
            self._texts[source.path] = read
        text, blocks = self._texts[source.path]
        found = []
        for start, end in find_words(text, quote, exact=True):
            block = next((one for one in blocks if one.start <= start < one.end), None)
            found.append(_build_quote(self._cite(source), text[start:end], start, block))
        # Of several places, that which the note names.
        yield from sorted(found, key=lambda one: -_count_named(one, note.place))[:1]


def _build_quote(name: str, words: str, start: int, block: Block | None) -> Quote:
    quote = Quote(name, words, start, start + len(words))
    if block is None:
        return quote
    section = block.heading_path[-1] if block.heading_path else None
    return replace(
        quote, page=block.page, page_label=block.page_label, section=section,
        time=block.time_start, box=block.box, recognition=block.recognition,
    )  # fmt: skip


def _count_named(quote: Quote, place: str) -> int:
    """How many parts of a quotation's place a note names: its section, its page."""
    number, page = find_section_number(quote.section), quote.page_label or quote.page
    plain = unescape(place)
    named = [f"§{number}" if number else f'"{quote.section}"', f"p. {page}"]
    return sum(re.search(rf"{re.escape(one)}(?!\w)", plain) is not None for one in named)


def _choose_quotes(claimed: DocumentStatement, quotes: Sequence[str]) -> Sequence[str]:
    """Those that contain the statement or are contained in it; else all, the most similar first."""
    own = {fold_words(claimed.text), fold_words(FOOTNOTE_MARK.sub(" ", claimed.words))}
    folded = {quote: fold_words(quote) for quote in quotes}
    same = [
        quote
        for quote, words in folded.items()
        if any(f" {a} " in f" {b} " for text in own for a, b in ((text, words), (words, text)))
    ]
    ratio = SequenceMatcher(None, autojunk=False)
    ratio.set_seq2(fold_words(claimed.text).split())

    def compare(quote: str) -> float:
        ratio.set_seq1(folded[quote].split())
        return -ratio.ratio()

    return same or sorted(quotes, key=compare)
