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
    plan = plan_delivery(delivery)
    return _Page(plan).render().encode("utf-8")


class _Page:
    """Writes the page, and counts the marks of each note for the links back."""

    def __init__(self, plan: DeliveryPlan) -> None:
        self._plan = plan
        self._uses: Counter[int] = Counter()

    def render(self) -> str:
        plan, words = self._plan, self._plan.words
        style = files("foundry.render.delivery").joinpath("delivery.css").read_text("utf-8")
        # Rendered before the notes, which link back to every mark.
        body = "\n".join(self._part(part) for part in plan.parts)
        return (
            f'<!DOCTYPE html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="{escape(plan.maker)}">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(plan.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f'<a class="skip" href="#text">{escape(words.skip)}</a>\n{self._cover()}\n'
            f'{self._contents()}\n<main id="text">\n{body}\n</main>\n{self._notes()}\n'
            f"<footer>{escape(plan.project)} · {escape(plan.maker)}</footer>\n</body>\n</html>\n"
        )

    def _cover(self) -> str:
        plan = self._plan
        facts = "\n".join(
            f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in plan.lines
        )
        stale = self._blocks(plan.stale)
        people = self._table(plan.people)
        return (
            f'<header class="cover">\n<h1>{escape(plan.title)}</h1>\n{stale}'
            f"<dl>\n{facts}\n</dl>\n{people}\n</header>"
        )

    def _contents(self) -> str:
        plan = self._plan
        lines = []
        for heading in plan.headings():
            kind = ' class="below"' if heading.level > 1 else ""
            lines.append(f'<li{kind}><a href="#{heading.anchor}">{self._title(heading)}</a></li>')
        if plan.notes:
            lines.append(f'<li><a href="#notes">{escape(plan.words.notes)}</a></li>')
        title = escape(plan.words.contents)
        return (
            f'<nav class="contents" aria-labelledby="contents">\n<h2 id="contents">{title}</h2>\n'
            "<ul>\n" + "\n".join(lines) + "\n</ul>\n</nav>"
        )

    def _title(self, heading: Heading) -> str:
        number = f'<span class="number">{escape(heading.number)}</span> ' if heading.number else ""
        words = tuple(one for one in heading.inner if not isinstance(one, NoteMark))
        return number + self._inlines(words, links=False)

    def _part(self, part: DeliveryPart) -> str:
        heading = self._block(part.heading)
        blocks = self._blocks((*part.stale, *part.blocks))
        other = part.language != self._plan.words.language
        language = f' lang="{part.language}"' if other else ""
        label = f'aria-labelledby="{part.heading.anchor}"'
        return f"<section {label}{language}>\n{heading}{blocks}</section>"

    def _notes(self) -> str:
        plan = self._plan
        if not plan.notes:
            return ""
        items = []
        for note in plan.notes:
            quotes = "".join(
                f"<blockquote>{self._inlines(quote)}</blockquote>" for quote in note.quotes
            )
            items.append(
                f'<li id="note-{note.number}" value="{note.number}" tabindex="-1">'
                f"{self._inlines(note.place)} {self._backs(note.number)}{quotes}</li>"
            )
        title = escape(plan.words.notes)
        return (
            f'<section class="notes" role="doc-endnotes" aria-labelledby="notes">\n'
            f'<h2 id="notes">{title}</h2>\n<ol>\n' + "\n".join(items) + "\n</ol>\n</section>"
        )

    def _backs(self, number: int) -> str:
        label = escape(self._plan.words.back)
        return " ".join(
            f'<a class="back" role="doc-backlink" href="#{_format_mark_id(number, use)}" '
            f'aria-label="{label} ({number}.{use})">↩</a>'
            for use in range(1, self._uses[number] + 1)
        )

    def _blocks(self, blocks: tuple[BlockNode, ...]) -> str:
        return "".join(self._block(block) for block in blocks)

    def _block(self, block: BlockNode) -> str:
        match block:
            case Heading():
                made = self._heading(block)
            case Paragraph():
                made = f"<p>{self._inlines(block.inner)}</p>\n"
            case ListBlock():
                made = self._items(block)
            case TableBlock():
                made = self._table(block)
            case CodeBlock():
                made = f'<pre tabindex="0"><code>{escape(block.text)}</code></pre>\n'
            case BlockQuote():
                made = f"<blockquote>\n{self._blocks(block.blocks)}</blockquote>\n"
            case Callout():
                title = f"<strong>{escape(block.title)}</strong>"
                inner = self._blocks(block.blocks)
                made = f'<div class="callout" role="note"><p>{title}</p>\n{inner}</div>\n'
            case Rule():
                made = "<hr>\n"
        return made

    def _heading(self, block: Heading) -> str:
        number = f'<span class="number">{escape(block.number)}</span> ' if block.number else ""
        level = min(block.level + 1, 6)
        anchor = f' id="{block.anchor}"' if block.anchor else ""
        return f"<h{level}{anchor}>{number}{self._inlines(block.inner)}</h{level}>\n"

    def _items(self, block: ListBlock) -> str:
        opening = "<ul>" if block.start is None else f'<ol start="{block.start}">'
        inner = "".join(f"<li>{self._item(item)}</li>\n" for item in block.items)
        return f"{opening}\n{inner}</{opening[1:3]}>\n"

    def _item(self, blocks: tuple[BlockNode, ...]) -> str:
        if blocks and isinstance(blocks[0], Paragraph):
            return self._inlines(blocks[0].inner) + self._blocks(blocks[1:])
        return self._blocks(blocks)

    def _table(self, table: TableBlock) -> str:
        head, *rows = table.rows
        top = self._row("th", ' scope="col"', head, table.aligned)
        body = "".join(self._row("td", "", row, table.aligned) for row in rows)
        # A table that is too wide scrolls by itself, also from the keyboard.
        return (
            '<div class="wide" tabindex="0">\n<table>\n'
            f"{_render_columns(table)}<thead>{top}</thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
        )

    def _row(
        self,
        tag: str,
        scope: str,
        cells: tuple[tuple[Inline, ...], ...],
        aligned: tuple[str, ...],
    ) -> str:
        shown = "".join(
            f"<{tag}{scope}{'' if side == 'left' else f' class={side}'}>{self._inlines(cell)}</{tag}>"
            for cell, side in zip(cells, aligned, strict=False)
        )
        return f"<tr>{shown}</tr>\n"

    def _inlines(self, inner: tuple[Inline, ...], *, links: bool = True) -> str:
        return "".join(self._inline(one, links=links) for one in inner)

    def _inline(self, one: Inline, *, links: bool) -> str:
        match one:
            case Text():
                return escape(one.text)
            case Code():
                return f"<code>{escape(one.text)}</code>"
            case Styled():
                return f"<{one.style}>{self._inlines(one.inner, links=links)}</{one.style}>"
            case Link():
                inner = self._inlines(one.inner, links=False)
                href = escape(one.href)
                return f'<a href="{href}" rel="noopener noreferrer">{inner}</a>' if links else inner
            case NoteMark():
                return self._mark(one)
            case Break():
                return "<br>"

    def _mark(self, mark: NoteMark) -> str:
        number, comma = mark.number, "," if mark.follows else ""
        self._uses[number] += 1
        anchor = _format_mark_id(number, self._uses[number])
        link = f'<a id="{anchor}" href="#note-{number}" role="doc-noteref">{number}</a>'
        return f'<sup class="mark">{comma}{link}</sup>'


def _render_columns(table: TableBlock) -> str:
    whole = sum(table.widths)
    made = "".join(f'<col style="width:{100 * width / whole:.0f}%">' for width in table.widths)
    return f"<colgroup>{made}</colgroup>\n" if made else ""


def _format_mark_id(number: int, use: int) -> str:
    return f"mark-{number}-{use}"
