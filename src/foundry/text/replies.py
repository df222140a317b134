"""A model's reply → statements with the evidence that each one cites.

Reads the structured form, the same as text (in a code fence, with small faults), and prose. Where
citations are a field, its text has no marks: ``[S1]`` or ``(5)`` in it may be the source's own.
Prose has marks in these forms only: ``[S1]``, ``[S1, S2]``, ``【S1】``, and ``[^1]`` where the reply
defines it by such ids. Trusts nothing: unknown ids are kept as they are, for grounding to reject.
A reply that is still streaming gives every statement but the last, which may still grow.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from foundry.analysis import find_sentences, fold
from foundry.analysis.lexer import SIGNED_NUMBER, THINKING
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.text.json_replies import parse_partial_json, read_object, replace_surrogates
from foundry.text.markdown import read_prose
from foundry.text.spotlight import unescape

_LEXICON = load_shared_lexicon()
_WORDS = _LEXICON.replies
_ADJECTIVE = build_alternation(_WORDS.source_adjectives)
_REFUSING = re.compile(
    rf"^(?:{build_alternation(_WORDS.apologies)},? (?:but )?){{0,2}}"
    rf"{build_alternation(_WORDS.source_determiners)}? ?{_ADJECTIVE}? ?"
    rf"{build_alternation(_WORDS.source_nouns)}(?: {_ADJECTIVE})? "
    rf"{build_alternation(_WORDS.lacking_verbs)} .*{build_alternation(_WORDS.lacking_objects)}\b"
)
_REFUSING_PLAIN = re.compile(
    rf"^{build_alternation(_WORDS.refusal_openings)}\b.*"
    rf"\b{build_alternation(_WORDS.refusal_words)}\b"
)
_CONTRAST = re.compile(rf"[,;] {build_alternation(_WORDS.contrasts)} ")
# A run of spaces is tried from its start only, or a long one would take quadratic time.
_SPACE = r"(?:(?<!\s)\s+)?"
_IDS = r"S\d{1,4}(?: ?[,;] ?S\d{1,4})*"
_MARK = re.compile(
    rf"{_SPACE}(?:\[(?P<square>{_IDS})\]|【(?P<lens>{_IDS})(?:†[^【】]{{0,80}})?】|\[\^(?P<note>\d{{1,4}})\])"
)
_ID = re.compile(r"S\d{1,4}")
_LIST_NUMBER = re.compile(r"^[ \t]*\d{1,3}[.)]\s", re.MULTILINE)
# Letters: a longer text says more than that the answer is missing.
_MAX_REFUSAL = 220
# Within one line: \W would run over all line breaks of a long reply from each of its lines.
_SOURCES_TAIL = re.compile(
    rf"^[^\w\n]*{build_alternation(_LEXICON.headings.sources | _LEXICON.headings.bibliographies)}"
    r"[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_DEFINITION = re.compile(rf"^[ \t]*\[\^(\d+)\]:\s*\[?({_IDS})\b.*$", re.MULTILINE)
_ANSWER_HEAD = re.compile(
    rf"^\W*{build_alternation(_WORDS.answer_headings)}(?: \([^)]*\))?\W*:\s*", re.IGNORECASE
)


MAX_STATEMENTS = 200
MAX_STATEMENT_LENGTH = 2000
"""What of a reply is verified, at about 10 ms a statement. Both are guesses: an answer has at
most some ten statements of some 200 characters."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a model's text, without marks, and the ids that it cites.

    ``replaces`` is the number, from 1, of the rejected sentence whose place it takes.
    """

    text: str
    citations: tuple[str, ...] = ()
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A reply's statements in order; ``refused`` if it says that there is no answer."""

    statements: tuple[Statement, ...]
    refused: bool = False


def parse_reply(
    text: str,
    data: Mapping[str, Any] | None,
    allowed: Collection[str],
    language: str = "und",
) -> ParsedReply:
    """The statements of a reply: from ``data``, its structured form, else from ``text``.

    ``allowed`` are the ids of the evidence. A refusal counts as one if the reply states nothing
    else; beside statements it is an unsupported statement.
    """
    text = replace_surrogates(text)
    items = _parse_data(data)
    if items is None and not text.lstrip().startswith("["):
        items = _parse_data(read_object(text))
    if items is None:
        items = _parse_data(parse_partial_json(text)) or None
    if items is None:
        parts = list(_parse_prose(text, language))
    else:
        parts = [part for item in items for part in _split_item(item, language)]
    statements = [_clean_statement(part) for part in parts]
    statements = [statement for statement in statements if _says_something(statement)]
    cited = {id_ for statement in statements for id_ in statement.citations} & set(allowed)
    if statements and not cited and all(is_refusal(statement.text) for statement in statements):
        return ParsedReply((), refused=True)
    return ParsedReply(tuple(statements), refused=False)


def _says_something(statement: Statement) -> bool:
    """Whether a statement is more than marks, and no label that cites nothing: "Answer:"."""
    label = not statement.citations and statement.text.rstrip("*_ ").endswith(":")
    return not label and re.search(r"\w", _ID.sub("", statement.text)) is not None


def limit_statements(statements: Sequence[Statement]) -> list[Statement]:
    """The statements that are verified: not overlong, and at most ``MAX_STATEMENTS``."""
    fitting = [item for item in statements if len(item.text) <= MAX_STATEMENT_LENGTH]
    return fitting[:MAX_STATEMENTS]


def is_refusal(text: str) -> bool:
    """Whether a text says that the sources have no answer, in any language, and no more."""
    plain = re.sub(r"\s+", " ", fold(text)).strip(" \"'`*_.")
    whole = len(plain) <= _MAX_REFUSAL and not _CONTRAST.search(plain)
    return whole and bool(_REFUSING.match(plain) or _REFUSING_PLAIN.match(plain))


@dataclass(frozen=True, slots=True)
class _Item:
    """An entry of a structured reply; ``cited`` is None if it has no field for citations."""

    text: str
    cited: tuple[str, ...] | None = None
    replaces: int | None = None


def _parse_data(data: Any) -> list[_Item] | None:
    if isinstance(data, Mapping):
        for key in ("sentences", "statements", "answer"):
            if isinstance(data.get(key), list):
                return _parse_data(data[key])
        single = _parse_item(data)
        return [single] if single else None
    if isinstance(data, Sequence) and not isinstance(data, str):
        items = [_parse_item(item) for item in data]
        kept = [item for item in items if item is not None]
        return kept if kept or not items else None
    return None


def _parse_item(item: Any) -> _Item | None:
    if isinstance(item, str):
        return _Item(item)
    if not isinstance(item, Mapping):
        return None
    text = next(
        (item[key] for key in ("text", "sentence", "statement", "content") if key in item), None
    )
    if not isinstance(text, str):
        return None
    number = re.fullmatch(r"R?(\d{1,3})", str(item.get("replaces", "")))
    replaces = int(number[1]) if number else None
    for key in ("citations", "citation", "sources", "ids"):
        if key in item:
            return _Item(text, _parse_citations(item[key]), replaces)
    return _Item(text, None, replaces)


def _parse_citations(cited: Any) -> tuple[str, ...]:
    entries = [cited] if isinstance(cited, str | int) else cited if isinstance(cited, list) else ()
    parts = (re.split(r"[,;\s]+", str(entry).strip("[]【】 ")) for entry in entries)
    return tuple(part for entry in parts for part in entry if part)


def _split_item(item: _Item, language: str) -> Iterator[Statement]:
    """The sentences of an item: each with the item's ids, or with its own marks if it has none."""
    for piece in _read_pieces(replace_surrogates(item.text)):
        if item.cited is None:
            yield from _split_sentences(piece, {}, language)
        else:
            for start, end in find_sentences(piece, language):
                yield Statement(piece[start:end], item.cited, item.replaces)


def _read_pieces(text: str) -> list[str]:
    """The text of an item without Markdown, or as it is if reading it as such loses a number.

    ``5*3*2`` is no emphasis, and the dash of ``- 5 °C`` may be a minus sign.
    """
    pieces = read_prose(text)
    listed = _LIST_NUMBER.sub("", text) if len(_LIST_NUMBER.findall(text)) > 1 else text
    kept = SIGNED_NUMBER.findall(" ".join(pieces))
    return (
        pieces if kept in (SIGNED_NUMBER.findall(text), SIGNED_NUMBER.findall(listed)) else [text]
    )


def _parse_prose(text: str, language: str) -> Iterator[Statement]:
    notes = {number: _ID.findall(words) for number, words in _DEFINITION.findall(text)}
    text = _DEFINITION.sub("", text)
    tail = _SOURCES_TAIL.search(text)
    if tail and text[: tail.start()].strip():
        text = text[: tail.start()]
    for piece in read_prose(_ANSWER_HEAD.sub("", text.strip(), count=1)):
        yield from _split_sentences(piece, notes, language)


def _split_sentences(
    paragraph: str, notes: Mapping[str, list[str]], language: str
) -> Iterator[Statement]:
    plain, marks = _extract_marks(paragraph, notes)
    spans = find_sentences(plain, language)
    cited: list[list[str]] = [[] for _ in spans]
    for position, ids in marks:
        # A mark after the full stop belongs to the sentence before it.
        before = [index for index, (start, _) in enumerate(spans) if start < position]
        if spans:
            cited[before[-1] if before else 0] += ids
    for (start, end), ids in zip(spans, cited, strict=True):
        yield Statement(plain[start:end], tuple(ids))


def _extract_marks(
    text: str, notes: Mapping[str, list[str]]
) -> tuple[str, list[tuple[int, list[str]]]]:
    parts: list[str] = []
    marks: list[tuple[int, list[str]]] = []
    offset = length = 0
    for match in _MARK.finditer(text):
        ids = notes.get(match["note"]) or _ID.findall(match["square"] or match["lens"] or "")
        if not ids:
            continue
        parts.append(text[offset : match.start()])
        length += match.start() - offset
        marks.append((length, ids))
        offset = match.end()
    parts.append(text[offset:])
    return "".join(parts), marks


def read_plainly(statement: Statement) -> Statement:
    """Another reading of a text beside citations: without a list's number and without marks.

    Some models number their sentences or repeat a citation in the text. Only the evidence can tell
    that from the source's own words, so this reading is for a statement that it does not support.
    """
    cited = set(statement.citations)
    text = _MARK.sub(
        lambda mark: "" if cited.issuperset(_ID.findall(mark[0]) or [""]) else mark[0],
        _LIST_NUMBER.sub("", statement.text),
    )
    return replace(statement, text=text)


def _normalise_id(identifier: str) -> str:
    """``s1``, ``1`` and ``[S1]`` → ``S1``; anything else unchanged, cut to 40 characters."""
    match = re.fullmatch(r"\W{0,3}[sS]?\s?(\d{1,4})\W{0,3}", identifier)
    return f"S{int(match[1])}" if match else identifier[:40]


def _clean_statement(statement: Statement) -> Statement:
    # ".5 V" keeps its space.
    text = re.sub(r" ([.,;:!?])(?!\d)", r"\1", " ".join(unescape(statement.text).split()))
    cited = tuple(dict.fromkeys(map(_normalise_id, statement.citations)))
    return replace(statement, text=text, citations=cited)


# Characters: a reply may open its JSON after a few words of prose.
_MIN_PROSE = 20
# A mark that is not closed yet belongs to the sentence before it.
_OPEN_MARK = re.compile(rf"{_SPACE}[\[【(][^\[\]【】()]{{0,80}}\Z")


_GROWTH = 32
"""A longer text is parsed again only once it has grown by this part of itself."""


def can_end_statement(piece: str, arrived: int, parsed: int) -> bool:
    """Whether it is worthwhile to parse a streamed reply again after a piece that just came.

    ``arrived`` and ``parsed`` are the characters so far and those at the last parsing. The number
    of parsings grows with the logarithm of the length, whatever a model sends.
    """
    return any(mark in piece for mark in "}.!?\n") and arrived - parsed >= parsed // _GROWTH


def parse_partial_reply(
    text: str, allowed: Collection[str], language: str
) -> tuple[Statement, ...]:
    """Every statement of an unfinished reply except the last; () while it may be a refusal."""
    plain = THINKING.sub("", text)
    items = parse_partial_json(plain)
    if items is not None:
        return parse_reply("", {"sentences": items[:-1]}, allowed, language).statements
    if len(plain) < _MIN_PROSE or "{" in plain:
        return ()
    return parse_reply(_OPEN_MARK.sub("", plain), None, allowed, language).statements[:-1]
