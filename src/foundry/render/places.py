"""How a place in a source is written, and a hit with its scores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

from foundry.records import DroppedHit, Focus, Hit, Quote, Source

_NUMBER = re.compile(r"(?:§\s*)?((?:\d+|[A-Z])(?:\.\d+)*)(?:\.|\))?(?=\s|$)")


def format_time(seconds: float | None) -> str | None:
    """``12:34``, or ``1:02:03`` from an hour on; None stays None."""
    if seconds is None:
        return None
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def quote_as_dict(quote: Quote) -> dict[str, Any]:
    """A quote's words and place as every JSON shows them; whose it is, the caller adds."""
    return {
        "text": quote.text,
        "char_start": quote.start,
        "char_end": quote.end,
        "section": quote.section,
        "page": quote.page,
        "page_label": quote.page_label,
        "time": format_time(quote.time),
        "box": asdict(quote.box) if quote.box else None,
    }


def find_section_number(section: str | None) -> str | None:
    """The printed number of a heading: "3.2 Intervals" → "3.2"; None without one."""
    match = _NUMBER.match(section or "")
    if match is None or (match[1].isalpha() and match[1] == match[0].strip()):
        return None
    return match[1]


def format_page(place: Quote | Focus) -> str | None:
    """The page as the reader sees it: its label, else its number."""
    if place.page_label:
        return place.page_label
    return None if place.page is None else str(place.page)


def describe_place(place: Quote | Focus) -> str:
    """``3.2 Intervals, p. 14`` or ``t=12:34``; empty where nothing is known."""
    page, time = format_page(place), format_time(place.time)
    parts = [place.section, f"p. {page}" if page else None, f"t={time}" if time else None]
    return ", ".join(part for part in parts if part)


def format_revision(source: Source) -> str:
    """``Rev. B, 2026-03`` as printed in the source; empty where nothing is."""
    return ", ".join(part for part in (source.revision, source.revision_date) if part)


def revision_as_dict(source: Source) -> dict[str, str | None]:
    """The printed revision and date as every JSON shows them."""
    return {"revision": source.revision, "revision_date": source.revision_date}


def shorten_paths(paths: Iterable[str]) -> dict[str, str]:
    """Path → file name; the whole path where two files share a name."""
    known = list(dict.fromkeys(paths))
    names = [PurePosixPath(path).name for path in known]
    return {
        path: name if names.count(name) == 1 else path
        for path, name in zip(known, names, strict=True)
    }


def dropped_as_dict(one: DroppedHit) -> dict[str, Any]:
    """A hit that is not evidence, with its reason."""
    return {**scored_as_dict(one.hit, one.score), "reason": one.reason}


def scored_as_dict(hit: Hit, score: float | None) -> dict[str, Any]:
    """A hit's place with its relevance (0–1) and the scorer's score (0–10)."""
    return {
        "chunk_id": hit.chunk.id,
        "source": hit.source.path,
        "section": hit.focus.section,
        "relevance": round(hit.relevance, 4),
        "scored": score,
    }
