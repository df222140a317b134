"""Putting questions to a workspace as a user would, one or several at a time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from foundry.errors import ConfigError, StoreError
from foundry.evaluation.libraries import require
from foundry.evaluation.measuring.outcomes import (
    outcome_of_answer,
    outcome_of_error,
    outcome_of_search,
)
from foundry.evaluation.measuring.places import Places
from foundry.journeys.ask import AskRequest, ask_streaming
from foundry.journeys.query_log import EVAL
from foundry.journeys.search import require_index, search
from foundry.journeys.writing import run_to_end
from foundry.models import map_calls
from foundry.ports import EvaluationStore, Progress, Step
from foundry.records import EvalQuestion, EvalResult, EvalRun, RunKind
from foundry.workspace import Workspace


def make_ready(workspace: Workspace, kind: RunKind) -> None:
    """Everything that would stop each question alike, before the first; models on this machine load.

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


@dataclass(slots=True)
class Asking:
    """The asking part of a run; ``asked`` counts the outcomes that were kept."""

    kept: EvaluationStore
    target: Workspace
    places: Places
    run: EvalRun
    progress: Progress
    asked: int = 0
    failed: Exception | None = None

    def ask_all(self, questions: Sequence[EvalQuestion], total: int, jobs: int) -> None:
        """Ask ``questions``, those that are left of ``total``, ``jobs`` at a time."""
        before = total - len(questions)
        self.progress(Step("ask", before, total, "questions"))
        # Saved beside the next question, as waiting for the disk takes no processor; and when it
        # is there, not when its turn comes: an earlier question may still be waiting.
        with ThreadPoolExecutor(1, "save-outcomes") as saver:

            def one(question: EvalQuestion) -> None:
                self._raise_failed()
                saver.submit(self._keep, self._outcome(question), before, total)

            deque(map_calls(one, questions, jobs), maxlen=0)
        self._raise_failed()

    def _raise_failed(self) -> None:
        """A run that cannot keep an outcome has to stop."""
        if self.failed is not None:
            raise self.failed

    def _keep(self, outcome: EvalResult, before: int, total: int) -> None:
        try:
            self.kept.save_result(self.run.id, outcome)
            self.asked += 1
            text = outcome.question.text
            self.progress(Step("ask", before + self.asked, total, "questions", text))
        except Exception as error:  # noqa: BLE001 - it is raised where the questions are asked
            self.failed = error

    def _outcome(self, question: EvalQuestion) -> EvalResult:
        started = time.perf_counter()
        try:
            if self.run.kind == "retrieval":
                result = search(self.target, question.text)
                elapsed = _since(started)
                return outcome_of_search(self.places, question, result, elapsed)
            asked = AskRequest(question.text, kind=EVAL)
            answer = run_to_end(ask_streaming(self.target, asked, stream=False))
            elapsed = _since(started)
            return outcome_of_answer(self.places, question, answer, elapsed)
        except (StoreError, ConfigError):
            # No other question would fare better: the run stops, and can be continued.
            raise
        except Exception as error:  # noqa: BLE001 - it is counted, and the others are still asked
            return outcome_of_error(question, error, _since(started))


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
