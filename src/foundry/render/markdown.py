"""A draft as a Markdown document: front matter, sections, footnotes.

One footnote per place (source, section, page or time), numbered by first use;
the exact quotes stand below it, so a reader can check each statement. Words of
sources are escaped: they can open no link, tag, heading or footnote.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from foundry import __version__
from foundry.records import Draft, Quote, Section, Sentence, Source
from foundry.render.answer import NO_EVIDENCE
from foundry.render.places import clock, page_text, section_number, short_names

LOW_CONFIDENCE = "LOW CONFIDENCE — limited source coverage."
# An underscore within a word is plain: "LC-512_manual.pdf" stays readable.
_SPECIAL = re.compile(r"[\\`*\[\]<>&|~$^]|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"^(?=[#+=:-]|>)|^(\d+)(?=[.)])")
_LINKS = re.compile(r"(?<=\w)(:)(?=//)|(?i:(?<=\bwww)(\.))|(?<=\w)(@)(?=\w)")
_STOPS = frozenset(".!?…:;")
_LONG_PARAGRAPH = 4

Place = tuple[str, str | None, str | None, str | None]


class _Notes:
    """Footnotes in the order of their first use."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self._sources = sources
        self._names = short_names(source.path for source in sources.values())
        self._quotes: dict[Place, list[str]] = {}

    def mark(self, source: Source, quote: Quote) -> str:
        """The inline mark of a quote's place."""
        place = (source.path, quote.section, page_text(quote), clock(quote.time))
        quotes = self._quotes.setdefault(place, [])
        words = " ".join(quote.text.split())
        if words not in quotes:
            quotes.append(words)
        return f"[^{list(self._quotes).index(place) + 1}]"

    def lines(self) -> Iterable[str]:
        """The list at the end of the document."""
        for number, (place, quotes) in enumerate(self._quotes.items(), 1):
            yield f"[^{number}]: {self._describe(place)}"
            for quote in quotes:
                yield ""
                yield f"    > {escape(quote)}"
            yield ""

    def _describe(self, place: Place) -> str:
        path, section, page, time = place
        number = section_number(section)
        name = escape(self._names[path])
        if number:
            name = f"{name} §{number}"
        elif section:
            name = f'{name} "{escape(section)}"'
        parts = [name, f"p. {escape(page)}" if page else "", f"t={time}" if time else ""]
        return ", ".join(part for part in parts if part)


def render_markdown(draft: Draft) -> str:
    """The document as UTF-8 text that ends with a line feed."""
    cited = {
        source.evidence.hit.source.id: source.evidence.hit.source
        for section in draft.sections
        for source in section.sources
    }
    notes = _Notes(cited)
    body: list[str] = [f"# {escape(draft.topic)}", ""]
    if draft.verdict == "low_confidence":
        body += [f"> {LOW_CONFIDENCE}", ""]
    for section in draft.sections:
        body += _section(section, notes, shown_title=section.title != draft.topic)
    head = yaml.safe_dump(
        _front_matter(draft, cited.values()), allow_unicode=True, sort_keys=False, width=100
    )
    lines = ["---", head.rstrip("\n"), "---", "", *body, *notes.lines()]
    return "\n".join(lines).rstrip("\n") + "\n"


def escape(text: str) -> str:
    """Words as Markdown shows them unchanged, on one line."""
    shown = "".join(c for c in " ".join(text.split()) if unicodedata.category(c) not in _HIDDEN)
    shown = _SPECIAL.sub(lambda match: f"\\{match[0]}", shown)
    shown = _LINKS.sub(lambda match: f"\\{match[0]}", shown)
    return _AT_START.sub(lambda match: f"{match[1]}\\" if match[1] else "\\", shown, count=1)


_HIDDEN = frozenset({"Cc", "Cf", "Cs"})


def _section(section: Section, notes: _Notes, *, shown_title: bool) -> list[str]:
    lines = [f"## {escape(section.title)}", ""] if section.title and shown_title else []
    if not section.sentences:
        reason = f" {escape(section.reason)}" if section.reason else ""
        return [*lines, f"*{NO_EVIDENCE}*{reason}", ""]
    by_id = {source.evidence.id: source.evidence.hit.source for source in section.sources}
    blocks: list[list[str]] = [[]]
    last: str | None = None
    for sentence, entry in zip(section.sentences, _entries(section.sentences), strict=True):
        origin = sentence.citations[0] if sentence.citations else last
        block = blocks[-1]
        listed = bool(block) and block[-1].startswith("- ")
        if block and (listed != entry or (len(block) >= _LONG_PARAGRAPH and origin != last)):
            blocks.append([])
        words = _sentence(sentence, by_id, notes, stop=not entry)
        blocks[-1].append(f"- {words}" if entry else words)
        last = origin
    for block in blocks:
        lines += ["\n".join(block) if block[0].startswith("- ") else " ".join(block), ""]
    return lines


def _entries(sentences: Sequence[Sentence]) -> list[bool]:
    """Which sentences stand as list items: rows and notes without a full stop, two in a row."""
    open_ended = [sentence.text.rstrip()[-1:] not in _STOPS for sentence in sentences]
    before, after = [False, *open_ended[:-1]], [*open_ended[1:], False]
    return [
        own and (one or other) for own, one, other in zip(open_ended, before, after, strict=True)
    ]


def _sentence(sentence: Sentence, by_id: dict[str, Source], notes: _Notes, *, stop: bool) -> str:
    marks = [
        notes.mark(by_id[quote.evidence_id], quote)
        for quote in sentence.quotes
        if quote.evidence_id in by_id
    ]
    text = escape(sentence.text)
    if stop and text[-1:] not in _STOPS:
        text += "."
    return text + "".join(dict.fromkeys(marks))


def _front_matter(draft: Draft, sources: Iterable[Source]) -> dict[str, Any]:
    changes = Counter(change.action for change in draft.changes)
    return {
        "title": draft.topic,
        "topic": draft.topic,
        "language": draft.language,
        "created": draft.created.isoformat(timespec="seconds"),
        "foundry": __version__,
        "generator": {"model": draft.model, "mode": draft.mode},
        "verdict": draft.verdict,
        "coverage": {
            "attribution": _rounded(draft.attribution_coverage),
            "shown": _rounded(draft.shown_coverage),
        },
        "sources": [
            {
                "path": source.path,
                "title": source.title,
                "revision": source.revision,
                "revision_date": source.revision_date,
                "sha256": source.content_hash,
            }
            for source in sources
        ],
        "conflicts": [],
        "changes": dict(sorted(changes.items())),
        "notices": list(draft.notices),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
