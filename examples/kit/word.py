"""A manuscript → a Word file whose heading numbers come from Word's own numbering.

The numbers are not in the text: ``numbering.xml`` holds one multilevel list
whose levels are linked to the heading styles, as a company template has it.
"""

from __future__ import annotations

import io
from typing import Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Mm, Pt, RGBColor

from examples.kit.archive import drop_thumbnail, settle_archive
from examples.kit.figures import draw_png
from examples.kit.manuscript import (
    Figure,
    Heading,
    Listing,
    Manuscript,
    Notice,
    Paragraph,
    Part,
    Runs,
    Table,
)

COMPANY = "Brinkvonk Lighting Controls B.V."
INK = RGBColor(0x12, 0x39, 0x4A)
BODY = RGBColor(0x26, 0x32, 0x38)
GREY = RGBColor(0x5D, 0x6D, 0x75)
HEADING_LIST = 77
"""Number of the heading list; any that the library's template does not use."""
TEXT_WIDTH_MM = 170
FIGURE_MM = (170.0, 44.0)
PAGE_WORD = {"en": "Page", "nl": "Pagina"}


def render_docx(manuscript: Manuscript) -> bytes:
    """The Word file as bytes, the same for the same content."""
    document = docx.Document()
    _set_properties(document, manuscript)
    _set_styles(document, str(manuscript.about["language"]))
    _add_heading_numbers(document)
    _set_page(document, manuscript)
    _add_title(document, manuscript)
    for part in manuscript.parts:
        _add_part(document, part)
    stream = io.BytesIO()
    document.save(stream)
    return settle_archive(stream.getvalue())


def _set_properties(document: Any, manuscript: Manuscript) -> None:
    about, core = manuscript.about, document.core_properties
    core.title = f"{about['title']} - {about['subtitle']}"
    core.subject = f"{about['number']} {about['revision']}"
    core.author = core.last_modified_by = about["author"]
    core.language = about["language"]
    core.created = core.modified = manuscript.created.replace(tzinfo=None)
    core.comments = ""
    drop_thumbnail(document.part.package)


def _set_styles(document: Any, language: str) -> None:
    styles = document.styles
    normal = styles["Normal"]
    _set_font(normal, "Calibri", 10.5, BODY)
    normal.paragraph_format.space_after = Pt(6)
    normal.element.get_or_add_rPr().append(
        parse_xml(f'<w:lang {nsdecls("w")} w:val="{language}"/>')
    )
    for level, size in ((1, 15), (2, 12), (3, 10.5)):
        style = styles[f"Heading {level}"]
        _set_font(style, "Calibri", size, INK)
        style.paragraph_format.space_before = Pt(18 if level == 1 else 12)
        style.paragraph_format.space_after = Pt(4)
    _set_font(styles["Title"], "Calibri", 24, INK)
    _set_font(styles["Subtitle"], "Calibri", 12, GREY)
    _set_font(styles["Caption"], "Calibri", 9, GREY)
    styles["Subtitle"].font.italic = False
    for name in ("Header", "Footer"):
        stops = styles[name].paragraph_format.tab_stops
        stops.clear_all()
        stops.add_tab_stop(Mm(TEXT_WIDTH_MM), WD_TAB_ALIGNMENT.RIGHT)
    notice = styles.add_style("Notice", WD_STYLE_TYPE.PARAGRAPH)
    notice.base_style = normal
    properties = notice.element.get_or_add_pPr()
    properties.append(
        parse_xml(
            f"<w:pBdr {nsdecls('w')}>"
            '<w:left w:val="single" w:sz="36" w:space="8" w:color="D9822B"/></w:pBdr>'
        )
    )
    properties.append(
        parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:color="auto" w:fill="FDF3E6"/>')
    )
    notice.paragraph_format.left_indent = Mm(4)


def _set_font(style: Any, name: str, size: float, colour: RGBColor) -> None:
    style.font.name, style.font.size, style.font.color.rgb = name, Pt(size), colour
    fonts = style.element.rPr.rFonts
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)


def _add_heading_numbers(document: Any) -> None:
    numbering = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:pStyle w:val="Heading{level + 1}"/><w:suff w:val="tab"/>'
        f'<w:lvlText w:val="{".".join(f"%{n + 1}" for n in range(level + 1))}"/>'
        '<w:lvlJc w:val="left"/><w:pPr><w:tabs><w:tab w:val="num" w:pos="794"/></w:tabs>'
        '<w:ind w:left="794" w:hanging="794"/></w:pPr></w:lvl>'
        for level in range(3)
    )
    outline = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{HEADING_LIST}">'
        f'<w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
    )
    # The schema wants every definition before the first instance.
    numbering.insert(list(numbering).index(numbering.find(qn("w:num"))), outline)
    numbering.append(
        parse_xml(
            f'<w:num {nsdecls("w")} w:numId="{HEADING_LIST}">'
            f'<w:abstractNumId w:val="{HEADING_LIST}"/></w:num>'
        )
    )
    for level in range(3):
        properties = document.styles[f"Heading {level + 1}"].element.get_or_add_pPr()
        numbered = properties.get_or_add_numPr()
        numbered.get_or_add_ilvl().val = level
        numbered.get_or_add_numId().val = HEADING_LIST


def _set_page(document: Any, manuscript: Manuscript) -> None:
    about, section = manuscript.about, document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(20)
    section.top_margin, section.bottom_margin = Mm(27), Mm(22)
    head = section.header.paragraphs[0]
    _add_small(head, f"{COMPANY}\t{about['number']}")
    foot = section.footer.paragraphs[0]
    _add_small(foot, f"{about['number']}  {about['revision']}  {about['date']}\t")
    _add_small(foot, f"{PAGE_WORD[str(about['language'])[:2]]} ")
    field = parse_xml(
        f'<w:fldSimple {nsdecls("w")} w:instr="PAGE"><w:r><w:t>1</w:t></w:r></w:fldSimple>'
    )
    foot._p.append(field)  # noqa: SLF001 - the library has no page field


def _add_small(paragraph: Any, text: str) -> None:
    run = paragraph.add_run(text)
    run.font.size, run.font.color.rgb = Pt(8.5), GREY


def _add_title(document: Any, manuscript: Manuscript) -> None:
    about = manuscript.about
    document.add_paragraph(about["title"], style="Title")
    line = f"{about['subtitle']} {about['number']}, {about['revision']}, {about['date']}"
    document.add_paragraph(line, style="Subtitle")


def _add_part(document: Any, part: Part) -> None:
    match part:
        case Heading():
            document.add_heading(part.text, part.level)
        case Paragraph():
            _add_runs(document.add_paragraph(), part.runs)
        case Listing():
            style = "List Number" if part.ordered else "List Bullet"
            for item in part.items:
                _add_runs(document.add_paragraph(style=style), item)
        case Table():
            _add_table(document, part)
        case Notice():
            runs = ((f"{part.label}  ", True), (part.text, False))
            _add_runs(document.add_paragraph(style="Notice"), runs)
        case Figure():
            picture = io.BytesIO(draw_png(part.name, *FIGURE_MM))
            document.add_picture(picture, width=Mm(TEXT_WIDTH_MM))
            document.add_paragraph(part.caption, style="Caption")
        case _:
            raise ValueError(f"a Word file cannot hold {part!r}")


def _add_runs(paragraph: Any, runs: Runs) -> None:
    for text, bold in runs:
        paragraph.add_run(text).bold = bold or None


def _add_table(document: Any, table: Table) -> None:
    grid = document.add_table(rows=0, cols=len(table.header), style="Table Grid")
    widths = _widths(table)
    for number, cells in enumerate((table.header, *table.rows)):
        row = grid.add_row()
        for cell, text, width in zip(row.cells, cells, widths, strict=True):
            cell.width = Mm(width)
            _fill_cell(cell, text, heading=number == 0)
            # A short table stays on one page: every row but the last holds on to the next.
            cell.paragraphs[0].paragraph_format.keep_with_next = number < len(table.rows)
    for column, width in zip(grid.columns, widths, strict=True):
        column.width = Mm(width)
    _mark_heading_row(grid)
    gap = document.add_paragraph().paragraph_format
    gap.space_after, gap.line_spacing = Pt(0), Pt(8)


def _fill_cell(cell: Any, text: str, *, heading: bool) -> None:
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_after = Pt(1)
    paragraph.paragraph_format.space_before = Pt(1)
    run = paragraph.add_run(text)
    run.font.size = Pt(9.5)
    if heading:
        run.bold = True
        run.font.color.rgb = RGBColor(0xFF, 0xFF, 0xFF)
        shade = f'<w:shd {nsdecls("w")} w:val="clear" w:color="auto" w:fill="12394A"/>'
        cell._tc.get_or_add_tcPr().append(parse_xml(shade))  # noqa: SLF001 - no public way


def _mark_heading_row(grid: Any) -> None:
    """Repeat the first row on every page, and draw the lines in the house's pale grey."""
    grid.rows[0]._tr.get_or_add_trPr().append(  # noqa: SLF001 - no public way
        parse_xml(f"<w:tblHeader {nsdecls('w')}/>")
    )
    sides = "".join(
        f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="BECBD1"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    borders = parse_xml(f"<w:tblBorders {nsdecls('w')}>{sides}</w:tblBorders>")
    properties = grid._tbl.tblPr  # noqa: SLF001
    properties.insert(list(properties).index(properties.find(qn("w:tblW"))) + 1, borders)


def _widths(table: Table) -> list[float]:
    """Column widths in millimetres, by the longest cell, within bounds."""
    columns = zip(table.header, *table.rows, strict=True)
    longest = [max(len(cell) for cell in column) for column in columns]
    wanted = [min(max(length, 7), 42) for length in longest]
    return [TEXT_WIDTH_MM * width / sum(wanted) for width in wanted]
