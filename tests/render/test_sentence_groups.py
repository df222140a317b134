"""How sentences are laid out: paragraphs and lists, and rows that a model wrote as asked."""

from __future__ import annotations

from foundry.records import Sentence
from foundry.render.markdown import group_sentences, split_row


def kinds(*texts: str) -> list[tuple[str, int]]:
    sentences = [Sentence(text, ("S1",)) for text in texts]
    return [
        ("list" if is_list else "prose", len(own)) for is_list, own in group_sentences(sentences)
    ]


def test_a_row_has_its_cells_by_their_labels() -> None:
    row = split_row("Parameter: Supply; Min: 18 V; Max: 32 V.")
    assert row == {"Parameter": "Supply", "Min": "18 V", "Max": "32 V"}


def test_pairs_of_a_label_and_a_value_are_a_list() -> None:
    assert kinds("Supply: 24 V", "Fuse: T 1 A") == [("list", 2)]


def test_text_that_is_not_a_row_has_no_cells() -> None:
    for text in ("a; b; c", "A: 1; A: 2; B: 3", "A: 1", "One sentence.", ""):
        assert split_row(text) == {}


def test_no_sentence_is_lost() -> None:
    texts = ["x", "y", "Prose.", "A: 1", "z", "End."]
    assert sum(size for _, size in kinds(*texts)) == len(texts)
