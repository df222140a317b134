"""Corrections through ingest, re-ingest, answers, documents and exports, on both stores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from foundry.clock import set_clock
from foundry.errors import ChangedMeanwhile, FoundryError, RuleError, UsageError
from foundry.journeys.ask import ask
from foundry.journeys.index import IngestOptions, hold_project
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.blocks import list_blocks, read_blocks
from foundry.journeys.passages.correction_requests import CorrectionRequest, request_words
from foundry.journeys.passages.corrections import (
    add_correction,
    get_correction,
    list_corrections,
    name_state,
    preview_correction,
    remove_correction,
)
from foundry.journeys.sources import get_source
from foundry.records import Block, Correction
from foundry.render.answer import render_answer
from foundry.render.delivery.answer import render_answer_markdown
from foundry.text.tables import describe_cell
from foundry.workspace import Workspace, open_workspace
from tests.readers.test_ocr import HEAD, word

MANUAL = """# Pump manual

## 1 Service

1.1 Intervals The filter is cleaned every six weeks.

#### 2 Data

| Part | Mass |
|------|------|
| all  | kg   |
| Pump | 12   |
| Hose | 3    |

Again and again.

#### 3 Heat

| Part | Limit |
|------|-------|
| Lid  | 90 °C |
| Seal | 70 °C |

| Ring | 60 °C |
|------|-------|
| Disc | 50 °C |
| Plug |       |
"""
SCAN = "The drain hose is l6 mm wide."
HOSE = "How wide is the drain hose?"
HEAT = 8
"""The block of the first table of section 3; the second one follows."""


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Workspace]:
    """A project with a manual and a scanned page that OCR reads wrongly."""
    root = tmp_path_factory.mktemp("corrected") / "project"
    (root / "sources").mkdir(parents=True)
    config = "project: {id: prj_corrected}\ningest: {ocr: tesseract}\n"
    if request.param == "postgres":
        config += f"storage: {{url: '{request.getfixturevalue('address')}'}}\n"
    (root / "foundry.yaml").write_text(config)
    (root / "sources" / "manual.md").write_text(MANUAL)
    Image.new("L", (900, 900), 255).save(root / "sources" / "scan.png", dpi=(200, 200))
    with fake_ocr(root), open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
        yield workspace


@contextmanager
def fake_ocr(root: Path) -> Iterator[None]:
    """A program on the path that reads the words of ``SCAN`` in every picture."""
    folder = root.parent / "bin"
    folder.mkdir()
    (folder / "eng.traineddata").touch()
    places = [word(text, 1, 100 * n) for n, text in enumerate(SCAN.split())]
    (folder / "answer").write_text("\n".join([HEAD, *places]))
    script = folder / "tesseract"
    script.write_text(f'#!/bin/sh\ncat > /dev/null\ncat "{folder}/answer"\n')
    script.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        patch.setenv("TESSDATA_PREFIX", str(folder))
        yield


@pytest.fixture
def workspace(opened: Workspace) -> Iterator[Workspace]:
    """The project, in which nothing is corrected when a test begins."""
    yield opened
    for state in list_corrections(opened):
        remove_correction(opened, state.correction.id)


def correct(workspace: Workspace, path: str, words: str | None = None, **how: object) -> Correction:
    request = CorrectionRequest(words, **{"reason": "The print says so.", **how})  # type: ignore[arg-type]
    return add_correction(workspace, f"sources/{path}", request, "Ann")


def test_a_wrong_word_of_a_scan_is_corrected_in_answers_with_the_original_beside_it(
    workspace: Workspace,
) -> None:
    correct(workspace, "scan.png", "l6 mm", read="16 mm")
    answer = ask(workspace, HOSE)
    quote = answer.passages[0].quotes[0]
    assert quote.text == "The drain hose is 16 mm wide."
    assert [(part.before, part.after) for part in quote.corrections] == [("l6 mm", "16 mm")]
    assert "corrected: “16 mm”, read as “l6 mm”" in render_answer(answer)


def test_a_correction_survives_when_the_same_file_is_read_again_and_is_undone(
    workspace: Workspace,
) -> None:
    made = correct(workspace, "scan.png", "l6", read="16")
    source = get_source(workspace, "sources/scan.png")
    workspace.maintenance().remove_source(source.id)
    ingest(workspace)
    assert workspace.store.source_text(source.id) == SCAN.replace("l6", "16")
    assert list_corrections(workspace)[0].reason is None
    remove_correction(workspace, made.id[:12])
    assert workspace.store.source_text(source.id) == SCAN
    assert workspace.store.find_reading(source.id) is None


def test_headings_and_sections_are_those_that_were_corrected(workspace: Workspace) -> None:
    correct(workspace, "manual.md", "1.1 Intervals", heading="3")
    correct(workspace, "manual.md", "2 Data", heading="2")
    answer = ask(workspace, "How often is the filter cleaned?")
    nearest = answer.passages[0].nearest
    assert nearest is not None
    assert nearest.quotes[0].section == "1.1 Intervals"
    assert nearest.quotes[0].text == "The filter is cleaned every six weeks."
    blocks = workspace.store.source_blocks(get_source(workspace, "sources/manual.md").id)
    assert blocks[-4].heading_path == ("Pump manual", "2 Data")


def test_the_header_of_a_table_gives_its_values_their_labels(workspace: Workspace) -> None:
    correct(workspace, "manual.md", "Pump | 12", header_rows=2)
    answer = ask(workspace, "What is the mass of the pump?")
    assert "12" in answer.passages[0].lines[0].text
    assert "corrected: header rows" in render_answer(answer)
    blocks = workspace.store.source_blocks(get_source(workspace, "sources/manual.md").id)
    table = next(block.table for block in blocks if block.table)
    assert table.cells[0].column == ("Mass", "kg")


def test_rows_that_were_read_as_a_header_are_found_as_values(workspace: Workspace) -> None:
    question = "What is the limit of the disc?"
    wrong, right = "Disc; 60 °C: 50 °C", "Disc; Limit: 50 °C"
    shown = show_lines(workspace, question)
    assert (wrong in shown, right in shown) == (True, False)
    correct(workspace, "manual.md", block=HEAT, merge=True)
    shown = show_lines(workspace, question)
    assert (wrong in shown, right in shown, "Ring; Limit: 60 °C" in shown) == (False, True, True)
    assert "corrected: joined tables" in render_answer(ask(workspace, question))


def show_lines(workspace: Workspace, question: str) -> list[str]:
    """The lines of the passages that come closest, the nearest first."""
    passages = ask(workspace, question).passages
    return [line.text for passage in passages for line in passage.lines]


def test_tables_are_read_again_as_people_said_and_as_read_when_that_is_undone(
    workspace: Workspace,
) -> None:
    source = get_source(workspace, "sources/manual.md")
    before = workspace.store.source_blocks(source.id)
    made = [
        correct(workspace, "manual.md", block=HEAT, merge=True),
        correct(workspace, "manual.md", block=HEAT, row="2", read="Lid | 95 °C"),
        correct(workspace, "manual.md", "Seal", block=HEAT, drop=True),
        correct(workspace, "manual.md", block=HEAT + 1, cell="B2", read="55 °C"),
    ]
    corrected = workspace.store.source_blocks(source.id)
    assert [list_values(block) for block in corrected[-2:]] == [
        ["Lid, Limit: 95 °C"],
        ["Ring, Limit: 60 °C", "Disc, Limit: 55 °C"],
    ]
    workspace.maintenance().remove_source(source.id)
    ingest(workspace)
    assert workspace.store.source_blocks(source.id) == corrected
    remove_correction(workspace, made[0].id)
    assert list_values(workspace.store.source_blocks(source.id)[-1]) == ["Disc, 60 °C: 55 °C"]
    for one in made[1:]:
        remove_correction(workspace, one.id)
    assert workspace.store.source_blocks(source.id) == before


def list_values(block: Block) -> list[str]:
    """What a table says, cell by cell."""
    return [describe_cell(block.table, cell) for cell in block.table.cells] if block.table else []


def test_a_cell_that_was_read_as_empty_gets_words(workspace: Workspace) -> None:
    made = correct(workspace, "manual.md", block=HEAT + 1, cell="B3", read="45 °C")
    assert (made.kind, made.before, made.after) == ("row", "Plug", "Plug | 45 °C")
    blocks = workspace.store.source_blocks(get_source(workspace, "sources/manual.md").id)
    assert list_values(blocks[-1])[-1] == "Plug, 60 °C: 45 °C"


def test_a_correction_of_a_block_that_is_gone_is_kept_with_the_reason(
    workspace: Workspace,
) -> None:
    correct(workspace, "manual.md", "six weeks", read="six months")
    path = workspace.root / "sources" / "manual.md"
    path.write_text(MANUAL.replace("six weeks", "five weeks"))
    report = ingest(workspace, [path])
    reason = list_corrections(workspace)[0].reason
    path.write_text(MANUAL)
    ingest(workspace, [path])
    assert report.files[0].warnings[0].code == "correction-left-out"
    assert reason
    assert reason.code == "correction-file-changed"
    assert list_corrections(workspace)[0].reason is None


@pytest.mark.parametrize(
    ("words", "how", "code"),
    [
        ("Pump manual", {"heading": "0"}, "correction-level"),
        ("Pump manual", {"heading": "9"}, "correction-level"),
        ("Pump manual", {"heading": "1"}, "correction-same"),
        ("six weeks", {"read": " "}, "correction-read-missing"),
        ("six weeks", {"read": "6", "reason": " "}, "correction-reason-missing"),
        ("six weeks", {"read": "6", "heading": "1"}, "correction-kind"),
        ("SIX weeks", {"read": "6"}, "correction-words-missing"),
        ("gain", {"read": "gains"}, "correction-words-twice"),
        ("a", {"read": "o"}, "correction-words-several"),
        ("12\nHose", {"read": "6"}, "correction-cells"),
        ("six weeks", {"header_rows": 1}, "correction-not-table"),
        ("Pump | 12", {"header_rows": 4}, "correction-header-rows"),
        ("Pump", {"block": 5, "heading": "2"}, "correction-not-text"),
        (None, {"block": 99, "heading": "2"}, "correction-no-block"),
        (None, {"heading": "2"}, "correction-place-missing"),
        (None, {"block": HEAT, "drop": True}, "correction-place-missing"),
        (None, {"block": HEAT, "read": "x"}, "correction-place-missing"),
        (None, {"block": HEAT, "row": "4", "drop": True}, "correction-outside"),
        (None, {"block": HEAT, "row": "0", "drop": True}, "correction-cells-wrong"),
        (None, {"block": HEAT, "row": "1-3", "drop": True}, "correction-no-rows"),
        (None, {"block": HEAT, "row": "1", "split": True}, "correction-no-rows"),
        (None, {"block": HEAT, "row": "2", "read": " | "}, "correction-read-missing"),
        (None, {"block": HEAT, "cell": "C2", "read": "x"}, "correction-outside"),
        (None, {"block": HEAT, "cell": "2B", "read": "x"}, "correction-cells-wrong"),
        (None, {"block": HEAT, "cell": "B2", "read": "a|b"}, "correction-cells"),
        (None, {"block": HEAT, "header_rows": "two"}, "correction-cells-wrong"),
        (None, {"block": HEAT, "header_rows": 1}, "correction-same"),
        (None, {"block": HEAT, "header_columns": 1}, "correction-same"),
        (None, {"block": HEAT, "header_columns": 2}, "correction-outside"),
        (None, {"block": HEAT, "span": "A1"}, "correction-cells-wrong"),
        (None, {"block": HEAT, "span": "A1:B1,B1:B2"}, "correction-span-overlap"),
        (None, {"block": HEAT, "span": "A1:C1"}, "correction-outside"),
        (None, {"block": HEAT + 1, "merge": True}, "correction-no-next-table"),
        (None, {"block": 1, "merge": True}, "correction-not-table"),
    ],
)
def test_what_does_not_fit_is_refused(
    opened: Workspace, words: str | None, how: dict[str, object], code: str
) -> None:
    with pytest.raises(UsageError) as caught:
        correct(opened, "manual.md", words, **how)
    assert caught.value.problem.code == code


def test_the_same_place_is_corrected_once(workspace: Workspace) -> None:
    correct(workspace, "manual.md", "six weeks", read="six months")
    for words, read, code in (
        ("six weeks", "six months", "correction-known"),
        ("weeks", "days", "correction-twice"),
    ):
        with pytest.raises(FoundryError) as caught:
            correct(workspace, "manual.md", words, read=read)
        assert caught.value.problem.code == code


def test_a_clock_that_went_back_gives_no_later_correction_the_place_of_an_earlier(
    workspace: Workspace,
) -> None:
    made = correct(workspace, "manual.md", "six weeks", read="six months")
    with set_clock(lambda: made.created - timedelta(hours=1)), pytest.raises(UsageError):
        correct(workspace, "manual.md", "weeks", read="days")
    assert [state.reason for state in list_corrections(workspace)] == [None]


@pytest.mark.parametrize(("text", "months"), [("six weeks", 1), ("five weeks", 0)])
def test_a_file_that_changes_before_its_correction_is_saved_is_corrected_as_it_is_now(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, text: str, months: int
) -> None:
    path = workspace.root / "sources" / "manual.md"

    @contextmanager
    def change_first(*args: Any, **options: Any) -> Iterator[int]:
        path.write_text(f"# New\n\nThe filter is cleaned every {text}.\n")
        ingest(workspace, [path])
        with hold_project(*args, **options) as run:
            yield run

    monkeypatch.setattr("foundry.journeys.passages.corrections.hold_project", change_first)
    with suppress(UsageError):
        correct(workspace, "manual.md", "six weeks", read="six months")
    states = list_corrections(workspace)
    source = get_source(workspace, "sources/manual.md")
    assert [state.reason for state in states] == [None] * months
    assert workspace.store.source_text(source.id).count("six months") == months
    monkeypatch.undo()
    path.write_text(MANUAL)
    ingest(workspace, [path])


def test_a_reason_is_kept_on_one_line_without_control_characters(workspace: Workspace) -> None:
    made = correct(workspace, "manual.md", "six weeks", read="6", reason="a\x1b[2J\n\u202eb")
    assert made.reason == "a[2J b"


def test_only_the_highest_role_corrects_and_each_sees_its_own(workspace: Workspace) -> None:
    made = correct(workspace, "manual.md", "six weeks", read="six months")
    scan = workspace.root / "sources" / "scan.png"
    ingest(workspace, [scan], options=IngestOptions(confidentiality="secret"))
    correct(workspace, "scan.png", "l6", read="16")
    root = workspace.root
    with open_workspace(root, environment={}, cwd=root, role="public") as public:
        assert [state.correction.id for state in list_corrections(public)] == [made.id]
        assert get_correction(public, made.id).reason is None
        with pytest.raises(RuleError):
            correct(public, "manual.md", "filter", read="fitter")
    ingest(workspace, [scan], options=IngestOptions(confidentiality="public"))


def test_blocks_are_listed_as_they_were_read(workspace: Workspace) -> None:
    correct(workspace, "scan.png", "l6", read="16")
    source = get_source(workspace, "sources/scan.png")
    assert [one.text for one in list_blocks(workspace, source, 1, "drain")] == [SCAN]
    assert list_blocks(workspace, source, 2) == []


def test_an_exported_answer_says_what_was_corrected(workspace: Workspace) -> None:
    correct(workspace, "scan.png", "l6 mm", read="16 mm")
    record = workspace.store.find_query(ask(workspace, HOSE).id)
    assert record
    assert record.shown
    exported = render_answer_markdown(record)
    assert "corrected: “16 mm”, read as “l6 mm”" in exported


def rewrite(workspace: Workspace, number: int, old: str, new: str) -> CorrectionRequest:
    """The request of somebody who changes words of a block of the manual."""
    blocks = read_blocks(workspace, get_source(workspace, "sources/manual.md"))
    block = blocks.get(number)
    assert old in block.words
    made = request_words(block, blocks.edits, block.words.replace(old, new))
    return replace(made, reason="Print.")


def test_a_rewritten_block_is_corrected_where_its_words_changed(workspace: Workspace) -> None:
    request = rewrite(workspace, 6, "and again", "and twice")
    assert (request.words, request.start, request.read) == ("again.", 10, "twice.")
    made = add_correction(workspace, "sources/manual.md", request, "Ann")
    assert (made.before, made.after) == ("again.", "twice.")


def test_words_beside_earlier_corrections_are_found_as_they_were_read(workspace: Workspace) -> None:
    correct(workspace, "manual.md", "filter", read="large filter")
    request = rewrite(workspace, 3, "six weeks", "six months")
    assert (request.words, request.read) == ("weeks.", "months.")
    add_correction(workspace, "sources/manual.md", request, "Ann")
    blocks = read_blocks(workspace, get_source(workspace, "sources/manual.md"))
    assert blocks.get(3).words.endswith("The large filter is cleaned every six months.")


@pytest.mark.parametrize(("new", "read"), [("every other six", "every other"), ("six", "cleaned")])
def test_words_that_are_added_or_left_out_take_the_one_beside_them(
    workspace: Workspace, new: str, read: str
) -> None:
    assert rewrite(workspace, 3, "every six", new).read == read


def test_an_unchanged_block_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        rewrite(workspace, 3, "six", "six")
    assert caught.value.problem.code == "correction-same"


def test_a_preview_changes_nothing(workspace: Workspace) -> None:
    request = CorrectionRequest(block=5, header_rows=2)
    found = preview_correction(workspace, "sources/manual.md", request)
    assert found.before[0].render() != found.after[0].render()
    assert list_corrections(workspace) == []


def test_a_preview_of_words_spans_them_as_the_source_is_now(workspace: Workspace) -> None:
    correct(workspace, "manual.md", "filter", read="large filter")
    request = rewrite(workspace, 3, "six weeks", "six months")
    found = preview_correction(workspace, "sources/manual.md", request)
    source = get_source(workspace, "sources/manual.md")
    text = workspace.store.source_text(source.id)
    assert text[found.start : found.end] == "weeks."


def test_who_corrects_a_block_after_somebody_else_is_told_and_nothing_is_lost(
    workspace: Workspace,
) -> None:
    seen = name_state([], 3)
    first = correct(workspace, "manual.md", "filter", read="large filter")
    request = rewrite(workspace, 3, "six weeks", "six months")
    with pytest.raises(ChangedMeanwhile) as caught:
        add_correction(workspace, "sources/manual.md", request, "Bo", reviewed=seen)
    assert caught.value.problem.code == "correction-meanwhile"
    seen = name_state([first], 3)
    add_correction(workspace, "sources/manual.md", request, "Bo", reviewed=seen)
    assert len(list_corrections(workspace)) == 2


def test_who_corrects_a_block_after_an_undo_is_told(workspace: Workspace) -> None:
    first = correct(workspace, "manual.md", "filter", read="large filter")
    remove_correction(workspace, first.id)
    request = rewrite(workspace, 3, "six weeks", "six months")
    with pytest.raises(ChangedMeanwhile) as caught:
        add_correction(
            workspace, "sources/manual.md", request, "Bo", reviewed=name_state([first], 3)
        )
    assert caught.value.problem.code == "correction-undone-meanwhile"


def test_a_correction_keeps_the_facts_of_its_source(workspace: Workspace) -> None:
    before = get_source(workspace, "sources/manual.md").facts
    assert before
    correct(workspace, "manual.md", "filter", read="large filter")
    assert get_source(workspace, "sources/manual.md").facts == before
