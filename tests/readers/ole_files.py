"""Compound files for tests: Outlook messages, written stream by stream."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

_FREE, _END, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF
Tree = Mapping[str, "bytes | Tree"]


def write_ole(path: Path, tree: Tree) -> Path:
    """Write a compound file; a mapping is a storage, bytes are a stream."""
    entries: list[list[object]] = []
    mini, chains = bytearray(), []  # type: ignore[var-annotated]
    sectors: list[bytes] = []
    fat: list[int] = []

    def store(data: bytes) -> int:
        blocks = [data[at : at + 512].ljust(512, b"\0") for at in range(0, len(data), 512)]
        first = len(sectors)
        for at, block in enumerate(blocks):
            sectors.append(block)
            fat.append(first + at + 1 if at + 1 < len(blocks) else _END)
        return first if blocks else _END

    def store_small(data: bytes) -> int:
        first, count = len(chains), -(-len(data) // 64)
        chains.extend([*range(first + 1, first + count), _END] if count else [])
        mini.extend(data.ljust(count * 64, b"\0"))
        return first if count else _END

    def add(name: str, content: bytes | Tree) -> int:
        at = len(entries)
        entries.append([name, 1, _NONE, _NONE, _END, 0])
        if isinstance(content, bytes):
            start = store(content) if len(content) >= 4096 else store_small(content)
            entries[at][1], entries[at][4:] = 2, [start, len(content)]
            return at
        below = [add(*item) for item in content.items()]
        # Each entry has the next one at its right: a tree that is a list.
        for left, right in pairwise(below):
            entries[left][2] = right
        entries[at][3] = below[0] if below else _NONE
        return at

    add("Root Entry", tree)
    entries[0][1], entries[0][4:] = 5, [store(bytes(mini)), len(mini)]
    mini_fat = store(
        struct.pack(f"<{len(chains)}I", *chains).ljust(-(-len(chains) // 128) * 512, b"\xff")
    )
    directory = store(b"".join(_build_entry(*entry) for entry in entries))  # type: ignore[arg-type]
    fat_at = len(sectors)
    count = -(-(len(fat) + 4) // 128)
    fat += [0xFFFFFFFD] * count
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(count * 512, b"\xff")
    places = [*range(fat_at, fat_at + count)]
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(b"", 0x3E, 3, 0xFFFE, 9, 6),
        *(0, count, directory, 0, 4096, mini_fat, -(-len(chains) // 128), _END, 0),
    )
    header += struct.pack(f"<{count}I", *places).ljust(436, b"\xff")
    path.write_bytes(header + b"".join(sectors) + table)
    return path


def _build_entry(name: str, kind: int, right: int, child: int, *place: int) -> bytes:
    letters = name.encode("utf-16-le") + b"\0\0"
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        *(letters, len(letters), kind, 1, _NONE, right, child, b"", 0, 0, 0, *place),
    )


def texts_of(values: Mapping[int, str]) -> dict[str, bytes]:
    """Text properties as the streams of a storage."""
    return {f"__substg1.0_{key:04X}001F": text.encode("utf-16-le") for key, text in values.items()}


def properties(header: int, values: Mapping[int, int | datetime]) -> dict[str, bytes]:
    """Numbers and times as the property stream of a storage."""
    stream = b"\0" * header
    for key, value in values.items():
        if isinstance(value, datetime):
            ticks = int((value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10**7
            stream += struct.pack("<HHIQ", 0x40, key, 6, ticks)
        else:
            stream += struct.pack("<HHIQ", 3, key, 6, value)
    return {"__properties_version1.0": stream}


def message(
    subject: str = "Levering",
    body: str = "Beste,\n\nMorgen.",
    *,
    header: int = 32,
    **storages: Tree,
) -> dict[str, bytes | Tree]:
    """The tree of a message; keywords are its storages, without the characters around them."""
    sent = datetime(2026, 3, 4, 8, 30, tzinfo=UTC)
    return {
        **properties(header, {0x0039: sent, 0x3FFD: 1252}),
        **texts_of({0x001A: "IPM.Note", 0x0037: subject, 0x1000: body}),
        **texts_of({0x0C1A: "Zoë Peeters", 0x5D01: "zoe@example.be"}),
        **{f"__{name}": tree for name, tree in storages.items()},
    }


def attachment(name: str, data: bytes) -> dict[str, bytes | Tree]:
    """The tree of an attached file."""
    return {
        **properties(8, {0x3705: 1}),
        **texts_of({0x3707: name}),
        "__substg1.0_37010102": data,
    }
