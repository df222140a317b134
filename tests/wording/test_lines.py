"""Evidence prepared for comparison, line by line."""

from __future__ import annotations

from dataclasses import replace

from foundry.wording.lines import read_material
from tests.craft.making import make_evidence


def test_a_chunk_is_read_once_whatever_its_number() -> None:
    first = make_evidence("The pump runs. The fuse is 2 A.", "S1")
    second = replace(first, id="S7")
    assert read_material(first).lines is read_material(second).lines
    assert read_material(second).evidence is second


def test_another_text_is_read_anew() -> None:
    one, other = make_evidence("The fuse is 2 A."), make_evidence("The fuse is 4 A.")
    assert [line.text for line in read_material(other).lines] == ["The fuse is 4 A."]
    assert read_material(one).lines is not read_material(other).lines
