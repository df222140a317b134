"""A draft as a Markdown document: front matter, sections, footnotes.

There is one footnote per place (source, section, page or time), numbered by first use; its
exact quotes follow it, so a reader can check each statement. Words of sources are escaped:
they cannot open a link, a tag, a heading or a footnote.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from foundry import __version__
from foundry.records import Draft, Quote, Section, Sentence, Source, Specification
from foundry.render.answer import NO_EVIDENCE
from foundry.render.conflicts import conflict_summary_as_dict, render_conflict_lines
from foundry.render.escapes import escape, escape_within
from foundry.render.places import (
    find_section_number,
    format_page,
    format_revision,
    format_time,
    shorten_paths,
)

_CELL = re.compile(r"([^:;|]{1,40}?): (\S.*)")
_MIN_COLUMNS = 3
_MAX_MIXED_SENTENCES = 4

STOPS = frozenset(".!?…:;")


@dataclass(slots=True)
class SentenceGroup:
    """Sentences that stand together; ``columns`` are a table's, in their order."""

    kind: Literal["prose", "list", "table"]
    sentences: list[Sentence] = field(default_factory=list)
    columns: tuple[str, ...] = ()


def group_sentences(sentences: Sequence[Sentence]) -> list[SentenceGroup]:
    """The sentences in their order, gathered into paragraphs, lists and tables."""
    runs: list[SentenceGroup] = []
    for sentence, entry in zip(sentences, _find_list_items(sentences), strict=True):
        columns = tuple(split_row(sentence.text))
        kind = "table" if columns else "list" if entry else "prose"
        last = runs[-1] if runs and runs[-1].kind == kind else None
        if last is None or not _continues_group(last, sentence, columns):
            last = SentenceGroup(kind, columns=columns)  # type: ignore[arg-type]
            runs.append(last)
        last.sentences.append(sentence)
        last.columns = _merge_columns(last.columns, columns)
    return runs


def split_row(text: str) -> dict[str, str]:
    """Column → cell of a row that is told as ``label: cell; label: cell; …``; else empty."""
    found: dict[str, str] = {}
    for part in text.rstrip(".").split("; "):
        match = _CELL.fullmatch(part.strip())
        if match is None or match[1] in found:
            return {}
        found[match[1]] = match[2]
    return found if len(found) >= _MIN_COLUMNS else {}


def _continues_group(run: SentenceGroup, sentence: Sentence, columns: Sequence[str]) -> bool:
    before = run.sentences[-1]
    same = before.citations[:1] == sentence.citations[:1]
    if run.kind == "prose":
        return same or len(run.sentences) < _MAX_MIXED_SENTENCES
    if run.kind == "table":
        return (
            same
            and run.columns[0] == columns[0]
            and _find_section(before) == _find_section(sentence)
        )
    return True


def _find_section(sentence: Sentence) -> str | None:
    return sentence.quotes[-1].section if sentence.quotes else None


def _merge_columns(known: tuple[str, ...], new: Sequence[str]) -> tuple[str, ...]:
    """Both rows' columns; one that only the later row has stands before its next neighbour there."""
    merged = list(known)
    for at, column in enumerate(new):
        if column not in merged:
            following = next((other for other in new[at + 1 :] if other in merged), None)
            merged.insert(merged.index(following) if following else len(merged), column)
    return tuple(merged)


def _find_list_items(sentences: Sequence[Sentence]) -> Iterator[bool]:
    """Which sentences stand as list items: rows and notes without a full stop, two in a row."""
    ends = [sentence.text.rstrip()[-1:] not in STOPS for sentence in sentences]
    for before, own, after in zip([False, *ends[:-1]], ends, [*ends[1:], False], strict=True):
        yield own and (before or after)


def get_title(draft: Draft) -> str:
    """The specification's title, else the topic."""
    return draft.feature.title if draft.feature and draft.feature.title else draft.topic


def build_front_matter(draft: Draft, sources: Iterable[Source]) -> dict[str, Any]:
    """Topic, specification, models, sources with their hashes, coverage, conflicts, changes, time."""
    changes = Counter(change.action for change in draft.changes)
    return {
        "title": get_title(draft),
        "topic": draft.topic,
        "feature": _feature_as_dict(draft.feature) if draft.feature else None,
        "language": draft.language,
        "created": draft.created.isoformat(timespec="seconds"),
        "foundry": __version__,
        "generator": {"model": draft.model, "mode": draft.mode},
        "models": dict(draft.models),
        "verdict": draft.verdict,
        "coverage": {
            "attribution": _round(draft.attribution_coverage),
            "shown": _round(draft.shown_coverage),
        },
        "sections": [_section_as_dict(section) for section in draft.sections],
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
        "conflicts": [conflict_summary_as_dict(conflict) for conflict in draft.conflicts],
        "changes": dict(sorted(changes.items())),
        "notices": list(draft.notices),
    }


def _feature_as_dict(feature: Specification) -> dict[str, Any]:
    approval = feature.approval
    return {
        "name": feature.name,
        "sha256": feature.content_hash,
        "approved_by": approval.by if approval else None,
        "approved": approval.time.isoformat(timespec="seconds") if approval else None,
    }


def _section_as_dict(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "verdict": section.verdict,
        "coverage": _round(section.attribution_coverage),
        "reason": section.reason,
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


NOTHING_FOUND = {"nl": "Geen onderbouwing gevonden in de geïndexeerde bronnen.", "en": NO_EVIDENCE}
"""What stands in a section without evidence, by the document's language."""

LOW_CONFIDENCE = "LOW CONFIDENCE — limited source coverage."
NotePlace = tuple[str, str | None, str | None, str | None]


class _Notes:
    """Footnotes in the order of their first use."""

    def __init__(self, sources: dict[str, Source]) -> None:
        self._sources = sources
        self._names = shorten_paths(source.path for source in sources.values())
        self._revisions = {s.path: format_revision(s) for s in sources.values()}
        self._quotes: dict[NotePlace, list[str]] = {}

    def mark(self, source: Source, quote: Quote) -> str:
        """The inline mark of a quote's place."""
        place = (source.path, quote.section, format_page(quote), format_time(quote.time))
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

    def _describe(self, place: NotePlace) -> str:
        path, section, page, time = place
        number = find_section_number(section)
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
    body: list[str] = [f"# {escape(get_title(draft))}", ""]
    if draft.verdict == "low_confidence" and draft.feature is None:
        body += [f"> {LOW_CONFIDENCE}", ""]
    for section in draft.sections:
        flagged = section.verdict == "low_confidence" and draft.feature is not None
        body += _render_section(section, notes, draft, flagged=flagged)
    head = yaml.safe_dump(
        build_front_matter(draft, cited.values()), allow_unicode=True, sort_keys=False, width=100
    )
    lines = ["---", head.rstrip("\n"), "---", "", *body, *notes.lines()]
    return "\n".join(lines).rstrip("\n") + "\n"


def _render_section(section: Section, notes: _Notes, draft: Draft, *, flagged: bool) -> list[str]:
    shown_title = section.title and section.title != get_title(draft)
    lines = [f"## {escape(section.title)}", ""] if shown_title else []
    if not section.sentences:
        return [*lines, f"*{NOTHING_FOUND.get(draft.language, NO_EVIDENCE)}*", ""]
    if flagged:
        lines += [f"> {LOW_CONFIDENCE}", ""]
    by_id = {source.evidence.id: source.evidence.hit.source for source in section.sources}
    for run in group_sentences(section.sentences):
        lines += [*_GROUP_RENDERERS[run.kind](run, _Marks(by_id, notes)), ""]
    for conflict in render_conflict_lines(section.conflicts, draft.language):
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


def _render_prose(run: SentenceGroup, marks: _Marks) -> list[str]:
    return [" ".join(_render_sentence(sentence, marks, stop=True) for sentence in run.sentences)]


def _render_list(run: SentenceGroup, marks: _Marks) -> list[str]:
    return [f"- {_render_sentence(sentence, marks, stop=False)}" for sentence in run.sentences]


def _render_table(run: SentenceGroup, marks: _Marks) -> list[str]:
    rows = [_render_row(run.columns), _render_row(["---"] * len(run.columns), escaped=True)]
    for sentence in run.sentences:
        found = split_row(sentence.text)
        shown = [escape_within(found.get(column, "")) for column in run.columns]
        last = max(at for at, cell in enumerate(shown) if cell)
        shown[last] += marks.of(sentence)
        rows.append(_render_row(shown, escaped=True))
    return rows


def _render_row(cells_: Sequence[str], *, escaped: bool = False) -> str:
    return f"| {' | '.join(cells_ if escaped else map(escape_within, cells_))} |"


_GROUP_RENDERERS = {"prose": _render_prose, "list": _render_list, "table": _render_table}


def _render_sentence(sentence: Sentence, marks: _Marks, *, stop: bool) -> str:
    text = escape(sentence.text)
    if stop and text[-1:] not in STOPS:
        text += "."
    return text + marks.of(sentence)
