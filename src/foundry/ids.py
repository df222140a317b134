"""Tagged content hashes: the same input has the same id on every machine and in every store.

An id is ``tag + "_" +`` the first 24 hexadecimal digits (96 bits) of the SHA-256 of its parts.
Each part is UTF-8, preceded by its length in bytes as a decimal number and a colon
(``3:abc``), so that different lists of parts never collide. The first part is the tag.

===========  =========================================================
``src_…``    project id, path within the project (POSIX, NFC)
``chk_…``    source id, text of the chunk, occurrence (0 for the first)
``cor_…``    hash of the file, number and hash of the block, what is corrected
===========  =========================================================

A moved file is a new source. A chunk with unchanged text keeps its id wherever it moves
within its source. Ids never depend on time, machine or order of arrival.
"""

from __future__ import annotations

import hashlib
import unicodedata

_DIGITS = 24


def make_source_id(project_id: str, path: str) -> str:
    """``src_…`` for a path within a project, with "/" as separator."""
    return _make_id("src", project_id, unicodedata.normalize("NFC", path))


def make_chunk_id(source_id: str, text: str, occurrence: int) -> str:
    """``chk_…`` for the n-th chunk (from 0) of a source with exactly this text."""
    return _make_id("chk", source_id, text, str(occurrence))


def make_correction_id(content_hash: str, *parts: str) -> str:
    """``cor_…`` for a correction of a file: equal ones have one id."""
    return _make_id("cor", content_hash, *parts)


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
    # Damaged files and file names contain lone surrogates, which must not stop an ingest.
    return text.encode("utf-8", "surrogatepass")
