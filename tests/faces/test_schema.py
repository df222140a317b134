"""``foundry schema``: the JSON Schema of every document."""

from __future__ import annotations

import json

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run


def test_the_list_names_every_document_and_its_commands(run: Run) -> None:
    outcome = run("schema", "--json")
    assert MODELS["schema"].model_validate(outcome.json)
    answer = next(item for item in outcome.json["schemas"] if item["name"] == "answer")
    assert answer == {"name": "answer", "id": "foundry.answer/2", "commands": ["ask"]}


def test_a_schema_is_printed_by_name(run: Run) -> None:
    schema = json.loads(run("schema", "draft-plan").out)
    assert schema["$id"] == "foundry.draft-plan/2"
    assert "budget" in schema["required"]


def test_an_unknown_name_is_refused_with_the_way_to_the_list(run: Run) -> None:
    outcome = run("schema", "nonesuch")
    assert outcome.status == 2
    assert "foundry schema" in outcome.err
