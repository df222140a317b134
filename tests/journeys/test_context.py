"""What is read after the gate: passages by rank, sources first in a hierarchy, words without vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.craft.fusion import KEPT_FIRST
from foundry.journeys.ask import ask
from foundry.journeys.evidence import GatheredEvidence, gather_evidence
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.records import Filters, SearchResult
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_runs import drafting
from tests.support.model_server import ModelServer

QUESTION = "What is the rating of the input fuse?"
PARTS = ("pump", "mixer", "dryer", "boiler", "chiller", "winch")
BULLETIN = "service/bulletin.md"


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("plant")
    (root / "sources/service").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_plant}\n", encoding="utf-8")
    for number, part in enumerate(PARTS):
        text = f"# The {part}\n\nThe input fuse of the {part} has a rating of {number + 2} A.\n"
        (root / f"sources/{part}.md").write_text(text, encoding="utf-8")
    text = "# Bulletin\n\nFit a slower input fuse, with a rating of 16 A, into every unit.\n"
    (root / "sources" / BULLETIN).write_text(text, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture
def opened(plant: Path) -> Iterator[Workspace]:
    with open_workspace(plant, environment={}, cwd=plant) as workspace:
        yield workspace


def find(workspace: Workspace, relevance: float = 0.9, without: str = "") -> SearchResult:
    """The hits of the question with this relevance, one source left out."""
    result = search(workspace, QUESTION, top_k=7)
    hits = [replace(hit, relevance=relevance) for hit in result.hits]
    return replace(result, hits=tuple(hit for hit in hits if hit.source.path != without))


def gather(
    workspace: Workspace, result: SearchResult, *hierarchy: str, filters: Filters | None = None
) -> GatheredEvidence:
    result = replace(result, filters=filters or result.filters)
    return gather_evidence(workspace, result, hierarchy=hierarchy, conflicts=False)


def list_paths(gathered: GatheredEvidence) -> list[str]:
    return [item.hit.source.path for item in gathered.evidence]


def test_a_model_reads_unlikely_passages_too_in_order_of_rank(
    plant: Path, server: ModelServer
) -> None:
    with drafting(plant, server, hyde="none", scorer="none") as workspace:
        result = find(workspace, relevance=0.05)
        gathered = gather(workspace, result)
    assert list_paths(gathered) == [hit.source.path for hit in result.hits]
    assert gathered.dropped == ()


def test_the_built_in_writer_reads_the_first_hits_whatever_their_relevance(
    opened: Workspace,
) -> None:
    result = find(opened, relevance=0.05)
    gathered = gather(opened, result)
    assert list_paths(gathered) == [hit.source.path for hit in result.hits[:KEPT_FIRST]]


def test_each_unlikely_passage_is_listed_with_its_reason(opened: Workspace) -> None:
    result = find(opened, relevance=0.05)
    dropped = gather(opened, result).dropped
    assert [item.hit for item in dropped] == list(result.hits[KEPT_FIRST:])
    assert {str(item.reason) for item in dropped} == {
        "its relevance 0.05 is below 0.20 (retrieval.min_score)"
    }


def test_a_source_first_in_the_hierarchy_is_read_though_no_search_found_it(
    opened: Workspace,
) -> None:
    result = find(opened, without=f"sources/{BULLETIN}")
    assert f"sources/{BULLETIN}" not in list_paths(gather(opened, result))
    assert f"sources/{BULLETIN}" in list_paths(gather(opened, result, "sources/service/*"))[:3]


def test_a_source_first_in_the_hierarchy_comes_before_the_budget_ends(
    plant: Path, server: ModelServer
) -> None:
    with drafting(
        plant, server, hyde="none", scorer="none", FOUNDRY_RETRIEVAL__MAX_CONTEXT_CHUNKS="3"
    ) as workspace:
        result = find(workspace)
        last = result.hits[-1].source.path
        assert last not in list_paths(gather(workspace, result))
        assert last in list_paths(gather(workspace, result, last))


def test_a_pattern_without_sources_leaves_the_place_to_the_next_one(opened: Workspace) -> None:
    result = find(opened, without=f"sources/{BULLETIN}")
    found = list_paths(gather(opened, result, "sources/errata/*", "sources/service/*"))
    assert f"sources/{BULLETIN}" in found


def test_a_source_that_the_filters_exclude_has_no_place(opened: Workspace) -> None:
    result = find(opened, without=f"sources/{BULLETIN}")
    only = Filters(sources=("sources/pump.md",))
    found = list_paths(gather(opened, result, "sources/service/*", filters=only))
    assert f"sources/{BULLETIN}" not in found


def test_a_source_first_in_the_hierarchy_that_says_nothing_of_it_has_no_place(
    opened: Workspace,
) -> None:
    result = find(opened, without=f"sources/{BULLETIN}")
    astray = replace(result, question=replace(result.question, text="Who painted the Mona Lisa?"))
    found = list_paths(gather(opened, astray, "sources/service/*"))
    assert f"sources/{BULLETIN}" not in found


def test_before_any_vector_is_made_questions_are_answered_by_words(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.journeys.ingest.embed_pending", lambda *_: 0)
    with open_workspace(project, environment={}, cwd=project) as workspace:
        assert ingest(workspace).embedded == 0
        answer = ask(workspace, "What is the rating of the input fuse?")
    assert answer.verdict == "passages"
    assert any("3.15 A" in line.text for line in answer.passages[0].lines)
