"""A draft as a Markdown document: front matter, sections, footnotes.

One footnote per place (source, section, page or time), numbered by first use;
the exact quotes stand below it, so a reader can check each statement. Words of
sources are escaped: they can open no link, tag, heading or footnote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import yaml

from foundry.records import Draft, Quote, Section, Sentence, Source
from foundry.render.answer import NO_EVIDENCE
from foundry.render.conflicts import conflicts_markdown
from foundry.render.escaping import escape, escape_within
from foundry.render.places import (
    clock,
    page_text,
    revision_text,
    section_number,
    short_names,
)
from foundry.render.provenance import document_title, front_matter
from foundry.render.runs import STOPS, Run, cells, find_runs

NOTHING_FOUND = {"nl": "Geen onderbouwing gevonden in de geïndexeerde bronnen.", "en": NO_EVIDENCE}
"""What stands in a section without evidence, by the document's language."""

LOW_CONFIDENCE = "LOW CONFIDENCE — limited source coverage."
Place = tuple[str, str | None, str | None, str | None]


class _Notes:
    """Footnotes in the order of their first use."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self._sources = sources
        self._names = short_names(source.path for source in sources.values())
        self._revisions = {s.path: revision_text(s) for s in sources.values()}
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
        revision = self._revisions[path]
        parts = [name, f"p. {escape(page)}" if page else "", f"t={time}" if time else ""]
        words = ", ".join(part for part in parts if part)
        return f"{words} ({escape(revision)})" if revision else words


def render_markdown(draft: Draft) -> str:
    """The document as UTF-8 text that ends with a line feed."""
    cited = {
        source.evidence.hit.source.id: source.evidence.hit.source
        for section in draft.sections
        for source in section.sources
    }
    notes = _Notes(cited)
    body: list[str] = [f"# {escape(document_title(draft))}", ""]
    if draft.verdict == "low_confidence" and draft.feature is None:
        body += [f"> {LOW_CONFIDENCE}", ""]
    for section in draft.sections:
        flagged = section.verdict == "low_confidence" and draft.feature is not None
        body += _section(section, notes, draft, flagged=flagged)
    head = yaml.safe_dump(
        front_matter(draft, cited.values()), allow_unicode=True, sort_keys=False, width=100
    )
    lines = ["---", head.rstrip("\n"), "---", "", *body, *notes.lines()]
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(section: Section, notes: _Notes, draft: Draft, *, flagged: bool) -> list[str]:
    shown_title = section.title and section.title != document_title(draft)
    lines = [f"## {escape(section.title)}", ""] if shown_title else []
    if not section.sentences:
        return [*lines, f"*{NOTHING_FOUND.get(draft.language, NO_EVIDENCE)}*", ""]
    if flagged:
        lines += [f"> {LOW_CONFIDENCE}", ""]
    by_id = {source.evidence.id: source.evidence.hit.source for source in section.sources}
    for run in find_runs(section.sentences):
        lines += [*_RUNS[run.kind](run, _Marks(by_id, notes)), ""]
    for conflict in conflicts_markdown(section.conflicts, draft.language):
        lines += [f"> {conflict}", ""]
    return lines


@dataclass(frozen=True, slots=True)
class _Marks:
    """Puts a sentence's footnote marks behind it."""

    sources: Mapping[str, Source]
    notes: _Notes

    def of(self, sentence: Sentence) -> str:
        marks = (
            self.notes.mark(self.sources[quote.evidence_id], quote)
            for quote in sentence.quotes
            if quote.evidence_id in self.sources
        )
        return "".join(dict.fromkeys(marks))


def _prose(run: Run, marks: _Marks) -> list[str]:
    return [" ".join(_sentence(sentence, marks, stop=True) for sentence in run.sentences)]


def _list(run: Run, marks: _Marks) -> list[str]:
    return [f"- {_sentence(sentence, marks, stop=False)}" for sentence in run.sentences]


def _table(run: Run, marks: _Marks) -> list[str]:
    rows = [_row(run.columns), _row(["---"] * len(run.columns), escaped=True)]
    for sentence in run.sentences:
        found = cells(sentence.text)
        shown = [escape_within(found.get(column, "")) for column in run.columns]
        last = max(at for at, cell in enumerate(shown) if cell)
        shown[last] += marks.of(sentence)
        rows.append(_row(shown, escaped=True))
    return rows


def _row(cells_: Sequence[str], *, escaped: bool = False) -> str:
    return f"| {' | '.join(cells_ if escaped else map(escape_within, cells_))} |"


_RUNS = {"prose": _prose, "list": _list, "table": _table}


def _sentence(sentence: Sentence, marks: _Marks, *, stop: bool) -> str:
    text = escape(sentence.text)
    if stop and text[-1:] not in STOPS:
        text += "."
    return text + marks.of(sentence)
