"""Runs over a small project: what they ask, record and count, and how they resume."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.errors import (
    IndexMissing,
    KeyMissing,
    RuleError,
    SpendingLimitReached,
    StoreError,
    UsageError,
)
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import get_run, lock_name
from foundry.evaluation.runs.side_index import list_side_indexes, remove_side_indexes
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.correction_requests import CorrectionRequest
from foundry.journeys.passages.corrections import add_correction
from foundry.messages import Message
from foundry.ports import Step
from foundry.records import EvalQuestion, EvalResult, Expectation
from foundry.store import open_store
from foundry.workspace import Workspace, open_workspace
from tests.evaluation.outcomes import QUESTIONS, build_project
from tests.journeys.answers import RATED, online, said
from tests.support.model_server import ModelServer, Status

SEARCH = RunRequest(kind="retrieval")
CHILD = """
import os, signal, sys, threading
# A child of a background job would ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
import foundry.evaluation.runs.nodes as asking
from foundry.store.relational.evaluation import EvaluationView
inner, save = asking.search, EvaluationView.save_result
calls, saved = [], threading.Event()
def search(*words, **options):
    calls.append(1)
    if len(calls) == 3:
        saved.wait(30)
        os.kill(os.getpid(), int(sys.argv.pop()))
    return inner(*words, **options)
def save_result(*words):
    save(*words)
    saved.set()
asking.search = search
EvaluationView.save_result = save_result
from foundry.cli import main
main(sys.argv[1:-1])
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_project(tmp_path_factory.mktemp("runs") / "project")


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "project"))


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def by_id(results: list[EvalResult]) -> dict[str, EvalResult]:
    return {result.question.id: result for result in results}


def test_answers_are_measured_as_a_user_gets_them(root: Path) -> None:
    questions = RunRequest(sets=("manual",), tags=("number",))
    with ModelServer() as server, online(root, server) as workspace:
        server.script(said((RATED, "S1")))
        run, (fuse,) = run_questions(workspace, questions)
    assert "3.15 A" in fuse.answer
    assert fuse.figures["recall@1"] == fuse.figures["answer_recall"] == 1.0
    assert fuse.citations[0].covers == (0,)
    assert fuse.figures["citation_precision"] == 1.0
    assert (run.figures["sure_precision"], run.figures["shown_gold"]) == (1.0, None)


def test_refusals_are_counted_as_a_user_gets_them(workspace: Workspace) -> None:
    run, results = run_questions(workspace, RunRequest())
    assert by_id(results)["football"].verdict == "no_evidence"
    assert (run.figures["refusal_recall"], run.figures["false_refusal_rate"]) == (1.0, 0.0)
    assert (run.counts["judged"], run.counts["errors"], run.counts["refused"]) == (3, 0, 1)


def test_what_ran_is_recorded_without_secrets(root: Path) -> None:
    environment = {"FOUNDRY_MODELS__API_BASE": "{ollama: 'http://me:secret@127.0.0.1:1'}"}
    with open_workspace(root, environment=environment, cwd=root) as workspace:
        run, _ = run_questions(workspace, replace(SEARCH, overrides=("retrieval.top_k=3",)))
        assert get_run(workspace, str(run.id)) == run
    assert run.config["retrieval.top_k"] == 3
    assert run.config["models.api_base.ollama"] == "http://…@127.0.0.1:1"
    assert run.overrides == {"retrieval.top_k": "3"}
    assert {"foundry", "fingerprint", "generator", "prompts", "apsw"} <= run.versions.keys()
    assert run.finished is not None
    assert 0 < (run.figures["question_seconds"] or 0) <= run.seconds


def test_questions_of_a_run_are_logged_as_such(workspace: Workspace) -> None:
    run_questions(workspace, RunRequest(sets=("manual",)))
    rows = workspace.store.list_queries(10)
    assert {row.kind for row in rows} == {"eval"}
    assert {row.query for row in rows} == {
        question.text for question in QUESTIONS if question.set == "manual"
    }


def test_a_run_over_search_alone_writes_no_answer(workspace: Workspace) -> None:
    run, results = run_questions(workspace, SEARCH)
    assert {result.verdict for result in results} == {None}
    assert run.figures["recall@10"] == 1.0
    assert run.figures["gate_refusal_recall"] == 1.0
    assert run.figures["f1"] is run.figures["refusal_recall"] is None
    assert workspace.store.list_queries(1) == []


@pytest.mark.parametrize(
    ("request_", "keys"),
    [
        (RunRequest(sets=("care",)), ["cleaning", "football"]),
        (RunRequest(tags=("number",)), ["fuse"]),
        (RunRequest(limit=2), ["cleaning", "refresh"]),
    ],
)
def test_a_run_takes_sets_tags_and_a_spread_of_all(
    workspace: Workspace, request_: RunRequest, keys: list[str]
) -> None:
    _, results = run_questions(workspace, replace(request_, kind="retrieval"))
    assert sorted(by_id(results)) == keys


def test_several_at_a_time_find_the_same(workspace: Workspace) -> None:
    _, first = run_questions(workspace, RunRequest())
    two, second = run_questions(workspace, RunRequest(jobs=3))
    timeless = [replace(result, timings_ms={}) for result in first]
    assert [replace(result, timings_ms={}) for result in second] == timeless
    assert two.counts["jobs"] == 3
    assert "3 questions were asked at a time" in str(two.notices[0])


def test_progress_goes_from_none_to_all(workspace: Workspace) -> None:
    steps: list[Step] = []
    run_questions(workspace, SEARCH, progress=steps.append)
    assert [step.done for step in steps] == [0, 1, 2, 3, 4]
    assert {(step.total, step.unit) for step in steps} == {(4, "questions")}


def test_a_model_that_fails_is_an_error_of_that_question_alone(root: Path) -> None:
    with ModelServer() as server, online(root, server) as workspace:
        server.script(said((RATED, "S1")), Status(500, "no luck"))
        run, results = run_questions(workspace, RunRequest(sets=("manual",)))
    found = by_id(results)
    assert found["fuse"].figures["citation_recall"] == 1.0
    assert "no luck" in (found["refresh"].error or "")
    assert (run.counts["errors"], run.figures["recall@10"]) == (1, 1.0)
    assert run.figures["tokens"] == 18


def test_a_key_that_is_missing_stops_before_the_first_question(root: Path) -> None:
    environment = {"FOUNDRY_MODE": "online", "FOUNDRY_GENERATION__MODEL": "openai/gpt-4o"}
    with open_workspace(root, environment=environment, cwd=root) as workspace:
        with pytest.raises(KeyMissing):
            run_questions(workspace, RunRequest())
        assert workspace.store.evaluation.list_runs() == []


def test_an_index_that_is_missing_stops_the_run(workspace: Workspace) -> None:
    workspace.maintenance().drop_index(workspace.config.embedding.model)
    with pytest.raises(IndexMissing):
        run_questions(workspace, SEARCH)


def test_a_run_stops_when_an_outcome_cannot_be_kept(workspace: Workspace) -> None:
    path = workspace.root / ".foundry" / "foundry.db"

    def break_it(step: Step) -> None:
        if step.done == 1:
            with sqlite3.connect(path) as db:
                db.execute("DROP TABLE eval_results")
            db.close()

    with pytest.raises(StoreError):
        run_questions(workspace, SEARCH, progress=break_it)


def test_places_missing_from_the_index_are_listed_and_not_judged(
    workspace: Workspace,
) -> None:
    places = {
        "gone": (Expectation("sources/gone.md"),),
        "half": (Expectation("sources/gone.md"), Expectation("sources/code.txt")),
        "page": (Expectation("sources/code.txt", page=9),),
        "span": (Expectation("sources/code.txt", spans=((0, 9_999),)),),
    }
    workspace.maintenance().evaluation.save_questions(
        [
            EvalQuestion(name, "odd", "The service code?", True, "en", at)
            for name, at in places.items()
        ]
    )
    run, results = run_questions(workspace, replace(SEARCH, sets=("odd",)))
    found = by_id(results)
    assert found["gone"].figures["mrr"] is None
    assert found["half"].figures["recall@10"] == 1.0
    assert found["page"].unknown == ("sources/code.txt, page 9",)
    assert (run.counts["unknown_sources"], run.counts["judged"]) == (3, 1)
    assert "3 of them have no ranking figure" in str(run.notices[0])


@pytest.mark.parametrize(
    ("how", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)]
)
def test_a_run_that_was_cut_short_resumes(
    workspace: Workspace, how: signal.Signals, status: int
) -> None:
    words = ["eval", "run", "--retrieval-only", "-q", "--project", str(workspace.root)]
    child = subprocess.run(
        [sys.executable, "-c", CHILD, *words, str(how.value)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert child.returncode == status, child.stderr
    cut = get_run(workspace, "all-retrieval")
    assert cut.finished is None
    kept = [result.question.key for result in workspace.store.evaluation.results(cut.id)]
    # The outcome of the second question may be on its way to the disk.
    assert len(kept) in (1, 2)
    notices: list[str] = []
    run, results = run_questions(workspace, SEARCH, tell=notices.append)
    assert [*map(str, notices)] == [f"Resuming run {cut.id}: {len(kept)} of 4 done."]
    assert (run.id, len(results), run.counts["questions"]) == (cut.id, 4, 4)


def cut_short(workspace: Workspace) -> int:
    """An unfinished run with two outcomes, one of them an error; its id."""
    run, results = run_questions(workspace, SEARCH)
    cut = workspace.store.evaluation.start_run(
        replace(run, finished=None, counts={"questions": 4, "jobs": 1}, notices=())
    )
    workspace.store.evaluation.save_result(cut.id, results[0])
    workspace.store.evaluation.save_result(cut.id, replace(results[1], error="model: gone"))
    return cut.id


def test_a_question_that_failed_is_asked_again_when_a_run_resumes(workspace: Workspace) -> None:
    cut = cut_short(workspace)
    run, _ = run_questions(workspace, SEARCH)
    assert (run.id, run.counts["errors"]) == (cut, 0)


def test_fresh_starts_over(workspace: Workspace) -> None:
    assert run_questions(workspace, replace(SEARCH, fresh=True))[0].id > 0
    cut = cut_short(workspace)
    assert run_questions(workspace, replace(SEARCH, fresh=True))[0].id == cut + 1


def test_a_finished_run_is_followed_by_another_of_its_name(workspace: Workspace) -> None:
    first, _ = run_questions(workspace, SEARCH)
    second, _ = run_questions(workspace, SEARCH)
    assert second.id == first.id + 1
    assert get_run(workspace, first.name).id == second.id


def test_under_another_index_or_configuration_a_run_is_not_continued(workspace: Workspace) -> None:
    cut = cut_short(workspace)
    (workspace.root / "sources" / "new.md").write_text("# New\n\nThe fan turns at 900 rpm.\n")
    ingest(workspace)
    said_: list[Message] = []
    run, _ = run_questions(
        workspace, replace(SEARCH, overrides=("retrieval.top_k=5",)), tell=said_.append
    )
    assert run.id == cut + 1
    why = "the configuration changed, the index changed"
    assert [*map(str, said_)] == [f"Run {cut} was interrupted and cannot resume: {why}."]


def test_an_index_that_changes_during_a_run_is_reported(workspace: Workspace) -> None:
    def change(step: Step) -> None:
        if step.done == 2:
            source = workspace.store.find_source("sources/code.txt")
            assert source is not None
            workspace.maintenance().remove_source(source.id)

    run, _ = run_questions(workspace, SEARCH, progress=change)
    assert "sources/code.txt was removed" in str(run.notices[0])


def test_a_second_run_of_the_name_waits_for_nobody(workspace: Workspace) -> None:
    with lock_name(workspace, "all-retrieval"), pytest.raises(RuleError, match="Another process"):
        run_questions(workspace, SEARCH)


def test_an_override_of_what_is_indexed_is_tried_beside_the_index(workspace: Workspace) -> None:
    before = workspace.store.index_status(workspace.config.embedding.model)
    request = RunRequest(
        sets=("manual",), overrides=("ingest.chunk_tokens=20,40", "ingest.chunk_overlap=0,10")
    )
    run, results = run_questions(workspace, request)
    assert run.config["ingest.chunk_tokens"] == [20, 40]
    assert run.figures["recall@10"] == 1.0
    assert max(len(result.ranking) for result in results) > before.chunks
    assert workspace.store.index_status(workspace.config.embedding.model) == before
    assert len(workspace.store.list_queries(5, kind="eval")) == 2
    steps: list[Step] = []
    run_questions(workspace, request, progress=steps.append)
    assert "embed" not in {step.phase for step in steps}
    assert len(remove_side_indexes(workspace)) == 1
    assert list_side_indexes(workspace) == []


def test_a_side_index_takes_labels_and_removals_over_and_names_other_revisions(
    workspace: Workspace,
) -> None:
    request = replace(SEARCH, overrides=("ingest.summary_max_tokens=100",))
    run_questions(workspace, request)
    wanted = CorrectionRequest("512 channels", read="513 channels", reason="Print.")
    made = add_correction(workspace, "sources/datasheet.md", wanted, "Ann")
    store = workspace.maintenance()
    code, notes = (store.find_source(f"sources/{name}") for name in ("code.txt", "onderhoud.md"))
    assert code is not None
    assert notes is not None
    store.remove_source(code.id)
    store.update_source(replace(notes, confidentiality="secret"))
    os.truncate(workspace.root / notes.path, 40)
    run, _ = run_questions(
        workspace, replace(request, overrides=(*request.overrides, "access.role=public"))
    )
    assert run.counts["unknown_sources"] == 0
    assert str(run.notices[0]) == "sources/onderhoud.md changed since the project ingested it."
    assert run.figures["recall@10"] == pytest.approx(2 / 3)
    (side,) = list_side_indexes(workspace)
    with closing(open_store(f"sqlite:///{side.path}", workspace.root, "prj_test")) as index:
        assert index.list_corrections() == [made]


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("retrieval.topk=3", "nearest known key is retrieval.top_k"),
        ("retrieval.top_k=many", "whole number"),
        ("retrieval.top_k", "is not KEY=VALUE"),
        ("storage.url=sqlite:///x", "cannot be changed for a run"),
        ("project.name=x", "cannot be changed for a run"),
        ("output.dir=x", "cannot be changed for a run"),
        ("ingest.chunk_tokens=50,80", "must stay below the minimum of chunk_tokens"),
        ("access.role=top", "access.role"),
    ],
)
def test_an_override_that_cannot_be_is_refused_by_its_option(
    workspace: Workspace, override: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        run_questions(workspace, replace(SEARCH, overrides=(override,)))
    assert refused.value.where.startswith("-o ")
    assert refused.value.fix


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (RunRequest(sets=("manuel",)), "There is no set of questions 'manuel'"),
        (RunRequest(tags=("numbers",)), "No question has the tag"),
        (RunRequest(name="12"), "needs a letter"),
        (RunRequest(name=" "), "needs a letter"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(
    workspace: Workspace, request_: RunRequest, message: str
) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        run_questions(workspace, request_)
    assert refused.value.fix


def test_without_reviewed_questions_the_way_out_is_named(workspace: Workspace) -> None:
    drafted = [replace(question, reviewed=False) for question in QUESTIONS]
    workspace.maintenance().evaluation.save_questions(drafted)
    with pytest.raises(UsageError, match="4 are waiting") as refused:
        run_questions(workspace, SEARCH)
    assert "foundry eval accept" in refused.value.fix
    workspace.maintenance().evaluation.remove_questions([question.key for question in QUESTIONS])
    with pytest.raises(UsageError, match="no questions to ask"):
        run_questions(workspace, SEARCH)


def test_an_unknown_run_names_the_nearest(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="no run 'smal'") as refused:
        get_run(workspace, "smal")
    assert "foundry eval run" in refused.value.fix
    run_questions(workspace, replace(SEARCH, name="small", limit=1))
    with pytest.raises(UsageError) as refused:
        get_run(workspace, "smal")
    assert "one of small" in refused.value.fix


def test_a_spending_limit_ends_a_run_which_goes_on_without_it(root: Path) -> None:
    paid = RunRequest(name="paid")
    with ModelServer(default=said((RATED, "S1"))) as model:
        with online(root, model, FOUNDRY_SPENDING__TOKENS_PER_RUN="1") as workspace:
            with pytest.raises(SpendingLimitReached) as stopped:
                run_questions(workspace, paid)
            left = get_run(workspace, "paid")
            kept = len(workspace.store.evaluation.results(left.id))
        assert left.finished is None
        assert f"{kept} of {left.counts['questions']} questions" in stopped.value.fix
        with online(root, model) as workspace:
            run, _ = run_questions(workspace, paid)
    assert (run.id == left.id, run.counts["errors"]) == (True, 0)
