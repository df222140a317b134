"""Questions drafted from the project's own sources, for a person to accept.

With a language model each comes with a quote that occurs in its source; without one they are made
from tables and headings. They are spread over the sources, and count in no run until accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from foundry.errors import ModelError, UsageError
from foundry.evaluation.questions.fields import id_of_text, require_set
from foundry.evaluation.questions.model_drafts import MAX_PER_PASSAGE, DraftPassage, draft_by_model
from foundry.evaluation.questions.places import KnownSources
from foundry.evaluation.questions.proposals import DraftedQuestion, SkippedDraft
from foundry.evaluation.questions.rule_drafts import HEADING, draft_from_sources, draft_near_misses
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.journeys.enrichment.cache import BUILTIN_SUMMARIZER
from foundry.messages import Message
from foundry.ports import Progress, Step
from foundry.records import Chunk, EvalQuestion, Expectation, Source, Usage
from foundry.workspace import Workspace

DRAFTED_SET = "drafted"
DEFAULT_NUMBER = 20
MAX_NUMBER = 1_000
NEAR_MISS_SHARE = 4
"""One unanswerable question for so many answerable ones, unless asked otherwise: enough to
calibrate on (10 are needed) from 40 drafts, and few enough to read."""

_RESERVE = 1.5
"""Requested beyond the wanted number, because some replies cannot be used; a guess."""

_MIN_CHARACTERS = 40
"""Shorter chunks contain no fact to ask about."""


@dataclass(frozen=True, slots=True)
class DraftReport:
    """The drafted questions, who drafted them, and what gave no question.

    ``kept`` are keys of questions drafted before, which were left alone.
    """

    set: str
    model: str
    questions: tuple[EvalQuestion, ...]
    kept: tuple[str, ...] = ()
    skipped: tuple[SkippedDraft, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()


def draft_questions(
    workspace: Workspace,
    *,
    set_name: str = DRAFTED_SET,
    number: int = DEFAULT_NUMBER,
    sources: Sequence[str] = (),
    unanswerable: int | None = None,
    progress: Progress = lambda _step: None,
) -> DraftReport:
    """Draft ``number`` answerable and ``unanswerable`` other questions; store them unreviewed.

    ``unanswerable`` defaults to a quarter of ``number``, or fewer if the sources give fewer.
    ``sources`` limits drafting to these paths, file names or titles. Without a language model the
    same sources give the same questions. Raises ``UsageError`` for an unknown source and for a
    project without sources, ``ModelError`` if the model wrote nothing at all.
    """
    require_set(set_name)
    places = KnownSources(workspace)
    chosen = _choose_sources(places, sources)
    asker = BudgetedModel(workspace.generator) if workspace.generator else None
    if asker:
        drafted, skipped = _draft_by_model(workspace, asker, chosen, number, progress)
    else:
        drafted, skipped = _draft_by_rule(workspace, chosen, progress)
    spread = _spread(_disambiguate(_drop_repeats(drafted, skipped)), chosen)
    answerable = spread[:number]
    most = number // NEAR_MISS_SHARE if unanswerable is None else unanswerable
    corpus = "\n".join(places.text(source) for source in places.sources) if most else ""
    near_misses = list(draft_near_misses(spread, corpus, most))
    new, kept = _save(workspace, set_name, [*answerable, *near_misses])
    return DraftReport(
        set=set_name,
        model=workspace.config.generator() if asker else BUILTIN_SUMMARIZER,
        questions=new,
        kept=kept,
        skipped=tuple(skipped),
        usage=asker.usage if asker else Usage(),
        notices=tuple(
            _list_notices(asker, (len(answerable), number), (len(near_misses), unanswerable))
        ),
    )


def _choose_sources(places: KnownSources, names: Sequence[str]) -> list[Source]:
    if not places.sources:
        raise UsageError("eval-draft-no-sources", where="sources")
    if not names:
        return list(places.sources)
    chosen = {}
    for name in names:
        source, why = places.find(name)
        if source is None:
            raise UsageError("eval-source-unknown", where="--source", name=name, why=why, hint=None)
        chosen[source.path] = source
    return list(chosen.values())


def _draft_by_rule(
    workspace: Workspace, sources: Sequence[Source], progress: Progress
) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
    questions: list[DraftedQuestion] = []
    skipped: list[SkippedDraft] = []
    for done, drafts in enumerate(draft_from_sources(workspace, sources), 1):
        questions += drafts.questions
        skipped += drafts.skipped
        progress(Step("draft", done, len(sources), "sources", sources[done - 1].path))
    return questions, skipped


def _draft_by_model(
    workspace: Workspace,
    asker: BudgetedModel,
    sources: Sequence[Source],
    number: int,
    progress: Progress,
) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
    """Ask about passages of each source in turn until enough questions are requested."""
    chunks = [_scatter_chunks(workspace, source) for source in sources]
    rounds = [item for group in zip_longest(*chunks) for item in group if item is not None]
    wanted = max(1, round(number * _RESERVE))
    each = min(MAX_PER_PASSAGE, -(-wanted // max(1, len(rounds))))
    passages = [DraftPassage(source, chunk, each) for source, chunk in rounds[: -(-wanted // each)]]
    questions, skipped = draft_by_model(workspace, asker, passages, progress)
    if asker.stopped and not questions:
        raise ModelError("eval-draft-stopped", where="foundry eval draft", reason=asker.stopped)
    return questions, skipped


def _scatter_chunks(workspace: Workspace, source: Source) -> list[tuple[Source, Chunk]]:
    """A source's chunks, reordered so that any first few come from all over it."""
    chunks = [
        chunk
        for chunk in workspace.store.source_chunks(source.id)
        if len(chunk.content) >= _MIN_CHARACTERS
    ]
    order = sorted(range(len(chunks)), key=lambda index: (_van_der_corput(index), index))
    return [(source, chunks[index]) for index in order]


def _van_der_corput(number: int) -> float:
    """The van der Corput sequence in base 2: neighbouring numbers get distant values in 0–1."""
    value, base = 0.0, 0.5
    while number:
        number, digit = divmod(number, 2)
        value += digit * base
        base /= 2
    return value


def _drop_repeats(
    questions: Sequence[DraftedQuestion], skipped: list[SkippedDraft]
) -> list[DraftedQuestion]:
    """Each question of a source once, and none that has two answers within its source."""
    answers: dict[tuple[str, str], set[str]] = {}
    for question in questions:
        answers.setdefault(_get_key(question), set()).add(question.answer.casefold())
    distinct: dict[tuple[str, str], DraftedQuestion] = {}
    for question in questions:
        if len(answers[_get_key(question)]) == 1:
            distinct.setdefault(_get_key(question), question)
        else:
            reason = Message("eval-draft-two-answers")
            skipped.append(SkippedDraft(question.source.path, question.text, reason))
    return list(distinct.values())


def _get_key(question: DraftedQuestion) -> tuple[str, str]:
    return question.source.path, question.text.casefold()


def _disambiguate(questions: Sequence[DraftedQuestion]) -> list[DraftedQuestion]:
    """A question that sources answer alike is one; where they differ, or it is vague, it names one.

    The source's title in brackets needs no grammar of the question's language.
    """
    by_text: dict[str, list[DraftedQuestion]] = {}
    for question in questions:
        by_text.setdefault(question.text.casefold(), []).append(question)
    apart = []
    for group in by_text.values():
        if len(group) > 1 and len({question.answer.casefold() for question in group}) == 1:
            apart.append(replace(group[0], also=tuple(group[1:])))
            continue
        for question in group:
            titled = len(group) > 1 or question.vague
            text = f"{question.text} ({question.source.title})" if titled else question.text
            apart.append(replace(question, text=text))
    return apart


def _spread(
    questions: Sequence[DraftedQuestion], sources: Sequence[Source]
) -> list[DraftedQuestion]:
    """Sources in turn, and sections in turn within each.

    Questions about a heading come last, except for one of each source that has no other.
    """
    first, last = [], []
    for source in sources:
        own = [question for question in questions if question.source.path == source.path]
        facts = [question for question in own if question.kind != HEADING]
        rest = [question for question in own if question.kind == HEADING]
        first.append(_alternate_sections(facts or rest[:1]))
        last.append(_alternate_sections(rest if facts else rest[1:]))
    return [
        question
        for queues in (first, last)
        for group in zip_longest(*queues)
        for question in group
        if question is not None
    ]


def _alternate_sections(questions: Sequence[DraftedQuestion]) -> list[DraftedQuestion]:
    sections: dict[str | None, list[DraftedQuestion]] = {}
    for question in questions:
        sections.setdefault(question.section, []).append(question)
    return [q for group in zip_longest(*sections.values()) for q in group if q is not None]


def _save(
    workspace: Workspace, set_name: str, drafted: Iterable[DraftedQuestion]
) -> tuple[tuple[EvalQuestion, ...], tuple[str, ...]]:
    """Store the new questions; stored ones are left alone. Returns the new ones and the keys kept."""
    evaluation = workspace.maintenance().evaluation
    stored = {question.key for question in evaluation.list_questions(set_name)}
    questions = {
        question.key: question for question in (_build_question(item, set_name) for item in drafted)
    }
    new = tuple(question for key, question in questions.items() if key not in stored)
    if new:
        evaluation.save_questions(new)
    return new, tuple(key for key in questions if key in stored)


def _build_question(drafted: DraftedQuestion, set_name: str) -> EvalQuestion:
    places = tuple(
        Expectation(place.source.path, tuple(sorted(place.spans)), place.page, place.section)
        for place in (drafted, *drafted.also)
        if place.spans
    )
    return EvalQuestion(
        id=id_of_text(drafted.text),
        set=set_name,
        text=drafted.text,
        answerable=bool(places),
        language=drafted.language,
        expected=places,
        answers=(drafted.answer,) if drafted.answer else (),
        tags=(drafted.kind,),
        origin="drafted",
        reviewed=False,
    )


def _list_notices(
    asker: BudgetedModel | None, answerable: tuple[int, int], unanswerable: tuple[int, int | None]
) -> Iterator[Message]:
    if asker is None:
        yield Message("eval-draft-no-model")
    else:
        yield from (Message("eval-draft-model", reason=reason) for reason in asker.reasons)
    made, wanted = answerable
    if made < wanted:
        yield Message("eval-draft-fewer", made=made, wanted=wanted)
    near_misses, requested = unanswerable
    if requested is not None and near_misses < requested:
        yield Message("eval-draft-fewer-unanswerable", made=near_misses, wanted=requested)
