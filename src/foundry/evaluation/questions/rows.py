"""One row of a file, a mapping of fields, as a question: liberal in names, strict in meaning.

What a row says is taken over as it is; which source of the project is meant by a name is for
``matching`` to find. A row that cannot be understood is refused with the reason, never guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from foundry.evaluation.questions.naming import check_id, check_set
from foundry.evaluation.questions.values import (
    Unusable,
    as_flag,
    as_number,
    as_pairs,
    as_text,
    as_texts,
    as_whole,
)
from foundry.journeys.search import MAX_QUERY_LENGTH
from foundry.records.evaluation import Origin

FIELDS: Final[Mapping[str, str]] = {
    "text": "text", "question": "text", "query": "text",
    "id": "id", "_id": "id", "qid": "id", "query_id": "id", "question_id": "id",
    "set": "set",
    "source": "sources", "sources": "sources", "expected": "sources", "expected_source": "sources",
    "expected_sources": "sources", "doc": "sources", "docs": "sources", "document": "sources",
    "also": "also",
    "page": "page", "section": "section", "time": "time", "spans": "spans", "span": "spans",
    "quote": "quotes", "quotes": "quotes", "references": "quotes", "relevance": "relevance",
    "answer": "answers", "answers": "answers", "expected_answer": "answers",
    "answerable": "answerable", "unanswerable": "unanswerable", "is_impossible": "unanswerable",
    "language": "language", "lang": "language",
    "tag": "tags", "tags": "tags", "kind": "tags", "category": "tags",
    "note": "note", "notes": "note", "origin": "origin", "reviewed": "reviewed",
    "metadata": "",
}  # fmt: skip
"""A file's field names, in lower case → ours; what stands for nothing is left out unsaid."""

_PLACE = ("page", "section", "time", "spans", "quotes", "relevance")


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place as a file names it: ``source`` may be a path, a file name, a title or an id."""

    source: str
    spans: tuple[tuple[int, int], ...] = ()
    quotes: tuple[str, ...] = ()
    page: int | None = None
    section: str | None = None
    time: float | None = None
    relevance: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A question as a file states it; None is what it does not say. ``line`` is from 1."""

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


def read_row(fields: Mapping[str, Any], file: str = "", line: int | None = None) -> Row:
    """The question of a row. Raises ``Unusable`` with the reason and the way out."""
    known, ignored = _sorted_fields(fields)
    text = _question(known.get("text", ()))
    identity = _first(known, "id")
    set_name = _first(known, "set")
    answers = tuple(dict.fromkeys(a for value in known.get("answers", ()) for a in as_texts(value)))
    places = _places(known)
    return Row(
        text=text,
        file=file,
        line=line,
        id=None if identity is None else check_id(as_text(identity, "id")),
        set=None if set_name is None else check_set(as_text(set_name, "set")),
        answerable=_answerable(
            known,
            places,
            answers,
            left_open="answerable" in fields and fields["answerable"] is None,
        ),
        language=_optional(known, "language"),
        places=places,
        answers=answers,
        tags=tuple(dict.fromkeys(t for value in known.get("tags", ()) for t in _tags(value))),
        note=_optional(known, "note") or "",
        origin=_origin(_optional(known, "origin")),
        reviewed=_flag(known, "reviewed"),
        ignored=ignored,
    )


def field_of(name: str) -> str | None:
    """Our name of a file's field; empty for one that stands for nothing, None for an unknown one."""
    return FIELDS.get(name.strip().lower().replace(" ", "_"))


def _sorted_fields(fields: Mapping[str, Any]) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """Values under our names, without those that say nothing; and the fields that are not ours."""
    known: dict[str, list[Any]] = {}
    ignored = []
    for name, value in fields.items():
        ours = field_of(str(name))
        if ours is None:
            ignored.append(str(name))
        elif ours and value is not None and value != "":
            known.setdefault(ours, []).append(value)
    return known, tuple(ignored)


def _question(values: Sequence[Any]) -> str:
    if not values:
        raise Unusable("It has no question.", 'Add "text", the question itself.')
    if not isinstance(values[0], str):
        raise Unusable("Its question is no text.", 'Put the question in "text", between quotes.')
    text = " ".join(values[0].split())
    if not text:
        raise Unusable("Its question is empty.", "Write the question, or take the line out.")
    if len(text) > MAX_QUERY_LENGTH:
        raise Unusable(
            f"Its question has {len(text):,} characters; {MAX_QUERY_LENGTH:,} is the most.",
            "Shorten it; is this a file of documents rather than of questions?",
        )
    return as_text(text, "text")


def _answerable(
    known: Mapping[str, list[Any]],
    places: Sequence[NamedPlace],
    answers: Sequence[str],
    left_open: bool,
) -> bool | None:
    """``left_open``: the row says itself that nobody said."""
    said = _flag(known, "answerable")
    if said is None and left_open:
        return None
    opposite = _flag(known, "unanswerable")
    if said is not None and said is opposite:
        raise Unusable("It says both answerable and unanswerable.", "Take one of the two out.")
    if said is None and opposite is not None:
        said = not opposite
    if said is False and places:
        raise Unusable(
            "It is marked as not answerable, and yet names where the answer stands.",
            "Take out the sources, or answerable: false.",
        )
    # Who names a place or an answer says by it that there is one.
    return True if said is None and (places or answers) else said


def _places(known: Mapping[str, list[Any]]) -> tuple[NamedPlace, ...]:
    """All places; page, section, spans and quotes beside them narrow the first."""
    named = [place for value in known.get("sources", ()) for place in _listed(value)]
    narrowing = {name: known[name][0] for name in _PLACE if name in known}
    if narrowing and not named:
        listed = ", ".join(narrowing)
        raise Unusable(f"It has {listed} but names no source.", 'Add "source", a path.')
    if narrowing:
        first = named[0]
        named[0] = {**narrowing, **first}
    named += [place for value in known.get("also", ()) for place in _listed(value)]
    places = [_place(one) for one in named]
    return tuple(place for place in places if place.relevance > 0)


def _listed(value: Any) -> list[dict[str, Any]]:
    """What stands under ``source``: a name, an object, or a list of either."""
    if isinstance(value, str):
        return [{"source": name} for name in as_texts(value)]
    if isinstance(value, Mapping):
        return [dict(value)]
    if isinstance(value, Sequence):
        return [place for one in value for place in _listed(one)]
    raise Unusable("Its source is neither a name nor a list.", "Name the source by its path.")


def _place(fields: Mapping[str, Any]) -> NamedPlace:
    known, _ = _sorted_fields({**fields, **({"doc": fields["path"]} if "path" in fields else {})})
    sources = known.get("sources")
    if not sources:
        raise Unusable("One of its places names no source.", 'Give each place a "source".')
    page, time = _first(known, "page"), _first(known, "time")
    relevance = _first(known, "relevance")
    return NamedPlace(
        source=as_text(sources[0], "source").strip(),
        spans=tuple(pair for value in known.get("spans", ()) for pair in as_pairs(value)),
        quotes=tuple(quote for value in known.get("quotes", ()) for quote in _quotes(value)),
        page=None if page is None else as_whole(page, "page"),
        section=_optional(known, "section"),
        time=None if time is None else as_number(time, "time"),
        relevance=1 if relevance is None else as_whole(relevance, "relevance"),
    )


def _quotes(value: Any) -> list[str]:
    """Quotes are not cut at separators: the words of a source may hold any."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, Mapping):
        return _quotes(value.get("text") or value.get("content") or "")
    if isinstance(value, Sequence):
        return [quote for one in value for quote in _quotes(one)]
    raise Unusable("Its quote is no text.", "Put the exact words between quotes.")


def _tags(value: Any) -> list[str]:
    return [tag.strip() for one in as_texts(value) for tag in re.split(r"[,;]", one) if tag.strip()]


def _origin(value: str | None) -> Origin | None:
    for origin in get_args(Origin):
        if value == origin:
            found: Origin = origin
            return found
    return None


def _first(known: Mapping[str, list[Any]], name: str) -> Any:
    return known[name][0] if name in known else None


def _optional(known: Mapping[str, list[Any]], name: str) -> str | None:
    value = _first(known, name)
    return None if value is None else " ".join(as_text(value, name).split()) or None


def _flag(known: Mapping[str, list[Any]], name: str) -> bool | None:
    value = _first(known, name)
    return None if value is None else as_flag(value, name)
