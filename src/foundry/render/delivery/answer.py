"""An answer as a document to pass on: the question, the sentences, a footnote for each source.

Where no model wrote it has the passages that come closest, each under its place in its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from foundry import __version__
from foundry.messages import Message, Words, choose_language, format_message
from foundry.records import (
    ExcerptLine,
    Sentence,
    ShownAnswer,
    ShownPassage,
    ShownSource,
    choose_separator,
)
from foundry.render.delivery.docx import render_plan
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, PlannedNote
from foundry.render.delivery.tree import Heading, TableBlock, Text, clean, read_inline, read_tree
from foundry.render.escapes import escape, escape_within
from foundry.render.excerpts import LineGroup, find_nearest_quotes, group_lines
from foundry.render.places import describe_place, note_corrections, note_reading


def number_sources(sentences: Sequence[Sentence]) -> dict[str, int]:
    """Evidence id → number from 1, in the order of first use."""
    used = (citation for sentence in sentences for citation in sentence.citations)
    return {name: number for number, name in enumerate(dict.fromkeys(used), 1)}


def render_answer_markdown(question: str, shown: ShownAnswer) -> str:
    """The answer as Markdown with footnotes: place and quotes of every source."""
    lines = [f"## {escape(question)}", "", _render_text(shown), ""]
    for number, source, quotes in _list_notes(shown):
        lines += [f"[^{number}]: {source}", *(f"    > {quote}" for quote in quotes), ""]
    return "\n".join(lines).rstrip() + "\n"


def render_answer_docx(question: str, shown: ShownAnswer, project: str, asked: datetime) -> bytes:
    """The same as a Word file with real footnotes."""
    words = Words(choose_language(shown.language))
    maker = f"Foundry {__version__}"
    notes = tuple(
        PlannedNote(number, read_inline(place), tuple(map(read_inline, quotes)))
        for number, place, quotes in _list_notes(shown)
    )
    heading = Heading(1, (Text(clean(question)),), "", "")
    blocks = read_tree(_render_text(shown), frozenset(note.number for note in notes))
    plan = DeliveryPlan(
        words=words,
        title=" ".join(clean(question).split()),
        project=project,
        maker=" ".join((words("document-made-with"), maker)),
        lines=(),
        people=TableBlock((), ()),
        stale=(),
        parts=(DeliveryPart(heading, blocks, shown.language),),
        notes=notes,
    )
    return render_plan(plan, asked, front=False)


def _render_text(shown: ShownAnswer) -> str:
    """The text as Markdown."""
    if shown.passages:
        return "\n\n".join(_render_passages(shown))
    numbers = number_sources(shown.sentences)
    unverified = format_message(Message("answer-not-verified"), choose_language(shown.language))
    parts: list[str] = []
    for index, sentence in enumerate(shown.sentences):
        marks = "".join(f"[^{numbers[citation]}]" for citation in sentence.citations)
        separator = choose_separator(shown.sentences[index - 1], sentence) if index else ""
        # A row or an item gets a paragraph of its own.
        parts += [separator.replace("\n", "\n\n"), escape(sentence.text.strip()), marks]
        parts += [] if sentence.verified else [f" *({unverified})*"]
    return "".join(parts)


def _render_passages(shown: ShownAnswer) -> Iterator[str]:
    """What is said above the passages, then each with its place, the nearest line in bold."""
    language = choose_language(shown.language)
    yield f"**{format_message(Message('answer-passages'), language)}**"
    for reason in (Message("answer-passages-what"), *shown.reasons):
        yield escape(format_message(reason, language))
    sources = {source.id: source for source in shown.sources}
    for number, passage in enumerate(shown.passages, 1):
        yield f"**{number}.** {escape_within(_describe_passage(passage, sources[passage.id]))}"
        yield from map(_render_group, group_lines(passage.lines))
        same = [sources[name].title for name in passage.same if name in sources]
        said = [Message("answer-passage-same", sources=same)] if same else []
        read = note_reading(quote for line in passage.lines for quote in line.quotes)
        for note in (*read, *said):
            yield f"*{escape_within(format_message(note, language))}*"


def _describe_passage(passage: ShownPassage, source: ShownSource) -> str:
    """``Supply manual, Rev. B, 3.2 Supply, p. 14``, and the title of a table."""
    places = map(describe_place, find_nearest_quotes(passage.lines)[:1])
    return ", ".join(part for part in (_format_source(source), *places, passage.table) if part)


def _render_group(group: LineGroup) -> str:
    if group.labels:
        return _render_rows(group)
    if group.kind == "code":
        # Four spaces at the start of each line: nothing in it can end the block.
        return "\n".join(f"    {line.text}" for line in group.lines)
    lines = [_mark_nearest(escape(line.text), line) for line in group.lines]
    if group.kind == "list_item":
        return "\n".join(f"- {line}" for line in lines)
    return ("\n\n" if group.kind in {"table", "cue"} else " ").join(lines) + (
        " …" if group.context else ""
    )


def _render_rows(group: LineGroup) -> str:
    rows = [
        [_mark_nearest(escape_within(value), line) for value in values]
        for line, values in group.rows
    ]
    head = [escape_within(label) for label in group.labels]
    table = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in table)


def _mark_nearest(text: str, line: ExcerptLine) -> str:
    return f"**{text}**" if line.nearest and text else text


def _list_notes(shown: ShownAnswer) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    sources: Mapping[str, ShownSource] = {source.id: source for source in shown.sources}
    quotes = [quote for sentence in shown.sentences for quote in sentence.quotes]
    for name, number in number_sources(shown.sentences).items():
        own = [quote for quote in quotes if quote.evidence_id == name]
        places = "; ".join(dict.fromkeys(filter(None, map(describe_place, own))))
        source = sources[name]
        corrected = note_corrections(part for quote in own for part in quote.corrections)
        notes = [format_message(note, choose_language(shown.language)) for note in corrected]
        named = ", ".join(part for part in (_format_source(source), places) if part)
        where = "; ".join([named, *notes])
        words = tuple(escape_within(" ".join(quote.text.split())) for quote in own)
        yield number, escape(where), tuple(dict.fromkeys(words))


def _format_source(source: ShownSource) -> str:
    """Its title, and the revision and date that are printed."""
    revision = source.revision if (source.revision or "") not in source.title else None
    return ", ".join(part for part in (source.title, revision, source.revision_date) if part)
