"""JSON documents: records as JSON, and the base of those that differ from a record."""

from __future__ import annotations

import inspect
import os
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from operator import attrgetter
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    create_model,
    model_validator,
)
from pydantic.fields import FieldInfo

from foundry.doc import HIDDEN, Doc
from foundry.messages import Message

VERSION = 2
"""Of all JSON documents. New keys keep it; it rises when a key is renamed, removed or changes its
meaning."""


def round_to(digits: int) -> AfterValidator:
    """Rounds a number to so many decimals, and leaves null alone."""
    return AfterValidator(lambda value: None if value is None else round(value, digits))


def _format_iso(value: date | str) -> str:
    return value.isoformat() if isinstance(value, date) else value


Text = Annotated[str, BeforeValidator(str)]
Timestamp = Annotated[str, BeforeValidator(_format_iso), Field(description="ISO 8601")]
Day = Annotated[str, BeforeValidator(_format_iso)]
_KNOWN: dict[Any, Any] = {datetime: Timestamp, date: Day, Path: Text}
"""How JSON has a type that it does not know."""


@dataclass(frozen=True, slots=True)
class From:
    """Where a record has the value of a field that is called otherwise there: ``search.gate``."""

    path: str


class WireModel(BaseModel):
    """A JSON object. All its fields are present, in this order, even if they are null.

    The type of a field may be a record, or have records in it: JSON has them as ``get_model`` says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **_config: Any) -> None:
        for field in cls.__pydantic_fields__.values():
            field.annotation = _convert(field.annotation)
            notes = list(_convert_notes(field.metadata))
            described = [note.description for note in notes if isinstance(note, FieldInfo)]
            field.description = field.description or next(reversed(described), None)
            field.metadata = [note for note in notes if not isinstance(note, FieldInfo)]

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


class RecordModel(WireModel):
    """What a record has in JSON, and more: ``class NewTokenJson(RecordModel, of=Token)``."""

    def __init_subclass__(cls, of: type[Any], **config: Any) -> None:
        super().__init_subclass__(**config)

    @classmethod
    def __pydantic_init_subclass__(cls, **config: Any) -> None:
        super().__pydantic_init_subclass__(**config)
        recorded = get_model(config["of"]).__pydantic_fields__
        cls.__pydantic_fields__ = {**recorded, **cls.__pydantic_fields__}

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What it has of its record."""


def _find_value(model: type[WireModel], name: str, records: Sequence[Any]) -> Any:
    for part in model.model_fields[name].metadata:
        if isinstance(part, From):
            return attrgetter(part.path)(records[0])
    return getattr(next((one for one in records if hasattr(one, name)), records[-1]), name)


_MODELS: dict[type[Any], type[WireModel]] = {}


def get_model(kind: type[Any]) -> type[WireModel]:
    """The JSON of a record: its fields that are not ``HIDDEN``, and its properties with a ``Doc``.

    That of a model is itself.
    """
    if issubclass(kind, WireModel):
        return kind
    if kind not in _MODELS:
        name = f"{kind.__name__.removesuffix('Report')}Json"
        members: dict[str, Any] = dict(_list_members(kind))
        _MODELS[kind] = create_model(name, __base__=WireModel, **members)
    return _MODELS[kind]


def build_document(record: Any) -> WireModel:
    """The JSON of a record, or what already is one."""
    return record if isinstance(record, WireModel) else get_model(type(record)).from_record(record)


def _list_members(kind: type[Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        notes = get_args(hints[field.name])[1:]
        if HIDDEN not in notes:
            yield field.name, (_convert(hints[field.name]), ...)
    for name, member in inspect.getmembers(kind, lambda member: isinstance(member, property)):
        hint = get_type_hints(member.fget, include_extras=True)["return"]
        if any(isinstance(note, Doc) for note in get_args(hint)):
            yield name, (_convert(hint), ...)


def _convert(kind: Any, message: Any = None) -> Any:
    """The type of a field as JSON has it; ``message`` is how it has a message."""
    if kind is Message:
        return message or MessageJson
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        plain = any(isinstance(note, Doc) and note.plain for note in arguments)
        shown = _convert(arguments[0], Text if plain else message)
        for note in _convert_notes(arguments[1:]):
            shown = Annotated[shown, note]
        return shown
    if origin is Literal or not arguments:
        known: Any = _KNOWN.get(kind, kind)
        return get_model(known) if isinstance(known, type) and is_dataclass(known) else known
    if Message in arguments:
        # Text of an older version stands for a message.
        arguments = tuple(argument for argument in arguments if argument is not str)
    inner = tuple(_convert(argument, message) for argument in arguments)
    if origin in (Union, types.UnionType):
        return Union[inner]  # noqa: UP007 - of types that are known only now
    if issubclass(origin, Mapping):
        return types.GenericAlias(dict, inner)
    return types.GenericAlias(list, inner[:1])


def _convert_notes(notes: Sequence[Any]) -> Iterator[Any]:
    for note in notes:
        if not isinstance(note, Doc):
            yield note
            continue
        if note.digits is not None:
            yield round_to(note.digits)
        if note.text:
            yield Field(description=note.text)


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


class ErrorMessageJson(WireModel):
    """What went wrong."""

    code: str = Field(description="stable name of the kind of error")
    message: str = Field(description="what happened")
    where: str = Field(description="at what, may be empty")
    fix: str = Field(description="what to do next, may be empty")


class ErrorJson(WireModel):
    """What a command prints if it fails."""

    error: ErrorMessageJson
    problem: Message = Field(description="what happened, with its code and parameters")

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
