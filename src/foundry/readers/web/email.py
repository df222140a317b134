"""Reads saved e-mail (EML): who wrote what to whom and when, then the message.

The plain text is preferred to the HTML one that says the same. Attached messages are
read on; other attachments are named in a warning and not read: save them as files of
their own. Encrypted messages are refused. Verifies no signature.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from pathlib import Path

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.archive import name_kind
from foundry.readers.decoding import DecodedText, decode
from foundry.readers.document_builder import DocumentBuilder, DraftBlock, add_blocks
from foundry.readers.metadata import choose_title
from foundry.readers.web.html import decode_html, read_page
from foundry.records import Document

_SHOWN = ("Subject", "From", "To", "Cc", "Date")
_ENCRYPTED = frozenset({"multipart/encrypted"})
_SECRET_MIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_IDENTIFYING = frozenset({"from", "to", "subject", "date", "received"})
_BROKEN_HEADER = (
    MessageError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OverflowError,
)
_MAX_DEPTH = 10
_EMPTY_LINES = re.compile(r"\n[ \t\xa0]*(?:\n[ \t\xa0]*)+")


def read_email(path: Path, options: ReadOptions) -> Document:
    """Read an EML file; raises ``ReadError`` when it is no message, or is encrypted."""
    data = path.read_bytes()
    message = _parse(data)
    builder = DocumentBuilder("eml")
    reading = _MessageReader(builder)
    reading.message(message, depth=0)
    if reading.attachments:
        names = ", ".join(reading.attachments)
        builder.warn(f"Attachments were not read: {names}. Save them as files of their own.")
    if not reading.has_body:
        builder.warn("The message has no text of its own.")
    moment = _find_date(message)
    title = choose_title((_read_header(message, "Subject"),), Path(options.name))
    return builder.build(title, None, None, moment.date().isoformat() if moment else None)


def _parse(data: bytes) -> EmailMessage:
    # Programs put an "mbox" line, or white space, before the first header.
    message = BytesParser(policy=policy.default).parsebytes(data.lstrip())
    if not _IDENTIFYING.intersection(name.lower() for name in message):
        found = name_kind(data[:2048])
        raise ReadError(
            f"This is {found or 'binary data'}, not an e-mail: it has no headers.",
            fix="Save the message as .eml in the mail program.",
        )
    return message


class _MessageReader:
    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self.attachments: list[str] = []
        self.has_body = False

    def message(self, message: EmailMessage, depth: int) -> None:
        """Add a message's headers and text, then the messages attached to it."""
        headers = "\n".join(
            f"{name}: {value}" for name in _SHOWN if (value := _read_header(message, name))
        )
        self._builder.add("paragraph", headers)
        attached: list[EmailMessage] = []
        for part in _find_parts(message):
            if part.get_content_type() == "message/rfc822" and depth < _MAX_DEPTH:
                attached += [item for item in part.iter_parts() if isinstance(item, EmailMessage)]
            elif _is_body(part):
                self._body(part)
            elif not _is_decoration(part):
                self.attachments.append(_name_attachment(part))
        for item in attached:
            self._builder.heading(_read_header(item, "Subject") or "Attached message", depth + 1)
            self.message(item, depth + 1)

    def _body(self, part: EmailMessage) -> None:
        if part.get_content_subtype() == "html":
            text = self._text(part, decode_html)
            pieces = read_page(text, whole=True).pieces
        else:
            text = self._text(part, decode).replace("\r\n", "\n")
            if str(part.get_param("format", "")).lower() == "flowed":
                text = _unflow(text, drop=str(part.get_param("delsp", "")).lower() == "yes")
            pieces = [
                DraftBlock("paragraph", item) for item in _EMPTY_LINES.split(text) if item.strip()
            ]
        self.has_body = self.has_body or bool(pieces)
        add_blocks(self._builder, pieces)

    def _text(self, part: EmailMessage, guess: Callable[[bytes], DecodedText]) -> str:
        data = _read_payload(part)
        stated = part.get_content_charset()
        try:
            if stated:
                return data.decode(stated)
        except (LookupError, ValueError):
            pass
        decoded = guess(data)
        if decoded.warning:
            self._builder.warn(decoded.warning)
        return decoded.text


def _find_parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts to show, in order; of alternatives only the best one."""
    kind = message.get_content_type()
    if kind in _ENCRYPTED or (
        kind in _SECRET_MIME and message.get_param("smime-type") != "signed-data"
    ):
        raise ReadError(
            "The message is encrypted.",
            fix="Open it in your mail program and save its text as a .txt file.",
        )
    if not message.is_multipart() or kind == "message/rfc822":
        yield message
        return
    parts = [part for part in message.iter_parts() if isinstance(part, EmailMessage)]
    if kind == "multipart/alternative":
        yield from _choose_alternative(parts)
        return
    for part in parts:
        yield from _find_parts(part)


def _choose_alternative(parts: list[EmailMessage]) -> Iterator[EmailMessage]:
    offers = [list(_find_parts(part)) for part in parts]
    for wanted in ("plain", "html"):
        for offer in offers:
            bodies = [part for part in offer if _is_body(part)]
            if (
                bodies
                and bodies[0].get_content_subtype() == wanted
                and _read_payload(bodies[0]).strip()
            ):
                yield from offer
                return
    if offers:
        yield from offers[-1]


def _is_body(part: EmailMessage) -> bool:
    if part.get_content_disposition() == "attachment" or part.get_filename():
        return False
    return part.get_content_maintype() == "text" and part.get_content_subtype() in {"plain", "html"}


def _is_decoration(part: EmailMessage) -> bool:
    # Logos and signatures are images that the HTML shows by their content id.
    inline = part.get_content_disposition() != "attachment" and part["Content-ID"] is not None
    return inline and part.get_content_maintype() == "image"


def _read_payload(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _unflow(text: str, *, drop: bool) -> str:
    # RFC 3676: a space at a line's end means that the paragraph goes on.
    lines = [line.removeprefix(" ") for line in text.splitlines()]
    joined = ""
    for line in lines:
        soft = line.endswith(" ") and line != "-- "
        joined += (line[:-1] if drop else line) if soft else line + "\n"
    return joined


def _read_header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message[name] or "")
    except _BROKEN_HEADER:
        # The standard library raises on some malformed addresses.
        value = dict(message.raw_items()).get(name, "")
    value = " ".join(str(value).split())
    if name == "Date":
        moment = _find_date(message)
        return moment.isoformat(" ", "minutes") if moment else value
    return value


def _find_date(message: EmailMessage) -> datetime | None:
    raw = next((value for name, value in message.raw_items() if name.lower() == "date"), "")
    try:
        return parsedate_to_datetime(str(raw))
    except _BROKEN_HEADER:
        return None


def _name_attachment(part: EmailMessage) -> str:
    return part.get_filename() or f"one without a name ({part.get_content_type()})"
