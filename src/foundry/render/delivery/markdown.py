"""The document as one Markdown file: chapters as they are, one list of notes at the end.

A chapter's text stands as its draft has it, headings one level deeper; the words
around it are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from foundry.records import Delivery, Note
from foundry.render.delivery.plan import Part, Plan, plan_delivery
from foundry.render.delivery.tree import (
    Block,
    Callout,
    Code,
    Heading,
    Inline,
    Items,
    Paragraph,
    Styled,
    Table,
    Text,
    clean,
    words_of,
)
from foundry.render.escaping import escape, escape_within
from foundry.wording.markdown import lower_headings, parse_markdown


def render_merged(delivery: Delivery) -> bytes:
    """The file, in UTF-8, ending with a line feed."""
    plan = plan_delivery(delivery)
    lines = [*_cover(plan), *_contents(plan)]
    for part in plan.parts:
        lines += _part(part)
    for note in delivery.notes:
        lines += _note(note)
    text = "\n".join(lines).rstrip("\n") + "\n"
    return text.encode("utf-8", errors="replace")


def _cover(plan: Plan) -> Iterator[str]:
    yield from (f"# {escape(plan.title)}", "")
    yield from _blocks(plan.stale)
    for label, text in plan.lines:
        yield f"- {escape(label)}: {escape(text)}"
    yield ""
    yield from _table(plan.people)


def _contents(plan: Plan) -> Iterator[str]:
    yield from (f"## {escape(plan.words.contents)}", "")
    for heading in plan.headings():
        indent = "  " * (heading.level - 1)
        words = _numbered(heading) if heading.level == 1 else escape(words_of(heading.inner))
        yield f"{indent}- {words}"
    yield ""


def _numbered(heading: Heading) -> str:
    words = escape(f"{heading.number} {words_of(heading.inner)}".strip())
    # Behind a list's dash a number is no list.
    return re.sub(r"^(\d+)\\", r"\1", words)


def _part(part: Part) -> Iterator[str]:
    yield from (f"## {_numbered(part.heading)}", "")
    yield from _blocks(part.stale)
    if part.markdown is not None:
        yield from (lower_headings(_closed(part.markdown)), "")
    else:
        yield from _blocks(part.blocks)


def _closed(text: str) -> str:
    """The text with its last code block closed: an open one would swallow what follows."""
    last = parse_markdown(f"{text}\n\nx")[-1]
    return f"{text}\n{last.markup}" if last.type == "fence" else text


def _note(note: Note) -> Iterator[str]:
    yield f"[^{note.number}]: {clean(note.place)}"
    for quote in note.quotes:
        yield from ("", f"    > {clean(quote)}")
    yield ""


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield from (f"{'#' * (block.level + 1)} {_numbered(block)}", "")
        case Items():
            for item in block.items:
                yield f"- {' '.join(line for line in _blocks(item) if line)}"
            yield ""
        case Table():
            yield from _table(block)
        case Callout():
            inner = [f"**{escape(block.title)}**", "", *_blocks(block.blocks)]
            yield from (f"> {line}".rstrip() for line in inner[: _last(inner)])
            yield ""
        case Paragraph():
            yield from (_inlines(block.inner), "")


def _last(lines: list[str]) -> int:
    return max(at for at, line in enumerate(lines, 1) if line)


def _table(table: Table) -> Iterator[str]:
    head, *rows = table.rows
    yield _row(head)
    yield "|" + "|".join(" ---: " if side == "right" else " --- " for side in table.aligned) + "|"
    yield from (_row(row) for row in rows)
    yield ""


def _row(cells: tuple[tuple[Inline, ...], ...]) -> str:
    return "| " + " | ".join(_inlines(cell) for cell in cells) + " |"


def _inlines(inner: tuple[Inline, ...]) -> str:
    return "".join(_inline(one, first=at == 0) for at, one in enumerate(inner))


def _inline(one: Inline, *, first: bool) -> str:
    match one:
        case Styled():
            return f"**{''.join(_inline(part, first=False) for part in one.inner)}**"
        case Code(text):
            # In a table's cell a pipe ends code, so such a text is escaped as words.
            plain = "`" in text or "|" in text
            return escape(text) if plain else f"`{text}`"
        case Text(text):
            lead, trail = " " * text.startswith(" "), " " * (text.endswith(" ") and len(text) > 1)
            words = escape(text) if first else escape_within(text)
            return f"{lead}{words}{trail}"
    return escape(words_of((one,)))
