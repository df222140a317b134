"""``foundry agent``, and agents in ``ask`` and ``generate``."""

from __future__ import annotations

from pathlib import Path

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run

NOTE = """title: Note
sections:
  - title: Supply
    ask: [the supply and its fuse]
  - title: Sport
    ask: [football in Brazil]
"""


def test_agents_are_listed_shown_copied_and_checked(run: Run, project: Path) -> None:
    listed = run("agent", "list", "--json").json
    assert [one["name"] for one in listed["agents"]][:2] == ["answer", "blueprint"]
    assert MODELS["agent list"].model_validate(listed)
    assert "1. Overview (at most 14 sentences)" in run("agent", "show", "blueprint").out
    assert run("agent", "new", "ours", "--from", "pdr").out == "Wrote agents/ours.yaml\n"
    tried = run("agent", "new", "mine", "--from", "pdr").err
    assert 'generate --agent mine --topic "TOPIC" --output mine.md`' in tried
    assert "ours: OK, written by builtin/passages." in run("agent", "check").out
    assert (project / "agents" / "ours.yaml").is_file()


def test_check_shows_what_is_wrong_with_a_file_and_fails(run: Run, project: Path) -> None:
    (project / "agents").mkdir()
    (project / "agents" / "ours.yaml").write_text("extends: pdr\nprofil: cheap\n")
    outcome = run("agent", "check", "ours")
    assert outcome.status == 1
    assert "agents/ours.yaml:2" in outcome.out
    assert "nearest known key is profile" in outcome.out
    assert "invalid; run `foundry agent check ours`" in run("agent", "list").out


def test_generate_writes_what_an_agent_says_without_a_specification(
    run: Run, project: Path
) -> None:
    (project / "agents").mkdir()
    (project / "agents" / "note.yaml").write_text(NOTE, encoding="utf-8")
    words = ("generate", "--agent", "note", "--topic", "The DX-4", "--output", "output/w.md")
    outcome = run(*words, "--json").json
    assert MODELS["generate"].model_validate(outcome)
    assert (outcome["agent"], outcome["feature"]) == ("note", None)
    text = (project / "output" / "w.md").read_text(encoding="utf-8")
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["Supply", "Sport"]


def test_a_dry_run_shows_the_sections_of_the_agent(run: Run, project: Path) -> None:
    outcome = run("generate", "--agent", "blueprint", "--topic", "The DX-4", "--dry-run", "--json")
    assert MODELS["generate --dry-run"].model_validate(outcome.json)
    assert outcome.json["agent"] == "blueprint"


def test_ask_takes_an_agent_that_answers_and_no_other(run: Run, project: Path) -> None:
    asked = ("ask", "Which fuse protects the input?", "--agent")
    assert run(*asked, "answer").status == 0
    refused = run(*asked, "blueprint")
    assert refused.status == 2
    assert "foundry generate --agent blueprint" in refused.err
    assert run("log", "list", "--json").json["queries"][0]["agent"] == "answer"


def test_a_topic_without_sources_is_refused_once_not_for_each_section(
    run: Run, project: Path
) -> None:
    words = ("generate", "--agent", "blueprint", "--topic", "A cookery course")
    for more in (("--output", "output/c.md"), ("--dry-run",)):
        outcome = run(*words, *more)
        assert outcome.out.count("The sources do not cover the topic “A cookery course”.") == 1
    assert not (project / "output" / "c.md").exists()


def test_what_the_built_in_writer_quotes_keeps_the_heading_of_its_source(
    run: Run, project: Path
) -> None:
    (project / "agents").mkdir()
    asked = "title: Note\nsections:\n  - {title: Design, ask: [input fuse, refresh rate]}\n"
    (project / "agents" / "note.yaml").write_text(asked, encoding="utf-8")
    run("generate", "--agent", "note", "--topic", "The DX-4", "--output", "output/p.md")
    text = (project / "output" / "p.md").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if line.startswith("#### ")]
    assert headings == ["#### Supply", "#### Outputs"]
    assert run("draft", "verify", "output/p.md").status == 0


def test_a_misspelt_agent_is_named_whatever_else_is_missing(run: Run, project: Path) -> None:
    outcome = run("generate", "--agent", "blueprin", "--topic", "DX-4")
    assert outcome.status == 2
    assert "blueprin" in outcome.err
    assert "--output" not in outcome.err


def test_the_draft_of_an_agent_is_found_by_the_name_of_the_agent(run: Run, project: Path) -> None:
    document = ["generate", "--agent", "blueprint", "--topic", "DX-4", "--output"]
    run(*document, "output/dx4.md")
    assert "output/dx4.md" in run("draft", "show", "blueprint").out
    assert run("draft", "accept", "dx4", "--by", "Eva").status == 0
    run(*document, "output/other.md")
    assert "output/other.md" in run("draft", "accept", "blueprint", "--by", "Eva").err
