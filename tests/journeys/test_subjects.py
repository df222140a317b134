"""Sister documents: what a question names decides whose passages are found and quoted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.journeys.search import search
from foundry.records import Hit
from foundry.workspace import Workspace, open_workspace
from tests.journeys.conftest import write_project

REPORT = """# {name}: annual report {year}

## Taxes

{rest} The effective tax rate was {rate} % in fiscal year {year}, compared with {before} % in the
fiscal year before. Deferred taxes are explained in the notes.

## Business

{business}
"""
REPORTS = {
    "vellum-2022": REPORT.format(
        name="Vellum Paper Inc.", year=2022, rate=15, before=14, business="The mills make paper.",
        rest="Taxes are paid in two countries.",
    ),
    "vellum-2023": REPORT.format(
        name="Vellum Paper Inc.", year=2023, rate=18, before=15, business="The mills make paper.",
        rest="Taxes are paid in two countries.",
    ),
    "corda-2022": REPORT.format(
        name="Corda Ropes N.V.", year=2022, rate=27, before=26, business="Ropes are laid by hand.",
        rest="The Company's taxes fell. Tax rates of the Company follow from tax law.",
    ),
}  # fmt: skip
MANUAL = "# Loom DX-9 service manual\n\n{mark}\n\n## Fuse\n\n{text}\n"
REPORTS |= {
    "loom-a": MANUAL.format(
        mark="Revision A, 3 March 2024", text="The input fuse of the loom is rated at 2 A slow."
    ),
    "loom-b": MANUAL.format(
        mark="Revision B, 9 May 2025", text="A fuse of 4 A protects the input. It is a slow one."
    ),
}
REPORTS["wet"] = (
    "# Wet op het weefgetouw\n\nHet Bureau Onderhoud Getouwen (BOG) houdt toezicht.\n\n"
    "## Keuring\n\nHet Bureau Onderhoud Getouwen keurt elk getouw om de zes jaar.\n"
)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of two companies, one of them in two years."""
    root = write_project(tmp_path_factory.mktemp("sisters") / "project")
    for name, text in REPORTS.items():
        (root / "sources" / f"{name}.md").write_text(text, encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
    return root


@pytest.fixture
def sisters(reports: Path) -> Iterator[Workspace]:
    with open_workspace(reports, environment={}, cwd=reports) as workspace:
        yield workspace


def find_first(workspace: Workspace, question: str) -> Hit:
    return search(workspace, question).hits[0]


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("What was Vellum's effective tax rate in FY2022?", "vellum-2022"),
        ("What was Vellum's effective tax rate in fiscal 2023?", "vellum-2023"),
        ("effective tax rate of corda", "corda-2022"),
        ("Wat was het effectieve belastingtarief van Corda in boekjaar 2022?", "corda-2022"),
    ],
)
def test_the_first_hit_is_of_the_named_company_and_year(
    sisters: Workspace, question: str, source: str
) -> None:
    hit = find_first(sisters, question)
    assert (hit.source.path, hit.fit.verdict) == (f"sources/{source}.md", "fits")


def test_a_hit_of_another_company_says_so(sisters: Workspace) -> None:
    hits = search(sisters, "What was Vellum's effective tax rate?").hits
    verdicts = {hit.source.path: hit.fit.verdict for hit in hits}
    assert verdicts["sources/corda-2022.md"] == "other"


def test_a_fiscal_year_in_short_is_answered(sisters: Workspace) -> None:
    answer = ask(sisters, "What was Vellum's effective tax rate in FY22?")
    assert answer.verdict == "passages"
    assert any("15 %" in line.text for line in answer.passages[0].lines)


def test_an_answer_quotes_no_other_companys_report(sisters: Workspace) -> None:
    answer = ask(sisters, "What was Vellum's effective tax rate?")
    assert {cited.evidence.hit.source.path for cited in answer.sources} <= {
        "sources/vellum-2022.md",
        "sources/vellum-2023.md",
    }
    dropped = {str(item.reason) for item in answer.dropped}
    assert "“Corda Ropes N.V.: annual report 2022” is not about Vellum" in dropped


def test_a_year_that_no_report_has_is_said(sisters: Workspace) -> None:
    gate = search(sisters, "What was the effective tax rate in 2016?").gate
    assert "No passage found has: 2016." in map(str, gate.reasons)


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("What is the input fuse of the loom rated at?", "loom-b"),
        ("What is the input fuse of the loom rated at in revision A?", "loom-a"),
    ],
)
def test_the_latest_revision_comes_first_unless_another_is_asked_for(
    sisters: Workspace, question: str, source: str
) -> None:
    assert find_first(sisters, question).source.path == f"sources/{source}.md"


def test_a_misspelt_name_finds_its_document_and_says_so(sisters: Workspace) -> None:
    result = search(sisters, "What was Velum's effective tax rate in FY2022?")
    assert result.hits[0].source.path == "sources/vellum-2022.md"
    assert "“Velum's” was also searched as “vellum”." in map(str, result.notices)


def test_an_abbreviation_is_searched_as_what_a_source_defines_it(sisters: Workspace) -> None:
    words = search(sisters, "Hoe vaak keurt het BOG een getouw?").question.words
    terms = {word.word: word.terms for word in words}
    assert {"bog", "bureau"} <= set(terms["BOG"])


def test_what_is_left_out_for_one_reason_is_one_note(sisters: Workspace) -> None:
    notices = list(map(str, ask(sisters, "What was the tax rate of Corda in 2022?").notices))
    (note,) = [notice for notice in notices if "left out" in notice]
    assert "vellum-2022.md, " in note
    assert note.endswith("were left out: not about Corda.")


COVER = "Ostrel Mining plc certifies item {n} of this Form 10-Q of Ostrel for Q3 2022."
NOTE = "Pit {n} sold {n}00 tonnes of ore, and its suppliers were paid within {n} weeks."


@pytest.fixture
def filing(tmp_path: Path) -> Iterator[Workspace]:
    """A report whose cover and certification repeat what it is; its figures say nothing of that."""
    cover = " ".join(COVER.format(n=n) for n in range(2, 160))
    notes = " ".join(NOTE.format(n=n) for n in range(2, 50))
    flows = "Operating activities provided 412 million, investing used 95 million."
    text = f"# Ostrel Mining plc: Form 10-Q, Q3 2022\n\n{cover}\n\n## Certification\n\n{cover}\n\n"
    root = write_project(tmp_path / "project")
    (root / "sources/ostrel.md").write_text(f"{text}## Cash\n\n{notes} {flows}\n", encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
        yield workspace


def test_what_names_a_document_does_not_rank_its_passages(filing: Workspace) -> None:
    question = "What did Ostrel report as net cash from operating activities in its Q3 2022 10-Q?"
    assert all("Pit" in hit.chunk.content for hit in search(filing, question).hits[:2])
