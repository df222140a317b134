"""Which quotations a new revision changes: on files below ``--data`` that are revised by a program.

In each of 100 texts, Markdown files and web pages, five sentences are changed (a figure, a word, a
negation, or the sentence is left out), five others are quoted too. Both revisions are read as an ingest reads
them. Recall is the share of changed sentences that are found, precision the share of found ones that
were changed; a sentence whose words also stand elsewhere in the text is not taken.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.tables import share, write_head, write_row
from foundry.analysis.lexer import strip_marker
from foundry.craft.revisions import QuoteTracer
from foundry.errors import FoundryError
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Chunk
from foundry.text.passages import Passage, find_passages

REVISIONS, CHANGED = 100, 5
KINDS = ("figure", "word", "negation", "left out")
_SEED = 11
_SHORTEST = 5
"""Words."""


def measure(data: Path) -> Iterator[str]:
    """Recall by kind of change, and precision."""
    chosen = random.Random(_SEED)
    files = [p for p in sorted(data.rglob("*")) if p.suffix in {".md", ".txt", ".html"}]
    chosen.shuffle(files)
    found: dict[str, list[bool]] = {kind: [] for kind in (*KINDS, "untouched")}
    revised = 0
    for path in files:
        made = _revise(path, chosen)
        if made is None:
            continue
        revised += 1
        for kind, flagged in made:
            found[kind].append(flagged)
        if revised == REVISIONS:
            break
    yield from write_head("sentences", "number", "found to have changed")
    for kind, flags in found.items():
        yield write_row(kind, len(flags), share(flags, 4))
    hits = [flag for kind in KINDS for flag in found[kind]]
    yield ""
    yield f"{revised} revisions; recall {share(hits, 4)}, precision " + share(
        [True] * sum(hits) + [False] * sum(found["untouched"]), 4
    )


def _revise(path: Path, chosen: random.Random) -> list[tuple[str, bool]] | None:
    """Whether each quotation was found to have changed, with what was done to it."""
    raw = path.read_text(encoding="utf-8", errors="replace")
    text, sentences = _read_sentences(path)
    usable = [one for one in sentences if raw.count(one) == text.count(one) == 1]
    if len(usable) < 2 * CHANGED:
        return None
    picked = chosen.sample(usable, 2 * CHANGED)
    done: list[tuple[str, str]] = []
    for quote in picked[:CHANGED]:
        kind, now = _change(quote, chosen)
        raw = raw.replace(quote, now)
        done.append((quote, kind))
    done += [(quote, "untouched") for quote in picked[CHANGED:]]
    with tempfile.TemporaryDirectory() as folder:
        revised = Path(folder) / path.name
        revised.write_text(raw, encoding="utf-8")
        text, passages = _read(revised)
    tracer = QuoteTracer(text, passages)
    return [(kind, tracer.trace(quote).kind != "kept") for quote, kind in done]


def _read_sentences(path: Path) -> tuple[str, list[str]]:
    try:
        text, passages = _read(path)
    except FoundryError:
        return "", []
    return " ".join(text.split()), [
        words
        for one in passages
        for words in (strip_marker(one.text),)
        if one.kind in {"paragraph", "list_item"} and len(words.split()) >= _SHORTEST
    ]


def _read(path: Path) -> tuple[str, tuple[Passage, ...]]:
    document = read(path, ReadOptions(path.name))
    chunk = Chunk(
        id="", source_id="", position=0, start=0, end=len(document.text), text=document.text,
        content=document.text, tokens=0, language="en", blocks=document.blocks,
    )  # fmt: skip
    return document.text, find_passages(chunk)


def _change(quote: str, chosen: random.Random) -> tuple[str, str]:
    figures = list(re.finditer(r"\d", quote))
    words = list(re.finditer(r"\b[a-z]{4,}\b", quote))
    kind = chosen.choice(
        [k for k in KINDS if (k != "figure" or figures) and (k != "word" or words)]
    )
    if kind == "figure":
        at = chosen.choice(figures)
        return kind, quote[: at.start()] + str((int(at[0]) + 1) % 10) + quote[at.end() :]
    if kind == "word":
        at = chosen.choice(words)
        return kind, quote[: at.start()] + "altered" + quote[at.end() :]
    if kind == "negation":
        first, second, rest = quote.split(" ", 2)
        return kind, f"{first} {second} never {rest}"
    return kind, ""
