"""The base of all JSON documents, and what many of them contain."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, model_validator

from foundry.messages import Message

VERSION = 2
"""Of all JSON documents. New keys keep it; it rises when a key is renamed, removed or changes its
meaning."""


@dataclass(frozen=True, slots=True)
class From:
    """Where a record has the value of a field that is called otherwise there: ``search.gate``."""

    path: str


class WireModel(BaseModel):
    """A JSON object. All its fields are present, in this order, even if they are null."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def get_name(cls) -> str:
        """The document's name: ``draft-plan`` for ``DraftPlanJson``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__.removesuffix("Json")).lower()

    @classmethod
    def get_id(cls) -> str:
        """Name and version of the document: ``foundry.draft-plan/1``."""
        return f"foundry.{cls.get_name()}/{VERSION}"

    @classmethod
    def build_schema(cls) -> dict[str, Any]:
        """The JSON Schema of the document, with ``get_id`` as its ``$id``.

        It admits keys of later versions of Foundry, which may add some.
        """
        schema = cls.model_json_schema(mode="serialization")
        for part in (schema, *schema.get("$defs", {}).values()):
            if part.get("additionalProperties") is False:
                del part["additionalProperties"]
        dialect = "https://json-schema.org/draft/2020-12/schema"
        return {"$schema": dialect, "$id": cls.get_id(), **schema}

    @classmethod
    def from_record(cls, record: Any) -> Self:
        """The JSON of a record; a model overrides it where its fields differ from the record's."""
        return cls.copy_fields(record)

    @classmethod
    def copy_fields(cls, *records: Any, **others: Any) -> Self:
        """A model of ``others``; each remaining field comes from the first record that has it."""
        missing = [name for name in cls.model_fields if name not in others]
        return cls(**{name: _find_value(cls, name, records) for name in missing}, **others)

    @model_validator(mode="wrap")
    @classmethod
    def _convert_record(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Accept a record wherever a model is expected, in fields and lists too."""
        if isinstance(value, dict | WireModel):
            return handler(value)
        return cls.from_record(value)


def _find_value(model: type[WireModel], name: str, records: Sequence[Any]) -> Any:
    for part in model.model_fields[name].metadata:
        if isinstance(part, From):
            return attrgetter(part.path)(records[0])
    return getattr(next((one for one in records if hasattr(one, name)), records[-1]), name)


def hide_places(value: Any, root: Path) -> Any:
    """A JSON value in whose texts paths are those within the project, or begin with ``~``."""
    if isinstance(value, dict):
        return {key: hide_places(item, root) for key, item in value.items()}
    if isinstance(value, list):
        return [hide_places(item, root) for item in value]
    if not isinstance(value, str):
        return value
    for place, within, alone in ((root, "", "."), (Path("~").expanduser(), f"~{os.sep}", "~")):
        if len(place.parts) > 1:
            value = value.replace(f"{place}{os.sep}", within)
            value = re.sub(rf"{re.escape(str(place))}(?![\w-])", alone, value)
    return value


class MessageJson(WireModel):
    """A message: a stable code with its parameters, and its words in the language of the call."""

    code: str
    params: dict[str, Any]
    text: str

    @classmethod
    def from_record(cls, record: Message | str) -> Self:
        """The message; text of an older version has the code ``verbatim``."""
        message = Message.from_dict(record)
        return cls(**message.to_dict(), text=str(message))

    def __str__(self) -> str:
        return self.text


class UsageJson(WireModel):
    """The calls of language models in one operation."""

    calls: int = Field(description="calls of a language model")
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = Field(description="US dollars; null if unknown")
    cached: int = Field(description="calls answered from the cache")


class ErrorMessageJson(WireModel):
    """What went wrong."""

    code: str = Field(description="stable name of the kind of error")
    message: str = Field(description="what happened")
    where: str = Field(description="at what, may be empty")
    fix: str = Field(description="what to do next, may be empty")


class ErrorJson(WireModel):
    """What a command prints if it fails."""

    error: ErrorMessageJson
    problem: MessageJson = Field(description="what happened, with its code and parameters")

    @classmethod
    def from_record(cls, error: Any) -> Self:
        """The JSON of a ``FoundryError``, or of what looks like one."""
        return cls(error=error, problem=error.problem)

    @classmethod
    def build_for_request(cls, error: Any, root: Path) -> Self:
        """The JSON of a ``FoundryError`` for a caller elsewhere, who has no command line.

        Nor does it learn where on this machine the project ``root`` is.
        """
        named = error.where.startswith("--")
        where = error.where[2:].replace("-", "_") if named else error.where
        said = ErrorMessageJson.copy_fields(error, where=where, fix=error.request_fix)
        return cls.model_validate(
            hide_places(cls(error=said, problem=error.problem).model_dump(mode="json"), root)
        )


class SchemaEntryJson(WireModel):
    name: str = Field(description="of the document: foundry schema NAME prints its JSON Schema")
    id: str = Field(description="name and version, the schema's $id")
    commands: list[str] = Field(
        description="that print it with --json; none for error and eval-run"
    )


class SchemaListJson(WireModel):
    schemas: list[SchemaEntryJson]
