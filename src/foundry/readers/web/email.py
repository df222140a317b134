"""Reads saved e-mail (EML): the main headers, the text, then attached messages.

Plain text is preferred to the same text in HTML. Other attachments are named under the headers,
and become documents of their own. Encrypted messages are refused; signatures are not verified.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, cast

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import name_kind
from foundry.readers.attachments import AttachmentFolder
from foundry.readers.decoding import DecodedText, decode
from foundry.readers.document_builder import DocumentBuilder, DraftBlock, add_blocks
from foundry.readers.front.titles import TitleCandidates
from foundry.readers.office.openxml import note_pictures
from foundry.readers.web.html import decode_html, read_page
from foundry.records import Document

_SHOWN = ("Subject", "From", "To", "Cc", "Date")
_ENCRYPTED = frozenset({"multipart/encrypted"})
_SECRET_MIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_IDENTIFYING = frozenset({"from", "to", "subject", "date", "received"})
# What the standard library raises for malformed headers.
_HEADER_ERRORS = (
    *(MessageError, ValueError, TypeError),
    *(AttributeError, IndexError, OverflowError),
)
_MAX_DEPTH = 10
"""Deepest attached message that is read, against hostile nesting."""
_MAX_PARTS = 1_000
"""Most parts of a message, attached messages included; real ones have some dozens."""
_MAX_HEADER = 8_000
"""Characters of a header that are parsed, which takes the square of its length: about 200
recipients. Parameters such as file names come first."""
_EMPTY_LINES = re.compile(r"\n[ \t\xa0]*(?:\n[ \t\xa0]*)+")
_QUOTE_MARKS = re.compile(r"^(?:> ?)+")


def read_email(path: Path, options: ReadOptions) -> Document:
    """Read an EML file. Raises ``ReadError`` if it is not a message or is encrypted."""
    return read_message(_parse(path.read_bytes()), "eml", options)


def read_message(message: EmailMessage, kind: str, options: ReadOptions) -> Document:
    """Return the document of a message from a file of that ``kind`` ("eml")."""
    builder = DocumentBuilder(kind)
    if any(
        len(str(value)) > _MAX_HEADER for part in message.walk() for _, value in part.raw_items()
    ):
        builder.warn(Message("readers-mail-headers-cut", limit=_MAX_HEADER))
    attachments = AttachmentFolder(options)
    reader = _MessageReader(builder, attachments)
    reader.read(message, depth=0)
    attachments.finish(builder)
    builder.warn(note_pictures(reader.pictures))
    if not reader.has_body:
        builder.warn(Message("readers-mail-no-body"))
    date = _find_date(message)
    titles = TitleCandidates(printed=_read_header(message, "Subject"))
    return builder.build(options.name, titles, (None, date.date().isoformat() if date else None))


class _ShortHeaders(EmailPolicy):
    """Parses the beginning of a header only."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return super().header_fetch_parse(name, value[:_MAX_HEADER])


SHORT_HEADERS = _ShortHeaders()


def _parse(data: bytes) -> EmailMessage:
    parts = 0

    def count_part(policy: EmailPolicy) -> EmailMessage:
        nonlocal parts
        parts += 1
        if parts > _MAX_PARTS:
            raise ReadError("readers-mail-too-many-parts", limit=_MAX_PARTS)
        return EmailMessage(policy)

    # Some programs put an "mbox" line or white space before the first header.
    # The type stubs do not know that the parser calls it with the policy.
    parser: Any = BytesParser(cast("Any", count_part), policy=SHORT_HEADERS)
    message: EmailMessage = parser.parsebytes(data.lstrip())
    if not _IDENTIFYING.intersection(name.lower() for name in message):
        actual = name_kind(data[:2048]) or Message("readers-kind-binary")
        raise ReadError("readers-mail-no-headers", actual=actual)
    return message


class _MessageReader:
    def __init__(self, builder: DocumentBuilder, attachments: AttachmentFolder) -> None:
        self._builder = builder
        self._attachments = attachments
        self.has_body = False
        self.pictures = 0

    def read(self, message: EmailMessage, depth: int) -> None:
        """Add the headers and the text of a message, then the messages attached to it."""
        headers = [(name, _read_header(message, name)) for name in _SHOWN]
        attached: list[EmailMessage] = []
        bodies: list[EmailMessage] = []
        names: list[str] = []
        for part in _find_parts(message):
            if part.get_content_type() == "message/rfc822" and depth < _MAX_DEPTH:
                attached += [item for item in part.iter_parts() if isinstance(item, EmailMessage)]
            elif _is_body(part):
                bodies.append(part)
            elif _is_decoration(part):
                self.pictures += 1
            else:
                names += self._attach(part)
        headers.append(("Attachments", ", ".join(dict.fromkeys(names))))
        lines = "\n".join(f"{name}: {value}" for name, value in headers if value)
        self._builder.add("paragraph", lines)
        for part in bodies:
            self._read_body(part)
        for item in attached:
            title = _read_header(item, "Subject") or "Attached message"
            self._builder.add_heading(title, depth + 1)
            self.read(item, depth + 1)

    def _attach(self, part: EmailMessage) -> list[str]:
        if self._attachments.is_full:
            self._attachments.skip()
            return []
        kind = part.get_content_type()
        data = part.as_bytes() if kind == "message/rfc822" else _read_payload(part)
        return [self._attachments.add(part.get_filename(), data, kind)]

    def _read_body(self, part: EmailMessage) -> None:
        if part.get_content_subtype() == "html":
            blocks = read_page(self._decode_part(part, decode_html), whole=True).blocks
        else:
            text = _drop_quote_marks(self._decode_part(part, decode).replace("\r\n", "\n"))
            if str(part.get_param("format", "")).lower() == "flowed":
                text = _unflow(text, drop=str(part.get_param("delsp", "")).lower() == "yes")
            blocks = [
                DraftBlock("paragraph", item) for item in _EMPTY_LINES.split(text) if item.strip()
            ]
        self.has_body = self.has_body or bool(blocks)
        add_blocks(self._builder, blocks)

    def _decode_part(self, part: EmailMessage, guess: Callable[[bytes], DecodedText]) -> str:
        data = _read_payload(part)
        declared = part.get_content_charset()
        try:
            if declared:
                return data.decode(declared)
        except (LookupError, ValueError):
            pass
        decoded = guess(data)
        self._builder.warn(decoded.warning)
        return decoded.text


def _find_parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts to read, and only the best one of alternatives."""
    kind = message.get_content_type()
    if kind in _ENCRYPTED or (
        kind in _SECRET_MIME and message.get_param("smime-type") != "signed-data"
    ):
        raise ReadError("readers-mail-encrypted")
    if not message.is_multipart() or kind == "message/rfc822":
        yield message
        return
    parts = [part for part in message.iter_parts() if isinstance(part, EmailMessage)]
    if kind == "multipart/alternative":
        yield from _choose_alternative(parts)
        return
    for part in parts:
        yield from _find_parts(part)


def _choose_alternative(parts: list[EmailMessage]) -> list[EmailMessage]:
    offers = [list(_find_parts(part)) for part in parts]
    for subtype in ("plain", "html"):
        for offer in offers:
            body = next((part for part in offer if _is_body(part)), None)
            if body and body.get_content_subtype() == subtype and _read_payload(body).strip():
                return offer
    return offers[-1] if offers else []


def _is_body(part: EmailMessage) -> bool:
    if part.get_content_disposition() == "attachment" or part.get_filename():
        return False
    return part.get_content_maintype() == "text" and part.get_content_subtype() in {"plain", "html"}


def _is_decoration(part: EmailMessage) -> bool:
    # HTML shows logos and signatures by their content id.
    inline = part.get_content_disposition() != "attachment" and part["Content-ID"] is not None
    return inline and part.get_content_maintype() == "image"


def _read_payload(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _drop_quote_marks(text: str) -> str:
    """The lines of earlier mails without their ">", apart from the reply, as HTML mail has them."""
    lines, depth = [], 0
    for line in text.split("\n"):
        mark = _QUOTE_MARKS.match(line)
        before, depth = depth, mark[0].count(">") if mark else 0
        lines += [""] if depth != before else []
        lines.append(line[mark.end() :] if mark else line)
    return "\n".join(lines)


def _unflow(text: str, *, drop: bool) -> str:
    # RFC 3676: a space at the end of a line means that the paragraph continues.
    lines = [line.removeprefix(" ") for line in text.splitlines()]
    joined = ""
    for line in lines:
        soft = line.endswith(" ") and line != "-- "
        joined += (line[:-1] if drop else line) if soft else line + "\n"
    return joined


def _read_header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message[name] or "")
    except _HEADER_ERRORS:
        value = dict(message.raw_items()).get(name, "")[:_MAX_HEADER]
    value = " ".join(str(value).split())
    if name == "Date":
        date = _find_date(message)
        return date.isoformat(" ", "minutes") if date else value
    return value


def _find_date(message: EmailMessage) -> datetime | None:
    raw = next((value for name, value in message.raw_items() if name.lower() == "date"), "")
    try:
        return parsedate_to_datetime(str(raw)[:_MAX_HEADER])
    except _HEADER_ERRORS:
        return None
