"""Measure search on a data set: a run for each search mode, under one or several configurations.

The runs are those of ``evaluation.runs`` in the set's cached project, kept there until the next
call, so an interrupted measurement resumes. Queries without a judgement and without a label are
counted but not searched. A query that fails is counted and stops nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import yaml

from foundry.analysis.languages import UNKNOWN
from foundry.clock import get_now
from foundry.config import (
    CONFIG_NAME,
    ENVIRONMENT_PREFIX,
    Config,
    get_cache_folder,
    override_config,
    parse_config,
)
from foundry.errors import ConfigError, ReadError, UsageError
from foundry.evaluation.comparison import MeasureChange, compare_results
from foundry.evaluation.dataset.beir import CorpusDocument, Dataset, read_dataset
from foundry.evaluation.metrics.outcomes import judge_by_source
from foundry.evaluation.metrics.statistics import Interval, intervals_of, summarise
from foundry.evaluation.questions.rows import QuestionRow, RefusedLine, find_language, first_few
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import flatten
from foundry.evaluation.runs.run import LONGEST_NAME, spread
from foundry.evaluation.runs.side_index import select_index_settings
from foundry.ids import hash_bytes
from foundry.journeys.enrichment import enrich
from foundry.journeys.enrichment.cache import has_recipe
from foundry.journeys.file_chunks import cut_document
from foundry.journeys.index import (
    IngestedFile,
    IngestOptions,
    build_cut_request,
    compute_ingest_recipe,
    embed_pending,
    finish_run,
    hold_project,
    open_index,
    save_cut,
)
from foundry.messages import Message
from foundry.ports import Progress, ReadOptions, Step
from foundry.readers.text_files import parse_text
from foundry.records import EvalQuestion, EvalResult, EvalRun, Expectation, SearchMode
from foundry.workspace import Workspace, open_workspace, reconfigure

_BASE = {"retrieval.top_k_bm25": "100", "retrieval.top_k_dense": "100"}
"""Candidates of each retriever: recall@100 is measured."""

_REFUSED = ("project", "storage")
_UNUSED = (
    "output", "access", "log", "validation", "web", "agents", "ingest.include", "ingest.exclude",
    "retrieval.mode", "retrieval.top_k", "retrieval.hyde", "retrieval.hyde_model",
    "retrieval.scorer_model", "retrieval.relevance_threshold",
    "retrieval.max_context_chunks",
)  # fmt: skip
_OF_GENERATION = "generation.budget_tokenizer"
"""The one key of ``generation`` that search depends on: chunks are cut by it."""


@dataclass(frozen=True, slots=True)
class NamedConfig:
    """A configuration by name. ``changes`` has its dotted keys: ``retrieval.rrf_k`` → 10."""

    name: str = "default"
    changes: Mapping[str, Any] = field(default_factory=dict)

    def overrides(self, mode: SearchMode | None = None) -> dict[str, str]:
        """The overrides of a run under this configuration, as ``-o KEY=VALUE`` writes them."""
        used = {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in self.changes.items()
            if not _is_unused(key)
        }
        return {**_BASE, **used, **({"retrieval.mode": mode} if mode else {})}

    def index_key(self) -> str:
        """The settings that decide chunks and vectors, as JSON; empty where they are the defaults."""
        default = Config.model_validate({})
        own = select_index_settings(override_config(default, self.overrides()))
        return "" if own == select_index_settings(default) else json.dumps(own, sort_keys=True)

    def notices(self) -> tuple[Message, ...]:
        """Which of its keys change nothing here."""
        unused = [key for key in self.changes if _is_unused(key)]
        if not unused:
            return ()
        return (Message("eval-keys-unused", name=self.name, keys=unused),)


DEFAULT = NamedConfig()
"""The defaults alone."""


def read_config_file(path: Path) -> NamedConfig:
    """Read a configuration; raises ``ConfigError`` or ``UsageError`` with the file's path."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            "eval-config-unreadable",
            where=str(path),
            reason=str(getattr(error, "strerror", None) or error),
        ) from error
    parse_config(text, str(path))
    values = {key: value for key, value in (yaml.safe_load(text) or {}).items() if value}
    for key in _REFUSED:
        if key in values:
            raise ConfigError("eval-config-own-project", where=str(path), key=key)
    return NamedConfig(path.name, flatten(values))


def _is_unused(key: str) -> bool:
    if key.startswith("generation."):
        return key != _OF_GENERATION
    return any(key == part or key.startswith(f"{part}.") for part in _UNUSED)


Titles = Literal["index", "ignore"]

_GENERATION = f"{ENVIRONMENT_PREFIX}GENERATION__"


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """How documents are indexed: each as one chunk or in several, with its title or without."""

    keep_documents: bool = False
    title: Titles = "index"


@dataclass(frozen=True, slots=True)
class FillReport:
    """What filling the project did: ``reused`` documents were there before.

    Documents in ``altered`` are not stored with the set's own text, so no span counts in them.
    """

    reused: int
    altered: frozenset[str] = frozenset()
    notices: tuple[Message | str, ...] = ()


def open_project(
    dataset: Dataset, form: DocumentForm, config: NamedConfig, environment: Mapping[str, str]
) -> Workspace:
    """Open the project of a set, in the user's cache folder, under a configuration."""
    key = _project_key(dataset, form, config)
    root = get_cache_folder(environment) / "datasets" / f"{dataset.name}-{key}"
    root.mkdir(parents=True, exist_ok=True)
    name = dataset.name.replace("\\", "\\\\").replace('"', '\\"')
    (root / CONFIG_NAME).write_text(f'project: {{name: "{name}", id: dataset}}\n', encoding="utf-8")
    # No language model is called, so none of the user's is looked for or refused.
    own = {
        key: value
        for key, value in environment.items()
        if not key.startswith(_GENERATION) or key == f"{_GENERATION}BUDGET_TOKENIZER"
    }
    workspace = open_workspace(root, environment=own, cwd=root)
    try:
        return reconfigure(workspace, override_config(workspace.config, config.overrides()))
    except BaseException:
        workspace.close()
        raise


def fill_project(
    workspace: Workspace, dataset: Dataset, form: DocumentForm, progress: Progress
) -> FillReport:
    """Save and embed the documents that the project lacks."""
    with hold_project(workspace, {"command": "eval dataset"}, progress) as run:
        open_index(workspace)
        reused, empty = _save_missing(workspace, dataset, form, progress)
        annotated = enrich(workspace, progress=progress)
        embed_pending(workspace, progress)
        finish_run(workspace, run, {}, progress)
    altered = _find_altered(workspace, dataset) if dataset.has_spans else frozenset()
    notices = list(annotated.notices if annotated else ())
    if empty:
        notices.append(Message("eval-set-empty-documents", names=first_few(empty)))
    if altered:
        names = first_few(sorted(altered))
        notices.append(Message("eval-set-altered", names=names))
    return FillReport(reused, altered, tuple(notices))


def save_questions(
    workspace: Workspace, dataset: Dataset, queries: Sequence[QuestionRow], altered: frozenset[str]
) -> list[EvalQuestion]:
    """Store the queries as the project's questions, in place of earlier ones; return them."""
    paths = source_paths(dataset)
    questions = [
        EvalQuestion(
            id=query.id or "",
            set=dataset.name,
            text=query.text,
            answerable=query.answerable,
            language=find_language(query.language or "") or UNKNOWN,
            expected=_expect_spans(query, paths, altered)
            or expect_documents(dataset, query.id or "", paths),
            answers=query.answers,
            origin="imported",
        )
        for query in queries
    ]
    store = workspace.maintenance().evaluation
    store.remove_questions([question.key for question in store.list_questions()])
    store.save_questions(questions)
    return questions


def expect_documents(
    dataset: Dataset, query: str, paths: Mapping[str, str]
) -> tuple[Expectation, ...]:
    """The judged documents of a query as whole sources."""
    judged = dataset.qrels.get(query, {})
    return tuple(Expectation(paths[document], relevance=judged[document]) for document in judged)


def source_paths(dataset: Dataset) -> dict[str, str]:
    """Document id → path of its source in the project."""
    return {document.id: _path(n, document) for n, document in enumerate(dataset.documents, 1)}


def _path(number: int, document: CorpusDocument) -> str:
    return f"corpus/{number:07d}.{document.parsed.type if document.parsed else 'txt'}"


def _expect_spans(
    query: QuestionRow, paths: Mapping[str, str], altered: frozenset[str]
) -> tuple[Expectation, ...]:
    places = (one for one in query.places if one.spans and one.source not in altered)
    return tuple(Expectation(paths[one.source], one.spans) for one in places)


def _save_missing(
    workspace: Workspace, dataset: Dataset, form: DocumentForm, progress: Progress
) -> tuple[int, list[str]]:
    """Return how many documents were there already, and which have no text."""
    recipe = compute_ingest_recipe(workspace)
    known = {source.path: source for source in workspace.store.list_sources()}
    reused, empty = 0, []
    for number, document in enumerate(dataset.documents, start=1):
        path = _path(number, document)
        source = known.get(path)
        if source is not None and has_recipe(source, recipe):
            reused += 1
        elif not _save(workspace, path, document, form):
            empty.append(document.id)
        progress(Step("read", number, len(dataset.documents), "documents"))
    return reused, empty


def _save(workspace: Workspace, path: str, document: CorpusDocument, form: DocumentForm) -> bool:
    """Save a document as a source; False where it has no text."""
    data = document.text.encode("utf-8")
    file = IngestedFile(path, hash_bytes(data), len(data), get_now())
    try:
        parsed = document.parsed or parse_text(document.text, path)
        parsed = replace(parsed, title=document.title if form.title == "index" else "", names=())
        request = build_cut_request(workspace, ReadOptions(path))
        if form.keep_documents:
            request = replace(request, bounds=(10**9, 10**9), overlap=(0, 0))
        save_cut(workspace, file, cut_document(parsed, request), None, IngestOptions())
    except ReadError:
        return False
    return True


def _project_key(dataset: Dataset, form: DocumentForm, config: NamedConfig) -> str:
    digest = hashlib.sha256(f"{form.keep_documents} {form.title}".encode())
    for document in dataset.documents:
        digest.update(repr((document.id, document.title, document.text)).encode())
        if document.parsed is not None:
            digest.update(document.parsed.type.encode())
    digest.update(config.index_key().encode())
    return digest.hexdigest()[:16]


def _find_altered(workspace: Workspace, dataset: Dataset) -> frozenset[str]:
    sources = {source.path: source.id for source in workspace.store.list_sources()}
    return frozenset(
        document.id
        for n, document in enumerate(dataset.documents, 1)
        if (source := sources.get(_path(n, document))) is not None
        and workspace.store.source_text(source) != document.text
    )


MODES: tuple[SearchMode, ...] = ("bm25", "dense", "hybrid")
"""The search modes, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class ModeFigures:
    """The figures of a run with their intervals, by measure, over the outcomes behind them."""

    figures: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None]
    results: tuple[EvalResult, ...]


@dataclass(frozen=True, slots=True)
class ModeRun:
    """The run of one search mode, judged by documents, and by the exact spans where the set has some."""

    run: EvalRun
    documents: ModeFigures
    spans: ModeFigures | None = None


@dataclass(frozen=True, slots=True)
class Measurement:
    """A set under one configuration, with its cached project and how much of it was there before.

    ``changes`` are the differences from the first configuration, by mode and measure; those of
    the ranking of spans have the prefix ``spans.``.
    """

    config: NamedConfig
    runs: Mapping[SearchMode, ModeRun]
    folder: Path
    reused: int
    threshold: float
    changes: Mapping[SearchMode, Mapping[str, MeasureChange]] = field(default_factory=dict)

    @property
    def gate_mode(self) -> SearchMode:
        """The mode whose gate is reported: hybrid, or the last one measured."""
        return "hybrid" if "hybrid" in self.runs else list(self.runs)[-1]

    @property
    def is_labelled(self) -> bool:
        """Whether any question says if it has an answer, so that the gate can be measured."""
        results = self.runs[self.gate_mode].documents.results
        return any(one.question.answerable is not None and not one.error for one in results)


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """What was measured; ``compared`` are the other configurations.

    ``queries`` are those that were searched. ``counts`` cover all queries and everything that was
    left out.
    """

    dataset: str
    documents: int
    queries: tuple[QuestionRow, ...]
    measured: Measurement
    compared: tuple[Measurement, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[RefusedLine, ...] = ()
    notices: tuple[Message | str, ...] = ()


def evaluate_dataset(
    directory: Path,
    *,
    keep_documents: bool = False,
    title: Titles = "index",
    modes: Sequence[SearchMode] = MODES,
    limit: int | None = None,
    config: NamedConfig = DEFAULT,
    against: Sequence[NamedConfig] = (),
    environment: Mapping[str, str],
    progress: Progress = lambda _step: None,
    tell: Callable[[Message], None] = lambda _message: None,
) -> DatasetReport:
    """Ingest a set once (cached) and search every query in every mode.

    ``keep_documents`` makes each document one chunk; ``limit`` takes that many queries, evenly
    spread over the file. The configurations in ``against`` are measured too and compared with
    ``config``, query by query. Raises ``UsageError`` where no query can be measured.
    """
    dataset = read_dataset(directory)
    if not dataset.measurable:
        raise UsageError("eval-set-nothing-judged", where=str(directory))
    queries = spread(dataset.measurable, limit)
    form, arms = DocumentForm(keep_documents, title), tuple(dict.fromkeys(modes))
    notices: list[Message | str] = [*dataset.notices]
    unsearched = [
        one.id or "" for one in dataset.queries if not one.places and one.answerable is None
    ]
    if unsearched:
        notices.append(Message("eval-set-not-searched", names=first_few(unsearched)))
    measured: list[Measurement] = []
    for named in (config, *against):
        steps = _name_steps(progress, named.name) if measured else progress
        with open_project(dataset, form, named, environment) as workspace:
            filled = fill_project(workspace, dataset, form, steps)
            questions = save_questions(workspace, dataset, queries, filled.altered)
            ask = partial(_run, workspace, dataset, named, questions=questions, tell=tell)
            runs = {mode: ask(mode, progress=_name_steps(steps, mode)) for mode in arms}
            threshold = workspace.config.retrieval.min_score
            one = Measurement(named, runs, workspace.root, filled.reused, threshold)
        if measured:
            one = replace(one, changes=_compare(measured[0], one))
        notices += [n for n in _list_notices(one, filled) if n not in notices]
        measured.append(one)
    return DatasetReport(
        dataset=dataset.name,
        documents=len(dataset.documents),
        queries=tuple(queries),
        measured=measured[0],
        compared=tuple(measured[1:]),
        counts=_count(dataset, queries, len(unsearched), measured[0]),
        skipped=dataset.skipped,
        notices=tuple(notices),
    )


def _count(
    dataset: Dataset, queries: Sequence[QuestionRow], unsearched: int, measured: Measurement
) -> dict[str, int]:
    labels = [query.answerable for query in queries]
    return {
        "questions": len(dataset.queries),
        "judged": sum(bool(query.places) for query in queries),
        "answerable": labels.count(True),
        "unanswerable": labels.count(False),
        "unlabelled": labels.count(None),
        "not_searched": unsearched,
        "errors": next(iter(measured.runs.values())).run.counts["errors"],
        **dataset.counts,
    }


def _name_steps(progress: Progress, name: str) -> Progress:
    """The progress of one configuration or mode: its steps say which, as their phases are the same."""
    return lambda step: progress(replace(step, item=f"{name} {step.item}".rstrip()))


def _run(
    workspace: Workspace,
    dataset: Dataset,
    config: NamedConfig,
    mode: SearchMode,
    questions: Sequence[EvalQuestion],
    *,
    progress: Progress,
    tell: Callable[[Message], None],
) -> ModeRun:
    """Ask the questions in one mode, and forget its earlier runs."""
    name = f"{config.name[: LONGEST_NAME - 7]} {mode}"
    request = RunRequest(
        name=name,
        kind="retrieval",
        overrides=tuple(f"{key}={value}" for key, value in config.overrides(mode).items()),
        questions=tuple(questions),
        count_missing=True,
    )
    run, outcomes = run_questions(workspace, request, progress=progress, tell=tell)
    for other in workspace.store.evaluation.list_runs():
        if other.name == name and other.id != run.id:
            workspace.store.evaluation.remove_run(other.id)
    by_key = {outcome.question.key: outcome for outcome in outcomes}
    results = [by_key[question.key] for question in questions]
    spanned = [one for one in results if any(place.spans for place in one.question.expected)]
    if not spanned:
        return ModeRun(run, _sum_up(results))
    paths = source_paths(dataset)
    documents = [
        judge_by_source(one, expect_documents(dataset, one.question.id, paths)) for one in results
    ]
    return ModeRun(run, _sum_up(documents), _sum_up(spanned))


def _sum_up(results: Sequence[EvalResult]) -> ModeFigures:
    return ModeFigures(summarise(results)[0], intervals_of(results), tuple(results))


def _compare(first: Measurement, other: Measurement) -> dict[SearchMode, dict[str, MeasureChange]]:
    changes: dict[SearchMode, dict[str, MeasureChange]] = {}
    for mode, before in first.runs.items():
        after = other.runs[mode]
        ends = [(before.documents, after.documents)]
        ends += [(before.spans, after.spans)] if before.spans and after.spans else []
        for own, (ours, theirs) in enumerate(ends):
            found = compare_results(before.run, ours.results, after.run, theirs.results)
            changes.setdefault(mode, {}).update(
                (f"spans.{one.measure}" if own and not one.measure.startswith("span_")
                 else one.measure, one)
                for one in found.measures
            )  # fmt: skip
    return changes


def _list_notices(measured: Measurement, filled: FillReport) -> list[Message | str]:
    first = next(iter(measured.runs.values()))
    failed = [
        f"{result.question.id}: {str(result.error).rstrip('.')}"
        for result in first.documents.results
        if result.error
    ]
    notices = [*measured.config.notices(), *filled.notices, *first.run.notices]
    if failed:
        notices.append(Message("eval-set-failed", names=first_few(failed)))
    return notices
