"""Sections of a declared form, from the specification to the verified draft and the built document."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.journeys.agents import use_agent
from foundry.journeys.delivery import generate_file
from foundry.journeys.drafts import verify_draft
from foundry.journeys.generate import generate
from foundry.records import SectionForm
from foundry.render.delivery.tree import BlockQuote, ListBlock, TableBlock, read_tree
from foundry.workspace import Workspace
from tests.journeys.answers import online
from tests.journeys.draft_runs import feature, first_lines, play
from tests.journeys.test_agents import put
from tests.support.model_server import Behaviour, Json, ModelServer, Request

AGENT = """title: Note
sections:
  - title: Supply
    ask: [supply voltage and input fuse]
    form: {form}
"""


@pytest.fixture
def writing(built: Path, server: ModelServer, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the project with a scripted model."""
    copy = shutil.copytree(built, tmp_path / "project")
    with online(copy, server, FOUNDRY_RETRIEVAL__HYDE="false") as opened:
        opened.cwd = tmp_path
        yield opened


def write(workspace: Workspace, tmp_path: Path, form: str) -> Path:
    put(workspace, note=AGENT.format(form=form))
    agent = use_agent(workspace, "note", "document", "The DX-4")
    return generate_file(agent, "The DX-4", tmp_path / "note.md", fresh=True).path


@pytest.mark.parametrize(
    ("form", "shown"),
    [("steps", ("1. ", ListBlock)), ("list", ("- ", ListBlock)), ("quote", ("> ", BlockQuote))],
)
def test_a_draft_in_a_form_is_verified_and_built_as_it(
    writing: Workspace, server: ModelServer, tmp_path: Path, form: str, shown: tuple[str, type]
) -> None:
    start, kind = shown
    play(server, section=first_lines)
    path = write(writing, tmp_path, form)
    text = path.read_text(encoding="utf-8")
    below = text.split("## Supply\n\n")[1]
    assert below.startswith(start)
    result = verify_draft(writing, str(path))
    assert result.passed
    assert result.verification
    assert len(result.verification.statements) == below.split("\n[^1]:")[0].count("[^")
    assert any(isinstance(block, kind) for block in read_tree(below))


def test_a_row_is_verified_as_a_statement_of_its_own(
    writing: Workspace, server: ModelServer, tmp_path: Path
) -> None:
    def rows(request: Request) -> Behaviour:
        mark = next(line for line in request.prompt.splitlines() if "3.15 A" in line).split("|")[0]
        text = "Part: the input fuse; Rating: 3.15 A slow"
        return Json({"sentences": [{"text": text, "citations": [mark]}]})

    play(server, section=rows)
    path = write(writing, tmp_path, "table")
    below = path.read_text(encoding="utf-8").split("## Supply\n\n")[1]
    assert "| Part | Rating |" in below
    (statement,) = verify_draft(writing, str(path)).verification.statements  # type: ignore[union-attr]
    assert statement.claimed.kind == "table"
    assert any(isinstance(block, TableBlock) for block in read_tree(below))


def test_the_specification_says_the_form_without_a_model_too(asked: Workspace) -> None:
    spec = feature("Supply", forms={"Supply": "list"})
    (section,) = generate(asked, "The DX-4", feature=spec).sections
    assert section.form == "list"


def test_a_form_that_does_not_exist_is_refused_by_an_agent(writing: Workspace) -> None:
    put(writing, note=AGENT.format(form="bullets"))
    with pytest.raises(Exception, match=r"sections\.0\.form") as caught:
        use_agent(writing, "note", "document", "The DX-4")
    assert "'steps'" in str(caught.value)


@pytest.mark.parametrize("form", ["quote", "steps"])
def test_passages_of_sources_are_not_shaped(asked: Workspace, form: SectionForm) -> None:
    (section,) = generate(
        asked, "The DX-4", feature=feature("Supply", forms={"Supply": form})
    ).sections
    assert not section.changes
    assert [one.text for one in section.sentences] == [
        line.text for excerpt in section.excerpts for line in excerpt.lines
    ]
