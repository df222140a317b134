"""``foundry verify`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import READ, Run

GOOD = "The input fuse is rated at 3.15 A slow."
WRONG = "The input fuse is rated at 6.3 A slow."


@pytest.fixture
def letter(project: Path, tmp_path: Path) -> Path:
    """A text outside the project with one statement of each kind."""
    path = tmp_path / "letter.md"
    text = f"# Letter\n\n{GOOD} {WRONG}\n\n{GOOD} [source: onderhoud.md]\n\nIs it?\n"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_prints_the_documented_json_and_exits_with_1(run: Run, letter: Path) -> None:
    outcome = run("verify", letter, "--json")
    assert outcome.status == 1
    assert MODELS["verify"].model_validate(outcome.json)
    assert [one["verdict"] for one in outcome.json["statements"]] == [
        "exact", "contradicted", "misattributed",
    ]  # fmt: skip
    assert (outcome.json["coverage"], outcome.json["passed"]) == (0.3333, False)


def test_a_quote_is_at_its_offsets_in_the_source(run: Run, letter: Path) -> None:
    first = run("verify", letter, "--json").json["statements"][0]
    assert READ[first["char_start"] : first["char_end"]] == first["quote"]
    assert first["source"]["source"] == "sources/datasheet.md"
    assert first["line"] == 3


def test_enough_support_exits_with_0(run: Run, project: Path) -> None:
    (project / "good.txt").write_text(GOOD, encoding="utf-8")
    outcome = run("verify", "good.txt")
    assert outcome.status == 0
    assert "1 exact" in outcome.out
    assert "Coverage 100%" in outcome.out


def test_problems_come_first_with_what_the_source_says(run: Run, letter: Path) -> None:
    outcome = run("verify", letter)
    assert outcome.out.startswith("✗ contradicted — line 3, Letter\n")
    assert "“The input fuse is rated at 3.15 A slow.”" in outcome.out
    assert "≠ misattributed — line 5" in outcome.out
    assert "✓ exact" not in outcome.out
    assert (
        "Coverage 33.3% (exact 33.3%, judged 0%): below validation.min_attribution (90%)."
        in outcome.out
    )


def test_verbose_shows_what_is_supported_and_what_was_skipped(run: Run, letter: Path) -> None:
    out = run("verify", letter, "-v").out
    assert "✓ exact — line 3, Letter" in out
    assert "line 7, question: Is it?" in out


def test_standard_input_is_a_text(run: Run, project: Path) -> None:
    outcome = run("verify", "-", "--json", text=GOOD)
    assert outcome.status == 0
    assert outcome.json["file"] == "standard input"


@pytest.mark.parametrize("text", ["", "  \n", b"%PDF-1.4 \x00"])
def test_standard_input_that_is_not_text_is_an_error(
    run: Run, project: Path, text: str | bytes
) -> None:
    outcome = run("verify", "-", "--json", text=text)
    assert outcome.status in {1, 2}
    assert outcome.json["error"]["where"] == "standard input"


def test_nothing_to_check_says_so_and_exits_with_1(run: Run, project: Path) -> None:
    (project / "title.md").write_text("# Title\n")
    outcome = run("verify", "title.md")
    assert outcome.status == 1
    assert outcome.out.startswith("Nothing to check: title.md contains no statements.")
    assert run("verify", "title.md", "--json").json["coverage"] is None


def test_a_word_document_is_checked_with_its_lists_and_tables(run: Run, project: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The controller has:")
    document.add_paragraph("a supply of 12 V DC", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, words in zip(
        (cell for row in table.rows for cell in row.cells),
        ("Part", "Rating", "Input fuse", "3.15 A slow"),
        strict=True,
    ):
        cell.paragraphs[0].add_run(words).bold = words in {"Part", "Rating"}
    document.save(str(project / "report.docx"))
    found = run("verify", "report.docx", "--json").json["statements"]
    assert [one["text"] for one in found] == [
        "The controller has: a supply of 12 V DC", "Input fuse; Rating: 3.15 A slow",
    ]  # fmt: skip
    assert {one["verdict"] for one in found} == {"unclear"}


def test_a_missing_file_is_wrong_usage(run: Run, project: Path) -> None:
    outcome = run("verify", "nothing.md", "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["where"] == "nothing.md"


def test_filters_and_role_are_those_of_search(run: Run, letter: Path) -> None:
    outcome = run("verify", letter, "--filter", "source=sources/onderhoud.md", "--json")
    assert outcome.json["counts"]["exact"] == 0
    assert run("verify", letter, "--filter", "colour=red").status == 2


def test_it_is_listed_in_the_log_with_its_coverage(run: Run, letter: Path) -> None:
    run("verify", letter)
    (entry,) = run("log", "list", "--kind", "verify", "--json").json["queries"]
    assert entry["checks"] == {"contradicted": 1, "exact": 1, "misattributed": 1}
    assert "33%" in run("log", "list").out
