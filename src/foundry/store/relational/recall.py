"""How much of what exact searches find the searches of a large index find: measured, and kept.

The last measurement of an index is a finished run of the journal, the only one with its details. It
is for those who see everything: its numbers count all chunks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from foundry.clock import format_now, get_now
from foundry.records import Recall
from foundry.store.relational import vector_index
from foundry.store.relational.database import Database, Transaction, VectorIndex
from foundry.store.rows import decode_record, encode_json, encode_record

SAMPLES = 20
"""Stored vectors whose nearest are searched for: seconds at a million chunks."""

_SHARE_CHANGED = 8
"""A measurement is outdated once more than one vector in so many changed: then they are sorted again too."""


@dataclass(frozen=True, slots=True)
class RecallMeter:
    """Measures the searches of a database, or of the ``engine`` that searches for it."""

    database: Database
    engine: vector_index.FindNearest | None

    def measure(self, db: Transaction, model: str) -> Recall | None:
        """Measure the searches of a model's index; None without one, and if they are exact."""
        index = vector_index.find_index(db, model)
        if not index or self._is_exact(db, index):
            return None
        search = self.engine or partial(self.database.find_nearest, exact=False)
        exact = partial(self.database.find_nearest, exact=True)
        found, hits = vector_index.measure_overlap(db, model, SAMPLES, search, exact)
        change, chunks = int(db.value("last_change")), _count(db, index)
        return Recall(found, hits, SAMPLES, chunks, get_now(), index.created, change)

    def find(self, db: Transaction, model: str) -> Recall | None:
        """Return the last measurement of a model's index as it is now; None also if searches are exact."""
        index = vector_index.find_index(db, model)
        record = db.value("last_report_like", (_make_details(model),)) if index else None
        if not index or record is None:
            return None
        recall = decode_record(Recall, record)
        if recall.index != index.created or self._is_exact(db, index):
            return None
        changed = int(db.value("count_changed_chunks", (recall.change,)))
        changed += max(0, recall.vectors - _count(db, index))
        # Of a database that went back to an earlier state, or came from another server.
        ahead = recall.change > int(db.value("last_change"))
        return replace(recall, outdated=ahead or changed * _SHARE_CHANGED > recall.vectors)

    def list_due(self, db: Transaction) -> list[str]:
        """Return the models whose searches are not exact, and were not measured lately."""
        used = filter(vector_index.is_used, vector_index.list_indexes(db))
        due = [index.name for index in used if not self._is_exact(db, index)]
        known = {model: self.find(db, model) for model in due}
        return [model for model in due if not (recall := known[model]) or recall.outdated]

    def _is_exact(self, db: Transaction, index: VectorIndex) -> bool:
        """Return whether a search compares every vector; of none, too."""
        chunks = _count(db, index)
        ways = self.database.describe_ways(db, chunks)
        return not chunks or (not self.engine and ways.vectors.code == "index-vectors-compared")


def save(db: Transaction, model: str, recall: Recall) -> None:
    """Keep a measurement in place of the last one of that model."""
    details = _make_details(model)
    db.run("remove_runs_like", (details,))
    moment = recall.measured.isoformat()
    db.run("add_finished_run", (moment, format_now(), details, encode_record(recall)))


def _make_details(model: str) -> str:
    return encode_json({"measured": model})


def _count(db: Transaction, index: VectorIndex) -> int:
    return int(db.value("count_vectors", vectors=index.table))
