"""What an answer was made of, and what else a reader must know who meets it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from foundry.messages import Message
from foundry.records import Filters, ShownAnswer, Source


def describe_asked(time: datetime, role: str, shown: ShownAnswer) -> Message:
    """When an answer was made, for which role, and from which of the sources."""
    day = time.astimezone().strftime("%Y-%m-%d %H:%M")
    filters = name_filters(shown.filters)
    code = "answer-asked-filtered" if filters else "answer-asked"
    return Message(code, time=day, role=role, **({"filters": filters} if filters else {}))


def name_filters(filters: Filters) -> str:
    """``type=pdf; from=2026-01-01``, as they are given on a command line."""
    return "; ".join(_list_filters(filters))


def _list_filters(filters: Filters) -> Iterator[str]:
    dates = {"from": (filters.date_from,), "to": (filters.date_to,)}
    lists = {"source": filters.sources, "type": filters.types, "tag": filters.tags, **dates}
    for name, values in lists.items():
        for value in filter(None, values):
            yield f"{name}={value}"


def list_changed(shown: ShownAnswer, sources: Mapping[str, Source]) -> list[Message]:
    """The cited sources that are not as they were, by title; ``sources`` are those now, by id."""
    now = {one.source_id: sources.get(one.source_id) for one in shown.sources}
    known = {one.source_id: one for one in shown.sources}.values()
    gone = [one.title for one in known if now[one.source_id] is None]
    changed = [
        one.title
        for one in known
        if (source := now[one.source_id]) and source.content_hash != one.content_hash
    ]
    found = (("answer-source-changed", changed), ("answer-source-gone", gone))
    return [Message(code, sources=titles) for code, titles in found if titles]
