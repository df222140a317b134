"""Work that goes on when the browser is closed, and the pages that begin, show and stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient

from foundry.api import Project
from foundry.errors import ChangedMeanwhile, UsageError
from foundry.evaluation.questions import add_question
from foundry.ports import Progress, Step
from foundry.records import EvalQuestion
from foundry.web.background import Background

FUSE = "What is the rating of the input fuse?"


def hold(until: threading.Event) -> Callable[[Progress], None]:
    """Work that takes a step each time that it is allowed to."""

    def run(progress: Progress) -> None:
        for done in range(100):
            progress(Step("ask", done, 100, "questions"))
            until.wait(1)

    return run


def test_work_goes_on_and_says_how_far_it_is() -> None:
    works, go = Background(), threading.Event()
    work = works.start("a", hold(go))
    assert (work.running, work.step and work.step.total) == (True, 100)
    go.set()
    work.ended.wait(10)
    assert (work.running, work.error) == (False, None)


def test_two_of_one_name_do_not_run_at_once() -> None:
    works, go = Background(), threading.Event()
    works.start("a", hold(go))
    with pytest.raises(ChangedMeanwhile):
        works.start("a", hold(go))
    works.start("b", hold(go))
    go.set()
    works.close()


def test_what_makes_work_impossible_is_raised_where_it_is_begun() -> None:
    def fail(_progress: Progress) -> None:
        raise UsageError("eval-no-questions")

    works = Background()
    with pytest.raises(UsageError):
        works.start("a", fail)
    assert works.find("a") is None


def test_an_error_after_the_first_step_is_kept() -> None:
    def fail(progress: Progress) -> None:
        progress(Step("ask", 0, 2, "questions"))
        raise UsageError("eval-no-questions")

    works = Background()
    work = works.start("a", fail)
    work.ended.wait(10)
    assert work.error


def test_work_that_is_stopped_ends_at_its_next_step() -> None:
    works, go = Background(), threading.Event()
    work = works.start("a", hold(go))
    assert works.stop("a")
    go.set()
    assert work.ended.wait(10)
    assert work.step
    assert work.step.done < 100


# The pages


@pytest.fixture
def asked(project: Project) -> Iterator[None]:
    question = add_question(project.workspace, FUSE, answerable=True)
    yield
    project.workspace.maintenance().evaluation.remove_questions([question.key])


def test_without_questions_the_page_says_how_to_make_some(client: TestClient) -> None:
    page = client.get("/quality").text
    assert 'href="/quality/questions"' in page
    assert 'action="/quality/run"' not in page
    assert 'action="/quality/questions/draft"' in client.get("/quality/questions").text


@pytest.mark.usefixtures("asked")
def test_an_evaluation_is_run_from_the_page_and_shown(client: TestClient) -> None:
    assert 'action="/quality/run"' in client.get("/quality").text
    client.post("/quality/run", data={"set": ""})
    work = client.app.state.site.background.find("evaluation")  # type: ignore[attr-defined]
    assert work.ended.wait(60)
    page = client.get("/quality").text
    assert "false_refusal_rate" in page
    assert "Median time" in page


@pytest.mark.usefixtures("asked")
def test_a_second_evaluation_is_refused_with_a_reason(client: TestClient) -> None:
    works, go = client.app.state.site.background, threading.Event()  # type: ignore[attr-defined]
    work = works.start("evaluation", hold(go))
    reply = client.post("/quality/run", data={"set": ""})
    assert (reply.status_code, "running already" in reply.text) == (409, True)
    assert 'action="/quality/stop"' in reply.text
    assert client.get("/api/v2/evaluation/work").json()["running"]
    client.post("/quality/stop")
    go.set()
    assert work.ended.wait(10)


def test_drafts_are_accepted_or_removed_on_the_page(client: TestClient, project: Project) -> None:
    drafts = [EvalQuestion(one, "drafted", f"What is {one}?", reviewed=False) for one in "ab"]
    project.workspace.maintenance().evaluation.save_questions(drafts)
    page = client.get("/quality/questions").text
    assert all(f'value="drafted/{one}"' in page for one in "ab")
    for key, act in (("drafted/a", "accept"), ("drafted/b", "reject")):
        client.post("/quality/questions/review", data={"questions": key, "act": act})
    stored = client.get("/api/v2/evaluation/questions").json()["questions"]
    assert [(one["id"], one["reviewed"]) for one in stored if one["set"] == "drafted"] == [
        ("a", True)
    ]
    project.workspace.maintenance().evaluation.remove_questions(["drafted/a"])
