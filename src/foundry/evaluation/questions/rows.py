"""One row of a file, a mapping of fields, as a question: liberal in names, strict in meaning.

A row is read as written; ``places`` finds which source of the project a name refers to. A row that
cannot be understood is refused with the reason, never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args

from foundry.analysis.languages import UNKNOWN, list_languages
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.doc import Doc
from foundry.errors import UsageError
from foundry.ids import hash_text
from foundry.journeys.question import MAX_QUERY_LENGTH
from foundry.messages import Message, Parameter, format_message
from foundry.records import Origin

DEFAULT_SET: Final = "questions"
NAMED = 5
"""How many left-out things a notice names; the rest is counted. More would not fit two lines."""
_LONGEST = 80
_TRUE = frozenset({"true", "yes", "y", "1", "1.0", "ja", "j", "waar", "x"})
_FALSE = frozenset({"false", "no", "n", "0", "0.0", "nee", "onwaar"})
_PAIR = re.compile(r"(\d{1,15})\s*[-–:]\s*(\d{1,15})")
_SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_MAX_ID = 200
_ID_DIGITS = 10
_LANGUAGE_NAMES = {
    **{name.lower(): code for code, name in LANGUAGE_NAMES.items()},
    "dut": "nl", "nld": "nl", "nederlands": "nl", "vlaams": "nl", "eng": "en", "engels": "en",
    "deu": "de", "ger": "de", "duits": "de", "deutsch": "de", "fra": "fr", "fre": "fr", "frans": "fr",
}  # fmt: skip
_NAMES = {
    "text": "text question query vraag",
    "id": "id _id qid query_id question_id",
    "set": "set",
    "sources": "source sources expected expected_source expected_sources doc docs document documents "
    "file files bron bronnen bestand",
    "also": "also",
    "page": "page pagina",
    "section": "section paragraaf",
    "time": "time",
    "spans": "spans span",
    "quotes": "quote quotes references citaat",
    "relevance": "relevance",
    "answers": "answer answers expected_answer expected_answers correct_answer reference_answer gold "
    "gold_answer antwoord verwacht_antwoord",
    "answerable": "answerable beantwoordbaar",
    "unanswerable": "unanswerable is_impossible",
    "language": "language lang taal",
    "tags": "tag tags kind category",
    "note": "note notes",
    "origin": "origin",
    "reviewed": "reviewed",
    "": "metadata",
}
_FIELDS = {name: ours for ours, names in _NAMES.items() for name in names.split()}
"""A file's field names, in lower case → ours; fields mapped to "" are ignored without a notice."""
_PLACE = ("page", "section", "time", "spans", "quotes", "relevance")


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was left out, and why."""

    file: str
    line: Annotated[int | None, Doc("from 1")]
    reason: Message
    id: str | None = None

    @property
    def fix(self) -> Annotated[str, Doc()]:
        """What to do next, where the reason says so."""
        return format_message(self.reason, attribute="fix")

    @property
    def where(self) -> str:
        """``questions.jsonl:7``."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class UnusableLine(Exception):
    """Raised by a reader of rows: why the row cannot be used."""

    def __init__(self, code: str, **params: Parameter) -> None:
        self.reason = Message(code, **params)
        super().__init__(self.reason)


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place as a file names it: ``source`` is a path, a file name, a title or an id."""

    source: str
    spans: tuple[tuple[int, int], ...] = ()
    quotes: tuple[str, ...] = ()
    page: int | None = None
    section: str | None = None
    time: float | None = None
    relevance: int = 1


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question as a file states it; None where the file says nothing. ``line`` starts at 1."""

    text: str
    file: str = ""
    line: int | None = None
    id: str | None = None
    set: str | None = None
    answerable: bool | None = None
    language: str | None = None
    places: tuple[NamedPlace, ...] = ()
    answers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""
    origin: Origin | None = None
    reviewed: bool | None = None
    ignored: tuple[str, ...] = ()


def first_few(names: Sequence[Message | str], most: int = NAMED) -> Message | str:
    """The first names and how many more there are: ``d1, d2, d3 and 4 more``."""
    # A name from a file may be as long as the file; a place has its line at the end.
    half = _LONGEST // 2
    cut = (
        f"{name[: half - 1]}…{name[-half:]}"
        if isinstance(name, str) and len(name) > _LONGEST
        else name
        for name in names[:most]
    )
    more, shown = len(names) - most, join_names([*cut])
    return Message("eval-first-few", names=shown, n=more) if more > 0 else shown


def join_names(names: Sequence[Message | str]) -> Message | str:
    """The names with commas between them; a list of messages would be read as sentences."""
    joined: Message | str = names[0] if names else ""
    for name in names[1:]:
        joined = Message("eval-names", first=joined, other=name)
    return joined


def read_row(fields: Mapping[str, Any], file: str = "", line: int | None = None) -> QuestionRow:
    """The question of a row. Raises ``UnusableLine`` with the reason and a fix."""
    known, ignored = _sort_fields(fields)
    identity, set_name = (_get_first(known, name) for name in ("id", "set"))
    answers = tuple(
        dict.fromkeys(a for value in known.get("answers", ()) for a in _as_texts(value))
    )
    tags = (tag for value in known.get("tags", ()) for text in _as_texts(value)
            for tag in re.split(r"[,;]", text))  # fmt: skip
    places = _read_places(known)
    left_open = "answerable" in fields and fields["answerable"] is None
    origin = _read_optional(known, "origin")
    return QuestionRow(
        text=_read_question(known.get("text", ())),
        file=file,
        line=line,
        id=None if identity is None else check_id(_as_text(identity, "id")),
        set=None if set_name is None else check_set(_as_text(set_name, "set")),
        answerable=None if left_open else _read_answerable(known, places, answers),
        language=_read_optional(known, "language"),
        places=places,
        answers=answers,
        tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        note=_read_optional(known, "note") or "",
        origin=next((one for one in get_args(Origin) if one == origin), None),
        reviewed=_read_flag(known, "reviewed"),
        ignored=ignored,
    )


def find_field(name: str) -> str | None:
    """Our name for a file's field; empty for an ignored field, None for an unknown one."""
    return _FIELDS.get(name.strip(" \t*:?").lower().replace(" ", "_"))


def _sort_fields(fields: Mapping[str, Any]) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """Values under our names, without empty ones; and the names of unknown fields."""
    known: dict[str, list[Any]] = {}
    for name, value in fields.items():
        ours = find_field(str(name))
        if ours and value is not None and value != "":
            known.setdefault(ours, []).append(value)
    return known, tuple(str(name) for name in fields if find_field(str(name)) is None)


def _read_question(values: Sequence[Any]) -> str:
    if not values:
        raise UnusableLine("eval-row-no-question")
    if not isinstance(values[0], str):
        raise _invalid("question", values[0], "text")
    text = " ".join(_as_text(values[0], "question").split())
    if not text:
        raise UnusableLine("eval-row-no-question")
    if len(text) > MAX_QUERY_LENGTH:
        raise UnusableLine("eval-row-question-too-long", n=len(text), limit=MAX_QUERY_LENGTH)
    return text


def _read_answerable(
    known: Mapping[str, list[Any]], places: Sequence[NamedPlace], answers: Sequence[str]
) -> bool | None:
    label, opposite = _read_flag(known, "answerable"), _read_flag(known, "unanswerable")
    if label is not None and label is opposite:
        raise UnusableLine("eval-row-contradicts-itself")
    if label is None and opposite is not None:
        label = not opposite
    if label is False and places:
        raise UnusableLine("eval-row-unanswerable-with-place")
    # Naming a place or an answer implies that there is one.
    return True if label is None and (places or answers) else label


def _read_places(known: Mapping[str, list[Any]]) -> tuple[NamedPlace, ...]:
    """All places; a page, section, span or quote beside them narrows the first."""
    named = [place for value in known.get("sources", ()) for place in _list_places(value)]
    narrowing = {name: known[name][0] for name in _PLACE if name in known}
    if narrowing and not named:
        raise UnusableLine("eval-row-no-source", names=list(narrowing))
    if narrowing:
        named[0] = {**narrowing, **named[0]}
    named += [place for value in known.get("also", ()) for place in _list_places(value)]
    return tuple(place for place in map(_read_place, named) if place.relevance > 0)


def _list_places(value: Any) -> list[dict[str, Any]]:
    """The value of ``source`` as objects: a name, an object, or a list of either."""
    if isinstance(value, str):
        return [{"source": name} for name in _as_texts(value)]
    if isinstance(value, Mapping):
        return [dict(value)]
    if isinstance(value, Sequence):
        return [place for item in value for place in _list_places(item)]
    raise _invalid("source", value, "text")


def _read_place(fields: Mapping[str, Any]) -> NamedPlace:
    known, _ = _sort_fields({**fields, **({"doc": fields["path"]} if "path" in fields else {})})
    sources = known.get("sources")
    if not sources:
        raise UnusableLine("eval-row-no-source", names=[str(name) for name in fields])
    page, time, relevance = (_get_first(known, name) for name in ("page", "time", "relevance"))
    return NamedPlace(
        source=_as_text(sources[0], "source").strip(),
        spans=tuple(pair for value in known.get("spans", ()) for pair in _as_pairs(value)),
        quotes=tuple(quote for value in known.get("quotes", ()) for quote in _as_quotes(value)),
        page=None if page is None else _as_whole(page, "page"),
        section=_read_optional(known, "section"),
        time=None if time is None else _as_number(time, "time"),
        relevance=1 if relevance is None else _as_whole(relevance, "relevance"),
    )


def _get_first(known: Mapping[str, list[Any]], name: str) -> Any:
    return known[name][0] if name in known else None


def _read_optional(known: Mapping[str, list[Any]], name: str) -> str | None:
    value = _get_first(known, name)
    return None if value is None else " ".join(_as_text(value, name).split()) or None


def _read_flag(known: Mapping[str, list[Any]], name: str) -> bool | None:
    value = _get_first(known, name)
    word = str(value).strip().lower()
    if value is None or word in _TRUE | _FALSE:
        return None if value is None else word in _TRUE
    raise _invalid(name, value, "flag")


def _invalid(name: str, value: Any, kind: str) -> UnusableLine:
    """``kind`` is what the value should be: text, flag, number, whole or spans."""
    text = repr(value)
    text = text if len(text) <= 40 else f"{text[:37]}…"
    return UnusableLine("eval-row-invalid", name=name, value=text, kind=kind)


def _as_text(value: Any, name: str) -> str:
    """A text, trimmed; a number becomes text. No text has half a character (a lone surrogate)."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _invalid(name, value, "text")
    text = str(value).strip().replace("\0", "")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _invalid(name, value, "text")
    return text


def _as_texts(value: Any) -> list[str]:
    """One text or a list of texts, without empty ones."""
    if isinstance(value, Mapping):
        return _as_texts(value.get("text", []))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [text for item in value if (text := _as_text(item, "list"))]
    return [text for text in [_as_text(value, "value")] if text]


def _as_quotes(value: Any) -> list[str]:
    """Quotes are never split at separators: a source's words may contain any."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, Mapping):
        return _as_quotes(value.get("text") or value.get("content") or "")
    if isinstance(value, Sequence):
        return [quote for item in value for quote in _as_quotes(item)]
    raise _invalid("quote", value, "text")


def _as_whole(value: Any, name: str) -> int:
    """A whole number, 0 or more."""
    number = _as_number(value, name)
    if number != int(number):
        raise _invalid(name, value, "whole")
    return int(number)


def _as_number(value: Any, name: str) -> float:
    """A number, 0 or more; accepts a decimal comma."""
    try:
        number = float(str(value).strip().replace(",", "."))
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 <= number < 1e15:
        raise _invalid(name, value, "number")
    return number


def _as_pairs(value: Any) -> list[tuple[int, int]]:
    """Spans: ``[[12, 40], …]``, ``[12, 40]``, ``{"start": 12, "end": 40}`` or ``12-40|50-60``."""
    if isinstance(value, str):
        matches = [_PAIR.fullmatch(part.strip()) for part in re.split(r"[|,;\n]", value)]
        value = [match and match.groups() for match in matches]
    if isinstance(value, Mapping):
        value = (
            value.get("start", value.get("start_index")),
            value.get("end", value.get("end_index")),
        )
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise _invalid("spans", value, "spans")
    if len(value) != 2 or any(isinstance(part, Mapping | list | tuple) for part in value):
        return [pair for item in value for pair in _as_pairs(item)]
    first, last = (_as_whole(part, "span") for part in value)
    if first >= last:
        raise _invalid("span", f"{first}-{last}", "spans")
    return [(first, last)]


def check_set(name: str) -> str:
    """The name of a set. Without a slash: the first slash of ``set/id`` separates the two.

    Raises ``UnusableLine`` for an invalid one.
    """
    if not _SET.fullmatch(name):
        raise UnusableLine("eval-set-name-invalid", name=name[:40])
    return name


def check_id(name: str) -> str:
    """A question's id: any text on one line. Raises ``UnusableLine`` otherwise."""
    if not name or _CONTROL.search(name) or len(name) > _MAX_ID:
        raise UnusableLine("eval-id-invalid", limit=_MAX_ID)
    return name


def require_set(name: str) -> str:
    """``check_set`` for a command. Raises ``UsageError``."""
    try:
        return check_set(name)
    except UnusableLine as error:
        raise UsageError(error.reason, where="--set") from error


def id_of_text(text: str) -> str:
    """The id of a question without one: equal words give the same id on every machine."""
    return f"q{hash_text(' '.join(text.split()))[:_ID_DIGITS]}"


def find_language(name: str) -> str | None:
    """The ISO 639-1 code of a language ("nl-BE", "NL", "Dutch" → nl), "und", or None."""
    plain = name.strip().lower()
    code = _LANGUAGE_NAMES.get(plain) or plain.replace("_", "-").partition("-")[0]
    code = _LANGUAGE_NAMES.get(code, code)
    return code if code == UNKNOWN or code in list_languages() else None
