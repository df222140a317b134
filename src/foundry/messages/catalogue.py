"""One catalogue for every notice, reason, error and label: ``{en,nl}/AREA.ftl``, in Fluent.

Below the faces, code makes a ``Message``: a code with parameters. A face chooses the language
once (``use_language``) and formats the message when it shows it. The area of a code is its first
word: ``gate-below-threshold`` is in ``gate.ftl``. A file is read when one of its codes is first
formatted. The syntax is that of Project Fluent, https://projectfluent.org.

A code without a text, or a text that misses a parameter, never loses the message: the code and
its parameters are shown instead.

A text names an action by its command: ``foundry ingest``. A terminal shows that. A page has a place
for some actions, the API a route for more; whatever is left can only be done on the server, and is
said to be. So a text is written once, for all faces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, get_args

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle


Language = Literal["en", "nl"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Parameter = Union[str, int, float, date, datetime, "Message", Sequence["Parameter"], None]
"""What a message may contain. A list of texts is joined by commas, a list of messages by spaces,
as sentences are; None is empty text. Where ``problem`` is a message, a text may also use
``$problem-fix``: the fix of that message, or nothing.

Numbers are written as the language writes them (``1,234.5``, ``1.234,5``): give a year, a page or
an id as text.
"""

_MAX_VALUE = 2_000
_LOCALES = {"en": "en-GB", "nl": "nl-NL"}
_COMMENT = re.compile(r"^#.*\n?", re.MULTILINE)
_ENTRY = re.compile(r"^([a-z][\w-]*) *= *", re.MULTILINE)
_ATTRIBUTE = re.compile(r"\n +\.([a-z][\w-]*) *= *")
_language: ContextVar[Language] = ContextVar("language", default="en")
_face: ContextVar[Face] = ContextVar("face", default="terminal")


class Message:
    """A code with its parameters. ``str()`` gives its words in the current language.

    Two messages are equal if codes and parameters are. ``verbatim`` is the code for text that
    comes from outside: ``Message("verbatim", text=...)``.
    """

    __slots__ = ("code", "params")

    code: str
    params: Mapping[str, Parameter]

    def __init__(self, code: str, /, **params: Parameter) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "params", {name: _freeze(params[name]) for name in params})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"A message cannot be changed: {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self.code == other.code and self.params == other.params

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.params.items(), key=lambda item: item[0]))))

    def __repr__(self) -> str:
        params = "".join(f", {name}={value!r}" for name, value in self.params.items())
        return f"Message({self.code!r}{params})"

    def __str__(self) -> str:
        return format_message(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.code, dict(self.params))

    def to_dict(self) -> dict[str, Any]:
        """``{"code", "params"}`` as JSON knows it; dates become ISO text."""
        params = {name: _encode(value) for name, value in self.params.items()}
        return {"code": self.code, "params": params}

    @classmethod
    def from_dict(cls, value: Message | str | Mapping[str, Any]) -> Message:
        """The message of ``to_dict``; plain text, as older versions saved it, is verbatim."""
        if isinstance(value, Message):
            return value
        if isinstance(value, str):
            return cls("verbatim", text=value)
        params = {name: _decode(item) for name, item in value["params"].items()}
        return _rebuild(value["code"], params)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        # Saved records and wire models contain messages. Imported here: a command that reads no
        # saved record needs no Pydantic.
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            cls.from_dict,
            serialization=core_schema.plain_serializer_function_ser_schema(cls.to_dict),
        )


def _rebuild(code: str, params: Mapping[str, Parameter]) -> Message:
    return Message(code, **params)


def _freeze(value: Parameter) -> Parameter:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(_freeze(item) for item in value)
    return value


def _encode(value: Parameter) -> Any:
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_encode(item) for item in value]
    return value


def _decode(value: Any) -> Parameter:
    if isinstance(value, dict):
        return Message.from_dict(value)
    if isinstance(value, list):
        return tuple(_decode(item) for item in value)
    parameter: Parameter = value
    return parameter


def get_language() -> Language:
    """The language that messages are formatted in here."""
    return _language.get()


def set_language(language: Language) -> None:
    """Format messages in that language from now on, until the enclosing ``use_language`` ends."""
    _language.set(language)


def set_face(face: Face) -> None:
    """Say from now on what to do as somebody at that face can, until the enclosing ``use_face`` ends."""
    _face.set(face)


@contextmanager
def use_face(face: Face) -> Iterator[None]:
    """The same inside the ``with`` block, in this thread or task."""
    token = _face.set(face)
    try:
        yield
    finally:
        _face.reset(token)


@contextmanager
def use_language(language: Language) -> Iterator[None]:
    """Format messages in that language inside the ``with`` block, in this thread or task."""
    token = _language.set(language)
    try:
        yield
    finally:
        _language.reset(token)


def format_message(
    message: Message | str, language: Language | None = None, *, attribute: str = ""
) -> str:
    """The words of a message in a language, by default the current one.

    ``attribute`` asks for a second text of the code, such as an error's ``fix``; if the code has
    none, a message in the parameters may, and otherwise it is empty. A string is returned unchanged.
    """
    if isinstance(message, str):
        return message
    language = language or get_language()
    params = _render_params(message, language)
    text = _find_text(message.code, language, params, attribute)
    if text is not None:
        return text
    return (
        _find_inner(message, language, attribute) if attribute else _spell_out(message.code, params)
    )


def _find_inner(message: Message, language: Language, attribute: str) -> str:
    """The attribute's text of the first message in the parameters that has one."""
    inner = [value for value in message.params.values() if isinstance(value, Message)]
    texts = (format_message(value, language, attribute=attribute) for value in inner)
    return next(filter(None, texts), "")


def _render_params(message: Message, language: Language) -> dict[str, Any]:
    params = {name: _render(value, language) for name, value in message.params.items()}
    fixes = {
        f"{name}-fix": format_message(value, language, attribute="fix")
        for name, value in message.params.items()
        if isinstance(value, Message)
    }
    return {**fixes, **params}


@dataclass(frozen=True, slots=True)
class Words:
    """The catalogue in one language, for a document or a report: ``words("document-title")``."""

    language: Language

    def __call__(self, code: str, /, **params: Parameter) -> str:
        return self.format(Message(code, **params))

    def format(self, message: Message | str) -> str:
        """The words of a message; a string is returned unchanged."""
        return format_message(message, self.language)


def choose_language(language: str | None) -> Language:
    """That language if the catalogue has it, else English."""
    return "nl" if language == "nl" else "en"


def _find_text(
    code: str, language: Language, params: Mapping[str, Any], attribute: str
) -> str | None:
    area, face = code.partition("-")[0], _face.get()
    texts = _read_area(language, area, face)
    if (code, attribute) not in texts:
        return None
    plain = texts[code, attribute]
    if plain is not None:
        return plain
    bundle = _load_area(language, area, face)
    entry = bundle.get_message(code)
    pattern = entry.attributes.get(attribute) if attribute else entry.value
    if pattern is None:
        return None
    # The library refuses longer values, against expansion; here they are data, put in afterwards.
    long = {
        name: value
        for name, value in params.items()
        if isinstance(value, str) and len(value) > _MAX_VALUE
    }
    marks = {name: f"\ue000{name}\ue001" for name in long}
    try:
        filled, errors = bundle.format_pattern(pattern, {**params, **marks})
    except ArithmeticError:  # infinity has no plural form and no digits
        return _spell_out(code, params)
    text = str(filled)
    for name, value in long.items():
        text = text.replace(f"\ue000{name}\ue001", value)
    # The last part of a text may be empty, such as the fix of a message that has none.
    return _spell_out(code, params) if errors else text.rstrip(" ")


def _spell_out(code: str, params: Mapping[str, Any]) -> str:
    values = ", ".join(f"{name}: {value}" for name, value in params.items())
    return f"{code} ({values})" if values else code


def _render(value: Parameter, language: Language) -> Any:
    if value is None:
        return ""
    if isinstance(value, Message):
        return format_message(value, language)
    if isinstance(value, Sequence) and not isinstance(value, str):
        glue = " " if all(isinstance(item, Message) for item in value) else ", "
        text = glue.join(str(_render(item, language)) for item in value)
        # A message on a line of its own needs no space before it.
        return text.replace(" \n", "\n")
    return value


def _name(language: Language, code: str) -> str:
    return format_message(Message(code), language)


@cache
def _read_area(language: Language, area: str, face: Face) -> Mapping[tuple[str, str], str | None]:
    """The texts of an area by code and attribute; None for a text that Fluent must fill in."""
    _, *parts = _ENTRY.split(_COMMENT.sub("", _read_file(language, area, face)))
    texts = {}
    for code, block in zip(parts[::2], parts[1::2], strict=True):
        value, *attributes = _ATTRIBUTE.split(block)
        found = [("", value), *zip(attributes[::2], attributes[1::2], strict=True)]
        for attribute, text in found:
            if text.strip():
                texts[code, attribute] = None if "{" in text else _join_lines(text)
    return texts


def _join_lines(text: str) -> str:
    """A text without the indentation that all its lines after the first share."""
    first, *rest = text.split("\n")
    indent = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip()), default=0)
    return "\n".join([first, *(line[indent:] for line in rest)]).strip("\n").rstrip()


def _read_file(language: Language, area: str, face: Face) -> str:
    """An area's file; its actions named before anything is filled in: what is quoted stays as it is."""
    path = Path(__file__).parent / language / f"{area}.ftl"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return name_actions(text, face, partial(_name, language))


@cache
def _load_area(language: Language, area: str, face: Face) -> FluentBundle:
    # Imported here: it takes about 60 ms, and a text without placeholders needs none of it.
    from fluent.runtime import FluentBundle, FluentResource

    # Directional marks around every parameter would be copied from terminals into documents.
    bundle = FluentBundle([_LOCALES[language]], use_isolating=False)
    bundle.add_resource(FluentResource(_read_file(language, area, face)))
    return bundle


Face = Literal["terminal", "page", "api"]

PLACES = (
    "ingest",
    "sources",
    "sources list",
    "sources show",
    "sources remove",
    "correction add",
    "correction blocks",
    "correction list",
    "correction remove",
    "log list",
    "search",
    "agent list",
    "agent new",
    "feature list",
    "feature new",
    "feature check",
    "feature approve",
    "generate",
    "draft list",
    "draft verify",
    "draft accept",
    "eval runs",
    "table list",
    "table show",
    "token list",
    "token new",
    "token revoke",
)
"""Commands that have a place on the pages, which ``action-COMMAND`` names."""
ROUTES = {
    "ingest": "POST /api/v2/ingest",
    "sources": "GET /api/v2/sources",
    "sources list": "GET /api/v2/sources",
    "sources show": "GET /api/v2/sources/ID",
    "sources remove": "DELETE /api/v2/sources/ID",
    "sources link": "POST /api/v2/sources/ID/older",
    "sources unlink": "DELETE /api/v2/sources/ID/older",
    "correction list": "GET /api/v2/corrections",
    "correction blocks": "GET /api/v2/sources/ID/blocks",
    "correction add": "POST /api/v2/sources/ID/corrections",
    "correction remove": "DELETE /api/v2/corrections/ID",
    "work list": "GET /api/v2/jobs",
    "log list": "GET /api/v2/log",
    "log feedback": "POST /api/v2/log/ID/feedback",
    "search": "POST /api/v2/search",
    "agent list": "GET /api/v2/agents",
    "feature list": "GET /api/v2/features",
    "feature check": "GET /api/v2/features/NAME/check",
    "feature approve": "POST /api/v2/features/NAME/approve",
    "generate": "POST /api/v2/drafts",
    "draft list": "GET /api/v2/drafts",
    "draft verify": "GET /api/v2/drafts/PATH/verification",
    "draft accept": "POST /api/v2/drafts/PATH/accept",
    "eval run": "POST /api/v2/evaluation/runs/stream",
    "eval runs": "GET /api/v2/evaluation/runs",
    "table run": "POST /api/v2/tables",
    "table list": "GET /api/v2/tables",
    "table show": "GET /api/v2/tables/NAME",
    "table review": "POST /api/v2/tables/NAME/review",
    "doctor": "GET /api/v2/doctor",
}
"""Commands that have a route."""

_NAMED = "|".join(sorted(ROUTES, key=len, reverse=True))
_COMMAND = re.compile(rf"`foundry ([^`]+)`|\bfoundry ({_NAMED})\b")
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)?")


def name_actions(text: str, face: Face, name: Callable[[str], str]) -> str:
    """A text of the catalogue, in Fluent, whose commands are what the face has in their place.

    ``name`` gives the words of a code.
    """
    if face == "terminal":
        return text

    def replace(found: re.Match[str]) -> str:
        command = found[1] or found[2]
        words = _WORDS.match(command)
        # An option, as of ``ingest --prune``, is another action.
        key = words[0] if words and "--" not in command else ""
        if face == "api" and key in ROUTES:
            return f"`{ROUTES[key]}`"
        if face == "page" and key in PLACES:
            return name(f"action-{key.replace(' ', '-')}")
        return f"`{command}` {name('action-server')}"

    return _COMMAND.sub(replace, text)
