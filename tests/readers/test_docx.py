"""Word documents: words, order, tables, notes, and what is refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.readers.office.docx import read_docx
from tests.readers.office_files import (
    HEADING_STYLES,
    STRICT,
    cell,
    list_headings,
    options,
    paragraph,
    read_body,
    relations,
    table,
    texts,
    write_docx,
    write_zip,
)


def run(inner: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr>{inner}</w:r>"


def test_a_python_docx_file_keeps_headings_lists_and_tables(tmp_path: Path) -> None:
    file = docx.Document()
    file.add_heading("Manual", 0)
    file.add_heading("Setup", 1)
    file.add_paragraph("Plug it in.", style="List Bullet")
    grid = file.add_table(2, 2)
    for at, text in enumerate(["Part", "Value", "R12", "10 kΩ"]):
        grid.cell(at // 2, at % 2).text = text
    file.save(str(tmp_path / "m.docx"))
    document = read_docx(tmp_path / "m.docx", options(tmp_path / "m.docx"))
    assert texts(document) == ["Manual", "Setup", "• Plug it in.", "Part | Value\nR12 | 10 kΩ"]
    assert [block.kind for block in document.blocks][2:] == ["list_item", "table"]
    assert document.title == "Manual"


def test_cells_with_a_heading_and_its_text_are_sections(tmp_path: Path) -> None:
    file = docx.Document()
    grid = file.add_table(2, 2)
    for at, name in enumerate(["Safety", "Use", "Care", "Waste"]):
        place = grid.cell(at // 2, at % 2)
        place.paragraphs[0].text, place.paragraphs[0].style = name, file.styles["Heading 1"]
        place.add_paragraph(f"About {name}.")
    file.save(str(tmp_path / "m.docx"))
    document = read_docx(tmp_path / "m.docx", options(tmp_path / "m.docx"))
    assert list_headings(document) == ["Safety", "Use", "Care", "Waste"]


def test_a_strict_file_reads_like_a_transitional_one(tmp_path: Path) -> None:
    path = write_docx(
        tmp_path / "s.docx", paragraph("A", "Kop1"), namespace=STRICT, styles=HEADING_STYLES
    )
    assert list_headings(read_docx(path, options(path))) == ["A"]


def test_insertions_are_kept_and_deletions_dropped(tmp_path: Path) -> None:
    body = (
        "<w:p><w:ins><w:r><w:t>nieuw </w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>oud</w:delText></w:r></w:del><w:r><w:t>einde</w:t></w:r></w:p>"
    )
    document = read_body(tmp_path, body)
    assert texts(document) == ["nieuw einde"]
    assert "Tracked changes" in str(document.warnings[0])


def test_field_codes_and_hidden_text_are_left_out(tmp_path: Path) -> None:
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText>'
        '</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>zie 3</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
        + run("<w:t> geheim</w:t>", "<w:vanish/>")
        + "</w:p>"
    )
    document = read_body(tmp_path, body)
    assert texts(document) == ["zie 3"]
    assert tuple(map(str, document.warnings)) == ("Hidden text was left out.",)


def test_a_field_that_never_ends_hides_only_its_paragraph(tmp_path: Path) -> None:
    broken = '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:t>code</w:t></w:r></w:p>'
    assert texts(read_body(tmp_path, broken + paragraph("tekst"))) == ["tekst"]


def test_symbols_and_raised_digits_keep_their_meaning(tmp_path: Path) -> None:
    body = (
        "<w:p>"
        + run("<w:t>10</w:t>")
        + run("<w:t>-3</w:t>", '<w:vertAlign w:val="superscript"/>')
        + run("<w:t> 5 k</w:t>")
        + run("<w:t>W</w:t>", '<w:rFonts w:ascii="Symbol"/>')
        + run('<w:sym w:font="Symbol" w:char="F0B1"/>')
        + run("<w:t>2</w:t><w:noBreakHyphen/><w:t>x</w:t>")
        + "</w:p>"
    )
    assert texts(read_body(tmp_path, body)) == ["10⁻³ 5 kΩ±2-x"]


def test_an_equation_is_one_line_of_text(tmp_path: Path) -> None:
    def part(name: str, text: str) -> str:
        return f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>"

    body = (
        "<w:p><w:r><w:t>U = </w:t></w:r><m:oMath><m:f>"
        f"{part('num', 'a+b')}{part('den', '2')}</m:f><m:sSup>{part('e', 'x')}{part('sup', '2')}"
        "</m:sSup></m:oMath></w:p>"
    )
    assert texts(read_body(tmp_path, body)) == ["U =  (a+b)/2x^2"]


def test_a_merged_cell_appears_once_and_columns_stay_aligned(tmp_path: Path) -> None:
    down = '<w:vMerge w:val="restart"/>'
    body = table(
        cell("A") + cell("B") + cell("C"),
        cell("wide", properties='<w:gridSpan w:val="2"/>') + cell("x"),
        cell("high", properties=down) + cell("1") + cell("2"),
        cell("", properties="<w:vMerge/>") + cell("3") + cell("4"),
    )
    rows = texts(read_body(tmp_path, body))[0].split("\n")
    assert rows == ["A | B | C", "wide |  | x", "high | 1 | 2", " | 3 | 4"]


def test_a_nested_table_stays_readable_in_its_cell(tmp_path: Path) -> None:
    inner = table(cell("a") + cell("b"), cell("c") + cell("d"))
    body = table(cell("x") + cell("y"), cell("1") + cell("zie", inner))
    assert texts(read_body(tmp_path, body)) == ["x | y\n1 | zie; (a, b; c, d)"]


def test_a_table_that_frames_sections_is_read_as_text(tmp_path: Path) -> None:
    body = table(cell(paragraph("Kader", "Kop1"), paragraph("Tekst.")))
    document = read_body(tmp_path, body, styles=HEADING_STYLES)
    assert [block.kind for block in document.blocks] == ["heading", "paragraph"]


def test_text_boxes_follow_their_paragraph_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('in de box')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>voor</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>"
        f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert texts(read_body(tmp_path, body + paragraph("na"))) == ["voor", "in de box", "na"]


def test_a_footnote_follows_the_paragraph_that_refers_to_it(tmp_path: Path) -> None:
    body = '<w:p><w:r><w:t>Bron</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    notes = f'<w:footnote w:id="2">{paragraph("ISO 9001")}</w:footnote>'
    document = read_body(tmp_path, body + paragraph("na"), footnotes=notes)
    assert texts(document) == ["Bron[1]", "[1] ISO 9001", "na"]


def test_prompts_of_content_controls_are_not_text(tmp_path: Path) -> None:
    prompt = (
        "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>"
        f"{paragraph('Click here')}</w:sdtContent></w:sdt>"
    )
    filled = f"<w:sdt><w:sdtContent>{paragraph('Acme')}</w:sdtContent></w:sdt>"
    assert texts(read_body(tmp_path, prompt + filled)) == ["Acme"]


def test_tables_of_contents_are_left_out_and_code_lines_joined(tmp_path: Path) -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/></w:style>'
        for id_, name in (("T1", "toc 1"), ("C", "Source Code"))
    )
    body = paragraph("1 Intro 3", "T1") + paragraph("a = 1", "C") + paragraph("b = 2", "C")
    assert texts(read_body(tmp_path, body, styles=styles)) == ["a = 1\nb = 2"]


def test_a_page_header_comes_first_once_and_without_bare_page_numbers(tmp_path: Path) -> None:
    header = "".join(map(paragraph, ("Doc 12 – Rev. C", "Pagina 1 van 3", "Doc 12 – Rev. C")))
    document = read_body(tmp_path, paragraph("Tekst."), header=header)
    assert texts(document) == ["Doc 12 – Rev. C", "Tekst."]
    assert document.revision == "Rev. C"


def test_comments_are_left_out_with_a_warning(tmp_path: Path) -> None:
    note = f'<w:comment w:id="0">{paragraph("klopt dit?")}</w:comment>'
    document = read_body(tmp_path, paragraph("Tekst."), comments=note)
    assert tuple(map(str, document.warnings)) == ("Comments were left out.",)


def test_a_document_with_only_pictures_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="pictures but no text"):
        read_body(tmp_path, "<w:p><w:r><w:drawing/></w:r></w:p>")


def test_pictures_beside_text_are_counted_in_a_warning(tmp_path: Path) -> None:
    path = write_docx(tmp_path / "a.docx", paragraph("Tekst."))
    picture = relations(("p1", "image", "media/a.png"), ("p2", "image", "media/a.png"))
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    write_zip(path, {**parts, "word/_rels/document.xml.rels": picture})
    assert read_docx(path, options(path)).warnings == (
        Message("readers-pictures-left-out", number=1),
    )


def test_an_empty_document_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no text") as caught:
        read_body(tmp_path, paragraph(""))
    assert "export it as a PDF" in caught.value.fix


def test_a_workbook_with_the_wrong_extension_is_named(tmp_path: Path) -> None:
    parts = {
        "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": "<a/>",
    }
    path = write_zip(tmp_path / "a.docx", parts)
    with pytest.raises(ReadError, match="Excel workbook"):
        read_docx(path, options(path))
