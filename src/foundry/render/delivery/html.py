"""The document as one HTML page with its own style, without scripts or requests.

All text is escaped, and links lead only to web and mail addresses. Marks link to their notes
and back; in print the notes are a list at the end.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from importlib.resources import files

from foundry.records import Delivery
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, plan_delivery
from foundry.render.delivery.tree import (
    BlockNode,
    BlockQuote,
    Break,
    Callout,
    Code,
    CodeBlock,
    Heading,
    Inline,
    Link,
    ListBlock,
    NoteMark,
    Paragraph,
    Rule,
    Styled,
    TableBlock,
    Text,
)

# A second line of defence: whatever slips through cannot load or run anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render_html(delivery: Delivery) -> bytes:
    """The page, in UTF-8."""
    return render_page(plan_delivery(delivery))


def render_page(plan: DeliveryPlan) -> bytes:
    """The page of a plan."""
    return _Page(plan).render().encode("utf-8")


class _Page:
    """Writes the page, and counts the marks of each note for the links back."""

    def __init__(self, plan: DeliveryPlan) -> None:
        self._plan = plan
        self._uses: Counter[int] = Counter()

    def render(self) -> str:
        plan, words = self._plan, self._plan.words
        skip = words("document-skip")
        style = files("foundry.render.delivery").joinpath("delivery.css").read_text("utf-8")
        # Rendered before the notes, which link back to every mark.
        body = "\n".join(self._render_part(part) for part in plan.parts)
        return (
            f'<!DOCTYPE html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="{escape(plan.maker)}">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(plan.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f'<a class="skip" href="#text">{escape(skip)}</a>\n{self._render_cover()}\n'
            f'{self._render_contents()}\n<main id="text">\n{body}\n</main>\n{self._render_notes()}\n'
            f"<footer>{escape(plan.project)} · {escape(plan.maker)}</footer>\n</body>\n</html>\n"
        )

    def _render_cover(self) -> str:
        plan = self._plan
        facts = "\n".join(
            f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in plan.lines
        )
        stale = self._render_blocks(plan.stale)
        people = self._render_table(plan.people)
        return (
            f'<header class="cover">\n<h1>{escape(plan.title)}</h1>\n{stale}'
            f"<dl>\n{facts}\n</dl>\n{people}\n</header>"
        )

    def _render_contents(self) -> str:
        plan = self._plan
        lines = []
        for heading in plan.list_headings():
            kind = ' class="below"' if heading.level > 1 else ""
            lines.append(
                f'<li{kind}><a href="#{heading.anchor}">{self._render_title(heading)}</a></li>'
            )
        if plan.notes:
            notes = escape(plan.words("document-notes"))
            lines.append(f'<li><a href="#notes">{notes}</a></li>')
        title = escape(plan.words("document-contents"))
        return (
            f'<nav class="contents" aria-labelledby="contents">\n<h2 id="contents">{title}</h2>\n'
            "<ul>\n" + "\n".join(lines) + "\n</ul>\n</nav>"
        )

    def _render_title(self, heading: Heading) -> str:
        number = f'<span class="number">{escape(heading.number)}</span> ' if heading.number else ""
        words = tuple(inline for inline in heading.inner if not isinstance(inline, NoteMark))
        return number + self._render_inlines(words, links=False)

    def _render_part(self, part: DeliveryPart) -> str:
        heading = self._render_block(part.heading)
        blocks = self._render_blocks((*part.stale, *part.blocks))
        other = part.language != self._plan.words.language
        language = f' lang="{part.language}"' if other else ""
        label = f'aria-labelledby="{part.heading.anchor}"'
        return f"<section {label}{language}>\n{heading}{blocks}</section>"

    def _render_notes(self) -> str:
        plan = self._plan
        if not plan.notes:
            return ""
        items = []
        for note in plan.notes:
            quotes = "".join(
                f"<blockquote>{self._render_inlines(quote)}</blockquote>" for quote in note.quotes
            )
            items.append(
                f'<li id="note-{note.number}" value="{note.number}" tabindex="-1">'
                f"{self._render_inlines(note.place)} {self._render_backs(note.number)}{quotes}</li>"
            )
        title = escape(plan.words("document-notes"))
        return (
            f'<section class="notes" role="doc-endnotes" aria-labelledby="notes">\n'
            f'<h2 id="notes">{title}</h2>\n<ol>\n' + "\n".join(items) + "\n</ol>\n</section>"
        )

    def _render_backs(self, number: int) -> str:
        label = escape(self._plan.words("document-back"))
        return " ".join(
            f'<a class="back" role="doc-backlink" href="#{_format_mark_id(number, use)}" '
            f'aria-label="{label} ({number}.{use})">↩</a>'
            for use in range(1, self._uses[number] + 1)
        )

    def _render_blocks(self, blocks: tuple[BlockNode, ...]) -> str:
        return "".join(self._render_block(block) for block in blocks)

    def _render_block(self, block: BlockNode) -> str:
        match block:
            case Heading():
                markup = self._render_heading(block)
            case Paragraph():
                markup = f"<p>{self._render_inlines(block.inner)}</p>\n"
            case ListBlock():
                markup = self._render_items(block)
            case TableBlock():
                markup = self._render_table(block)
            case CodeBlock():
                markup = f'<pre tabindex="0"><code>{escape(block.text)}</code></pre>\n'
            case BlockQuote():
                markup = f"<blockquote>\n{self._render_blocks(block.blocks)}</blockquote>\n"
            case Callout():
                title = f"<strong>{escape(block.title)}</strong>"
                inner = self._render_blocks(block.blocks)
                markup = f'<div class="callout" role="note"><p>{title}</p>\n{inner}</div>\n'
            case Rule():
                markup = "<hr>\n"
        return markup

    def _render_heading(self, block: Heading) -> str:
        number = f'<span class="number">{escape(block.number)}</span> ' if block.number else ""
        level = min(block.level + 1, 6)
        anchor = f' id="{block.anchor}"' if block.anchor else ""
        return f"<h{level}{anchor}>{number}{self._render_inlines(block.inner)}</h{level}>\n"

    def _render_items(self, block: ListBlock) -> str:
        opening = "<ul>" if block.start is None else f'<ol start="{block.start}">'
        inner = "".join(f"<li>{self._render_item(item)}</li>\n" for item in block.items)
        return f"{opening}\n{inner}</{opening[1:3]}>\n"

    def _render_item(self, blocks: tuple[BlockNode, ...]) -> str:
        if blocks and isinstance(blocks[0], Paragraph):
            return self._render_inlines(blocks[0].inner) + self._render_blocks(blocks[1:])
        return self._render_blocks(blocks)

    def _render_table(self, table: TableBlock) -> str:
        head, *rows = table.rows
        top = self._render_row("th", ' scope="col"', head, table.aligned)
        body = "".join(self._render_row("td", "", row, table.aligned) for row in rows)
        # A table that is too wide scrolls by itself, also from the keyboard.
        return (
            '<div class="wide" tabindex="0">\n<table>\n'
            f"{_render_columns(table)}<thead>{top}</thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
        )

    def _render_row(
        self, tag: str, scope: str, cells: tuple[tuple[Inline, ...], ...], aligned: tuple[str, ...]
    ) -> str:
        shown = "".join(
            f"<{tag}{scope}{'' if side == 'left' else f' class={side}'}>{self._render_inlines(cell)}</{tag}>"
            for cell, side in zip(cells, aligned, strict=False)
        )
        return f"<tr>{shown}</tr>\n"

    def _render_inlines(self, inner: tuple[Inline, ...], *, links: bool = True) -> str:
        return "".join(self._render_inline(inline, links=links) for inline in inner)

    def _render_inline(self, inline: Inline, *, links: bool) -> str:
        match inline:
            case Text():
                return escape(inline.text)
            case Code():
                return f"<code>{escape(inline.text)}</code>"
            case Styled():
                return f"<{inline.style}>{self._render_inlines(inline.inner, links=links)}</{inline.style}>"
            case Link():
                inner = self._render_inlines(inline.inner, links=False)
                href = escape(inline.href)
                return f'<a href="{href}" rel="noopener noreferrer">{inner}</a>' if links else inner
            case NoteMark():
                return self._render_mark(inline)
            case Break():
                return "<br>"

    def _render_mark(self, mark: NoteMark) -> str:
        number, comma = mark.number, "," if mark.follows else ""
        self._uses[number] += 1
        anchor = _format_mark_id(number, self._uses[number])
        link = f'<a id="{anchor}" href="#note-{number}" role="doc-noteref">{number}</a>'
        return f'<sup class="mark">{comma}{link}</sup>'


def _render_columns(table: TableBlock) -> str:
    whole = sum(table.widths)
    markup = "".join(f'<col style="width:{100 * width / whole:.0f}%">' for width in table.widths)
    return f"<colgroup>{markup}</colgroup>\n" if markup else ""


def _format_mark_id(number: int, use: int) -> str:
    return f"mark-{number}-{use}"
