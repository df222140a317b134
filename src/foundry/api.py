"""The Python API: a project with one method per journey. See ``docs/python.md``.

Results are frozen records; ``build_json`` gives the documents that ``--json`` prints. Nothing is
printed and nobody is asked: what a command would ask is a parameter here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar, Unpack

from foundry.errors import FoundryError, UsageError
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.journeys.agents import use_agent
from foundry.journeys.delivery import (
    BuildResult,
    DraftFile,
    build,
    choose_targets,
    generate_file,
)
from foundry.journeys.enrichment import Confirm, refuse
from foundry.journeys.extraction import (
    CellDecision,
    TableRequest,
    get_table,
    iterate_rows,
    review_cell,
    run_table,
)
from foundry.journeys.fitness import ModelsReport, describe_models
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.revisions import note_impact
from foundry.journeys.sources import parse_filters
from foundry.journeys.verify import verify, verify_text
from foundry.messages import use_language
from foundry.operations import questions, searches
from foundry.operations.table import Observer, Operation, Scope
from foundry.options import AnswerOptions, SearchOptions
from foundry.ports import Progress
from foundry.records import (
    Answer,
    CellVerdict,
    Confidentiality,
    EarlierTurn,
    EvalRun,
    Event,
    Excerpt,
    ExtractionCell,
    ExtractionRow,
    ExtractionRun,
    IngestReport,
    RowKind,
    SearchMode,
    SearchResult,
    Sentence,
    Turn,
    Verification,
)
from foundry.render.files import Overwrite
from foundry.wire.answers import AnswerJson, SearchJson, TurnJson
from foundry.wire.base import ErrorJson, WireModel
from foundry.wire.documents import BuildJson, DraftJson
from foundry.wire.evaluation import EvalRunJson
from foundry.wire.extraction import ExtractionCellJson, ExtractionRunJson
from foundry.wire.fitness import ModelsJson
from foundry.wire.projects import IngestJson
from foundry.wire.requests import EarlierTurnRequest
from foundry.wire.verification import VerificationJson
from foundry.workspace import Workspace, open_workspace

__all__ = [
    "Event",
    "Excerpt",
    "FoundryError",
    "Project",
    "Sentence",
    "build_json",
    "open_project",
    "use_language",
]

Result = TypeVar("Result")

RESULT_DOCUMENTS: dict[type, type[WireModel]] = {
    SearchResult: SearchJson,
    Answer: AnswerJson,
    Turn: TurnJson,
    Verification: VerificationJson,
    IngestReport: IngestJson,
    DraftFile: DraftJson,
    BuildResult: BuildJson,
    EvalRun: EvalRunJson,
    ExtractionRun: ExtractionRunJson,
    ExtractionCell: ExtractionCellJson,
    ModelsReport: ModelsJson,
}


def open_project(
    path: str | Path = ".",
    *,
    role: Confidentiality | None = None,
    environment: Mapping[str, str] | None = None,
) -> Project:
    """Open the project in this folder or in one above it; close it, or use it in ``with``.

    ``role`` limits what is seen, at most to the configured ``access.role``. ``environment`` has
    provider keys and ``FOUNDRY_…`` settings, by default those of the process. Raises
    ``ProjectNotFound``, ``ConfigError``, ``RuleError`` for a role that is too high, and
    ``StoreError``.
    """
    folder = Path(path).absolute()
    variables = dict(os.environ if environment is None else environment)
    workspace = open_workspace(folder, environment=variables, cwd=folder, role=role)
    workspace.cwd = workspace.root
    return Project(workspace)


def build_json(result: Any) -> dict[str, Any]:
    """A result or a ``FoundryError`` as the JSON document that ``--json`` prints.

    Raises ``TypeError`` for anything else.
    """
    model = ErrorJson if isinstance(result, FoundryError) else RESULT_DOCUMENTS.get(type(result))
    if model is None:
        raise TypeError(f"{type(result).__name__} has no JSON document.")
    return model.from_record(result).model_dump(mode="json")


class Project:
    """An open project. Relative paths count from its folder.

    ``filters`` are written as on the command line: ``["type=pdf", "from=2026-01-31"]``.
    ``mode`` is ``hybrid``, ``dense`` or ``bm25``; None means the configured one. Every method
    raises ``FoundryError``: its code, message, place and fix are for the user.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        """What the journeys take: the way to what has no method here, without a promise."""

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self.workspace.root

    def ingest(
        self,
        *paths: str | Path,
        prune: bool = False,
        tags: Sequence[str] | None = None,
        confidentiality: Confidentiality | None = None,
        confirm: Confirm = refuse,
        progress: Progress = lambda _step: None,
    ) -> IngestReport:
        """Read new and changed files under ``paths``, by default in ``sources/``.

        ``prune`` removes sources whose file is gone. ``confirm`` is asked before language
        models get much text; by default built-in prefixes and summaries are used instead.
        """
        options = IngestOptions(prune, None if tags is None else tuple(tags), confidentiality)
        chosen = [self.root / path for path in paths]
        work = self.workspace
        report = ingest(work, chosen, options=options, progress=progress, confirm=confirm)
        return note_impact(work, report)

    def search(self, query: str, **options: Unpack[SearchOptions]) -> SearchResult:
        """The passages found, and whether the gate would allow an answer."""
        return self._run(searches.search_, query=query, **options)

    def ask(
        self,
        question: str,
        *,
        on_event: Observer | None = None,
        **options: Unpack[AnswerOptions],
    ) -> Answer:
        """An answer from the sources, every sentence cited; or passages to read, or ``no_evidence``.

        ``agent`` names one that answers, such as ``answer``. ``complete`` asks for all of something:
        every passage that may hold an item is read, as for "list all".
        """
        return self._run(questions.ask_, on_event, question=question, **options)

    def chat(
        self,
        typed: str,
        earlier: Sequence[Turn | EarlierTurn] = (),
        *,
        on_event: Observer | None = None,
        **options: Unpack[AnswerOptions],
    ) -> Turn:
        """The answer to a question that may refer to ``earlier`` turns, the oldest first."""
        turns = [turn.as_earlier() if isinstance(turn, Turn) else turn for turn in earlier]
        before = [EarlierTurnRequest.from_record(turn) for turn in turns]
        return self._run(questions.chat_, on_event, typed=typed, earlier=before, **options)

    def _run(
        self, operation: Operation[Result], on_event: Observer | None = None, **given: Any
    ) -> Result:
        """Run an operation; an exception in ``on_event`` stops the model's call."""
        scope, tell = (
            Scope(self.workspace, streams=bool(on_event)),
            on_event or (lambda _event: None),
        )
        return operation.perform(scope, asked=operation.fill(**given), on_event=tell)

    def verify(
        self,
        path: str | Path | None = None,
        *,
        text: str | None = None,
        filters: Sequence[str] = (),
        mode: SearchMode | None = None,
        judge: str = "configured",
        progress: Progress = lambda _step: None,
    ) -> Verification:
        """Check a file, or a ``text`` in Markdown, against the sources, statement by statement.

        ``judge`` is ``configured``, ``none``, or the name of the model that decides what the rules
        leave open.
        """
        scope = parse_filters(self.workspace, filters)
        if path is not None and text is None:
            check = partial(verify, self.workspace, self.root / path, name=str(path))
        elif text is not None and path is None:
            check = partial(verify_text, self.workspace, text.encode())
        else:
            raise UsageError("api-verify-what", where="verify")
        return check(filters=scope, mode=mode, judge=judge, progress=progress)

    def generate(
        self,
        topic: str,
        output: str | Path,
        *,
        feature: str | None = None,
        agent: str | None = None,
        filters: Sequence[str] = (),
        mode: SearchMode | None = None,
        fresh: bool = False,
        overwrite: Overwrite = False,
        progress: Progress = lambda _step: None,
    ) -> DraftFile:
        """Write a cited document from an approved specification to a Markdown file.

        ``feature`` names the specification, if there are several; ``agent`` one that writes
        documents, such as ``blueprint``, and then needs no specification. ``overwrite`` may be a
        function that is asked if the file exists; an edited draft is copied before.
        """
        return generate_file(
            use_agent(self.workspace, agent, "document", topic),
            topic,
            Path(output),
            feature=feature,
            filters=parse_filters(self.workspace, filters),
            mode=mode,
            fresh=fresh,
            overwrite=overwrite,
            progress=progress,
        )

    def build(
        self,
        output: str | Path | None = None,
        *,
        formats: Sequence[str] = (),
        title: str | None = None,
        language: str | None = None,
        allow_stale: bool = False,
        overwrite: Overwrite = False,
        progress: Progress = lambda _step: None,
    ) -> BuildResult:
        """Build the client document from all accepted drafts, in one or more ``formats``.

        By default every format is written, under the project's name in ``output.dir``.
        """
        targets = choose_targets(self.workspace, Path(output) if output else None, formats)
        return build(
            self.workspace,
            targets,
            title=title,
            language=language,
            allow_stale=allow_stale,
            overwrite=overwrite,
            progress=progress,
        )

    def evaluate(
        self,
        *,
        sets: Sequence[str] = (),
        tags: Sequence[str] = (),
        name: str | None = None,
        retrieval_only: bool = False,
        overrides: Mapping[str, object] | None = None,
        limit: int | None = None,
        jobs: int = 1,
        confirm: Confirm = refuse,
        progress: Progress = lambda _step: None,
    ) -> EvalRun:
        """Ask the project's questions and measure the answers; ``figures`` has the measures.

        ``overrides`` sets configuration keys for this run: ``{"retrieval.top_k": 20}``. An
        interrupted run with the same configuration resumes.
        """
        request = RunRequest(
            sets=tuple(sets),
            tags=tuple(tags),
            name=name,
            kind="retrieval" if retrieval_only else "ask",
            overrides=tuple(f"{key}={value}" for key, value in (overrides or {}).items()),
            limit=limit,
            jobs=jobs,
        )
        return run_questions(self.workspace, request, progress=progress, confirm=confirm)[0]

    def table(
        self,
        name: str,
        questions: Sequence[str] = (),
        *,
        filters: Sequence[str] | None = None,
        mode: SearchMode | None = None,
        jobs: int = 1,
        fresh: bool = False,
        confirmed: bool = False,
        by: RowKind | None = None,
        progress: Progress = lambda _step: None,
    ) -> ExtractionRun:
        """Put the questions to every source, or ``by="section"`` to every section, and keep the answers in the table of that name.

        What is known is not asked again, unless it is to be ``fresh``. More than 1,000 cells are only
        asked if that is ``confirmed``. An interrupted run goes on with the same call.
        """
        chosen = None if filters is None else tuple(filters)
        wanted = TableRequest(name, tuple(questions), chosen, mode, jobs, fresh, confirmed, by)
        return run_table(self.workspace, wanted, progress=progress)

    def table_rows(self, name: str) -> Iterator[ExtractionRow]:
        """The rows of a kept table, read as they are needed."""
        return iterate_rows(self.workspace, get_table(self.workspace, name))

    def review_cell(
        self,
        name: str,
        source: str,
        question: str | int,
        verdict: CellVerdict,
        *,
        by: str,
        value: str = "",
        again: bool = False,
    ) -> ExtractionCell:
        """Decide on a cell by name: ``approved``, ``corrected`` to a ``value``, or ``rejected``.

        ``question`` may be its number from 1. ``again`` decides where somebody has decided.
        """
        column = str(question)
        decision = CellDecision(source, column, verdict, by, value, again=again)
        return review_cell(self.workspace, name, decision)

    def models(self, *, check: bool = False) -> ModelsReport:
        """The model of each step; ``check`` tries those that write and judge, for about a minute."""
        return describe_models(self.workspace, check=check)

    def close(self) -> None:
        """Close the database; safe to call twice."""
        self.workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
