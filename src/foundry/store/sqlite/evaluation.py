"""Evaluation in the SQLite store: questions, runs, results, feedback, fitted constants."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from foundry.records import EvalQuestion, EvalResult, EvalRun, Feedback, FittedCalibration
from foundry.store.sqlite.connections import Connections
from foundry.store.sqlite.rows import encode_json

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class SqliteEvaluation:
    """``ports.EvaluationStore`` over a project's connections; every verb is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def save_questions(self, questions: Sequence[EvalQuestion]) -> None:
        """Put questions, in place of those with the same key."""
        with self._connections.writing() as db:
            for one in questions:
                db.run("save_question", (one.key, one.set, _dump(one)))

    def list_questions(self, set_name: str | None = None) -> list[EvalQuestion]:
        """All questions, or those of one set; by set and key."""
        with self._connections.reading() as db:
            rows = db.run("list_questions", {"set_name": set_name})
            return [_get_adapter(EvalQuestion).validate_json(record) for (record,) in rows]

    def remove_questions(self, keys: Sequence[str]) -> int:
        """Forget questions, not the results of earlier runs; returns how many there were."""
        with self._connections.writing() as db:
            db.run("remove_questions", (encode_json(list(keys)),))
            return db.changes()

    def start_run(self, run: EvalRun) -> EvalRun:
        """Keep a new run; returns it with its id."""
        with self._connections.writing() as db:
            identity = int(db.value("start_eval", (run.name, _dump(run))))
        return replace(run, id=identity)

    def save_run(self, run: EvalRun) -> None:
        """Put what a run has become in place of what it was."""
        with self._connections.writing() as db:
            db.run("update_eval", (run.name, _dump(run), run.id))

    def find_run(self, id_or_name: str) -> EvalRun | None:
        """The run of that number, else the latest of that name."""
        with self._connections.reading() as db:
            rows = list(db.run("find_eval", {"key": id_or_name}))
        return _parse_run(*rows[0]) if rows else None

    def list_runs(self) -> list[EvalRun]:
        """All runs, the latest first."""
        with self._connections.reading() as db:
            return [_parse_run(*row) for row in db.run("list_evals")]

    def remove_run(self, run_id: int) -> bool:
        """Forget a run with its results; False if there was none."""
        with self._connections.writing() as db:
            db.run("remove_eval", (run_id,))
            return db.changes() > 0

    def save_result(self, run_id: int, result: EvalResult) -> None:
        """Put one question's outcome."""
        with self._connections.writing() as db:
            db.run("save_eval_result", (run_id, result.question.key, _dump(result)))

    def results(self, run_id: int) -> list[EvalResult]:
        """The outcomes of a run, by question key."""
        with self._connections.reading() as db:
            rows = db.run("eval_results", (run_id,))
            return [_get_adapter(EvalResult).validate_json(record) for (record,) in rows]

    def save_feedback(self, feedback: Feedback) -> None:
        """Add what a reader said."""
        moment = feedback.time.isoformat()
        with self._connections.writing() as db:
            values = (feedback.query_id, int(feedback.correct), feedback.note, moment)
            db.run("save_feedback", values)

    def list_feedback(self) -> list[Feedback]:
        """Everything readers said, the oldest first."""
        with self._connections.reading() as db:
            return [
                Feedback(query, bool(correct), datetime.fromisoformat(time), note or "")
                for query, correct, note, time in db.run("list_feedback")
            ]

    def save_fitted(self, fitted: FittedCalibration) -> None:
        """Put the constants of an embedding model."""
        with self._connections.writing() as db:
            db.run("save_fitted", (fitted.model, _dump(fitted)))

    def find_fitted(self, model: str) -> FittedCalibration | None:
        """The constants fitted for an embedding model, whatever their fingerprint."""
        with self._connections.reading() as db:
            record = db.value("find_fitted", (model,))
        return None if record is None else _parse_fitted(record)

    def list_fitted(self) -> list[FittedCalibration]:
        """All fitted constants, by model."""
        with self._connections.reading() as db:
            rows = db.run("list_fitted")
            return [_parse_fitted(record) for (record,) in rows]

    def remove_fitted(self, model: str) -> bool:
        """Forget the constants of a model; False if there were none."""
        with self._connections.writing() as db:
            db.run("remove_fitted", (model,))
            return db.changes() > 0


def _parse_run(identity: int, record: str) -> EvalRun:
    found: EvalRun = _get_adapter(EvalRun).validate_json(record)
    return replace(found, id=identity)


def _parse_fitted(record: str) -> FittedCalibration:
    # Every search reads these: an adapter of pydantic would cost it more than all the rest.
    values = json.loads(record)
    return FittedCalibration(**{**values, "made": datetime.fromisoformat(values["made"])})


def _dump(record: EvalQuestion | EvalResult | EvalRun | FittedCalibration) -> str:
    kind: Any = type(record)
    text: bytes = _get_adapter(kind).dump_json(record)
    return text.decode()


@cache
def _get_adapter(kind: Any) -> TypeAdapter[Any]:
    # Built on first use: it costs time that a search need not pay.
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
