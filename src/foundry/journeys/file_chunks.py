"""From a file to passages: read, correct, cut and summarise one file.

A parser process runs this, under its limits of time and memory, so that a file on which any of it
hangs fails by name and holds up no other. What depends on more than the file is done where it is
stored.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

from foundry.analysis import analyse, detect_language
from foundry.craft.chunking import chunk_document
from foundry.craft.summaries import summarise
from foundry.craft.windows import cut_windows
from foundry.errors import ReadError
from foundry.messages import Message
from foundry.models.tokens import load_token_counter
from foundry.ports import CountTokens, ReadOptions
from foundry.readers.corrections import correct_document
from foundry.readers.worker_process import announce, hash_file
from foundry.readers.workers import ReadOutcome
from foundry.records import Chunk, Correction, Document, Reading

SHOWN_TEXT = 500_000
"""Characters that are cut between two signs of life."""
LEFT_OUT = "correction-left-out"
"""The code of a source's warning that corrections do not apply to it any more."""


@dataclass(frozen=True, slots=True)
class CutRequest(ReadOptions):
    """How to cut a document, besides what its reader needs.

    ``corrections`` are all those that may be of its bytes, whose hash is ``content_hash``, or path.
    """

    source_id: str = ""
    tokenizer: str = ""
    bounds: tuple[int, int] = (0, 0)
    overlap: tuple[int, int] = (0, 0)
    summary_tokens: int = 0
    corrections: tuple[Correction, ...] = ()
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class CutDocument:
    """A corrected document in its chunks; ``reading`` is what a reader made of one that is corrected.

    ``summary`` is the built-in one, and ``corrections`` are the ids of those that were known.
    """

    document: Document
    reading: Reading | None
    language: str
    chunks: list[Chunk]
    summary: str
    corrections: frozenset[str]


def read_and_cut(path: Path, request: CutRequest) -> CutDocument:
    """Read and cut a file in a parser process. Raises ``ReadError``."""
    # Imported here: to cut again what was read before needs none of the readers.
    from foundry.readers import read

    document = read(path, request)
    if request.corrections:
        request = replace(request, content_hash=hash_file(path))
    return _cut_safely(document, request)


def cut_again(path: Path, request: CutRequest) -> CutDocument:
    """Cut the document that ``dump_document`` wrote. Raises ``ReadError``."""
    # Safe: the parent wrote it into a folder of its own.
    return _cut_safely(pickle.loads(path.read_bytes()), request)  # noqa: S301


def dump_document(document: Document, path: Path) -> None:
    """Write a document for ``cut_again``."""
    path.write_bytes(pickle.dumps(document, protocol=pickle.HIGHEST_PROTOCOL))


def get_cut(outcome: ReadOutcome) -> CutDocument | None:
    """What one of these functions returned in a parser process."""
    # A pool passes on what its function returns, here no mere document.
    return cast("CutDocument | None", outcome.document)


def _cut_safely(document: Document, request: CutRequest) -> CutDocument:
    announce("cut", 0, len(document.text))
    try:
        return cut_document(document, request, partial(announce, "cut"))
    except Exception as error:
        raise ReadError(
            "readers-cut-failed", where=request.name, cause=repr(error)[:200]
        ) from error


def cut_document(
    document: Document,
    request: CutRequest,
    show: Callable[[int, int], None] = lambda _done, _total: None,
) -> CutDocument:
    """Correct, cut and summarise a document; ``show`` gets how many characters are cut, of how many."""
    content = request.content_hash
    known = [
        one
        for one in request.corrections
        if one.content_hash == content or one.path == request.name
    ]
    document, reading = _correct(document, known, content)
    count = load_token_counter(request.tokenizer)
    language = detect_language(document.text)
    chunks = chunk_document(
        document,
        source_id=request.source_id,
        language=language,
        title=document.title,
        count=_count_aloud(count, len(document.text), show),
        bounds=request.bounds,
        overlap=request.overlap,
    )
    announce("index", 0, len(document.text))
    _rehearse(chunks)
    summary = summarise(document, language, count, request.summary_tokens)
    ids = frozenset(one.id for one in known)
    return CutDocument(document, reading, language, chunks, summary, ids)


def _correct(
    document: Document, known: Sequence[Correction], content_hash: str
) -> tuple[Document, Reading | None]:
    """The corrected document with what its reader made of it; None if nothing is corrected."""
    own = [one for one in known if one.content_hash == content_hash]
    overlay = correct_document(document, own)
    lost = len(known) - len(own) + len(overlay.refused)
    warnings = tuple(one for one in document.warnings if one.code != LEFT_OUT)
    warnings += (Message(LEFT_OUT, n=lost),) if lost else ()
    applied = len(overlay.refused) < len(own)
    reading = Reading(document.title, document.text, document.blocks) if applied else None
    return replace(overlay.document, warnings=warnings), reading


def _count_aloud(count: CountTokens, total: int, show: Callable[[int, int], None]) -> CountTokens:
    """``count``, which cutting calls for each sentence in turn, so that it shows how far it is."""
    done = shown = 0

    def measure(text: str) -> int:
        nonlocal done, shown
        done += len(text)
        # What chunks share is counted twice, so it may count more than there is.
        if done - shown >= SHOWN_TEXT and done < total:
            shown = done
            show(done, total)
        return count(text)

    return measure


def _rehearse(chunks: Sequence[Chunk]) -> None:
    """Analyse the chunks and cut their windows as storing and embedding do: what hangs, hangs here."""
    for chunk in chunks:
        analyse(chunk.content, chunk.language)
        cut_windows(chunk)
