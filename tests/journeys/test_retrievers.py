"""The fusion of both retrievers over a small bilingual project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundry.errors import ModelTimeout
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


def test_ranks_can_be_fused_instead_of_scores(built: Path) -> None:
    query = "What is the rating of the input fuse?"
    by_ranks = hits(built, query, FOUNDRY_RETRIEVAL__FUSION="rrf")
    by_scores = hits(built, query)
    assert {hit.chunk.id for hit in by_scores} == {hit.chunk.id for hit in by_ranks}
    assert by_scores[0].source.path == by_ranks[0].source.path == "sources/datasheet.md"
    assert by_scores[0].fused > 1 > by_ranks[0].fused


def test_a_single_retriever_keeps_its_order_under_either_fusion(built: Path) -> None:
    for mode in ("bm25", "dense"):
        fixed = {"FOUNDRY_RETRIEVAL__MODE": mode, "FOUNDRY_RETRIEVAL__RERANKER": "none"}
        ranks = found(built, ACROSS, **fixed, FOUNDRY_RETRIEVAL__FUSION="rrf")
        assert ranks == found(built, ACROSS, **fixed)


@dataclass
class Scripted:
    """A reranker that prefers one word, or fails."""

    wanted: str = ""
    read: Sequence[str] = ()
    model: str = "scripted"
    local: bool = True

    def score_passages(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        self.read = passages
        if not self.wanted:
            raise ModelTimeout("models-no-slot", where="scripted", model="m", running=1)
        return [float(self.wanted in passage) for passage in passages]


def search_with(built: Path, reranker: Scripted, query: str, **keys: str) -> Any:
    environment = {"FOUNDRY_RETRIEVAL__RERANKER": "cohere/rerank", "FOUNDRY_MODE": "online"}
    with open_workspace(built, environment=environment | keys, cwd=built) as workspace:
        workspace.__dict__["reranker"] = reranker
        return search(workspace, query)


QUERY = "What is the rating of the input fuse?"


def test_a_reranker_orders_the_first_hits_again_and_removes_none(built: Path) -> None:
    before = found(built, QUERY, FOUNDRY_RETRIEVAL__RERANKER="none")
    result = search_with(built, Scripted(wanted="Reinig"), QUERY)
    assert sorted(hit.source.path for hit in result.hits) == sorted(before)
    assert [hit.source.path for hit in result.hits] != before


def test_a_reranker_reads_no_more_than_it_may(built: Path) -> None:
    reranker = Scripted(wanted="fuse")
    search_with(built, reranker, QUERY, FOUNDRY_RETRIEVAL__RERANK_CANDIDATES="2")
    assert len(reranker.read) == 2


def test_a_reranker_that_fails_leaves_the_fused_order_and_says_so(built: Path) -> None:
    result = search_with(built, Scripted(), QUERY)
    assert [hit.source.path for hit in result.hits] == found(built, QUERY)
    assert "search-not-reranked" in [notice.code for notice in result.notices]


def test_hits_in_another_language_are_read_by_default(built: Path) -> None:
    reranker = Scripted(wanted="behuizing")
    search_with(built, reranker, ACROSS, FOUNDRY_RETRIEVAL__RERANKER="auto")
    assert len(reranker.read) > 1


def test_hits_found_by_words_alone_are_not_read_by_default(built: Path) -> None:
    reranker, keys = Scripted(wanted="behuizing"), {"FOUNDRY_RETRIEVAL__MODE": "bm25"}
    search_with(built, reranker, ACROSS, FOUNDRY_RETRIEVAL__RERANKER="auto", **keys)
    assert not reranker.read
