"""How sentences are laid out: paragraphs, lists, and rows that get their columns back."""

from __future__ import annotations

from foundry.records import Sentence
from foundry.render.markdown import group_sentences, split_row

ROW = "Parameter: Supply; Min: 18 V; Max: 32 V"
NO_MIN = "Parameter: Current; Typ: 190 mA; Max: 420 mA"


def kinds(*texts: str) -> list[tuple[str, int]]:
    sentences = [Sentence(text, ("S1",)) for text in texts]
    return [(run.kind, len(run.sentences)) for run in group_sentences(sentences)]


def test_rows_of_one_table_are_grouped() -> None:
    assert kinds("A sentence.", ROW, NO_MIN, "Another.") == [
        ("prose", 1),
        ("table", 2),
        ("prose", 1),
    ]


def test_a_column_that_only_one_row_has_keeps_its_place() -> None:
    (run,) = group_sentences([Sentence(ROW, ("S1",)), Sentence(NO_MIN, ("S1",))])
    assert run.columns == ("Parameter", "Min", "Typ", "Max")


def test_rows_of_two_sources_are_two_tables() -> None:
    runs = group_sentences([Sentence(ROW, ("S1",)), Sentence(ROW, ("S2",))])
    assert [run.kind for run in runs] == ["table", "table"]


def test_pairs_of_a_label_and_a_value_are_a_list() -> None:
    assert kinds("Supply: 24 V", "Fuse: T 1 A") == [("list", 2)]


def test_text_that_is_not_a_row_has_no_cells() -> None:
    for text in ("a; b; c", "A: 1; A: 2; B: 3", "A: 1; B: 2", "One sentence.", ""):
        assert split_row(text) == {}


def test_no_sentence_is_lost() -> None:
    texts = [ROW, "x", "y", "Prose.", ROW, NO_MIN, "A: 1; B: 2; C: 3", "End."]
    assert sum(size for _, size in kinds(*texts)) == len(texts)
