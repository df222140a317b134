"""Evaluation in the SQLite store: questions, runs, results, feedback, fitted calibrations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from foundry.records import EvalQuestion, EvalResult, EvalRun, Feedback, FittedCalibration
from foundry.store.sqlite.connections import Connections
from foundry.store.sqlite.rows import decode_record, encode_json, encode_record


class SqliteEvaluation:
    """``ports.EvaluationStore`` over a project's connections; every method is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def save_questions(self, questions: Sequence[EvalQuestion]) -> None:
        with self._connections.writing() as db:
            for question in questions:
                db.run("save_question", (question.key, question.set, encode_record(question)))

    def list_questions(self, set_name: str | None = None) -> list[EvalQuestion]:
        with self._connections.reading() as db:
            rows = db.run("list_questions", {"set_name": set_name})
            return [decode_record(EvalQuestion, record) for (record,) in rows]

    def remove_questions(self, keys: Sequence[str]) -> int:
        with self._connections.writing() as db:
            db.run("remove_questions", (encode_json(list(keys)),))
            return db.changes()

    def start_run(self, run: EvalRun) -> EvalRun:
        with self._connections.writing() as db:
            identity = int(db.value("start_eval", (run.name, encode_record(run))))
        return replace(run, id=identity)

    def save_run(self, run: EvalRun) -> None:
        with self._connections.writing() as db:
            db.run("update_eval", (run.name, encode_record(run), run.id))

    def find_run(self, id_or_name: str) -> EvalRun | None:
        with self._connections.reading() as db:
            rows = list(db.run("find_eval", {"key": id_or_name}))
        return _parse_run(*rows[0]) if rows else None

    def list_runs(self) -> list[EvalRun]:
        with self._connections.reading() as db:
            return [_parse_run(*row) for row in db.run("list_evals")]

    def remove_run(self, run_id: int) -> bool:
        with self._connections.writing() as db:
            db.run("remove_eval", (run_id,))
            return db.changes() > 0

    def save_result(self, run_id: int, result: EvalResult) -> None:
        with self._connections.writing() as db:
            db.run("save_eval_result", (run_id, result.question.key, encode_record(result)))

    def results(self, run_id: int) -> list[EvalResult]:
        with self._connections.reading() as db:
            rows = db.run("eval_results", (run_id,))
            return [decode_record(EvalResult, record) for (record,) in rows]

    def save_feedback(self, feedback: Feedback) -> None:
        moment = feedback.time.isoformat()
        with self._connections.writing() as db:
            values = (feedback.query_id, int(feedback.correct), feedback.note, moment)
            db.run("save_feedback", values)

    def list_feedback(self) -> list[Feedback]:
        with self._connections.reading() as db:
            return [
                Feedback(query, bool(correct), datetime.fromisoformat(time), note or "")
                for query, correct, note, time in db.run("list_feedback")
            ]

    def save_fitted(self, fitted: FittedCalibration) -> None:
        with self._connections.writing() as db:
            db.run("save_fitted", (fitted.model, encode_record(fitted)))

    def find_fitted(self, model: str) -> FittedCalibration | None:
        with self._connections.reading() as db:
            record = db.value("find_fitted", (model,))
        return None if record is None else _parse_fitted(record)

    def list_fitted(self) -> list[FittedCalibration]:
        with self._connections.reading() as db:
            rows = db.run("list_fitted")
            return [_parse_fitted(record) for (record,) in rows]

    def remove_fitted(self, model: str) -> bool:
        with self._connections.writing() as db:
            db.run("remove_fitted", (model,))
            return db.changes() > 0


def _parse_run(identity: int, record: str) -> EvalRun:
    return replace(decode_record(EvalRun, record), id=identity)


def _parse_fitted(record: str) -> FittedCalibration:
    # Every search reads these, and building pydantic's adapter would dominate its time.
    values = json.loads(record)
    return FittedCalibration(**{**values, "made": datetime.fromisoformat(values["made"])})
