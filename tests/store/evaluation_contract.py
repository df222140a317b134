"""The contract of every ``EvaluationStore``."""

from __future__ import annotations

from dataclasses import replace

from foundry.messages import Message
from foundry.records import (
    CitedSpan,
    EvalQuestion,
    EvalResult,
    EvalRun,
    Expectation,
    Feedback,
    FittedCalibration,
    RankedChunk,
    Usage,
)
from foundry.store import Store
from tests.store.records import WHEN, make_query

QUESTION = EvalQuestion(
    id="q1", set="manual", text="Hoe groot is de zekering?", answerable=True, language="nl",
    expected=(Expectation("a.pdf", ((3, 9), (20, 25)), 7, "3 Voeding", 2), Expectation("b.md")),
    answers=("3 A", "drie ampère"), tags=("fuse",), origin="drafted", reviewed=False, note="n",
)  # fmt: skip
RUN = EvalRun(
    id=0, name="first", kind="ask", sets=("manual",), started=WHEN, config={"mode": "offline"},
    overrides={"retrieval.top_k": "20"}, versions={"foundry": "1"}, index="i", questions="q",
    figures={"recall@10": 0.5, "f1": None}, counts={"questions": 2}, seconds=1.5, notices=(Message("answer-no-hits"),),
)  # fmt: skip
RESULT = EvalResult(
    QUESTION, ranking=(RankedChunk("chk_1", "a.pdf", 0, 10, 7, "3 Voeding", 0.5, (0,)),),
    verdict="answer", gate_verdict="low_confidence", score=0.5, answer="3 A.",
    citations=(CitedSpan("a.pdf", 3, 9, "3 A", 7, (0,)),), coverage=1.0, figures={"f1": None, "mrr": 1.0},
    timings_ms={"total": 2.5}, usage=Usage(1, 2, 3, None, 0), notices=(Message("answer-no-hits"),), unknown=("c.md",),
)  # fmt: skip


class EvaluationContract:
    def test_a_question_comes_back_with_every_field(self, store: Store) -> None:
        store.evaluation.save_questions([QUESTION])
        assert store.evaluation.list_questions() == [QUESTION]

    def test_a_question_replaces_only_the_one_with_its_key(self, store: Store) -> None:
        other = replace(QUESTION, set="other")
        store.evaluation.save_questions([QUESTION, other])
        store.evaluation.save_questions([replace(QUESTION, text="Anders?")])
        assert [question.text for question in store.evaluation.list_questions("manual")] == [
            "Anders?"
        ]
        assert store.evaluation.list_questions("other") == [other]

    def test_removing_questions_counts_the_existing_ones(self, store: Store) -> None:
        store.evaluation.save_questions([QUESTION])
        assert store.evaluation.remove_questions(["manual/q1", "manual/q9"]) == 1
        assert store.evaluation.list_questions() == []

    def test_a_run_is_found_by_number_before_name_and_the_latest_of_a_name(
        self, store: Store
    ) -> None:
        first = store.evaluation.start_run(RUN)
        again = store.evaluation.start_run(RUN)
        named = store.evaluation.start_run(replace(RUN, name=str(first.id)))
        assert store.evaluation.find_run("first") == again == replace(RUN, id=again.id)
        assert store.evaluation.find_run(str(first.id)) == first
        assert store.evaluation.list_runs() == [named, again, first]
        assert store.evaluation.find_run("nothing") is None

    def test_saving_a_run_again_updates_it(self, store: Store) -> None:
        run = replace(store.evaluation.start_run(RUN), finished=WHEN, name="second")
        store.evaluation.save_run(run)
        assert store.evaluation.list_runs() == [run]

    def test_results_come_back_whole_and_are_removed_with_their_run(self, store: Store) -> None:
        run = store.evaluation.start_run(RUN)
        store.evaluation.save_result(run.id, replace(RESULT, error="It failed."))
        store.evaluation.save_result(run.id, RESULT)
        assert store.evaluation.results(run.id) == [RESULT]
        assert store.evaluation.remove_run(run.id)
        assert store.evaluation.results(run.id) == []
        assert not store.evaluation.remove_run(run.id)

    def test_feedback_comes_back_in_order(self, store: Store) -> None:
        said = [Feedback("qry_1", False, WHEN, "Het is 5 A."), Feedback("qry_1", True, WHEN)]
        for one in said:
            store.evaluation.save_feedback(one)
        assert store.evaluation.list_feedback() == said

    def test_the_latest_feedback_on_a_logged_answer_is_found(self, store: Store) -> None:
        store.log_query(make_query("qry_1"))
        for correct in (False, True):
            store.evaluation.save_feedback(Feedback("qry_1", correct, WHEN))
            store.evaluation.save_feedback(Feedback("qry_2", not correct, WHEN))
        assert store.evaluation.find_feedback("qry_1") == Feedback("qry_1", True, WHEN)
        assert store.evaluation.find_feedback("qry_2") is None

    def test_fitted_constants_are_kept_per_model(self, store: Store) -> None:
        fitted = FittedCalibration(
            "m", "f", WHEN, gate={"shared": {"intercept": 1.5}}, figures={"auroc": 0.9}
        )
        store.evaluation.save_fitted(replace(fitted, fingerprint="older"))
        store.evaluation.save_fitted(fitted)
        assert store.evaluation.find_fitted("m") == fitted
        assert store.evaluation.find_fitted("other") is None
        assert store.evaluation.list_fitted() == [fitted]
        assert store.evaluation.remove_fitted("m")
        assert not store.evaluation.remove_fitted("m")
