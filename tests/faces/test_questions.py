"""``foundry search`` and ``foundry ask`` over a small real project."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import PROGRAM, READ, Run


def test_search_prints_the_documented_json(run: Run, project: Path) -> None:
    outcome = run("search", "supply voltage of the controller", "--json")
    assert outcome.status == 0
    assert MODELS["search"].model_validate(outcome.json)
    assert outcome.json["hits"][0]["source"] == "sources/datasheet.md"


def test_search_shows_hits_and_the_gates_verdict(run: Run, project: Path) -> None:
    outcome = run("search", "supply voltage of the controller")
    assert outcome.status == 0
    assert "datasheet" in outcome.out


def test_search_explains_what_would_be_read_of_the_hits(run: Run, project: Path) -> None:
    outcome = run("search", "supply voltage of the controller", "--explain")
    assert outcome.status == 0
    assert "would be read:\n  S1 datasheet.md" in outcome.out
    assert run("search", "supply voltage", "--explain", "--json").status == 2


def test_each_hit_says_whether_it_is_about_what_is_asked(run: Run, project: Path) -> None:
    hits = run("search", "supply voltage in 1987", "--json").json["hits"]
    assert {hit["fit"]["verdict"] for hit in hits} <= {"fits", "unknown", "other"}
    assert all(hit["fit"]["reason"]["code"] for hit in hits if hit["fit"]["verdict"] == "other")


@pytest.mark.parametrize(
    ("words", "sources"),
    [
        (("--filter", "source=sources/onderhoud.md"), {"sources/onderhoud.md"}),
        (("--filter", "type=md"), {"sources/datasheet.md", "sources/onderhoud.md"}),
        (("--filter", "type=pdf"), set()),
        (("--filter", "tag=nothing"), set()),
        (("--filter", "from=2026-01-01", "--filter", "to=2026-03-01"), {"sources/datasheet.md"}),
    ],
)
def test_filters_limit_what_is_found(
    run: Run, project: Path, words: tuple[str, ...], sources: set[str]
) -> None:
    hits = run("search", "the supply of the controller", "--json", *words).json["hits"]
    assert {hit["source"] for hit in hits} == sources


def test_a_type_that_no_source_has_is_reported(run: Run, project: Path) -> None:
    outcome = run("search", "supply", "--filter", "type=markdown", "--json")
    assert outcome.json["hits"] == []
    assert "no source has the type 'markdown'; known: md." in outcome.err


@pytest.mark.parametrize(
    "text",
    ["colour=red", "type", "type=", "from=yesterday", "source=sources/no.md", "from=2026-13-01"],
)
def test_an_invalid_filter_is_wrong_usage(run: Run, project: Path, text: str) -> None:
    outcome = run("search", "supply", "--filter", text, "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["fix"]


def test_ask_prints_the_documented_json(run: Run, project: Path) -> None:
    outcome = run("ask", "What is the rating of the input fuse?", "--json")
    assert outcome.status == 0
    assert MODELS["ask"].model_validate(outcome.json)
    assert outcome.json["verdict"] == "passages"
    first = outcome.json["sources"][0]
    assert READ[first["char_start"] : first["char_end"]] == first["quote"]


def test_ask_shows_the_nearest_passages_with_the_nearest_line_marked(
    run: Run, project: Path
) -> None:
    out = run("ask", "What is the rating of the input fuse?").out
    assert out.startswith("Passages that come closest:\n\nS1  datasheet.md, ")
    assert any("3.15 A" in line for line in out.splitlines() if line.startswith("  ▸ "))
    assert "Answer" not in out


def test_ask_without_evidence_exits_with_3_and_the_full_json(run: Run, project: Path) -> None:
    outcome = run("ask", "Who won the football world cup in Brazil?", "--json")
    assert outcome.status == 3
    assert MODELS["ask"].model_validate(outcome.json)
    assert outcome.json["verdict"] == "no_evidence"
    assert outcome.json["sources"] == []


def test_ask_without_evidence_says_so(run: Run, project: Path) -> None:
    outcome = run("ask", "Who won the football world cup in Brazil?")
    assert outcome.status == 3
    assert "No supporting documentation found in indexed sources." in outcome.out


def test_ask_reads_standard_input(run: Run, project: Path) -> None:
    outcome = run("ask", "-", "--json", text="What is the rating of the input fuse?\n")
    assert outcome.json["question"] == "What is the rating of the input fuse?"


@pytest.mark.parametrize(
    ("words", "text"), [(("",), None), (("  \n ",), None), (("-",), ""), (("-",), b"\xff\xfe\x00")]
)
def test_an_empty_or_unreadable_question_is_wrong_usage(
    run: Run, project: Path, words: tuple[str, ...], text: str | bytes | None
) -> None:
    outcome = run("ask", "--json", *words, text=text)
    assert outcome.status == 2
    assert outcome.json["error"]["code"] == "usage"


def test_a_question_of_100_000_characters_is_refused(run: Run, project: Path) -> None:
    outcome = run("ask", "-", "--json", text="fuse " * 20_000)
    assert outcome.status == 2
    assert outcome.json["error"]["code"] == "usage"


def test_a_role_can_only_be_lowered(run: Run, project: Path) -> None:
    file = project / "foundry.yaml"
    file.write_text(file.read_text().replace("  # role: secret", "  role: internal"))
    outcome = run("ask", "What is the fuse?", "--role", "secret", "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["code"] == "refused"


def test_a_lower_role_sees_less(run: Run, project: Path) -> None:
    run("ingest", "sources/datasheet.md", "--confidentiality", "secret")
    question = "What is the rating of the input fuse?"
    assert run("ask", question, "--role", "internal").status == 3
    assert run("ask", question).status == 0


def test_ask_verbose_adds_model_and_times_on_standard_error(run: Run, project: Path) -> None:
    outcome = run("ask", "-v", "What is the rating of the input fuse?")
    assert "Model: builtin/passages" in outcome.err


def test_json_is_the_only_thing_on_standard_output(project: Path) -> None:
    """A whole process: libraries that print would show here."""
    done = subprocess.run(
        [
            *(*PROGRAM, "ask", "--json"),
            "What is the rating of the input fuse?",
        ],
        capture_output=True,
        timeout=120,
    )
    assert json.loads(done.stdout)["verdict"] != "no_evidence"
    assert done.stderr == b""
