"""``foundry verify`` in other formats: SARIF for code hosts, comments in a Word file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import docx
import jsonschema
import pytest

from foundry.errors import ChangedMeanwhile
from foundry.journeys.verify import annotate, verify
from foundry.workspace import open_workspace
from tests.faces.conftest import Run

GOOD = "The input fuse is rated at 3.15 A slow."
WRONG = "The input fuse is rated at 6.3 A slow."
OPEN = "The dome opens at dusk."


def require(*names: str, **properties: object) -> dict[str, Any]:
    return {"type": "object", "required": list(names), "properties": properties}


TEXT = require("text", text={"type": "string", "minLength": 1})
COUNT = {"type": "integer", "minimum": 1}
ARTIFACT = require("uri", uri={"type": "string", "format": "uri-reference", "pattern": "^[^ ]+$"})
PLACE = require(
    "artifactLocation",
    artifactLocation=ARTIFACT,
    region=require("startLine", startLine=COUNT, startColumn=COUNT, endLine=COUNT, endColumn=COUNT),
)
LOCATION = require("physicalLocation", physicalLocation=PLACE, message=TEXT)
LEVELS = {"enum": ["none", "note", "warning", "error"]}
RULE = require("id", "shortDescription", "help", id={"type": "string"}, help=TEXT)
RESULT = require(
    *("ruleId", "ruleIndex", "level", "message", "locations"),
    level=LEVELS,
    message=TEXT,
    locations={"type": "array", "minItems": 1, "items": LOCATION},
    relatedLocations={"type": "array", "items": LOCATION, "uniqueItems": True},
)
DRIVER = require("name", "rules", rules={"type": "array", "items": RULE, "uniqueItems": True})
RUN = require("tool", "results", tool=require("driver", driver=DRIVER), results={"items": RESULT})
SARIF = require(
    *("version", "runs"), version={"const": "2.1.0"}, runs={"items": RUN, "minItems": 1}
)
"""What readers of SARIF need of a log, from the standard (OASIS, 2.1.0)."""


@pytest.fixture
def letter(project: Path) -> Path:
    path = project / "letter.md"
    path.write_text(f"# Letter\n\n{GOOD} {WRONG}\n\n{OPEN}\n", encoding="utf-8")
    return path


@pytest.fixture
def report(project: Path) -> Path:
    path = project / "report.docx"
    document = docx.Document()
    document.add_paragraph(f"{GOOD} {WRONG} {OPEN}")
    document.save(str(path))
    return path


def test_sarif_has_a_result_for_each_statement_that_the_sources_do_not_say(
    run: Run, letter: Path
) -> None:
    outcome = run("verify", letter.name, "--format", "sarif")
    jsonschema.validate(outcome.json, SARIF)
    assert outcome.status == 1
    (found,) = outcome.json["runs"]
    assert [(one["ruleId"], one["level"], one["kind"]) for one in found["results"]] == [
        ("contradicted", "error", "fail"), ("unclear", "warning", "fail"),
    ]  # fmt: skip
    rules = found["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in found["results"])


def test_sarif_marks_the_lines_and_columns_of_the_statement(run: Run, letter: Path) -> None:
    result = run("verify", letter.name, "--format", "sarif").json["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]
    region = place["region"]
    line = letter.read_text(encoding="utf-8").split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == WRONG
    assert place["artifactLocation"] == {"uri": "letter.md"}


def test_sarif_relates_the_nearest_passages_with_their_words(run: Run, letter: Path) -> None:
    result = run("verify", letter.name, "--format", "sarif").json["runs"][0]["results"][0]
    related = result["relatedLocations"][0]
    artifact = related["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "sources/datasheet.md", "uriBaseId": "PROJECT"}
    assert "3.15 A slow" in related["message"]["text"]
    assert related["properties"]["quote"] == GOOD


def test_sarif_has_what_passed_too_if_more_is_asked(run: Run, letter: Path) -> None:
    results = run("verify", letter.name, "--format", "sarif", "-v").json["runs"][0]["results"]
    passed = [one for one in results if one["ruleId"] == "exact"]
    assert [(one["kind"], one["level"]) for one in passed] == [("pass", "none")]


def test_a_word_file_gets_comments_in_a_copy(run: Run, report: Path) -> None:
    before = report.read_bytes()
    outcome = run("verify", report.name, "--format", "docx", "-o", "reviewed.docx")
    assert (outcome.status, "reviewed.docx with 2 comments" in outcome.out) == (1, True)
    copied = docx.Document(str(report.with_name("reviewed.docx")))
    said = [comment.text.split("\n")[0] for comment in copied.comments]
    assert said == ["✗ contradicted", "? read these"]
    assert copied.paragraphs[0].text == docx.Document(io.BytesIO(before)).paragraphs[0].text
    assert report.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("letter.md --format docx -o copy.docx", "is not a Word file"),
        ("report.docx --format docx", "Give --output PATH"),
        ("report.docx --format docx -o copy.pdf", "does not fit a report"),
        ("report.docx -o copy.docx", "does not fit a report"),
        ("report.docx --format docx -o report.docx", "would replace the file"),
        ("letter.md -o letter.md", "would replace the file"),
        ("letter.md --format sarif --json", "were both given"),
        ("letter.md -o /etc/report.txt", "outside the folders"),
        ("letter.md --judge builtin/passages", "not a language model"),
        ("letter.md --server http://127.0.0.1:1 --format sarif", "as text or JSON"),
        ("letter.md --server http://127.0.0.1:1 --judge openai/x", "its own model"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_verified(
    run: Run, letter: Path, report: Path, words: str, said: str
) -> None:
    outcome = run("verify", *words.split())
    assert outcome.status != 0
    assert said in outcome.err + outcome.out
    assert run("log", "list", "--kind", "verify", "--json").json["queries"] == []


def test_a_report_is_written_to_a_file_and_replaces_none_unasked(run: Run, letter: Path) -> None:
    assert "Wrote" in run("verify", letter.name, "-o", "report.txt").out
    written = letter.with_name("report.txt")
    assert written.read_text(encoding="utf-8").startswith("✗ contradicted — line 3")
    assert "exists" in run("verify", letter.name, "-o", "report.txt").err
    assert run("verify", letter.name, "-o", "report.txt", "--yes").status == 1


def test_json_is_the_same_by_both_names(run: Run, letter: Path) -> None:
    first, second = (
        run("verify", letter.name, *words).json for words in (["--json"], ["--format", "json"])
    )
    for one in (first, second):
        one.pop("timings_ms")
    assert first == second


def test_a_file_that_changed_meanwhile_gets_no_comments(project: Path, report: Path) -> None:
    with open_workspace(project, environment={}, cwd=report.parent) as workspace:
        found = verify(workspace, report)
    report.write_bytes(report.read_bytes() + b" ")
    with pytest.raises(ChangedMeanwhile):
        annotate(report, found)
