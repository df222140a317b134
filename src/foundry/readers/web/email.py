"""Reads saved e-mail (EML, MSG): the main headers, the text, then attached messages.

Plain text is preferred to the same text in HTML. Other attachments are named under the headers,
and become documents of their own. Encrypted messages are refused; signatures are not verified. A MSG
of Outlook is a compound file: each storage (the message, a recipient, an attachment) has its properties
in one stream, and long ones in streams of their own (MS-OXMSG); it may have only the compressed RTF that
Outlook keeps (MS-OXRTFCP).
"""

from __future__ import annotations

import mimetypes
import re
import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import Any, cast

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.archive import build_wrong_kind_error, name_kind
from foundry.readers.attachments import AttachmentFolder
from foundry.readers.decoding import DecodedText, decode
from foundry.readers.document_builder import DocumentBuilder, DraftBlock, add_blocks
from foundry.readers.front.clues import Clues
from foundry.readers.office.openxml import note_pictures
from foundry.readers.office.rtf import RtfDocument, read_tokens
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
    stated = {"date": date.date()} if date else {}
    return builder.build(options.name, Clues(stated, True, _read_header(message, "Subject")))


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
        words = line.lstrip("> ") if line.startswith(">") else line
        before, depth = depth, line.removesuffix(words).count(">")
        lines += [""] if depth != before else []
        lines.append(words)
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


_KIND = Message("readers-kind-outlook")
_MAX_FILES = 1_000
"""Most recipients and attachments of one message that are read; real ones have some dozens."""
_MAX_RTF = 64 * 2**20
"""Most bytes of an unpacked RTF body."""

_CLASS, _SUBJECT, _SENT, _ARRIVED = 0x001A, 0x0037, 0x0039, 0x0E06
_SENDER = (0x0C1A, 0x5D01, 0x0C1F)
_RECIPIENT = (0x3001, 0x39FE, 0x3003)
_RECIPIENT_KIND = 0x0C15
_TEXT, _RTF, _HTML = 0x1000, 0x1009, 0x1013
_CODEPAGES = (0x3FFD, 0x3FDE)
_FILE, _METHOD, _MEDIA_TYPE, _CONTENT_ID = 0x3701, 0x3705, 0x370E, 0x3712
_NAMES = (0x3707, 0x3704, 0x3001)
_EMBEDDED, _OBJECT = 5, 6
_STRINGS, _BINARY, _STORAGE = (0x001F, 0x001E), 0x0102, 0x000D
_START = datetime(1601, 1, 1, tzinfo=UTC)
# MS-OXRTFCP 2.1.2.1: what the window of the compression holds at first.
_RTF_WINDOW = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    b"\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


def read_outlook(path: Path, options: ReadOptions) -> Document:
    """Read a MSG file. Raises ``ReadError`` if it is another kind, damaged or encrypted."""
    # Imported here: only messages of Outlook need it.
    import olefile

    with path.open("rb") as stream:
        head = stream.read(2048)
    if not head.startswith(olefile.MAGIC):
        actual = name_kind(head) or Message("readers-kind-binary")
        raise build_wrong_kind_error(actual, _KIND)
    try:
        with olefile.OleFileIO(path) as file:
            storage = _Storage(file, [], header=32)
            if not storage.values:
                raise ReadError("readers-not-of-kind", kind=_KIND)
            message = _build_message(storage, 0)
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise ReadError("readers-damaged", cause=str(error)[:200]) from error
    return read_message(message, "msg", options)


class _Storage:
    """The properties of a message, a recipient or an attachment."""

    def __init__(self, file: Any, place: list[str], header: int = 8) -> None:
        self.file = file
        self.place = place
        data = self._find_stream("__properties_version1.0") or b""
        entries = range(header, len(data) - 15, 16)
        self.values = dict(_read_entry(data[at : at + 16]) for at in entries)

    def _find_stream(self, name: str) -> bytes | None:
        place = [*self.place, name]
        if self.file.get_type(place) != 2:  # STGTY_STREAM
            return None
        with self.file.openstream(place) as stream:
            data: bytes = stream.read()
        return data

    def find_bytes(self, key: int) -> bytes | None:
        """A binary property, or None."""
        return self._find_stream(f"__substg1.0_{key:04X}{_BINARY:04X}")

    def find_text(self, *keys: int) -> str:
        """The first of some text properties that is there, on any number of lines; else ""."""
        for key in keys:
            for kind in _STRINGS:
                data = self._find_stream(f"__substg1.0_{key:04X}{kind:04X}")
                text = self._decode(data or b"", kind).rstrip("\0")
                if text:
                    return text
        return ""

    def find_line(self, *keys: int) -> str:
        """The first of some text properties that is there, on one line; else ""."""
        return " ".join(self.find_text(*keys).split())

    def find_number(self, key: int) -> int | None:
        """A whole number, or None."""
        value = self.values.get(key)
        return struct.unpack("<i", value[:4])[0] if value else None

    def find_time(self, key: int) -> datetime | None:
        """A moment, or None."""
        value = self.values.get(key)
        try:
            ticks = struct.unpack("<Q", value)[0] if value else 0
            return _START + timedelta(microseconds=ticks // 10) if ticks else None
        except OverflowError:
            return None

    def list_storages(self, start: str) -> Iterator[_Storage]:
        """The storages below this one whose name starts so, in the order of their numbers."""
        depth = len(self.place)
        names = {
            place[depth]
            for place in self.file.listdir(streams=False, storages=True)
            if place[:depth] == self.place and len(place) > depth and place[depth].startswith(start)
        }
        for name in sorted(names)[:_MAX_FILES]:
            yield _Storage(self.file, [*self.place, name])

    def open_message(self) -> _Storage:
        """The message inside an attachment."""
        name = f"__substg1.0_{_FILE:04X}{_STORAGE:04X}"
        return _Storage(self.file, [*self.place, name], header=24)

    def _decode(self, data: bytes, kind: int) -> str:
        if kind == _STRINGS[0]:
            return data.decode("utf-16-le", "replace")
        page = next(filter(None, map(self.find_number, _CODEPAGES)), 1252)
        try:
            return data.decode("utf-8" if page == 65001 else f"cp{page}")
        except (LookupError, ValueError):
            return decode(data).text


def _read_entry(entry: bytes) -> tuple[int, bytes]:
    _, key, _, value = struct.unpack("<HHI8s", entry)
    return key, value


def _build_message(storage: _Storage, depth: int) -> EmailMessage:
    kind = storage.find_line(_CLASS).lower()
    if kind.startswith("ipm.note.smime") and not kind.endswith("multipartsigned"):
        raise ReadError("readers-mail-encrypted")
    message = EmailMessage(SHORT_HEADERS)
    _add_headers(message, storage)
    text = storage.find_text(_TEXT)
    html = storage.find_text(_HTML) or decode_html(storage.find_bytes(_HTML) or b"").text
    if not text.strip() and not html.strip():
        packed = storage.find_bytes(_RTF)
        text = _read_rtf(unpack_rtf(packed)) if packed else ""
    if text.strip():
        message.set_content(text)
    elif html.strip():
        message.set_content(html, subtype="html")
    for item in storage.list_storages("__attach_version1.0_"):
        if item.find_number(_METHOD) == _EMBEDDED and depth < _MAX_DEPTH:
            message.add_attachment(_build_message(item.open_message(), depth + 1))
        else:
            _add_file(message, item)
    return message


def _add_headers(message: EmailMessage, storage: _Storage) -> None:
    recipients: dict[int | None, list[str]] = {}
    for item in storage.list_storages("__recip_version1.0_"):
        person = _name_person(item, _RECIPIENT)
        recipients.setdefault(item.find_number(_RECIPIENT_KIND), []).append(person)
    sent = storage.find_time(_SENT) or storage.find_time(_ARRIVED)
    for name, value in (
        ("Subject", storage.find_line(_SUBJECT)),
        ("From", _name_person(storage, _SENDER)),
        ("To", ", ".join(recipients.get(1, ()))),
        ("Cc", ", ".join(recipients.get(2, ()))),
        ("Date", format_datetime(sent) if sent else ""),
    ):
        if value:
            message[name] = value


def _name_person(storage: _Storage, keys: tuple[int, int, int]) -> str:
    name, address = storage.find_line(keys[0]).replace('"', ""), storage.find_line(*keys[1:])
    # Exchange gives its own people an address like /O=ACME/CN=…
    if "@" not in address or address == name:
        return name
    return f'"{name}" <{address}>' if name else address


def _read_rtf(data: bytes) -> str:
    document = RtfDocument()
    for token in read_tokens(data):
        document.feed(token)
    return "\n\n".join(block.text for block in document.finish())


def unpack_rtf(data: bytes) -> bytes:
    """Unpack the RTF of a message. Raises ``ReadError`` if it is damaged."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack_from("<I4s", data, 4)
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu" or size > _MAX_RTF:
        raise ReadError("readers-damaged", cause=Message("readers-rtf-body"))
    return bytes(_unpack(data[16:], size))


def _unpack(data: bytes, size: int) -> bytearray:
    """A flag byte says of the next eight items whether they are a byte or a place and a length."""
    window = bytearray(_RTF_WINDOW)
    end, at = len(window) + size, 0
    while at < len(data) and len(window) < end:
        flags, at = data[at], at + 1
        for bit in range(8):
            if not flags >> bit & 1:
                window += data[at : at + 1]
                at += 1
                continue
            place, length = divmod(int.from_bytes(data[at : at + 2], "big"), 16)
            at += 2
            # The place is one in a window of 4096 bytes that starts again when it is full.
            start = len(window) - ((len(window) - place) % 4096)
            if start == len(window) or start < 0:
                return window[len(_RTF_WINDOW) : end]
            for offset in range(length + 2):
                window.append(window[start + offset])
    return window[len(_RTF_WINDOW) : end]


def _add_file(message: EmailMessage, item: _Storage) -> None:
    name = item.find_line(*_NAMES)
    if item.find_number(_METHOD) in {_EMBEDDED, _OBJECT}:
        # An object of another program, or a message too deep: a name that no reader takes.
        name += ".ole"
    kind = item.find_line(_MEDIA_TYPE) or mimetypes.guess_type(name)[0] or ""
    major, _, minor = kind.partition("/")
    if not minor.isprintable() or not minor or major in {"multipart", "message"}:
        major, minor = "application", "octet-stream"
    identity = item.find_line(_CONTENT_ID)
    shown = bool(identity) and major == "image"
    message.add_attachment(
        item.find_bytes(_FILE) or b"",
        maintype=major,
        subtype=minor,
        disposition="inline" if shown else "attachment",
        filename=name or None,
        cid=f"<{identity}>" if shown else None,
    )
