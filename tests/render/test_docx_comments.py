"""Comments in a copy of a Word file: at which words, and that nothing else changes."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime

import docx
import pytest
from lxml import etree

from foundry.messages import Message
from foundry.records import (
    CheckedStatement,
    ClaimCheck,
    ClaimVerdict,
    DocumentStatement,
    Excerpt,
)
from foundry.render.docx_comments import AnnotatedFile, annotate_docx
from tests.render.samples import excerpt

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
W = f"{{{MAIN}}}"
BOLD = "<w:rPr><w:b/></w:rPr>"
SEAM = re.compile(
    rb"</w:t></w:r>((?:<w:commentR[^>]*/>|<w:r><w:commentReference[^>]*/></w:r>)*)"
    rb'<w:r>(?:<w:rPr><w:b/></w:rPr>)?<w:t xml:space="preserve">'
)
ANCHOR = re.compile(rb"<w:commentRange[^>]*/>|<w:r><w:commentReference[^>]*/></w:r>")


def text(words: str, properties: str = "") -> str:
    return f"<w:r>{properties}<w:t>{words}</w:t></w:r>"


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def pack(*body: str, comments: str | None = None, footnotes: str | None = None) -> bytes:
    """A Word file with only the parts that it needs."""
    names = {"comments": comments, "footnotes": footnotes}
    parts = {name: xml for name, xml in names.items() if xml is not None}
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{OFFICE}/{name}" Target="{name}.xml"/>'
        for n, name in enumerate(parts, 1)
    )
    kinds = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="application/'
        f'vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml"/>'
        for name in parts
    )
    main = f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels"'
        f' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="application/vnd.'
        f'openxmlformats-officedocument.wordprocessingml.document.main+xml"/>{kinds}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{main}</Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f"{links}</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{MAIN}"><w:body>{"".join(body)}'
        "</w:body></w:document>",
        "word/media/logo.bin": "\0picture",
    }
    files |= {f"word/{name}.xml": xml for name, xml in parts.items()}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def statement(words: str, verdict: ClaimVerdict = "unclear", *nearest: Excerpt) -> CheckedStatement:
    claimed = DocumentStatement(words, 0, len(words), words=words)
    check = ClaimCheck(words, verdict, 0.5, Message("claim-no-support"))
    return CheckedStatement(claimed, check, None, nearest)


def annotate(data: bytes, *words: str) -> AnnotatedFile:
    return annotate_docx(data, [statement(one) for one in words], NOW)


def read_part(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def list_anchored(data: bytes) -> list[str]:
    """The words at which each comment is, in their order in the document."""
    found: dict[str, str] = {}
    opened: list[str] = []
    for element in etree.fromstring(read_part(data, "word/document.xml")).iter():
        number = element.get(f"{W}id", "")
        if element.tag == f"{W}commentRangeStart":
            opened.append(number)
            found[number] = ""
        elif element.tag == f"{W}commentRangeEnd":
            opened.remove(number)
        elif element.tag == f"{W}t":
            for number in opened:
                found[number] += element.text or ""
    assert not opened
    return list(found.values())


def undo(document: bytes) -> bytes:
    """The document without anchors, and without the splits that they needed."""
    return ANCHOR.sub(b"", SEAM.sub(lambda match: match[1], document))


TWO = paragraph(text("One fuse protects it. Two fuses (T 1 A &amp; T 2 A) are better. Three."))


def test_a_comment_is_at_its_sentence_within_a_run() -> None:
    copy = annotate(pack(TWO), "Two fuses (T 1 A & T 2 A) are better.", "Three.")
    assert list_anchored(copy.data) == ["Two fuses (T 1 A & T 2 A) are better.", "Three."]
    assert (copy.comments, copy.unplaced) == (2, 0)


def test_nothing_but_anchors_and_splits_is_put_into_the_document() -> None:
    data = pack(TWO, paragraph(text("Bold one. Bold two.", BOLD)))
    copy = annotate(data, "One fuse protects it.", "Three.", "Bold two.")
    before, after = (read_part(one, "word/document.xml") for one in (data, copy.data))
    assert after != before
    assert undo(after) == before


def test_all_other_parts_stay_byte_by_byte() -> None:
    data = pack(TWO)
    copy = annotate(data, "Three.").data
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(io.BytesIO(copy)) as new:
        changed = {name for name in old.namelist() if old.read(name) != new.read(name)}
        added = set(new.namelist()) - set(old.namelist())
    assert changed == {
        "[Content_Types].xml", "word/document.xml", "word/_rels/document.xml.rels",
    }  # fmt: skip
    assert added == {"word/comments.xml"}


def test_a_split_run_keeps_its_properties_and_its_spaces() -> None:
    copy = annotate(pack(paragraph(text("Bold one. Bold two.", BOLD))), "Bold two.")
    runs = docx.Document(io.BytesIO(copy.data)).paragraphs[0].runs
    assert [(run.text, run.bold) for run in runs if run.text] == [
        ("Bold one.", True), (" ", True), ("Bold two.", True),
    ]  # fmt: skip


def test_another_program_reads_the_comments() -> None:
    near = excerpt()
    copy = annotate_docx(pack(TWO), [statement("Three.", "unclear", near)], NOW)
    (comment,) = docx.Document(io.BytesIO(copy.data)).comments
    assert (comment.author, comment.initials, comment.timestamp) == ("Foundry", "F", NOW)
    assert comment.text.startswith("? read these\nwhy: ")
    assert near.evidence.hit.source.path in comment.text
    assert near.lines[0].quotes[0].text in comment.text


def test_a_statement_that_passed_has_no_comment() -> None:
    passed = statement("One fuse protects it.", "exact")
    copy = annotate_docx(pack(TWO), [passed, statement("Three.", "contradicted")], NOW)
    assert list_anchored(copy.data) == ["Three."]


def test_a_file_without_problems_is_copied_as_it_is() -> None:
    data = pack(TWO)
    copy = annotate_docx(data, [statement("Three.", "exact")], NOW)
    assert read_part(copy.data, "word/document.xml") == read_part(data, "word/document.xml")
    assert "word/comments.xml" not in zipfile.ZipFile(io.BytesIO(copy.data)).namelist()


def test_words_in_many_runs_are_marked_from_the_first_to_the_last() -> None:
    runs = [text("The fu"), text("se is ", BOLD), text("rated. Next")]
    copy = annotate(pack(paragraph(*runs)), "The fuse is rated.")
    assert list_anchored(copy.data) == ["The fuse is rated."]


def test_a_row_of_a_table_is_marked_from_its_first_cell_to_its_last() -> None:
    cells = "".join(f"<w:tc>{paragraph(text(words))}</w:tc>" for words in ("Fuse", "3.15 A"))
    copy = annotate(pack(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"), "Fuse | 3.15 A")
    assert list_anchored(copy.data) == ["Fuse3.15 A"]


def test_words_in_a_link_and_in_an_insertion_are_marked_where_they_are() -> None:
    linked = f'<w:hyperlink w:anchor="x">{text("the manual. More")}</w:hyperlink>'
    inserted = f'<w:ins w:id="7" w:author="Ada">{text(" was added here.")}</w:ins>'
    copy = annotate(
        pack(paragraph(text("See "), linked, inserted)), "See the manual.", "More was added here."
    )
    assert list_anchored(copy.data) == ["See the manual.", "More was added here."]


def test_deleted_words_are_not_part_of_a_sentence() -> None:
    gone = '<w:del w:id="8" w:author="Ada"><w:r><w:delText>6 A</w:delText></w:r></w:del>'
    moved = f'<w:moveFrom w:id="9" w:author="Ada">{text("Moved away.")}</w:moveFrom>'
    body = paragraph(text("It is "), gone, moved, text("3.15 A slow."))
    assert list_anchored(annotate(pack(body), "It is 3.15 A slow.").data) == [
        "It is Moved away.3.15 A slow."
    ]


def test_a_note_is_commented_where_it_is_referred_to() -> None:
    reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    note = f'<w:footnote w:id="2">{paragraph(text("The note says more."))}</w:footnote>'
    notes = f'<w:footnotes xmlns:w="{MAIN}">{note}</w:footnotes>'
    body = paragraph(text("It is slow"), reference, text(" and small."))
    copy = annotate(
        pack(body, footnotes=notes), "It is slow[1] and small.", "[1] The note says more."
    )
    anchored = read_part(copy.data, "word/document.xml")
    assert list_anchored(copy.data) == ["It is slow and small.", ""]
    assert b'<w:commentRangeStart w:id="1"/><w:r><w:footnoteReference' in anchored
    assert read_part(copy.data, "word/footnotes.xml") == notes.encode()


def test_a_text_box_is_commented_where_it_stands() -> None:
    box = f"<w:r><w:pict><w:txbxContent>{paragraph(text('Boxed words.'))}</w:txbxContent></w:pict></w:r>"
    copy = annotate(
        pack(paragraph(text("Before "), box, text("after."))), "Before after.", "Boxed words."
    )
    assert read_part(copy.data, "word/document.xml").count(b"commentRangeStart") == 2
    assert b'<w:commentRangeStart w:id="1"/><w:r><w:pict>' in read_part(
        copy.data, "word/document.xml"
    )


def test_comments_that_are_there_are_kept_and_their_numbers_are_not_used_again() -> None:
    old = f'<w:comment w:id="4" w:author="Ada">{paragraph(text("Check this."))}</w:comment>'
    there = f'<w:comments xmlns:w="{MAIN}">{old}</w:comments>'
    copy = annotate(pack(TWO, comments=there), "Three.")
    comments = list(docx.Document(io.BytesIO(copy.data)).comments)
    assert [(one.comment_id, one.author) for one in comments] == [(4, "Ada"), (5, "Foundry")]
    assert old.encode() in read_part(copy.data, "word/comments.xml")


def test_the_same_words_twice_are_commented_in_their_order() -> None:
    copy = annotate(pack(paragraph(text("Yes, 5 V. No. Yes, 5 V."))), "Yes, 5 V.", "Yes, 5 V.")
    document = read_part(copy.data, "word/document.xml")
    assert (
        document.index(b'Start w:id="0"')
        < document.index(b"No.")
        < document.index(b'Start w:id="1"')
    )


def test_words_are_not_found_inside_longer_ones() -> None:
    copy = annotate(pack(paragraph(text("15 V is low. 5 V is low."))), "5 V is low.")
    assert list_anchored(copy.data) == ["5 V is low."]


def test_a_list_number_that_word_counts_itself_does_not_hide_the_item() -> None:
    assert list_anchored(annotate(pack(TWO), "3. Three.").data) == ["Three."]


def test_a_sign_that_closes_a_sentence_belongs_to_it() -> None:
    body = paragraph(text("Keep 20 %. Then stop."))
    assert list_anchored(annotate(pack(body), "Keep 20 %.").data) == ["Keep 20 %."]


def test_an_equation_within_a_sentence_does_not_hide_it() -> None:
    words = "The current through the resistor follows from {} and is never above the limit of it."
    body = paragraph(*(text(part) for part in words.split("{}")))
    copy = annotate(pack(body), words.format("U/R = 3"))
    assert list_anchored(copy.data) == [words.replace("{}", "")]


def test_a_statement_that_is_not_in_the_body_is_counted() -> None:
    copy = annotate(pack(TWO), "Only in the page header.", "Three.")
    assert (copy.comments, copy.unplaced) == (1, 1)


@pytest.mark.parametrize("prefix", ["", "x"])
def test_another_prefix_of_words_vocabulary_is_understood(prefix: str) -> None:
    data = pack(TWO)
    document = read_part(data, "word/document.xml").decode()
    names = f"{prefix}:" if prefix else ""
    document = document.replace("xmlns:w=", f"xmlns:{prefix}=" if prefix else "xmlns=")
    document = re.sub(r"<(/?)w:", rf"<\1{names}", document)
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, document if name == "word/document.xml" else old.read(name))
    assert list_anchored(annotate(target.getvalue(), "Three.").data) == ["Three."]
