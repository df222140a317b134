"""What may be quoted: whole sentences, list items and table rows of the evidence, made readable.

For an answer also lines of code, headings that hold a value, and a list as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from foundry.analysis import analyse, fold
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.records import BlockKind, Chunk, Evidence, Quote, Sentence
from foundry.text.headings import is_furniture, is_heading_like
from foundry.text.lines import UNIT_LABELS
from foundry.text.markdown import BULLET, strip_marks
from foundry.text.passages import (
    Passage,
    TextSpan,
    build_quote,
    build_quotes,
    find_lines_and_passages,
    find_passages,
    join_quotes,
    label_cells,
)
from foundry.text.periods import Period, find_periods
from foundry.text.quantities import Quantity, find_quantities

_PROSE_KINDS: frozenset[BlockKind] = frozenset({"paragraph", "list_item", "table", "cue"})
_FALLBACK_KINDS: frozenset[BlockKind] = frozenset({"code", "caption"})
_ANSWER_KINDS: frozenset[BlockKind] = _PROSE_KINDS | {"code", "heading"}
_MAX_CHARS = 900
_TRAILING = ";,. "
_MAX_LIST_CHARS = 480
_MAX_LIST_ITEMS = 9
_MAX_ASKED_ITEMS = 15
_MAX_ASKED_CHARS = 1500
"""Items and characters of a list that is shown because it is asked for. A guess: a screen."""
_ENDS = re.compile(r"[.!?…][\"'”’»)\]*_]*$")
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4}\s*+\d*+\s*+$|\s\d{1,3}$")
_LEXICON = load_shared_lexicon()
_GENERIC = _LEXICON.headings.generic_labels
_NUMERIC = re.compile(
    rf"[-+−±]?\d[\d.,]*(?:\s?(?:{build_alternation(_LEXICON.numbers.to)}|–|-|…|\.\.\.)"
    r"\s?[-+−]?\d[\d.,]*)?"
)


@dataclass(frozen=True, slots=True)
class QuoteCandidate:
    """Text that may be shown, with its quotes and what ranking needs.

    ``spans`` are its own words, without a table's header or a list's opening sentence. ``order`` is
    the index of its evidence, then its position in it. ``above`` are the terms of its headings,
    ``before`` those of the sentence before it. ``columns`` are those of a row of a table: its name,
    then its values with their labels. ``heading_like``: it may be a heading that its reader took
    for a paragraph.
    """

    evidence: Evidence
    text: str
    quotes: tuple[Quote, ...]
    spans: tuple[TextSpan, ...]
    order: tuple[int, int]
    terms: tuple[str, ...]
    above: frozenset[str]
    before: frozenset[str]
    language: str
    section: tuple[str, ...]
    kind: BlockKind = "paragraph"
    asks_before: bool = False
    columns: tuple[tuple[str, str], ...] = ()
    heading_like: bool = False

    @property
    def nearness(self) -> float:
        """The cosine of the question and the nearest window that it is in; 0 without vectors."""
        start, end = self.spans[0][0], self.spans[-1][1]
        near = (n for a, b, n in self.evidence.hit.nearness if a < end and start < b)
        return max(near, default=0.0)

    @property
    def periods(self) -> tuple[Period, ...]:
        """Those that it names itself; else those of its headings; else of its document."""
        source = self.evidence.hit.source
        texts = (self.text, " / ".join(self.section), f"{source.title} / {source.path}")
        return next(filter(None, (find_periods(text, self.language) for text in texts)), ())

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """What it measures; only some questions ask for that."""
        return find_quantities(self.text, self.language)

    @property
    def sentence(self) -> Sentence:
        """The candidate as it is shown."""
        return Sentence(self.text, (self.evidence.id,), self.quotes)


def find_candidates(
    evidence: Sequence[Evidence], *, answering: bool = False
) -> list[QuoteCandidate]:
    """All that may be shown, in reading order; code and captions only if there is nothing else.

    ``answering``: also lines of code and headings that hold a value.
    """
    for kinds in (_ANSWER_KINDS if answering else _PROSE_KINDS, _FALLBACK_KINDS):
        candidates = [
            c
            for index, item in enumerate(evidence)
            for c in _extract_candidates(index, item, kinds)
        ]
        if candidates:
            return candidates
    return []


def _extract_candidates(
    index: int, evidence: Evidence, kinds: frozenset[BlockKind]
) -> Iterator[QuoteCandidate]:
    chunk, source = evidence.hit.chunk, evidence.hit.source
    passages = (find_lines_and_passages if kinds is _ANSWER_KINDS else find_passages)(chunk)
    titled = list_terms(source.title, chunk.language)
    for number, passage in enumerate(passages):
        if passage.kind not in kinds:
            continue
        before = passages[number - 1].text if number else ""
        for text, parts in _render_passage(passages, number, chunk, source.type):
            candidate = _build_candidate(evidence, (index, number), text, parts, before)
            if candidate.terms and titled.issuperset(candidate.terms):
                # The title, repeated as a running header or on a cover.
                continue
            yield candidate


def _build_candidate(
    evidence: Evidence,
    order: tuple[int, int],
    text: str,
    parts: Sequence[Passage],
    before: str = "",
) -> QuoteCandidate:
    chunk, source, passage = evidence.hit.chunk, evidence.hit.source, parts[-1]
    if parts[0].kind != "list_item" and len(parts) > 2:
        # A whole list: it is about its opening sentence, and says all its items.
        passage = parts[0]
    path = passage.place.heading_path or chunk.heading_path
    about = [source.title, source.revision or "", source.revision_date or "", *path]
    spans = (span for part in parts for span in part.spans)
    return QuoteCandidate(
        evidence=evidence,
        text=text,
        quotes=_build_quotes(parts, evidence),
        spans=tuple(span for span in spans if span[0] >= passage.start),
        order=order,
        terms=tuple(analyse(text, chunk.language)),
        above=list_terms(" ".join(about), chunk.language),
        before=list_terms(before, chunk.language),
        language=chunk.language,
        section=path,
        kind=passage.kind,
        columns=tuple(_list_columns(passage, chunk)),
        asks_before=before.rstrip("*_ ").endswith("?"),
        heading_like=passage.kind == "paragraph" and is_heading_like(text),
    )


@lru_cache(maxsize=64)  # Many sentences have the same headings.
def list_terms(text: str, language: str) -> frozenset[str]:
    """The terms of a title or heading."""
    return frozenset(analyse(text, language))


def find_whole_list(candidate: QuoteCandidate) -> QuoteCandidate | None:
    """The list that an item belongs to, with its opening sentence or heading; None if it is long.

    Also the steps below the heading of a procedure.
    """
    evidence, (index, number) = candidate.evidence, candidate.order
    chunk = evidence.hit.chunk
    passages = find_lines_and_passages(chunk)
    first = number + 1 if _is_list_opener(passages, number) else number
    if passages[min(first, len(passages) - 1)].kind != "list_item":
        return None
    path = passages[first].place.heading_path
    while first and _continues_list(passages[first - 1], path):
        first -= 1
    last = first
    while last < len(passages) and _continues_list(passages[last], path):
        last += 1
    stem = first - 1 if first and passages[first - 1].kind in {"paragraph", "heading"} else None
    if stem is None or not (1 < last - first <= _MAX_ASKED_ITEMS):
        return None
    parts = [passages[stem], *passages[first:last]]
    kind = evidence.hit.source.type
    texts = [strip_marks(part.text, kind).rstrip(_TRAILING) for part in parts]
    mark = "." if passages[stem].text.endswith(".") else ":"
    text = f"{texts[0].lstrip('# ').rstrip(': ')}{mark} {'; '.join(texts[1:])}"
    if len(text) > _MAX_ASKED_CHARS or any(part.cut for part in parts):
        return None
    return _build_candidate(evidence, (index, stem), text, parts)


def _continues_list(passage: Passage, path: tuple[str, ...]) -> bool:
    return passage.kind == "list_item" and passage.place.heading_path == path


def _render_passage(
    passages: Sequence[Passage], index: int, chunk: Chunk, kind: str
) -> Iterator[tuple[str, list[Passage]]]:
    """The readable forms of a passage: alone, or a list item with the list's opening sentence."""
    passage = passages[index]
    if passage.kind == "table":
        text = "" if passage.labels else _render_row(passage, chunk)
        if text:
            yield text, [passage]
        return
    if passage.kind in {"code", "heading"}:
        text = _render_line(passage, kind)
        if text:
            yield text, [passage]
        return
    text = strip_marks(passage.text, kind)
    if passage.kind == "list_item":
        opener = _find_list_opener(passages, index)
        if opener is not None:
            yield from _join_opener(passages, index, opener, kind)
            return
    if _is_list_opener(passages, index):
        yield from _join_list(passages, index, kind)
    elif _is_whole(passage, text):
        yield text, [passage]


def _render_line(passage: Passage, kind: str) -> str:
    """A line of code, or a heading that holds a value; "" for another heading."""
    if passage.cut or len(passage.text) > _MAX_CHARS:
        return ""
    if passage.kind == "code":
        return passage.text
    text = strip_marks(passage.text, kind).lstrip("# ")
    return text if _holds_amount(text) else ""


def _holds_amount(text: str) -> bool:
    """Whether a heading is a value too ("GRAND TOTAL 5,738"), not a chapter or a year."""
    return any(
        quantity.kind == "number"
        and bool(quantity.dimension or re.search(r"\d[.,]\d{3}|[€$£%]", quantity.text))
        for quantity in find_quantities(text, "und")
    )


def _render_row(passage: Passage, chunk: Chunk) -> str:
    """``Supply voltage; Min: 3.0 V; Max: 3.6 V``, or ``IP address: 10.0.0.1``."""
    columns = _list_columns(passage, chunk)
    text = write_columns(columns) if len(columns) > 1 else ""
    return text if len(text) <= _MAX_CHARS else ""


def _list_columns(passage: Passage, chunk: Chunk) -> list[tuple[str, str]]:
    return _add_units(label_cells(passage, chunk)) if passage.kind == "table" else []


def write_columns(columns: Sequence[tuple[str, str]]) -> str:
    """A row, or some of its columns, as it is shown."""
    if len(columns) == 2 and (not columns[1][0] or fold(columns[1][0]) in _GENERIC):
        return f"{columns[0][1]}: {columns[1][1]}"
    return "; ".join(f"{label}: {cell}" if label else cell for label, cell in columns)


def _add_units(columns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The columns with the unit from its own column behind each number."""
    units = [cell for label, cell in columns if fold(label) in UNIT_LABELS]
    numeric = [label for label, cell in columns[1:] if _NUMERIC.fullmatch(cell)]
    if len(units) != 1 or not numeric:
        return columns
    return [
        (label, f"{cell} {units[0]}" if index and _NUMERIC.fullmatch(cell) else cell)
        for index, (label, cell) in enumerate(columns)
        if fold(label) not in UNIT_LABELS
    ]


def _find_list_opener(passages: Sequence[Passage], index: int) -> int | None:
    """Index of the sentence ending in a colon that opens an item's list; None without."""
    path = passages[index].place.heading_path
    for before in range(index - 1, -1, -1):
        passage = passages[before]
        if passage.place.heading_path != path:
            return None
        if passage.kind != "list_item":
            opens = passage.kind == "paragraph" and passage.text.rstrip("*_ ").endswith(":")
            return before if opens and not passage.cut else None
    return None


def _is_list_opener(passages: Sequence[Passage], index: int) -> bool:
    following = passages[index + 1 : index + 2]
    opens = passages[index].text.rstrip("*_ ").endswith(":")
    return opens and any(passage.kind == "list_item" for passage in following)


def _join_opener(
    passages: Sequence[Passage], index: int, opener: int, kind: str
) -> Iterator[tuple[str, list[Passage]]]:
    item = passages[index]
    text = strip_marks(item.text, kind)
    if item.cut or not re.search(r"\w", text):
        return
    if _ENDS.search(text) and len(text.split()) >= 5 and text[:1].isupper():
        yield text, [item]
        return
    joined = f"{strip_marks(passages[opener].text, kind)} {text.rstrip(_TRAILING)}"
    if len(joined) <= _MAX_CHARS:
        yield joined, [passages[opener], item]


def _join_list(
    passages: Sequence[Passage], index: int, kind: str
) -> Iterator[tuple[str, list[Passage]]]:
    items: list[Passage] = []
    for passage in passages[index + 1 :]:
        if passage.kind != "list_item":
            break
        items.append(passage)
    texts = [strip_marks(item.text, kind).rstrip(_TRAILING) for item in items]
    joined = f"{strip_marks(passages[index].text, kind)} {'; '.join(texts)}"
    fits = len(items) <= _MAX_LIST_ITEMS and len(joined) <= _MAX_LIST_CHARS
    if fits and not any(part.cut for part in (passages[index], *items)):
        yield joined, [passages[index], *items]


def _is_whole(passage: Passage, text: str) -> bool:
    """Whether a text is understandable alone: a sentence, or a note that states something."""
    words = text.split()
    letters = sum(character.isalpha() for character in text)
    torn = passage.cut or len(text) > _MAX_CHARS or letters < 0.4 * len(text)
    if torn or is_furniture(text) or text.endswith(":"):
        return False
    if passage.kind == "paragraph":
        return not text[:1].islower() and _is_sentence_or_note(passage, text)
    return len(words) >= 3 or passage.kind in _FALLBACK_KINDS


def _is_sentence_or_note(passage: Passage, text: str) -> bool:
    words = text.split()
    if _ENDS.search(text):
        return len(words) >= 3
    if len(words) < 2 or (_CONTENTS_LINE.search(text) and not re.search(r"[=:]", text)):
        return False
    # A note without a full stop ("VCC = 3.3 V") is a complete line, not a torn one.
    if re.search(r"\d|=|:\s", text) or BULLET.match(passage.text):
        return True
    block = passage.place
    return (passage.start, passage.end) == (block.start, block.end) and len(words) >= 6


def _build_quotes(parts: Sequence[Passage], evidence: Evidence) -> tuple[Quote, ...]:
    quotes: list[Quote] = []
    for part in parts:
        if part.header:
            span = (part.header[0][0], part.header[-1][1])
            quotes.append(build_quote(evidence, span, part.place))
        quotes.extend(build_quotes(part, evidence))
    return join_quotes(quotes, evidence.hit.chunk)
