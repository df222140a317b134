"""Messages saved by Outlook."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.readers.web.email import unpack_rtf
from foundry.records import Document
from tests.readers.office_files import options, texts
from tests.readers.ole_files import Tree, attachment, message, properties, texts_of, write_ole

HEADERS = """Subject: Levering
From: Zoë Peeters <zoe@example.be>
To: An <an@example.be>
Date: 2026-03-04 08:30+00:00"""


def read_tree(folder: Path, tree: Tree) -> Document:
    path = write_ole(folder / "m.msg", tree)
    return read(path, ReadOptions(name="m.msg", temporary=folder))


def test_a_message_reads_like_the_mail_it_was(tmp_path: Path) -> None:
    person = properties(8, {0x0C15: 1}) | texts_of({0x3001: "An", 0x39FE: "an@example.be"})
    document = read_tree(tmp_path, message(**{"recip_version1.0_#00000000": person}))
    assert texts(document) == [
        HEADERS,
        *("Beste,", "Morgen."),
    ]
    assert (document.type, document.title) == ("msg", "Levering")
    assert document.revision_date == "2026-03-04"


def test_attached_files_are_unpacked_and_named(tmp_path: Path) -> None:
    data = b"Price,12 euro\n" * 1000
    tree = message(**{"attach_version1.0_#00000000": attachment("../prices.csv", data)})
    document = read_tree(tmp_path, tree)
    assert "Attachments: prices.csv" in document.text
    assert [file.path and file.path.read_bytes() for file in document.attachments] == [data]


def test_an_attached_message_is_read_under_its_subject(tmp_path: Path) -> None:
    inner = message("Vraag", "Wanneer?", header=24)
    attached = properties(8, {0x3705: 5}) | {"__substg1.0_3701000D": inner}
    document = read_tree(tmp_path, message(**{"attach_version1.0_#00000000": attached}))
    assert document.blocks[-1].heading_path == ("Vraag",)
    assert texts(document)[-1] == "Wanneer?"


def test_text_in_an_old_code_page_is_decoded(tmp_path: Path) -> None:
    tree = {**message(body=""), "__substg1.0_1000001E": "Prijs: 12 €".encode("cp1252")}
    assert texts(read_tree(tmp_path, tree))[-1] == "Prijs: 12 €"


def test_html_is_read_when_there_is_no_plain_text(tmp_path: Path) -> None:
    tree = {**message(body=""), "__substg1.0_10130102": "<p>Één</p><p>Twee</p>".encode()}
    assert texts(read_tree(tmp_path, tree))[1:] == ["Één", "Twee"]


def test_compressed_rtf_is_the_last_resort(tmp_path: Path) -> None:
    # The example of MS-OXRTFCP, 3.1.1.
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c09002062770"
        "5b06c647d0a800fa0"
    )
    assert unpack_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    tree = {**message(body=""), "__substg1.0_10090102": packed}
    assert texts(read_tree(tmp_path, tree))[-1] == "hello world"


def test_an_encrypted_message_is_refused(tmp_path: Path) -> None:
    tree = {**message(), **texts_of({0x001A: "IPM.Note.SMIME"})}
    with pytest.raises(ReadError, match="encrypted"):
        read_tree(tmp_path, tree)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"From: a@b", "not an Outlook message"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "damaged"),
        (struct.pack("<8s", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") + b"\xff" * 2000, "damaged"),
    ],
)
def test_another_or_a_damaged_file_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "m.msg"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=words):
        read(path, options(path))
