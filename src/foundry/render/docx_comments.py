"""A copy of a Word file with a comment at each statement that the sources do not say.

A comment is put between the bytes of ``document.xml``, which otherwise stay as they are: no part is
parsed and written again. Only what a reader of the document sees counts: deleted and hidden text does
not, and words in a text box or note lead to the run that contains or refers to them, because Word
allows no comments there.

Comments are anchored at the sentence: where it begins or ends inside a run, the run is split into two
with the same properties, which look the same. (Anchors around whole runs would mark whole paragraphs,
as most have one run.) Everything else stays byte by byte: text, styles, tracked changes, and the comments
that are there.
"""

from __future__ import annotations

import copy
import html
import io
import posixpath
import re
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple
from xml.sax.saxutils import escape

from foundry.analysis.lexer import UNPRINTABLE
from foundry.errors import ReadError
from foundry.records import CheckedStatement
from foundry.render.places import format_location
from foundry.render.verification import PASSED, explain_verdict, list_nearest, name_verdict

NAMESPACE = re.compile(
    rb"""xmlns(?::([\w.-]+))?=["'](http://[\w./]+/wordprocessingml/(?:2006/)?main)["']"""
)
"""The prefix of Word's namespace, where it is declared, and its address."""
_TOKEN = re.compile(
    rb"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*>|[^<]+""",
    re.DOTALL,
)
_TAG = re.compile(rb"<(/?)([^\s/>!?][^\s/>]*)")
_ID = re.compile(rb"""\bid=["']([^"']*)["']""")
_OFF = re.compile(rb"""\bval=["'](?:0|false|off)["']""")
_CHARACTER = re.compile(r"&[^;\s]+;|.", re.DOTALL)
_NOTE_MARK = re.compile(r"\[(?:\d{1,4}|[ivxlcdm]{1,8}|\*)\]")
_UNSEEN = frozenset({"del", "moveFrom"})
_ENDS = 24
"""Letters and digits at each end of a statement by which it is found if something between differs:
four words or so, and hardly ever the same twice (a guess)."""


@dataclass(frozen=True, slots=True)
class Run:
    """A ``w:r`` between two offsets in bytes; ``properties`` are the bytes of its ``w:rPr``."""

    start: int
    end: int
    properties: bytes


class Place(NamedTuple):
    """A boundary in bytes; ``run`` is the run that has to be split there, None between two runs."""

    offset: int
    run: Run | None = None


class WordSpan(NamedTuple):
    """Where a statement is. ``gap`` is where the space before it has to be split off.

    The text in front of it would otherwise end in a space, which Word may drop.
    """

    start: Place
    end: Place
    gap: Place | None = None


@dataclass(slots=True)
class _Text:
    """What a ``w:t`` says; each character has its offset in bytes, and so has the end."""

    characters: str
    offsets: list[int]


@dataclass(slots=True)
class _OpenRun:
    """A run that is being read. ``aside`` are the words of its text boxes and notes."""

    start: int
    properties: bytes = b""
    texts: list[_Text] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    hidden: bool = False


_Runs = list[tuple[Run, _OpenRun]]


class _Letter(NamedTuple):
    """A letter or digit at a position in a text of a run, which cannot be split without texts.

    ``opens`` is whether a word begins with it.
    """

    run: Run
    texts: list[_Text]
    number: int
    position: int
    opens: bool


@dataclass
class DocxText:
    """The letters and digits of a document in reading order, and where each is."""

    key: str
    letters: list[_Letter]
    _cursor: int = 0

    def find(self, words: str) -> WordSpan | None:
        """Where a statement begins and ends, or None; ask in reading order."""
        words = _NOTE_MARK.sub("", words)
        # A reader writes a list's numbers and bullets before its items; the XML does not have them.
        keys = [make_key(words), make_key(words.partition(" ")[2])]
        span = next(filter(None, [*map(self._find_whole, keys), *map(self._find_ends, keys)]), None)
        if span is None:
            return None
        self._cursor = span[1]
        start, gap = _find_start(self.letters[span[0]])
        closing = re.sub(r".*\w", "", words, flags=re.DOTALL)
        return WordSpan(start, _find_end(self.letters[span[1] - 1], closing), gap)

    def _find_whole(self, key: str) -> tuple[int, int] | None:
        for start in self._search(key):
            if self._opens(start) and self._opens(start + len(key)):
                return start, start + len(key)
        return None

    def _find_ends(self, key: str) -> tuple[int, int] | None:
        """The span between a statement's first and last words: an equation or field may differ."""
        if len(key) < 2 * _ENDS:
            return None
        start = next(filter(self._opens, self._search(key[:_ENDS])), None)
        tail = -1 if start is None else self.key.find(key[-_ENDS:], start, start + 2 * len(key))
        return None if start is None or tail < 0 else (start, tail + _ENDS)

    def _search(self, key: str) -> Iterator[int]:
        """Where the letters are: from the statement before on, then from the beginning."""
        for first in (self._cursor, 0):
            found = self.key.find(key, first) if key else -1
            while found >= 0:
                yield found
                found = self.key.find(key, found + 1)

    def _opens(self, index: int) -> bool:
        return index == len(self.letters) or self.letters[index].opens


def make_key(text: str) -> str:
    """The letters and digits of a text, in the form in which texts are compared."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def read_docx_text(document: bytes, notes: Mapping[str, str]) -> DocxText:
    """The text of a ``document.xml``; ``notes`` are as ``read_notes`` gives them."""
    keys: list[str] = []
    letters: list[_Letter] = []
    for paragraph in _read_paragraphs(document, notes):
        for key, letter in _list_letters(paragraph):
            keys.append(key)
            letters += [letter] * len(key)
    return DocxText("".join(keys), letters)


def read_notes(part: bytes, kind: str) -> dict[str, str]:
    """The words of each note of a part, by ``footnoteReference 2``; ``kind`` is its element."""
    prefix, notes, name, inside = _find_prefix(part), dict[str, str](), "", False
    for token in _TOKEN.finditer(part):
        tag = _TAG.match(token[0])
        if tag is None:
            if inside and name:
                notes[name] += html.unescape(token[0].decode())
            continue
        local = _shorten(tag[2], prefix)
        if local == kind:
            name = "" if tag[1] else _name_note(f"{kind}Reference", token[0])
            notes |= {name: ""} if name else {}
        inside = local == "t" and not tag[1] and not token[0].endswith(b"/>")
        if local == "p" and tag[1] and name:
            notes[name] += " "
    return notes


def _list_letters(paragraph: _Runs) -> Iterator[tuple[str, _Letter]]:
    """The words of a paragraph, then those of its text boxes and notes, as a reader has them."""
    before = ""
    for run, opened in paragraph:
        for number, text in enumerate(opened.texts):
            # Between two texts of a run is a tab or a line break.
            before = "" if number else before
            for index, character in enumerate(text.characters):
                opens = not before.isalnum()
                yield make_key(character), _Letter(run, opened.texts, number, index, opens)
                before = character
    for run, opened in paragraph:
        for words in opened.aside:
            before = ""
            for character in words:
                yield make_key(character), _Letter(run, [], 0, 0, not before.isalnum())
                before = character


def _read_paragraphs(document: bytes, notes: Mapping[str, str]) -> Iterator[_Runs]:
    """The runs of each paragraph; one in a text box belongs to the paragraph around it."""
    reader = _RunReader(document, notes)
    for token in _TOKEN.finditer(document):
        reader.read(token)
        if reader.done:
            yield reader.done
            reader.done = []


class _RunReader:
    """Follows the tags of a document and collects the texts of its outermost runs."""

    def __init__(self, document: bytes, notes: Mapping[str, str]) -> None:
        self._document = document
        self._notes = notes
        self._prefix = _find_prefix(document)
        self._stack: list[str] = []
        self._run: _OpenRun | None = None
        self._properties = 0
        self._runs: _Runs = []
        self.done: _Runs = []

    def read(self, token: re.Match[bytes]) -> None:
        """Take the next tag or text."""
        tag = _TAG.match(token[0])
        if tag is None:
            self._read_text(token)
            return
        local = _shorten(tag[2], self._prefix)
        if tag[1]:
            self._stack.pop()
        else:
            self._open(local, token)
            if not token[0].endswith(b"/>"):
                self._stack.append(local)
                return
        self._close(local, token.end())

    def _open(self, local: str, token: re.Match[bytes]) -> None:
        run, outermost = self._run, self._stack.count("r") == 1
        if run is None:
            if local == "r":
                self._run = _OpenRun(token.start())
        elif local == "rPr" and self._stack[-1] == "r" and outermost:
            self._properties = token.start()
        elif local == "vanish" and self._stack[-2:] == ["r", "rPr"] and outermost:
            run.hidden = not _OFF.search(token[0])
        elif local in {"footnoteReference", "endnoteReference"}:
            run.aside.append(self._notes.get(_name_note(local, token[0]), ""))

    def _close(self, local: str, end: int) -> None:
        run = self._run
        if local == "p" and "p" not in self._stack:
            self.done, self._runs = self._runs, []
        elif run is None or "r" in self._stack[:-1]:
            return
        elif local == "rPr" and self._stack[-1] == "r":
            run.properties = self._document[self._properties : end]
        elif local == "r" and "r" not in self._stack:
            self._run = None
            if not run.hidden and _UNSEEN.isdisjoint(self._stack):
                self._runs.append((Run(run.start, end, run.properties), run))

    def _read_text(self, token: re.Match[bytes]) -> None:
        run = self._run
        if run is None or self._stack[-1] != "t" or token[0].startswith((b"<!--", b"<?")):
            return
        if self._stack.count("r") > 1:
            # Word writes a text box twice: for itself, and for older programs.
            if not any(name.endswith("Fallback") for name in self._stack):
                run.aside.append(html.unescape(token[0].decode()))
        elif token[0].startswith(b"<![CDATA["):
            run.aside.append(token[0][9:-3].decode())
        else:
            run.texts.append(_read_characters(token))


def _read_characters(token: re.Match[bytes]) -> _Text:
    text = _Text("", [])
    offset = token.start()
    for part in _CHARACTER.finditer(token[0].decode()):
        text.characters += html.unescape(part[0])[:1]
        text.offsets.append(offset)
        offset += len(part[0].encode())
    text.offsets.append(offset)
    return text


def _find_start(letter: _Letter) -> tuple[Place, Place | None]:
    """Before an opening quotation mark or bracket; and where the space in front of that begins."""
    run, texts, number, index, _ = letter
    if not texts:
        return Place(run.start), None
    text = texts[number]
    while index and not text.characters[index - 1].isspace():
        index -= 1
    before = len(text.characters[:index].rstrip())
    if before == 0 and number == 0:
        return Place(run.start), None
    gap = Place(text.offsets[before], run) if before < index else None
    return Place(text.offsets[index], run), gap


def _find_end(letter: _Letter, closing: str) -> Place:
    """Behind what closes the statement: its full stop, bracket, quotation mark or sign."""
    run, texts, number, index, _ = letter
    if not texts:
        return Place(run.end)
    text = texts[number]
    index += 1
    if closing and text.characters.startswith(closing, index):
        index += len(closing)
    while index < len(text.characters) and not text.characters[index].isspace():
        index += 1
    last = number == len(texts) - 1 and not text.characters[index:].strip()
    return Place(run.end) if last else Place(text.offsets[index], run)


def _find_prefix(part: bytes) -> str:
    found = NAMESPACE.search(part)
    return f"{found[1].decode()}:" if found and found[1] else ""


def _shorten(tag: bytes, prefix: str) -> str:
    """The name without Word's prefix; names of other vocabularies keep theirs."""
    return tag.decode().removeprefix(prefix)


def _name_note(kind: str, tag: bytes) -> str:
    found = _ID.search(tag)
    return f"{kind} {found[1].decode()}" if found else ""


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
        types = (relation.get("Type", "") for relation in self._list_relations(""))
        document = next(address for address in types if address.endswith("/officeDocument"))
        kind = document.removesuffix("officeDocument") + "comments"
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
