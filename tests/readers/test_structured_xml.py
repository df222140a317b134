from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from tests.readers.sample_files import find_path, list_blocks, list_headings, read_file

DOCBOOK = (
    '<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd"><book><bookinfo>'
    "<title>The guide</title><edition>3.1</edition><date>2026-01-05</date></bookinfo><chapter>"
    "<title>Start</title>{}</chapter></book>"
)
TASK = (
    '<!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd"><task id="t"><title>Change the fuse'
    "</title><taskbody>{}</taskbody></task>"
)


def read_docbook(folder: Path, inner: str) -> list[tuple[str, str]]:
    return list_blocks(read_file(folder, "a.xml", DOCBOOK.format(inner)))[2:]


def read_task(folder: Path, inner: str) -> list[tuple[str, str]]:
    return list_blocks(read_file(folder, "a.dita", TASK.format(inner)))[1:]


def test_the_title_and_the_edition_are_those_that_docbook_states(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.xml", DOCBOOK.format("<para>Text.</para>"))
    assert (document.title, document.revision) == ("The guide", "3.1")
    assert document.revision_date == "2026-01-05"
    assert find_path(document, "Text.") == ("The guide", "Start")


def test_steps_are_numbered_and_keep_their_notes(tmp_path: Path) -> None:
    steps = (
        "<steps><step><cmd>Open the <uicontrol>lid</uicontrol>.</cmd><info><note type='warning'>Sharp."
        "</note></info></step><step><cmd>Close it.</cmd></step></steps>"
    )
    assert read_task(tmp_path, steps) == [
        ("list_item", "1. Open the lid."),
        ("paragraph", "Warning"),
        ("paragraph", "Sharp."),
        ("list_item", "2. Close it."),
    ]


def test_a_table_has_its_title_and_its_spans(tmp_path: Path) -> None:
    table = (
        '<table><title>Limits</title><tgroup cols="3"><colspec colname="a"/><colspec colname="b"/>'
        '<colspec colname="c"/><thead><row><entry namest="a" nameend="b">Wide</entry><entry>C</entry>'
        '</row></thead><tbody><row><entry morerows="1">1</entry><entry>2</entry><entry>3</entry></row>'
        "<row><entry>5</entry><entry>6</entry></row></tbody></tgroup></table>"
    )
    assert read_docbook(tmp_path, table) == [
        ("caption", "Limits"),
        ("table", "Wide |  | C\n1 | 2 | 3\n | 5 | 6"),
    ]


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("<para>A <code>b</code> &mdash; <quote>c</quote>.</para>", "A b — “c”."),
        ("<para>Press <keycombo><keycap>Ctrl</keycap><keycap>C</keycap></keycombo>.</para>", "Press Ctrl+C."),
        ('<para>See <xref linkend="x"/>.<anchor id="y"/></para>', "See x."),
        ("<glosslist><glossentry><glossterm>A</glossterm><glossdef><para>B.</para></glossdef></glossentry></glosslist>", "A: B."),
    ],
)  # fmt: skip
def test_a_sentence_has_its_words_and_no_markup(tmp_path: Path, written: str, seen: str) -> None:
    assert [words for _, words in read_docbook(tmp_path, written)] == [seen]


def test_the_topics_of_a_map_are_named_and_not_read(tmp_path: Path) -> None:
    text = '<map><title>All</title><topicref href="a.dita" navtitle="First"/></map>'
    document = read_file(tmp_path, "a.ditamap", text)
    assert list_blocks(document) == [("heading", "All"), ("list_item", "• First")]
    assert document.warnings == (Message("readers-written-includes", names=("a.dita",)),)


def test_topics_within_topics_are_deeper(tmp_path: Path) -> None:
    text = "<topic><title>A</title><body><p>x</p></body><topic><title>B</title></topic></topic>"
    assert list_headings(read_file(tmp_path, "a.dita", text)) == [(1, "A"), (2, "B")]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("<catalog/>", "readers-xml-unknown"),
        ('<!DOCTYPE book [<!ENTITY a "b">]><book>&a;</book>', "readers-entities"),
        ("<topic>" + "<p>" * 5000 + "</p>" * 5000 + "</topic>", "readers-html-nested"),
    ],
)
def test_other_and_hostile_xml_is_refused(tmp_path: Path, written: str, code: str) -> None:
    with pytest.raises(ReadError) as error:
        read_file(tmp_path, "a.xml", written)
    assert error.value.problem.code == code
