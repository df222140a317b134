"""One row of a file, a mapping of fields, as a question: liberal in names, strict in meaning.

A row is read as written; ``places`` finds which source of the project a name refers to. A row
that cannot be understood is refused with the reason, never guessed at. A set name has no slash, so
the first slash of ``set/id`` separates the two; an id may contain any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from foundry.analysis.languages import UNKNOWN, list_languages
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.errors import UsageError
from foundry.evaluation.lines import UnusableLine
from foundry.ids import hash_text
from foundry.journeys.question import MAX_QUERY_LENGTH
from foundry.records.evaluation import Origin

DEFAULT_SET: Final = "questions"
_TRUE = frozenset({"true", "yes", "y", "1", "ja", "j", "waar", "x"})
_FALSE = frozenset({"false", "no", "n", "0", "nee", "onwaar"})
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


def as_text(value: Any, name: str) -> str:
    """A text, trimmed; a number becomes text. Raises ``UnusableLine``."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnusableLine("eval-row-not-text", name=name)
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnusableLine("eval-row-half-character", name=name) from error
    return text.replace("\0", "")


def as_texts(value: Any) -> list[str]:
    """One text or a list of texts, without empty ones."""
    if isinstance(value, Mapping):
        return as_texts(value.get("text", []))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [text for item in value if (text := as_text(item, "list of texts"))]
    text = as_text(value, "value")
    return [text] if text else []


def as_flag(value: Any, name: str) -> bool:
    """True or false; accepts 1, 0, yes, no, ja, nee."""
    word = str(value).strip().lower()
    word = {"1.0": "1", "0.0": "0"}.get(word, word)
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise UnusableLine("eval-row-not-flag", name=name, value=_shorten(value))


def as_whole(value: Any, name: str) -> int:
    """A whole number, 0 or more."""
    number = as_number(value, name)
    if number != int(number):
        raise UnusableLine("eval-row-not-whole", name=name, value=_shorten(value))
    return int(number)


def as_number(value: Any, name: str) -> float:
    """A number, 0 or more; accepts a decimal comma."""
    try:
        number = float(str(value).strip().replace(",", "."))
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not 0 <= number < 1e15:
        raise UnusableLine("eval-row-not-number", name=name, value=_shorten(value))
    return number


def as_pairs(value: Any) -> list[tuple[int, int]]:
    """Spans: ``[[12, 40], …]``, ``[12, 40]``, ``{"start": 12, "end": 40}`` or ``12-40|50-60``."""
    if isinstance(value, str):
        return _parse_pairs(value)
    if isinstance(value, Mapping):
        return [_make_pair(value.get("start", value.get("start_index")),
                           value.get("end", value.get("end_index")))]  # fmt: skip
    if (
        isinstance(value, Sequence)
        and len(value) == 2
        and not any(isinstance(part, Mapping | list | tuple) for part in value)
    ):
        return [_make_pair(*value)]
    if isinstance(value, Sequence):
        return [pair for item in value for pair in as_pairs(item)]
    raise _invalid_spans(value)


def check_set(name: str) -> str:
    """The name of a set. Raises ``UnusableLine`` for an invalid one."""
    if not _SET.fullmatch(name):
        raise UnusableLine("eval-set-name-invalid", name=name[:40])
    return name


def check_id(name: str) -> str:
    """A question's id: any text on one line. Raises ``UnusableLine`` otherwise."""
    if not name or _CONTROL.search(name):
        raise UnusableLine("eval-id-invalid")
    if len(name) > _MAX_ID:
        raise UnusableLine("eval-id-too-long", n=len(name), limit=_MAX_ID)
    return name


def require_set(name: str, where: str = "--set") -> str:
    """``check_set`` for a command. Raises ``UsageError``."""
    try:
        return check_set(name)
    except UnusableLine as error:
        raise UsageError(error.reason, where=where) from error


def id_of_text(text: str) -> str:
    """The id of a question without one: equal words give the same id on every machine."""
    return f"q{hash_text(' '.join(text.split()))[:_ID_DIGITS]}"


def find_language(name: str) -> str | None:
    """The ISO 639-1 code of a language ("nl-BE", "NL", "Dutch" → nl), "und", or None."""
    plain = name.strip().lower()
    code = _LANGUAGE_NAMES.get(plain) or plain.replace("_", "-").partition("-")[0]
    code = _LANGUAGE_NAMES.get(code, code)
    return code if code == UNKNOWN or code in list_languages() else None


def _parse_pairs(text: str) -> list[tuple[int, int]]:
    if text.strip().startswith("["):
        try:
            return as_pairs(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise _invalid_spans(text) from error
    pairs = []
    for part in re.split(r"[|,;\n]", text):
        match = _PAIR.fullmatch(part.strip())
        if match is None:
            raise _invalid_spans(text)
        pairs.append(_make_pair(match[1], match[2]))
    return pairs


def _make_pair(start: Any, end: Any) -> tuple[int, int]:
    first, last = as_whole(start, "span"), as_whole(end, "span")
    if first >= last:
        raise UnusableLine("eval-span-empty", span=f"{first}-{last}")
    return first, last


def _invalid_spans(value: Any) -> UnusableLine:
    return UnusableLine("eval-spans-invalid", value=_shorten(value))


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


FIELDS: Final[Mapping[str, str]] = {
    "text": "text", "question": "text", "query": "text", "vraag": "text",
    "id": "id", "_id": "id", "qid": "id", "query_id": "id", "question_id": "id",
    "set": "set",
    "source": "sources", "sources": "sources", "expected": "sources", "expected_source": "sources",
    "expected_sources": "sources", "doc": "sources", "docs": "sources", "document": "sources",
    "documents": "sources", "file": "sources", "files": "sources", "bron": "sources",
    "bronnen": "sources", "bestand": "sources",
    "also": "also",
    "page": "page", "pagina": "page", "section": "section", "paragraaf": "section", "time": "time", "spans": "spans", "span": "spans",
    "quote": "quotes", "quotes": "quotes", "references": "quotes", "citaat": "quotes",
    "relevance": "relevance",
    "answer": "answers", "answers": "answers", "expected_answer": "answers",
    "expected_answers": "answers", "correct_answer": "answers", "reference_answer": "answers",
    "gold": "answers", "gold_answer": "answers", "antwoord": "answers",
    "verwacht_antwoord": "answers",
    "answerable": "answerable", "beantwoordbaar": "answerable",
    "unanswerable": "unanswerable", "is_impossible": "unanswerable",
    "language": "language", "lang": "language", "taal": "language",
    "tag": "tags", "tags": "tags", "kind": "tags", "category": "tags",
    "note": "note", "notes": "note", "origin": "origin", "reviewed": "reviewed",
    "metadata": "",
}  # fmt: skip
"""A file's field names, in lower case → ours; fields mapped to "" are ignored without a notice."""

_PLACE = ("page", "section", "time", "spans", "quotes", "relevance")


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


def read_row(fields: Mapping[str, Any], file: str = "", line: int | None = None) -> QuestionRow:
    """The question of a row. Raises ``UnusableLine`` with the reason and a fix."""
    known, ignored = _sort_fields(fields)
    text = _read_text(known.get("text", ()))
    identity = _get_first(known, "id")
    set_name = _get_first(known, "set")
    answers = tuple(dict.fromkeys(a for value in known.get("answers", ()) for a in as_texts(value)))
    places = _read_places(known)
    return QuestionRow(
        text=text,
        file=file,
        line=line,
        id=None if identity is None else check_id(as_text(identity, "id")),
        set=None if set_name is None else check_set(as_text(set_name, "set")),
        answerable=_read_answerable(
            known,
            places,
            answers,
            left_open="answerable" in fields and fields["answerable"] is None,
        ),
        language=_read_optional(known, "language"),
        places=places,
        answers=answers,
        tags=tuple(dict.fromkeys(t for value in known.get("tags", ()) for t in _split_tags(value))),
        note=_read_optional(known, "note") or "",
        origin=_read_origin(_read_optional(known, "origin")),
        reviewed=_read_flag(known, "reviewed"),
        ignored=ignored,
    )


def field_of(name: str) -> str | None:
    """Our name for a file's field; empty for an ignored field, None for an unknown one."""
    return FIELDS.get(name.strip(" \t*:?").lower().replace(" ", "_"))


def _sort_fields(fields: Mapping[str, Any]) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """Values under our names, without empty ones; and the names of unknown fields."""
    known: dict[str, list[Any]] = {}
    ignored = []
    for name, value in fields.items():
        ours = field_of(str(name))
        if ours is None:
            ignored.append(str(name))
        elif ours and value is not None and value != "":
            known.setdefault(ours, []).append(value)
    return known, tuple(ignored)


def _read_text(values: Sequence[Any]) -> str:
    if not values:
        raise UnusableLine("eval-row-no-question")
    if not isinstance(values[0], str):
        raise UnusableLine("eval-row-question-not-text")
    text = " ".join(values[0].split())
    if not text:
        raise UnusableLine("eval-row-question-empty")
    if len(text) > MAX_QUERY_LENGTH:
        raise UnusableLine("eval-row-question-too-long", n=len(text), limit=MAX_QUERY_LENGTH)
    return as_text(text, "text")


def _read_answerable(
    known: Mapping[str, list[Any]],
    places: Sequence[NamedPlace],
    answers: Sequence[str],
    left_open: bool,
) -> bool | None:
    """``left_open``: the row states ``answerable: null``."""
    label = _read_flag(known, "answerable")
    if label is None and left_open:
        return None
    opposite = _read_flag(known, "unanswerable")
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
        first = named[0]
        named[0] = {**narrowing, **first}
    named += [place for value in known.get("also", ()) for place in _list_places(value)]
    places = [_read_place(fields) for fields in named]
    return tuple(place for place in places if place.relevance > 0)


def _list_places(value: Any) -> list[dict[str, Any]]:
    """The value of ``source`` as objects: a name, an object, or a list of either."""
    if isinstance(value, str):
        return [{"source": name} for name in as_texts(value)]
    if isinstance(value, Mapping):
        return [dict(value)]
    if isinstance(value, Sequence):
        return [place for item in value for place in _list_places(item)]
    raise UnusableLine("eval-row-source-invalid")


def _read_place(fields: Mapping[str, Any]) -> NamedPlace:
    known, _ = _sort_fields({**fields, **({"doc": fields["path"]} if "path" in fields else {})})
    sources = known.get("sources")
    if not sources:
        raise UnusableLine("eval-row-place-no-source")
    page, time = _get_first(known, "page"), _get_first(known, "time")
    relevance = _get_first(known, "relevance")
    return NamedPlace(
        source=as_text(sources[0], "source").strip(),
        spans=tuple(pair for value in known.get("spans", ()) for pair in as_pairs(value)),
        quotes=tuple(quote for value in known.get("quotes", ()) for quote in _read_quotes(value)),
        page=None if page is None else as_whole(page, "page"),
        section=_read_optional(known, "section"),
        time=None if time is None else as_number(time, "time"),
        relevance=1 if relevance is None else as_whole(relevance, "relevance"),
    )


def _read_quotes(value: Any) -> list[str]:
    """Quotes are never split at separators: a source's words may contain any."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, Mapping):
        return _read_quotes(value.get("text") or value.get("content") or "")
    if isinstance(value, Sequence):
        return [quote for item in value for quote in _read_quotes(item)]
    raise UnusableLine("eval-row-quote-not-text")


def _split_tags(value: Any) -> list[str]:
    return [
        tag.strip() for text in as_texts(value) for tag in re.split(r"[,;]", text) if tag.strip()
    ]


def _read_origin(value: str | None) -> Origin | None:
    return next((origin for origin in get_args(Origin) if origin == value), None)


def _get_first(known: Mapping[str, list[Any]], name: str) -> Any:
    return known[name][0] if name in known else None


def _read_optional(known: Mapping[str, list[Any]], name: str) -> str | None:
    value = _get_first(known, name)
    return None if value is None else " ".join(as_text(value, name).split()) or None


def _read_flag(known: Mapping[str, list[Any]], name: str) -> bool | None:
    value = _get_first(known, name)
    return None if value is None else as_flag(value, name)
