"""One row of a file, a mapping of fields, as a question: liberal in names, strict in meaning.

A row is read as written; ``places`` finds which source of the project a name refers to. A row
that cannot be understood is refused with the reason, never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from foundry.evaluation.questions.fields import (
    UnusableRow,
    as_flag,
    as_number,
    as_pairs,
    as_text,
    as_texts,
    as_whole,
    check_id,
    check_set,
)
from foundry.journeys.question import MAX_QUERY_LENGTH
from foundry.records.evaluation import Origin

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
    """The question of a row. Raises ``UnusableRow`` with the reason and a fix."""
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
        raise UnusableRow("eval-row-no-question")
    if not isinstance(values[0], str):
        raise UnusableRow("eval-row-question-not-text")
    text = " ".join(values[0].split())
    if not text:
        raise UnusableRow("eval-row-question-empty")
    if len(text) > MAX_QUERY_LENGTH:
        raise UnusableRow("eval-row-question-too-long", n=len(text), limit=MAX_QUERY_LENGTH)
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
        raise UnusableRow("eval-row-contradicts-itself")
    if label is None and opposite is not None:
        label = not opposite
    if label is False and places:
        raise UnusableRow("eval-row-unanswerable-with-place")
    # Naming a place or an answer implies that there is one.
    return True if label is None and (places or answers) else label


def _read_places(known: Mapping[str, list[Any]]) -> tuple[NamedPlace, ...]:
    """All places; a page, section, span or quote beside them narrows the first."""
    named = [place for value in known.get("sources", ()) for place in _list_places(value)]
    narrowing = {name: known[name][0] for name in _PLACE if name in known}
    if narrowing and not named:
        raise UnusableRow("eval-row-no-source", names=list(narrowing))
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
    raise UnusableRow("eval-row-source-invalid")


def _read_place(fields: Mapping[str, Any]) -> NamedPlace:
    known, _ = _sort_fields({**fields, **({"doc": fields["path"]} if "path" in fields else {})})
    sources = known.get("sources")
    if not sources:
        raise UnusableRow("eval-row-place-no-source")
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
    raise UnusableRow("eval-row-quote-not-text")


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
