"""Run questions through the real journeys and keep each outcome as soon as it exists.

The same call resumes a run that was interrupted: same name, sets, configuration, versions, index
and questions. Where any of them changed, a new run starts and the reason is reported.
"""

from __future__ import annotations

import contextlib
import difflib
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from foundry.clock import get_now
from foundry.config import Config, override_config
from foundry.errors import (
    ClusterError,
    ConfigError,
    Interrupted,
    SpendingLimitReached,
    StoreError,
    UsageError,
)
from foundry.evaluation import require
from foundry.evaluation.metrics.outcomes import (
    outcome_of_answer,
    outcome_of_error,
    outcome_of_search,
)
from foundry.evaluation.metrics.statistics import summarise
from foundry.evaluation.questions import count_unreviewed, select_questions
from foundry.evaluation.questions.places import Places
from foundry.evaluation.runs.history import (
    IndexState,
    describe_run,
    flatten_config,
    hash_questions,
    lock_name,
    read_index_state,
    read_versions,
    start_or_resume,
)
from foundry.evaluation.runs.nodes import Ask, ask_on_nodes, ask_question
from foundry.evaluation.runs.side_index import needs_side_index, open_side_index
from foundry.journeys.cluster import Cluster
from foundry.journeys.enrichment import Confirm, refuse
from foundry.journeys.search import require_index
from foundry.messages import Message
from foundry.models import map_calls
from foundry.ports import Progress, Step
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    EvalQuestion,
    EvalResult,
    EvalRun,
    RunKind,
    SearchResult,
)
from foundry.store import EvaluationView
from foundry.workspace import Workspace, reconfigure


def run_questions(
    workspace: Workspace,
    request: RunRequest,
    *,
    progress: Progress = lambda _step: None,
    tell: Callable[[Message], None] = lambda _text: None,
    confirm: Confirm = refuse,
    cluster: Cluster | None = None,
) -> tuple[EvalRun, list[EvalResult]]:
    """Ask the questions; return the finished run and its outcomes.

    With a ``cluster`` its nodes ask them; outcomes are saved and models of servers called from here.

    ``tell`` gets what a reader should know before the run starts ("Resuming run 3 …");
    ``confirm`` is asked before a side index sends much text to language models. A question that
    fails is an outcome with an error. Raises ``UsageError`` where there is nothing to ask, what
    search and models raise before the first question, ``StoreError`` at any time, and
    ``Interrupted`` for Ctrl-C and ``SpendingLimitReached``, after which the same call resumes.
    """
    config = apply_overrides(workspace.config, parse_overrides(request.overrides))
    questions = get_questions(workspace, request)
    with (
        lock_name(workspace, choose_name(request)),
        _open_target(workspace, config, progress, confirm, cluster) as (target, seeing, notices),
    ):
        _prepare(target, request.kind)
        state = read_index_state(target)
        wanted = _describe_wanted(target, request, config, questions, state)
        wanted = replace(wanted, notices=notices, role=workspace.principal.role)
        run, done = start_or_resume(workspace, wanted, fresh=request.fresh, tell=tell)
        places = Places(seeing, request.count_missing)
        with _choose_way(cluster, workspace, target, request.kind, state) as ask:
            asker = _Asker(workspace.store.evaluation, ask, places, run, progress)
            run = _ask_rest(workspace, asker, questions, done, request.jobs)
        return _finish(workspace, run, questions, state, read_index_state(target))


@contextlib.contextmanager
def _open_target(
    home: Workspace,
    config: Config,
    progress: Progress,
    confirm: Confirm,
    cluster: Cluster | None,
) -> Iterator[tuple[Workspace, Workspace, tuple[Message, ...]]]:
    """The workspace to ask, over the project's index or a side index, and one for expected places.

    They differ if a run asks as a lower role: what that role may not see, it should not find.
    """
    if not needs_side_index(home.config, config):
        yield reconfigure(home, config), home, ()
        return
    with open_side_index(home, config, progress, confirm, cluster) as opened:
        yield opened


@contextlib.contextmanager
def _choose_way(
    cluster: Cluster | None, home: Workspace, target: Workspace, kind: RunKind, state: IndexState
) -> Iterator[Ask]:
    """Yield what asks a question: this process, or a node of the cluster."""
    if cluster is None:
        yield partial(ask_question, target, kind)
        return
    with ask_on_nodes(cluster, home, target, kind, state) as ask:
        yield ask


def _prepare(workspace: Workspace, kind: RunKind) -> None:
    """Raise what would stop every question alike, and load the models on this machine.

    Raises ``IndexMissing``, ``KeyMissing``, ``ConfigError``.
    """
    for library in ("pytrec_eval", "scipy.stats"):
        require(library)
    require_index(workspace, workspace.config.retrieval.mode)
    embedder = workspace.embedder
    if kind == "ask":
        _ = (workspace.generator, workspace.verifier, workspace.hyde_model, workspace.scorer)
        workspace.brief()
        workspace.count_tokens("ready")
    if embedder.local:
        embedder.embed_query("ready")


def _describe_wanted(
    target: Workspace,
    request: RunRequest,
    config: Config,
    questions: Sequence[EvalQuestion],
    state: IndexState,
) -> EvalRun:
    return EvalRun(
        id=0,
        name=choose_name(request),
        kind=request.kind,
        sets=tuple(dict.fromkeys(question.set for question in questions)),
        started=get_now(),
        config=flatten_config(config),
        overrides=parse_overrides(request.overrides),
        versions=read_versions(target),
        index=state.hash,
        questions=hash_questions(questions),
        counts={"questions": len(questions), "jobs": request.jobs},
    )


def _ask_rest(
    workspace: Workspace,
    asker: _Asker,
    questions: Sequence[EvalQuestion],
    done: Sequence[EvalResult],
    jobs: int,
) -> EvalRun:
    """Ask the questions that have no outcome yet; return the run with its time in all."""
    keys = {result.question.key for result in done}
    rest = [question for question in questions if question.key not in keys]
    spent = sum(result.timings_ms.get("question", 0.0) for result in done) / 1000
    earlier = max(asker.run.seconds, spent / jobs)
    started = time.perf_counter()
    try:
        asker.ask_all(rest, len(questions), jobs)
    except KeyboardInterrupt:
        seconds = earlier + time.perf_counter() - started
        workspace.store.evaluation.save_run(replace(asker.run, seconds=seconds))
        kept = len(questions) - len(rest) + asker.asked
        raise Interrupted(
            "eval-run-interrupted",
            where=f"eval run {asker.run.name}",
            run=str(asker.run.id),
            kept=kept,
            of=len(questions),
        ) from None
    except SpendingLimitReached as error:
        kept = len(questions) - len(rest) + asker.asked
        error.advice = (*error.advice, Message("eval-run-kept", kept=kept, of=len(questions)))
        raise
    return replace(asker.run, seconds=earlier + time.perf_counter() - started)


def _finish(
    workspace: Workspace,
    run: EvalRun,
    questions: Sequence[EvalQuestion],
    before: IndexState,
    after: IndexState,
) -> tuple[EvalRun, list[EvalResult]]:
    """Sum up the run, add its notices, and save it."""
    keys = {question.key for question in questions}
    results = [
        result
        for result in workspace.store.evaluation.results(run.id)
        if result.question.key in keys
    ]
    figures, counts = summarise(results)
    run = replace(
        run,
        finished=get_now(),
        figures=figures,
        counts={**run.counts, **counts},
        notices=(*run.notices, *describe_run(run, results, before, after)),
    )
    workspace.store.evaluation.save_run(run)
    return run, results


@dataclass(slots=True)
class _Asker:
    """Asks questions as a user would; ``asked`` counts the outcomes that were saved."""

    store: EvaluationView
    ask: Ask
    places: Places
    run: EvalRun
    progress: Progress
    asked: int = 0
    failure: Exception | None = None

    def ask_all(self, questions: Sequence[EvalQuestion], total: int, jobs: int) -> None:
        """Ask ``questions``, the rest of ``total``, ``jobs`` at a time."""
        before = total - len(questions)
        self.progress(Step("ask", before, total, "questions"))
        # One thread saves outcomes while the next question is asked, since waiting for the disk
        # takes no processor. It saves in order of arrival: an earlier question may still wait.
        with ThreadPoolExecutor(1, "save-outcomes") as saver:

            def ask(question: EvalQuestion) -> None:
                self._raise_failure()
                saver.submit(self._save, self._ask(question), before, total)

            deque(map_calls(ask, questions, jobs), maxlen=0)
        self._raise_failure()

    def _raise_failure(self) -> None:
        """Stop a run that cannot save an outcome."""
        if self.failure is not None:
            raise self.failure

    def _save(self, outcome: EvalResult, before: int, total: int) -> None:
        try:
            self.store.save_result(self.run.id, outcome)
            self.asked += 1
            text = outcome.question.text
            self.progress(Step("ask", before + self.asked, total, "questions", text))
        except Exception as error:  # noqa: BLE001 - raised again where the questions are asked
            self.failure = error

    def _ask(self, question: EvalQuestion) -> EvalResult:
        started = time.perf_counter()
        try:
            found, took = self.ask(question.text)
            if isinstance(found, SearchResult):
                return outcome_of_search(self.places, question, found, took)
            return outcome_of_answer(self.places, question, found, took)
        except (StoreError, ConfigError, SpendingLimitReached, ClusterError):
            # Every other question would fail too: the run stops, and can be resumed.
            raise
        except Exception as error:  # noqa: BLE001 - counted, and the other questions still run
            return outcome_of_error(question, error, (time.perf_counter() - started) * 1000)


_Item = TypeVar("_Item")

LONGEST_NAME = 100
"""Characters of a run's name: it is a column of tables and part of file names."""

_REFUSED = {
    "project": "eval-fixed-project",
    "storage": "eval-fixed-storage",
    "output": "eval-fixed-output",
    "log": "eval-fixed-log",
    "web": "eval-fixed-web",
    "ingest.include": "eval-fixed-sources",
    "ingest.exclude": "eval-fixed-sources",
}


REMOTE_KEYS = (
    "retrieval.mode",
    "retrieval.top_k",
    "retrieval.top_k_bm25",
    "retrieval.top_k_dense",
    "retrieval.rrf_k",
    "retrieval.fusion",
    "retrieval.rerank_candidates",
    "retrieval.hyde",
    "retrieval.relevance_threshold",
    "retrieval.min_score",
    "retrieval.min_chunks",
    "retrieval.max_context_chunks",
    "generation.token_budget",
    "generation.max_source_summaries",
    "generation.max_tokens",
    "generation.temperature",
    "validation.min_attribution",
    "validation.on_unsupported",
    "validation.max_regenerations",
    "validation.repair",
)
"""What a run may change for somebody who only has a token: nothing that names a model, a host or a
file, or that decides whether anything leaves this machine."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to run. No ``sets`` means all; ``overrides`` are ``KEY=VALUE``; ``jobs`` run at a time.

    ``questions`` are asked instead of the stored ones. With ``count_missing`` an expected place
    that the index lacks counts as not found; otherwise it is left out of the figures.
    """

    sets: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    name: str | None = None
    kind: RunKind = "ask"
    overrides: tuple[str, ...] = ()
    limit: int | None = None
    jobs: int = 1
    fresh: bool = False
    questions: tuple[EvalQuestion, ...] = ()
    count_missing: bool = False


def get_questions(workspace: Workspace, request: RunRequest) -> list[EvalQuestion]:
    """The questions of a run: reviewed, in these sets, with any of these tags, at most ``limit``.

    Raises ``UsageError`` for an unknown set or tag, and where there is nothing to ask.
    """
    if request.questions:
        return list(request.questions)
    questions = select_questions(workspace, request.sets, request.tags)
    if not questions:
        raise _nothing_to_ask(workspace, request.sets, request.tags)
    return spread(questions, request.limit)


def spread(items: Sequence[_Item], limit: int | None) -> list[_Item]:
    """At most ``limit`` items at even distances, because sets are often sorted by kind."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[int(index)] for index in np.linspace(0, len(items) - 1, limit)]


def _nothing_to_ask(workspace: Workspace, sets: Sequence[str], tags: Sequence[str]) -> UsageError:
    unreviewed = count_unreviewed(workspace, sets, tags)
    where = " ".join([*(f"--set {name}" for name in sets), *(f"--tag {tag}" for tag in tags)])
    if unreviewed:
        return UsageError("eval-none-reviewed", where=where or "eval run", n=unreviewed)
    known = {
        tag for question in workspace.store.evaluation.list_questions() for tag in question.tags
    }
    unknown = [tag for tag in tags if tag not in known]
    if unknown and known:
        near = difflib.get_close_matches(unknown[0], sorted(known), n=1, cutoff=0.0)
        return UsageError("eval-tag-unknown", where=where, tag=unknown[0], near=near[0])
    return UsageError(
        "eval-no-questions" if not tags else "eval-no-question-has-tag", where=where or "eval run"
    )


def choose_name(request: RunRequest) -> str:
    """The name as given, or one after the sets. Raises ``UsageError`` for an unusable name."""
    if request.name is None:
        chosen = "+".join(dict.fromkeys(request.sets)) or "all"
        chosen = f"set-{chosen}" if chosen.isdigit() else chosen
        return chosen if request.kind == "ask" else f"{chosen}-{request.kind}"
    name = request.name.strip()
    if not name or name.isdigit() or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(
            "eval-run-name-invalid", where=f"--name {name[:LONGEST_NAME]!r}", limit=LONGEST_NAME
        )
    return name


def parse_overrides(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``KEY=VALUE`` texts; the last of a key counts. Raises ``UsageError`` for others."""
    overrides = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError("eval-not-key-value", where=f"-o {text}", text=text)
        overrides[key.strip()] = value.strip()
    return overrides


def require_remote_keys(keys: Iterable[str]) -> None:
    """Raise ``UsageError``, which names ``REMOTE_KEYS``, unless all keys are among them."""
    for key in keys:
        if key not in REMOTE_KEYS:
            raise UsageError("eval-key-not-remote", where="overrides", key=key, known=REMOTE_KEYS)


def apply_overrides(config: Config, overrides: Mapping[str, str]) -> Config:
    """The configuration of a run. Raises ``UsageError`` with ``-o KEY`` for what a run cannot change."""
    for key in overrides:
        reason = _REFUSED.get(key) or _REFUSED.get(key.partition(".")[0])
        if reason:
            raise UsageError("eval-key-fixed", where=f"-o {key}", key=key, reason=Message(reason))
    wanted = override_config(config, overrides)
    chosen = f"generation.{wanted.mode}.model"
    if "generation.model" in overrides and getattr(wanted.generation, wanted.mode).model:
        raise UsageError(
            "eval-model-has-no-effect",
            where="-o generation.model",
            key=chosen,
            value=overrides["generation.model"],
        )
    level = CONFIDENTIALITY_LEVELS.index
    if level(wanted.access.role) > level(config.access.role):
        raise UsageError(
            "eval-role-above",
            where="-o access.role",
            wanted=wanted.access.role,
            role=config.access.role,
        )
    return wanted
