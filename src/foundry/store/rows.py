"""Records ↔ rows, for every store: what each column contains, nothing about a database.

Times are ISO 8601 text; lists, mappings and records in records are JSON. A chunk's text is not in its row:
it is cut from the source text, which is stored in pieces (``Transaction.segment`` code points),
and its blocks are the source's blocks that overlap it.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from itertools import accumulate
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from foundry.ids import hash_text
from foundry.messages import Message
from foundry.records import (
    CONFIDENTIALITY_LEVELS,
    Block,
    Box,
    CallSum,
    Chunk,
    CorrectedPart,
    DocumentStatus,
    Facets,
    FacetValue,
    Filters,
    Labels,
    ModelCall,
    QueryFigures,
    QueryRecord,
    Recognition,
    ShownAnswer,
    Source,
    SourceOutline,
    Table,
    TableCell,
    Usage,
)
from foundry.store.text_ranking import describe_source

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from foundry.store.relational.database import Transaction


T = TypeVar("T")
Row = dict[str, Any]
"""A row by column name."""
Decode = Callable[[Any], Any]

HIGHEST = len(CONFIDENTIALITY_LEVELS) - 1
"""The level that sees everything."""


def short_hash(text: str) -> str:
    """The first 128 bits of a text's SHA-256, as 32 hexadecimal digits."""
    return hash_text(text)[:32]


def encode_json(value: Any) -> str:
    """Compact JSON with readable characters; a record becomes an object of its fields."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_simplify)


def _simplify(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_dict()
    if isinstance(value, Mapping):
        return dict(value)
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


def encode_list(values: Sequence[str]) -> str | None:
    """A filter's values as JSON, or None for no filter."""
    return encode_json(list(values)) if values else None


@lru_cache(maxsize=4096)
def decode_strings(text: str | None) -> tuple[str, ...]:
    """The strings of a JSON array; cached, because neighbouring blocks share their heading path."""
    return tuple(json.loads(text)) if text else ()


# Records whose fields are columns of the same name


def build_row(record: Any, *without: str) -> Row:
    """The fields of a record, but those ``without``, as columns."""
    names = (field.name for field in fields(record) if field.name not in without)
    return {name: _encode_column(getattr(record, name)) for name in names}


def _encode_column(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bool):
        return int(value)
    return value if value is None or isinstance(value, str | int | float) else encode_json(value)


def read_row(kind: type[T], row: Row, **known: Any) -> T:
    """The record of that class whose fields are ``known`` or columns of a row."""
    hashable: Any = kind
    values = {
        name: json.loads(row[name]) if is_json and row[name] is not None else row[name]
        for name, is_json, _ in _list_fields(hashable)
        if name not in known
    }
    record: T = _make_record(hashable, values, **known)
    return record


def read_json(kind: Any, text: str) -> Any:
    """A record, or a tuple of records, from the JSON of ``encode_json``."""
    decode = _find_decoder(kind)
    assert decode
    return decode(json.loads(text))


def _make_record(kind: Any, values: dict[str, Any], **known: Any) -> Any:
    for name, _, decode in _list_fields(kind):
        if decode and values.get(name) is not None:
            values[name] = decode(values[name])
    return kind(**values, **known)


@cache
def _list_fields(kind: Any) -> list[tuple[str, bool, Decode | None]]:
    """The fields of a record: whether its column is JSON, and what makes the value of its JSON."""
    hints = [(name, _remove_none(hint)) for name, hint in get_type_hints(kind).items()]
    return [
        (name, get_origin(hint) in {tuple, Mapping} or is_dataclass(hint), _find_decoder(hint))
        for name, hint in hints
    ]


def _remove_none(hint: Any) -> Any:
    """``T`` of ``T | None``."""
    parts = get_args(hint)
    return parts[0] if NoneType in parts else hint


@cache
def _find_decoder(hint: Any) -> Decode | None:
    """What makes a value of its JSON; None where both are the same."""
    if is_dataclass(hint):
        return partial(_make_record, hint)
    if get_origin(hint) is tuple:  # its parts are of one type, or plain
        decode = _find_decoder(get_args(hint)[0])
        return (lambda values: tuple(map(decode, values))) if decode else tuple
    return {Message: Message.from_dict, datetime: datetime.fromisoformat, bool: bool}.get(hint)


# Sources


def build_source_row(source: Source) -> Row:
    """The columns of a source."""
    return {
        **build_row(source),
        "level": get_level(source.confidentiality),
        "dated": source.dated,
        "about": describe_source(source),
    }


def read_outline(row: Any) -> SourceOutline:
    """The outline of a source from its columns: in the order of its fields, the last ones as JSON."""
    *said, tags, copies, facts = row
    last = decode_strings(tags), decode_strings(copies), _find_status(facts)
    return SourceOutline._make((*said, *last))


def _find_status(facts: str | None) -> DocumentStatus | None:
    """What ``Source.status`` says; ``facts`` are None where none is a status."""
    if facts is None:
        return None
    said = (fact["value"] for fact in json.loads(facts) if fact["name"] == "status")
    return next(said, None)


def read_facets(rows: Iterable[Any]) -> Facets:
    """The facets of sources from how many have the same type, tags, confidentiality, year, revision and folder."""
    counts = [Counter[str]() for _ in range(6)]
    for kind, tags, confidentiality, year, revision, folder, number in rows:
        folders = accumulate(folder.split("/")[:-1], "{}/{}".format)
        facets = ([kind], decode_strings(tags), folders, [confidentiality], [year])
        for count, values in zip(counts, (*facets, [revision] if revision else []), strict=True):
            for value in values:
                count[value] += number
    return Facets(*map(_sort_counts, counts))


def _sort_counts(counts: Counter[str]) -> tuple[FacetValue, ...]:
    found = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return tuple(FacetValue(*pair) for pair in found)


def get_level(confidentiality: str) -> int:
    """0 for public, 3 for secret."""
    return CONFIDENTIALITY_LEVELS.index(confidentiality)


def build_filter_values(filters: Filters, level: int) -> Row:
    """The parameters of the statement ``visible_sources``."""
    return {
        "level": level,
        "types": encode_list(filters.types),
        "tags": encode_list(filters.tags),
        "sources": encode_list(filters.sources),
        "without": encode_list(filters.without),
        "date_from": filters.date_from or None,
        "date_to": filters.date_to or None,
        "folders": encode_list([f"{folder}/" for folder in filters.folders]),
        "levels": encode_list(filters.levels),
    }


# Texts and blocks


def split_segments(text: str, size: int) -> Iterator[tuple[int, str]]:
    """The pieces of a source text, numbered from 0."""
    for number, start in enumerate(range(0, len(text), size)):
        yield number, text[start : start + size]


def build_block_row(source: int, position: int, block: Block, heading: int) -> tuple[Any, ...]:
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
        None if block.table is None else _encode_table(block.table),
        None if block.recognition is None else encode_json(block.recognition),
        encode_json(block.corrections) if block.corrections else None,
    )


def read_block(row: tuple[Any, ...]) -> Block:
    """A block from the columns of the statement ``blocks_between``."""
    kind, start, end, path, level, page, label, x0, y0, x1, y1, *others = row
    begins, ends, speaker, table, recognition, corrections = others
    return Block(
        kind=kind,
        start=start,
        end=end,
        heading_path=decode_strings(path),
        level=level,
        page=page,
        page_label=label,
        box=None if x0 is None else Box(x0, y0, x1, y1),
        time_start=begins,
        time_end=ends,
        speaker=speaker,
        table=_decode_table(table) if table else None,
        recognition=read_json(Recognition, recognition) if recognition else None,
        corrections=read_json(tuple[CorrectedPart, ...], corrections) if corrections else (),
    )


def _encode_table(table: Table) -> str:
    """A table as JSON in which cells refer to their labels by number, as they share them."""
    labels: dict[Labels, int] = {}
    cells = [
        (
            labels.setdefault(cell.row, len(labels)),
            labels.setdefault(cell.column, len(labels)),
            *(cell.value, cell.start, cell.end),
            *((cell.sign,) if cell.sign or not cell.certain else ()),
            *(() if cell.certain else (False,)),
        )
        for cell in table.cells
    ]
    said = {f.name: getattr(table, f.name) for f in fields(table) if f.name != "cells"}
    return encode_json((said, list(labels), cells))


@lru_cache(maxsize=512)
def _decode_table(text: str) -> Table:
    """The table of a block; cached, because neighbouring chunks share it."""
    said, labels, cells = json.loads(text)
    paths = [tuple(path) for path in labels]
    said["header"] = tuple(said["header"])
    said.pop("notes", None)  # Once kept, never filled.
    # Earlier versions kept one doubt for the whole table.
    certain = said.pop("certain", True)
    found = (TableCell(paths[row], paths[column], *rest) for row, column, *rest in cells)
    if not certain:
        found = (replace(cell, certain=False) for cell in found)
    return Table(**said, cells=tuple(found))


class BlockSpans:
    """Finds which of a source's blocks (sorted, not overlapping) overlap a span of its text."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._starts = [block.start for block in blocks]
        self._ends = [block.end for block in blocks]

    def find_overlap(self, start: int, end: int) -> tuple[int, int]:
        """First position, and the one after the last."""
        first = bisect_right(self._ends, start)
        return first, max(first, bisect_left(self._starts, end))


# Chunks


def build_chunk_row(chunk: Chunk, source: int, spans: BlockSpans, terms_hash: str) -> Row:
    """The columns of a chunk."""
    first, last = spans.find_overlap(chunk.start, chunk.end)
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
        "heading_path": encode_json(chunk.heading_path),
        "headings": encode_json(chunk.headings),
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
        heading_path=decode_strings(row["heading_path"]),
        headings=decode_strings(row["headings"]),
        prefix=row["prefix"],
        blocks=blocks,
    )


# The query log


def build_query_row(record: QueryRecord) -> Row:
    """The columns of a row of the query log."""
    return {
        **build_row(record, "shown"),
        "moment": record.time.timestamp(),
        "shown": encode_record(record.shown) if record.shown else None,
    }


def read_query(row: Row) -> QueryRecord:
    """A row of the query log."""
    shown = decode_record(ShownAnswer, row["shown"]) if row["shown"] else None
    return read_row(QueryRecord, row, shown=shown)


def read_figures(row: tuple[Any, ...]) -> QueryFigures:
    """The numbers of a row, from the columns of the statement ``query_figures``."""
    moment, kind, verdict, failed, coverage, checks, *numbers = row
    return QueryFigures(
        moment, kind, verdict, bool(failed), coverage, _parse_counts(checks), *numbers
    )


@lru_cache(maxsize=4096)
def _parse_counts(text: str) -> dict[str, int]:
    counts: dict[str, int] = json.loads(text)
    return counts


# Records kept whole, as one JSON object


def encode_record(record: object) -> str:
    """A whole record as JSON."""
    # Imported here, as below: a search keeps no record.
    from pydantic_core import to_json

    return to_json(record, inf_nan_mode="null", fallback=_encode_message).decode()


def _encode_message(value: Message) -> dict[str, Any]:
    # Any other value that JSON lacks is an error of ours.
    return value.to_dict()


def decode_record(kind: type[T], text: str) -> T:
    """The record of that class from its JSON."""
    hashable: Any = kind
    record: T = _get_adapter(hashable).validate_json(text)
    return record


@cache
def _get_adapter(kind: Any) -> TypeAdapter[Any]:
    # Built on first use: it takes about 20 ms, which a search should not wait for.
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def build_call_row(call: ModelCall) -> Row:
    """The columns of a request to a model."""
    return {
        **build_row(call, "time", "usage"),
        **build_row(call.usage),
        "moment": call.time.timestamp(),
    }


def read_call_sum(row: Sequence[Any]) -> CallSum:
    """A row of the sums of requests, by quarters of an hour since 1970."""
    quarter, command, model, calls, prompt, completion, cost, unpriced = row
    usage = Usage(calls, prompt, completion, cost or 0.0)
    return CallSum(datetime.fromtimestamp(quarter * 900, UTC), command, model, usage, unpriced)


def read_chunks(db: Transaction, rows: Iterable[Row]) -> list[Chunk]:
    """The chunks of ``rows``, in their order, in two statements."""
    rows = list(rows)
    texts: list[list[str]] = [[] for _ in rows]
    spans = [(row["source"], row["char_start"], row["char_end"]) for row in rows]
    values = {"spans": encode_json(spans), "segment": db.segment}
    for number, text in db.run("text_spans", values):
        texts[number].append(text)
    blocks: list[list[Block]] = [[] for _ in rows]
    places = [(row["source"], row["first_block"], row["last_block"]) for row in rows]
    for number, *block in db.run("block_ranges", (encode_json(places),)):
        blocks[number].append(read_block(tuple(block)))
    return [
        read_chunk(row, "".join(texts[number]), tuple(blocks[number]))
        for number, row in enumerate(rows)
    ]


def read_blocks(db: Transaction, source: int, first: int, last: int) -> list[Block]:
    """The blocks of a source from position ``first`` up to, not including, ``last``."""
    return [read_block(row) for row in db.run("blocks_between", (source, first, last))]
