"""Small PDFs like those of real programs: outline, labels, tables, running lines, scans."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import AccessPermission, EncryptionMethod
from PIL import Image, ImageDraw

BODY = (
    "The controller sends its packets at a fixed rate and waits for an answer from every unit. "
    "A unit that does not answer within the time set is marked as lost and shown on the display. "
)


class Manual(FPDF):
    """A document with a running header, a page number and numbered sections."""

    def __init__(self, header_text: str = "", footer_text: str = "") -> None:
        super().__init__()
        self.header_text, self.footer_text = header_text, footer_text
        self.set_font("helvetica", size=11)

    def header(self) -> None:
        if self.header_text:
            self.set_font("helvetica", size=8)
            self.cell(0, 8, self.header_text)
            self.ln(14)
            self.set_font("helvetica", size=11)

    def footer(self) -> None:
        if self.footer_text:
            self.set_y(-15)
            self.set_font("helvetica", size=8)
            self.cell(0, 8, self.footer_text.format(page=self.page_no()), align="C")

    def section(self, title: str, level: int, *, outline: str | None = None) -> None:
        """Add a heading in large print; ``outline`` is its bookmark, if any."""
        self.set_font("helvetica", "B", 18 - 3 * level)
        if outline is not None:
            self.start_section(outline, level - 1)
        self.cell(0, 10, title, new_x="LMARGIN", new_y="NEXT")
        self.set_font("helvetica", size=11)

    def paragraph(self, text: str = BODY) -> None:
        self.multi_cell(0, 5.5, text, new_x="LMARGIN", new_y="NEXT")
        self.ln(3)

    def rows(self, rows: Iterable[Sequence[str]], **style: object) -> None:
        with self.table(**style) as table:  # type: ignore[arg-type]
            for row in rows:
                cells = table.row()
                for cell in row:
                    cells.cell(cell)


def save(pdf: FPDF, path: Path) -> Path:
    pdf.output(str(path))
    return path


def manual(path: Path, *, outline: Callable[[str], str | None] = lambda title: title) -> Path:
    """Write three pages with sections 1, 1.1, 2, 2.1, 2.2; ``outline`` returns their bookmarks."""
    pdf = Manual()
    for chapter, titles in (("1 Overview", ["1.1 Purpose"]), ("2 Use", ["2.1 Start", "2.2 Stop"])):
        pdf.add_page()
        pdf.section(chapter, 1, outline=outline(chapter))
        pdf.paragraph()
        for title in titles:
            pdf.section(title, 2, outline=outline(title))
            pdf.paragraph(f"{title} is done so. {BODY}")
    return save(pdf, path)


def encrypted(path: Path, password: str) -> Path:
    pdf = Manual()
    pdf.set_encryption(
        owner_password="owner",
        user_password=password,
        encryption_method=EncryptionMethod.RC4,
        permissions=AccessPermission.none(),
    )
    pdf.add_page()
    pdf.paragraph("The secret voltage is 7.5 V.")
    return save(pdf, path)


def scan(words: str) -> io.BytesIO:
    """Draw a picture of words, like a scanner."""
    picture = Image.new("L", (1240, 400), 255)
    ImageDraw.Draw(picture).text((60, 120), words, fill=0, font_size=60)
    data = io.BytesIO()
    picture.save(data, "PNG")
    data.seek(0)
    return data


def draw_page(rows: Sequence[Sequence[str]]) -> Image.Image:
    """Draw a page at 150 dpi with sentences above rows in columns, like a clean scan."""
    picture = Image.new("L", (1240, 1000), 255)
    drawing = ImageDraw.Draw(picture)
    for number in range(6):
        words = f"Sentence number {number} says that the measured values follow below."
        drawing.text((120, 100 + 50 * number), words, fill=0, font_size=26)
    for number, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            place = (120 + 350 * column, 460 + 45 * number)
            drawing.text(place, cell, fill=0, font_size=26)
    return picture


def scanned(path: Path, pages: Sequence[str], *, typed: str = "") -> Path:
    """Write a PDF with one scan per page, after a typed page if ``typed`` is given."""
    pdf = Manual()
    if typed:
        pdf.add_page()
        pdf.paragraph(typed)
    for words in pages:
        pdf.add_page()
        pdf.image(scan(words), x=0, y=0, w=210, h=160)
    return save(pdf, path)


def raw(path: Path, content: str, *, form: str = "", ascent: int = 700) -> Path:
    """Write a page of drawing commands by hand, with a font /F and a form /X of commands.

    ``~`` is printed as U+2010, the hyphen of automatic hyphenation.
    """
    resources = "/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>"
    box = "[0 0 400 400]"
    widths = " ".join(["500"] * 95)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R {resources} >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        (
            f"<< /Type /Font /Subtype /Type1 /BaseFont /Serif /FontDescriptor 7 0 R "
            f"/FirstChar 32 /LastChar 126 /Widths [{widths}] "
            f"/Encoding << /Type /Encoding /Differences [126 /uni2010] >> >>"
        ),
        (
            f"<< /Type /XObject /Subtype /Form /BBox {box} {resources.replace('/XObject', '/None')} "
            f"/Length {len(form)} >>\nstream\n{form}\nendstream"
        ),
        (
            f"<< /Type /FontDescriptor /FontName /Serif /Flags 32 /Ascent {ascent} /Descent -10 "
            f"/ItalicAngle 0 /StemV 80 /FontBBox [0 -10 900 {ascent}] >>"
        ),
    ]
    body = "".join(f"{number} 0 obj\n{text}\nendobj\n" for number, text in enumerate(objects, 1))
    # Without a table of places, readers find the objects themselves.
    path.write_text(f"%PDF-1.7\n{body}trailer\n<< /Root 1 0 R >>\n%%EOF\n")
    return path


def print_codes(path: Path, *runs: tuple[str, bytes], private: bool = False) -> Path:
    """Write codes in fonts of these names, one behind the other, and a line of words.

    Symbol is the standard font, the others are TrueType; with ``private`` the first one maps its
    codes to U+F000 and up.
    """
    widths = " ".join(["500"] * 224)
    plain = f"/FirstChar 32 /LastChar 255 /Widths [{widths}] /FontDescriptor 5 0 R"
    words = "(The controller sends its packets at a fixed rate and waits for an answer from it.)"
    last = len(runs) - 1
    fonts = " ".join(f"/F{number} {number + 6} 0 R" for number in range(len(runs)))
    shown = " ".join(f"/F{i} 9 Tf <{codes.hex()}> Tj" for i, (_, codes) in enumerate(runs))
    content = f"BT /F{last} 5 Tf 20 50 Td {words} Tj 0 100 Td {shown} ET"
    mapping = "1 beginbfrange <41> <5A> <F041> endbfrange"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R "
            f"/Resources << /Font << {fonts} >> >> >>"
        ),
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        (
            "<< /Type /FontDescriptor /FontName /Any /Flags 4 /Ascent 700 /Descent -10 "
            "/ItalicAngle 0 /StemV 80 /FontBBox [0 -10 900 700] >>"
        ),
        *(
            f"<< /Type /Font /BaseFont /{name} "
            + ("/Subtype /Type1 >>" if name == "Symbol" else f"/Subtype /TrueType {plain}")
            + ("" if name == "Symbol" else f"{_map(private and not i, len(runs))} >>")
            for i, (name, _) in enumerate(runs)
        ),
        f"<< /Length {len(mapping)} >>\nstream\n{mapping}\nendstream",
    ]
    body = "".join(f"{number} 0 obj\n{text}\nendobj\n" for number, text in enumerate(objects, 1))
    path.write_text(f"%PDF-1.7\n{body}trailer\n<< /Root 1 0 R >>\n%%EOF\n")
    return path


def _map(private: bool, fonts: int) -> str:
    return f" /ToUnicode {fonts + 6} 0 R" if private else ""
