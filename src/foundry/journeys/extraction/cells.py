"""A cell: a question put to one source by ``ask``, and what of the answer is kept.

Nothing here reads a source. Without a model the source's own row or sentence is a cell's value where it
has every word of the question and the gate is sure of its passage; else the cell says where to look,
if that is likely to help. If the source lacks what the question names, the cell is empty.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from foundry import __version__
from foundry.analysis import analyse, fold
from foundry.clock import get_now
from foundry.craft.question import is_same_language, select_subject_words
from foundry.errors import FoundryError, ModelReplyInvalid, ModelTimeout
from foundry.ids import hash_text
from foundry.journeys.ask import AskRequest, ask
from foundry.journeys.calibration import choose_gate_calibration
from foundry.journeys.extraction.rows import AskedRow, Section, limit_answer
from foundry.journeys.sources import ALL_REVISIONS
from foundry.messages import Message
from foundry.options import SearchMode
from foundry.records import (
    Answer,
    CellAnswer,
    CellState,
    Excerpt,
    ExcerptLine,
    Filters,
    Question,
    Quote,
    Source,
    join_sentences,
)
from foundry.render.places import describe_place
from foundry.text.names import is_mentioned_in
from foundry.workspace import Workspace

KIND = "table"
"""The kind of a cell's question in the query log."""

_FORM = 1
"""Increase it when the same answer of ``ask`` makes another cell."""

_LIKELY = 0.5
"""Score of the gate from which a passage is shown: it is then more likely than not that it answers. No fit
chose it, but it was kept for what it does on the filings that docs/tables.md reports: of the 80 pairs of a
question with a report that does not answer it 3 keep a passage, where the gate's own threshold left 8, and
all 20 that have the answer keep theirs."""

_LACKS = frozenset(("gate-unmentioned", "gate-lacking", "gate-separate", "gate-other-subject"))
"""Reasons of the gate that say that the passages lack what the question names. None of the 103 sources
that answer the questions of the example and of five quarterly reports gets one."""


def compute_settings_key(workspace: Workspace, mode: SearchMode | None) -> str:
    """A hash of all that an answer depends on besides the question and its source."""
    config = workspace.config
    parts = {
        "form": _FORM,
        "version": __version__,
        "role": workspace.principal.role,
        "mode": mode or config.retrieval.mode,
        "fingerprint": workspace.fingerprint(),
        "models": config.models_in_use(),
        "settings": [
            getattr(config, part).model_dump(mode="json")
            for part in ("retrieval", "generation", "validation", "answer")
        ],
        "brief": workspace.brief(),
        "templates": asdict(workspace.templates),
        "constants": asdict(choose_gate_calibration(workspace, mode or config.retrieval.mode)),
    }
    return _hash(parts)


def compute_row_key(workspace: Workspace, source: Source, settings: str) -> str:
    """A hash of a source as it is read now, corrections included, and of the settings."""
    text = workspace.store.source_text(source.id)
    facts = [source.content_hash, source.recipe, source.title, source.revision, source.language]
    return _hash([settings, hash_text(text), *facts])


def compute_cell_key(question: str, row: str, section: Section = ()) -> str:
    """A hash of all that the answer of a cell depends on."""
    return _hash([question, row, *([section] if section else ())])


def _hash(parts: object) -> str:
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def ask_cell(
    workspace: Workspace, row: AskedRow, question: str, mode: SearchMode | None, key: str
) -> CellAnswer:
    """Ask one row the question; a reply that cannot be used becomes a cell that says so.

    Raises what would stop every other cell too: a model that is out of reach or over its budget, a
    broken database.
    """
    # The row says which source is meant, also where it is an older revision.
    source = row.source
    filters = Filters(sources=(source.path,), revision=ALL_REVISIONS, section=row.section)
    asked = AskRequest(question, kind=KIND)
    try:
        answer = limit_answer(row, ask(workspace, asked, filters=filters, mode=mode))
    except (ModelReplyInvalid, ModelTimeout) as error:
        return _build_failed(workspace, source, error, key)
    state, text, quotes, reasons = read_answer(answer)
    value, line = ("", text) if state == "passage" else (text, "")
    return CellAnswer(
        state=state,
        value=value,
        quotes=tuple(quotes),
        reasons=(*reasons, *_note_conflicts(answer)),
        confidence=answer.confidence,
        model=answer.model,
        made=get_now(),
        content_hash=source.content_hash,
        line=line,
        key=key,
        answer_id=answer.id,
    )


def _build_failed(
    workspace: Workspace, source: Source, error: FoundryError, key: str
) -> CellAnswer:
    return CellAnswer(
        state="failed",
        value="",
        quotes=(),
        reasons=(error.problem,),
        confidence=0.0,
        model=workspace.config.generator(),
        made=get_now(),
        content_hash=source.content_hash,
        key=key,
    )


_Content = tuple[CellState, str, Sequence[Quote], Sequence[Message]]


def read_answer(answer: Answer) -> _Content:
    """State, value or line, quotations and reasons of a cell.

    The id of a quotation is that of its chunk.
    """
    if answer.verdict == "no_evidence":
        return "nothing", "", (), answer.reasons
    if answer.verdict == "passages":
        return _read_passage(answer)
    chunks = {item.id: item.hit.chunk.id for item in answer.search.evidence}
    bare = [replace(sentence, citations=()) for sentence in answer.sentences]
    quotes = dict.fromkeys(quote for sentence in answer.sentences for quote in sentence.quotes)
    kept = [replace(one, evidence_id=chunks.get(one.evidence_id, "")) for one in quotes]
    state: CellState = "answered" if answer.verdict == "answer" else "low_confidence"
    return state, join_sentences(bare), kept, answer.reasons


def _read_passage(answer: Answer) -> _Content:
    """The nearest row or sentence of the nearest passage, as far as the gate trusts it."""
    gate = answer.search.gate
    lacks = [reason for reason in gate.reasons if reason.code in _LACKS]
    unanswered = [reason for reason in answer.reasons if reason.code == "ask-unanswered"]
    if lacks or unanswered:
        return "nothing", "", (), lacks or unanswered
    passage, question = answer.passages[0], answer.search.question
    line = passage.nearest or passage.lines[0]
    chunk = passage.evidence.hit.chunk.id
    quotes = [replace(quote, evidence_id=chunk) for quote in line.quotes]
    # Settled on the ten documents of one system that docs/tables.md reports: without it the nearest
    # sentence was beside the question in two cells of three.
    if gate.decision == "answer" and _find_lacking(question, passage, [line]) == []:
        return "quoted", line.text, quotes, answer.reasons
    if gate.score < _LIKELY:
        places = filter(None, map(describe_place, line.quotes))
        place = next(places, passage.evidence.hit.source.title)
        return "nothing", "", (), [Message("table-unlikely", score=gate.score, place=place)]
    lacking = _find_lacking(question, passage, passage.lines)
    said = [Message("table-passage-lacks", words=lacking)] if lacking else []
    return "passage", line.text, quotes, (*said, *answer.reasons)


def _find_lacking(
    question: Question, passage: Excerpt, lines: Sequence[ExcerptLine]
) -> list[str] | None:
    """The question's words that these lines lack, with the title and headings above them.

    None in another language, where nothing can be said of words.
    """
    hit = passage.evidence.hit
    if not is_same_language(question, hit.chunk):
        return None
    above = (hit.source.title, *passage.headings, passage.table)
    text = " . ".join((*above, *(line.text for line in lines)))
    terms, folded = frozenset(analyse(text, hit.chunk.language)), fold(text)
    words = select_subject_words(question) or question.words
    # A part of an article number is another article.
    names = (name for name in question.names if name.identifier)
    lacking = [name.text for name in names if not is_mentioned_in(name, folded)]
    lacking += [word.word for word in words if terms.isdisjoint(word.terms)]
    return list(dict.fromkeys(lacking))


def _note_conflicts(answer: Answer) -> Sequence[Message]:
    """A note if the source contradicts itself; the log has both sides."""
    return [Message("table-conflicts", n=len(answer.conflicts))] if answer.conflicts else []
