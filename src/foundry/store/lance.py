"""The nearest vectors by LanceDB, in a folder or object storage, without a server.

A table has a row for each chunk, with its vector and the columns that filters need, but no text. It is
named after project, database and index. The number of the last change that it contains, and a mark of the
update, are written after the rows, as metadata of a column, so that an interrupted update is done again.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from foundry.errors import ExtraMissing, StoreError, StoreUnavailable, describe_missing
from foundry.ids import hash_text
from foundry.ports import Vectors
from foundry.records import CONFIDENTIALITY_LEVELS, Filters
from foundry.store.relational.database import VectorIndex
from foundry.store.rows import HIGHEST, get_level
from foundry.store.text_ranking import Integers

FORMAT = "1"
"""Version of the table's format; a table of another version is rebuilt."""

INDEXED_ROWS = 100_000
"""Rows from which a table has an index; LanceDB compares fewer one by one in less than 20 ms."""

PROBES = 300
REFINED = 16
"""Partitions of the index that a search reads, and how many times the wanted rows it compares by their
whole vectors: the index has one bit a number. Decision 56 has what fewer find."""

FEW_ROWS = 1_000
"""If a filter leaves at most so many rows, each is compared: the index finds too few of them."""

UNINDEXED_SHARE = 0.05
"""Share of new rows above which they join the index; until then they are compared one by one."""

MOST_FILES = 100
"""Most small files of a table before they are merged: a search without an index opens each."""

_KEPT_VERSIONS = timedelta(hours=1)
"""How long a process may keep reading an earlier version of a table."""

_NUMBER, _MARK = "change", "mark"

_WHERE = "foundry.yaml: storage.engine_url"


@dataclass(frozen=True, slots=True)
class EngineRow:
    """A chunk as filters see it: row numbers, and the columns of its source."""

    row: int
    chunk: str
    source: int
    source_id: str
    path: str
    type: str
    tags: tuple[str, ...]
    level: int
    dated: str


class LanceEngine:
    """The tables of one project at ``url``: a folder, or an address such as ``s3://BUCKET/PATH``.

    Every method but ``follow`` and ``take_over`` raises ``StoreError`` if there are tables of another
    project, or of another database with this project: two copies would overwrite each other's.
    """

    def __init__(self, url: str, project_id: str) -> None:
        self.url = url
        self._project = project_id
        self._lock = threading.Lock()
        self._open: dict[str, LanceTable] = {}
        self._database: Any = None
        self._store = ""

    def follow(self, store: str) -> None:
        """Say which database the tables are of: the path of its file, or another identity.

        A path counts from a local folder, so that both may be moved together.
        """
        if Path(store).is_absolute() and "://" not in self.url:
            store = os.path.relpath(store, Path(self.url).resolve())
        self._store = hash_text(store)[:8]

    def take_over(self) -> None:
        """Remove the tables of other databases with this project."""
        with self._lock, self.map_errors():
            for name in self._list_own():
                if not self._is_followed(name):
                    self._connect().drop_table(name)

    def open(self, index: VectorIndex) -> LanceTable | None:
        """Return the table of an index, or None; raises ``StoreUnavailable`` if it is damaged."""
        name = self._name(index)
        with self._lock, self.map_errors():
            if name not in self._open:
                if name not in self._list():
                    return None
                self._open[name] = LanceTable(self, self._connect().open_table(name))
            return self._open[name]

    def create(self, index: VectorIndex) -> LanceTable:
        """Create an empty table for an index, in place of an earlier one."""
        import pyarrow as pa

        columns = [
            pa.field("row", pa.int64()), pa.field("source", pa.int64()),
            pa.field("source_id", pa.string()), pa.field("path", pa.string()),
            pa.field("type", pa.string()), pa.field("tags", pa.list_(pa.string())),
            pa.field("level", pa.int8()), pa.field("dated", pa.string()),
            pa.field("vector", pa.list_(pa.float16(), index.dimension)),
        ]  # fmt: skip
        name, schema = self._name(index), pa.schema(columns)
        with self._lock, self.map_errors():
            if name in self._list():
                self._connect().drop_table(name)
            self._open[name] = LanceTable(self, self._connect().create_table(name, schema=schema))
            return self._open[name]

    def drop_others(self, indexes: Iterable[VectorIndex]) -> None:
        """Remove the project's tables of other indexes."""
        kept = {self._name(index) for index in indexes}
        with self._lock, self.map_errors():
            for name in self._list():
                if name not in kept:
                    self._open.pop(name, None)
                    self._connect().drop_table(name)

    def forget(self) -> None:
        """Open the tables again at the next search."""
        with self._lock:
            self._open, self._database = {}, None

    def _list(self) -> list[str]:
        names = self._list_own()
        if not all(map(self._is_followed, names)):
            raise StoreError("engine-other-database", where=_WHERE)
        return names

    def _list_own(self) -> list[str]:
        names: list[str] = self._connect().list_tables(limit=100_000).tables
        if any(not name.startswith(f"{self._project}.") for name in names):
            raise StoreError("engine-foreign", where=_WHERE)
        return names

    def _is_followed(self, name: str) -> bool:
        return name.startswith(f"{self._project}.{self._store}.")

    @contextmanager
    def map_errors(self) -> Iterator[None]:
        """Turn LanceDB's errors into ``StoreUnavailable``; they are Python's built-in classes."""
        try:
            yield
        except (
            ArithmeticError,
            LookupError,
            OSError,
            RuntimeError,
            TypeError,
            ValueError,
        ) as error:
            cause = str(error).partition(", /")[0].rstrip(". ")
            raise StoreUnavailable("engine-failed", where=self.url, cause=cause) from error

    def describe(self) -> dict[str, str]:
        """Return name, version and place, for messages."""
        import lancedb

        return {"name": "LanceDB", "version": lancedb.__version__, "place": self.url}

    def _connect(self) -> Any:
        if self._database is None:
            try:
                # Imported here: an extra, which takes two seconds to load.
                import lancedb
            except ImportError as error:
                raise ExtraMissing(describe_missing("lancedb"), where=_WHERE) from error
            # Each search sees what other processes wrote.
            fresh = timedelta(0)
            self._database = lancedb.connect(self.url, read_consistency_interval=fresh)
        return self._database

    def _name(self, index: VectorIndex) -> str:
        parts = (FORMAT, index.model, index.fingerprint, index.created, str(index.dimension))
        return f"{self._project}.{self._store}.{index.slug}.{hash_text(' '.join(parts))[:16]}"


class LanceTable:
    """The rows of one vector index."""

    def __init__(self, engine: LanceEngine, table: Any) -> None:
        self._engine = engine
        self._table = table

    def read_state(self) -> tuple[int, str]:
        """Return the number of the last change here, 0 if the first update never ended, and its mark."""
        with self._engine.map_errors():
            found = self._table.schema.field("row").metadata or {}
            # Earlier versions wrote no mark.
            return int(found.get(_NUMBER.encode(), 0)), found.get(_MARK.encode(), b"").decode()

    def write_state(self, number: int, mark: str) -> None:
        """Write the number of the last change and a mark of the update, after its rows."""
        metadata = {_NUMBER: str(number), _MARK: mark}
        with self._engine.map_errors():
            self._table.update_field_metadata({"path": "row", "metadata": metadata})

    def count(self) -> int:
        with self._engine.map_errors():
            return int(self._table.count_rows())

    def search(
        self, query: Vectors, count: int, *, filters: Filters, level: int, without: Sequence[int]
    ) -> Integers:
        """The row numbers of the nearest chunks up to a level; ``without`` are sources left out."""
        chosen = build_condition(filters, level, without)
        with self._engine.map_errors():
            search = self._table.search(query, vector_column_name="vector").metric("cosine")
            if chosen:
                search = search.where(chosen, prefilter=True)
            if chosen and self._table.count_rows(chosen) <= FEW_ROWS:
                search = search.bypass_vector_index()
            search = search.nprobes(PROBES).refine_factor(REFINED).limit(count)
            found = search.select(["row", "_distance"]).to_arrow()
            rows: Integers = found["row"].to_numpy().astype(np.int64)
            return rows

    def replace(self, sources: Sequence[int], rows: Sequence[EngineRow], vectors: Vectors) -> None:
        """Write these rows in place of all rows of the sources, at once for every search."""
        condition = f"source IN ({', '.join(map(str, sources))})"
        with self._engine.map_errors():
            if rows:
                merge = self._table.merge_insert("row").when_matched_update_all()
                merge = merge.when_not_matched_insert_all()
                made = self._pack(rows, vectors)
                merge.when_not_matched_by_source_delete(condition).execute(made)
            else:
                self._table.delete(condition)

    def add(self, rows: Sequence[EngineRow], vectors: Vectors) -> None:
        """Add rows with their vectors, shape (len(rows), dimension)."""
        with self._engine.map_errors():
            self._table.add(self._pack(rows, vectors))

    def _pack(self, rows: Sequence[EngineRow], vectors: Vectors) -> Any:
        import pyarrow as pa

        packed = pa.array(np.ascontiguousarray(vectors, dtype=np.float16).ravel())
        names = ("row", "source", "source_id", "path", "type", "tags", "level", "dated")
        columns = {name: [getattr(row, name) for row in rows] for name in names}
        columns["vector"] = pa.FixedSizeListArray.from_arrays(packed, vectors.shape[1])
        return pa.table(columns, schema=self._table.schema)

    def tidy(self) -> None:
        """Index new rows if there are many, merge small files, and remove what no search reads."""
        with self._engine.map_errors():
            total, stats = self._table.count_rows(), self._table.index_stats("vector_idx")
            if stats is None and total >= INDEXED_ROWS:
                self._make_indexes(total)
            files = self._table.stats()["fragment_stats"]["num_small_fragments"]
            new = stats.num_unindexed_rows if stats else 0
            if files > MOST_FILES or new > UNINDEXED_SHARE * total:
                self._table.optimize(cleanup_older_than=_KEPT_VERSIONS)

    def _make_indexes(self, total: int) -> None:
        from lancedb.index import Bitmap, BTree, IvfRq, LabelList

        partitions = max(16, int(total**0.5))
        kinds = {
            "source": BTree(), "path": BTree(), "dated": BTree(),
            "level": Bitmap(), "type": Bitmap(), "tags": LabelList(),
            "vector": IvfRq(distance_type="cosine", num_partitions=partitions),
        }  # fmt: skip
        for column, kind in kinds.items():
            self._table.create_index(column, config=kind)

    def scan(self) -> Iterator[tuple[Integers, Integers, Vectors]]:
        """Yield row numbers, sources and vectors of all rows, in lots."""
        with self._engine.map_errors():
            lots = self._table.search().select(["row", "source", "vector"]).to_batches(10_000)
            for lot in lots:
                vectors = lot["vector"].flatten().to_numpy(zero_copy_only=False)
                rows, sources = lot["row"].to_numpy(), lot["source"].to_numpy()
                yield rows, sources, vectors.reshape(len(lot), -1).astype(np.float32)


# Conditions


def build_condition(filters: Filters, level: int, without: Sequence[int]) -> str:
    """Return the filters in LanceDB's SQL, with the meaning of ``visible_sources``; empty for all."""
    parts = [] if level == HIGHEST else [f"level <= {int(level)}"]
    if filters.types:
        parts.append(f"type IN ({_list(filters.types)})")
    if filters.tags:
        parts.append(f"array_has_any(tags, make_array({_list(filters.tags)}))")
    if filters.sources:
        named = _list(filters.sources)
        parts.append(f"(path IN ({named}) OR source_id IN ({named}))")
    if filters.without:
        parts.append(f"path NOT IN ({_list(filters.without)})")
    if filters.folders:
        starts = (f"starts_with(path, {_quote(f'{folder}/')})" for folder in filters.folders)
        parts.append(f"({' OR '.join(starts)})")
    if filters.levels:
        known = [get_level(name) for name in filters.levels if name in CONFIDENTIALITY_LEVELS]
        parts.append(f"level IN ({', '.join(map(str, (-1, *known)))})")
    parts += _build_dates(filters)
    if without:
        parts.append(f"source NOT IN ({', '.join(map(str, without))})")
    return " AND ".join(parts)


def _build_dates(filters: Filters) -> Iterator[str]:
    """Dates compare at the coarser precision of the two: "2026" covers all of that year."""
    first, last = filters.date_from, filters.date_to
    if first:
        coarser = [first[:end] for end in range(1, len(first))]
        also = f" OR dated IN ({_list(coarser)})" if coarser else ""
        yield f"(dated >= {_quote(first)}{also})"
    if last:
        yield f"dated <= {_quote(last + chr(0x10FFFF))}"


def _list(values: Sequence[str]) -> str:
    return ", ".join(map(_quote, values))


def _quote(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
