"""The fusion of both retrievers over a small bilingual project."""

from __future__ import annotations

from pathlib import Path

from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.records import Hit
from foundry.workspace import open_workspace
from tests.journeys.conftest import write_project

ACROSS = "How often must the housing of the controller be cleaned?"
"""One of its words is in an English source, its answer in the Dutch one."""


def hits(built: Path, query: str, **environment: str) -> tuple[Hit, ...]:
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        return search(workspace, query).hits


def found(built: Path, query: str, **environment: str) -> list[str]:
    return [hit.source.path for hit in hits(built, query, **environment)]


def test_an_answer_in_another_language_is_not_ranked_behind_stray_words(built: Path) -> None:
    assert found(built, ACROSS)[0] == "sources/onderhoud.md"


def test_a_compound_that_no_source_has_is_found_by_its_parts(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    for name, text in (
        ("a", "De voeding heeft een spanning van 12 V."),
        ("b", "Meet de spanning."),
        ("c", "Elke voeding is getest."),
    ):
        (root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
        best = search(workspace, "Wat is de voedingsspanning?", mode="bm25").hits[0]
        assert best.source.path == "sources/a.md"


def test_scores_can_be_fused_instead_of_ranks(built: Path) -> None:
    query = "What is the rating of the input fuse?"
    by_ranks = hits(built, query)
    by_scores = hits(built, query, FOUNDRY_RETRIEVAL__FUSION="zscore")
    assert {hit.chunk.id for hit in by_scores} == {hit.chunk.id for hit in by_ranks}
    assert by_scores[0].source.path == by_ranks[0].source.path == "sources/datasheet.md"
    assert by_scores[0].fused > 1 > by_ranks[0].fused


def test_a_single_retriever_keeps_its_order_under_either_fusion(built: Path) -> None:
    for mode in ("bm25", "dense"):
        ranks = found(built, ACROSS, FOUNDRY_RETRIEVAL__MODE=mode)
        scores = found(
            built, ACROSS, FOUNDRY_RETRIEVAL__MODE=mode, FOUNDRY_RETRIEVAL__FUSION="zscore"
        )
        assert ranks == scores
