"""One question, one answer: search, gate, evidence, writing, grounding, log.

A closed gate ends here with a value and no model call. A model's sentences are shown only if
the evidence supports them; what is left out is reported with its reason. Where no model writes, or
nothing of its text is left, the passages that come closest are shown instead, and called no answer.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from foundry.config import BUILTIN_GENERATOR, FORMER_GENERATOR, Config
from foundry.craft.conflicts import merge_conflicts
from foundry.craft.excerpts import choose_excerpts
from foundry.craft.gate import Candidate, find_lacking
from foundry.craft.question import is_same_language
from foundry.errors import FoundryError, Interrupted
from foundry.journeys.complete import (
    CompleteReading,
    explain_listed,
    list_items,
    read_all,
    write_all,
)
from foundry.journeys.contradictions import find_quoted_conflicts, find_touched_conflicts
from foundry.journeys.evidence import (
    GatheredEvidence,
    add_conflicts,
    gather_evidence,
)
from foundry.journeys.query_log import log_answer, log_failure
from foundry.journeys.search import search
from foundry.journeys.writing import (
    Written,
    choose_answer_language,
    collect_cited_sources,
    explain_unanswered,
    explain_unverified,
    model_name,
    removal_reason,
    report_dropped,
)
from foundry.messages import Message
from foundry.ports import Generator as Model
from foundry.ports import run_to_end
from foundry.records import (
    Answer,
    Event,
    Excerpt,
    Filters,
    Grounding,
    Question,
    Quote,
    SearchMode,
    SearchResult,
    Sentence,
    Usage,
    Verdict,
)
from foundry.workspace import Workspace

AnswerStream = Generator[Event, None, Answer]
"""The search result, then each verified sentence or each passage; returns the answer."""


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question that can be understood by itself.

    ``typed`` is the user's wording if it was rewritten, ``kind`` the log's word for where it was
    asked, ``language`` the answer's if it is not the question's; ``usage`` and ``notices`` are
    those of the rewriting. ``complete`` asks for all of something, as "list all" does by itself.
    ``earlier`` are the rows of the log with the turns of the conversation before, ``who`` is the
    name of whoever asks.
    """

    question: str
    typed: str | None = None
    kind: str = "ask"
    complete: bool = False
    language: str | None = None
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()
    earlier: tuple[str, ...] = ()
    who: str = ""


_GATE_DOUBTS = frozenset(("gate-too-few", "gate-unsure"))
_GATE_TRUSTS = frozenset(("gate-decisive", "gate-enough"))
_NOT_OF_PASSAGES = frozenset(
    ("gate-decisive", "gate-enough", "gate-too-few", "gate-unsure", "gate-lacking")
)
"""Reasons of the gate that say nothing of the passages shown, or less than these say themselves."""

_PARTIAL = frozenset(("complete-left", "complete-stopped", "complete-unlisted"))


def ask(
    workspace: Workspace,
    question: str | AskRequest,
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
) -> Answer:
    """Answer a question from the project's sources, or say that they do not contain the answer.

    Raises ``UsageError`` for an empty or overlong question, ``IndexMissing`` if the embedding
    model has no vectors, and ``ModelError`` if the configured model fails. Failures are logged.
    """
    return run_to_end(ask_streaming(workspace, question, filters=filters, mode=mode, stream=False))


def ask_streaming(
    workspace: Workspace,
    question: str | AskRequest,
    *,
    filters: Filters | None = None,
    mode: SearchMode | None = None,
    stream: bool = True,
) -> AnswerStream:
    """The search result, then each sentence as soon as it is verified, or each passage.

    Returns the answer. Closing the generator stops the model's call; ``stream`` False waits for its whole reply.
    Raises like ``ask``.
    """
    request = AskRequest(question) if isinstance(question, str) else question
    started = time.perf_counter()
    try:
        result = search(workspace, request.question, filters=filters, mode=mode)
        language = request.language or choose_answer_language(workspace, result)
        # Passages need no conflicts to be chosen; those of their words are found afterwards.
        conflicts = workspace.generator is not None
        gathered = gather_evidence(workspace, result, conflicts=conflicts)
        reading = None
        if gathered.evidence and (request.complete or result.question.lists_all):
            reading = read_all(workspace, gathered)
        evidence = reading.evidence if reading else gathered.evidence
        found = replace(gathered.result, evidence=evidence)
        gathered = replace(gathered, result=found)
        yield found
        answer = yield from _write_answer(
            workspace, gathered, language, stream=stream, reading=reading
        )
    except FoundryError as error:
        log_failure(workspace, request.kind, request.typed or request.question, error)
        raise
    except (GeneratorExit, KeyboardInterrupt):
        cancelled = Interrupted("ask-stopped", where="ask")
        log_failure(workspace, request.kind, request.typed or request.question, cancelled)
        raise
    answer = replace(
        answer,
        timings_ms=_measure_timings(answer, started),
        usage=answer.usage + request.usage,
        notices=(*request.notices, *answer.notices),
    )
    return log_answer(
        workspace,
        answer,
        kind=request.kind,
        asked=request.typed,
        earlier=request.earlier,
        who=request.who,
    )


def _measure_timings(answer: Answer, started: float) -> dict[str, float]:
    total = round((time.perf_counter() - started) * 1000, 2)
    search_ms = answer.timings_ms["total"]
    return {"retrieval": search_ms, "generation": round(total - search_ms, 2), "total": total}


def _write_answer(
    workspace: Workspace,
    gathered: GatheredEvidence,
    language: str,
    *,
    stream: bool,
    reading: CompleteReading | None,
) -> AnswerStream:
    generator = workspace.generator
    evidence = gathered.evidence
    said: tuple[Message, ...] = ()
    if not evidence:
        return _build_empty_answer(workspace, generator, gathered, language)
    if generator is None:
        written = Written(
            Grounding(()), model_name(None), notices=_report_replaced(workspace.config)
        )
        if workspace.scorer is not None:
            gathered = add_conflicts(workspace, gathered)
    elif reading:
        written, said = yield from write_all(
            workspace, generator, reading, gathered.result.query, language, stream=stream
        )
    else:
        # Imported here: passages are shown without it.
        from foundry.journeys.writing import write_with_model

        result = gathered.result
        missing = result.gate.unmentioned
        written = yield from write_with_model(
            workspace, generator, result.query, evidence, language, stream=stream, missing=missing
        )
    passages: tuple[Excerpt, ...] = ()
    grounding = written.grounding
    if not (grounding.sentences or grounding.refused or grounding.beside):
        passages = _choose_passages(workspace, gathered)
        if reading:
            passages, said = _add_items(passages, reading), (*said, *explain_listed(reading))
        yield from passages
    answer = _add_reading(_build_answer(workspace, gathered, written, language, passages), said)
    shown = [one.evidence for one in answer.sources] if passages or reading else evidence
    question = gathered.result.question
    found = find_quoted_conflicts(
        workspace,
        question,
        shown,
        answer.sentences,
        gathered.result.filters,
        quotes=_list_nearest(passages),
    )
    return replace(answer, conflicts=merge_conflicts(found, answer.conflicts))


def _add_items(passages: Sequence[Excerpt], reading: CompleteReading) -> tuple[Excerpt, ...]:
    """The rows and items found, then the nearest passages that have none of them."""
    items = list_items(reading)
    listed = {quote for one in items for quote in one.quotes}
    return (*items, *(one for one in passages if listed.isdisjoint(one.quotes)))


def _add_reading(answer: Answer, said: Sequence[Message]) -> Answer:
    """The answer with what was read for it; of low confidence if something was not."""
    partial = any(one.code in _PARTIAL for one in said)
    low = answer.verdict == "answer" and partial
    verdict: Verdict = "low_confidence" if low else answer.verdict
    return replace(answer, verdict=verdict, reasons=(*said, *answer.reasons))


def _report_replaced(config: Config) -> tuple[Message, ...]:
    if not config.names_former_generator():
        return ()
    return (Message("ask-generator-replaced", old=FORMER_GENERATOR, new=BUILTIN_GENERATOR),)


def _choose_passages(workspace: Workspace, gathered: GatheredEvidence) -> tuple[Excerpt, ...]:
    """The nearest passages; of a question about several documents, the nearest of each in turn."""
    # Reading them with the question takes as long as the search, and gains next to nothing.
    limit = workspace.config.answer.passages
    question, evidence = gathered.result.question, gathered.evidence
    parts = [part for part in question.parts if part.sources]
    if not parts:
        return choose_excerpts(question.text, evidence, limit=limit)
    own = [[item for item in evidence if part.admits(item.hit.source.id)] for part in parts]
    chosen = [
        choose_excerpts(part.question.text, items, limit=limit)
        for part, items in zip(parts, own, strict=True)
    ]
    turns = [excerpt for turn in zip_longest(*chosen) for excerpt in turn if excerpt]
    return tuple(turns[: max(limit, len(parts))])


def _list_nearest(passages: Sequence[Excerpt]) -> list[Quote]:
    """The lines nearest to the question, whose conflicts count: a reader asked for nothing else."""
    return [quote for one in passages if one.nearest for quote in one.nearest.quotes]


def _build_answer(
    workspace: Workspace,
    gathered: GatheredEvidence,
    written: Written,
    language: str,
    passages: Sequence[Excerpt] = (),
) -> Answer:
    """The answer with the verdict after grounding, which may close the gate but never open it."""
    result, grounding = gathered.result, written.grounding
    verdict, reasons = _decide_verdict(workspace, result, written, passages)
    shown = grounding.sentences if verdict != "no_evidence" else ()
    return Answer(
        question=result.query,
        language=language,
        verdict=verdict,
        confidence=result.gate.score,
        reasons=reasons,
        sentences=shown,
        sources=collect_cited_sources((*shown, *passages), result.evidence),
        model=written.model,
        mode=workspace.config.mode,
        attribution_coverage=grounding.attribution_coverage,
        shown_coverage=grounding.shown_coverage,
        timings_ms=result.timings_ms,
        usage=gathered.usage + written.usage,
        search=result,
        checks=grounding.checks,
        changes=grounding.changes,
        notices=(
            *result.notices,
            *gathered.notices,
            *report_dropped(gathered.dropped),
            *written.notices,
        ),
        conflicts=find_touched_conflicts(gathered.conflicts, shown, _list_nearest(passages)),
        dropped=gathered.dropped,
        models={**gathered.models, **({"verifier": written.judge} if written.judge else {})},
        passages=tuple(passages),
    )


def _decide_verdict(
    workspace: Workspace, result: SearchResult, written: Written, passages: Sequence[Excerpt]
) -> tuple[Verdict, tuple[Message, ...]]:
    reasons, grounding = result.gate.reasons, written.grounding
    if passages:
        failed = () if workspace.generator is None else (_explain_nothing(grounding),)
        gaps = explain_gaps(result, passages)
        return "passages", (*failed, *gaps, *removal_reason(grounding.changes))
    if grounding.refused:
        return "no_evidence", (*reasons, Message("ask-model-refused"))
    if not grounding.sentences:
        if grounding.beside:
            return "no_evidence", (*reasons, *map(_name_beside, grounding.beside))
        return "no_evidence", (*explain_gaps(result, ()), Message("ask-nothing-to-show"))
    verdict, reasons = _decide_written(workspace, result, grounding)
    return verdict, (*reasons, *removal_reason(grounding.changes))


def _explain_nothing(grounding: Grounding) -> Message:
    """Why nothing of a model's text is left: what the judge found no answer to, or the model's failure."""
    if grounding.unanswered:
        return Message("ask-unanswered", part=grounding.unanswered)
    return Message("ask-model-failed")


def _decide_written(
    workspace: Workspace, result: SearchResult, grounding: Grounding
) -> tuple[Verdict, tuple[Message, ...]]:
    """The verdict on what is shown of a model's text; the gate's doubt ends where a judge read all."""
    reasons, coverage = result.gate.reasons, grounding.attribution_coverage
    doubts = (*explain_unverified(grounding), *explain_unanswered(grounding))
    if doubts:
        # What speaks for an answer is no reason for low confidence.
        weak = [reason for reason in reasons if reason.code not in _GATE_TRUSTS]
        return "low_confidence", (*weak, *doubts)
    if grounding.complete:
        sure = [reason for reason in reasons if reason.code not in _GATE_DOUBTS]
        return "answer", (*sure, Message("ask-judged", number=len(grounding.sentences)))
    least = workspace.config.validation.min_attribution
    if coverage is not None and coverage < least:
        low = Message("ask-low-coverage", share=coverage, least=least)
        return "low_confidence", (*reasons, low)
    return result.gate.decision, reasons


def _name_beside(sentence: Sentence) -> Message:
    """What the sources do have, where what was asked is something else."""
    return Message("ask-beside", sentence=sentence.text, names=sentence.citations)


def explain_gaps(result: SearchResult, passages: Sequence[Excerpt]) -> tuple[Message, ...]:
    """What the sources lack of the question, as far as the gate says so, and what the passages do."""
    gate = result.gate
    said = tuple(reason for reason in gate.reasons if reason.code not in _NOT_OF_PASSAGES)
    if gate.unmentioned and not any(reason.code == "gate-unmentioned" for reason in said):
        said = (Message("gate-unmentioned", names=gate.unmentioned), *said)
    lacking = _find_not_shown(result.question, passages) if passages else ()
    items = [item for item in lacking if not any(item in name for name in gate.unmentioned)]
    return (*said, Message("ask-not-shown", items=items)) if items else said


def _find_not_shown(question: Question, passages: Sequence[Excerpt]) -> tuple[str, ...]:
    """The names, periods and numbers of the question that no passage has.

    Not its other words: those are missing beside an answer as often as beside none.
    """
    shown = [_read_shown(one) for one in passages]
    across = not all(is_same_language(question, one.chunk) for one in shown)
    return find_lacking(question, shown, (), across=across)


def _read_shown(passage: Excerpt) -> Candidate:
    """A passage with nothing but what a reader sees of it."""
    hit = passage.evidence.hit
    text = "\n".join((passage.table, *(line.text for line in passage.lines)))
    chunk = replace(hit.chunk, content=text, heading_path=passage.headings)
    return Candidate(chunk, hit.source, hit.fused)


def _build_empty_answer(
    workspace: Workspace, generator: Model | None, gathered: GatheredEvidence, language: str
) -> Answer:
    """The answer if there is no evidence and nothing was written."""
    empty = Written(Grounding(()), model_name(generator))
    answer = _build_answer(workspace, gathered, empty, language)
    reasons = gathered.reasons
    if gathered.result.gate.decision != "no_evidence":
        reasons = (*reasons, *report_dropped(gathered.dropped))
    return replace(answer, verdict="no_evidence", reasons=reasons)
