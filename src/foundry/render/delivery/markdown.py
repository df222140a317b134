"""The document as one Markdown file: the chapters, and one list of notes at the end.

The text of a chapter is that of its draft, with headings one level deeper; all other text is
escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from foundry.records import CitationNote, Delivery
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, plan_delivery
from foundry.render.delivery.tree import (
    BlockNode,
    Callout,
    Code,
    Heading,
    Inline,
    ListBlock,
    Paragraph,
    Styled,
    TableBlock,
    Text,
    clean,
    extract_text,
)
from foundry.render.escapes import escape, escape_within
from foundry.text.markdown import lower_headings, parse_markdown


def render_merged(delivery: Delivery) -> bytes:
    """The file in UTF-8, ending with a line feed."""
    plan = plan_delivery(delivery)
    lines = [*_render_cover(plan), *_render_contents(plan)]
    for part in plan.parts:
        lines += _render_part(part)
    for note in delivery.notes:
        lines += _render_note(note)
    text = "\n".join(lines).rstrip("\n") + "\n"
    return text.encode("utf-8", errors="replace")


def _render_cover(plan: DeliveryPlan) -> Iterator[str]:
    yield from (f"# {escape(plan.title)}", "")
    yield from _render_blocks(plan.stale)
    for label, text in plan.lines:
        yield f"- {escape(label)}: {escape(text)}"
    yield ""
    yield from _render_table(plan.people)


def _render_contents(plan: DeliveryPlan) -> Iterator[str]:
    contents = escape(plan.words("document-contents"))
    yield from (f"## {contents}", "")
    for heading in plan.list_headings():
        indent = "  " * (heading.level - 1)
        words = (
            _format_heading(heading) if heading.level == 1 else escape(extract_text(heading.inner))
        )
        yield f"{indent}- {words}"
    yield ""


def _format_heading(heading: Heading) -> str:
    words = escape(f"{heading.number} {extract_text(heading.inner)}".strip())
    # After the dash of a list item, a number does not start a list.
    return re.sub(r"^(\d+)\\", r"\1", words)


def _render_part(part: DeliveryPart) -> Iterator[str]:
    yield from (f"## {_format_heading(part.heading)}", "")
    yield from _render_blocks(part.stale)
    if part.markdown is not None:
        yield from (lower_headings(_close_code(part.markdown)), "")
    else:
        yield from _render_blocks(part.blocks)


def _close_code(text: str) -> str:
    """The text with its last code block closed, so that it does not swallow what follows."""
    last = parse_markdown(f"{text}\n\nx")[-1]
    return f"{text}\n{last.markup}" if last.type == "fence" else text


def _render_note(note: CitationNote) -> Iterator[str]:
    yield f"[^{note.number}]: {clean(note.place)}"
    for quote in note.quotes:
        yield from ("", f"    > {clean(quote)}")
    yield ""


def _render_blocks(blocks: tuple[BlockNode, ...]) -> Iterator[str]:
    for block in blocks:
        yield from _render_block(block)


def _render_block(block: BlockNode) -> Iterator[str]:
    match block:
        case Heading():
            yield from (f"{'#' * (block.level + 1)} {_format_heading(block)}", "")
        case ListBlock():
            for item in block.items:
                yield f"- {' '.join(line for line in _render_blocks(item) if line)}"
            yield ""
        case TableBlock():
            yield from _render_table(block)
        case Callout():
            inner = [f"**{escape(block.title)}**", "", *_render_blocks(block.blocks)]
            last = max(number for number, line in enumerate(inner, 1) if line)
            yield from (f"> {line}".rstrip() for line in inner[:last])
            yield ""
        case Paragraph():
            yield from (_render_inlines(block.inner), "")


def _render_table(table: TableBlock) -> Iterator[str]:
    head, *rows = table.rows
    yield _render_row(head)
    yield "|" + "|".join(" ---: " if side == "right" else " --- " for side in table.aligned) + "|"
    yield from (_render_row(row) for row in rows)
    yield ""


def _render_row(cells: tuple[tuple[Inline, ...], ...]) -> str:
    return "| " + " | ".join(_render_inlines(cell) for cell in cells) + " |"


def _render_inlines(inner: tuple[Inline, ...]) -> str:
    return "".join(_render_inline(inline, first=index == 0) for index, inline in enumerate(inner))


def _render_inline(inline: Inline, *, first: bool) -> str:
    match inline:
        case Styled():
            return f"**{''.join(_render_inline(part, first=False) for part in inline.inner)}**"
        case Code(text):
            # In a table cell a pipe ends code, so such text is escaped instead.
            plain = "`" in text or "|" in text
            return escape(text) if plain else f"`{text}`"
        case Text(text):
            lead, trail = " " * text.startswith(" "), " " * (text.endswith(" ") and len(text) > 1)
            words = escape(text) if first else escape_within(text)
            return f"{lead}{words}{trail}"
    return escape(extract_text((inline,)))
