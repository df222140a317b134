"""What may be shown: the whole sentences, list items and table rows of the evidence, readable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foundry.analysis import analyse, fold
from foundry.records import BlockKind, Chunk, Evidence, Quote, Sentence
from foundry.wording.lines import UNIT_LABELS
from foundry.wording.passages import (
    Passage,
    Span,
    columns_of,
    find_passages,
    join_quotes,
    quote_at,
    quotes_of,
)
from foundry.wording.quantities import Quantity, find_quantities

_PROSE: frozenset[BlockKind] = frozenset({"paragraph", "list_item", "table", "cue"})
_REST: frozenset[BlockKind] = frozenset({"code", "caption"})
_LONGEST = 900
_TRAILING = ";,. "
_LONGEST_LIST = 480
_MOST_ITEMS = 9
_ENDS = re.compile(r"[.!?…][\"'”’»)\]*_]*$")
_BULLET = re.compile(r"^(?:[-*+•·▪◦‣–—]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+")
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4,}\s*\d*\s*$|\s\d{1,3}$")
_NUMERIC = re.compile(r"[-+−±]?\d[\d.,]*(?:\s?(?:to|tot|–|-|…|\.\.\.)\s?[-+−]?\d[\d.,]*)?")
_FURNITURE = re.compile(
    r"^(?:page|pagina|blz\.?)\s*\d+|\b(?:page|pagina)\s+\d+\s+(?:of|van|/)\s*\d+|^©|^copyright\b"
    r"|(?:\. ?){5,}|all rights reserved|alle rechten voorbehouden|^https?://\S+$|^www\.\S+$",
    re.IGNORECASE,
)
_MARKUP = (
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), r""),
    (re.compile(r"\[([^\]]*)\]\([^)\s]*(?:\s\"[^\"]*\")?\)"), r"\1"),
    (re.compile(r"<((?:https?|mailto):[^>\s]+)>"), r"\1"),
    (re.compile(r"(\*\*\*|\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"\1"),
    # Emphasis that opens in one sentence and closes in another.
    (re.compile(r"(?<!\w)\*+(?=\w)|(?<=[\w.,:;!?)])\*+(?!\w)"), r""),
    (re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])"), r"\1"),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be shown, with its quotes and what ranking needs to know of it.

    ``spans`` are its own words, without a table's header or a list's opening.
    ``order`` is its place in reading order: evidence, then position. ``above``
    holds the terms of its headings and ``before`` those of the sentence before it.
    """

    evidence: Evidence
    text: str
    quotes: tuple[Quote, ...]
    spans: tuple[Span, ...]
    order: tuple[int, int]
    terms: tuple[str, ...]
    above: frozenset[str]
    before: frozenset[str]
    quantities: tuple[Quantity, ...]
    language: str
    section: tuple[str, ...]
    kind: BlockKind = "paragraph"
    asks_before: bool = False

    @property
    def sentence(self) -> Sentence:
        """The candidate as it is shown."""
        return Sentence(self.text, (self.evidence.id,), self.quotes)


def find_candidates(evidence: Sequence[Evidence]) -> list[Candidate]:
    """All that may be shown, in reading order; code and captions only where nothing else is."""
    for kinds in (_PROSE, _REST):
        found = [c for at, item in enumerate(evidence) for c in _of_evidence(at, item, kinds)]
        if found:
            return found
    return []


def _of_evidence(at: int, evidence: Evidence, kinds: frozenset[BlockKind]) -> Iterator[Candidate]:
    chunk, source = evidence.hit.chunk, evidence.hit.source
    passages = find_passages(chunk)
    titled = frozenset(analyse(source.title, chunk.language))
    about = [source.title, source.revision or "", source.revision_date or ""]
    for number, passage in enumerate(passages):
        if passage.kind not in kinds:
            continue
        path = passage.place.heading_path or chunk.heading_path
        before = passages[number - 1].text if number else ""
        for text, parts in _shown(passages, number, chunk, source.type):
            terms = tuple(analyse(text, chunk.language))
            if terms and titled.issuperset(terms):
                # The title again, as a running header or on a cover.
                continue
            spans = (span for part in parts for span in part.spans)
            yield Candidate(
                evidence=evidence,
                text=text,
                quotes=_quotes(parts, evidence),
                spans=tuple(span for span in spans if span[0] >= passage.start),
                order=(at, number),
                terms=terms,
                above=frozenset(analyse(" ".join([*about, *path]), chunk.language)),
                before=frozenset(analyse(before, chunk.language)),
                quantities=find_quantities(text, chunk.language),
                language=chunk.language,
                section=path,
                kind=passage.kind,
                asks_before=before.rstrip("*_ ").endswith("?"),
            )


def _shown(
    passages: Sequence[Passage], at: int, chunk: Chunk, kind: str
) -> Iterator[tuple[str, list[Passage]]]:
    """The readable forms of a passage: alone, or a list item with the sentence that opens the list."""
    passage = passages[at]
    if passage.kind == "table":
        text = "" if _heads_table(passages, at) else _row_text(passage, chunk)
        if text:
            yield text, [passage]
        return
    text = _plain(passage.text, kind)
    if passage.kind == "list_item":
        opener = _opener(passages, at)
        if opener is not None:
            yield from _with_opener(passages, at, opener, kind)
            return
    if _opens_list(passages, at):
        yield from _whole_list(passages, at, kind)
    elif _is_whole(passage, text):
        yield text, [passage]


def _heads_table(passages: Sequence[Passage], at: int) -> bool:
    following = passages[at + 1] if at + 1 < len(passages) else None
    return following is not None and following.header == passages[at].cells


def _row_text(passage: Passage, chunk: Chunk) -> str:
    """``Parameter: Supply voltage; Min: 3.0 V; Max: 3.6 V``, or ``IP address: 10.0.0.1``."""
    columns = columns_of(passage, chunk)
    if len(columns) < 2:
        return ""
    if len(columns) == 2 and len(passage.header) <= 2:
        # A row of two is a name and its value, whatever the header calls them.
        text = f"{columns[0][1]}: {columns[1][1]}"
    else:
        pairs = _with_units(columns)
        text = "; ".join(f"{label}: {cell}" if label else cell for label, cell in pairs)
    return text if len(text) <= _LONGEST else ""


def _with_units(columns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The unit's column put behind each number of the row."""
    units = [cell for label, cell in columns if fold(label) in UNIT_LABELS]
    numeric = [label for label, cell in columns[1:] if _NUMERIC.fullmatch(cell)]
    if len(units) != 1 or not numeric:
        return columns
    return [
        (label, f"{cell} {units[0]}" if at and _NUMERIC.fullmatch(cell) else cell)
        for at, (label, cell) in enumerate(columns)
        if fold(label) not in UNIT_LABELS
    ]


def _opener(passages: Sequence[Passage], at: int) -> int | None:
    """The sentence ending in a colon that opens the list which this item stands in."""
    path = passages[at].place.heading_path
    for before in range(at - 1, -1, -1):
        passage = passages[before]
        if passage.place.heading_path != path:
            return None
        if passage.kind != "list_item":
            opens = passage.kind == "paragraph" and passage.text.rstrip("*_ ").endswith(":")
            return before if opens and not passage.cut else None
    return None


def _opens_list(passages: Sequence[Passage], at: int) -> bool:
    following = passages[at + 1] if at + 1 < len(passages) else None
    return (
        passages[at].text.rstrip("*_ ").endswith(":")
        and following is not None
        and following.kind == "list_item"
    )


def _with_opener(
    passages: Sequence[Passage], at: int, opener: int, kind: str
) -> Iterator[tuple[str, list[Passage]]]:
    item = passages[at]
    text = _item(item, kind)
    if item.cut or not re.search(r"\w", text):
        return
    if _ENDS.search(text) and len(text.split()) >= 5 and text[:1].isupper():
        yield text, [item]
        return
    opening = _plain(passages[opener].text, kind)
    joined = f"{opening} {text.rstrip(_TRAILING)}"
    if len(joined) <= _LONGEST:
        yield joined, [passages[opener], item]


def _whole_list(
    passages: Sequence[Passage], at: int, kind: str
) -> Iterator[tuple[str, list[Passage]]]:
    items: list[Passage] = []
    for passage in passages[at + 1 :]:
        if passage.kind != "list_item":
            break
        items.append(passage)
    texts = [_item(item, kind).rstrip(_TRAILING) for item in items]
    joined = f"{_plain(passages[at].text, kind)} {'; '.join(texts)}"
    fits = len(items) <= _MOST_ITEMS and len(joined) <= _LONGEST_LIST
    if fits and not any(part.cut for part in (passages[at], *items)):
        yield joined, [passages[at], *items]


def _item(passage: Passage, kind: str) -> str:
    return _plain(passage.text, kind)


def _plain(text: str, kind: str) -> str:
    text = _BULLET.sub("", text)
    if kind != "md":
        return text
    for pattern, words in _MARKUP:
        text = pattern.sub(words, text)
    return " ".join(text.split())


def _is_whole(passage: Passage, text: str) -> bool:
    """A sentence that can stand alone, or a short note that says something."""
    words = text.split()
    letters = sum(character.isalpha() for character in text)
    torn = passage.cut or len(text) > _LONGEST or letters < 0.4 * len(text)
    if torn or _FURNITURE.search(text) or text.endswith(":"):
        return False
    if passage.kind == "paragraph":
        return not text[:1].islower() and _is_sentence_or_note(passage, text)
    return len(words) >= 3 or passage.kind in _REST


def _is_sentence_or_note(passage: Passage, text: str) -> bool:
    words = text.split()
    if _ENDS.search(text):
        return len(words) >= 3
    if len(words) < 2 or (_CONTENTS_LINE.search(text) and not re.search(r"[=:]", text)):
        return False
    # A note without a full stop ("VCC = 3.3 V") is a line of its own, not a torn one.
    if re.search(r"\d|=|:\s", text) or _BULLET.match(passage.text):
        return True
    whole_block = (passage.start, passage.end) == (passage.place.start, passage.place.end)
    return whole_block and len(words) >= 6


def _quotes(parts: Sequence[Passage], evidence: Evidence) -> tuple[Quote, ...]:
    found: list[Quote] = []
    for part in parts:
        if part.header:
            span = (part.header[0][0], part.header[-1][1])
            found.append(quote_at(evidence, span, part.place))
        found.extend(quotes_of(part, evidence))
    return join_quotes(found, evidence.hit.chunk)
