"""Context prefixes (decision 22): the built-in one, and the prompt by which a model writes them.

A prefix is embedded with its chunk and used nowhere else: it is never shown as a source's words
and never cited. The prompt contains the chunks and as much of the document around them as fits,
each line once and marked. Calls no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from foundry.ports import CountTokens
from foundry.prompts import TEXT, build_choice, build_list, build_object, fill, truncate_to_tokens
from foundry.records import Chunk
from foundry.text.spotlight import clean_line, mark_lines

MAX_PREFIX_TOKENS = 100
"""A longer prefix is cut, so that it does not outweigh its chunk: a tenth of one at most."""

MAX_SURROUNDING_TOKENS = 6000
"""Most tokens of surrounding document in a request: about eight chunks. A trade of cost for context,
not measured."""

ELISION = "[…]"

_OPENING_SHARE = 4
MARK_SHARE = 1.25
"""Marks of its lines make a text this much longer in a prompt, at most."""


def build_heading_prefix(chunk: Chunk, title: str) -> str:
    """The built-in prefix: the source's title, then the headings of the chunk."""
    path = " > ".join(chunk.heading_path)
    deeper = [heading for heading in chunk.headings if heading not in chunk.heading_path]
    lines = [title, path, "; ".join(deeper)]
    return "\n".join(line for line in lines if line)


def format_chunk_mark(number: int) -> str:
    """The mark of a chunk in its batch, from 1: C1, C2, …"""
    return f"C{number}"


def build_prefix_prompt(
    template: str,
    chunks: Sequence[Chunk],
    *,
    text: str,
    title: str,
    language: str,
    count: CountTokens,
    longest: int,
    room: int,
) -> str:
    """The request for the prefixes of some chunks of a source whose whole text is ``text``.

    A chunk longer than ``longest`` tokens is cut. Chunks and surroundings share ``room`` tokens;
    the surroundings get what the chunks leave, at most ``MAX_SURROUNDING_TOKENS``. ``language`` is
    a name, such as "Dutch".
    """
    marked = "\n\n".join(
        mark_lines(truncate_to_tokens(chunk.content, longest, count), format_chunk_mark(number))
        for number, chunk in enumerate(chunks, 1)
    )
    around = render_surroundings(
        text, chunks, title, count, min(MAX_SURROUNDING_TOKENS, room - count(marked))
    )
    return fill(template, {"document": around, "chunks": marked, "language": language})


def render_surroundings(
    text: str, chunks: Sequence[Chunk], title: str, count: CountTokens, most: int
) -> str:
    """The document without the chunks, each line marked ``D| ``, in at most ``most`` tokens.

    Text far from the chunks is left out first; a quarter is kept for the document's opening, which
    says what it is. "" if nothing fits.
    """
    tokens = sum(chunk.tokens for chunk in chunks)
    letters = sum(chunk.end - chunk.start for chunk in chunks)
    length = int(most * letters / max(tokens, 1) / MARK_SHARE)
    while length > 0:
        pieces = list(_excerpt_text(text, chunks, length))
        marked = mark_lines("\n".join([f"Title: {title}", *pieces]), "D")
        if count(marked) <= most:
            return marked
        length = length * 3 // 4
    return ""


def _excerpt_text(text: str, chunks: Sequence[Chunk], length: int) -> Iterator[str]:
    """The text with marks in place of the chunks, shortened to about ``length`` characters."""
    placed = sorted((chunk.start, chunk.end, n) for n, chunk in enumerate(chunks, 1))
    gaps = _find_gaps(text, [(start, end) for start, end, _ in placed])
    whole = sum(end - start for start, end in gaps)
    share = None if whole <= length else length // (len(gaps) + 1)
    for number, (start, end) in enumerate(gaps):
        before, after = number > 0, number < len(placed)
        yield from _shorten_gap(text[start:end], share, opens=not before, ends=not after)
        if after:
            yield f"[{format_chunk_mark(placed[number][2])}]"


def _find_gaps(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The gaps before, between and after the spans; one more than there are spans."""
    gaps, reached = [], 0
    for start, end in spans:
        gaps.append((reached, max(reached, start)))
        reached = max(reached, end)
    return [*gaps, (reached, max(reached, len(text)))]


def _shorten_gap(gap: str, share: int | None, *, opens: bool, ends: bool) -> Iterator[str]:
    """A gap, or its edges: the text beside the chunks, and the document's opening."""
    if share is None or len(gap) <= share:
        yield gap.strip("\n")
        return
    # Before the first chunk: the opening of the document and what leads to the chunk.
    head = share // (_OPENING_SHARE if opens else 2)
    tail = 0 if ends else share - head
    yield gap[: share if ends else head].strip("\n")
    yield ELISION
    if tail:
        yield gap[-tail:].strip("\n")


def build_prefix_schema(number: int) -> dict[str, Any]:
    """The JSON Schema of a reply about ``number`` chunks, ids limited to theirs."""
    ids = [format_chunk_mark(place) for place in range(1, number + 1)]
    entry = build_object(id=build_choice(ids), text=TEXT)
    return build_object(prefixes=build_list(entry))


def parse_prefixes(
    data: Mapping[str, Any] | None, chunks: Sequence[Chunk], count: CountTokens
) -> dict[str, str]:
    """Chunk id → prefix from a model's reply, on one line of at most ``MAX_PREFIX_TOKENS``.

    The first entry of a chunk counts; unknown ids and empty texts are ignored.
    """
    known = {format_chunk_mark(number): chunk.id for number, chunk in enumerate(chunks, 1)}
    prefixes: dict[str, str] = {}
    entries = (data or {}).get("prefixes")
    for entry in entries if isinstance(entries, list) else ():
        chunk = known.get(str(entry.get("id"))) if isinstance(entry, Mapping) else None
        prefix = (
            truncate_to_tokens(clean_line(str(entry.get("text"))), MAX_PREFIX_TOKENS, count)
            if chunk
            else ""
        )
        if chunk and prefix:
            prefixes.setdefault(chunk, prefix)
    return prefixes
