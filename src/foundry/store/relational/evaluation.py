"""Evaluation: questions, runs, results, feedback, fitted calibrations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Confidentiality,
    EvalQuestion,
    EvalResult,
    EvalRun,
    Feedback,
    FittedCalibration,
)
from foundry.store.relational.database import Database, Rows, Transaction
from foundry.store.rows import (
    HIGHEST,
    Row,
    build_row,
    decode_record,
    encode_json,
    encode_record,
    get_level,
    read_row,
)

RUNS_PER_ROLE = 1_000_000
"""Room for the numbers of one role's runs; those of the highest role start at 1."""


class EvaluationView:
    """Evaluation as a role sees it; every method is one transaction.

    It sees questions whose expected sources are all visible, and runs of its own and lower roles.
    Calibrations are fitted on all sources, so only the highest role sees them.
    """

    def __init__(self, database: Database, role: Confidentiality) -> None:
        self._database = database
        self._level = get_level(role)
        self._roles = encode_json(CONFIDENTIALITY_LEVELS[: self._level + 1])

    def list_questions(self, set_name: str | None = None) -> list[EvalQuestion]:
        """All questions, or those of one set, by set and key."""
        with self._database.reading() as db:
            rows = db.run("list_questions", {"set_name": set_name, "level": self._level})
            return [decode_record(EvalQuestion, record) for (record,) in rows]

    def start_run(self, run: EvalRun) -> EvalRun:
        """Save a new run; returns it with its id."""
        with self._database.writing() as db:
            base = (HIGHEST - self._level) * RUNS_PER_ROLE
            values = {
                "base": base,
                "room": RUNS_PER_ROLE,
                "name": run.name,
                "record": encode_record(run),
            }
            identity = int(db.value("start_eval", values))
        return replace(run, id=identity)

    def save_run(self, run: EvalRun) -> None:
        """Update a run."""
        with self._database.writing() as db:
            self._run(db, "update_eval", id=run.id, name=run.name, record=encode_record(run))

    def find_run(self, id_or_name: str) -> EvalRun | None:
        """The run with that number, else the latest with that name."""
        with self._database.reading() as db:
            rows = list(self._run(db, "find_eval", key=id_or_name))
        return _parse_run(*rows[0]) if rows else None

    def list_runs(self) -> list[EvalRun]:
        """All runs, latest first."""
        with self._database.reading() as db:
            return [_parse_run(*row) for row in self._run(db, "list_evals")]

    def remove_run(self, run_id: int) -> bool:
        """Remove a run with its results; False if there was none."""
        with self._database.writing() as db:
            self._run(db, "remove_eval", id=run_id)
            return db.changes() > 0

    def save_result(self, run_id: int, result: EvalResult) -> None:
        """Save one question's result."""
        with self._database.writing() as db:
            db.run("save_eval_result", (run_id, result.question.key, encode_record(result)))

    def results(self, run_id: int) -> list[EvalResult]:
        """The results of a run, by question key."""
        with self._database.reading() as db:
            rows = self._run(db, "eval_results", id=run_id)
            return [decode_record(EvalResult, record) for (record,) in rows]

    def save_feedback(self, feedback: Feedback) -> None:
        """Add a reader's feedback."""
        with self._database.writing() as db:
            db.run("save_feedback", build_row(feedback))

    def find_feedback(self, query_id: str) -> Feedback | None:
        """The latest feedback on an answer, or None; None for an answer that is not visible too."""
        values = {"id": query_id, "level": self._level, "roles": self._roles}
        with self._database.reading() as db:
            rows = db.rows("find_feedback", values, visible=db.sql("visible_query"))
        return _read_feedback(rows[0]) if rows else None

    def find_fitted(self, model: str) -> FittedCalibration | None:
        """The calibration fitted for an embedding model, whatever its fingerprint."""
        with self._database.reading() as db:
            record = db.value("find_fitted", (model, self._level))
        return None if record is None else _parse_fitted(record)

    def list_fitted(self) -> list[FittedCalibration]:
        """All fitted calibrations, by model."""
        with self._database.reading() as db:
            rows = db.run("list_fitted", (self._level,))
            read = [_parse_fitted(record) for (record,) in rows]
        return [fitted for fitted in read if fitted is not None]

    def _run(self, db: Transaction, statement: str, **values: object) -> Rows:
        """Run a statement over the visible runs; their role is part of their configuration."""
        visible = db.sql("visible_run")
        return db.run(statement, {"roles": self._roles, **values}, visible=visible)


class EvaluationStore(EvaluationView):
    """All of evaluation, with what only the highest role may change."""

    def save_questions(self, questions: Sequence[EvalQuestion]) -> None:
        """Save all of the questions or none; each replaces one with the same key."""
        with self._database.writing() as db:
            for question in questions:
                db.run("save_question", (question.key, question.set, encode_record(question)))

    def remove_questions(self, keys: Sequence[str]) -> int:
        """Remove questions, but not the results of earlier runs; returns how many."""
        with self._database.writing() as db:
            db.run("remove_questions", (encode_json(list(keys)),))
            return db.changes()

    def list_feedback(self) -> list[Feedback]:
        """All feedback, oldest first."""
        with self._database.reading() as db:
            return [_read_feedback(row) for row in db.rows("list_feedback")]

    def save_fitted(self, fitted: FittedCalibration) -> None:
        """Save the calibration fitted for an embedding model."""
        with self._database.writing() as db:
            db.run("save_fitted", (fitted.model, encode_record(fitted)))

    def remove_fitted(self, model: str) -> bool:
        """Remove the calibration of a model; False if there was none."""
        with self._database.writing() as db:
            db.run("remove_fitted", (model,))
            return db.changes() > 0


def _parse_run(identity: int, record: str) -> EvalRun:
    return replace(decode_record(EvalRun, record), id=identity)


def _parse_fitted(record: str) -> FittedCalibration | None:
    """The calibration of the gate; None for a row that has only the verifier's, which is not used."""
    # Every search reads these, and building pydantic's adapter would dominate its time.
    values = json.loads(record)
    values.pop("verifier", None)
    if values["gate"] is None:
        return None
    return FittedCalibration(**{**values, "made": datetime.fromisoformat(values["made"])})


def _read_feedback(row: Row) -> Feedback:
    return read_row(Feedback, row, note=row["note"] or "")
