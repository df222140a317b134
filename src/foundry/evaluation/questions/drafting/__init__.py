"""Questions drafted from the project's own sources, for a person to accept.

With a language model each comes with a quote that stands in its source; without one they are
made of tables, plain sentences and headings. They are spread over the sources, and wait for
review: until somebody accepts them they count in no run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from foundry.errors import ModelError, UsageError
from foundry.evaluation.questions.drafting.built_in import draft_from_source
from foundry.evaluation.questions.drafting.headings import WEAK
from foundry.evaluation.questions.drafting.modelled import MOST_AT_ONCE, Passage, draft_by_model
from foundry.evaluation.questions.drafting.near_misses import near_misses
from foundry.evaluation.questions.drafting.phrasing import LANGUAGES, according_to, names_of
from foundry.evaluation.questions.drafting.proposals import Proposal, Skipped
from foundry.evaluation.questions.matching import KnownSources
from foundry.evaluation.questions.naming import id_of_text, require_set
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.journeys.enrichment.cache import BUILTIN_SUMMARIZER
from foundry.ports import Progress, Step
from foundry.records import Chunk, EvalQuestion, Expectation, Source, Usage
from foundry.workspace import Workspace

DRAFTED_SET = "drafted"
DEFAULT_NUMBER = 20
MOST = 1_000
# Asked for beyond the number that is wanted: some replies cannot be used.
_RESERVE = 1.5
_SHORTEST = 40
_WITHOUT = "Check the model with foundry doctor, or set generation to builtin/extractive."

__all__ = ["DEFAULT_NUMBER", "DRAFTED_SET", "MOST", "Drafts", "Skipped", "draft_questions"]


@dataclass(frozen=True, slots=True)
class Drafts:
    """What was drafted and kept, by whom, and what became no question.

    ``kept`` are keys of questions that were there before and stay as they are.
    """

    set: str
    model: str
    questions: tuple[EvalQuestion, ...]
    kept: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: tuple[str, ...] = ()


def draft_questions(
    workspace: Workspace,
    *,
    set_name: str = DRAFTED_SET,
    number: int = DEFAULT_NUMBER,
    sources: Sequence[str] = (),
    unanswerable: int = 0,
    progress: Progress = lambda _step: None,
) -> Drafts:
    """Draft ``number`` answerable questions and ``unanswerable`` others, and keep them unreviewed.

    ``sources`` limits them to these (paths, file names or titles). Without a language model the
    same sources give the same questions. Raises ``UsageError`` for an unknown source and where
    there is nothing to draft from, ``ModelError`` where the model wrote nothing at all.
    """
    require_set(set_name)
    places = KnownSources(workspace)
    chosen = _sources(places, sources)
    asker = BudgetedModel(workspace.generator) if workspace.generator else None
    if asker:
        proposals, skipped = _by_model(workspace, asker, chosen, number, progress)
    else:
        proposals, skipped = _built_in(workspace, chosen, progress)
    proposals = _told_apart(_distinct(proposals, skipped), names_of(places.sources))
    taken = _spread(proposals, chosen)[:number]
    corpus = "\n".join(places.text(one) for one in places.sources) if unanswerable else ""
    missed = list(near_misses(_spread(proposals, chosen), corpus, unanswerable))
    new, kept = _keep(workspace, set_name, [*taken, *missed])
    return Drafts(
        set=set_name,
        model=workspace.config.generator() if asker else BUILTIN_SUMMARIZER,
        questions=new,
        kept=kept,
        skipped=tuple(skipped),
        usage=asker.usage if asker else Usage(),
        notices=tuple(_notices(asker, (len(taken), number), (len(missed), unanswerable))),
    )


def _sources(places: KnownSources, names: Sequence[str]) -> list[Source]:
    if not places.sources:
        raise UsageError(
            "There are no sources to draft from.", where="sources", fix="Run foundry ingest first."
        )
    if not names:
        return list(places.sources)
    chosen = {}
    for name in names:
        source, why = places.find(name)
        if source is None:
            raise UsageError(
                f"The source {name!r} is not in this project: {why}.",
                where="--source",
                fix="Run `foundry sources list` to see the paths of all sources.",
            )
        chosen[source.path] = source
    return list(chosen.values())


def _built_in(
    workspace: Workspace, sources: Sequence[Source], progress: Progress
) -> tuple[list[Proposal], list[Skipped]]:
    proposals: list[Proposal] = []
    skipped: list[Skipped] = []
    names = names_of(workspace.store.list_sources())
    for done, source in enumerate(sources, 1):
        drafted = draft_from_source(workspace, source, names[source.path])
        proposals += drafted.proposals
        skipped += drafted.skipped
        progress(Step("draft", done, len(sources), "sources", source.path))
    return proposals, skipped


def _by_model(
    workspace: Workspace,
    asker: BudgetedModel,
    sources: Sequence[Source],
    number: int,
    progress: Progress,
) -> tuple[list[Proposal], list[Skipped]]:
    """Passages in turn of each source, from all over it, until enough questions are asked for."""
    chunks = [_from_all_over(workspace, source) for source in sources]
    rounds = [one for group in zip_longest(*chunks) for one in group if one is not None]
    wanted = max(1, round(number * _RESERVE))
    each = min(MOST_AT_ONCE, -(-wanted // max(1, len(rounds))))
    passages = [Passage(source, chunk, each) for source, chunk in rounds[: -(-wanted // each)]]
    proposals, skipped = draft_by_model(workspace, asker, passages, progress)
    if asker.stopped and not proposals:
        raise ModelError(asker.stopped, where="foundry eval draft", fix=_WITHOUT)
    return proposals, skipped


def _from_all_over(workspace: Workspace, source: Source) -> list[tuple[Source, Chunk]]:
    """A source's chunks, the first of every third of it, then what lies between, and so on."""
    chunks = [
        chunk
        for chunk in workspace.store.source_chunks(source.id)
        if len(chunk.content) >= _SHORTEST
    ]
    order = sorted(range(len(chunks)), key=lambda at: (_turned(at), at))
    return [(source, chunks[at]) for at in order]


def _turned(number: int) -> float:
    """The van der Corput sequence: numbers in a row come to lie far apart."""
    value, base = 0.0, 0.5
    while number:
        number, digit = divmod(number, 2)
        value += digit * base
        base /= 2
    return value


def _distinct(proposals: Sequence[Proposal], skipped: list[Skipped]) -> list[Proposal]:
    """Each question of a source once; where its places answer differently, it asks too little."""
    answers: dict[tuple[str, str], set[str]] = {}
    for one in proposals:
        answers.setdefault(_asked(one), set()).add(one.answer.casefold())
    found: dict[tuple[str, str], Proposal] = {}
    for one in proposals:
        if len(answers[_asked(one)]) == 1:
            found.setdefault(_asked(one), one)
        else:
            skipped.append(Skipped(one.source.path, one.text, "its places answer it differently"))
    return list(found.values())


def _asked(proposal: Proposal) -> tuple[str, str]:
    return proposal.source.path, proposal.text.casefold()


def _told_apart(proposals: Sequence[Proposal], names: Mapping[str, str]) -> list[Proposal]:
    """A question that several sources answer alike is one; where they differ it names its source.

    So does one that names nothing else.
    """
    alike: dict[str, list[Proposal]] = {}
    for one in proposals:
        alike.setdefault(one.text.casefold(), []).append(one)
    told = []
    for group in alike.values():
        if len(group) > 1 and len({one.answer.casefold() for one in group}) == 1:
            told.append(replace(group[0], also=tuple(group[1:])))
            continue
        for one in group:
            apart = one.language in LANGUAGES and (len(group) > 1 or one.vague)
            name = names[one.source.path]
            text = according_to(one.text, name, one.language) if apart else one.text
            told.append(replace(one, text=text))
    return told


def _spread(proposals: Sequence[Proposal], sources: Sequence[Source]) -> list[Proposal]:
    """In turn of each source, and within it of each section, those that read best first.

    Questions that only ask what is said under a heading come last, but for one of each source
    that gives no other.
    """
    strong, weak = [], []
    for source in sources:
        own = [one for one in proposals if one.source.path == source.path]
        good = [one for one in own if one.weight > WEAK]
        rest = [one for one in own if one.weight <= WEAK]
        strong.append(_in_turn(good or rest[:1]))
        weak.append(_in_turn(rest if good else rest[1:]))
    return [
        one
        for queues in (strong, weak)
        for group in zip_longest(*queues)
        for one in group
        if one is not None
    ]


def _in_turn(proposals: Sequence[Proposal]) -> list[Proposal]:
    sections: dict[str | None, list[Proposal]] = {}
    for one in proposals:
        sections.setdefault(one.section, []).append(one)
    for group in sections.values():
        group.sort(key=lambda one: -one.weight)
    ranked = sorted(sections.values(), key=lambda group: -group[0].weight)
    return [one for group in zip_longest(*ranked) for one in group if one is not None]


def _keep(
    workspace: Workspace, set_name: str, proposals: Iterable[Proposal]
) -> tuple[tuple[EvalQuestion, ...], tuple[str, ...]]:
    """Store what is new; a question that is there already is not touched."""
    stored = {one.key for one in workspace.store.evaluation.list_questions(set_name)}
    drafted = {one.key: one for one in (_question(p, set_name) for p in proposals)}
    new = tuple(one for key, one in drafted.items() if key not in stored)
    if new:
        workspace.store.evaluation.save_questions(new)
    return new, tuple(key for key in drafted if key in stored)


def _question(proposal: Proposal, set_name: str) -> EvalQuestion:
    places = tuple(
        Expectation(one.source.path, tuple(sorted(one.spans)), one.page, one.section)
        for one in (proposal, *proposal.also)
        if one.spans
    )
    return EvalQuestion(
        id=id_of_text(proposal.text),
        set=set_name,
        text=proposal.text,
        answerable=bool(places),
        language=proposal.language,
        expected=places,
        answers=(proposal.answer,) if proposal.answer else (),
        tags=(proposal.kind,),
        origin="drafted",
        reviewed=False,
    )


def _notices(
    asker: BudgetedModel | None, answerable: tuple[int, int], unanswerable: tuple[int, int]
) -> Iterator[str]:
    if asker is None:
        yield (
            "No language model is configured: questions were made of tables, plain sentences and "
            "headings."
        )
    else:
        yield from (f"The model: {reason}" for reason in asker.reasons)
    made, wanted = answerable
    if made < wanted:
        yield f"The sources gave {made} of the {wanted} questions that were wanted."
    made, wanted = unanswerable
    if made < wanted:
        yield (
            f"{made} of the {wanted} questions without an answer could be made: they ask of an "
            "identifier that no source has, and few questions name one."
        )
