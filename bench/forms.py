"""The three forms of an outcome, from real runs over the example project.

The refusal and the passages need no model. The repaired answer needs one that errs: a scripted model server on loopback, called through LiteLLM
like any other, says one wrong number, one sentence without a source, and cites the wrong passage.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.startup import EXAMPLE
from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.render.answer import render_answer
from foundry.workspace import open_workspace
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


def measure(_data: Path | None) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, ModelServer() as server:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
            for question in (REFUSED, SHOWN):
                yield from _run(question, render_answer(ask(workspace, question)))
        server.script(Json({"sentences": list(ERRING)}), Json({"sentences": list(MENDED)}))
        environment = {
            "FOUNDRY_MODE": "online",
            "FOUNDRY_GENERATION__MODEL": "openai/scripted",
            "FOUNDRY_VALIDATION__VERIFIER": "none",
            "OPENAI_API_KEY": "unused",
            "OPENAI_API_BASE": server.openai,
        }
        with open_workspace(root, environment=environment, cwd=root) as workspace:
            yield from _run(REPAIRED, render_answer(ask(workspace, REPAIRED)))


def _run(question: str, text: str) -> Iterator[str]:
    yield "```console"
    yield f'$ foundry ask "{question}"'
    yield text
    yield "```"
    yield ""
