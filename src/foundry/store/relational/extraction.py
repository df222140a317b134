"""Extraction tables with their cells, as a role sees them.

A cell is read, changed and written in one transaction: what a run finds and what people decide
meanwhile are both kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foundry.records import (
    CellAnswer,
    CellReview,
    Confidentiality,
    ExtractionCell,
    ExtractionTable,
    Source,
    make_column,
    make_row,
)
from foundry.store.relational.database import Database, Rows, Transaction
from foundry.store.rows import decode_record, encode_json, encode_record, get_level


class ExtractionView:
    """The tables whose sources the role may all see; every method is one transaction."""

    def __init__(self, database: Database, role: Confidentiality) -> None:
        self._database = database
        self._role = role
        self._level = get_level(role)

    def save(self, table: ExtractionTable) -> None:
        """Add a table, or replace its record; its cells stay."""
        values = {
            "role": table.role,
            "name": table.name,
            "level": get_level(table.confidentiality),
            "created": table.created.timestamp(),
            "record": encode_record(table),
        }
        with self._database.writing() as db:
            db.run("save_extraction", values)

    def find(self, name: str) -> ExtractionTable | None:
        """Return the table of that name, the role's own first; None if there is none."""
        with self._database.reading() as db:
            rows = self._run(db, "find_extraction", name=name, own=self._role)
            return next((decode_record(ExtractionTable, record) for (record,) in rows), None)

    def list_all(self) -> list[ExtractionTable]:
        """All tables, latest first."""
        with self._database.reading() as db:
            rows = self._run(db, "list_extractions")
            return [decode_record(ExtractionTable, record) for (record,) in rows]

    def remove(self, table: ExtractionTable) -> bool:
        """Remove a table with its cells; False if there was none."""
        with self._database.writing() as db:
            self._run(db, "remove_extraction", role=table.role, name=table.name)
            return db.changes() > 0

    def list_rows(self, table: ExtractionTable) -> list[tuple[str, str]]:
        """Return path and key of each row that has a cell for one of the table's questions."""
        asked = encode_json([make_column(question) for question in table.questions])
        with self._database.reading() as db:
            rows = self._run(
                db, "list_extraction_rows", role=table.role, name=table.name, asked=asked
            )
            return [(path, row) for path, row in rows]

    def list_cells(
        self, table: ExtractionTable, keys: Sequence[str]
    ) -> dict[tuple[str, str], ExtractionCell]:
        """Key of a row and column → cell, for these rows."""
        sources = encode_json(list(keys))
        with self._database.reading() as db:
            rows = self._run(
                db, "list_extraction_cells", role=table.role, name=table.name, sources=sources
            )
            cells = [decode_record(ExtractionCell, record) for (record,) in rows]
        return {(cell.row, cell.column): cell for cell in cells}

    def save_answer(
        self,
        table: ExtractionTable,
        source: Source,
        question: str,
        answer: CellAnswer,
        section: tuple[str, ...] = (),
    ) -> ExtractionCell:
        """Save an answer. The cell keeps its reviews, and its previous answer if that differs."""
        column = make_column(question)
        with self._database.writing() as db:
            known = self._find_cell(db, table, make_row(source.id, section), column)
            same = known is not None and known.answer.says_same(answer)
            before = (known.before if same else known.answer) if known else None
            cell = ExtractionCell(
                source_id=source.id,
                source=source.path,
                title=source.title,
                question=question,
                confidentiality=source.confidentiality,
                answer=answer,
                run=known.run if known and same else table.runs,
                before=before,
                reviews=known.reviews if known else (),
                section=section,
            )
            _write(db, table, cell)
        return cell

    def add_review(
        self, table: ExtractionTable, row: str, column: str, review: CellReview, latest: int
    ) -> ExtractionCell | None:
        """Add a review to a cell, if it still has ``latest`` reviews and the answer that was reviewed.

        Otherwise, or if the cell is gone, nothing is saved and None is returned.
        """
        with self._database.writing() as db:
            known = self._find_cell(db, table, row, column)
            if (
                known is None
                or len(known.reviews) != latest
                or not known.answer.says_same(review.seen)
            ):
                return None
            cell = replace(known, reviews=(*known.reviews, review))
            _write(db, table, cell)
        return cell

    def _find_cell(
        self, db: Transaction, table: ExtractionTable, row: str, column: str
    ) -> ExtractionCell | None:
        place = {"role": table.role, "name": table.name, "source": row, "asked": column}
        rows = self._run(db, "find_extraction_cell", **place)
        return next((decode_record(ExtractionCell, record) for (record,) in rows), None)

    def _run(self, db: Transaction, statement: str, **values: object) -> Rows:
        visible = db.sql("visible_extraction")
        return db.run(statement, {"level": self._level, **values}, visible=visible)


def _write(db: Transaction, table: ExtractionTable, cell: ExtractionCell) -> None:
    values = {
        "role": table.role,
        "name": table.name,
        "source": cell.row,
        "asked": cell.column,
        "path": cell.source,
        "level": get_level(cell.confidentiality),
        "record": encode_record(cell),
    }
    db.run("save_extraction_cell", values)
