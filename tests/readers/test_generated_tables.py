"""The tables that the measurement of reading draws, and the labels it expects of them."""

from __future__ import annotations

from pathlib import Path

from bench.cell_labels import LabelledCell
from bench.company_tables import Drawn, Row
from bench.generated_tables import write_tables

TABLE = Drawn(
    "Results",
    (("Quarter ended", "2022"), ("Quarter ended", "2023"), ("Change",)),
    (Row("Revenue"), Row("Licences", ("1", "2", "3%"), 1), Row("Total revenue", ("4", "5", "6%"))),
)


def test_a_row_stands_under_the_sub_heading_that_it_is_indented_below() -> None:
    cells = TABLE.build_gold().cells
    assert cells[1] == LabelledCell(("Revenue", "Licences"), ("Quarter ended", "2023"), "2")
    assert cells[3].row == ("Total revenue",)


def test_header_rows_have_spans_and_short_paths_stand_at_the_bottom() -> None:
    assert TABLE.header_rows() == [
        [("Quarter ended", 2), ("", 1)],
        [("2022", 1), ("2023", 1), ("Change", 1)],
    ]


def test_the_same_seed_draws_the_same_tables(tmp_path: Path) -> None:
    first, again = (write_tables(tmp_path, 1) for _ in range(2))
    assert [gold.tables for gold in first] == [gold.tables for gold in again]
    assert {Path(gold.file).suffix for gold in first} == {".pdf", ".html", ".docx", ".xlsx"}
