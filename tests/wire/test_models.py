"""The wire models: complete, strict, and available as JSON Schema."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message
from foundry.records import Approval, Job, QueryRecord, Source, Token, UnreadFile, Usage
from foundry.wire.base import ErrorJson, build_document, get_model
from foundry.wire.commands import DOCUMENTS, MODELS
from foundry.wire.evaluation import EvalRunJson
from foundry.wire.extraction import ExtractionRunJson


@pytest.mark.parametrize("command", MODELS)
def test_every_document_has_a_json_schema_without_optional_fields(command: str) -> None:
    schema = MODELS[command].model_json_schema()
    assert schema["required"] == list(schema["properties"])


def test_a_field_that_is_not_documented_is_refused() -> None:
    with pytest.raises(ValidationError, match="surplus"):
        get_model(Usage).model_validate({**build_document(Usage()).model_dump(), "surplus": 1})


def test_a_time_keeps_its_offset() -> None:
    approval = Approval("Ann", datetime(2026, 3, 1, 12, tzinfo=UTC), "hash")
    assert build_document(approval).model_dump()["time"] == "2026-03-01T12:00:00+00:00"


def test_every_document_has_its_own_name() -> None:
    models = {*MODELS.values(), EvalRunJson, ExtractionRunJson, ErrorJson}
    assert len(DOCUMENTS) == len(models)


def test_a_schema_has_its_version_and_admits_later_keys() -> None:
    schema = get_model(Usage).build_schema()
    assert schema["$id"] == "foundry.usage/2"
    assert "additionalProperties" not in schema


@dataclass(frozen=True, slots=True)
class _Reading:
    value: Annotated[float, Doc("0 to 1", digits=2)]
    secret: Annotated[str, HIDDEN]
    doubt: Annotated[Message | None, Doc(plain=True)] = None
    seen: tuple[Message, ...] = ()

    @property
    def name(self) -> Annotated[str, Doc("of the meter")]:
        return "A1"

    @property
    def inner(self) -> str:
        return "not documented"


_READING = _Reading(0.123, "secret", Message("verbatim", text="unsure"), (Message("a"),))


def test_a_record_goes_out_with_its_documented_properties_and_without_hidden_fields() -> None:
    document = build_document(_READING).model_dump()
    assert list(document) == ["value", "doubt", "seen", "name"]


def test_a_field_says_how_its_numbers_and_messages_are_written() -> None:
    document = build_document(_READING).model_dump()
    assert (document["value"], document["doubt"], document["seen"][0]["code"]) == (
        0.12,
        "unsure",
        "a",
    )


def test_the_description_of_a_field_stands_on_the_record() -> None:
    described = get_model(_Reading).build_schema()["properties"]
    assert described["value"]["description"] == "0 to 1"
    assert described["name"]["description"] == "of the meter"


def test_a_document_reads_back_what_it_wrote() -> None:
    written = build_document(_READING).model_dump(mode="json")
    assert get_model(_Reading).model_validate(written) == build_document(_READING)


def test_the_hash_of_a_token_is_in_no_document() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    token = Token("tok_1", "ci", "internal", "the hash of the secret", now, now)
    printed = MODELS["token new"].copy_fields(token, token="secret").model_dump_json()
    assert token.hash not in printed + build_document(token).model_dump_json()


@pytest.mark.parametrize(
    ("record", "hidden"),
    [
        (Token, {"hash"}),
        (Source, {"recipe", "names", "chain", "chain_place"}),
        (QueryRecord, {"shown"}),
        (UnreadFile, {"confidentiality"}),
        (Job, {"tags", "confidentiality", "embedded", "recipe", "version", "signs"}),
    ],
)
def test_json_lacks_what_a_record_keeps_to_itself(record: type[Any], hidden: set[str]) -> None:
    named = {field.name for field in fields(record)}
    assert named - set(get_model(record).model_fields) == hidden
