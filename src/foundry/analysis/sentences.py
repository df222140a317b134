"""Where sentences begin and end.

``sentencex`` proposes boundaries. This module joins what it broke at abbreviations and list
markers, splits what it ran together, and keeps table rows and list lines apart. Offsets count code
points of the text as given. Code is cut like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import sentencex

from foundry.analysis.lexer import HEADING_NUMBER, match_marker, trim_span
from foundry.lexicon import build_alternation, load_shared_lexicon

_ABBREVIATIONS = load_shared_lexicon().sentences
_LAST_WORD = re.compile(r"(?:^|[^\w.])((?:[^\W\d_]+\.)*[^\W\d_]+)\.$")
_MARKER = re.compile(
    r"(?:[§#]\s*)?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})[.)]|[-–•*·▪◦§#+]+"
)
# sentencex takes these for initials or abbreviations: units, "etc.", addresses, file names, and
# words ("volt. Hij"). Which words are abbreviations, our lexicon says afterwards.
_MISSED = re.compile(
    r"(?:(?<![\w.])[a-zß-öø-ÿ]{2,}|\d[ \u00a0]?(?:[VAWKCFNJLΩmsghul]|°[CF]|[kmM]?[VA][ \u00a0]?(?:DC|AC|dc|ac))"
    rf"|\b{build_alternation(_ABBREVIATIONS.often_final)}|[a-z0-9]\.[a-z]{{2,4}})\."
    r"[*_]{0,3}(?=[ \t\u00a0]+[*_]{0,3}[\"'“‘(]?[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])"
)
# Characters: sentencex reads on to a closing quote or bracket, which may be far away or missing.
_LONG_SENTENCE = 300
_PLAIN_STOP = re.compile(r"(?<=[^\W_]{2})[)\]\"'”’]*[.!?]+[)\]\"'”’]*(?=\s+[\"'“‘(\[]?[A-ZÀ-ÖØ-Þ])")
# "**It is decided.** Work begins": the marks belong to the sentence that they close.
_CLOSING_MARKS = re.compile(r"(?<=\S)[*_]{1,3}(?=\s|$)")
# "LC512.BFW" is one word, whatever follows it, and "-10%...+15%" one range.
_WITHIN_WORD = re.compile(r"[.!?:…][^\s\"'“”‘’()\[\]*_]")
# Characters: sentencex takes time quadratic in the length of a paragraph.
_WINDOW = 8_000
# Columns: wider lines are not wrapped text, and narrower ones are lists or verse.
_WIDEST_WRAP = 200
_NARROWEST_WRAP = 40
# Characters: a longer line with tabs or bars is prose.
_LONGEST_ROW = 600


# The gate, windows and passages read the same chunks.
@lru_cache(maxsize=512)
def find_sentences(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """The spans of the sentences in order, trimmed; together they cover all but white space.

    A line of a table or list is a sentence; a wrapped line is not. A bare list marker belongs to
    the text after it. Takes time linear in the length of the text.
    """
    cuts = iter([*_find_cuts(text, language), len(text) + 1])
    cut = next(cuts)
    spans: list[tuple[int, int]] = []
    for start, end in _split_segments(text):
        inside = []
        while cut < end:
            if cut > start:
                inside.append(cut)
            cut = next(cuts)
        if _is_row(text[start:end]):
            inside = []
        trimmed = (trim_span(text, *pair) for pair in pairwise([start, *inside, end]))
        pieces = _join_pieces(text, [span for span in trimmed if span[0] < span[1]])
        if spans and pieces and _MARKER.fullmatch(text, *spans[-1]):
            pieces[0] = (spans.pop()[0], pieces[0][1])
        spans.extend(pieces)
    return tuple(spans)


def _find_cuts(text: str, language: str) -> list[int]:
    """Where sentences may end, sorted: where sentencex ends them, and what it overlooks."""
    missed = (match.end() for match in _MISSED.finditer(text))
    proposed = (
        end for end in _propose_ends(text, language) if not _WITHIN_WORD.match(text, end - 1)
    )
    marked = ((end, _CLOSING_MARKS.match(text, end)) for end in {*proposed, *missed})
    cuts = sorted({marks.end() if marks else end for end, marks in marked})
    for start, end in pairwise([0, *cuts, len(text)]):
        if end - start > _LONG_SENTENCE:
            cuts.extend(match.end() for match in _PLAIN_STOP.finditer(text, start, end))
    return sorted(cuts)


def _propose_ends(text: str, language: str) -> Iterator[int]:
    """The ends of sentences according to sentencex, window by window."""
    offset = 0
    while offset < len(text):
        # sentencex refuses halves of characters.
        window = text[offset : offset + _WINDOW].encode("utf-8", "replace").decode()
        ends = [item["end_index"] for item in sentencex.get_sentence_boundaries(language, window)]
        # The last sentence of a window may continue, so the next window begins with it.
        whole = ends if offset + _WINDOW >= len(text) else ends[:-1]
        yield from (offset + end for end in whole)
        offset += whole[-1] if whole else _WINDOW


def _split_segments(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that one text may flow through; no sentence crosses their ends."""
    lines = text.splitlines(keepends=True)
    start = end = 0
    for group in _split_paragraphs(lines):
        width = max((len(line) for line in group if len(line) <= _WIDEST_WRAP), default=0)
        for line, following in pairwise([*group, ""]):
            end += len(line)
            if not following or _is_break(line.strip(), following, width):
                yield start, end
                start = end


def _split_paragraphs(lines: list[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for line in lines:
        group.append(line)
        if line.isspace():
            yield group
            group = []
    if group:
        yield group


def _is_break(line: str, following: str, width: int) -> bool:
    """Whether a line ends a row, an item or a paragraph instead of being wrapped."""
    if not line or len(line) > _WIDEST_WRAP or line.endswith(":"):
        return True
    if _is_row(line) or _is_row(following) or _begins_item(following):
        return True
    first = following.split(None, 1)[:1]
    if not first or not _opens_sentence(first[0]):
        return False
    room = len(line) + 1 + len(first[0])
    return width < _NARROWEST_WRAP or room < 0.7 * width


def _begins_item(line: str) -> bool:
    number = HEADING_NUMBER.match(line.lstrip())
    dotted = number is not None and "." in number["number"]
    return dotted or line.lstrip().startswith("#") or match_marker(line, initials=True) is not None


def _is_row(line: str) -> bool:
    stripped = line.strip()
    return len(stripped) <= _LONGEST_ROW and ("\t" in stripped or stripped.count("|") >= 2)


def _join_pieces(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joins pieces that belong to one sentence."""
    spans: list[tuple[int, int]] = []
    for start, end in pieces:
        if spans and _is_one_sentence(text, spans[-1], start):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _is_one_sentence(text: str, span: tuple[int, int], start: int) -> bool:
    if _MARKER.fullmatch(text, *span):
        return True
    following = text[start : start + 4]
    last = _LAST_WORD.search(text[max(span[0], span[1] - 24) : span[1]])
    if last is None:
        return False
    word = last.group(1).lower()
    if word in _ABBREVIATIONS.never_final:
        return True
    abbreviated = word in _ABBREVIATIONS.sometimes_final or "." in word
    return abbreviated and not _opens_sentence(following)


def _opens_sentence(text: str) -> bool:
    first = text.lstrip("\"'“‘«([")[:1]
    return first.isupper()
