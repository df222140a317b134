"""A model's text, verified as it arrives and repaired: reattributed, regenerated or removed.

Every sentence passed on is supported by the evidence. A sentence once shown stays: a retry
replaces only what failed, so a streamed answer equals one that comes at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Generator as Pieces
from contextlib import closing
from dataclasses import dataclass, field, replace

from foundry.analysis.near_duplicates import compute_fingerprint, is_repeat
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
from foundry.messages import Message
from foundry.ports import Generator, Reply
from foundry.records import Evidence, GroundingChange, Sentence, Usage
from foundry.text.replies import (
    MAX_STATEMENT_LENGTH,
    MAX_STATEMENTS,
    Statement,
    can_end_statement,
    limit_statements,
    parse_partial_reply,
    read_plainly,
)
from foundry.workspace import Workspace

_FACT = re.compile(r"\d[\d.,]*|\b[A-Z][\w-]+")
"""Numbers and capitalised words: what a restatement must not add to the same quotes."""

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
    """The model's text about the evidence, every sentence verified, failing ones repaired.

    Yields each verified sentence: with ``stream`` while the model still writes, else after each
    reply. Closing the generator stops the model.
    """
    prompt, left_out = fit_prompt(workspace, generator, task, evidence, language)
    kept = evidence[: len(evidence) - len(left_out)]
    judge = open_judge(workspace)
    job = _WritingJob(workspace, generator, task, kept, language, stream)
    cut = cut_brief(workspace)[1]
    text = _WorkingText(
        _build_evidence_index(job, judge),
        notices=[*([cut] if cut else []), *_format_left_out(left_out)],
    )
    text.refused = (yield from _run_attempt(job, prompt, text)).refused
    for _ in range(workspace.config.validation.regenerations):
        if not text.failing or text.refused:
            break
        if not (yield from _retry_failing(job, text)):
            break
    yield from _reattribute(job, text)
    return _build_written(job, text, judge)


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
    """The statements so far, in order, and what became of earlier ones."""

    index: EvidenceIndex
    attributions: list[Attribution] = field(default_factory=list)
    replaced: list[GroundingChange] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    notices: list[Message] = field(default_factory=list)
    model: str = ""
    tries: int = 0
    refused: bool = False

    @property
    def kept(self) -> list[Attribution]:
        return [item for item in self.attributions if item.sentence]

    @property
    def failing(self) -> list[Attribution]:
        return [item for item in self.attributions if not item.sentence]

    def add(self, attribution: Attribution) -> bool:
        """Add a statement; True if it may be shown: it is supported and says something new."""
        sentence = attribution.sentence
        if sentence and any(_is_restatement(attribution, other) for other in self.kept):
            return False
        self.attributions.append(attribution)
        return sentence is not None


def _build_evidence_index(job: _WritingJob, judge: LlmJudge | None) -> EvidenceIndex:
    task, repair = job.task, job.workspace.config.validation.repair
    crosses = any(item.hit.chunk.language not in (job.language, "und") for item in job.evidence)
    return index_evidence(
        job.evidence,
        job.language,
        known_words=task if isinstance(task, str) else f"{task.topic} {task.section}",
        similar=build_similarity(job.workspace) if crosses else None,
        judge=judge,
        reattribute=repair[:1] == ("reattribute",),
        constants=choose_verifier_calibration(job.workspace),
    )


def _retry_failing(job: _WritingJob, text: _WorkingText) -> Pieces[Sentence, None, bool]:
    """Ask again for what failed; False if nothing new came, which ends the loop.

    What is kept was verified, so a model that fails now costs only the repair.
    """
    before, rejected = text.attributions, text.failing
    changes = [item.change for item in rejected if item.change]
    text.attributions = text.kept
    try:
        prompt, left_out = fit_prompt(
            job.workspace, job.generator, job.task, job.evidence, job.language,
            rejected=changes,
        )  # fmt: skip
        text.notices += _format_left_out(left_out)
        yield from _run_attempt(job, prompt, text)
    except FoundryError as error:
        text.notices.append(Message("writing-retry-failed", cause=error.problem))
        text.attributions = [*before, *(item for item in text.kept if item not in before)]
        return False
    known = {item.check.sentence for item in before}
    if all(item.check.sentence in known for item in text.attributions):
        text.attributions = before
        return False
    text.replaced += [replace(change, action="regenerated") for change in changes]
    return True


def _run_attempt(
    job: _WritingJob, prompt: Prompt, text: _WorkingText
) -> Pieces[Sentence, None, ParsedReply]:
    """One reply of the model, each statement verified as it arrives."""
    allowed = [item.id for item in job.evidence]
    taken: list[Statement] = []

    def take(statements: Sequence[Statement]) -> list[Sentence]:
        new = [item for item in limit_statements(statements) if item not in taken]
        taken.extend(new)
        attributions = [_attribute(statement, text.index) for statement in new]
        return [item.sentence for item in attributions if text.add(item) and item.sentence]

    reply = yield from _request_reply(job, prompt, allowed, take)
    parsed = parse_reply(reply.text, reply.data, allowed, job.language)
    if not parsed.refused:
        yield from take(parsed.statements)
    text.tries += 1
    text.usage += reply.usage
    text.model = reply.model
    text.notices += [*reply.notices, *_format_cut(parsed.statements)]
    return parsed


def _attribute(statement: Statement, index: EvidenceIndex) -> Attribution:
    """The statement as it is written, or else as the evidence supports it."""
    found, plain = attribute(statement, index), read_plainly(statement)
    if found.sentence or plain == statement:
        return found
    again = attribute(plain, index)
    return again if again.sentence else found


def _request_reply(
    job: _WritingJob, prompt: Prompt, allowed: Sequence[str], take: _Take
) -> Pieces[Sentence, None, Reply]:
    limit = job.workspace.config.generation.max_tokens
    if not job.stream:
        return job.generator.generate(prompt.messages, schema=prompt.schema, max_tokens=limit)
    arrived, parsed_length = "", 0
    pieces = job.generator.stream(prompt.messages, schema=prompt.schema, max_tokens=limit)
    with closing(pieces):
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                reply: Reply = end.value
                return reply
            arrived += piece
            if can_end_statement(piece, len(arrived), parsed_length):
                parsed_length = len(arrived)
                yield from take(parse_partial_reply(arrived, allowed, job.language))


def _reattribute(job: _WritingJob, text: _WorkingText) -> Pieces[Sentence, None, None]:
    """Look for other evidence as the last step, if the configured order is to regenerate first."""
    if text.index.reattribute or "reattribute" not in job.workspace.config.validation.repair:
        return
    index = replace(text.index, reattribute=True)
    for number, item in enumerate(text.attributions):
        if item.check.verdict == "misattributed" and not item.sentence:
            statement = Statement(item.check.sentence, item.check.citations)
            text.attributions[number] = attributed = attribute(statement, index)
            if attributed.sentence:
                yield attributed.sentence


def _is_restatement(new: Attribution, known: Attribution) -> bool:
    """True if a sentence repeats another: the same words, or the same quotes and no new fact."""
    fingerprints = (compute_fingerprint(item.check.sentence) for item in (new, known))
    if is_repeat(*fingerprints):
        return True
    facts, others = (set(_FACT.findall(item.check.sentence)) for item in (new, known))
    return bool(new.check.quotes) and new.check.quotes == known.check.quotes and facts <= others


def _build_written(job: _WritingJob, text: _WorkingText, judge: LlmJudge | None) -> Written:
    grounding = build_grounding(text.attributions)
    grounding = replace(
        grounding,
        changes=(*text.replaced, *grounding.changes),
        refused=text.refused or grounding.refused,
    )
    notices = (
        *text.notices,
        *_format_retry_notice(text),
        *language_notice(job.language, grounding),
        *(judge.notices if judge else ()),
    )
    usage = text.usage + judge.usage if judge else text.usage
    return Written(grounding, text.model, usage, tuple(dict.fromkeys(notices)))


def _format_retry_notice(text: _WorkingText) -> tuple[Message, ...]:
    return (Message("writing-retried", times=text.tries - 1),) if text.tries > 1 else ()


def _format_cut(statements: Sequence[Statement]) -> list[Message]:
    """What of a reply was not verified, and so not shown."""
    overlong = [item for item in statements if len(item.text) > MAX_STATEMENT_LENGTH]
    kept = limit_statements(statements)
    surplus = len(statements) - len(overlong) - len(kept)
    notices = []
    if surplus:
        notices.append(Message("writing-surplus", number=len(statements), limit=MAX_STATEMENTS))
    if overlong:
        notices.append(
            Message(
                "writing-overlong",
                number=len(overlong),
                limit=MAX_STATEMENT_LENGTH,
                example=overlong[0].text[:40],
            )
        )
    return notices


def _format_left_out(evidence: Sequence[Evidence]) -> tuple[Message, ...]:
    return tuple(
        Message("writing-window-full", name=item.id, path=item.hit.source.path) for item in evidence
    )
