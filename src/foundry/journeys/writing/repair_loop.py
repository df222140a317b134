"""A model's text, verified as it arrives, judged once it is whole, and repaired in place.

Every sentence passed on is supported by the evidence, or marked as not verified where no judge could
read what the rules leave open. They come in the order of the text: one that waits for the judge or for
a repair keeps those after it back, so a streamed answer equals one that comes at once. A new sentence
takes the place of the one that it replaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Generator as Pieces
from contextlib import closing
from dataclasses import dataclass, field, replace

from foundry.analysis import analyse, fold
from foundry.analysis.near_duplicates import compute_fingerprint, is_repeat
from foundry.craft.grounding import (
    Attribution,
    EvidenceIndex,
    ParsedReply,
    attribute,
    build_grounding,
    correct,
    parse_reply,
    recite,
    settle,
)
from foundry.craft.prompting import Prompt, SectionTask
from foundry.errors import FoundryError
from foundry.journeys.writing.llm_judge import (
    DoubtfulStatement,
    LlmJudge,
    build_doubt,
    open_judge,
)
from foundry.journeys.writing.prompt_budget import cut_brief, fit_prompt
from foundry.journeys.writing.written import Written, language_notice
from foundry.messages import Message
from foundry.ports import Generator, Reply, run_to_end
from foundry.records import Evidence, GroundingChange, Sentence, Usage
from foundry.text.lines import refers_back
from foundry.text.replies import (
    MAX_STATEMENT_LENGTH,
    MAX_STATEMENTS,
    Statement,
    can_end_statement,
    is_refusal,
    limit_statements,
    parse_partial_reply,
    read_plainly,
)
from foundry.workspace import Workspace

Task = str | SectionTask
_Take = Callable[[Sequence[Statement]], Iterator[Sentence]]


def write_with_model(
    workspace: Workspace,
    generator: Generator,
    task: Task,
    evidence: Sequence[Evidence],
    language: str,
    *,
    stream: bool = False,
    missing: Sequence[str] = (),
) -> Pieces[Sentence, None, Written]:
    """The model's text about the evidence, every sentence verified, failing ones repaired.

    Yields each verified sentence: with ``stream`` while the model still writes, else after each
    reply. Closing the generator stops the model. ``missing`` are words of the question in no source.
    """
    prompt, left_out = fit_prompt(workspace, generator, task, evidence, language, missing=missing)
    kept = evidence[: len(evidence) - len(left_out)]
    judge = open_judge(workspace, _name_task(task), is_question=isinstance(task, str))
    job = _WritingJob(workspace, generator, task, kept, language, stream, judge, missing)
    cut, repair = cut_brief(workspace)[1], workspace.config.validation.repair
    first = repair[:1] == ("reattribute",)
    text = _WorkingText(
        EvidenceIndex(kept, language, judged=judge is not None, reattribute=first),
        notices=[*([cut] if cut else []), *_format_left_out(left_out)],
        retries=workspace.config.validation.regenerations,
    )
    text.refused = (yield from _run_attempt(job, prompt, text)).refused
    while text.retries and text.failing and not text.refused:
        text.retries -= 1
        _retry_failing(job, text)
        yield from text.release()
    text.retries = 0
    if "reattribute" in repair:
        text.places = [[recite(item) for item in place] for place in text.places]
    yield from text.release()
    return _build_written(job, text)


@dataclass(frozen=True, slots=True)
class _WritingJob:
    workspace: Workspace
    generator: Generator
    task: Task
    evidence: Sequence[Evidence]
    language: str
    stream: bool
    judge: LlmJudge | None
    missing: Sequence[str] = ()


@dataclass(slots=True)
class _WorkingText:
    """The statements so far by their places in the text, and what became of earlier ones.

    A place has one statement, or after a repair any number. ``retries`` are those left. The model says
    that the sources lack what is ``missing``, the judge finds no statement on what is ``unanswered``.
    """

    index: EvidenceIndex
    places: list[list[Attribution]] = field(default_factory=list)
    replaced: list[GroundingChange] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    notices: list[Message] = field(default_factory=list)
    retries: int = 0
    model: str = ""
    tries: int = 0
    refused: bool = False
    unanswered: str = ""
    missing: str = ""
    _released: int = 0

    @property
    def attributions(self) -> list[Attribution]:
        return [item for place in self.places for item in place]

    @property
    def failing(self) -> list[Attribution]:
        return [item for item in self.attributions if _has_failed(item)]

    def add(self, attribution: Attribution, place: int | None = None) -> None:
        """Add a statement at its place or the end, unless it repeats one that is shown."""
        if self._repeats(attribution):
            return
        if place is None:
            self.places.append([attribution])
        else:
            self.places[place].append(attribution)

    def put(self, old: Attribution, new: Attribution) -> None:
        """Put a statement in the place of another, unless it repeats one that is shown."""
        kept = [] if self._repeats(new) else [new]
        for place in self.places:
            place[:] = [one for item in place for one in (kept if item is old else [item])]

    def exchange(self, rejected: Attribution, corrected: Attribution) -> None:
        """Put a correction in the place of a statement."""
        if corrected.sentence is not None and rejected.change is not None:
            self.replaced.append(replace(rejected.change, action="regenerated"))
            self.put(rejected, corrected)

    def _repeats(self, new: Attribution) -> bool:
        shown = (item for item in self.attributions if item.sentence and not item.candidates)
        hopeful = new.sentence is not None or bool(new.candidates)
        return hopeful and any(_is_restatement(new, item, self.index.language) for item in shown)

    def release(self) -> Iterator[Sentence]:
        """The next sentences to pass on: those before the first that is still open.

        A sentence that refers back to one that was removed goes with it.
        """
        for number in range(self._released, len(self.attributions)):
            item = self.attributions[number]
            if item.candidates or (self.retries and _has_failed(item)):
                return
            self._released += 1
            lost = number > 0 and self.attributions[number - 1].sentence is None
            if item.sentence and lost and refers_back(item.sentence.text):
                change = GroundingChange(item.check.sentence, "removed", Message("claim-orphan"))
                self.put(item, replace(item, sentence=None, change=change, final=True))
            elif item.sentence:
                yield item.sentence


def _has_failed(item: Attribution) -> bool:
    return item.sentence is None and not item.candidates and not item.final


def _name_task(task: Task) -> str:
    return task if isinstance(task, str) else f"{task.topic}: {task.section}"


def _retry_failing(job: _WritingJob, text: _WorkingText) -> None:
    """Ask again for what failed; no further retry if nothing new came.

    What is kept was verified, so a model that fails now costs only the repair. Nothing is passed
    on before the whole reply is there, as its sentences may come in another order.
    """
    before = text.places
    rejected = text.failing
    changes = [item.change for item in rejected if item.change]
    text.places = [[item for item in place if not _has_failed(item)] for place in before]
    homes = [n for n, place in enumerate(before) for item in place if _has_failed(item)]
    known = {item.check.sentence for place in before for item in place}
    try:
        prompt, left_out = fit_prompt(
            job.workspace, job.generator, job.task, job.evidence, job.language,
            rejected=changes, missing=job.missing,
        )  # fmt: skip
        text.notices += _format_left_out(left_out)
        run_to_end(_run_attempt(replace(job, stream=False), prompt, text, homes))
    except FoundryError as error:
        text.notices.append(Message("writing-retry-failed", cause=error.problem))
    if all(item.check.sentence in known for item in text.attributions):
        text.places, text.retries = before, 0
        return
    text.replaced += [replace(change, action="regenerated") for change in changes]


def _run_attempt(
    job: _WritingJob, prompt: Prompt, text: _WorkingText, homes: Sequence[int] = ()
) -> Pieces[Sentence, None, ParsedReply]:
    """One reply of the model, each statement verified as it arrives, then those in doubt judged.

    ``homes`` are the places of the rejected sentences, in their order in the prompt.
    """
    allowed = [item.id for item in job.evidence]
    written = _list_own_lines(job, prompt)
    taken: list[Statement] = []

    def take(statements: Sequence[Statement]) -> Iterator[Sentence]:
        for new in limit_statements(statements):
            if new not in taken:
                taken.append(new)
                if is_refusal(new.text) and not new.citations:
                    text.missing = new.text
                    continue
                found = _attribute(new, text.index)
                if found.exact or fold(new.text) not in written:
                    number = new.replaces or 1
                    home = homes[min(number, len(homes)) - 1] if homes else None
                    text.add(found, home)
        if not homes:
            yield from text.release()

    reply = yield from _request_reply(job, prompt, allowed, take)
    parsed = parse_reply(reply.text, reply.data, allowed, job.language)
    if not parsed.refused:
        yield from take(parsed.statements)
    text.tries += 1
    text.usage += reply.usage
    text.model = reply.model
    text.notices += [*reply.notices, *_format_cut(parsed.statements)]
    _judge_doubtful(job, text)
    if not homes:
        yield from text.release()
    return parsed


def _judge_doubtful(job: _WritingJob, text: _WorkingText) -> None:
    """Settle the statements that the rules could not, with one call of the judge.

    Its corrections that no source says exactly are new claims, judged like the model's own words: one
    call more, where a new reply would take two. One to which the rules object is not used.
    """
    doubtful = [item for item in text.attributions if item.candidates]
    if job.judge is None or not doubtful:
        return
    judged = job.judge.judge([_describe_doubt(item, item, text) for item in doubtful])
    if text.tries == 1:
        # Later it sees the new sentences only, and misses what the others answer.
        text.unanswered = job.judge.unanswered
    rewrite, asked = job.workspace.config.validation.regenerations > 0, _name_task(job.task)
    again: list[tuple[Attribution, Attribution]] = []
    for item, judgement in zip(doubtful, judged, strict=True):
        decided = settle(item, judgement, text.index)
        text.put(item, decided)
        if not rewrite or decided.sentence or decided.beside:
            continue
        corrected = correct(item, judgement, text.index, asked)
        if corrected is not None and corrected.candidates:
            again.append((decided, corrected))
        elif corrected is not None:
            text.exchange(decided, corrected)
    judged = job.judge.judge([_describe_doubt(new, old, text) for old, new in again])
    for (old, new), judgement in zip(again, judged, strict=True):
        settled = settle(new, judgement, text.index)
        if settled.sentence and settled.read and settled.sentence.verified:
            text.exchange(old, settled)
        else:
            # The first call took it as answered by the correction.
            text.unanswered = text.unanswered or job.judge.unanswered


def _describe_doubt(item: Attribution, place: Attribution, text: _WorkingText) -> DoubtfulStatement:
    """A statement for the judge, after the sentence before its ``place``."""
    known = text.attributions
    number = next((n for n, other in enumerate(known) if other is place), 0)
    before = known[number - 1].check.sentence if number else ""
    evidence = [text.index.materials[id_].evidence for id_ in item.candidates]
    return build_doubt(item.check, evidence, text.index.language, before)


def _list_own_lines(job: _WritingJob, prompt: Prompt) -> frozenset[str]:
    """The task and the lines of its prompt: what comes back as it is, is an echo and no statement."""
    lines = [line for message in prompt.messages for line in message.content.splitlines()]
    return frozenset(fold(line) for line in (_name_task(job.task), *lines))


def _attribute(statement: Statement, index: EvidenceIndex) -> Attribution:
    """The statement as it is written, or as the evidence supports it better."""
    found, plain = attribute(statement, index), read_plainly(statement)
    if plain == statement or found.check.verdict == "exact":
        return found
    again = attribute(plain, index)
    return again if _rank(again) >= _rank(found) else found


def _rank(found: Attribution) -> tuple[bool, bool, float]:
    open_or_kept = found.sentence is not None or bool(found.candidates)
    return found.exact, open_or_kept, found.check.score


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


def _is_restatement(new: Attribution, known: Attribution, language: str) -> bool:
    """True if a sentence repeats another: the same words, or the same quotes and no new word."""
    fingerprints = (compute_fingerprint(item.check.sentence) for item in (new, known))
    if is_repeat(*fingerprints):
        return True
    terms, others = (set(analyse(item.check.sentence, language)) for item in (new, known))
    return bool(new.check.quotes) and new.check.quotes == known.check.quotes and terms <= others


def _build_written(job: _WritingJob, text: _WorkingText) -> Written:
    judge = job.judge
    grounding = build_grounding(text.attributions)
    shown = grounding.sentences
    read = all(item.read for item in text.attributions if item.sentence)
    read = read and all(sentence.verified for sentence in shown)
    unanswered = text.missing or text.unanswered
    grounding = replace(
        grounding,
        changes=(*text.replaced, *grounding.changes),
        refused=text.refused or grounding.refused or (bool(text.missing) and not text.places),
        unanswered=unanswered,
        complete=bool(shown) and read and not unanswered,
    )
    formulas = [formula for sentence in shown for formula in sentence.computed]
    notices = (
        *text.notices,
        *([Message("writing-retried", times=text.tries - 1)] if text.tries > 1 else []),
        *([Message("writing-computed", formulas=formulas)] if formulas else []),
        *language_notice(job.language, grounding),
        *(judge.notices if judge else ()),
    )
    usage = text.usage + judge.usage if judge else text.usage
    asked = judge.generator.model if judge and judge.was_asked else ""
    return Written(grounding, text.model, usage, tuple(dict.fromkeys(notices)), judge=asked)


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
    if not evidence:
        return ()
    paths = tuple(dict.fromkeys(item.hit.source.path for item in evidence))
    return (Message("writing-window-full", number=len(evidence), paths=paths),)
