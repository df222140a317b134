"""Spans as relevance: how well chunks fit the exact places that answer a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foundry.evaluation.dataset import evaluate_dataset
from foundry.evaluation.metrics.ranking import span_figures

TEXT = "# Fuse\n\nThe input fuse is rated at 3 A.\n\n# Lamp\n\nThe lamp of the housing is red.\n"


def test_characters_are_counted_in_the_first_k_chunks() -> None:
    expected = [("d", 0, 10), ("d", 20, 30)]
    chunks = [("d", 5, 25), ("e", 0, 20), ("d", 0, 5)]
    figures = span_figures(expected, chunks)
    assert figures["span_recall@1"] == 0.5
    assert figures["span_precision@1"] == 0.5
    assert figures["span_iou@1"] == pytest.approx(10 / 30)
    assert figures["span_recall@3"] == 0.75
    assert figures["span_precision@3"] == pytest.approx(15 / 45)


def test_chunks_that_overlap_cost_precision_and_gain_no_recall() -> None:
    figures = span_figures([("d", 0, 10)], [("d", 0, 10), ("d", 0, 10)])
    assert (figures["span_recall@3"], figures["span_precision@3"]) == (1.0, 0.5)


def test_nothing_found_is_zero() -> None:
    assert set(span_figures([("d", 0, 10)], []).values()) == {0.0}


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
    report = evaluate_dataset(tmp_path, modes=("bm25",), environment=environment)
    run = report.measured.runs["bm25"]
    assert run.spans is not None
    assert run.documents.figures["recall@1"] == run.spans.figures["recall@1"] == 1.0
    assert run.spans.figures["span_recall@1"] == 1.0
    assert 0 < (run.spans.figures["span_precision@1"] or 0) <= 1
