"""The three forms of an outcome, from real runs over the example project.

The refusal and the passages need no model. The repaired answer needs one that errs: a scripted model server on loopback, called through LiteLLM
like any other, says one wrong number, one sentence without a source, and cites the wrong passage.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.example import open_example, open_online
from foundry.journeys.ask import ask
from foundry.render.answer import render_answer
from tests.support.model_server import Json, ModelServer

REFUSED = "Which pension fund insures the staff?"
SHOWN = "Which order reference did Sanne note for the splitter?"
REPAIRED = "Hoe lang loopt de klok door wanneer de voeding wegvalt?"
ERRING = (
    {"text": "De klok loopt na het wegvallen van de voeding 48 uur door.", "citations": ["S1"]},
    {"text": "Most such clocks are made in Asia.", "citations": ["S1"]},
)
MENDED = (
    {
        "replaces": "R1",
        "text": "De klok loopt na het wegvallen van de voeding 72 uur door.",
        "citations": ["S2"],
    },
)


def measure() -> Iterator[str]:
    with open_example() as workspace, ModelServer() as server:
        for question in (REFUSED, SHOWN):
            yield from _run(question, render_answer(ask(workspace, question)))
        server.script(Json({"sentences": list(ERRING)}), Json({"sentences": list(MENDED)}))
        judge = {"FOUNDRY_VALIDATION__VERIFIER": "none"}
        with open_online(workspace.root, server.openai, **judge) as online:
            yield from _run(REPAIRED, render_answer(ask(online, REPAIRED)))


def _run(question: str, text: str) -> Iterator[str]:
    yield f'```console\n$ foundry ask "{question}"\n{text}\n```\n'
