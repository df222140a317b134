"""Spans as relevance: how well chunks fit the exact places that answer a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.evaluation.dataset import evaluate_dataset
from foundry.evaluation.dataset.beir import Span
from foundry.evaluation.dataset.spans import covers, measure_spans, rank_spans

TEXT = "# Fuse\n\nThe input fuse is rated at 3 A.\n\n# Lamp\n\nThe lamp of the housing is red.\n"


def test_characters_are_counted_in_the_first_k_chunks() -> None:
    expected = [Span("d", 0, 10), Span("d", 20, 30)]
    chunks = [Span("d", 5, 25), Span("e", 0, 20), Span("d", 0, 5)]
    figures = measure_spans(expected, chunks)
    assert figures["span_recall@1"] == 0.5
    assert figures["span_precision@1"] == 0.5
    assert figures["span_iou@1"] == pytest.approx(10 / 30)
    assert figures["span_recall@3"] == 0.75
    assert figures["span_precision@3"] == pytest.approx(15 / 45)


def test_chunks_that_overlap_cost_precision_and_gain_no_recall() -> None:
    figures = measure_spans([Span("d", 0, 10)], [Span("d", 0, 10), Span("d", 0, 10)])
    assert (figures["span_recall@3"], figures["span_precision@3"]) == (1.0, 0.5)


def test_nothing_found_is_zero() -> None:
    assert set(measure_spans([Span("d", 0, 10)], []).values()) == {0.0}


def test_a_chunk_covers_a_span_when_it_holds_half_of_it() -> None:
    span = Span("d", 10, 20)
    assert covers(Span("d", 0, 15), span)
    assert not covers(Span("d", 0, 14), span)
    assert not covers(Span("e", 0, 99), span)


def test_each_span_is_ranked_at_the_first_chunk_that_covers_it() -> None:
    expected = [Span("d", 0, 10), Span("d", 10, 20), Span("d", 50, 60)]
    chunks = [Span("d", 90, 99), Span("d", 0, 20), Span("d", 0, 9), Span("d", 50, 60)]
    assert rank_spans(expected, chunks) == ["chunk 0", "0", "1", "2"]


def test_a_set_with_spans_is_measured_by_documents_spans_and_characters(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "manual.md").write_text(TEXT)
    start = TEXT.index("The lamp")
    row = {
        "id": "q",
        "text": "colour of the lamp",
        "doc": "manual",
        "spans": [[start, len(TEXT) - 1]],
    }
    (tmp_path / "queries.jsonl").write_text(json.dumps(row))
    environment = {"FOUNDRY_CACHE_DIR": str(tmp_path / "cache")}
    report = evaluate_dataset(tmp_path, arms=("bm25",), environment=environment).as_dict()
    arm = report["arms"]["bm25"]
    assert (arm["recall@1"], arm["spans"]["recall@1"]) == (1.0, 1.0)
    assert arm["characters"]["span_recall@1"] == 1.0
    assert 0 < arm["characters"]["span_precision@1"] <= 1
