"""An answer as a document to pass on: the question, the sentences, a footnote for each source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from foundry import __version__
from foundry.messages import Words, choose_language, format_message
from foundry.records import Sentence, ShownAnswer, ShownSource, choose_separator
from foundry.render.delivery.docx import render_plan
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, PlannedNote
from foundry.render.delivery.tree import Heading, TableBlock, Text, clean, read_inline, read_tree
from foundry.render.escapes import escape, escape_within
from foundry.render.places import describe_place, note_corrections


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
    numbers = number_sources(shown.sentences)
    parts: list[str] = []
    for index, sentence in enumerate(shown.sentences):
        marks = "".join(f"[^{numbers[citation]}]" for citation in sentence.citations)
        separator = choose_separator(shown.sentences[index - 1], sentence) if index else ""
        # A row or an item gets a paragraph of its own.
        parts += [separator.replace("\n", "\n\n"), escape(sentence.text.strip()), marks]
    return "".join(parts)


def _list_notes(shown: ShownAnswer) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    sources: Mapping[str, ShownSource] = {source.id: source for source in shown.sources}
    quotes = [quote for sentence in shown.sentences for quote in sentence.quotes]
    for name, number in number_sources(shown.sentences).items():
        own = [quote for quote in quotes if quote.evidence_id == name]
        places = "; ".join(dict.fromkeys(filter(None, map(describe_place, own))))
        source = sources[name]
        revision = source.revision if (source.revision or "") not in source.title else None
        parts = (source.title, revision, source.revision_date, places)
        corrected = note_corrections(part for quote in own for part in quote.corrections)
        notes = [format_message(note, choose_language(shown.language)) for note in corrected]
        where = "; ".join([", ".join(part for part in parts if part), *notes])
        words = tuple(escape_within(" ".join(quote.text.split())) for quote in own)
        yield number, escape(where), tuple(dict.fromkeys(words))
