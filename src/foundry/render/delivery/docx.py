"""The document for Word: real footnotes, a contents field, heading styles, tables and lists.

A note's first mark is a footnote of Word's own; later marks of the same note refer
to it by a field, so that Word keeps their number right. Every word is escaped for XML;
nothing is loaded from anywhere when the file is opened.
"""

from __future__ import annotations

from datetime import UTC

from foundry.records import Delivery
from foundry.render.delivery.docx_package import WordParts, pack
from foundry.render.delivery.docx_runs import (
    RunWriter,
    add_bookmark,
    close_field,
    open_field,
    render_paragraph,
    render_run,
)
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, plan_delivery
from foundry.render.delivery.tree import (
    BlockNode,
    BlockQuote,
    Callout,
    CodeBlock,
    Heading,
    Inline,
    ListBlock,
    Paragraph,
    Rule,
    TableBlock,
    compute_column_widths,
    extract_text,
)

_TEXT_WIDTH = 9070
"""Twentieths of a point between the margins of A4."""
_INDENT = 357


def render_docx(delivery: Delivery) -> bytes:
    """The file. The same delivery gives the same bytes."""
    plan = plan_delivery(delivery)
    body = _DocxBody(plan)
    document = body.document()
    created = delivery.created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    parts = WordParts(
        language="nl-NL" if plan.words.language == "nl" else "en-GB",
        title=plan.title,
        author=plan.project,
        maker=plan.maker,
        created=created,
        document=document,
        footnotes=body.footnotes(),
        header=_render_header(plan),
        footer=_render_footer(plan),
        list_starts=tuple(body.starts),
        document_links=tuple(body.runs.links),
        footnote_links=tuple(body.note_runs.links),
    )
    return pack(parts)


class _DocxBody:
    """The document's body being written: what is numbered over the whole file is counted here."""

    def __init__(self, plan: DeliveryPlan) -> None:
        self._plan = plan
        self.runs = RunWriter(frozenset(note.number for note in plan.notes))
        self.note_runs = RunWriter(frozenset())
        self.starts: list[int | None] = []

    def document(self) -> str:
        """Everything between the tags of the body, its last section's layout left out."""
        # The text first: bookmarks and footnotes are counted in the order of the pages.
        cover, text = self._cover(), "".join(self._part(part) for part in self._plan.parts)
        return cover + self._contents() + text

    def footnotes(self) -> str:
        """The footnotes in the order of the list, those that have a mark."""
        used = self.runs.footnotes
        made = []
        for note in self._plan.notes:
            if note.number in used:
                own = render_run("", style="FootnoteReference", inner="<w:footnoteRef/>")
                lines = [own + render_run(" ") + self.note_runs.inline(note.place)]
                lines += [self.note_runs.inline(quote, italic=True) for quote in note.quotes]
                styles = ["FootnoteText"] + ["FootnoteQuote"] * len(note.quotes)
                inner = "".join(
                    render_paragraph(x, style) for x, style in zip(lines, styles, strict=True)
                )
                made.append(f'<w:footnote w:id="{note.number}">{inner}</w:footnote>')
        return "".join(made)

    def _cover(self) -> str:
        plan = self._plan
        lines = "".join(
            render_paragraph(
                render_run(label, colour="56616C")
                + render_run("", inner="<w:tab/>")
                + render_run(text),
                "CoverLine",
            )
            for label, text in plan.lines
        )
        stale = self._blocks(plan.stale)
        title = render_paragraph(render_run(plan.title), "Title")
        return title + stale + lines + render_paragraph("", "Normal") + self._table(plan.people)

    def _contents(self) -> str:
        headings = list(self._plan.headings())
        title = render_paragraph(render_run(self._plan.words.contents), "TOCHeading")
        begin = open_field('TOC \\o "1-2" \\h \\z \\u', stale=True)
        lines = [self._contents_line(heading) for heading in headings]
        first = begin + (lines[0] if lines else "")
        styles = [f"TOC{min(heading.level, 2)}" for heading in headings] or ["TOC1"]
        entries = zip([first, *lines[1:]], styles, strict=True)
        inner = title + "".join(render_paragraph(line, style) for line, style in entries)
        return (
            '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
            "<w:docPartUnique/></w:docPartObj></w:sdtPr><w:sdtContent>"
            f"{inner}{render_paragraph(close_field(), 'Normal')}</w:sdtContent></w:sdt>"
        )

    def _contents_line(self, heading: Heading) -> str:
        # Only Word knows the pages: it adds them when it brings the field up to date.
        words = f"{heading.number} {extract_text(heading.inner)}".strip()
        name = _format_bookmark(heading)
        return f'<w:hyperlink w:anchor="{name}" w:history="1">{render_run(words)}</w:hyperlink>'

    def _part(self, part: DeliveryPart) -> str:
        return self._blocks((part.heading, *part.stale, *part.blocks))

    def _blocks(self, blocks: tuple[BlockNode, ...], style: str = "Normal", depth: int = 0) -> str:
        return "".join(self._block(block, style, depth) for block in blocks)

    def _block(self, block: BlockNode, style: str, depth: int) -> str:
        indent = 0 if style in {"Callout", "Quote"} else depth * _INDENT
        match block:
            case Heading():
                made = self._heading(block)
            case Paragraph(inner):
                made = render_paragraph(self.runs.inline(inner), style, indent=indent)
            case ListBlock():
                made = self._items(block, style, depth)
            case TableBlock():
                made = self._table(block)
            case CodeBlock(text):
                made = render_paragraph(render_run(text), "CodeBlock", indent=indent)
            case BlockQuote(blocks):
                made = self._blocks(blocks, "Quote", depth)
            case Callout(title, blocks):
                opening = render_paragraph(render_run(title, bold=True, colour="8A2D00"), "Callout")
                made = opening + self._blocks(blocks, "Callout", depth)
            case Rule():
                made = render_paragraph("", "Rule")
        return made

    def _heading(self, block: Heading) -> str:
        number = render_run(f"{block.number} ", colour="56616C") if block.number else ""
        words = number + self.runs.inline(block.inner)
        if block.anchor:
            words = add_bookmark(words, _format_bookmark(block), self.runs.next_id())
        return render_paragraph(words, f"Heading{block.level}")

    def _items(self, block: ListBlock, style: str, depth: int) -> str:
        # A list of Word's own has its own indent, which would break the bar beside these.
        barred = style in {"Callout", "Quote"}
        if not barred:
            self.starts.append(block.start)
        numbered = None if barred else (len(self.starts), min(depth, 8))
        kept = style if barred else "ListParagraph"
        made = []
        for at, item in enumerate(block.items):
            opened = item[0].inner if item and isinstance(item[0], Paragraph) else ()
            sign = "• " if block.start is None else f"{block.start + at}. "
            words = (render_run(sign) if barred else "") + self.runs.inline(opened)
            made.append(render_paragraph(words, kept, numbered=numbered))
            made.append(self._blocks(item[1:] if opened else item, kept, depth + 1))
        return "".join(made)

    def _table(self, table: TableBlock) -> str:
        parts = table.widths or compute_column_widths(table)
        widths = [_TEXT_WIDTH * part // sum(parts) for part in parts]
        grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
        rows = "".join(
            self._row(row, widths, table.aligned, head=at == 0) for at, row in enumerate(table.rows)
        )
        look = '<w:tblLook w:val="0020" w:firstRow="1" w:noHBand="1" w:noVBand="1"/>'
        return (
            '<w:tbl><w:tblPr><w:tblStyle w:val="DocumentTable"/>'
            f'<w:tblW w:w="{sum(widths)}" w:type="dxa"/><w:tblLayout w:type="fixed"/>{look}'
            f"</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>{render_paragraph('', 'AfterTable')}"
        )

    def _row(
        self,
        cells: tuple[tuple[Inline, ...], ...],
        widths: list[int],
        aligned: tuple[str, ...],
        *,
        head: bool,
    ) -> str:
        kept = "<w:cantSplit/><w:tblHeader/>" if head else "<w:cantSplit/>"
        made = "".join(
            f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
            f"{render_paragraph(self.runs.inline(cell, bold=head), 'TableText', side=side)}</w:tc>"
            for cell, width, side in zip(cells, widths, aligned, strict=False)
        )
        return f"<w:tr><w:trPr>{kept}</w:trPr>{made}</w:tr>"


def _format_bookmark(heading: Heading) -> str:
    return f"_Toc_{heading.anchor.replace('-', '_')}"


def _render_header(plan: DeliveryPlan) -> str:
    tab = render_run("", inner="<w:tab/>")
    mark = tab + render_run(plan.words.stale, bold=True, colour="8A2D00") if plan.stale else ""
    return render_paragraph(render_run(plan.title) + mark, "Header")


def _render_footer(plan: DeliveryPlan) -> str:
    before, _, after = plan.words.page_of.partition("{page}")
    between, _, last = after.partition("{pages}")
    page = open_field("PAGE") + render_run("1") + close_field()
    pages = open_field("NUMPAGES") + render_run("1") + close_field()
    tab = render_run("", inner="<w:tab/>")
    left = render_run(f"{plan.project} · {plan.maker}")
    return render_paragraph(
        left + tab + render_run(before) + page + render_run(between) + pages + render_run(last),
        "Footer",
    )
