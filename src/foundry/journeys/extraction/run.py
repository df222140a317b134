"""Running a table: known answers stay, the others are asked, and each answer is saved at once.

A run that was stopped, by a person or a spending limit, resumes with the unfinished cells.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import groupby

from foundry.clock import get_now
from foundry.errors import (
    ChangedMeanwhile,
    Interrupted,
    ModelError,
    RuleError,
    UsageError,
)
from foundry.ids import hash_text
from foundry.journeys.extraction.cells import (
    ask_cell,
    compute_cell_key,
    compute_row_key,
    compute_settings_key,
)
from foundry.journeys.extraction.rows import AskedRow, list_table_rows
from foundry.journeys.question import require_query
from foundry.journeys.search import require_index
from foundry.journeys.sources import parse_filters
from foundry.messages import Message
from foundry.models import estimate_cost
from foundry.options import SearchMode
from foundry.ports import Progress, Step
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    CellAnswer,
    Confidentiality,
    Estimate,
    ExtractionCell,
    ExtractionRun,
    ExtractionTable,
    RowKind,
    Source,
    make_column,
)
from foundry.workspace import Workspace

MOST_QUESTIONS = 100
"""Columns of a table: as many as a person can review for one source (a guess)."""

MOST_UNCONFIRMED = 1_000
"""Cells that are asked without confirmation: about a minute and a half without a model."""

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What to ask of which sources; ``filters`` are written as ``type=pdf``.

    Without ``questions`` those of the kept table are asked again. ``jobs`` are asked at a time;
    ``fresh`` asks what is known again too; ``confirmed`` that many cells are meant.
    """

    name: str
    questions: tuple[str, ...] = ()
    filters: tuple[str, ...] | None = None
    mode: SearchMode | None = None
    jobs: int = 1
    fresh: bool = False
    confirmed: bool = False
    by: RowKind | None = None


@dataclass(slots=True)
class _Tally:
    """What a run has done so far."""

    asked: int = 0
    reused: int = 0
    changed: int = 0
    gone: int = 0
    states: Counter[str] = field(default_factory=Counter)

    @property
    def done(self) -> int:
        """Cells that need no more work."""
        return self.asked + self.reused + self.gone


@dataclass(frozen=True, slots=True)
class _Task:
    """A cell to ask, or one that is ``known`` and needs no asking."""

    row: AskedRow
    question: str
    key: str
    known: ExtractionCell | None


def run_table(
    workspace: Workspace, wanted: TableRequest, *, progress: Progress = lambda _step: None
) -> ExtractionRun:
    """Ask every source every question whose answer is not known; return what was done.

    Raises ``UsageError`` for a bad name, question or filter and where no source matches,
    ``RuleError`` for many cells that are not confirmed, ``ChangedMeanwhile`` if the table is running,
    and what ``ask`` raises for every question alike. What was answered until then is kept, also after
    ``Interrupted``, and the same call goes on from there.
    """
    started = time.perf_counter()
    name = check_name(wanted.name)
    with lock_table(workspace, name):
        known = workspace.store.extraction.find(name)
        if known is None and not wanted.questions:
            raise UsageError("table-no-questions", where=name, name=name)
        table, notices = _describe_table(workspace, wanted, name, known)
        sources = find_sources(workspace, table)
        rows = list(list_table_rows(workspace, sources, table.by))
        table = replace(table, rows=len(rows), confidentiality=_find_strictest(sources))
        _require_size(workspace, table, confirmed=wanted.confirmed)
        notices += require_index(workspace, table.mode or workspace.config.retrieval.mode)
        workspace.store.extraction.save(table)
        runner = _Runner(workspace, table, wanted, progress)
        runner.ask_all(rows)
        table = replace(table, finished=get_now())
        workspace.store.extraction.save(table)
    tally = runner.tally
    return ExtractionRun(
        table=table,
        asked=tally.asked,
        reused=tally.reused,
        changed=tally.changed,
        states=dict(tally.states),
        failed=tally.states["failed"],
        gone=tally.gone,
        seconds=time.perf_counter() - started,
        notices=notices,
    )


def check_name(name: str) -> str:
    """The name as it is stored. Raises ``UsageError`` for an invalid one."""
    kept = " ".join(name.split())
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable() or "/" in kept:
        raise UsageError("table-name-invalid", where="--name", limit=LONGEST_NAME)
    return kept


def lock_table(workspace: Workspace, name: str) -> AbstractContextManager[None]:
    """Hold a table while it runs. Raises ``ChangedMeanwhile`` where another process runs it."""

    def refuse(_holder: Message) -> None:
        raise ChangedMeanwhile("table-running", where=name, name=name)

    # By role: a lock must not show that a higher role runs something of that name.
    lock = f"table-{workspace.principal.role}-{hash_text(name)[:16]}"
    return workspace.store.lock(lock, refuse)


def check_questions(texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """The questions without duplicates, with a notice that names them.

    Raises ``UsageError`` for an empty or overlong one and for too many.
    """
    questions: dict[str, str] = {}
    twice: list[str] = []
    for text in texts:
        question = require_query(text)
        if questions.setdefault(question.casefold(), question) is not question:
            twice.append(question)
    if len(questions) > MOST_QUESTIONS:
        n, most = len(questions), MOST_QUESTIONS
        raise UsageError("table-many-questions", where="questions", n=n, most=most)
    notices = (Message("table-question-twice", questions=twice),) if twice else ()
    return tuple(questions.values()), notices


def find_sources(workspace: Workspace, table: ExtractionTable) -> list[Source]:
    """The sources that the table's filters choose, by path. Raises ``UsageError`` if none does."""
    chosen = workspace.store.select_sources(parse_filters(workspace, table.filters))
    if not chosen:
        raise UsageError("table-no-sources", where="--filter")
    return chosen


def _describe_table(
    workspace: Workspace, wanted: TableRequest, name: str, known: ExtractionTable | None
) -> tuple[ExtractionTable, tuple[Message, ...]]:
    questions, notices = check_questions(wanted.questions)
    now = get_now()
    if known is None:
        role = workspace.principal.role
        made = ExtractionTable(
            name,
            questions,
            wanted.filters or (),
            wanted.mode,
            role,
            now,
            now,
            role=role,
            by=wanted.by or "source",
        )
        return made, notices
    if wanted.by and wanted.by != known.by:
        raise UsageError("table-other-rows", where="--by", name=name, by=known.by)
    again = replace(
        known,
        questions=questions or known.questions,
        filters=known.filters if wanted.filters is None else wanted.filters,
        mode=wanted.mode or known.mode,
        started=now,
        finished=None,
        runs=known.runs + 1,
    )
    return again, notices


def _find_strictest(sources: Sequence[Source]) -> Confidentiality:
    order = CONFIDENTIALITY_LEVELS.index
    return max((source.confidentiality for source in sources), key=order)


def _require_size(workspace: Workspace, table: ExtractionTable, *, confirmed: bool) -> None:
    cells = table.rows * len(table.questions)
    if confirmed or cells <= MOST_UNCONFIRMED:
        return
    raise RuleError(
        "table-large",
        where=table.name,
        cells=cells,
        rows=table.rows,
        by=table.by,
        questions=len(table.questions),
        most=describe_most(estimate_most(workspace, cells)),
    )


def describe_most(most: Estimate) -> Message | None:
    """What the estimate says; None where no model is called."""
    if not most.calls:
        return None
    known = most.cost is not None
    cost = Message("table-most-cost", cost=most.cost) if known else Message("table-most-unknown")
    return Message("table-most", tokens=most.tokens, cost=cost)


def estimate_most(workspace: Workspace, cells: int) -> Estimate:
    """The most tokens and money that so many cells can take; nothing without a model."""
    generator = workspace.generator
    if generator is None:
        return Estimate()
    settings = workspace.config.generation
    prompts, replies = cells * settings.token_budget, cells * settings.max_tokens
    cost = estimate_cost(generator.model, prompts, replies, workspace.settings)
    return Estimate(cells, prompts, replies, cost, (generator.model,))


class _Runner:
    """Asks the cells of one run and keeps what they answer."""

    def __init__(
        self,
        workspace: Workspace,
        table: ExtractionTable,
        wanted: TableRequest,
        progress: Progress,
    ) -> None:
        self._workspace = workspace
        self._table = table
        self._wanted = wanted
        self._progress = progress
        self._total = table.rows * len(table.questions)
        self.tally = _Tally()

    def ask_all(self, rows: Sequence[AskedRow]) -> None:
        """Ask what is not known; an error names how many cells are kept."""
        self._progress(Step("ask", 0, self._total, "questions"))
        try:
            for task, answer in self._answer(self._list_tasks(rows)):
                self._keep(task, answer)
        except KeyboardInterrupt:
            raise Interrupted(
                "table-interrupted",
                where=self._table.name,
                name=self._table.name,
                kept=self.tally.done,
                of=self._total,
            ) from None
        except ModelError as error:
            kept = Message("table-kept", kept=self.tally.done, of=self._total)
            error.advice = (*error.advice, kept)
            raise

    def _list_tasks(self, rows: Sequence[AskedRow]) -> Iterator[_Task]:
        """The cells, source by source: their answers are compared with a source as it is then."""
        store = self._workspace.store
        settings = compute_settings_key(self._workspace, self._table.mode)
        for source_id, family in groupby(rows, key=lambda row: row.source.id):
            own, source = list(family), store.find_source(source_id)
            if source is None:
                self.tally.gone += len(own) * len(self._table.questions)
                continue
            read = compute_row_key(self._workspace, source, settings)
            cells = store.extraction.list_cells(self._table, [row.key for row in own])
            for row in own:
                now = replace(row, source=source)
                for question in self._table.questions:
                    known = cells.get((row.key, make_column(question)))
                    key = compute_cell_key(question, read, row.section)
                    yield _Task(now, question, key, known)

    def _answer(self, tasks: Iterator[_Task]) -> Iterator[tuple[_Task, CellAnswer]]:
        def answer(task: _Task) -> tuple[_Task, CellAnswer]:
            known = task.known
            reusable = known and known.answer.key == task.key and known.answer.state != "failed"
            if known and reusable and not self._wanted.fresh:
                return task, known.answer
            mode = self._table.mode
            return task, ask_cell(self._workspace, task.row, task.question, mode, task.key)

        if self._wanted.jobs == 1:
            return map(answer, tasks)
        # Imported here: one cell at a time needs no threads.
        from foundry.models import map_calls

        return map_calls(answer, tasks, self._wanted.jobs)

    def _keep(self, task: _Task, answer: CellAnswer) -> None:
        """Save an answer, unless its source was removed or replaced while it was made."""
        known, tally, source = task.known, self.tally, task.row.source
        if known and answer is known.answer:
            tally.reused += 1
            if known.confidentiality != source.confidentiality:
                self._save(task, answer)
        elif not self._is_current(source):
            tally.gone += 1
            return
        else:
            tally.asked += 1
            tally.changed += known is not None and not known.answer.says_same(answer)
            self._save(task, answer)
        tally.states[answer.state] += 1
        self._progress(Step("ask", tally.done, self._total, "questions", source.path))

    def _save(self, task: _Task, answer: CellAnswer) -> None:
        store = self._workspace.store.extraction
        store.save_answer(self._table, task.row.source, task.question, answer, task.row.section)

    def _is_current(self, source: Source) -> bool:
        now = self._workspace.store.find_source(source.id)
        return now is not None and now.content_hash == source.content_hash
