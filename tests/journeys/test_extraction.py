"""Extraction tables: asked once, kept, resumed, reviewed, and honest about what is not there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from foundry.errors import (
    ChangedMeanwhile,
    Interrupted,
    ModelTimeout,
    NotFound,
    RuleError,
    SpendingLimitReached,
    UsageError,
)
from foundry.journeys.conversations import list_conversations
from foundry.journeys.extraction import (
    CellDecision,
    TableRequest,
    get_table,
    iterate_rows,
    list_tables,
    remove_table,
    review_cell,
    run_table,
)
from foundry.journeys.extraction.run import MOST_QUESTIONS, lock_table
from foundry.journeys.ingest import ingest
from foundry.ports import Step
from foundry.records import ExtractionCell, ExtractionRow
from foundry.workspace import Workspace, open_workspace
from tests.journeys.conftest import write_project
from tests.support.model_server import Json, ModelServer

SHEET = "sources/datasheet.md"
FUSE = "What is the rating of the input fuse?"
RATE = "What is the refresh rate of the outputs?"
ASKED = TableRequest("facts", (FUSE, RATE))


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    ingest(workspace)
    return workspace


def read_cells(workspace: Workspace, name: str = "facts") -> dict[tuple[str, str], ExtractionCell]:
    rows = iterate_rows(workspace, get_table(workspace, name))
    return {(row.source, cell.question): cell for row in rows for cell in row.cells if cell}


def edit_sheet(workspace: Workspace, old: str, new: str) -> None:
    path = workspace.root / SHEET
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    ingest(workspace)


def decide(verdict: str = "approved", by: str = "Ann", **how: object) -> CellDecision:
    return CellDecision(SHEET, "1", verdict, by, **how)  # type: ignore[arg-type]


def test_a_cell_has_the_sources_own_words_with_their_place(filled: Workspace) -> None:
    run = run_table(filled, ASKED)
    cell = read_cells(filled)[SHEET, FUSE]
    assert (run.asked, run.reused) == (6, 0)
    assert cell.answer.state == "quoted"
    assert cell.value == "The input fuse is rated at 3.15 A slow."
    (quote,) = cell.answer.quotes
    text = filled.store.source_text(cell.source_id)
    assert text[quote.start : quote.end] == quote.text
    assert quote.section == "3.1 Supply"


def test_a_source_without_the_answer_has_an_empty_cell_with_its_reason(filled: Workspace) -> None:
    run_table(filled, ASKED)
    cell = read_cells(filled)["sources/code.txt", RATE]
    assert (cell.answer.state, cell.value, cell.answer.quotes) == ("nothing", "", ())
    assert cell.answer.reasons


def test_what_only_another_source_names_leaves_a_cell_empty(workspace: Workspace) -> None:
    other = "# Supply of lamps\n\n## 3.1 Supply\n\nThe input fuse is rated at 5 A slow.\n"
    (workspace.root / "sources" / "other.md").write_text(other, encoding="utf-8")
    ingest(workspace)
    question = "What is the rating of the input fuse of 3.15 A?"
    run_table(workspace, TableRequest("facts", (question,)))
    answer = read_cells(workspace)["sources/other.md", question].answer
    assert (answer.state, answer.quotes) == ("nothing", ())
    assert [reason.code for reason in answer.reasons] == ["gate-lacking"]


def test_the_row_of_another_article_is_no_value(workspace: Workspace) -> None:
    prices = "# Prices of controllers\n\n| Article | Price |\n|---|---|\n| DX-4-S | 349 EUR |\n"
    (workspace.root / "sources" / "prices.md").write_text(prices, encoding="utf-8")
    ingest(workspace)
    asked = ("What is the price of the DX-4-S?", "What is the price of the DX-4-ER?")
    run_table(workspace, TableRequest("prices", asked))
    cells = read_cells(workspace, "prices")
    assert "349" in cells["sources/prices.md", asked[0]].answer.words
    assert cells["sources/prices.md", asked[1]].value == ""


def test_an_older_revision_answers_in_its_own_row(workspace: Workspace) -> None:
    for mark, value in (("A", "2 A"), ("B", "3 A")):
        text = f"# Charger CH-7\n\nRev. {mark}\n\nThe battery fuse of the charger is rated at {value}.\n"
        (workspace.root / f"sources/charger rev {mark}.md").write_text(text, encoding="utf-8")
    ingest(workspace)
    question = "What is the rating of the battery fuse of the charger?"
    run_table(workspace, TableRequest("fuses", (question,)))
    found = read_cells(workspace, "fuses")
    assert "2 A" in found["sources/charger rev A.md", question].answer.words
    assert "3 A" in found["sources/charger rev B.md", question].answer.words


def test_a_second_run_asks_nothing_and_says_the_same(filled: Workspace) -> None:
    run_table(filled, ASKED)
    first = read_cells(filled)
    run = run_table(filled, ASKED)
    assert (run.asked, run.reused, run.changed) == (0, 6, 0)
    assert read_cells(filled) == first


def test_asking_all_again_gives_the_same_quotations(filled: Workspace) -> None:
    run_table(filled, ASKED)
    run = run_table(filled, replace(ASKED, fresh=True, jobs=3))
    assert (run.asked, run.reused, run.changed) == (6, 0, 0)


def test_a_new_question_is_asked_and_the_others_are_not(filled: Workspace) -> None:
    run_table(filled, TableRequest("facts", (FUSE,)))
    run = run_table(filled, ASKED)
    assert (run.asked, run.reused) == (3, 3)


def test_a_source_that_changed_says_so_and_is_asked_again(filled: Workspace) -> None:
    run_table(filled, ASKED)
    edit_sheet(filled, "3.15 A", "4 A")
    assert read_cells(filled)[SHEET, FUSE].fate == "changed"
    run = run_table(filled, ASKED)
    cell = read_cells(filled)[SHEET, FUSE]
    assert (run.asked, run.changed, cell.fate) == (2, 1, "same")
    assert cell.before
    assert cell.before.value == "The input fuse is rated at 3.15 A slow."
    assert cell.value == "The input fuse is rated at 4 A slow."


def test_a_source_that_is_gone_keeps_its_cells_and_says_so(filled: Workspace) -> None:
    run_table(filled, ASKED)
    source = filled.store.find_source(SHEET)
    assert source
    filled.maintenance().remove_source(source.id)
    run = run_table(filled, ASKED)
    assert run.table.rows == 2
    assert read_cells(filled)[SHEET, FUSE].fate == "gone"


def test_a_source_that_is_removed_while_it_runs_is_counted(filled: Workspace) -> None:
    last = filled.store.list_sources()[-1]

    def remove(step: Step) -> None:
        if step.done == 1:
            filled.maintenance().remove_source(last.id)

    run = run_table(filled, ASKED, progress=remove)
    assert (run.asked, run.gone) == (4, 2)


def test_a_review_holds_whatever_later_runs_find(filled: Workspace) -> None:
    run_table(filled, ASKED)
    review_cell(filled, "facts", decide("corrected", value="3.15 A, slow"))
    edit_sheet(filled, "3.15 A", "4 A")
    run_table(filled, ASKED)
    cell = read_cells(filled)[SHEET, FUSE]
    assert (cell.value, cell.changed_since) == ("3.15 A, slow", True)
    assert cell.review
    assert (cell.review.by, cell.review.seen.value) == (
        "Ann",
        "The input fuse is rated at 3.15 A slow.",
    )
    assert cell.answer.value == "The input fuse is rated at 4 A slow."


def test_a_second_person_learns_that_somebody_decided(filled: Workspace) -> None:
    run_table(filled, ASKED)
    review_cell(filled, "facts", decide())
    with pytest.raises(ChangedMeanwhile, match="Ann has already decided"):
        review_cell(filled, "facts", decide("rejected", "Bob"))
    cell = review_cell(filled, "facts", decide("rejected", "Bob", again=True))
    assert [one.by for one in cell.reviews] == ["Ann", "Bob"]
    assert cell.value == ""


def test_a_review_of_another_answer_than_the_one_read_is_refused(filled: Workspace) -> None:
    run_table(filled, ASKED)
    seen = read_cells(filled)[SHEET, FUSE].answer.version
    edit_sheet(filled, "3.15 A", "4 A")
    run_table(filled, ASKED)
    with pytest.raises(ChangedMeanwhile, match="has changed"):
        review_cell(filled, "facts", decide(seen=seen))


@pytest.mark.parametrize(
    ("row", "column"), [("sources/none.md", "1"), (SHEET, "3"), (SHEET, "0"), (SHEET, "Who?")]
)
def test_an_unknown_cell_is_not_found(filled: Workspace, row: str, column: str) -> None:
    run_table(filled, ASKED)
    with pytest.raises(NotFound):
        review_cell(filled, "facts", CellDecision(row, column, "approved", "Ann"))


@pytest.mark.parametrize("value", ["", "   ", "x" * 5_001])
def test_a_correction_needs_a_value(filled: Workspace, value: str) -> None:
    run_table(filled, ASKED)
    with pytest.raises(UsageError, match="value"):
        review_cell(filled, "facts", decide("corrected", value=value))


def test_a_run_that_is_stopped_keeps_its_cells_and_goes_on(filled: Workspace) -> None:
    def stop(step: Step) -> None:
        if step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="2 of 6"):
        run_table(filled, ASKED, progress=stop)
    assert get_table(filled, "facts").finished is None
    run = run_table(filled, ASKED)
    assert (run.asked, run.reused) == (4, 2)


def test_a_limit_of_spending_keeps_what_is_paid_for_and_goes_on(
    built: Path, server: ModelServer
) -> None:
    environment = {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__ONLINE__MODEL": "openai/gpt-4o",
        "OPENAI_API_KEY": "test",
        "OPENAI_API_BASE": server.openai,
    }
    limited = {**environment, "FOUNDRY_SPENDING__TOKENS_PER_RUN": "2000"}
    wanted = TableRequest("limited", (FUSE, RATE))
    with open_workspace(built, environment=limited, cwd=built) as workspace:
        with pytest.raises(SpendingLimitReached) as stopped:
            run_table(workspace, wanted)
        kept = len(read_cells(workspace, "limited"))
        assert f"{kept} of 6 cells are finished" in stopped.value.fix
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        run = run_table(workspace, wanted)
    assert run.asked + run.reused == 6
    assert run.reused == kept > 0


def test_two_runs_of_a_table_at_once_are_one(filled: Workspace) -> None:
    with lock_table(filled, "facts"), pytest.raises(ChangedMeanwhile, match="running"):
        run_table(filled, ASKED)


def test_a_question_that_is_there_twice_is_asked_once(filled: Workspace) -> None:
    run = run_table(filled, TableRequest("facts", (FUSE, FUSE.lower(), f" {FUSE} ")))
    assert run.table.questions == (FUSE,)
    assert [notice.code for notice in run.notices] == ["table-question-twice"]


@pytest.mark.parametrize(
    "wanted",
    [
        TableRequest("facts"),
        TableRequest("facts", ("",)),
        TableRequest("", (FUSE,)),
        TableRequest("a/b", (FUSE,)),
        TableRequest("x" * 81, (FUSE,)),
        TableRequest("facts", (FUSE,), ("type=pdf",)),
        TableRequest("facts", tuple(f"{FUSE} {n}" for n in range(MOST_QUESTIONS + 1))),
    ],
)
def test_a_table_that_cannot_be_asked_is_refused(filled: Workspace, wanted: TableRequest) -> None:
    with pytest.raises(UsageError):
        run_table(filled, wanted)
    assert list_tables(filled) == []


def test_many_cells_are_counted_before_they_are_asked(
    filled: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.journeys.extraction.run.MOST_UNCONFIRMED", 5)
    with pytest.raises(RuleError, match="6 cells: 3 sources × 2 questions"):
        run_table(filled, ASKED)
    assert run_table(filled, replace(ASKED, confirmed=True)).asked == 6


def test_a_lower_role_asks_only_what_it_sees(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
        source = workspace.store.find_source("sources/code.txt")
        assert source
        workspace.maintenance().update_source(replace(source, confidentiality="secret"))
        assert run_table(workspace, ASKED).table.confidentiality == "secret"
    with open_workspace(root, environment={}, cwd=root, role="public") as workspace:
        with pytest.raises(NotFound):
            get_table(workspace, "facts")
        run = run_table(workspace, ASKED)
        assert (run.table.rows, run.table.confidentiality) == (2, "public")


def test_the_questions_of_a_table_are_in_the_log_as_such(filled: Workspace) -> None:
    run_table(filled, ASKED)
    assert len(filled.store.list_queries(100, kind="table")) == 6


def test_a_removed_table_is_gone(filled: Workspace) -> None:
    run_table(filled, ASKED)
    remove_table(filled, "facts")
    with pytest.raises(NotFound):
        remove_table(filled, "facts")


def test_a_cell_that_failed_says_why_and_is_asked_again(
    filled: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise ModelTimeout("ask-model-failed")

    with monkeypatch.context() as patch:
        patch.setattr("foundry.journeys.extraction.cells.ask", fail)
        assert run_table(filled, ASKED).failed == 6
    cell = read_cells(filled)[SHEET, FUSE]
    assert [reason.code for reason in cell.answer.reasons] == ["ask-model-failed"]
    assert run_table(filled, ASKED).states == {"quoted": 2, "nothing": 4}


# Sections as rows

LEASE = """# Lease

## Rent

The monthly rent is EUR 1,240, payable in advance before the first day of the month.

## Deposit

The security deposit is EUR 2,480 and is returned within 30 days after the end.

### Interest

The yearly interest on the deposit is 2 %.
"""
RENT = "What is the monthly rent?"
LEASED = TableRequest("parts", (RENT,), ("folder=sources/lease",), by="section")


@pytest.fixture
def leased(workspace: Workspace) -> Workspace:
    path = workspace.root / "sources/lease/lease.md"
    path.parent.mkdir()
    path.write_text(LEASE, encoding="utf-8")
    ingest(workspace)
    return workspace


def list_rows(workspace: Workspace) -> list[ExtractionRow]:
    return list(iterate_rows(workspace, get_table(workspace, "parts")))


def test_the_sections_of_a_source_are_rows_in_its_order(leased: Workspace) -> None:
    run = run_table(leased, LEASED)
    rows = list_rows(leased)
    assert [row.section[-1] for row in rows] == ["Rent", "Deposit", "Interest"]
    assert (run.asked, run.table.rows, len({row.row for row in rows})) == (3, 3, 3)
    assert rows[0].name == "Lease › Rent"


def test_a_section_answers_with_its_own_words_alone(leased: Workspace) -> None:
    run_table(leased, LEASED)
    cells = {row.section[-1]: cell for row in list_rows(leased) for cell in row.cells if cell}
    quoted = {name: [one.text for one in cell.answer.quotes] for name, cell in cells.items()}
    assert cells["Rent"].answer.state == "quoted"
    assert "1,240" in str(quoted["Rent"])
    assert "1,240" not in str([quoted["Deposit"], quoted["Interest"]])


def test_the_sections_that_are_known_are_not_asked_again(leased: Workspace) -> None:
    run_table(leased, LEASED)
    assert run_table(leased, TableRequest("parts")).reused == 3


def test_a_cell_of_a_section_is_decided_on_by_its_row(leased: Workspace) -> None:
    run_table(leased, LEASED)
    row = list_rows(leased)[1]
    review_cell(leased, "parts", CellDecision(row.row, "1", "approved", "Ann"))
    assert [bool(one.cells[0] and one.cells[0].review) for one in list_rows(leased)] == [
        False,
        True,
        False,
    ]
    with pytest.raises(NotFound):
        review_cell(leased, "parts", CellDecision(row.source, "1", "approved", "Ann"))


def test_a_table_keeps_its_kind_of_rows(leased: Workspace) -> None:
    run_table(leased, LEASED)
    with pytest.raises(UsageError, match="sections"):
        run_table(leased, TableRequest("parts", by="source"))


def test_a_section_that_is_renamed_keeps_its_cells_last(leased: Workspace) -> None:
    run_table(leased, LEASED)
    path = leased.root / "sources/lease/lease.md"
    path.write_text(LEASE.replace("## Rent", "## Price"), encoding="utf-8")
    ingest(leased)
    run_table(leased, TableRequest("parts"))
    assert [row.section[-1] for row in list_rows(leased)] == [
        "Price",
        "Deposit",
        "Interest",
        "Rent",
    ]


def test_another_wording_of_the_same_evidence_has_the_same_quotations(
    built: Path, server: ModelServer
) -> None:
    said = "The input fuse is rated at 3.15 A slow."
    wordings = (said, f"According to the data sheet, {said}")
    server.script(*(Json({"sentences": [{"text": one, "citations": ["S1"]}]}) for one in wordings))
    environment = {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__ONLINE__MODEL": "openai/gpt-4o",
        "FOUNDRY_MODELS__CACHE": "false",
        "FOUNDRY_VALIDATION__VERIFIER": "none",
        "OPENAI_API_KEY": "test",
        "OPENAI_API_BASE": server.openai,
    }
    wanted = TableRequest("twice", (FUSE,), (f"source={SHEET}",), fresh=True)
    quotes = []
    with open_workspace(built, environment=environment, cwd=built) as workspace:
        for _ in wordings:
            run_table(workspace, wanted)
            quotes.append(read_cells(workspace, "twice")[SHEET, FUSE].answer.quotes)
    assert quotes[0] == quotes[1] != ()


def test_the_questions_of_a_table_are_no_conversations(filled: Workspace) -> None:
    run_table(filled, ASKED)
    assert list_conversations(filled, "", limit=10) == []
