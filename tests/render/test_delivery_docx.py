"""The Word file, opened again: real footnotes, headings, lists, fields, and valid XML."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree as ET

import docx
import pytest

from foundry.records import CitationNote
from foundry.render.delivery import FORMATS
from tests.render.deliveries import chapter, delivery
from tests.render.test_delivery import HOSTILE, hostile

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def parts(made: bytes) -> dict[str, ET.Element]:
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        return {name: ET.fromstring(archive.read(name)) for name in archive.namelist()}


@pytest.fixture(scope="module")
def written() -> dict[str, ET.Element]:
    return parts(FORMATS["docx"](delivery()))


def words(element: ET.Element) -> str:
    return "".join(node.text or "" for node in element.iter(f"{W}t"))


def test_footnotes_have_their_number_place_and_quotes(
    written: dict[str, ET.Element],
) -> None:
    notes = {
        note.get(f"{W}id"): words(note)
        for note in written["word/footnotes.xml"]
        if note.get(f"{W}type") is None
    }
    assert list(notes) == ["1", "2"]
    assert notes["1"] == " datasheet.pdf §3.1, p. 2The controller runs on 12 V DC."
    assert "Replace it cold." in notes["2"]


def test_the_first_mark_is_a_footnote_and_later_ones_refer_to_it(
    written: dict[str, ET.Element],
) -> None:
    document = written["word/document.xml"]
    first = [node.get(f"{W}id") for node in document.iter(f"{W}footnoteReference")]
    again = [node.text or "" for node in document.iter(f"{W}instrText")]
    assert first == ["1", "2"]
    assert [text.split()[1] for text in again if "NOTEREF" in text] == ["_Note1", "_Note2"]


def test_every_name_that_a_field_or_link_uses_is_a_bookmark(
    written: dict[str, ET.Element],
) -> None:
    document = written["word/document.xml"]
    names = [node.get(f"{W}name") for node in document.iter(f"{W}bookmarkStart")]
    fields = " ".join(node.text or "" for node in document.iter(f"{W}instrText"))
    used = set(re.findall(r"NOTEREF (\S+)", fields))
    used |= {str(node.get(f"{W}anchor")) for node in document.iter(f"{W}hyperlink")} - {"None"}
    assert used <= set(names)
    assert len(names) == len(set(names))


def test_the_contents_field_is_filled_with_every_heading(
    written: dict[str, ET.Element],
) -> None:
    box = written["word/document.xml"].find(f".//{W}sdt")
    assert box is not None
    assert 'TOC \\o "1-2"' in " ".join(node.text or "" for node in box.iter(f"{W}instrText"))
    assert "1 Power supply1.1 Supply1.2 CareA Source register" in words(box)


def test_begin_and_end_of_every_field_match(written: dict[str, ET.Element]) -> None:
    for name in ("word/document.xml", "word/footer.xml"):
        kinds = [node.get(f"{W}fldCharType") for node in written[name].iter(f"{W}fldChar")]
        assert kinds.count("begin") == kinds.count("separate") == kinds.count("end") > 0


def test_every_style_and_relation_that_is_used_exists(
    written: dict[str, ET.Element],
) -> None:
    styles = {node.get(f"{W}styleId") for node in written["word/styles.xml"].iter(f"{W}style")}
    document, notes = written["word/document.xml"], written["word/footnotes.xml"]
    used = {
        node.get(f"{W}val")
        for root in (document, notes)
        for kind in ("pStyle", "rStyle", "tblStyle")
        for node in root.iter(f"{W}{kind}")
    }
    relations = {node.get("Id") for node in written["word/_rels/document.xml.rels"]}
    asked = set(re.findall(r'id="(rId\w+)"', ET.tostring(document).decode()))
    assert used <= styles
    assert asked <= relations


def test_another_program_reads_headings_tables_and_properties() -> None:
    read = docx.Document(io.BytesIO(FORMATS["docx"](delivery())))
    headings = [
        paragraph.text
        for paragraph in read.paragraphs
        if paragraph.style.name.startswith("Heading")
    ]
    assert headings[:3] == ["1 Power supply", "1.1 Supply", "1.2 Care"]
    assert read.tables[1].cell(1, 1).text.startswith("3.15 A")
    assert read.core_properties.title == "DX-4 handbook"


def test_ordered_lists_keep_their_first_number() -> None:
    made = parts(FORMATS["docx"](delivery(chapter("7. seven\n8. eight\n"))))
    starts = [node.get(f"{W}val") for node in made["word/numbering.xml"].iter(f"{W}startOverride")]
    assert starts[0] == "7"


def test_links_within_notes_have_relations_of_their_own() -> None:
    notes = (CitationNote(1, "See <https://example.org/x>"),)
    made = parts(FORMATS["docx"](delivery(chapter("A.[^1]"), notes=notes)))
    targets = [node.get("Target") for node in made["word/_rels/footnotes.xml.rels"]]
    assert targets == ["https://example.org/x"]


def test_hostile_text_stays_text_and_every_part_is_xml() -> None:
    made = parts(FORMATS["docx"](hostile()))  # type: ignore[arg-type]
    shown = words(made["word/document.xml"])
    assert "</w:t></w:r>" in shown
    assert '#read("/etc/passwd")' in shown
    assert "\x0b" in HOSTILE
    assert "\x0b" not in shown
