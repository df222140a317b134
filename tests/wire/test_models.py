"""The wire models: complete, strict, and available as JSON Schema."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from foundry.records import Approval, Usage
from foundry.wire.base import ErrorJson, UsageJson
from foundry.wire.commands import DOCUMENTS, MODELS
from foundry.wire.documents import ApprovalJson
from foundry.wire.evaluation import EvalRunJson


@pytest.mark.parametrize("command", MODELS)
def test_every_document_has_a_json_schema_without_optional_fields(command: str) -> None:
    schema = MODELS[command].model_json_schema()
    assert schema["required"] == list(schema["properties"])


def test_a_field_that_is_not_documented_is_refused() -> None:
    with pytest.raises(ValidationError, match="surplus"):
        UsageJson.model_validate({**UsageJson.from_record(Usage()).model_dump(), "surplus": 1})


def test_a_time_keeps_its_offset() -> None:
    approval = Approval("Ann", datetime(2026, 3, 1, 12, tzinfo=UTC), "hash")
    assert ApprovalJson.from_record(approval).time == "2026-03-01T12:00:00+00:00"


def test_every_document_has_its_own_name() -> None:
    models = {*MODELS.values(), EvalRunJson, ErrorJson}
    assert len(DOCUMENTS) == len(models)


def test_a_schema_has_its_version_and_admits_later_keys() -> None:
    schema = UsageJson.build_schema()
    assert schema["$id"] == "foundry.usage/2"
    assert "additionalProperties" not in schema
