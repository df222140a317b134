"""Saved e-mail."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.attachments import MAX_NUMBER
from foundry.readers.web.email import read_email
from foundry.records import Document
from tests.readers.office_files import options, texts


def message(subject: str = "Levering", body: str = "Beste,\n\nMorgen.") -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = subject
    mail["From"] = "Zoë Peeters <zoe@example.be>"
    mail["To"] = "an@example.be"
    mail["Date"] = "Wed, 04 Mar 2026 09:30:00 +0100"
    mail.set_content(body)
    return mail


def read(folder: Path, mail: EmailMessage | bytes) -> Document:
    path = folder / "m.eml"
    path.write_bytes(mail if isinstance(mail, bytes) else bytes(mail))
    return read_email(path, options(path))


def test_the_headers_come_first_and_then_the_paragraphs(tmp_path: Path) -> None:
    document = read(tmp_path, message())
    assert texts(document)[0] == (
        "Subject: Levering\nFrom: Zoë Peeters <zoe@example.be>\nTo: an@example.be\n"
        "Date: 2026-03-04 09:30+01:00"
    )
    assert texts(document)[1:] == ["Beste,", "Morgen."]
    assert (document.title, document.revision_date) == ("Levering", "2026-03-04")


def test_plain_text_is_preferred_to_html_that_says_the_same(tmp_path: Path) -> None:
    mail = message()
    mail.add_alternative("<p>Anders</p>", subtype="html")
    assert texts(read(tmp_path, mail))[1:] == ["Beste,", "Morgen."]


def test_html_alone_is_converted(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("<p>Één</p><ul><li>punt</li></ul>", subtype="html")
    assert texts(read(tmp_path, mail))[1:] == ["Één", "• punt"]


def test_attachments_are_named(tmp_path: Path) -> None:
    mail = message()
    mail.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="offerte é.pdf")
    assert "offerte é.pdf" in str(read(tmp_path, mail).warnings[0])


def test_an_attached_message_is_read_under_its_subject(tmp_path: Path) -> None:
    mail = message()
    mail.add_attachment(message("Vraag", "Wanneer?"))
    document = read(tmp_path, mail)
    assert texts(document)[-1] == "Wanneer?"
    assert document.blocks[-1].heading_path == ("Vraag",)


def test_text_in_an_older_encoding_keeps_its_letters(tmp_path: Path) -> None:
    head = b"From: a@b.c\nSubject: x\nContent-Type: text/plain; charset=iso-8859-15\n\n"
    assert texts(read(tmp_path, head + "prijs € 5".encode("iso-8859-15")))[-1] == "prijs € 5"


def test_flowed_lines_are_joined(tmp_path: Path) -> None:
    head = b"From: a@b.c\nSubject: x\nContent-Type: text/plain; format=flowed\n\n"
    assert texts(read(tmp_path, head + b"one \ntwo\nthree\n"))[-1] == "one two\nthree"


def test_an_earlier_mail_is_read_without_its_quote_marks_and_apart_from_the_reply(
    tmp_path: Path,
) -> None:
    body = "On Monday Ann wrote:\n> Can you deliver\n> in week 12?\nNo, in week 14.\n>\n> Ann"
    document = read(tmp_path, message(body=body))
    paragraphs = ["On Monday Ann wrote:", "Can you deliver\nin week 12?", "No, in week 14.", "Ann"]
    assert document.text.endswith("\n\n".join(paragraphs))


def test_an_encrypted_message_is_refused(tmp_path: Path) -> None:
    head = b"From: a@b.c\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\nsecret\n--x--\n"
    with pytest.raises(ReadError, match="encrypted"):
        read(tmp_path, head)


def test_a_text_without_headers_is_not_a_message(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="plain text, not an e-mail"):
        read(tmp_path, b"Zomaar een tekst\n\nzonder kop.\n")


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        ("Subject: " + "\n ".join(["=?utf-8?q?word?="] * 5_000), "Subject: wordword"),
        ("To: " + ", ".join(f"p{n}@example.org" for n in range(5_000)), "To: p0@example.org, p1"),
    ],
)
def test_the_beginning_of_a_huge_header_is_read(tmp_path: Path, header: str, shown: str) -> None:
    document = read(tmp_path, f"From: a@b.example\n{header}\n\nThe words.\n".encode())
    assert shown in document.text
    assert "The words." in document.text
    assert len(document.text) < 10_000
    assert tuple(map(str, document.warnings)) == ("Headers were read up to 8,000 characters.",)


def test_a_message_of_too_many_parts_is_refused(tmp_path: Path) -> None:
    part = "--x\nContent-Type: text/plain\n\nwords\n\n"
    message = f"From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n{part * 1_500}--x--"
    with pytest.raises(ReadError, match="more than 1,000 parts"):
        read(tmp_path, message.encode())


def attach(folder: Path, *files: tuple[str | None, bytes]) -> Document:
    mail = message()
    for name, data in files:
        mail.add_attachment(data, maintype="application", subtype="pdf", filename=name)
    path = folder / "m.eml"
    path.write_bytes(bytes(mail))
    (folder / "unpacked").mkdir()
    return read_email(path, ReadOptions(name="m.eml", temporary=folder / "unpacked"))


def test_attachments_are_unpacked_under_safe_names(tmp_path: Path) -> None:
    names = ("offerte.pdf", "offerte.pdf", "../../etc/Offerte.pdf", None, "..", "C:\\a\\b\x07.txt")
    document = attach(tmp_path, *((name, b"1") for name in names))
    assert [file.name for file in document.attachments] == [
        *("offerte.pdf", "Offerte (2).pdf", "attachment.pdf", "attachment (2).pdf"),
        "b_x07.txt",
    ]
    assert {file.path.parent for file in document.attachments if file.path} == {
        tmp_path / "unpacked"
    }
    assert "Attachments: offerte.pdf, Offerte (2).pdf" in document.text


def test_attachments_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    document = attach(tmp_path, *((f"{at}.pdf", b"1") for at in range(MAX_NUMBER + 3)))
    assert len(document.attachments) == MAX_NUMBER
    assert document.warnings == (
        Message("readers-attachments-cut", read=MAX_NUMBER, all=MAX_NUMBER + 3),
    )


def test_pictures_in_the_text_are_counted(tmp_path: Path) -> None:
    mail = message()
    mail.add_related(b"GIF8", maintype="image", subtype="gif", cid="<1>")
    assert read(tmp_path, mail).warnings == (Message("readers-pictures-left-out", number=1),)
