"""How a place in a source is written: its file, section, page or time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from foundry.analysis.lexer import HEADING_NUMBER
from foundry.messages import Message
from foundry.records import (
    NOT_A_HEADING,
    ConflictSide,
    CorrectedPart,
    DocumentStatus,
    Evidence,
    Focus,
    Hit,
    Quote,
    Recognition,
    ShownSource,
    Source,
    UsedSource,
    join_recognitions,
    list_containers,
)

_UNSURE = 0.8
"""Confidence of OCR below which a citation says it (docs/evaluation/ocr.md)."""
_NAMING = frozenset(
    {"claim-at", "claim-supported-by", "claim-nearest-quote", "claim-judge-elsewhere"}
)
"""Reasons whose ``name`` is the id of a passage; that of others is a name in the text."""


def format_time(seconds: float | None) -> str | None:
    """``12:34``, or ``1:02:03`` from one hour on; None for None."""
    if seconds is None:
        return None
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def find_section_number(section: str | None) -> str | None:
    """The printed number of a heading: "3.2 Intervals" → "3.2". None if it has none."""
    match = HEADING_NUMBER.match(section or "")
    return match["number"] if match else None


def format_page(place: Quote | Focus) -> str | None:
    """The page as printed: its label, or else its number."""
    if place.page_label:
        return place.page_label
    return None if place.page is None else str(place.page)


def describe_place(place: Quote | Focus) -> str:
    """``3.2 Intervals, p. 14`` or ``t=12:34``; "" if nothing is known."""
    page, time = format_page(place), format_time(place.time)
    parts = [place.section, f"p. {page}" if page else None, f"t={time}" if time else None]
    return ", ".join(part for part in parts if part)


def format_location(name: str, place: Quote | Focus) -> str:
    """``manual.pdf, 3.2 Intervals, p. 14``."""
    return ", ".join(part for part in (name, describe_place(place)) if part)


def name_evidence(reason: Message, evidence: Iterable[Evidence]) -> Message:
    """The reason of a change with title and place of each passage instead of its id (S1, …)."""
    passages = list(evidence)
    params = {
        key: name_evidence(value, passages) if isinstance(value, Message) else value
        for key, value in reason.params.items()
    }
    if reason.code in _NAMING:
        found = [_name_passage(item.hit) for item in passages if item.id == params["name"]]
        params["name"] = found[0] if found else params["name"]
    return Message(reason.code, **params)


def _name_passage(hit: Hit) -> str:
    place = describe_place(hit.focus)
    title = hit.source.title
    return f"{title} ({place})" if place and place != title else title


def note_reading(quotes: Iterable[Quote]) -> list[Message]:
    """Return notes on how quotes were read: corrections, labels in doubt, doubts of OCR."""
    quotes = list(quotes)
    notes = note_corrections(part for quote in quotes for part in quote.corrections)
    values = tuple(dict.fromkeys(value for quote in quotes for value in quote.doubtful))
    if values:
        notes.append(describe_doubt(values))
    read = join_recognitions(quote.recognition for quote in quotes)
    return notes if read is None else [*notes, *note_recognition(read)]


def note_recognition(read: Recognition) -> list[Message]:
    """Return notes on what a reader of pictures was unsure of."""
    notes = []
    if read.reader:
        notes.append(Message("answer-outside", reader=read.reader))
        if read.confidence is None:
            notes.append(Message("answer-outside-unchecked"))
        elif read.confidence < _UNSURE:
            notes.append(Message("answer-outside-unsure", share=read.confidence))
    elif read.confidence is not None and read.confidence < _UNSURE:
        notes.append(Message("answer-ocr-unsure", confidence=read.confidence))
    for doubt in read.doubts:
        if read.reader and not doubt.other:
            notes.append(Message("answer-outside-alone", read=doubt.read))
        else:
            code = "answer-outside-doubt" if read.reader else "answer-ocr-doubt"
            notes.append(Message(code, read=doubt.read, other=doubt.other))
    return notes


def describe_doubt(values: Sequence[str]) -> Message:
    """Return the note that table values may belong to another row or column."""
    return Message("claim-cells-doubtful", value=values[0], number=len(values))


def note_corrections(parts: Iterable[CorrectedPart]) -> list[Message]:
    """What was corrected, once each: the words beside those that were read."""
    notes = map(describe_correction, {part.id: part for part in parts}.values())
    return [*{repr(note): note for note in notes}.values()]


def describe_correction(part: CorrectedPart) -> Message:
    """What was corrected, for a reader of the corrected words."""
    if part.kind == "row" and not part.after:
        return Message("answer-corrected-dropped", before=part.before)
    if part.kind in {"words", "row"}:
        after = " / ".join(part.after.splitlines())
        return Message("answer-corrected-words", after=after, before=part.before)
    if part.kind != "heading":
        return Message("answer-corrected-table", kind=part.kind)
    code = "answer-corrected-text" if part.after == NOT_A_HEADING else "answer-corrected-heading"
    return Message(code)


def round_score(value: float | None) -> float | None:
    """Four decimals, as in every JSON document; None for None."""
    return None if value is None else round(value, 4)


def format_revision(
    source: Source | ShownSource | UsedSource | ConflictSide,
    words: Callable[[Message], str] = str,
    *,
    title: str = "",
) -> str:
    """``Rev. B, 2026-03, draft``, "" if nothing is known; leaves out a mark that the ``title`` has."""
    mark = source.revision if (source.revision or "") not in title else None
    status = describe_status(source.status)
    said = (mark, source.revision_date, words(status) if status else "")
    return ", ".join(part for part in said if part)


def describe_status(status: DocumentStatus | None) -> Message | None:
    """Return the status of a quoted text that is not in force; None if it is."""
    return Message(f"source-is-{status}") if status not in {None, "final"} else None


def describe_source(source: Source | UsedSource) -> dict[str, str | None]:
    """Which version of a source was used: its path, title, revision and hash."""
    return {
        "path": source.path,
        "title": source.title,
        "revision": source.revision,
        "revision_date": source.revision_date,
        **({"status": source.status} if source.status else {}),
        "sha256": source.content_hash,
    }


def list_endings(path: str) -> Iterator[str]:
    """The name of the file, then with one folder more each time."""
    outermost = (list_containers(path) or [path])[-1]
    folder = outermost.rpartition("/")[0]
    ending = path.removeprefix(folder).lstrip("/")
    yield ending
    for name in reversed(folder.split("/")) if folder else ():
        ending = f"{name}/{ending}"
        yield ending


def shorten_paths(paths: Iterable[str], others: Iterable[str] = ()) -> dict[str, str]:
    """Path → file name, with as many of its folders as tell it from all other files.

    ``others`` are files that are not shown, but could be meant. The name of an attachment starts
    with that of the file it is attached to.
    """
    known = dict.fromkeys(paths)
    counts = Counter(end for path in known | dict.fromkeys(others) for end in list_endings(path))
    return {
        path: next((end for end in list_endings(path) if counts[end] == 1), path) for path in known
    }
