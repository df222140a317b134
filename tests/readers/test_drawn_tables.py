from pathlib import Path

import pytest

from bench.tables_drawn import KINDS, draw_file
from bench.tables_read import score
from tests.readers.sample_files import read_path


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawn_table_is_read_as_drawn(tmp_path: Path, kind: str) -> None:
    path, gold = draw_file(kind, 0, tmp_path, held=False)
    faults: list[str] = []
    counts = score(read_path(path), gold, kind, faults)
    assert counts["right"] == counts["cells"] > 0
    assert counts["titles"] == counts["titled"]
    assert not faults


def test_a_seed_draws_the_same_tables_again(tmp_path: Path) -> None:
    first = draw_file("side by side", 3, tmp_path, held=False)[1]
    assert draw_file("side by side", 3, tmp_path, held=False)[1] == first
