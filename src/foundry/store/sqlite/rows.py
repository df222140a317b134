"""Records ↔ rows: what a column holds, and nothing about transactions or indexes.

Times are ISO 8601 texts, lists and mappings JSON. A chunk's text is not in its
row: it is cut from the source text, which is stored in pieces of ``SEGMENT``
code points, and its blocks are the source's blocks that overlap it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from foundry.identity import text_hash
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    Box,
    Chunk,
    Filters,
    QueryFigures,
    QueryRecord,
    Source,
    Usage,
)
from foundry.store.sqlite.connections import Row

SEGMENT = 1 << 16
"""Code points in one stored piece of a source text."""

_ISO_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


def short_hash(text: str) -> str:
    """128 bits of a text's SHA-256 as 32 hexadecimal digits."""
    return text_hash(text)[:32]


def as_json(value: Any) -> str:
    """Compact JSON; characters stay readable."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def json_list(values: Sequence[str]) -> str | None:
    """A filter's values as JSON, or None for no limit."""
    return as_json(list(values)) if values else None


@lru_cache(maxsize=4096)
def strings(text: str | None) -> tuple[str, ...]:
    """The strings of a JSON array. Cached: blocks in a row share their heading path."""
    return tuple(json.loads(text)) if text else ()


# Sources


def source_values(source: Source) -> Row:
    """The columns of a source."""
    return {
        "id": source.id,
        "path": source.path,
        "content_hash": source.content_hash,
        "title": source.title,
        "type": source.type,
        "language": source.language,
        "size": source.size,
        "modified": source.modified.isoformat(),
        "ingested": source.ingested.isoformat(),
        "pages": source.pages,
        "tags": as_json(source.tags),
        "confidentiality": source.confidentiality,
        "level": level_of(source.confidentiality),
        "revision": source.revision,
        "revision_date": source.revision_date,
        "dated": _dated(source),
        "warnings": as_json(source.warnings),
        "recipe": source.recipe,
    }


def read_source(row: Row) -> Source:
    """A source from its columns."""
    return Source(
        id=row["id"],
        path=row["path"],
        content_hash=row["content_hash"],
        title=row["title"],
        type=row["type"],
        language=row["language"],
        size=row["size"],
        modified=datetime.fromisoformat(row["modified"]),
        ingested=datetime.fromisoformat(row["ingested"]),
        pages=row["pages"],
        tags=strings(row["tags"]),
        confidentiality=row["confidentiality"],
        revision=row["revision"],
        revision_date=row["revision_date"],
        warnings=strings(row["warnings"]),
        recipe=row["recipe"],
        chunks=row["chunks"],
    )


def level_of(confidentiality: str) -> int:
    """0 for public, 3 for secret."""
    return CONFIDENTIALITY_LEVELS.index(confidentiality)


def _dated(source: Source) -> str:
    # A date that is printed in words cannot be compared; the file's own date stands in.
    if source.revision_date and _ISO_DATE.fullmatch(source.revision_date):
        return source.revision_date
    moment = source.modified
    return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()


def filter_values(filters: Filters) -> Row:
    """The bindings of the statement ``visible_sources``."""
    return {
        "level": level_of(filters.role),
        "types": json_list(filters.types),
        "tags": json_list(filters.tags),
        "sources": json_list(filters.sources),
        "date_from": filters.date_from or None,
        "date_to": filters.date_to or None,
    }


# Texts and blocks


def segments(text: str) -> Iterator[tuple[int, str]]:
    """The pieces of a source text, numbered from 0."""
    for number, start in enumerate(range(0, len(text), SEGMENT)):
        yield number, text[start : start + SEGMENT]


def block_values(source: int, position: int, block: Block, heading: int) -> tuple[Any, ...]:
    """The columns of a block, in the order of the statement ``add_block``."""
    box = (block.box.x0, block.box.y0, block.box.x1, block.box.y1) if block.box else (None,) * 4
    return (
        source,
        position,
        block.kind,
        block.start,
        block.end,
        heading,
        block.level,
        block.page,
        block.page_label,
        *box,
        block.time_start,
        block.time_end,
        block.speaker,
    )


def read_block(row: tuple[Any, ...]) -> Block:
    """A block from the columns of the statement ``blocks_between``."""
    kind, start, end, path, level, page, label, x0, y0, x1, y1, begins, ends, speaker = row
    return Block(
        kind=kind,
        start=start,
        end=end,
        heading_path=strings(path),
        level=level,
        page=page,
        page_label=label,
        box=None if x0 is None else Box(x0, y0, x1, y1),
        time_start=begins,
        time_end=ends,
        speaker=speaker,
    )


class BlockSpans:
    """Finds which of a source's blocks (sorted, not overlapping) overlap a span of its text."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._starts = [block.start for block in blocks]
        self._ends = [block.end for block in blocks]

    def overlapping(self, start: int, end: int) -> tuple[int, int]:
        """First position, and the one after the last."""
        first = bisect_right(self._ends, start)
        return first, max(first, bisect_left(self._starts, end))


# Chunks


def chunk_values(chunk: Chunk, source: int, spans: BlockSpans, terms_hash: str) -> Row:
    """The columns of a chunk."""
    first, last = spans.overlapping(chunk.start, chunk.end)
    return {
        "id": chunk.id,
        "source": source,
        "position": chunk.position,
        "char_start": chunk.start,
        "char_end": chunk.end,
        "first_block": first,
        "last_block": last,
        "tokens": chunk.tokens,
        "language": chunk.language,
        "heading_path": as_json(chunk.heading_path),
        "headings": as_json(chunk.headings),
        "prefix": chunk.prefix,
        "content": None if chunk.content == chunk.text else chunk.content,
        "text_hash": short_hash(chunk.text),
        "terms_hash": terms_hash,
        "embedded_hash": short_hash(chunk.embedded_text),
    }


def read_chunk(row: Row, text: str, blocks: tuple[Block, ...]) -> Chunk:
    """A chunk from its columns, its slice of the source text, and its blocks."""
    return Chunk(
        id=row["id"],
        source_id=row["source_id"],
        position=row["position"],
        start=row["char_start"],
        end=row["char_end"],
        text=text,
        content=text if row["content"] is None else row["content"],
        tokens=row["tokens"],
        language=row["language"],
        heading_path=strings(row["heading_path"]),
        headings=strings(row["headings"]),
        prefix=row["prefix"],
        blocks=blocks,
    )


# The query log

_PLAIN_QUERY_COLUMNS = (
    *("id", "project", "kind", "query", "rewritten", "role", "agent", "verdict", "gate_score"),
    *("profile", "answer", "attribution_coverage", "shown_coverage", "error"),
)


def query_values(record: QueryRecord) -> Row:
    """The columns of a row of the query log."""
    usage = record.usage
    return {
        "id": record.id,
        "time": record.time.isoformat(),
        "moment": record.time.timestamp(),
        "project": record.project,
        "kind": record.kind,
        "query": record.query,
        "rewritten": record.rewritten,
        "role": record.role,
        "agent": record.agent,
        "verdict": record.verdict,
        "gate_score": record.gate_score,
        "chunks": as_json(record.chunks),
        "models": as_json(dict(record.models)),
        "profile": record.profile,
        "answer": record.answer,
        "attribution_coverage": record.attribution_coverage,
        "shown_coverage": record.shown_coverage,
        "checks": as_json(dict(record.checks)),
        "changes": as_json(dict(record.changes)),
        "timings_ms": as_json(dict(record.timings_ms)),
        "usage": as_json(
            {
                "calls": usage.calls,
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
                "cost": usage.cost,
                "cached": usage.cached,
            }
        ),
        "error": record.error,
    }


def read_query(row: Row) -> QueryRecord:
    """A row of the query log."""
    plain: Mapping[str, Any] = {key: row[key] for key in _PLAIN_QUERY_COLUMNS}
    return QueryRecord(
        **plain,
        time=datetime.fromisoformat(row["time"]),
        chunks=tuple((chunk, score) for chunk, score in json.loads(row["chunks"])),
        models=json.loads(row["models"]),
        checks=json.loads(row["checks"]),
        changes=json.loads(row["changes"]),
        timings_ms=json.loads(row["timings_ms"]),
        usage=Usage(**json.loads(row["usage"])),
    )


def read_figures(row: tuple[Any, ...]) -> QueryFigures:
    """The numbers of a row, from the columns of the statement ``query_figures``."""
    moment, kind, verdict, failed, coverage, checks, *numbers = row
    return QueryFigures(moment, kind, verdict, bool(failed), coverage, _counts(checks), *numbers)


@lru_cache(maxsize=4096)
def _counts(text: str) -> dict[str, int]:
    found: dict[str, int] = json.loads(text)
    return found
