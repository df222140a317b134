"""Questions that sources suggest, and the answers and drafts that cite a source."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.links import find_citing, suggest_questions
from foundry.journeys.query_log import log_answer
from foundry.journeys.search import search
from foundry.records import DraftRecord, UsedSource
from foundry.workspace import Workspace, open_workspace


@pytest.fixture
def own(built: Path, tmp_path: Path) -> Iterator[Workspace]:
    root = shutil.copytree(built, tmp_path / "project")
    with open_workspace(root, environment={}, cwd=root) as opened:
        yield opened


def test_suggested_questions_are_answered_and_stay_the_same(own: Workspace) -> None:
    questions = suggest_questions(own)
    assert questions
    assert all(search(own, item.text).gate.decision == "answer" for item in questions)
    assert suggest_questions(own) == questions


def test_a_question_is_in_the_language_of_its_source(own: Workspace) -> None:
    sections = "\n\n".join(
        f"## Ventilatie van zaal {name}\n\nDe handleiding zegt over de ventilatie van zaal {name} dat "
        "het rooster elke maand met een zachte borstel wordt gereinigd. " * 3
        for name in ("Noord", "Zuid", "Oost")
    )
    file = own.root / "sources/handleiding.md"
    file.write_text(f"# Handleiding luchtbehandeling\n\n{sections}\n")
    ingest(own, [file])
    texts = [item.text for item in suggest_questions(own) if item.language == "nl"]
    assert texts[0].startswith("Wat zegt “Handleiding luchtbehandeling” over “Ventilatie van zaal")


def test_no_question_comes_from_a_source_that_the_role_may_not_see(own: Workspace) -> None:
    file = own.root / "sources/datasheet.md"
    ingest(own, [file], options=IngestOptions(confidentiality="secret"))
    with open_workspace(own.root, environment={}, cwd=own.root, role="public") as low:
        assert all("DX-4" not in item.text for item in suggest_questions(low))
    assert any("DX-4" in item.text for item in suggest_questions(own))


def test_a_project_without_an_index_suggests_nothing(workspace: Workspace) -> None:
    assert suggest_questions(workspace) == ()


def test_an_answer_is_found_by_the_words_that_it_cites(own: Workspace) -> None:
    answer = ask(own, "At what value is the input fuse rated?")
    log_answer(own, answer)
    source = own.store.find_source("sources/datasheet.md")
    assert source
    found = find_citing(own, source)
    text = own.store.source_text(source.id)
    assert any("3.15 A" in text[item.start : item.end] for item in found)
    assert "At what value is the input fuse rated?" in {item.title for item in found}
    shown = {one.evidence.hit.source.id for one in answer.sources}
    others = [one for one in own.store.list_sources() if one.id not in shown]
    assert others
    assert all(answer.id not in {item.id for item in find_citing(own, one)} for one in others)


def test_a_citation_moves_with_its_words(own: Workspace) -> None:
    log_answer(own, ask(own, "At what value is the input fuse rated?"))
    file = own.root / "sources/datasheet.md"
    file.write_text("A new first line.\n\n" + file.read_text())
    ingest(own, [file])
    source = own.store.find_source("sources/datasheet.md")
    assert source
    text = own.store.source_text(source.id)
    assert any("3.15 A" in text[item.start : item.end] for item in find_citing(own, source))


def test_a_draft_is_found_by_the_quotes_in_its_notes(own: Workspace) -> None:
    (own.root / "output").mkdir()
    (own.root / "output/a.md").write_text(
        "# A\n\nSupplied by 12 V.[^2] The fuse is slow.[^1]\n\n"
        "[^1]: datasheet.md §3.1\n\n    > The input fuse is rated at 3.15 A slow.\n\n"
        "[^2]: code.txt\n\n    > The input fuse is rated at 3.15 A slow.\n"
    )
    used = UsedSource("sources/datasheet.md", "DX-4 datasheet", "")
    record = DraftRecord(
        "output/a.md", "Fuses", datetime.now(UTC), "", None, None, "answer", "en", "m", "offline",
        None, None, sources=(used,),
    )  # fmt: skip
    own.store.save_draft(record)
    source = own.store.find_source("sources/datasheet.md")
    assert source
    (cited,) = (item for item in find_citing(own, source) if item.is_draft)
    assert (cited.title, cited.sentence, cited.is_draft) == ("Fuses", "The fuse is slow.", True)
