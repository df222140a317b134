"""A manuscript → a short presentation; every level-1 heading is a slide."""

from __future__ import annotations

import io
from typing import Any

import pptx
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Mm, Pt

from examples.kit.archive import drop_thumbnail, settle_archive
from examples.kit.manuscript import Heading, Listing, Manuscript, Paragraph, Table


def _colour(code: str) -> Any:
    return RGBColor.from_string(code)  # type: ignore[no-untyped-call]


INK, AMBER, BODY, WHITE = (_colour(code) for code in ("12394A", "D9822B", "263238", "FFFFFF"))
PALE = (_colour("ECF2F5"), _colour("F6F9FA"))
NOTES = "Notes: "


def render_pptx(manuscript: Manuscript) -> bytes:
    """The presentation as bytes, the same for the same content."""
    show = pptx.Presentation()
    show.slide_width, show.slide_height = Mm(338.7), Mm(190.5)
    _set_properties(show, manuscript)
    _add_cover(show, manuscript)
    slide: Any = None
    for part in manuscript.parts:
        match part:
            case Heading():
                slide = _add_slide(show, part.text)
            case Listing():
                _add_listing(slide, part)
            case Table():
                _add_table(slide, part)
            case Paragraph(runs=((text, _), *_)) if text.startswith(NOTES):
                slide.notes_slide.notes_text_frame.text = text.removeprefix(NOTES)
            case _:
                raise ValueError(f"a slide cannot hold {part!r}")
    stream = io.BytesIO()
    show.save(stream)
    return settle_archive(stream.getvalue())


def _set_properties(show: Any, manuscript: Manuscript) -> None:
    about, core = manuscript.about, show.core_properties
    core.title = f"{about['title']} - {about['subtitle']}"
    core.author = core.last_modified_by = about["author"]
    core.created = core.modified = manuscript.created.replace(tzinfo=None)
    drop_thumbnail(show.part.package)


def _bar(slide: Any, place: tuple[float, float, float, float], colour: Any) -> None:
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *(Mm(length) for length in place))
    shape.fill.solid()
    shape.fill.fore_color.rgb = colour
    shape.line.fill.background()
    shape.shadow.inherit = False


def _place(shape: Any, left: float, top: float, width: float, height: float) -> None:
    shape.left, shape.top, shape.width, shape.height = Mm(left), Mm(top), Mm(width), Mm(height)


def _write(frame: Any, text: str, size: float, colour: Any, *, bold: bool = False) -> None:
    frame.text = text
    for paragraph in frame.paragraphs:
        paragraph.alignment = 1
        for run in paragraph.runs:
            run.font.size, run.font.bold, run.font.color.rgb = Pt(size), bold, colour


def _add_cover(show: Any, manuscript: Manuscript) -> None:
    slide = show.slides.add_slide(show.slide_layouts[0])
    about = manuscript.about
    _bar(slide, (0, 0, 338.7, 8), INK)
    _bar(slide, (0, 8, 338.7, 1.5), AMBER)
    title, subtitle = slide.shapes.title, slide.placeholders[1]
    _place(title, 22, 62, 290, 26)
    _write(title.text_frame, about["title"], 44, INK, bold=True)
    _place(subtitle, 22, 92, 290, 16)
    _write(subtitle.text_frame, about["subtitle"], 22, BODY)


def _add_slide(show: Any, title: str) -> Any:
    slide = show.slides.add_slide(show.slide_layouts[1])
    _bar(slide, (0, 0, 338.7, 8), INK)
    _place(slide.shapes.title, 22, 18, 290, 20)
    _write(slide.shapes.title.text_frame, title, 32, INK, bold=True)
    _bar(slide, (24.5, 40, 30, 1.2), AMBER)
    return slide


def _add_listing(slide: Any, listing: Listing) -> None:
    body = slide.placeholders[1]
    _place(body, 22, 50, 290, 115)
    lines = ["".join(text for text, _ in item) for item in listing.items]
    _write(body.text_frame, "\n".join(lines), 22, BODY)
    for paragraph in body.text_frame.paragraphs:
        paragraph.space_after = Pt(10)


def _add_table(slide: Any, table: Table) -> None:
    body = slide.placeholders[1]
    body._element.getparent().remove(body._element)  # noqa: SLF001 - an empty box would stay
    rows = (table.header, *table.rows)
    frame = slide.shapes.add_table(
        len(rows), len(table.header), Mm(24), Mm(52), Mm(286), Mm(13 * len(rows))
    )
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            cell = frame.table.cell(row, column)
            colour = WHITE if row == 0 else BODY
            _write(cell.text_frame, text, 18, colour, bold=row == 0)
            cell.fill.solid()
            cell.fill.fore_color.rgb = INK if row == 0 else PALE[row % 2]
