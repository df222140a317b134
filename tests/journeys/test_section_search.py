"""A draft reads the documents of what it is about, and models are told its topic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from foundry.journeys.agents import use_agent
from foundry.journeys.generate import DraftPlan, generate, plan_draft
from foundry.journeys.ingest import ingest
from foundry.records import Filters
from foundry.workspace import Workspace, open_workspace
from tests.journeys.draft_runs import drafting, feature, play
from tests.support.model_server import ModelServer

SHEET = "# {name} data sheet\n\nThe input fuse of the controller is rated at {fuse} A slow.\n"
FILES = {
    "dx4.md": SHEET.format(name="DX-4", fuse="3.15"),
    "dx4-er.md": SHEET.format(name="DX-4-ER", fuse="4"),
    "dx8.md": SHEET.format(name="DX-8", fuse="6.3"),
    "ax20.md": SHEET.format(name="AX-20", fuse="1.6"),
    "rules.md": "# Company rules\n\nAn input fuse is replaced by one of the same rating.\n",
    "iso.md": "# ISO-9001 manual\n\nEvery fuse in stock has its rating on its box.\n",
    "manual-c.md": "# Manual, revision C\n\nThe input fuse is checked every 4000 hours.\n",
    "manual-d.md": "# Manual, revision D\n\nThe input fuse is checked every 8000 hours.\n",
    "compared.md": "# DX-8 news\n\nUnlike that of the DX-4, its input fuse is in the housing.\n",
}


@pytest.fixture(scope="module")
def sisters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project about two products of one family."""
    root = tmp_path_factory.mktemp("sisters")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_sisters, brief: brief.md}\n")
    (root / "brief.md").write_text("We make the DX-4 in Deventer.\n")
    for name, text in FILES.items():
        (root / "sources" / name).write_text(text)
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture
def opened(sisters: Path) -> Iterator[Workspace]:
    with open_workspace(sisters, environment={}, cwd=sisters) as workspace:
        yield workspace


def read(plan: DraftPlan) -> set[str]:
    """The names of the files among the hits of all sections."""
    hits = [hit for section in plan.sections for hit in section.gathered.result.hits]
    return {Path(hit.source.path).name for hit in hits}


def test_documents_of_a_sister_product_are_not_read(opened: Workspace) -> None:
    plan = plan_draft(opened, "Service of the DX-4", feature=feature("Input fuse"))
    assert read(plan) == set(FILES) - {"dx8.md", "ax20.md"}
    assert [str(notice) for notice in plan.notices] == [
        "This draft is about DX-4: 2 documents about others of its kind were not read."
    ]


def test_the_brief_says_what_a_draft_is_about_whose_topic_names_nothing(opened: Workspace) -> None:
    spec = replace(feature("Input fuse"), title="Service")
    assert "dx8.md" not in read(plan_draft(opened, "Service", feature=spec))


def test_a_section_that_names_the_sister_reads_its_documents(opened: Workspace) -> None:
    spec = feature("Input fuse", "Input fuse of the DX-8")
    plan = plan_draft(opened, "Service of the DX-4", feature=spec)
    assert "dx8.md" in read(plan)


def test_of_sheets_titled_by_number_and_year_those_of_the_product_are_read(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_years}\n")
    for name in ("DX-4", "AX-20"):
        text = f"# {name} data sheet 2015\n\nThe input fuse is rated at 3 A.\n"
        (tmp_path / "sources" / f"{name}_2015.md").write_text(text)
    with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
        ingest(workspace)
        plan = plan_draft(workspace, "The DX-4", feature=feature("Input fuse"))
    assert read(plan) == {"DX-4_2015.md"}


def test_of_two_revisions_the_one_that_the_topic_names_is_read(opened: Workspace) -> None:
    plan = plan_draft(opened, "DX-4 service, revision D", feature=feature("Input fuse"))
    assert read(plan) == set(FILES) - {"dx8.md", "ax20.md", "manual-c.md"}


def test_a_letter_alone_names_no_revision(opened: Workspace) -> None:
    plan = plan_draft(opened, "Fuses: what C and D need", feature=feature("Input fuse"))
    assert {"manual-c.md", "manual-d.md"} <= read(plan)


def test_sources_that_the_caller_chose_are_read(opened: Workspace) -> None:
    chosen = Filters(sources=("sources/dx8.md",))
    plan = plan_draft(opened, "The DX-4", feature=feature("Input fuse"), filters=chosen)
    assert read(plan) == {"dx8.md"}


def test_prompts_give_topic_title_and_scope(built: Path, server: ModelServer) -> None:
    play(server)
    spec = feature("Supply", text="- Supply: voltage and fuse.")
    with drafting(built, server) as workspace:
        generate(workspace, "Safety of the DX-4", feature=spec)
    asked = "Safety of the DX-4 – Supply: voltage and fuse."
    prompts = [request.prompt for request in server.chats]
    assert len([prompt for prompt in prompts if asked in prompt]) >= 2


def test_a_code_in_the_topic_of_an_agent_is_what_its_document_is_about(opened: Workspace) -> None:
    topic = "The fuse of the ISO-9001 that is checked every 8000 hours, as the manual of revision D says"
    agent = use_agent(opened, "blueprint", "document", topic)
    assert read(plan_draft(agent, topic, fresh=True)) == {"iso.md"}
