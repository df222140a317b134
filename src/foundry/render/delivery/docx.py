"""The document for Word: real footnotes, a contents field, heading styles, tables and lists.

The first mark of a note is a footnote of Word itself; later marks of the same note refer to it
by a field, so that Word keeps their number right. Every word is escaped for XML, and opening the
file loads nothing from anywhere. All looks are styles of the template.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from foundry.records import Delivery
from foundry.render.delivery.docx_package import LIST_INDENT, WordParts, pack
from foundry.render.delivery.docx_template import read_template
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
    compute_column_widths,
    extract_text,
)


def render_docx(delivery: Delivery) -> bytes:
    """The file. The same delivery gives the same bytes.

    Raises ``ValueError`` when ``delivery.docx_template`` is not a Word file.
    """
    return render_plan(plan_delivery(delivery), delivery.created, delivery.docx_template)


def render_plan(
    plan: DeliveryPlan, made: datetime, styles: bytes | None = None, *, front: bool = True
) -> bytes:
    """The file of a plan; ``front`` adds cover and contents. Raises like ``render_docx``."""
    language = "nl-NL" if plan.words.language == "nl" else "en-GB"
    template = read_template(styles, language)
    body = _DocxBody(plan, template.text_width)
    created = made.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    parts = WordParts(
        template=template,
        language=language,
        title=plan.title,
        author=plan.project,
        maker=plan.maker,
        created=created,
        document=body.render_document(front=front),
        footnotes=body.render_footnotes(),
        header=_render_header(plan),
        footer=_render_footer(plan),
        list_starts=tuple(body.starts),
        document_links=tuple(body.runs.links),
        footnote_links=tuple(body.note_runs.links),
    )
    return pack(parts)


class _DocxBody:
    """Writes the body, and counts what is numbered over the whole file."""

    def __init__(self, plan: DeliveryPlan, text_width: int) -> None:
        self._plan = plan
        self._text_width = text_width
        self.runs = _RunWriter(frozenset(note.number for note in plan.notes))
        self.note_runs = _RunWriter(frozenset())
        self.starts: list[int | None] = []

    def render_document(self, *, front: bool) -> str:
        """The content of the body, without the layout of its last section."""
        # The text first, so that bookmarks and footnotes are numbered in page order.
        cover = self._render_cover() if front else ""
        text = "".join(self._render_part(part) for part in self._plan.parts)
        return cover + self._render_contents() + text if front else text

    def render_footnotes(self) -> str:
        """The footnotes that have a mark, in the order of the list."""
        used = self.runs.footnotes
        xml = []
        for note in self._plan.notes:
            if note.number in used:
                own = _render_run("", style="FootnoteReference", inner="<w:footnoteRef/>")
                lines = [own + _render_run(" ") + self.note_runs.render_inline(note.place)]
                lines += [self.note_runs.render_inline(quote, italic=True) for quote in note.quotes]
                styles = ["FootnoteText"] + ["FootnoteQuote"] * len(note.quotes)
                inner = "".join(
                    _render_paragraph(x, style) for x, style in zip(lines, styles, strict=True)
                )
                xml.append(f'<w:footnote w:id="{note.number}">{inner}</w:footnote>')
        return "".join(xml)

    def _render_cover(self) -> str:
        plan = self._plan
        lines = "".join(
            _render_paragraph(
                _render_run(label, style="Label")
                + _render_run("", inner="<w:tab/>")
                + _render_run(text),
                "CoverLine",
            )
            for label, text in plan.lines
        )
        stale = self._render_blocks(plan.stale)
        title = _render_paragraph(_render_run(plan.title), "Title")
        return (
            title
            + stale
            + lines
            + _render_paragraph("", "Normal")
            + self._render_table(plan.people)
        )

    def _render_contents(self) -> str:
        headings = list(self._plan.list_headings())
        title = _render_paragraph(_render_run(self._plan.words("document-contents")), "TOCHeading")
        begin = _open_field('TOC \\o "1-2" \\h \\z \\u', stale=True)
        lines = [self._render_contents_line(heading) for heading in headings]
        first = begin + (lines[0] if lines else "")
        styles = [f"TOC{min(heading.level, 2)}" for heading in headings] or ["TOC1"]
        entries = zip([first, *lines[1:]], styles, strict=True)
        inner = title + "".join(_render_paragraph(line, style) for line, style in entries)
        return (
            '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
            "<w:docPartUnique/></w:docPartObj></w:sdtPr><w:sdtContent>"
            f"{inner}{_render_paragraph(_close_field(), 'Normal')}</w:sdtContent></w:sdt>"
        )

    def _render_contents_line(self, heading: Heading) -> str:
        # Only Word knows the page numbers: it adds them when it updates the field.
        words = f"{heading.number} {extract_text(heading.inner)}".strip()
        name = _format_bookmark(heading)
        return f'<w:hyperlink w:anchor="{name}" w:history="1">{_render_run(words)}</w:hyperlink>'

    def _render_part(self, part: DeliveryPart) -> str:
        return self._render_blocks((part.heading, *part.stale, *part.blocks))

    def _render_blocks(
        self, blocks: tuple[BlockNode, ...], style: str = "Normal", depth: int = 0
    ) -> str:
        return "".join(self._render_block(block, style, depth) for block in blocks)

    def _render_block(self, block: BlockNode, style: str, depth: int) -> str:
        indent = 0 if style in {"Callout", "Quote"} else depth * LIST_INDENT
        match block:
            case Heading():
                xml = self._render_heading(block)
            case Paragraph(inner):
                xml = _render_paragraph(self.runs.render_inline(inner), style, indent=indent)
            case ListBlock():
                xml = self._render_items(block, style, depth)
            case TableBlock():
                xml = self._render_table(block)
            case CodeBlock(text):
                xml = _render_paragraph(_render_run(text), "CodeBlock", indent=indent)
            case BlockQuote(blocks):
                xml = self._render_blocks(blocks, "Quote", depth)
            case Callout(title, blocks):
                opening = _render_paragraph(_render_run(title, style="Warning"), "Callout")
                xml = opening + self._render_blocks(blocks, "Callout", depth)
            case Rule():
                xml = _render_paragraph("", "Rule")
        return xml

    def _render_heading(self, block: Heading) -> str:
        number = _render_run(f"{block.number} ", style="Label") if block.number else ""
        words = number + self.runs.render_inline(block.inner)
        if block.anchor:
            words = _add_bookmark(words, _format_bookmark(block), self.runs.next_id())
        return _render_paragraph(words, f"Heading{block.level}")

    def _render_items(self, block: ListBlock, style: str, depth: int) -> str:
        # The indent of a Word list would break the bar beside a quote or warning.
        barred = style in {"Callout", "Quote"}
        if not barred:
            self.starts.append(block.start)
        numbered = None if barred else (len(self.starts), min(depth, 8))
        kept = style if barred else "ListParagraph"
        xml = []
        for offset, item in enumerate(block.items):
            opened = item[0].inner if item and isinstance(item[0], Paragraph) else ()
            sign = "• " if block.start is None else f"{block.start + offset}. "
            words = (_render_run(sign) if barred else "") + self.runs.render_inline(opened)
            xml.append(_render_paragraph(words, kept, numbered=numbered))
            xml.append(self._render_blocks(item[1:] if opened else item, kept, depth + 1))
        return "".join(xml)

    def _render_table(self, table: TableBlock) -> str:
        parts = table.widths or compute_column_widths(table)
        widths = [self._text_width * part // sum(parts) for part in parts]
        grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
        rows = "".join(
            self._render_row(row, widths, table.aligned, head=index == 0)
            for index, row in enumerate(table.rows)
        )
        look = '<w:tblLook w:val="0020" w:firstRow="1" w:noHBand="1" w:noVBand="1"/>'
        return (
            '<w:tbl><w:tblPr><w:tblStyle w:val="DocumentTable"/>'
            f'<w:tblW w:w="{sum(widths)}" w:type="dxa"/><w:tblLayout w:type="fixed"/>{look}'
            f"</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{rows}</w:tbl>{_render_paragraph('', 'AfterTable')}"
        )

    def _render_row(
        self,
        cells: tuple[tuple[Inline, ...], ...],
        widths: list[int],
        aligned: tuple[str, ...],
        *,
        head: bool,
    ) -> str:
        kept = "<w:cantSplit/><w:tblHeader/>" if head else "<w:cantSplit/>"
        xml = "".join(
            f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
            f"{_render_paragraph(self.runs.render_inline(cell, bold=head), 'TableText', side=side)}</w:tc>"
            for cell, width, side in zip(cells, widths, aligned, strict=False)
        )
        return f"<w:tr><w:trPr>{kept}</w:trPr>{xml}</w:tr>"


def _format_bookmark(heading: Heading) -> str:
    return f"_Toc_{heading.anchor.replace('-', '_')}"


def _render_header(plan: DeliveryPlan) -> str:
    tab = _render_run("", inner="<w:tab/>")
    mark = tab + _render_run(plan.words("document-stale"), style="Warning") if plan.stale else ""
    return _render_paragraph(_render_run(plan.title) + mark, "Header")


def _render_footer(plan: DeliveryPlan) -> str:
    before, _, after = plan.words("document-page-of", page="{page}", pages="{pages}").partition(
        "{page}"
    )
    between, _, last = after.partition("{pages}")
    page = _open_field("PAGE") + _render_run("1") + _close_field()
    pages = _open_field("NUMPAGES") + _render_run("1") + _close_field()
    tab = _render_run("", inner="<w:tab/>")
    left = _render_run(f"{plan.project} · {plan.maker}")
    return _render_paragraph(
        left + tab + _render_run(before) + page + _render_run(between) + pages + _render_run(last),
        "Footer",
    )


# Runs, paragraphs and fields


def _render_run(
    text: str,
    *,
    style: str = "",
    bold: bool = False,
    italic: bool = False,
    struck: bool = False,
    inner: str = "",
) -> str:
    """A run of text; ``inner`` is XML placed before it. Line feeds become line breaks."""
    # The schema prescribes this order.
    properties = "".join(
        (
            f'<w:rStyle w:val="{style}"/>' if style else "",
            "<w:b/>" if bold else "",
            "<w:i/>" if italic else "",
            "<w:strike/>" if struck else "",
        )
    )
    lines = text.split("\n") if text else []
    words = "<w:br/>".join(f'<w:t xml:space="preserve">{_escape(line)}</w:t>' for line in lines)
    opening = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f"<w:r>{opening}{inner}{words}</w:r>"


def _render_paragraph(
    inner: str,
    style: str,
    *,
    side: str = "left",
    indent: int = 0,
    numbered: tuple[int, int] | None = None,
) -> str:
    """A paragraph; ``numbered`` is its list and level, ``indent`` is in twentieths of a point."""
    properties = f'<w:pStyle w:val="{style}"/>'
    if numbered:
        number, level = numbered
        properties += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    elif indent:
        properties += f'<w:ind w:left="{indent}"/>'
    if side != "left":
        properties += f'<w:jc w:val="{side}"/>'
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def _open_field(instruction: str, *, stale: bool = False) -> str:
    """The start of a field, up to its result; ``stale`` asks Word to update it."""
    dirty = ' w:dirty="true"' if stale else ""
    code = f'<w:instrText xml:space="preserve"> {_escape(instruction)} </w:instrText>'
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"{dirty}/></w:r><w:r>{code}</w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )


def _close_field() -> str:
    """The end of a field."""
    return '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def _add_bookmark(inner: str, name: str, number: int) -> str:
    """Runs under a name for fields and links to refer to."""
    start = f'<w:bookmarkStart w:id="{number}" w:name="{name}"/>'
    return f'{start}{inner}<w:bookmarkEnd w:id="{number}"/>'


class _RunWriter:
    """Writes the text of one part of the file, and counts its links, bookmarks and footnotes."""

    def __init__(self, notes: AbstractSet[int]) -> None:
        self._notes = notes
        self._last_id = 0
        self.links: list[str] = []
        self.footnotes: set[int] = set()

    def next_id(self) -> int:
        """An unused number for a bookmark."""
        self._last_id += 1
        return self._last_id

    def render_inline(
        self,
        inner: tuple[Inline, ...],
        *,
        bold: bool = False,
        italic: bool = False,
        struck: bool = False,
        style: str = "",
    ) -> str:
        """Running text as runs."""
        xml: list[str] = []
        for inline in inner:
            match inline:
                case Text(text):
                    xml.append(
                        _render_run(text, style=style, bold=bold, italic=italic, struck=struck)
                    )
                case Code():
                    words = inline.short or inline.text
                    xml.append(
                        _render_run(words, style="Code", bold=bold, italic=italic, struck=struck)
                    )
                case Styled(kind, below):
                    xml.append(
                        self.render_inline(
                            below,
                            bold=bold or kind == "strong",
                            italic=italic or kind == "em",
                            struck=struck or kind == "s",
                            style=style,
                        )
                    )
                case Link(href, below):
                    self.links.append(href)
                    words = self.render_inline(below, bold=bold, italic=italic, style="Hyperlink")
                    xml.append(f'<w:hyperlink r:id="rIdL{len(self.links)}">{words}</w:hyperlink>')
                case NoteMark():
                    xml.append(self._render_mark(inline))
                case Break():
                    xml.append(_render_run("", inner="<w:br/>"))
        return "".join(xml)

    def _render_mark(self, mark: NoteMark) -> str:
        number = mark.number
        comma = _render_run(",", style="FootnoteReference") if mark.follows else ""
        if number not in self._notes:
            return comma + _render_run(str(number), style="FootnoteReference")
        name = f"_Note{number}"
        if number not in self.footnotes:
            self.footnotes.add(number)
            reference = f'<w:footnoteReference w:id="{number}"/>'
            own = _render_run("", style="FootnoteReference", inner=reference)
            return comma + _add_bookmark(own, name, self.next_id())
        shown = _render_run(str(number), style="FootnoteReference")
        return comma + _open_field(f"NOTEREF {name} \\f \\h") + shown + _close_field()


def _escape(text: str) -> str:
    return escape(text.replace("\t", "    "))
