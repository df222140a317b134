"""A copy of a Word file with a comment at each statement that the sources do not say.

Comments are anchored at the sentence: where it begins or ends inside a run, the run is split into two
with the same properties, which look the same. (Anchors around whole runs would mark whole paragraphs,
as most have one run.) Everything else stays byte by byte: text, styles, tracked changes, and the comments
that are there.
"""

from __future__ import annotations

import copy
import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from foundry.analysis.lexer import UNPRINTABLE
from foundry.errors import ReadError
from foundry.records import CheckedStatement
from foundry.render.docx_text import NAMESPACE, Run, WordSpan, read_docx_text, read_notes
from foundry.render.places import format_location
from foundry.render.verification import PASSED, explain_verdict, list_nearest, name_verdict

AUTHOR = "Foundry"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*>")
_ATTRIBUTE = re.compile(rb"""\b(Id|Type|Target)=["']([^"']*)["']""")
_COMMENT_ID = re.compile(rb"""<[^<>]*\bcomment\b[^<>]*?\bid=["'](\d+)["']""")
_PREFIX = re.compile(rb"</([\w.-]+:)?[\w.-]+>\s*\Z")
_NO_COMMENTS = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="%s"></w:comments>'


@dataclass(frozen=True, slots=True)
class AnnotatedFile:
    """The copy, how many statements have a comment, and how many could not be found in it."""

    data: bytes
    comments: int
    unplaced: int


@dataclass(slots=True)
class _Boundary:
    """What is put between two bytes: the ends of comments, then the beginnings of others."""

    run: Run | None
    ends: list[bytes] = field(default_factory=list)
    starts: list[bytes] = field(default_factory=list)


def annotate_docx(
    data: bytes, statements: Sequence[CheckedStatement], created: datetime
) -> AnnotatedFile:
    """Comment on each statement that is not ✓; ``statements`` are all of them, in reading order.

    Raises ``ReadError`` for a file whose parts are not in UTF-8, which Word always writes.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        package = _Package(archive)
        try:
            return _annotate(package, statements, created)
        except UnicodeDecodeError as error:
            raise ReadError("readers-damaged", cause=str(error)) from error


def _annotate(
    package: _Package, statements: Sequence[CheckedStatement], created: datetime
) -> AnnotatedFile:
    document = package.read(package.main)
    text = read_docx_text(document, package.read_notes())
    found = [(item, text.find(item.claimed.words)) for item in statements]
    problems = [(item, span) for item, span in found if item.check.verdict not in PASSED]
    placed = [(item, span) for item, span in problems if span is not None]
    if placed:
        declared = NAMESPACE.search(document)
        first = package.find_free_id()
        anchored = _insert_anchors(document, [span for _, span in placed], first)
        comments = [
            _render_comment(item, number, created) for number, (item, _) in enumerate(placed, first)
        ]
        package.replace(package.main, anchored)
        package.add_comments("".join(comments), declared[2].decode() if declared else "")
    return AnnotatedFile(package.write(), len(placed), len(problems) - len(placed))


def _insert_anchors(document: bytes, spans: Sequence[WordSpan], first: int) -> bytes:
    declared = NAMESPACE.search(document)
    prefix = declared[1].decode() if declared and declared[1] else ""
    # Elements that are put in declare the prefix where the document has another.
    space = "" if prefix == "w" or not declared else f' xmlns:w="{declared[2].decode()}"'
    boundaries: dict[int, _Boundary] = {}
    for number, (start, end, gap) in enumerate(spans, first):
        if gap:
            boundaries.setdefault(gap.offset, _Boundary(gap.run))
        mark = f'{space} w:id="{number}"/>'
        reference = f'<w:r{space}><w:commentReference w:id="{number}"/></w:r>'
        begins = boundaries.setdefault(start.offset, _Boundary(start.run))
        begins.starts.append(f"<w:commentRangeStart{mark}".encode())
        ends = boundaries.setdefault(end.offset, _Boundary(end.run))
        ends.ends.append(f"<w:commentRangeEnd{mark}{reference}".encode())
    parts, last = list[bytes](), 0
    for offset, boundary in sorted(boundaries.items()):
        parts += [document[last:offset], *_split(boundary, prefix)]
        last = offset
    return b"".join([*parts, document[last:]])


def _split(boundary: _Boundary, prefix: str) -> Iterator[bytes]:
    """The anchors; inside a run between its end and the beginning of its second half."""
    lead = f"{prefix}:" if prefix else ""
    if boundary.run:
        yield f"</{lead}t></{lead}r>".encode()
    yield from boundary.ends
    yield from boundary.starts
    if boundary.run:
        yield f"<{lead}r>".encode()
        yield boundary.run.properties
        yield f'<{lead}t xml:space="preserve">'.encode()


def _render_comment(item: CheckedStatement, number: int, created: datetime) -> str:
    nearest = [
        f"{format_location(path, quote)}: “{quote.text}”" for path, quote in list_nearest(item)
    ]
    shown = [name_verdict(item.check.verdict), *explain_verdict(item), *nearest]
    paragraphs = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(UNPRINTABLE.sub("", line))}</w:t></w:r></w:p>'
        for line in shown
    )
    date = created.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    head = f'w:id="{number}" w:author="{AUTHOR}" w:date="{date}" w:initials="F"'
    return f"<w:comment {head}>{paragraphs}</w:comment>"


class _Package:
    """The parts of the file; those that are replaced or added are written in their place."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._changed: dict[str, bytes] = {}
        main = self._find_related("", "officeDocument")
        self.main = main or "word/document.xml"

    def read(self, name: str) -> bytes:
        return self._changed.get(name) or self._archive.read(name)

    def replace(self, name: str, data: bytes) -> None:
        self._changed[name] = data

    def read_notes(self) -> Mapping[str, str]:
        notes: dict[str, str] = {}
        for kind in ("footnote", "endnote"):
            part = self._find_related(self.main, f"{kind}s")
            notes |= read_notes(self.read(part), kind) if part else {}
        return notes

    def find_free_id(self) -> int:
        part = self._find_related(self.main, "comments")
        used = _COMMENT_ID.findall(self.read(part)) if part else []
        return max(map(int, used), default=-1) + 1

    def add_comments(self, comments: str, namespace: str) -> None:
        """Add them to those that are there, or as a new part with its relation and type."""
        part = self._find_related(self.main, "comments")
        if part is None:
            part = self._add_part()
            self.replace(part, (_NO_COMMENTS % namespace).encode())
        before = self.read(part)
        declared = NAMESPACE.search(before)
        if not declared or declared[1] != b"w":
            comments = comments.replace("<w:comment ", f'<w:comment xmlns:w="{namespace}" ')
        self.replace(part, _append(before, comments.encode()))

    def _add_part(self) -> str:
        folder, own = posixpath.split(self.main)
        part = posixpath.join(folder, "comments.xml")
        relations = posixpath.join(folder, "_rels", f"{own}.rels")
        kind = self._find_kind("officeDocument").removesuffix("officeDocument") + "comments"
        relation = f'Relationship Id="rIdFoundryComments" Type="{kind}" Target="comments.xml"/>'
        override = f'Override PartName="/{part}" ContentType="{_TYPE}"/>'
        for name, tag in ((relations, relation), ("[Content_Types].xml", override)):
            before = self.read(name)
            prefix = _PREFIX.search(before)
            opening = b"<" + (prefix[1] or b"" if prefix else b"")
            self.replace(name, _append(before, opening + tag.encode()))
        return part

    def write(self) -> bytes:
        target = io.BytesIO()
        known = self._archive.infolist()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copied:
            for info in known:
                data = self._changed.get(info.filename)
                # Writing changes the entry.
                copied.writestr(copy.copy(info), self._archive.read(info) if data is None else data)
            for name in self._changed.keys() - {info.filename for info in known}:
                copied.writestr(copy.copy(_date(name, known[0])), self._changed[name])
        return target.getvalue()

    def _find_related(self, part: str, kind: str) -> str | None:
        folder = posixpath.dirname(part)
        for relation in self._list_relations(part):
            if relation.get("Type", "").endswith(f"/{kind}"):
                target = posixpath.join("/", folder, relation.get("Target", ""))
                return posixpath.normpath(target).lstrip("/")
        return None

    def _find_kind(self, kind: str) -> str:
        types = (relation.get("Type", "") for relation in self._list_relations(""))
        return next(address for address in types if address.endswith(f"/{kind}"))

    def _list_relations(self, part: str) -> Iterator[dict[str, str]]:
        folder, name = posixpath.split(part)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self._archive.namelist():
            return
        for tag in _RELATION.findall(self.read(relations)):
            yield {key.decode(): value.decode() for key, value in _ATTRIBUTE.findall(tag)}


def _date(name: str, like: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """The entry of a new part, as old as those of the file."""
    info = zipfile.ZipInfo(name, like.date_time)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _append(part: bytes, content: bytes) -> bytes:
    """The part with more content at the end of its outermost element."""
    closing = part.rfind(b"</")
    if closing >= 0:
        return part[:closing] + content + part[closing:]
    # An element without content, such as <w:comments/>.
    opening = part.rfind(b"<")
    name = re.split(rb"[\s/>]", part[opening + 1 :], maxsplit=1)[0]
    cut = part.rfind(b"/>")
    return part[:cut] + b">" + content + b"</" + name + b">" + part[cut + 2 :]
