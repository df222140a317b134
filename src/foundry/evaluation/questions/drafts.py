"""Questions drafted from the project's own sources, for a person to accept.

A language model writes them, several passages at a time, each with a quote that occurs exactly in
its passage, which reaches the prompt as data, marked line by line. Without a model, cells of tables
are asked about by their labels, the table's title and the document's; where a table's structure is
in doubt, its letters come from OCR, or two cells have the same labels, nothing is asked. Near misses
ask about what no source has: a drafted question with another number in its identifier. Drafts are
spread over the sources, and count in no run until accepted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Annotated, Any, TypeVar

from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.doc import Doc
from foundry.errors import ModelError, UsageError
from foundry.evaluation.questions.places import KnownSources, find_quote
from foundry.evaluation.questions.rows import id_of_text, require_set
from foundry.journeys.enrichment.writers import BudgetedModel
from foundry.messages import Language, Message, format_message
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import Progress, Step
from foundry.prompts import TEXT, build_list, build_object, fill, truncate_to_tokens
from foundry.records import Block, Chunk, EvalQuestion, Expectation, Source, TableCell, Usage
from foundry.records.kinds import Notices, SourcePath
from foundry.text.spotlight import clean_line, mark_lines, unescape
from foundry.workspace import Workspace

BUILTIN_DRAFTER = "builtin/table-cells"
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
_LONGEST_LABEL, _LONGEST_VALUE = 80, 120
"""Characters of a label and of a value; longer ones are sentences, and no fact to ask about."""
_PER_TABLE = 3
"""Cells asked about in one table, so that drafts are spread over tables."""
_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?=[\w.-]*[A-Za-z])[A-Z][A-Za-z]*[-.]?\d{1,4}(?:[-.][A-Z\d]+)?(?![\w-])"
)
_DESCRIBED = re.compile(r"^\s*\([^)]*\)")
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 300, 500)

TOKENS_PER_QUESTION = 160
"""Reply tokens for a question with answer and quote; large enough for a quote of two sentences."""

MAX_PER_PASSAGE = 3
"""Questions requested for one passage; a guess, so that they ask for different facts."""

_OVERHEAD_TOKENS = 64
_MIN_PASSAGE_TOKENS = 200
_MARK_FACTOR = 1.25
"""How much longer a passage becomes by the marks on its lines; a guess on the safe side."""

_MAX_QUESTION, _MAX_QUOTE = 400, 1_200
_SPEAKS_OF_TEXT = re.compile(
    r"\b(?:(?:this|the) (?:passage|text|document|excerpt|paragraph|section above)"
    r"|(?:deze|de|dit|het) (?:passage|tekst|fragment|document|alinea))\b",
    re.IGNORECASE,
)

Item = TypeVar("Item")

SCHEMA = build_object(questions=build_list(build_object(question=TEXT, answer=TEXT, quote=TEXT)))

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DraftedQuestion:
    """A question drafted from a source; one without ``spans`` has no answer in the project.

    ``kind`` becomes its tag. ``also`` are other sources with the same answer.
    """

    source: Source
    text: str
    answer: str
    spans: tuple[Span, ...]
    language: str
    kind: str
    page: int | None = None
    section: str | None = None
    also: tuple[DraftedQuestion, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        return self.source.path, self.text.casefold()


@dataclass(frozen=True, slots=True)
class SkippedDraft:
    """Something that gave no question: in which source, what, and why."""

    source: SourcePath
    what: Annotated[Message | str, Doc(plain=True)]
    reason: Message


@dataclass(frozen=True, slots=True)
class DraftReport:
    """The drafted questions, who drafted them, and what gave no question."""

    set: str
    model: Annotated[str, Doc("who drafted")]
    questions: tuple[EvalQuestion, ...]
    kept: Annotated[tuple[str, ...], Doc("set/id of a question drafted before and left alone")] = ()
    skipped: tuple[SkippedDraft, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notices: Notices = ()


Drafted = DraftedQuestion | SkippedDraft


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
    ``sources`` limits drafting to these paths, file names or titles. Raises ``UsageError`` without
    a language model where no table can be asked about, for an unknown source and for a project
    without sources, ``ModelError`` if the model wrote nothing at all.
    """
    require_set(set_name)
    places = KnownSources(workspace)
    chosen = _choose_sources(places, sources)
    asker = BudgetedModel(workspace.generator) if workspace.generator else None
    if asker:
        made = _ask_for_passages(workspace, asker, chosen, number, progress)
    else:
        made = _take_turns([list(_draft_source(workspace, source)) for source in chosen])
        if not made:
            raise UsageError("eval-draft-needs-model", where="foundry eval draft")
    made = _drop_repeats(made)
    spread = _spread(
        _disambiguate([one for one in made if isinstance(one, DraftedQuestion)]), chosen
    )
    answerable = spread[:number]
    most = number // NEAR_MISS_SHARE if unanswerable is None else unanswerable
    corpus = "\n".join(places.text(source) for source in places.sources) if most else ""
    near_misses = list(_draft_near_misses(spread, corpus, most))
    new, kept = _save(workspace, set_name, [*answerable, *near_misses])
    notices = [Message("eval-draft-tables-only")] if asker is None else [
        Message("eval-draft-model", reason=reason) for reason in asker.reasons
    ]  # fmt: skip
    if len(answerable) < number:
        notices.append(Message("eval-draft-fewer", made=len(answerable), wanted=number))
    if unanswerable is not None and len(near_misses) < unanswerable:
        n = len(near_misses)
        notices.append(Message("eval-draft-fewer-unanswerable", made=n, wanted=unanswerable))
    return DraftReport(
        set=set_name,
        model=workspace.config.generator() if asker else BUILTIN_DRAFTER,
        questions=new,
        kept=kept,
        skipped=tuple(one for one in made if isinstance(one, SkippedDraft)),
        usage=asker.usage if asker else Usage(),
        notices=tuple(notices),
    )


def _choose_sources(places: KnownSources, names: Sequence[str]) -> list[Source]:
    if not places.sources:
        raise UsageError("eval-draft-no-sources", where="sources")
    chosen = {}
    for name in names:
        source, why = places.find(name)
        if source is None:
            raise UsageError("eval-source-unknown", where="--source", name=name, why=why, hint=None)
        chosen[source.path] = source
    return list(chosen.values()) if names else list(places.sources)


def _take_turns(groups: Iterable[Sequence[Item]]) -> list[Item]:
    """One item of each group in turn, until all are taken."""
    return [one for turn in zip_longest(*groups) for one in turn if one is not None]


# By a model


def _ask_for_passages(
    workspace: Workspace,
    asker: BudgetedModel,
    sources: Sequence[Source],
    number: int,
    progress: Progress,
) -> list[Drafted]:
    """Ask about passages of each source in turn until enough questions are requested."""
    passages = _take_turns([_scatter_chunks(workspace, source) for source in sources])
    wanted = max(1, round(number * _RESERVE))
    each = min(MAX_PER_PASSAGE, -(-wanted // max(1, len(passages))))
    chosen = passages[: -(-wanted // each)]
    made: list[Drafted] = []

    def ask(passage: tuple[Source, Chunk]) -> list[Drafted]:
        return _ask(workspace, asker, *passage, each)

    waiting = (passage for passage in chosen if asker.stopped is None)
    most = workspace.config.models.max_concurrency
    for done, own in enumerate(map_calls(ask, waiting, most), 1):
        made += own
        progress(Step("draft", done, len(chosen), "passages"))
    if asker.stopped and not any(isinstance(one, DraftedQuestion) for one in made):
        raise ModelError("eval-draft-stopped", where="foundry eval draft", reason=asker.stopped)
    return made


def _scatter_chunks(workspace: Workspace, source: Source) -> list[tuple[Source, Chunk]]:
    """A source's chunks, reordered so that any first few come from all over it."""
    chunks = workspace.store.source_chunks(source.id)
    long = [(source, chunk) for chunk in chunks if len(chunk.content) >= _MIN_CHARACTERS]
    # The van der Corput sequence in base 2: the binary digits of a number, read backwards.
    order = sorted(range(len(long)), key=lambda number: int(f"1{number:032b}"[:0:-1], 2))
    return [long[number] for number in order]


def drafting_prompt(
    template: str, text: str, *, title: str, heading: str, language: str, number: int
) -> str:
    """The prompt for questions about a passage; its text, title and heading are marked as data."""
    document = mark_lines(f"Title: {title}\nSection: {heading}\n{text}", "D")
    named = LANGUAGE_NAMES.get(language, "the language of the passage")
    return fill(template, {"document": document, "number": str(number), "language": named})


def _ask(
    workspace: Workspace, asker: BudgetedModel, source: Source, chunk: Chunk, number: int
) -> list[Drafted]:
    count, template = workspace.count_tokens, workspace.templates.questions
    reply_tokens = TOKENS_PER_QUESTION * number + _OVERHEAD_TOKENS
    fixed = count(template) + count(build_schema_instruction(SCHEMA)) + _OVERHEAD_TOKENS
    room = int((asker.room - fixed - reply_tokens) / _MARK_FACTOR)
    if room < _MIN_PASSAGE_TOKENS:
        asker.note(Message("eval-draft-window-too-small"))
        return []
    prompt = drafting_prompt(
        template,
        truncate_to_tokens(chunk.content, room, count),
        title=source.title,
        heading=chunk.heading_path[-1] if chunk.heading_path else "",
        language=chunk.language,
        number=number,
    )
    reply = asker.ask(prompt, max_tokens=reply_tokens, schema=SCHEMA)
    if reply is None or reply.data is None:
        if reply is not None:
            asker.note(Message("eval-draft-reply-not-json"))
        return []
    entries = reply.data.get("questions")
    made = [
        _read_entry(entry, source, chunk)
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, Mapping)
    ]
    right = [one for one in made if isinstance(one, DraftedQuestion)]
    return [*right[:number], *(one for one in made if isinstance(one, SkippedDraft))]


def _read_entry(entry: Mapping[str, Any], source: Source, chunk: Chunk) -> Drafted:
    question, answer, quote = (
        clean_line(unescape(str(entry.get(name) or ""))) for name in ("question", "answer", "quote")
    )
    found = find_quote(chunk.text, quote)
    flaw = _find_flaw(question, answer, quote, found=bool(found))
    if flaw is not None:
        what = question[:_MAX_QUESTION] or Message("eval-draft-a-question")
        return SkippedDraft(source.path, what, flaw)
    start, end = (chunk.start + at for at in found[0])
    block = next((b for b in chunk.blocks if b.start < end and start < b.end), None)
    return DraftedQuestion(
        source, question, answer, ((start, end),), chunk.language, "model",
        block.page if block else None,
        block.heading_path[-1] if block and block.heading_path else None,
    )  # fmt: skip


def _find_flaw(question: str, answer: str, quote: str, *, found: bool) -> Message | None:
    """Why a question is dropped; None if it is kept."""
    if not len(question.split()) >= 3 or len(question) > _MAX_QUESTION:
        return Message("eval-draft-length")
    if _SPEAKS_OF_TEXT.search(question):
        return Message("eval-draft-speaks-of-text")
    if not answer:
        return Message("eval-draft-no-answer")
    if not quote or len(quote) > _MAX_QUOTE:
        return Message("eval-draft-no-quote")
    return None if found else Message("eval-draft-quote-elsewhere", quote=quote[:120])


# From the cells of tables


@dataclass(frozen=True, slots=True)
class _Fact:
    """A cell with its words without markup: what its table, row and column are called."""

    block: Block
    cell: TableCell
    table: str
    row: str
    column: str
    value: str

    @property
    def place(self) -> tuple[str, str, str]:
        return self.table, self.row, self.column

    def can_be_asked(self) -> bool:
        """Whether it has a value, and labels that are names."""
        labels = all(
            any(map(str.isalpha, label)) and 1 < len(label) <= _LONGEST_LABEL
            for label in (self.row, self.column)
        )
        said = any(map(str.isalnum, self.value)) and self.value not in (self.row, self.column)
        return labels and said and bool(self.table) and len(self.value) <= _LONGEST_VALUE


def _draft_source(workspace: Workspace, source: Source) -> Iterator[Drafted]:
    text = workspace.store.source_text(source.id)
    blocks = workspace.store.source_blocks(source.id)
    tables = [list(_list_facts(block, text)) for block in blocks]
    named = Counter(fact.place for facts in tables for fact in facts)
    for facts in tables:
        asked = [fact for fact in facts if named[fact.place] == 1 and fact.can_be_asked()]
        step = max(1, len(asked) // _PER_TABLE)
        for fact in asked[step // 2 :: step][:_PER_TABLE]:
            yield _ask_about(source, fact)


def _list_facts(block: Block, text: str) -> Iterator[_Fact]:
    """The cells of a table that was read without doubt."""
    table = block.table
    if table is None or not table.certain or table.continued or block.recognition:
        return
    title = table.title or (block.heading_path[-1] if block.heading_path else "")
    for cell in table.cells:
        words = title, ", ".join(cell.row), ", ".join(cell.column), text[cell.start : cell.end]
        yield _Fact(block, cell, *words)


def _ask_about(source: Source, fact: _Fact) -> DraftedQuestion:
    language: Language = "nl" if source.language == "nl" else "en"
    names = {"row": fact.row, "column": fact.column, "table": fact.table, "title": source.title}
    question = format_message(Message("eval-draft-table-question", **names), language)
    text, answer = (" ".join(words.split()) for words in (question, fact.value))
    span, path = (fact.cell.start, fact.cell.end), fact.block.heading_path
    return DraftedQuestion(
        source, text, answer, (span,), source.language, "table",
        fact.block.page, path[-1] if path else None,
    )  # fmt: skip


# What all drafts share


def _drop_repeats(made: Sequence[Drafted]) -> list[Drafted]:
    """Each question of a source once, and none that has two answers within its source."""
    questions = [one for one in made if isinstance(one, DraftedQuestion)]
    answers: dict[tuple[str, str], set[str]] = {}
    for one in questions:
        answers.setdefault(one.key, set()).add(one.answer.casefold())
    kept: dict[tuple[str, str], Drafted] = {}
    skipped = [one for one in made if isinstance(one, SkippedDraft)]
    for one in questions:
        if len(answers[one.key]) == 1:
            kept.setdefault(one.key, one)
        else:
            reason = Message("eval-draft-two-answers")
            skipped.append(SkippedDraft(one.source.path, one.text, reason))
    return [*kept.values(), *skipped]


def _disambiguate(questions: Sequence[DraftedQuestion]) -> list[DraftedQuestion]:
    """A question that sources answer alike is one; where they differ, it names one.

    The source's title in brackets needs no grammar of the question's language.
    """
    by_text: dict[str, list[DraftedQuestion]] = {}
    for question in questions:
        by_text.setdefault(question.text.casefold(), []).append(question)
    apart = []
    for group in by_text.values():
        if len({question.answer.casefold() for question in group}) == 1:
            apart.append(replace(group[0], also=tuple(group[1:])))
        else:
            apart += [replace(one, text=f"{one.text} ({one.source.title})") for one in group]
    return apart


def _spread(
    questions: Sequence[DraftedQuestion], sources: Sequence[Source]
) -> list[DraftedQuestion]:
    """Sources in turn, and sections in turn within each."""
    sections: dict[str, dict[str | None, list[DraftedQuestion]]] = {one.path: {} for one in sources}
    for question in questions:
        sections[question.source.path].setdefault(question.section, []).append(question)
    return _take_turns([_take_turns(own.values()) for own in sections.values()])


def _draft_near_misses(
    questions: Sequence[DraftedQuestion], corpus: str, number: int
) -> Iterator[DraftedQuestion]:
    """At most ``number`` questions about things that occur nowhere in ``corpus``, all the text.

    Each is a drafted question with another number in its identifier, such as E06 for E05; every
    identifier is used once before any is used again. No model is asked: none could promise that
    no source has the answer.
    """
    known = corpus.casefold()
    used: set[str] = set()
    made = 0
    for again in (False, True):
        for question in questions:
            match = _IDENTIFIER.search(question.text)
            if made == number or match is None or (match[0] in used) is not again:
                continue
            other = _find_absent(match[0], known)
            if other is None:
                continue
            used.add(match[0])
            made += 1
            # A description in brackets fits only the thing that exists.
            rest = _DESCRIBED.sub("", question.text[match.end() :])
            text = f"{question.text[: match.start()]}{other}{rest}"
            yield DraftedQuestion(question.source, text, "", (), question.language, "near_miss")


def _find_absent(identifier: str, known: str) -> str | None:
    """The identifier with another number that occurs nowhere, with or without what follows it."""
    digits = next(iter(re.finditer(r"\d+", identifier)))
    for step in _STEPS:
        number = str(int(digits[0]) + step).zfill(len(digits[0]))
        stem = f"{identifier[: digits.start()]}{number}"
        other = f"{stem}{identifier[digits.end() :]}"
        if other.casefold() not in known and stem.casefold() not in known:
            return other
    return None


def _save(
    workspace: Workspace, set_name: str, drafted: Iterable[DraftedQuestion]
) -> tuple[tuple[EvalQuestion, ...], tuple[str, ...]]:
    """Store the new questions; stored ones are left alone. Returns the new ones and the keys kept."""
    evaluation = workspace.maintenance().evaluation
    stored = {question.key for question in evaluation.list_questions(set_name)}
    made = (_build_question(item, set_name) for item in drafted)
    questions = {question.key: question for question in made}
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
