"""An answer as a document to pass on: the question, the sentences, a footnote for each source.

Where no model wrote it has the passages that come closest, each under its place in its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foundry import __version__
from foundry.messages import Language, Message, Words, choose_language, format_message
from foundry.records import (
    Conflict,
    ConflictSide,
    ExcerptLine,
    QueryRecord,
    Sentence,
    ShownAnswer,
    ShownPassage,
    ShownSource,
    choose_separator,
)
from foundry.render.answer import describe_asked
from foundry.render.delivery.docx import render_plan
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, PlannedNote
from foundry.render.delivery.tree import Heading, TableBlock, Text, clean, read_inline, read_tree
from foundry.render.escapes import escape, escape_within
from foundry.render.excerpts import LineGroup, find_nearest_quotes, group_lines
from foundry.render.places import describe_place, format_revision, note_corrections, note_reading


def number_sources(sentences: Sequence[Sentence]) -> dict[str, int]:
    """Evidence id → number from 1, in the order of first use."""
    used = (citation for sentence in sentences for citation in sentence.citations)
    return {name: number for number, name in enumerate(dict.fromkeys(used), 1)}


def render_answer_markdown(record: QueryRecord, changed: Sequence[Message] = ()) -> str:
    """The answer as Markdown with footnotes: place and quotes of every source.

    Around it stands all that its page says of it; ``changed`` is what a reader must know of its
    sources now. Raises ``ValueError`` for a row without an answer.
    """
    shown = _get_shown(record)
    question = record.rewritten or record.query
    lines = [f"## {escape(question)}", "", _render_whole(record, shown, changed), ""]
    for number, source, quotes in _list_notes(shown):
        lines += [f"[^{number}]: {source}", *(f"    > {quote}" for quote in quotes), ""]
    return "\n".join(lines).rstrip() + "\n"


def render_answer_docx(record: QueryRecord, project: str, changed: Sequence[Message] = ()) -> bytes:
    """The same as a Word file with real footnotes."""
    shown, question = _get_shown(record), record.rewritten or record.query
    words = Words(choose_language(shown.language))
    maker = f"Foundry {__version__}"
    notes = tuple(
        PlannedNote(number, read_inline(place), tuple(map(read_inline, quotes)))
        for number, place, quotes in _list_notes(shown)
    )
    heading = Heading(1, (Text(clean(question)),), "", "")
    blocks = read_tree(
        _render_whole(record, shown, changed), frozenset(note.number for note in notes)
    )
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
    return render_plan(plan, record.time, front=False)


def _get_shown(record: QueryRecord) -> ShownAnswer:
    if record.shown is None:
        raise ValueError(record.id)
    return record.shown


def _render_whole(record: QueryRecord, shown: ShownAnswer, changed: Sequence[Message]) -> str:
    """The text between what warns of it and what explains it, as Markdown."""
    language = choose_language(shown.language)
    parts: list[str] = []
    if record.verdict == "low_confidence":
        parts.append(f"**{format_message(Message('site-low-confidence'), language)}**")
    if not shown.passages and record.verdict != "answer":
        parts += [_list_items(shown.reasons, language)]
    parts += [_render_text(shown), *_render_conflicts(shown.conflicts, language)]
    computed = [value for sentence in shown.sentences for value in sentence.computed]
    said = [Message("site-computed", values="; ".join(computed))] if computed else []
    parts.append(_list_items((*said, *changed, *shown.notices), language))
    asked = describe_asked(record.time, record.role, shown, record.who)
    parts.append(f"*{escape_within(format_message(asked, language))}*")
    return "\n\n".join(filter(None, parts))


def _list_items(messages: Sequence[Message], language: Language) -> str:
    return "\n".join(f"- {escape(format_message(one, language))}" for one in messages)


def _render_conflicts(conflicts: Sequence[Conflict], language: Language) -> Iterator[str]:
    """The contradictions, then those of an older revision, each under what it is."""
    for superseded, code in ((False, "site-conflict"), (True, "site-superseded")):
        found = [one for one in conflicts if one.superseded is superseded]
        if found:
            yield f"**{format_message(Message(code), language)}**"
            yield "\n".join(f"- {escape(_describe_conflict(one, language))}" for one in found)


def _describe_conflict(found: Conflict, language: Language) -> str:
    sides = " ↔ ".join(_describe_side(side, Words(language)) for side in (found.a, found.b))
    followed = found.holds and (found.a if found.holds == "a" else found.b)
    said = [found.reason]
    if followed:
        said.append(Message("site-conflict-holds", source=_name(followed), rule=found.rule))
    return " ".join([sides, *(format_message(one, language) for one in said)])


def _describe_side(side: ConflictSide, words: Words) -> str:
    where = " ".join(filter(None, (_name(side), format_revision(side, words.format))))
    return f"{where}: “{' '.join(side.quote.text.split())}”"


def _name(side: ConflictSide) -> str:
    return side.source.rpartition("/")[2]


def _render_text(shown: ShownAnswer) -> str:
    """The text as Markdown."""
    if shown.passages:
        return "\n\n".join(_render_passages(shown))
    numbers = number_sources(shown.sentences)
    language = choose_language(shown.language)
    parts: list[str] = []
    for index, sentence in enumerate(shown.sentences):
        marks = "".join(f"[^{numbers[citation]}]" for citation in sentence.citations)
        separator = choose_separator(shown.sentences[index - 1], sentence) if index else ""
        # A row or an item gets a paragraph of its own.
        parts += [separator.replace("\n", "\n\n"), escape(sentence.text.strip()), marks]
        if not sentence.verified:
            why = (Message("answer-not-verified"), sentence.objection)
            said = ": ".join(format_message(one, language) for one in why if one)
            parts.append(f" *({escape_within(said)})*")
    return "".join(parts)


def _render_passages(shown: ShownAnswer) -> Iterator[str]:
    """What is said above the passages, then each with its place, the nearest line in bold."""
    language = choose_language(shown.language)
    yield f"**{format_message(Message('answer-passages'), language)}**"
    for reason in (Message("answer-passages-what"), *shown.reasons):
        yield escape(format_message(reason, language))
    sources = {source.id: source for source in shown.sources}
    for number, passage in enumerate(shown.passages, 1):
        yield f"**{number}.** {escape_within(_describe_passage(passage, sources[passage.id], Words(language)))}"
        yield from map(_render_group, group_lines(passage.lines))
        same = [sources[name].title for name in passage.same if name in sources]
        said = [Message("answer-passage-same", sources=same)] if same else []
        read = note_reading(quote for line in passage.lines for quote in line.quotes)
        for note in (*read, *said):
            yield f"*{escape_within(format_message(note, language))}*"


def _describe_passage(passage: ShownPassage, source: ShownSource, words: Words) -> str:
    """``Supply manual, Rev. B, 3.2 Supply, p. 14``, and the title of a table."""
    places = map(describe_place, find_nearest_quotes(passage.lines)[:1])
    named = _format_source(source, words)
    return ", ".join(part for part in (named, *places, passage.table) if part)


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
    words = Words(choose_language(shown.language))
    for name, number in number_sources(shown.sentences).items():
        own = [quote for quote in quotes if quote.evidence_id == name]
        places = "; ".join(dict.fromkeys(filter(None, map(describe_place, own))))
        source = sources[name]
        corrected = note_corrections(part for quote in own for part in quote.corrections)
        notes = list(map(words.format, corrected))
        named = ", ".join(part for part in (_format_source(source, words), places) if part)
        where = "; ".join([named, *notes])
        quoted = (escape_within(" ".join(quote.text.split())) for quote in own)
        yield number, escape(where), tuple(dict.fromkeys(quoted))


def _format_source(source: ShownSource, words: Words) -> str:
    """Its title, revision, date and status."""
    printed = format_revision(source, words.format, title=source.title)
    return ", ".join(part for part in (source.title, printed) if part)
