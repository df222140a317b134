"""A text verified against a small bilingual project, statement by statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fpdf import FPDF

from foundry.errors import ConfigError, IndexMissing, ReadError, RuleError, StoreError, UsageError
from foundry.journeys.ingest import ingest
from foundry.journeys.verify import verify
from foundry.ports import Step
from foundry.records import CheckedStatement, Filters, Verification
from foundry.workspace import Workspace, open_workspace
from tests.journeys.answers import judged, online
from tests.journeys.conftest import SOURCES
from tests.readers.pdf_files import encrypted, save
from tests.support.model_server import Json, ModelServer, Request

Verify = Callable[..., Verification]

FUSE = "The input fuse is rated at 3.15 A slow"


@pytest.fixture
def workspace(asked: Workspace) -> Workspace:
    """The ingested project."""
    return asked


@pytest.fixture
def check(workspace: Workspace, tmp_path: Path) -> Verify:
    """Verify a text as a Markdown file outside the project."""

    def run(text: str, name: str = "text.md", **options: object) -> Verification:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return verify(workspace, path, **options)  # type: ignore[arg-type]

    return run


def test_a_judge_reads_more_than_the_passage_with_most_words(
    built: Path, server: ModelServer, tmp_path: Path
) -> None:
    path = tmp_path / "text.md"
    path.write_text("The controller may not run on solvents for its coat.", encoding="utf-8")
    quote = "Gebruik nooit oplosmiddelen, want die tasten de lak aan."

    def play(request: Request) -> Json:
        passage = next(line for line in request.prompt.splitlines() if quote in line)
        return judged(("supported", quote), passage=passage.split("|")[0])

    server.default = play
    with online(built, server, FOUNDRY_VALIDATION__VERIFIER="openai/judge") as workspace:
        found = only(verify(workspace, path))
    assert (found.check.verdict, found.check.carried_by) == ("supported", ("sources/onderhoud.md",))
    assert found.hit is not None
    assert found.hit.source.path == "sources/onderhoud.md"


def only(verification: Verification) -> CheckedStatement:
    (statement,) = verification.statements
    return statement


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"{FUSE}.", "exact"),
        ("The input fuse is rated at 6.3 A slow.", "contradicted"),
        ("The input fuse is rated at 3.15 mA slow.", "contradicted"),
        ("Reinig de behuizing elke zes maanden met een droge doek.", "exact"),
        ("Reinig de behuizing elke acht maanden met een droge doek.", "contradicted"),
        ("A slow fuse of 3.15 A protects the input.", "unclear"),
        ("The dome of the observatory opens at dusk.", "unclear"),
    ],
)
def test_a_statement_is_exact_contradicted_or_left_to_a_reader(
    check: Verify, text: str, verdict: str
) -> None:
    assert only(check(text)).check.verdict == verdict


def test_the_support_of_a_statement_is_quoted_from_its_source(
    check: Verify, workspace: Workspace
) -> None:
    found = only(check(f"{FUSE}."))
    quote = found.check.quotes[0]
    assert found.hit is not None
    assert found.check.carried_by == ("sources/datasheet.md",)
    assert workspace.store.source_text(found.hit.source.id)[quote.start : quote.end] == quote.text
    assert quote.section == "3.1 Supply"


def test_a_wrong_number_comes_with_the_contradicting_passage(check: Verify) -> None:
    found = only(check("The input fuse is rated at 6.3 A slow."))
    assert "3.15 A" in found.check.quotes[0].text
    assert found.check.differs is not None
    assert "3.15 A" in found.check.differs
    assert "6.3 A" in str(found.check.reason)


def test_a_statement_that_cites_the_wrong_source_names_the_right_one(check: Verify) -> None:
    text = f"{FUSE}.[^1]\n\n[^1]: onderhoud.md §1, p. 2\n"
    found = only(check(text)).check
    assert found.verdict == "misattributed"
    assert found.citations == ("sources/onderhoud.md",)
    assert found.carried_by == ("sources/datasheet.md",)
    assert "onderhoud.md does not support it" in str(found.reason)


def test_a_statement_that_cites_the_right_source_is_exact(check: Verify) -> None:
    found = only(check(f"{FUSE} [source: DX-4 datasheet, p. 1]."))
    assert (found.check.verdict, found.check.citations) == ("exact", ("sources/datasheet.md",))


def test_a_citation_that_names_no_source_is_reported(check: Verify) -> None:
    verification = check(f"{FUSE} [source: brochure.pdf].")
    assert only(verification).check.verdict == "exact"
    assert any("brochure.pdf" in str(notice) for notice in [*map(str, verification.notices)])


def test_coverage_counts_what_is_exact(check: Verify) -> None:
    verification = check(f"{FUSE}. The input fuse is rated at 6.3 A slow. Is it?")
    assert (verification.coverage, verification.passed) == (0.5, False)
    assert (verification.exact, verification.judged) == (0.5, 0.0)
    assert {key: n for key, n in verification.counts.items() if n} == {
        "exact": 1, "contradicted": 1,
    }  # fmt: skip
    assert [str(skipped.reason) for skipped in verification.skipped] == ["question"]


def test_a_text_without_statements_has_no_coverage_and_does_not_pass(check: Verify) -> None:
    verification = check("# Title\n\nIs it?\n")
    assert (verification.coverage, verification.passed) == (None, False)


def test_a_source_is_not_evidence_for_itself(workspace: Workspace, built: Path) -> None:
    verification = verify(workspace, built / "sources" / "code.txt")
    assert verification.counts["exact"] == 0
    assert any("itself a source" in str(notice) for notice in [*map(str, verification.notices)])


def test_a_copy_of_a_source_is_not_evidence_for_itself(check: Verify) -> None:
    verification = check(SOURCES["code.txt"], "copy.txt")
    assert verification.counts["exact"] == 0


def test_filters_limit_the_evidence(check: Verify) -> None:
    filters = Filters(sources=("sources/onderhoud.md",))
    assert only(check(f"{FUSE}.", filters=filters)).check.verdict != "exact"


def test_a_verification_is_logged_without_its_text(check: Verify, workspace: Workspace) -> None:
    check(f"{FUSE}.", name="letter.md")
    logged = workspace.store.list_queries(1)[0]
    assert (logged.kind, logged.attribution_coverage) == ("verify", 1.0)
    assert logged.query.endswith("letter.md")
    assert logged.checks["exact"] == 1
    assert logged.timings_ms["total"] > 0
    assert logged.answer is None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.md", b"", "empty"),
        ("blank.md", b" \n\n", "no text"),
        ("binary.md", b"%PDF-1.4 \x00\x01", "not a text file"),
        ("file.xyz", b"text", "cannot read .xyz"),
        ("broken.docx", b"PK\x03\x04 nothing", "damaged"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_with_its_name(
    workspace: Workspace, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ReadError, match=message) as raised:
        verify(workspace, tmp_path / name, name=name)
    assert raised.value.where == name


def test_an_encrypted_file_says_so(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"(?i)password|encrypted"):
        verify(workspace, encrypted(tmp_path / "secret.pdf", "opensesame"))


@pytest.mark.parametrize("name", ["", "nothing.md"])
def test_a_folder_or_a_missing_file_is_a_usage_error(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    with pytest.raises(UsageError):
        verify(workspace, tmp_path / name)


def test_a_huge_file_is_refused_before_it_is_read(built: Path, tmp_path: Path) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(2_000_000)
    environment = {"FOUNDRY_INGEST__MAX_FILE_MB": "1"}
    with (
        open_workspace(built, environment=environment, cwd=built) as workspace,
        pytest.raises(ReadError, match="too large"),
    ):
        verify(workspace, tmp_path / "huge.md")


def test_an_old_encoding_is_read(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(
        "Bewaar de regelaar droog bij een temperatuur tussen 5 en 40 graden, à propos.".encode(
            "cp1252"
        )
    )
    assert len(verify(workspace, path).statements) == 1


def test_without_an_index_verification_stops(project: Path, workspace: Workspace) -> None:
    with (
        open_workspace(project, environment={}, cwd=project) as fresh,
        pytest.raises(IndexMissing, match="foundry ingest"),
    ):
        verify(fresh, project / "foundry.yaml")


def test_a_project_without_sources_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_empty}\nretrieval: {mode: bm25}\n")
    (tmp_path / "a.md").write_text("It is so.\n")
    with (
        open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace,
        pytest.raises(StoreError, match="no sources"),
    ):
        verify(workspace, tmp_path / "a.md")


def test_the_only_source_cannot_be_verified(built: Path, workspace: Workspace) -> None:
    filters = Filters(sources=("sources/code.txt",))
    with pytest.raises(RuleError, match="No source is left"):
        verify(workspace, built / "sources" / "code.txt", filters=filters)


TABLE = """# Data

| Property | Min | Max | Unit |
|---|---|---|---|
| Relative humidity | 5 | 90 | % |
| Supply voltage | 18 | 32 | V |
| Start-up voltage | 20 | 36 | V |
"""
SCATTERED = (
    "# Relays\n\nThe relay contacts carry 2 A.\n\n# Filters\n\n"
    "A filter for mains voltage is suitable for any supply.\n"
)
DENIED = "The relay contacts are not suitable for mains voltage.\n"


@pytest.fixture(scope="module")
def tabled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A project with a table and with two sources that contradict each other."""
    root = tmp_path_factory.mktemp("tabled")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_tabled}\n")
    for name, text in (("a.md", TABLE), ("b.md", SCATTERED), ("c.md", DENIED)):
        (root / "sources" / name).write_text(text)
    with open_workspace(root, environment={}, cwd=root) as opened:
        ingest(opened)
        yield opened


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ("| Supply voltage | 18 | 32 | V |", "exact"),
        ("| Supply voltage | 19 | 32 | V |", "contradicted"),
        ("| Supply voltage | 18 | 32 | mV |", "unclear"),
    ],
)
def test_a_row_is_compared_with_a_row(
    tabled: Workspace, tmp_path: Path, row: str, verdict: str
) -> None:
    head = "| Property | Min | Max | Unit |\n|---|---|---|---|\n"
    (tmp_path / "row.md").write_text(f"{head}{row}\n")
    assert only(verify(tabled, tmp_path / "row.md")).check.verdict == verdict


def test_a_row_put_together_from_two_rows_is_not_exact(tabled: Workspace, tmp_path: Path) -> None:
    text = "| Property | Min | Max |\n|---|---|---|\n| Supply voltage | 18 V | 36 V |\n"
    (tmp_path / "row.md").write_text(text)
    assert only(verify(tabled, tmp_path / "row.md")).check.verdict != "exact"


def test_a_row_is_left_open_where_another_source_has_one_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "foundry.yaml").write_text("project: {id: prj_parts}\n")
    for name, number in (("wiring", 20), ("valve", 3)):
        text = f"# Parts of the {name}\n\n| Item | Quantity |\n|---|---|\n| A1 | {number} |\n"
        (tmp_path / "sources" / f"{name}.md").write_text(text)
    for text, verdict in (("The quantity of A1 is 20.", "unclear"),
                          ("The quantity of A1 of the wiring is 20.", "exact")):  # fmt: skip
        (tmp_path / "claim.md").write_text(f"{text}\n")
        with open_workspace(tmp_path, environment={}, cwd=tmp_path) as workspace:
            ingest(workspace)
            assert only(verify(workspace, tmp_path / "claim.md")).check.verdict == verdict


def test_scattered_words_do_not_hide_a_sentence_that_contradicts(
    tabled: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("The relay contacts are suitable for mains voltage.\n")
    found = only(verify(tabled, tmp_path / "a.md")).check
    assert found.verdict == "contradicted"
    assert found.quotes[0].text == DENIED.strip()


@pytest.fixture(scope="module")
def paged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A project with two manuals of two pages."""
    root = tmp_path_factory.mktemp("paged")
    (root / "sources").mkdir()
    (root / "foundry.yaml").write_text("project: {id: prj_paged}\n")
    cared = "Clean the housing every six months."
    for name, volts, more in (("pump", 24, ""), ("valve", 48, f" {cared}")):
        pdf = FPDF()
        pdf.set_font("Helvetica", size=12)
        for line in (f"The {name} runs on a supply of {volts} V DC.{more}", cared):
            pdf.add_page()
            pdf.multi_cell(0, 10, line)
        save(pdf, root / "sources" / f"{name}.pdf")
    with open_workspace(root, environment={}, cwd=root) as opened:
        ingest(opened)
        yield opened


@pytest.mark.parametrize(("page", "verdict"), [("1", "exact"), ("2", "misattributed")])
def test_the_page_of_a_citation_is_checked(
    paged: Workspace, tmp_path: Path, page: str, verdict: str
) -> None:
    (tmp_path / "a.md").write_text(f"The pump runs on a supply of 24 V DC (pump.pdf, p. {page}).\n")
    found = only(verify(paged, tmp_path / "a.md")).check
    assert found.verdict == verdict
    assert ("page 1" in str(found.reason)) is (verdict == "misattributed")


def test_a_sentence_on_two_pages_may_be_cited_from_either(paged: Workspace, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Clean the housing every six months (valve.pdf, p. 2).\n")
    found = only(verify(paged, tmp_path / "a.md")).check
    assert (found.verdict, found.quotes[0].page) == ("exact", 2)


def test_a_sentence_is_searched_first_in_the_source_that_its_section_names(
    paged: Workspace, tmp_path: Path
) -> None:
    text = "# Notes\n\nAll of this is in valve.pdf.\n\nClean the housing every six months.\n"
    (tmp_path / "a.md").write_text(text)
    assert verify(paged, tmp_path / "a.md").statements[-1].check.carried_by == (
        "sources/valve.pdf",
    )


def test_what_is_left_to_a_reader_comes_with_the_passages_to_read(check: Verify) -> None:
    found = only(check("A slow fuse of 3.15 A protects the input."))
    assert found.nearest[0].nearest is not None
    assert FUSE in found.nearest[0].nearest.text
    assert "3.15 A" in found.check.shared
    assert "protects" in found.check.missing


def test_a_statement_with_a_number_that_is_in_no_source_is_open_whatever_a_judge_says(
    check: Verify,
) -> None:
    found = only(check("The catalogue lists article 4455 for cleaning the housing.")).check
    assert (found.verdict, found.reason.code) == ("unclear", "claim-figure-absent")
    assert "'4455'" in str(found.reason)


def test_a_value_that_only_another_passage_has_is_not_called_absent(check: Verify) -> None:
    found = only(check("The cleaning of the housing every six months costs 7781 in all.")).check
    assert found.verdict == "unclear"


def test_a_difference_of_two_cells_is_shown_and_left_to_a_reader(
    tabled: Workspace, tmp_path: Path
) -> None:
    said = "The supply voltage of 32 V exceeds the start-up voltage of 18 V by 14 V."
    table = "| In millions | 2023 | 2022 |\n|---|---|---|\n"
    (tmp_path / "a.md").write_text(f"{table}{said}\n")
    assert all(
        item.check.verdict != "exact" for item in verify(tabled, tmp_path / "a.md").statements
    )


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n***\n\n!!! note\n",
        "<td>x</td> <tr class='odd'>\n",
        f"{'very ' * 600}long.\n",
        "S1 [S3].\n",
    ],
    ids=["marks", "markup", "3,000 characters", "labels"],
)
def test_what_states_nothing_is_never_exact(check: Verify, text: str) -> None:
    verification = check(text)
    assert {item.check.verdict for item in verification.statements} <= {"unclear"}


def write_text(tmp_path: Path, *statements: str) -> Path:
    path = tmp_path / "text.md"
    path.write_text("\n\n".join(statements), encoding="utf-8")
    return path


def test_a_caller_chooses_the_judge(built: Path, server: ModelServer, tmp_path: Path) -> None:
    path = write_text(tmp_path, "A slow fuse of 3.15 A protects the input.")
    server.default = judged(("supported", FUSE))
    with online(built, server) as workspace:
        chosen = verify(workspace, path, judge="openai/judge")
        without = verify(workspace, path)
    assert (only(chosen).check.verdict, chosen.judge) == ("supported", "openai/judge")
    assert (only(without).check.verdict, without.judge) == ("unclear", None)


def test_a_caller_does_without_the_configured_judge(
    built: Path, server: ModelServer, tmp_path: Path
) -> None:
    path = write_text(tmp_path, "A slow fuse of 3.15 A protects the input.")
    with online(built, server, FOUNDRY_VALIDATION__VERIFIER="openai/judge") as workspace:
        verify(workspace, path, judge="none")
    assert server.requests == []


@pytest.mark.parametrize("judge", ["builtin/passages", "same"])
def test_a_judge_must_be_a_language_model(workspace: Workspace, tmp_path: Path, judge: str) -> None:
    with pytest.raises(UsageError) as caught:
        verify(workspace, write_text(tmp_path, FUSE), judge=judge)
    assert caught.value.problem.code == "verify-judge-is-no-model"


def test_a_remote_judge_is_refused_offline(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="openai/judge"):
        verify(workspace, write_text(tmp_path, FUSE), judge="openai/judge")


def test_a_limit_of_spending_leaves_the_rest_unjudged_and_says_how_many(
    built: Path, server: ModelServer, tmp_path: Path
) -> None:
    path = write_text(tmp_path, *(f"Fuse {'I' * n} protects the input." for n in range(1, 31)))
    server.default = replace(judged(*[("supported", FUSE)] * 25), completion_tokens=11_000)
    limit = {
        "FOUNDRY_SPENDING__TOKENS_PER_RUN": "12000",
        "FOUNDRY_MODELS__WINDOWS": '{"openai/judge": 32000}',
    }
    with online(built, server, **limit) as workspace:
        found = verify(workspace, path, judge="openai/judge")
    assert len(server.requests) == 1
    codes = [notice.code for notice in found.notices]
    assert codes == ["writing-judge-failed", "verify-not-judged"]
    assert (found.unjudged, found.notices[1].params["number"]) == (5, 5)


def test_judging_a_long_text_shows_its_progress(
    built: Path, server: ModelServer, tmp_path: Path
) -> None:
    path = write_text(tmp_path, *(f"Fuse {'I' * n} protects the input." for n in range(1, 31)))
    steps: list[Step] = []
    with online(built, server) as workspace:
        verify(workspace, path, judge="openai/judge", progress=steps.append)
    judged = [(step.done, step.total) for step in steps if step.phase == "judge"]
    assert judged == [(0, 30), (25, 30), (30, 30)]
