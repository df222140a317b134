"""The template of the Word file: its styles are taken over, anything else is refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import docx
import pytest
from docx.shared import Cm, Pt

from foundry.errors import ConfigError
from foundry.render.delivery import FORMATS
from foundry.render.delivery.docx_template import load_template, read_template
from tests.render.deliveries import delivery

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def house_style() -> bytes:
    """A Word file as an office makes it: its own heading, on paper of another size."""
    made = docx.Document()
    made.styles["Heading 1"].font.size = Pt(33)
    made.styles["Heading 1"].element.set(f"{W}styleId", "Kop1")
    made.sections[0].page_width = Cm(18)
    made.sections[0].page_height = Cm(25)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def with_part(name: str, text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{W[1:-1]}"/>')
        archive.writestr(name, text)
    return buffer.getvalue()


def render(template: bytes) -> docx.document.Document:
    return docx.Document(io.BytesIO(FORMATS["docx"](delivery(docx_template=template))))


def test_headings_take_the_style_of_the_template_whatever_its_id() -> None:
    made = render(house_style())
    headings = [paragraph for paragraph in made.paragraphs if paragraph.style.name == "Heading 1"]
    assert headings[0].text == "1 Power supply"
    assert headings[0].style.font.size == Pt(33)


def test_paper_and_table_width_follow_the_template() -> None:
    made = render(house_style())
    margins = made.sections[0].left_margin + made.sections[0].right_margin
    assert made.sections[0].page_width == pytest.approx(Cm(18), abs=1000)
    widths = sum(column.width for column in made.tables[0].columns)
    assert widths <= made.sections[0].page_width - margins


def test_styles_that_the_template_lacks_come_from_the_built_in_one() -> None:
    names = {style.name for style in render(house_style()).styles}
    assert {"Callout", "Code Block", "Document Table", "footnote quote"} <= names


def test_every_style_id_is_unique() -> None:
    styles = ET.fromstring(read_template(house_style(), "en-GB").styles)
    ids = [style.get(f"{W}styleId") for style in styles.iter(f"{W}style")]
    assert len(ids) == len(set(ids))


def test_a_document_of_foundry_is_a_template_for_the_next() -> None:
    first = FORMATS["docx"](delivery())
    assert FORMATS["docx"](delivery(docx_template=first)) == first


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.7", "another format"),
        (with_part("word/other.xml", ""), "no styles"),
        (with_part("word/styles.xml", "<styles/>"), "not a Word document"),
        (with_part("word/styles.xml", "<w:styles"), "XML is broken"),
        (with_part("word/styles.xml", "<!DOCTYPE x [<!ENTITY a 'b'>]><x/>"), "XML entities"),
    ],
)
def test_what_is_not_a_word_file_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    (tmp_path / "house.docx").write_bytes(data)
    with pytest.raises(ConfigError, match=problem) as error:
        load_template(tmp_path, "house.docx")
    assert error.value.where == "foundry.yaml: output.docx_template"


@pytest.mark.parametrize("name", ["../house.docx", "/etc/hosts", "absent.docx"])
def test_a_template_is_a_file_inside_the_project(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError):
        load_template(tmp_path / "project", name)
