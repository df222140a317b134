"""A model's reply → statements with the evidence that each one cites.

Reads the structured form, the same as text (in a code fence, with small faults), and prose with
marks: ``[S1]``, ``[S1, S2]``, ``【S1】``, ``(S1)``, ``[^1]``. Trusts nothing: unknown ids are kept
as they are, for grounding to reject. A reply that is still streaming gives every statement but
the last, which may still grow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from foundry.analysis import find_sentences, fold
from foundry.lexicon import build_alternation, load_shared_lexicon
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
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_STRUCTURED = re.compile(r"\s*(?:```[\w-]*\s*)?(?=[{\[][\s\"{\[])")
_MARK = re.compile(
    r"\s*(?:\[\^?(?P<square>[^\[\]]{1,80})\]|【(?P<lens>[^【】]{1,80})】|\((?P<round>[^()]{1,60})\))"
)
_ID = re.compile(
    rf"\^?\s*{build_alternation(_LEXICON.headings.source_words)}?\s*#?\s*([sS]?\s?\d{{1,4}})\b"
    r"(?:\s*[†:].*)?"
)
_BETWEEN_IDS = re.compile(rf"[,;&]|\b{build_alternation(_LEXICON.general.additive)}\b|\]\s*\[")
# Letters: a longer text says more than that the answer is missing.
_MAX_REFUSAL = 220
_SOURCES_TAIL = re.compile(
    rf"^\W*{build_alternation(_LEXICON.headings.sources | _LEXICON.headings.bibliographies)}"
    r"\W*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_DEFINITION = re.compile(r"^\s*\[\^(\d+)\]:\s*(.*)$", re.MULTILINE)
_ANSWER_HEAD = re.compile(
    rf"^\W*{build_alternation(_WORDS.answer_headings)}(?: \([^)]*\))?\W*:\s*", re.IGNORECASE
)


MAX_STATEMENTS = 200
MAX_STATEMENT_LENGTH = 2000
"""What of a reply is verified, at about 10 ms a statement. Both are guesses: an answer has at
most some ten statements of some 200 characters."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a model's text, without marks, and the ids that it cites."""

    text: str
    citations: tuple[str, ...] = ()


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

    ``allowed`` are the ids of the evidence; ``[1]`` is read as ``S1``. A refusal counts as one if
    the reply states nothing else; beside statements it is an unsupported statement.
    """
    items = _parse_data(data) if data is not None else None
    if items is None:
        items = _parse_json(text)
    if items is None:
        items = list(_parse_prose(text, allowed, language))
    else:
        items = [part for item in items for part in _split_item(item, allowed, language)]
    statements = [_clean_statement(statement, allowed) for statement in items]
    statements = [statement for statement in statements if re.search(r"\w", statement.text)]
    cited = {id_ for statement in statements for id_ in statement.citations} & set(allowed)
    if statements and not cited and all(is_refusal(statement.text) for statement in statements):
        return ParsedReply((), refused=True)
    return ParsedReply(tuple(statements), refused=False)


def limit_statements(statements: Sequence[Statement]) -> list[Statement]:
    """The statements that are verified: not overlong, and at most ``MAX_STATEMENTS``."""
    fitting = [item for item in statements if len(item.text) <= MAX_STATEMENT_LENGTH]
    return fitting[:MAX_STATEMENTS]


def is_refusal(text: str) -> bool:
    """Whether a text says that the sources have no answer, in any language, and no more."""
    plain = re.sub(r"\s+", " ", fold(text)).strip(" \"'`*_.")
    whole = len(plain) <= _MAX_REFUSAL and not _CONTRAST.search(plain)
    return whole and bool(_REFUSING.match(plain) or _REFUSING_PLAIN.match(plain))


def _parse_data(data: Any) -> list[Statement] | None:
    if isinstance(data, Mapping):
        for key in ("sentences", "statements", "answer"):
            if isinstance(data.get(key), list):
                return _parse_data(data[key])
        single = _parse_item(data)
        return [single] if single else None
    if isinstance(data, Sequence) and not isinstance(data, str):
        items = [_parse_item(item) for item in data]
        kept = [statement for statement in items if statement is not None]
        return kept if kept or not items else None
    return None


def _split_item(
    statement: Statement, allowed: Collection[str], language: str
) -> Iterator[Statement]:
    """The sentences of an item: with their own marks where there are several, else with the item's ids."""
    pieces = read_prose(statement.text) or [statement.text]
    parts = [part for piece in pieces for part in _split_sentences(piece, allowed, {}, language)]
    for part in parts:
        own = part.citations if len(parts) > 1 else (*statement.citations, *part.citations)
        yield Statement(part.text, own or statement.citations)


def _parse_item(item: Any) -> Statement | None:
    if isinstance(item, str):
        return Statement(item)
    if not isinstance(item, Mapping):
        return None
    text = next(
        (item[key] for key in ("text", "sentence", "statement", "content") if key in item), None
    )
    if not isinstance(text, str):
        return None
    cited = next(
        (item[key] for key in ("citations", "citation", "sources", "ids") if key in item), ()
    )
    entries = [cited] if isinstance(cited, str | int) else cited if isinstance(cited, list) else ()
    parts = (re.split(r"[,;\s]+", str(entry).strip("[]【】 ")) for entry in entries)
    return Statement(text, tuple(part for entry in parts for part in entry if part))


def _parse_json(text: str) -> list[Statement] | None:
    fences = [match[1] for match in _FENCE.finditer(text)]
    braces = text[text.find("{") : text.rfind("}") + 1]
    for candidate in (*fences, text, braces):
        try:
            data = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        items = _parse_data(data)
        if items is not None:
            return items
    return _parse_data(parse_partial_json(text)) or None


def parse_partial_json(text: str) -> list[Any] | None:
    """The complete items of a JSON reply that may be cut off, or None if it is not JSON."""
    opening = _STRUCTURED.match(text)
    if opening is None:
        return None
    try:
        parsed = from_json(text[opening.end() :], allow_partial=True)
    except ValueError:
        return None
    if isinstance(parsed, dict):
        parsed = next((value for value in parsed.values() if isinstance(value, list)), None)
    return parsed if isinstance(parsed, list) else None


def _parse_prose(text: str, allowed: Collection[str], language: str) -> Iterator[Statement]:
    notes = {number: _parse_ids(words) for number, words in _DEFINITION.findall(text)}
    text = _DEFINITION.sub("", text)
    tail = _SOURCES_TAIL.search(text)
    if tail and text[: tail.start()].strip():
        text = text[: tail.start()]
    for piece in read_prose(_ANSWER_HEAD.sub("", text.strip(), count=1)):
        yield from _split_sentences(piece, allowed, notes, language)


def _split_sentences(
    paragraph: str, allowed: Collection[str], notes: Mapping[str, list[str]], language: str
) -> Iterator[Statement]:
    plain, marks = _extract_marks(paragraph, allowed, notes)
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
    text: str, allowed: Collection[str], notes: Mapping[str, list[str]]
) -> tuple[str, list[tuple[int, list[str]]]]:
    parts: list[str] = []
    marks: list[tuple[int, list[str]]] = []
    offset = length = 0
    for match in _MARK.finditer(text):
        inner = match["square"] or match["lens"] or match["round"] or ""
        ids = notes.get(inner) or _parse_ids(inner)
        # "(S1)" and "[1]" may be the text's own: they are marks only if they name evidence.
        sure = not match["round"] and not inner.strip("^ ").isdigit()
        if not ids or (not sure and not set(map(_normalise_id, ids)) <= set(allowed)):
            continue
        parts.append(text[offset : match.start()])
        length += match.start() - offset
        marks.append((length, ids))
        offset = match.end()
    parts.append(text[offset:])
    return "".join(parts), marks


def _parse_ids(words: str) -> list[str]:
    """``S1, S2`` → both; [] if the text contains anything else."""
    items = []
    for part in _BETWEEN_IDS.split(words):
        match = _ID.fullmatch(part.strip())
        if match is None:
            return []
        items.append(match[1])
    return items


def _normalise_id(identifier: str) -> str:
    """``s1``, ``1`` and ``[S1]`` → ``S1``; anything else unchanged, cut to 40 characters."""
    match = re.fullmatch(r"\W{0,3}[sS]?\s?(\d{1,4})\W{0,3}", identifier)
    return f"S{int(match[1])}" if match else identifier[:40]


def _clean_statement(statement: Statement, allowed: Collection[str]) -> Statement:
    text, marks = _extract_marks(statement.text, allowed, {})
    ids = [*statement.citations, *(id_ for _, inside in marks for id_ in inside)]
    text = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(unescape(text).split()))
    return Statement(text, tuple(dict.fromkeys(map(_normalise_id, ids))))


_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
# Characters: a reply may open its JSON after a few words of prose.
_MIN_PROSE = 20
# A mark that is not closed yet belongs to the sentence before it.
_OPEN_MARK = re.compile(r"\s*[\[【(][^\[\]【】()]{0,80}\Z")


_GROWTH = 64
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
    plain = _THINKING.sub("", text)
    items = parse_partial_json(plain)
    if items is not None:
        return parse_reply("", {"sentences": items[:-1]}, allowed, language).statements
    if len(plain) < _MIN_PROSE or "{" in plain:
        return ()
    return parse_reply(_OPEN_MARK.sub("", plain), None, allowed, language).statements[:-1]
