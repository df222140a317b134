"""Tagged content hashes: the same input has the same id on every machine and in every store.

The recipe: ``tag + "_" + `` the first 24 hexadecimal digits (96 bits) of the SHA-256 of the
parts, each part in UTF-8 preceded by its length in bytes as a decimal number and a colon
(``3:abc``), so that no two lists of parts run together. The first part is the tag itself.

===========  =========================================================
``src_…``    project id, path within the project (POSIX, NFC)
``chk_…``    source id, text of the chunk, occurrence (0 for the first)
===========  =========================================================

A file that moves is a new source. A chunk whose text stays keeps its id, wherever in its
source it moves to. Refuses to hash time, machine or order of arrival.
"""

from __future__ import annotations

import hashlib
import unicodedata

_DIGITS = 24


def make_source_id(project_id: str, path: str) -> str:
    """``src_…`` for a path within a project, with "/" between its parts."""
    return _make_id("src", project_id, unicodedata.normalize("NFC", path))


def make_chunk_id(source_id: str, text: str, occurrence: int) -> str:
    """``chk_…`` for the n-th chunk (from 0) of a source with exactly this text."""
    return _make_id("chk", source_id, text, str(occurrence))


def hash_bytes(data: bytes) -> str:
    """SHA-256 of bytes, 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def hash_text(text: str) -> str:
    """SHA-256 of a text in UTF-8, 64 hexadecimal digits."""
    return hash_bytes(_encode(text))


def _make_id(tag: str, *parts: str) -> str:
    digest = hashlib.sha256()
    for part in (tag, *parts):
        data = _encode(part)
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return f"{tag}_{digest.hexdigest()[:_DIGITS]}"


def _encode(text: str) -> bytes:
    # Lone surrogates occur in damaged files and file names; they must not stop an ingest.
    return text.encode("utf-8", "surrogatepass")
