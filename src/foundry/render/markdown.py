"""A draft as a Markdown document: front matter, sections, footnotes.

There is one footnote per place (source, section, page or time), numbered by first use; its
exact quotes follow it, so a reader can check each statement. Words of sources are escaped:
they cannot open a link, a tag, a heading or a footnote.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml

from foundry import __version__
from foundry.analysis import fold
from foundry.analysis.lexer import match_marker, strip_number
from foundry.messages import Message, Words, choose_language, format_message
from foundry.records import (
    CorrectedPart,
    Draft,
    ExcerptLine,
    Quote,
    ScopeItem,
    Section,
    SectionSummary,
    Sentence,
    Source,
    Specification,
    compute_completeness,
    is_closed,
)
from foundry.render.answer import NO_EVIDENCE
from foundry.render.conflicts import render_conflict_lines, summarise_conflict
from foundry.render.escapes import escape, escape_within
from foundry.render.places import (
    describe_source,
    find_section_number,
    format_page,
    format_revision,
    format_time,
    note_corrections,
    round_score,
    shorten_paths,
)
from foundry.text.headings import find_label

STOPS = ".!?…:;"

_LIST = {"list_item", "code"}
_CELL = re.compile(r"([^:;|]{1,40}?): (\S.*)")
_MAX_MIXED_SENTENCES = 4
"""Sentences from different passages in one paragraph, so that it stays readable."""

NotePlace = tuple[str, str | None, str | None, str | None]
"""Path, section, page and time."""


def render_markdown(draft: Draft, others: Iterable[str] = ()) -> str:
    """The document as text that ends with a line feed.

    ``others`` are the paths of all sources, which the name of a cited file must not also fit.
    """
    cited = {
        source.evidence.hit.source.id: source.evidence.hit.source
        for section in draft.sections
        for source in section.sources
    }
    notes = _Notes(cited, draft.language, others)
    body: list[str] = [f"# {escape(get_title(draft))}", ""]
    if draft.verdict == "low_confidence" and not draft.outlined:
        body += [format_low_confidence(draft.language), ""]
    if any(section.excerpts for section in draft.sections):
        body += [format_quoted(draft.language), ""]
    for section in draft.sections:
        flagged = section.verdict == "low_confidence" and draft.outlined
        body += _render_section(section, notes, draft, flagged=flagged)
    head = yaml.safe_dump(
        build_front_matter(draft, cited.values()), allow_unicode=True, sort_keys=False, width=100
    )
    lines = ["---", head.rstrip("\n"), "---", "", *body, *notes.render_lines()]
    return "\n".join(lines).rstrip("\n") + "\n"


def format_nothing_found(language: str) -> str:
    """The line of a section without evidence."""
    return f"*{format_message(NO_EVIDENCE, choose_language(language))}*"


def format_nothing_named(language: str) -> str:
    """The line of a section of which what is near is quoted in others."""
    return f"*{Words(choose_language(language))('generate-nothing-named')}*"


def format_needs(needs: str, language: str) -> str:
    """The line under it that says which sources would fill the section."""
    words = Words(choose_language(language))
    return f"*{words('document-needs', needs=escape(needs.rstrip('.')))}*"


def format_quoted(language: str) -> str:
    """The line above a document without a model: it says that nothing was written."""
    return f"> {Words(choose_language(language))('document-quoted')}"


def format_gaps(scope: Sequence[ScopeItem], language: str) -> list[str]:
    """The lines below a section that say what was asked of it and is not there."""
    words = Words(choose_language(language))
    lines = []
    for name, state in (("document-missing", "missing"), ("document-not-found", "not_found")):
        items = tuple(escape(item.text) for item in scope if item.state == state)
        if items:
            lines.append(f"*{words(name, items=items)}*")
    return lines


def format_unverified(language: str) -> str:
    """The mark behind a sentence that neither rules nor a judge found in its source."""
    return f"*({Words(choose_language(language))('answer-not-verified')})*"


def format_left_out(section: Section | SectionSummary, language: str) -> list[str]:
    """The line below a list, a table or quotations from which something that was written was removed."""
    if section.form in {None, "prose"} or not section.left_out or not section.sentences:
        return []
    words = Words(choose_language(language))
    return [f"*{words('document-left-out', number=section.left_out, form=section.form)}*"]


def format_nearest(language: str) -> str:
    """The line above passages of which none is named as it is asked."""
    return f"> {Words(choose_language(language))('generate-nearest-only')}"


def format_low_confidence(language: str) -> str:
    """The line above a text of which too little is supported."""
    return f"> {Words(choose_language(language))('document-low-confidence')}"


def _render_section(section: Section, notes: _Notes, draft: Draft, *, flagged: bool) -> list[str]:
    shown_title = section.title and section.title != get_title(draft)
    lines = [f"## {escape(section.title)}", ""] if shown_title else []
    gaps = [line for gap in format_gaps(section.scope, draft.language) for line in (gap, "")]
    if not section.sentences:
        needs = [format_needs(section.needs, draft.language), ""] if section.needs else []
        near = section.reason == Message("generate-nothing-named")
        empty = format_nothing_named if near else format_nothing_found
        return [*lines, empty(draft.language), "", *gaps, *needs]
    if flagged:
        lines += [format_low_confidence(draft.language), ""]
    by_id = {source.evidence.id: source.evidence.hit.source for source in section.sources}
    marks = _Marks(by_id, notes, draft.language)
    if section.excerpts:
        lines += [format_nearest(draft.language), ""] if section.reason else []
        lines += _render_excerpts(section, marks)
    else:
        lines += [*_render_written(section, marks), ""]
    lines += [line for part in format_left_out(section, draft.language) for line in (part, "")]
    specified = draft.feature is not None
    for conflict in render_conflict_lines(section.conflicts, draft.language, specified=specified):
        lines += [f"> {conflict}", ""]
    return [*lines, *gaps]


def _render_written(section: Section, marks: _Marks) -> list[str]:
    """The sentences of a model in the form of the section, else as they are grouped."""
    shown = section.sentences
    if section.form == "steps":
        return [
            f"{n}. {_render_sentence(one, marks, stop=False)}" for n, one in enumerate(shown, 1)
        ]
    if section.form in {"list", "figures"}:
        return [f"- {_render_sentence(one, marks, stop=False)}" for one in shown]
    if section.form == "quote":
        quoted = [f"> {_render_sentence(one, marks, stop=False)}" for one in shown]
        return "\n\n".join(quoted).split("\n")
    rows = [split_row(one.text) for one in shown]
    if section.form == "table" and all(rows):
        columns: tuple[str, ...] = ()
        for row in rows:
            columns = _merge_columns(columns, tuple(row))
        return _render_columns(columns, rows, [marks.sign(one) for one in shown])
    parts = [
        "\n".join(f"- {_render_sentence(one, marks, stop=False)}" for one in own)
        if is_list
        else " ".join(_render_sentence(one, marks, stop=True) for one in own)
        for is_list, own in group_sentences(shown)
    ]
    return "\n\n".join(parts).split("\n")


def _render_excerpts(section: Section, marks: _Marks) -> Iterator[str]:
    """The passages by source, each under its own heading."""
    source, above = None, ""
    for excerpt in section.excerpts:
        own = excerpt.evidence.hit.source
        if own != source:
            source, above = own, ""
            revision = format_revision(own)
            title = f"{own.title} ({revision})" if revision else own.title
            yield from (f"### {escape(title)}", "")
        named = [strip_number(name) for name in (*excerpt.headings[-1:], excerpt.table) if name]
        heading = " – ".join(dict.fromkeys(named))
        if heading and heading != above and fold(heading) != fold(own.title):
            yield from (f"#### {escape(heading)}", "")
        above = heading
        for lines in _group_lines(excerpt.lines):
            if section.form == "list" and any(find_label(line.text) for line in lines):
                yield from (*_render_terms(lines, marks), "")
            elif section.form == "figures":
                yield from (*_render_items(lines, marks), "")
            else:
                yield from (*_render_lines(lines, marks), "")


def _group_lines(lines: Sequence[ExcerptLine]) -> list[list[ExcerptLine]]:
    """The sentences of a paragraph, the items of a list, and the rows of a table."""
    groups: list[list[ExcerptLine]] = []
    for line in lines:
        if groups and _is_next(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _is_next(before: ExcerptLine, line: ExcerptLine) -> bool:
    kinds = _LIST if line.kind in _LIST else {line.kind}
    if before.kind not in kinds or bool(before.cells) != bool(line.cells):
        return False
    # One paragraph has its sentences on one line of the source, or a space apart.
    near = line.quotes[0].start - before.quotes[-1].end <= 1
    return line.kind in _LIST or bool(line.cells) or (near and is_closed(before.text, STOPS))


def _render_lines(lines: Sequence[ExcerptLine], marks: _Marks) -> list[str]:
    columns: tuple[str, ...] = ()
    for line in lines:
        columns = _merge_columns(columns, [label for label, _ in line.cells])
    if len(columns) > 1 and all(_has_columns(line) for line in lines):
        rows = [dict(line.cells) for line in lines]
        said = [marks.render(line.quotes) for line in lines]
        return _render_columns(columns, rows, said)
    if lines[0].kind in _LIST or lines[0].cells:
        return _render_items(lines, marks)
    return [" ".join(f"{escape(line.text)}{marks.render(line.quotes)}" for line in lines)]


def _render_items(lines: Sequence[ExcerptLine], marks: _Marks) -> list[str]:
    """Each item with all its sentences."""
    items: list[str] = []
    for line in lines:
        if items and line.continues:
            items[-1] += f" {escape_within(line.text)}{marks.render(line.quotes)}"
        else:
            items.append(f"{_render_item(line.text)}{marks.render(line.quotes)}")
    return items


def _render_terms(lines: Sequence[ExcerptLine], marks: _Marks) -> list[str]:
    """The terms of a word list, each with all sentences of its meaning."""
    rest = lines[1:]
    inside = (replace(line, continues=find_label(line.text) is None) for line in rest)
    return _render_items([lines[0], *inside], marks)


def _render_item(text: str) -> str:
    """An item with its own number, or a bullet: another mark would be read as text."""
    marker = match_marker(text)
    if marker and (marker["number"] or "").isdecimal():
        return f"{marker['number']}. {escape(text[marker.end() :])}"
    return f"- {escape(text)}"


def _has_columns(line: ExcerptLine) -> bool:
    """Whether its cells can stand below their labels: each has one of its own."""
    labels = [label for label, _ in line.cells]
    return len(set(labels)) == len(labels) and all(labels[1:])


@dataclass(frozen=True, slots=True)
class _Marks:
    """Renders what follows the words of a sentence: its footnote marks, and that it is not verified."""

    sources: Mapping[str, Source]
    notes: _Notes
    language: str = "en"

    def sign(self, sentence: Sentence) -> str:
        """The marks of a sentence that a model wrote."""
        mark = "" if sentence.verified else f" {format_unverified(self.language)}"
        return self.render(sentence.quotes) + mark

    def render(self, quotes: Iterable[Quote]) -> str:
        marks = (
            self.notes.mark(self.sources[quote.evidence_id], quote)
            for quote in quotes
            if quote.evidence_id in self.sources
        )
        return "".join(dict.fromkeys(marks))


def _render_columns(
    columns: Sequence[str], rows: Sequence[Mapping[str, str]], marks: Sequence[str]
) -> list[str]:
    """A table of rows (column → cell), each with its footnote marks behind its last cell."""
    lines = [_render_row(columns), _render_row(["---"] * len(columns), escaped=True)]
    for row, mark in zip(rows, marks, strict=True):
        cells = [escape_within(row.get(column, "")) for column in columns]
        last = max((index for index, cell in enumerate(cells) if cell), default=0)
        cells[last] += mark
        lines.append(_render_row(cells, escaped=True))
    return lines


def _render_row(cells: Sequence[str], *, escaped: bool = False) -> str:
    return f"| {' | '.join(cells if escaped else map(escape_within, cells))} |"


def _render_sentence(sentence: Sentence, marks: _Marks, *, stop: bool) -> str:
    text = escape(sentence.text)
    if stop and not is_closed(sentence.text, STOPS):
        text += "."
    return text + marks.sign(sentence)


class _Notes:
    """The footnotes, in the order of their first use."""

    def __init__(self, sources: dict[str, Source], language: str, others: Iterable[str]) -> None:
        self._sources = sources
        self._language = choose_language(language)
        self._names = shorten_paths((source.path for source in sources.values()), others)
        self._revisions = {s.path: format_revision(s) for s in sources.values()}
        self._quotes: dict[NotePlace, list[str]] = {}
        self._corrected: dict[NotePlace, list[CorrectedPart]] = {}

    def mark(self, source: Source, quote: Quote) -> str:
        """The mark for the place of a quote, which is added to its footnote."""
        place = (source.path, quote.section, format_page(quote), format_time(quote.time))
        quotes = self._quotes.setdefault(place, [])
        words = " ".join(quote.text.split())
        if words not in quotes:
            quotes.append(words)
            self._corrected.setdefault(place, []).extend(quote.corrections)
        return f"[^{list(self._quotes).index(place) + 1}]"

    def render_lines(self) -> Iterable[str]:
        """The lines of the list at the end of the document."""
        for number, (place, quotes) in enumerate(self._quotes.items(), 1):
            notes = note_corrections(self._corrected[place])
            said = [escape(format_message(note, self._language)) for note in notes]
            yield f"[^{number}]: {'; '.join([self._describe(place), *said])}"
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


# Front matter


def get_title(draft: Draft) -> str:
    """The title of the specification, or else the topic; behind the kind of document of an agent."""
    title = draft.feature.title if draft.feature and draft.feature.title else draft.topic
    return f"{draft.agent.title}: {title}" if draft.agent else title


def build_front_matter(draft: Draft, sources: Iterable[Source]) -> dict[str, Any]:
    """Where a document comes from, so that a reader can check it: models, sources with hashes, time."""
    changes, agent = Counter(change.action for change in draft.changes), draft.agent
    facts = {
        "title": get_title(draft),
        "topic": draft.topic,
        "feature": _summarise_specification(draft.feature) if draft.feature else None,
        "agent": agent
        and {"name": agent.name, "sha256": agent.content_hash, "profile": agent.profile},
        "language": draft.language,
        "created": draft.created.isoformat(timespec="seconds"),
        "foundry": __version__,
        "generator": {"model": draft.model, "mode": draft.mode},
        "models": dict(draft.models),
        "verdict": draft.verdict,
        "coverage": {
            "attribution": round_score(draft.attribution_coverage),
            "shown": round_score(draft.shown_coverage),
        },
        "completeness": round_score(draft.completeness),
        "sections": [_summarise_section(section) for section in draft.sections],
        "sources": [describe_source(source) for source in sources],
        "conflicts": [summarise_conflict(conflict) for conflict in draft.conflicts],
        "changes": dict(sorted(changes.items())),
        "notices": list(draft.notices),
    }
    return {name: _format_messages(fact, draft.language) for name, fact in facts.items()}


def _format_messages(value: Any, language: str) -> Any:
    """The value with words for every message in it."""
    if isinstance(value, Message):
        return format_message(value, choose_language(language))
    if isinstance(value, dict):
        return {name: _format_messages(item, language) for name, item in value.items()}
    if isinstance(value, list):
        return [_format_messages(item, language) for item in value]
    return value


def _summarise_specification(feature: Specification) -> dict[str, Any]:
    approval = feature.approval
    return {
        "name": feature.name,
        "sha256": feature.content_hash,
        "approved_by": approval.by if approval else None,
        "approved": approval.time.isoformat(timespec="seconds") if approval else None,
    }


def _summarise_section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "verdict": section.verdict,
        "coverage": round_score(section.attribution_coverage),
        "completeness": round_score(compute_completeness([section])),
        "reason": section.reason,
    }


# Paragraphs, lists and rows


def group_sentences(sentences: Sequence[Sentence]) -> list[tuple[bool, list[Sentence]]]:
    """The sentences in their order as paragraphs and lists: whether it is a list, and its items.

    A paragraph has sentences of one source, or few.
    """
    groups: list[tuple[bool, list[Sentence]]] = []
    for sentence, is_item in zip(sentences, _find_list_items(sentences), strict=True):
        last = groups[-1][1] if groups and groups[-1][0] == is_item else []
        same = bool(last) and last[-1].citations[:1] == sentence.citations[:1]
        if last and (is_item or same or len(last) < _MAX_MIXED_SENTENCES):
            last.append(sentence)
        else:
            groups.append((is_item, [sentence]))
    return groups


def split_row(text: str) -> dict[str, str]:
    """Column → cell of a row that a model wrote as asked: ``Label: cell; Label: cell``; else empty."""
    cells: dict[str, str] = {}
    for part in text.rstrip(".").split("; "):
        match = _CELL.fullmatch(part.strip())
        if match is None or match[1] in cells:
            return {}
        cells[match[1]] = match[2]
    return cells if len(cells) > 1 else {}


def _merge_columns(known: tuple[str, ...], new: Sequence[str]) -> tuple[str, ...]:
    """The columns of both rows; a new one goes before its right-hand neighbour."""
    merged = list(known)
    for index, column in enumerate(new):
        if column not in merged:
            following = next((other for other in new[index + 1 :] if other in merged), None)
            merged.insert(merged.index(following) if following else len(merged), column)
    return tuple(merged)


def _find_list_items(sentences: Sequence[Sentence]) -> Iterator[bool]:
    """Which sentences are list items: two or more in sequence that end without punctuation."""
    open_ended = [not is_closed(sentence.text, STOPS) for sentence in sentences]
    for before, own, after in zip(
        [False, *open_ended[:-1]], open_ended, [*open_ended[1:], False], strict=True
    ):
        yield own and (before or after)
