"""A model's text, verified while it arrives, and repaired: cited anew, asked again, or removed.

Every sentence that is handed on stands in the evidence. A sentence once shown
stays: another try only replaces what failed, so that a streamed answer and one
that comes at once are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Generator as Pieces
from contextlib import closing
from dataclasses import dataclass, field, replace

from foundry.craft.grounding import (
    Attribution,
    EvidenceIndex,
    ParsedReply,
    attribute,
    build_grounding,
    index_evidence,
    parse_reply,
)
from foundry.craft.prompting import Prompt, SectionTask
from foundry.errors import FoundryError
from foundry.journeys.calibration import choose_verifier_calibration
from foundry.journeys.writing.llm_judge import LlmJudge, open_judge
from foundry.journeys.writing.prompt_budget import cut_brief, fit_prompt
from foundry.journeys.writing.similarity import build_similarity
from foundry.journeys.writing.written import Written, language_notice
from foundry.ports import Generator, Reply
from foundry.records import Evidence, GroundingChange, Sentence, Usage
from foundry.text.near_duplicates import compute_fingerprint, is_repeat
from foundry.text.replies import Statement, can_end_statement, parse_partial_reply
from foundry.workspace import Workspace

_FACT = re.compile(r"\d[\d.,]*|\b[A-Z][\w-]+")

Task = str | SectionTask
_Take = Callable[[Sequence[Statement]], list[Sentence]]


def write_with_model(
    workspace: Workspace,
    generator: Generator,
    task: Task,
    evidence: Sequence[Evidence],
    language: str,
    *,
    stream: bool = False,
) -> Pieces[Sentence, None, Written]:
    """The model's text over the evidence, every sentence verified, the failing ones repaired.

    Yields each sentence when it is verified: with ``stream`` while the model still
    writes, else after each of its replies. Closing it stops the model.
    """
    prompt, left_out = fit_prompt(workspace, generator, task, evidence, language)
    kept = evidence[: len(evidence) - len(left_out)]
    verifier = open_judge(workspace)
    work = _WritingJob(workspace, generator, task, kept, language, stream)
    text = _WorkingText(
        _build_evidence_index(work, verifier),
        notices=[*_format_brief_notice(workspace), *_format_left_out(left_out)],
    )
    text.refused = (yield from _run_attempt(work, prompt, text)).refused
    for _ in range(workspace.config.validation.regenerations):
        if not text.failing or text.refused:
            break
        if not (yield from _retry_failing(work, text)):
            break
    yield from _reattribute(work, text)
    return _build_written(work, text, verifier)


@dataclass(frozen=True, slots=True)
class _WritingJob:
    workspace: Workspace
    generator: Generator
    task: Task
    evidence: Sequence[Evidence]
    language: str
    stream: bool


@dataclass(slots=True)
class _WorkingText:
    """What stands so far, in order, and what became of earlier sentences."""

    grounds: EvidenceIndex
    placed: list[Attribution] = field(default_factory=list)
    replaced: list[GroundingChange] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    notices: list[str] = field(default_factory=list)
    model: str = ""
    tries: int = 0
    refused: bool = False

    @property
    def kept(self) -> list[Attribution]:
        return [one for one in self.placed if one.sentence]

    @property
    def failing(self) -> list[Attribution]:
        return [one for one in self.placed if not one.sentence]

    def take(self, placed: Attribution) -> bool:
        """Add a statement; True when it may be shown: it is carried, and says something new."""
        if placed.sentence and any(_is_restatement(placed, other) for other in self.kept):
            return False
        self.placed.append(placed)
        return placed.sentence is not None


def _build_evidence_index(work: _WritingJob, verifier: LlmJudge | None) -> EvidenceIndex:
    repair = work.workspace.config.validation.repair
    crosses = any(item.hit.chunk.language not in (work.language, "und") for item in work.evidence)
    return index_evidence(
        work.evidence,
        work.language,
        known_words=work.task
        if isinstance(work.task, str)
        else f"{work.task.topic} {work.task.section}",
        similar=build_similarity(work.workspace) if crosses else None,
        judge=verifier,
        reattribute=repair[:1] == ("reattribute",),
        constants=choose_verifier_calibration(work.workspace),
    )


def _retry_failing(work: _WritingJob, text: _WorkingText) -> Pieces[Sentence, None, bool]:
    """Ask again for what failed; False when nothing new came, so that asking is over.

    What stands was verified: a model that fails now costs no more than the repair.
    """
    before, rejected = text.placed, text.failing
    changes = [one.change for one in rejected if one.change]
    text.placed = text.kept
    try:
        prompt, left_out = fit_prompt(
            work.workspace, work.generator, work.task, work.evidence, work.language,
            rejected=changes,
        )  # fmt: skip
        text.notices += _format_left_out(left_out)
        yield from _run_attempt(work, prompt, text)
    except FoundryError as error:
        text.notices.append(f"Asking the model again failed: {error.message} {error.fix}".strip())
        text.placed = [*before, *(one for one in text.kept if one not in before)]
        return False
    old = {one.check.sentence for one in before}
    if all(one.check.sentence in old for one in text.placed):
        text.placed = before
        return False
    text.replaced += [replace(change, action="regenerated") for change in changes]
    return True


def _run_attempt(
    work: _WritingJob, prompt: Prompt, text: _WorkingText
) -> Pieces[Sentence, None, ParsedReply]:
    """One reply of the model, each statement verified as it comes."""
    allowed = [item.id for item in work.evidence]
    taken: list[Statement] = []

    def take(statements: Sequence[Statement]) -> list[Sentence]:
        new = [one for one in statements if one not in taken]
        taken.extend(new)
        placed = [attribute(statement, text.grounds) for statement in new]
        return [one.sentence for one in placed if text.take(one) and one.sentence]

    reply = yield from _request_reply(work, prompt, allowed, take)
    parsed = parse_reply(reply.text, reply.data, allowed, work.language)
    if not parsed.refused:
        yield from take(parsed.statements)
    text.tries += 1
    text.usage += reply.usage
    text.model = reply.model
    text.notices += reply.notices
    return parsed


def _request_reply(
    work: _WritingJob, prompt: Prompt, allowed: Sequence[str], take: _Take
) -> Pieces[Sentence, None, Reply]:
    limit = work.workspace.config.generation.max_tokens
    if not work.stream:
        return work.generator.generate(prompt.messages, schema=prompt.schema, max_tokens=limit)
    arrived = ""
    pieces = work.generator.stream(prompt.messages, schema=prompt.schema, max_tokens=limit)
    with closing(pieces):
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                reply: Reply = end.value
                return reply
            arrived += piece
            if can_end_statement(piece):
                yield from take(parse_partial_reply(arrived, allowed, work.language))


def _reattribute(work: _WritingJob, text: _WorkingText) -> Pieces[Sentence, None, None]:
    """The last step where the order is regenerate, then reattribute."""
    if text.grounds.reattribute or "reattribute" not in work.workspace.config.validation.repair:
        return
    grounds = replace(text.grounds, reattribute=True)
    for at, one in enumerate(text.placed):
        if one.check.verdict == "misattributed" and not one.sentence:
            text.placed[at] = attribute(Statement(one.check.sentence, one.check.citations), grounds)
            sentence = text.placed[at].sentence
            if sentence:
                yield sentence


def _is_restatement(new: Attribution, known: Attribution) -> bool:
    """True when a sentence says what stands already: the same words, or no more of the same quotes."""
    if is_repeat(
        compute_fingerprint(new.check.sentence), compute_fingerprint(known.check.sentence)
    ):
        return True
    facts, others = (set(_FACT.findall(one.check.sentence)) for one in (new, known))
    return bool(new.check.quotes) and new.check.quotes == known.check.quotes and facts <= others


def _build_written(work: _WritingJob, text: _WorkingText, verifier: LlmJudge | None) -> Written:
    grounding = build_grounding(text.placed)
    grounding = replace(
        grounding,
        changes=(*text.replaced, *grounding.changes),
        refused=text.refused or grounding.refused,
    )
    notices = (
        *text.notices,
        *_format_retry_notice(text),
        *language_notice(work.language, grounding),
        *(verifier.notices if verifier else ()),
    )
    usage = text.usage + verifier.usage if verifier else text.usage
    return Written(grounding, text.model, usage, tuple(dict.fromkeys(notices)))


def _format_retry_notice(text: _WorkingText) -> tuple[str, ...]:
    if text.tries < 2:
        return ()
    times = "once" if text.tries == 2 else f"{text.tries - 1} times"
    return (f"The model was asked again {times} for sentences that no evidence carries.",)


def _format_brief_notice(workspace: Workspace) -> tuple[str, ...]:
    notice = cut_brief(workspace)[1]
    return (notice,) if notice else ()


def _format_left_out(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(
        f"{item.id} ({item.hit.source.path}) was left out: the model's window is full."
        for item in evidence
    )
