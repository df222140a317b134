"""Whether a model is fit: what the check asks, what it counts as wrong, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from foundry.journeys.fitness import Fitness, check_fitness, describe_models
from foundry.journeys.fitness.check import PlantedError, load_questions, load_statements
from foundry.messages import format_message
from tests.journeys.answers import online, said
from tests.support.local_servers import NO_SERVERS, make_vllm, serve
from tests.support.model_server import Behaviour, Json, ModelServer, Request, Status, Text
from tests.support.overlap_model import write_overlap_model

REFUSAL = "The indexed documentation does not contain this information."
STATEMENTS = {one.text: one for part in load_statements() for one in part}
Answer = Callable[[Request], Behaviour]


def answer_well(request: Request) -> Behaviour:
    """A writer and a judge that make no mistake."""
    if "Judge statements" in request.prompt:
        return judge(request, lambda error: error is None)
    question = next(one for one in load_questions() if one.text in request.prompt)
    if question.passage is None:
        return Json({"sentences": [{"text": REFUSAL, "citations": []}]})
    text = next(item for item in question.evidence if item.id == question.passage).hit.chunk.text
    sentences = re.split(r"(?<=[a-z]\.) ", text)
    right = next(one for one in sentences if any(value in one for value in question.expected))
    return said((right, question.passage))


def judge(request: Request, supports: Callable[[str | None], bool]) -> Behaviour:
    rows = []
    for number, text in re.findall(r"^(C\d+)\| (?:\[.*?\] )?(.*)$", request.prompt, re.MULTILINE):
        statement = STATEMENTS[text]
        passage = statement.evidence[0].hit.chunk.text
        id_ = re.search(rf"^(S\d+)\| {re.escape(passage)}$", request.prompt, re.MULTILINE)[1]  # type: ignore[index]
        verdict = "supported" if supports(statement.error) else "not"
        quotes = [{"passage": id_, "quote": passage.partition(".")[0]}]
        rows.append({"id": number, "quotes": quotes, "missing": "", "verdict": verdict,
                     "correction": ""})  # fmt: skip
    return Json({"verdicts": rows})


def check(
    built: Path, server: ModelServer, answer: Answer | Behaviour, **variables: str
) -> Fitness:
    server.default = answer
    variables = {"FOUNDRY_VALIDATION__VERIFIER": "same"} | variables
    with online(built, server, **variables) as workspace:
        return check_fitness(workspace)


def flaws(fitness: Fitness) -> set[str]:
    assert fitness.writer is not None
    return {flaw.code for case in fitness.writer.cases for flaw in case.flaws}


def test_a_model_without_a_mistake_is_fit(built: Path, server: ModelServer) -> None:
    fitness = check(built, server, answer_well)
    assert fitness.writer is not None
    assert fitness.judge is not None
    assert (flaws(fitness), fitness.judge.missed, fitness.judge.rejected) == (set(), (), ())
    assert fitness.fit


def test_every_kind_of_error_is_planted_and_both_languages_are_asked() -> None:
    assert {one.error for one in STATEMENTS.values()} == {None, *get_args(PlantedError)}
    for language in ("en", "nl"):
        asked = [one for one in load_questions() if one.language == language]
        assert {one.passage is None for one in asked} == {True, False}


@pytest.mark.parametrize(
    ("reply", "flaw"),
    [
        (Text("The filter is old."), "fitness-flaw-form"),
        (said(("The filter must be replaced every 40 operating hours.", "S2")), "fitness-flaw-value"),
        (said(("The filter must be replaced every 400 operating hours.", "S1")),
         "fitness-flaw-citation"),
        (said(("Het filter moet elke 400 draaiuren worden vervangen.", "S2")),
         "fitness-flaw-language"),
        (said((REFUSAL, "")), "fitness-flaw-silent"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_a_flaw(
    built: Path, server: ModelServer, reply: Behaviour, flaw: str
) -> None:
    first = load_questions()[0].text
    fitness = check(built, server, lambda r: reply if first in r.prompt else answer_well(r))
    assert flaw in flaws(fitness)


def test_an_invented_answer_makes_a_writer_unfit(built: Path, server: ModelServer) -> None:
    heavy = said(("The drying cabinet DK-60 weighs 42 kg.", "S1"))
    fitness = check(built, server, lambda r: heavy if "weigh" in r.prompt else answer_well(r))
    assert flaws(fitness) == {"fitness-flaw-invented"}
    assert not fitness.fit


def test_a_judge_that_supports_everything_is_unfit(built: Path, server: ModelServer) -> None:
    def answer(request: Request) -> Behaviour:
        is_judge = "Judge statements" in request.prompt
        return judge(request, lambda _: True) if is_judge else answer_well(request)

    found = check(built, server, answer).judge
    assert found is not None
    assert (len(found.missed), found.errors, found.rejected, found.fit) == (8, 8, (), False)


def test_a_judge_that_supports_nothing_is_unfit(built: Path, server: ModelServer) -> None:
    def answer(request: Request) -> Behaviour:
        is_judge = "Judge statements" in request.prompt
        return judge(request, lambda _: False) if is_judge else answer_well(request)

    found = check(built, server, answer).judge
    assert found is not None
    assert (len(found.rejected), found.truths, found.missed, found.fit) == (4, 4, (), False)


def test_a_judge_without_readable_verdicts_neither_catches_nor_keeps(
    built: Path, server: ModelServer
) -> None:
    found = check(built, server, Text("Yes, all of that is true.")).judge
    assert found is not None
    assert (len(found.missed), len(found.rejected)) == (8, 4)


def test_a_model_of_inference_is_checked_as_judge(
    built: Path, server: ModelServer, tmp_path: Path
) -> None:
    passages = [one.evidence[0].hit.chunk.text for one in STATEMENTS.values()]
    model = write_overlap_model(tmp_path, *passages)
    found = check(built, server, answer_well, FOUNDRY_VALIDATION__VERIFIER=model).judge
    assert found is not None
    assert (found.model, len(found.rejected)) == (model, 4)


def test_a_server_that_fails_ends_the_check_with_the_reason(
    built: Path, server: ModelServer
) -> None:
    fitness = check(built, server, Status(500))
    assert fitness.writer is not None
    assert fitness.judge is not None
    assert (fitness.writer.cases, fitness.writer.fit, fitness.judge.fit) == ((), False, False)
    assert "failed on the provider's side" in str(fitness.writer.verdict)
    assert fitness.judge.problem == fitness.writer.problem
    assert len(server.chats) == 2


def test_a_model_that_is_too_slow_is_not_asked_again(built: Path, server: ModelServer) -> None:
    server.default = answer_well
    with online(built, server) as workspace:
        writer = check_fitness(workspace, seconds=0.0).writer
    assert writer is not None
    assert writer.problem is not None
    assert (writer.problem.code, writer.fit) == ("fitness-no-time", False)
    assert server.chats == []


def test_the_check_is_charged_and_stops_at_a_limit(built: Path, server: ModelServer) -> None:
    fitness = check(built, server, answer_well, FOUNDRY_SPENDING__TOKENS_PER_RUN="500")
    assert fitness.writer is not None
    assert fitness.writer.problem is not None
    assert fitness.writer.problem.code == "spending-tokens-stopped"


def test_nothing_writes_without_a_model(built: Path, server: ModelServer) -> None:
    fitness = check(built, server, answer_well, FOUNDRY_GENERATION__MODEL="builtin/passages")
    assert (fitness.writer, fitness.judge, fitness.fit) == (None, None, False)


def test_the_verdict_is_in_words_of_both_languages(built: Path, server: ModelServer) -> None:
    writer = check(built, server, answer_well).writer
    assert writer is not None
    assert "is fit to write: it answered 4 of 4" in format_message(writer.verdict, "en")
    assert "is geschikt om te schrijven" in format_message(writer.verdict, "nl")
    unfit = replace(writer, cases=(), problem=writer.verdict)
    assert "is niet geschikt om te schrijven" in format_message(unfit.verdict, "nl")


def test_each_step_has_its_model_and_one_elsewhere_is_not_asked(
    built: Path, server: ModelServer
) -> None:
    variables = {"OPENAI_API_BASE": "https://models.example/v1", **NO_SERVERS}
    with online(built, server, **variables) as workspace:
        steps = {step.key: step for step in describe_models(workspace).steps}
    assert steps["generation.online.model"].reach == "not_asked"
    assert steps["embedding.model"].reach == "ready"
    assert next(iter(steps)) == "generation.online.model"


def test_a_price_is_that_of_litellms_table(built: Path, server: ModelServer) -> None:
    variables = {"OPENAI_API_BASE": "", "FOUNDRY_GENERATION__MODEL": "openai/gpt-4o", **NO_SERVERS}
    with online(built, server, **variables) as workspace:
        step = describe_models(workspace).steps[0]
    assert (step.price.prompt, step.price.completion) == (2.5, 10.0)
    assert step.window == 128_000


def test_a_model_on_this_machine_is_free_and_has_its_servers_window(
    built: Path, server: ModelServer
) -> None:
    with serve(make_vllm(q=4096)) as address:
        place = {"HOSTED_VLLM_API_BASE": f"{address}/v1"}
        variables = {"FOUNDRY_GENERATION__MODEL": "hosted_vllm/q", **NO_SERVERS, **place}
        with online(built, server, **variables) as workspace:
            report = describe_models(workspace)
    step = report.steps[0]
    assert (step.reach, step.window, step.price.prompt) == ("ready", 4096, 0.0)
    assert [one.name for one in report.servers] == ["vLLM"]


@pytest.mark.parametrize("model", ["hosted_vllm/q", "ollama/q"])
def test_a_server_that_is_silent_is_a_failed_step(
    built: Path, server: ModelServer, model: str
) -> None:
    variables = {"FOUNDRY_GENERATION__MODEL": model, **NO_SERVERS}
    with online(built, server, **variables) as workspace:
        step = describe_models(workspace).steps[0]
    assert step.reach == "failed"
    assert step.problem is not None
    assert step.problem.code == "models-server-silent"
