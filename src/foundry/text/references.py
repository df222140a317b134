"""The citations of a document: marks in its sentences, and the notes and lists that explain them.

Reads ``[^1]``, ``[S1]``, ``[1]``, ``【S1】`` and ``[source: title, p. 3]``; footnote definitions and
source lists say what a mark refers to. Also finds the other parts of a document that state nothing:
front matter and tables of contents. Does not check that the sources exist.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.analysis.lexer import (
    FILE_SUFFIX,
    FOOTNOTE,
    FRONT_MATTER,
    LEADERS,
    LINE,
    LINK_ONLY,
    WEB_ADDRESS,
    match_marker,
    strip_number,
)
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import LANGUAGES, Message, format_message
from foundry.records import Block, Document, Quote, Reference, Source
from foundry.text.headings import is_contents_line

_HEADINGS = load_shared_lexicon().headings
_LABEL = r"(?:S\s?)?\d{1,4}|\^[^\[\]\s]{1,60}|[ivx]{1,6}"
_ENTRY = re.compile(
    rf"\s*(?:[-*•+]\s+)?(?:[\[【]({_LABEL})[\]】]:?|(S\d{{1,4}})[.:)]?|(\d{{1,4}})[.)])\s+(\S.*)"
)
_PRINTED = re.compile(rf"[\[【]({_LABEL})[\]】]\s+(\S.*)")
_INLINE_MARK = re.compile(rf"\S[^\S\n]?[\[【]({_LABEL})[\]】]")
_ENTRY_STARTS = ("[", "【", "  ", "\t")
_LEADERS = re.compile(rf"(?:{LEADERS.pattern}|\.{{3}}|…|\t| {{3,}})\s*\d{{1,4}}\s*$")
_SOURCE = build_alternation(_HEADINGS.source_words)
_PAGE_LABEL = r"(?:[A-Za-z]{1,3}-)?\d{1,4}|[ivxlc]{1,6}"
_PAGE_WORDS = build_alternation(load_shared_lexicon().documents.page_words)
_PAGES = re.compile(
    rf"\b(?:pp?\.|{_PAGE_WORDS})\s*(?P<first>{_PAGE_LABEL})(?:\s?[-–]\s?(?P<last>{_PAGE_LABEL}))?"
    r"(?![\w-])",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"(?<!\\)(?:"
    r"\[(?P<note>\^[^\[\]\s]{1,60})\](?!:)"
    rf"|\[{_SOURCE}\s*:\s*(?P<square>[^\[\]]{{1,300}})\]"
    rf"|\({_SOURCE}\s*:\s*(?P<round>(?:[^()]|\([^()]*\)){{1,300}})\)"
    r"|[\[【](?P<ids>(?:S\s?)?\d{1,4}(?:\s*[,;–-]\s*(?:S\s?)?\d{1,4}){0,20})(?:†[^\]】]{0,80})?[\]】](?!\()"
    r"|\((?P<plain>S\d{1,4}(?:,\s*S\d{1,4}){0,20})\)"
    r"|\[(?P<roman>[ivx]{1,6})\](?!\()"
    rf"|\((?P<paged>[^()\n]{{0,160}}?\b(?:pp?\.|{_PAGE_WORDS})\s*(?:{_PAGE_LABEL})[\s\d–-]{{0,6}})\)"
    rf"|,\s(?P<page>(?:pp?\.|blz\.)\s*(?:{_PAGE_LABEL})(?![\w-])),?"
    r")",
    re.IGNORECASE,
)

_OWN_LINES: Mapping[str, Message] = {
    "document-contradiction": Message("draft-skipped-contradiction"),
    "document-replaced": Message("draft-skipped-contradiction"),
    "document-low-confidence": Message("draft-skipped-low-confidence"),
}
"""How a line that Foundry adds to its documents begins, and the reason to skip it."""

_UNVERIFIED = "|".join(
    re.escape(format_message(Message("answer-not-verified"), language)) for language in LANGUAGES
)
_OWN_MARK = re.compile(rf"[ \t]?(?<!\\)\*\((?:{_UNVERIFIED})\)\*")
_OWN_MARK_PRINTED = re.compile(rf"[ \t]?\((?:{_UNVERIFIED})\)")
"""What Foundry puts behind a sentence that is not verified, in Markdown and in other formats."""

_UNNUMBERED = 2
"""Pages before the first printed number, beside a tenth of the file: cover and contents (a guess)."""

_MIN_NAME_LENGTH = 3
_MAX_ENTRY_LENGTH = 300


@dataclass(frozen=True, slots=True)
class ExcludedSpan:
    """The span of a part that states nothing, and the reason."""

    start: int
    end: int
    reason: Message


@dataclass(frozen=True, slots=True)
class CitationMark:
    """The span of a citation, and what it refers to."""

    start: int
    end: int
    references: tuple[Reference, ...]


@dataclass(slots=True)
class CitationApparatus:
    """The notes, lists and marks of a document; ``notes`` maps a mark's label to its source."""

    excluded: list[ExcludedSpan] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    marks: list[CitationMark] = field(default_factory=list)


def find_apparatus(
    document: Document, own_lines: Mapping[str, Message] | None = None
) -> CitationApparatus:
    """Finds the citations of a document and the parts that state nothing, in order.

    ``own_lines`` are the lines that Foundry itself added to it, with the reason to skip each;
    without them, lines that begin like Foundry's own are skipped.
    """
    apparatus = CitationApparatus()
    if document.type == "markdown":
        apparatus.excluded += _find_front_matter(document)
    head = apparatus.excluded[0].end if apparatus.excluded else 0
    lines = [(match.start(), match[1].rstrip()) for match in LINE.finditer(document.text, head)]
    headings = [block for block in document.blocks if block.kind == "heading"]
    _read_notes(lines, apparatus)
    _read_lists(lines, headings, apparatus)
    apparatus.excluded.sort(key=lambda span: span.start)
    own = list(_find_own_lines(document, lines, own_lines))
    own = [span for span in own if not _is_inside(apparatus.excluded, span.start)]
    apparatus.excluded = sorted([*apparatus.excluded, *own], key=lambda span: span.start)
    _read_printed_notes(lines, document, apparatus)
    for match in _MARK.finditer(document.text):
        references = _parse_references(match, apparatus.notes)
        if references and not _is_inside(apparatus.excluded, match.start()):
            apparatus.marks.append(CitationMark(*match.span(), references))
    own_mark = _OWN_MARK if document.type == "markdown" else _OWN_MARK_PRINTED
    apparatus.marks += [CitationMark(*m.span(), ()) for m in own_mark.finditer(document.text)]
    return apparatus


def strip_own_marks(markdown: str) -> str:
    """A draft's text without Foundry's marks of what is not verified."""
    return _OWN_MARK.sub("", markdown)


def build_source_names(sources: Iterable[Source]) -> dict[str, str]:
    """What a reference may call a source, folded, with the path of the source.

    Path, file name, title, file name without extension, and the names on its front that no other
    source has there.
    """
    listed = list(sources)
    fronts = [(name, source.path) for source in listed for name in _list_front_names(source)]
    counts = Counter(name for name, _ in fronts)
    known = {name: path for name, path in fronts if counts[name] == 1}
    for source in sorted(listed, key=lambda source: source.path):
        file = PurePosixPath(source.path)
        names = map(fold, (file.stem, source.title, file.name, source.path))
        known |= dict.fromkeys(names, source.path)
    return {name: path for name, path in known.items() if len(name) >= _MIN_NAME_LENGTH}


def _list_front_names(source: Source) -> set[str]:
    front = [name for name in source.names if name.place == "front"]
    forms = [form for name in front for form in (name.name, *name.aliases)]
    # A shop called Example.com is Example too.
    forms += [name.name.partition(".")[0] for name in front if name.kind == "organisation"]
    return {fold(form) for form in forms}


def find_named_source(words: str, names: Mapping[str, str]) -> str | None:
    """The path of the source that a reference names, or None; ``names`` as built above.

    The longest name that the words contain wins.
    """
    folded = f" {fold(words)} "
    found = [(len(name), path) for name, path in names.items() if _occurs_alone(name, folded)]
    return max(found)[1] if found else None


def find_cited_pages(words: str) -> tuple[tuple[str, str], ...]:
    """The pages that a reference names, each with the last of its range: "pp. 3-5" → ("3", "5")."""
    return tuple((m["first"], m["last"] or m["first"]) for m in _PAGES.finditer(words))


def is_page_alone(words: str) -> bool:
    """Whether a reference names a page and no source."""
    return not re.search(r"\w{4}", _PAGES.sub("", words)) and bool(_PAGES.search(words))


def has_cited_page(
    pages: Iterable[tuple[str, str]], place: Quote | Block, count: int | None
) -> bool:
    """Whether a quote or block is on one of the pages, or its page is unknown.

    A page is known by its printed label or its number in the file. Where a file of ``count`` pages
    has no labels, its printed numbers may begin later.
    """
    if place.page is None:
        return True
    label = (place.page_label or "").casefold()
    unnumbered = 0 if label else _UNNUMBERED + (count or 0) // 10
    for first, last in pages:
        if label in {first.casefold(), last.casefold()} and label:
            return True
        if first.isdigit() and last.isdigit():
            own = int(label) if label.isdigit() else place.page
            inside = int(first) <= own <= int(last) + unnumbered
            if inside or int(first) <= place.page <= int(last):
                return True
    return False


def _occurs_alone(name: str, text: str) -> bool:
    position = text.find(name)
    return (
        position > 0
        and not text[position - 1].isalnum()
        and not text[position + len(name)].isalnum()
    )


def _find_front_matter(document: Document) -> Iterator[ExcludedSpan]:
    match = FRONT_MATTER.match(document.text)
    if match and not any(block.start < match.end() for block in document.blocks):
        yield ExcludedSpan(0, match.end(), Message("skipped-front-matter"))


def _find_own_lines(
    document: Document, lines: Sequence[tuple[int, str]], known: Mapping[str, Message] | None
) -> Iterator[ExcludedSpan]:
    """What Foundry says of the sources in its documents: a line, or a paragraph of another format."""
    if document.type not in {"markdown", "txt"}:
        blocks = [block for block in document.blocks if block.kind != "heading"]
        lines = [(block.start, document.text[block.start : block.end]) for block in blocks]
    for start, line in lines:
        reason = _find_own_reason(line) if known is None else known.get(line.strip())
        if reason:
            yield ExcludedSpan(start, start + len(line), reason)


def _find_own_reason(line: str) -> Message | None:
    words = line.lstrip("> *_")
    for code, reason in _OWN_LINES.items():
        for language in LANGUAGES:
            head = format_message(Message(code), language)
            # A contradiction quotes both of its sources.
            if words.startswith(head) and (code == "document-low-confidence" or "“" in words):
                return reason
    return None


def _read_notes(lines: Sequence[tuple[int, str]], apparatus: CitationApparatus) -> None:
    """``[^1]: …`` with its continuation: the lines that follow at once, or indented."""
    offset = 0
    while offset < len(lines):
        start, line = lines[offset]
        match = FOOTNOTE.match(line)
        offset += 1
        if not match:
            continue
        end, broken = start + len(line), False
        while offset < len(lines) and not FOOTNOTE.match(lines[offset][1]):
            following = lines[offset][1]
            if following and broken and not following.startswith(("  ", "\t")):
                break
            broken = broken or not following
            end = lines[offset][0] + len(following) if following else end
            offset += 1
        apparatus.notes[_normalise_label(f"^{match['label']}")] = match["text"]
        apparatus.excluded.append(ExcludedSpan(start, end, Message("skipped-footnote")))


def _read_lists(
    lines: Sequence[tuple[int, str]], headings: Sequence[Block], apparatus: CitationApparatus
) -> None:
    """Lists of sources and tables of contents, each below a line that names it."""
    titles = {_strip_markup(block.heading_path[-1]) for block in headings if block.heading_path}
    for index, (start, line) in enumerate(lines):
        name = _strip_markup(line)
        if name in _HEADINGS.sources or name in _HEADINGS.bibliographies:
            whole = name in _HEADINGS.bibliographies and any(
                h.start <= start < h.end for h in headings
            )
            limit = min((block.start for block in headings if block.start > start), default=1 << 60)
            end = _read_list(lines, index + 1, limit, apparatus.notes, whole=whole)
            if end is not None:
                apparatus.excluded.append(ExcludedSpan(start, end, Message("skipped-source-list")))
        elif name in _HEADINGS.contents:
            entries = _find_contents(lines, index + 1, titles)
            if entries:
                last, words = entries[-1]
                apparatus.excluded.append(
                    ExcludedSpan(start, last + len(words), Message("skipped-contents"))
                )
        elif len(line) <= _MAX_ENTRY_LENGTH and is_contents_line(line) and _LEADERS.search(line):
            apparatus.excluded.append(
                ExcludedSpan(start, start + len(line), Message("skipped-contents"))
            )


def _read_list(
    lines: Sequence[tuple[int, str]], first: int, limit: int, notes: dict[str, str], *, whole: bool
) -> int | None:
    """Reads a source list into ``notes``; returns its end, or None if no entry follows."""
    end = None
    for index in range(first, len(lines)):
        start, line = lines[index]
        entry = _ENTRY.match(line)
        marked = match_marker(line) or line.startswith(_ENTRY_STARTS)
        like = whole or entry or marked or WEB_ADDRESS.search(line) or FILE_SUFFIX.search(line)
        if start >= limit or (line and not like):
            break
        if entry:
            notes.setdefault(_normalise_label(entry[1] or entry[2] or entry[3]), entry[4])
        if line:
            end = start + len(line)
    return end


def _find_contents(
    lines: Sequence[tuple[int, str]], first: int, titles: Collection[str]
) -> list[tuple[int, str]]:
    entries = []
    for index in range(first, len(lines)):
        start, line = lines[index]
        short = line[:_MAX_ENTRY_LENGTH]
        like = _LEADERS.search(short) or LINK_ONLY.fullmatch(short)
        # The first heading after the contents ends them.
        listed = (
            not line.lstrip().startswith("#") and _strip_markup(_LEADERS.sub("", short)) in titles
        )
        if line and not (like or listed):
            break
        if line:
            entries.append((start, line))
    return entries


def _read_printed_notes(
    lines: Sequence[tuple[int, str]], document: Document, apparatus: CitationApparatus
) -> None:
    """Notes as the office readers print them: ``[1] …``, with the mark elsewhere.

    They open a block or follow another note: a mark may open a line of wrapped text too.
    """
    cited = {_normalise_label(match[1]) for match in _INLINE_MARK.finditer(document.text)}
    opening = {block.start for block in document.blocks}
    notes: list[ExcludedSpan] = []
    for start, line in lines:
        match = _PRINTED.match(line)
        if (
            match
            and (start in opening or (notes and notes[-1].end == start - 1))
            and _normalise_label(match[1]) in cited
            and not _is_inside(apparatus.excluded, start)
        ):
            apparatus.notes.setdefault(_normalise_label(match[1]), match[2])
            notes.append(ExcludedSpan(start, start + len(line), Message("skipped-footnote")))
    apparatus.excluded = sorted([*apparatus.excluded, *notes], key=lambda span: span.start)


def _is_inside(excluded: Sequence[ExcludedSpan], position: int) -> bool:
    """Whether a position is in one of the excluded spans, which are sorted and disjoint."""
    index = bisect_right(excluded, position, key=lambda span: span.start) - 1
    return index >= 0 and position < excluded[index].end


def _parse_references(match: re.Match[str], notes: Mapping[str, str]) -> tuple[Reference, ...]:
    inline = match["square"] or match["round"] or match["paged"] or match["page"]
    if inline:
        return (Reference(match[0], " ".join(inline.split())),)
    if match["note"]:
        return (Reference(match[0], notes.get(_normalise_label(match["note"]), "")),)
    if match["roman"] or match["plain"]:
        labels = re.findall(r"[Ss]\s?\d+|[ivxIVX]+", match["roman"] or match["plain"])
        known = [label for label in labels if _normalise_label(label) in notes]
        return tuple(Reference(match[0], notes[_normalise_label(label)]) for label in known)
    labels = re.findall(r"(?:S\s?)?\d+", match["ids"], re.IGNORECASE)
    explained = [label for label in labels if _normalise_label(label) in notes]
    # "x[1]" may be an index; after a space or a full stop it is a citation.
    before = match.string[match.start() - 1 : match.start()] if match.start() else " "
    if not explained and labels[0].isdigit() and before.isalnum():
        return ()
    return tuple(Reference(match[0], notes.get(_normalise_label(label), "")) for label in labels)


def _normalise_label(label: str) -> str:
    return "".join(label.lower().split())


def _strip_markup(line: str) -> str:
    """A title without number and markup, folded."""
    return strip_number(fold(line).strip(" #*_:\t-=>"))
