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
from typing import Any

from foundry.craft.prefixes import truncate_to_tokens
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.errors import ConfigError, ModelError, UsageError
from foundry.evaluation.questions.places import KnownSources, find_quote
from foundry.evaluation.questions.rows import id_of_text, require_set
from foundry.journeys.enrichment.budgeted_model import BudgetedModel
from foundry.messages import Language, Message, format_message
from foundry.models import build_schema_instruction, map_calls
from foundry.ports import Progress, Step
from foundry.prompts import fill
from foundry.prompts.schemas import TEXT, build_list, build_object
from foundry.records import Block, Chunk, EvalQuestion, Expectation, Source, TableCell, Usage
from foundry.text.markdown import strip_marks
from foundry.text.spotlight import clean_line, mark_lines, unescape
from foundry.workspace import Workspace

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


@dataclass(frozen=True, slots=True)
class SkippedDraft:
    """Something that gave no question: in which source, what, and why."""

    source: str
    what: Message | str
    reason: Message


@dataclass(frozen=True, slots=True)
class DraftPassage:
    """A chunk to ask about, and how many questions to request."""

    source: Source
    chunk: Chunk
    number: int


def draft_by_model(
    workspace: Workspace, asker: BudgetedModel, passages: Sequence[DraftPassage], progress: Progress
) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
    """The questions of all passages in order, and the replies that were dropped."""
    questions: list[DraftedQuestion] = []
    skipped: list[SkippedDraft] = []
    most = workspace.config.models.max_concurrency

    def ask(passage: DraftPassage) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
        return _ask(workspace, asker, passage)

    waiting = (passage for passage in passages if asker.stopped is None)
    for done, (asked, dropped) in enumerate(map_calls(ask, waiting, most), 1):
        questions += asked
        skipped += dropped
        progress(Step("draft", done, len(passages), "passages"))
    return questions, skipped


def drafting_prompt(
    template: str, text: str, *, title: str, heading: str, language: str, number: int
) -> str:
    """The prompt for questions about a passage; its text, title and heading are marked as data."""
    document = mark_lines(f"Title: {title}\nSection: {heading}\n{text}", "D")
    named = LANGUAGE_NAMES.get(language, "the language of the passage")
    return fill(template, {"document": document, "number": str(number), "language": named})


def _ask(
    workspace: Workspace, asker: BudgetedModel, passage: DraftPassage
) -> tuple[list[DraftedQuestion], list[SkippedDraft]]:
    count, chunk = workspace.count_tokens, passage.chunk
    template = workspace.templates.questions
    reply_tokens = TOKENS_PER_QUESTION * passage.number + _OVERHEAD_TOKENS
    fixed = (
        count(template) + count(build_schema_instruction(SCHEMA)) + reply_tokens + _OVERHEAD_TOKENS
    )
    room = int((asker.room - fixed) / _MARK_FACTOR)
    if room < _MIN_PASSAGE_TOKENS:
        asker.note(Message("eval-draft-window-too-small"))
        return [], []
    prompt = drafting_prompt(
        template,
        truncate_to_tokens(chunk.content, room, count),
        title=passage.source.title,
        heading=chunk.heading_path[-1] if chunk.heading_path else "",
        language=chunk.language,
        number=passage.number,
    )
    reply = asker.ask(prompt, max_tokens=reply_tokens, schema=SCHEMA)
    if reply is None:
        return [], []
    if reply.data is None:
        asker.note(Message("eval-draft-reply-not-json"))
        return [], []
    items = list(_read_reply(reply.data, passage))
    questions = [item for item in items if isinstance(item, DraftedQuestion)]
    skipped = [item for item in items if isinstance(item, SkippedDraft)]
    return questions[: passage.number], skipped


def _read_reply(
    data: Mapping[str, Any], passage: DraftPassage
) -> Iterator[DraftedQuestion | SkippedDraft]:
    entries = data.get("questions")
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, Mapping):
            continue
        question, answer, quote = (
            clean_line(unescape(str(entry.get(name) or "")))
            for name in ("question", "answer", "quote")
        )
        spans = _find_spans(quote, passage.chunk)
        reason = _find_flaw(question, answer, quote, spans)
        if reason is not None or spans is None:
            reason = reason or Message("eval-draft-no-quote")
            yield SkippedDraft(
                passage.source.path,
                question[:_MAX_QUESTION] or Message("eval-draft-a-question"),
                reason,
            )
            continue
        block = _find_block(passage.chunk, spans[0])
        section = block.heading_path[-1] if block and block.heading_path else None
        yield DraftedQuestion(
            passage.source, question, answer, spans, passage.chunk.language, "model",
            block.page if block else None, section,
        )  # fmt: skip


def _find_flaw(
    question: str, answer: str, quote: str, spans: tuple[Span, ...] | None
) -> Message | None:
    """Why a question is dropped; None if it is kept."""
    if not len(question.split()) >= 3 or len(question) > _MAX_QUESTION:
        return Message("eval-draft-length")
    if _SPEAKS_OF_TEXT.search(question):
        return Message("eval-draft-speaks-of-text")
    if not answer:
        return Message("eval-draft-no-answer")
    if not quote or len(quote) > _MAX_QUOTE:
        return Message("eval-draft-no-quote")
    if spans is None:
        return Message("eval-draft-quote-elsewhere", quote=quote[:120])
    return None


def _find_spans(quote: str, chunk: Chunk) -> tuple[Span, ...] | None:
    """Where the quote first occurs in the source; None if it does not."""
    matches = find_quote(chunk.text, quote)
    if not matches:
        return None
    start, end = matches[0]
    return ((chunk.start + start, chunk.start + end),)


def _find_block(chunk: Chunk, span: Span) -> Block | None:
    return next((b for b in chunk.blocks if b.start < span[1] and span[0] < b.end), None)


BUILTIN_DRAFTER = "builtin/table-cells"
_LONGEST_LABEL, _LONGEST_VALUE = 80, 120
"""Characters of a label and of a value; longer ones are sentences, and no fact to ask about."""
_PER_TABLE = 3
"""Cells asked about in one table, so that drafts are spread over tables."""


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


def _draft_source(workspace: Workspace, source: Source) -> Iterator[DraftedQuestion]:
    text = workspace.store.source_text(source.id)
    blocks = workspace.store.source_blocks(source.id)
    tables = [list(_list_facts(block, source, text)) for block in blocks]
    named = Counter(fact.place for facts in tables for fact in facts)
    for facts in tables:
        asked = [fact for fact in facts if named[fact.place] == 1 and fact.can_be_asked()]
        step = max(1, len(asked) // _PER_TABLE)
        for fact in asked[step // 2 :: step][:_PER_TABLE]:
            yield _ask_about(source, fact)


def _list_facts(block: Block, source: Source, text: str) -> Iterator[_Fact]:
    """The cells of a table that was read without doubt."""
    table = block.table
    if table is None or not table.certain or table.continued or block.recognition:
        return
    title = table.title or (block.heading_path[-1] if block.heading_path else "")
    for cell in table.cells:
        words = title, ", ".join(cell.row), ", ".join(cell.column), text[cell.start : cell.end]
        yield _Fact(block, cell, *(strip_marks(part, source.type) for part in words))


def _ask_about(source: Source, fact: _Fact) -> DraftedQuestion:
    language: Language = "nl" if source.language == "nl" else "en"
    names = {"row": fact.row, "column": fact.column, "table": fact.table, "title": source.title}
    question = format_message(Message("eval-draft-table-question", **names), language)
    return DraftedQuestion(
        source,
        " ".join(question.split()),
        " ".join(fact.value.split()),
        ((fact.cell.start, fact.cell.end),),
        source.language,
        "table",
        fact.block.page,
        fact.block.heading_path[-1] if fact.block.heading_path else None,
    )


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

_IDENTIFIER = re.compile(
    r"(?<![\w.-])(?=[\w.-]*[A-Za-z])[A-Z][A-Za-z]*[-.]?\d{1,4}(?:[-.][A-Z\d]+)?(?![\w-])"
)
_DESCRIBED = re.compile(r"^\s*\([^)]*\)")
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 300, 500)


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
    ``sources`` limits drafting to these paths, file names or titles. Raises ``ConfigError`` without
    a language model where no table can be asked about, ``UsageError`` for an unknown source and for a project without sources,
    ``ModelError`` if the model wrote nothing at all.
    """
    require_set(set_name)
    places = KnownSources(workspace)
    chosen = _choose_sources(places, sources)
    asker = BudgetedModel(workspace.generator) if workspace.generator else None
    skipped: list[SkippedDraft] = []
    if asker:
        drafted, skipped = _draft_by_model(workspace, asker, chosen, number, progress)
    else:
        by_source = [list(_draft_source(workspace, source)) for source in chosen]
        drafted = [one for group in zip_longest(*by_source) for one in group if one is not None]
        if not drafted:
            raise ConfigError("eval-draft-needs-model", where="foundry eval draft")
    spread = _spread(_disambiguate(_drop_repeats(drafted, skipped)), chosen)
    answerable = spread[:number]
    most = number // NEAR_MISS_SHARE if unanswerable is None else unanswerable
    corpus = "\n".join(places.text(source) for source in places.sources) if most else ""
    near_misses = list(_draft_near_misses(spread, corpus, most))
    new, kept = _save(workspace, set_name, [*answerable, *near_misses])
    return DraftReport(
        set=set_name,
        model=workspace.config.generator() if asker else BUILTIN_DRAFTER,
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
    """A question that sources answer alike is one; where they differ, it names one.

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
            titled = len(group) > 1
            text = f"{question.text} ({question.source.title})" if titled else question.text
            apart.append(replace(question, text=text))
    return apart


def _spread(
    questions: Sequence[DraftedQuestion], sources: Sequence[Source]
) -> list[DraftedQuestion]:
    """Sources in turn, and sections in turn within each."""
    queues = [
        _alternate_sections([one for one in questions if one.source.path == source.path])
        for source in sources
    ]
    return [one for group in zip_longest(*queues) for one in group if one is not None]


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
    asker: BudgetedModel | None,
    answerable: tuple[int, int],
    unanswerable: tuple[int, int | None],
) -> Iterator[Message]:
    if asker is None:
        yield Message("eval-draft-tables-only")
    else:
        yield from (Message("eval-draft-model", reason=reason) for reason in asker.reasons)
    made, wanted = answerable
    if made < wanted:
        yield Message("eval-draft-fewer", made=made, wanted=wanted)
    near_misses, requested = unanswerable
    if requested is not None and near_misses < requested:
        yield Message("eval-draft-fewer-unanswerable", made=near_misses, wanted=requested)
