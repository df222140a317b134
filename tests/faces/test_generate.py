"""``foundry generate`` over a small real project."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import PROGRAM, Run
from tests.journeys.draft_runs import play
from tests.support.model_server import ModelServer

SPEC = """---
title: The DX-4
owner: Ada
sections:
  - Supply
  - Outputs
  - Football in Brazil
---

What an installer needs to know.
"""


@pytest.fixture(autouse=True)
def approved(run: Run, project: Path) -> None:
    """One approved specification; no document is written without one."""
    (project / "features").mkdir(exist_ok=True)
    (project / "features" / "dx4.md").write_text(SPEC, encoding="utf-8")
    assert run("feature", "approve", "dx4", "--by", "Ada").status == 0


def respecify(run: Run, project: Path, *sections: str) -> None:
    """The specification with other sections, approved."""
    head = SPEC.partition("sections:")[0]
    listed = "".join(f"  - {section}\n" for section in sections)
    text = f"{head}sections:\n{listed}---\n\nWhat an installer needs to know.\n"
    (project / "features" / "dx4.md").write_text(text, encoding="utf-8")
    assert run("feature", "approve", "dx4", "--by", "Ada").status == 0


def test_generate_writes_a_document_and_its_json(run: Run, project: Path) -> None:
    outcome = run(
        "generate", "--topic", "Supply and outputs of the DX-4", "--output", "output/a.md", "--json"
    )
    assert outcome.status == 0
    assert MODELS["generate"].model_validate(outcome.json)
    text = (project / "output" / "a.md").read_text(encoding="utf-8")
    assert outcome.json["path"] == str(project / "output" / "a.md")
    assert "[^1]:" in text


def test_generate_without_evidence_writes_nothing(run: Run, project: Path) -> None:
    respecify(run, project, "Football in Brazil", "Cricket in India")
    outcome = run("generate", "--topic", "Football in Brazil", "--output", "output/b.md", "--json")
    assert outcome.status == 3
    assert outcome.json["path"] is None
    assert not (project / "output" / "b.md").exists()


@pytest.mark.parametrize("output", ["../../etc/crontab", "/etc/crontab", "output/../../x.md"])
def test_generate_refuses_a_path_outside_before_any_search(
    run: Run, project: Path, output: str
) -> None:
    (project / ".foundry" / "foundry.db").unlink()
    outcome = run("generate", "--topic", "Supply", "--output", output, "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["code"] == "refused"


def test_generate_refuses_a_link_that_leads_outside(
    run: Run, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "victim.md").write_text("mine")
    (project / "output" / "link.md").symlink_to(tmp_path / "victim.md")
    outcome = run("generate", "--topic", "Supply", "--output", "output/link.md", "--yes")
    assert outcome.status == 2
    assert (tmp_path / "victim.md").read_text() == "mine"


def test_generate_without_a_terminal_refuses_to_overwrite(run: Run, project: Path) -> None:
    (project / "output" / "a.md").write_text("mine")
    outcome = run("generate", "--topic", "Supply", "--output", "output/a.md")
    assert outcome.status == 2
    assert "File exists: a.md" in outcome.err
    assert (project / "output" / "a.md").read_text() == "mine"


def test_generate_overwrites_with_yes(run: Run, project: Path) -> None:
    (project / "output" / "a.md").write_text("mine")
    outcome = run(
        "generate", "--topic", "The supply of the DX-4", "--output", "output/a.md", "--yes"
    )
    assert outcome.status == 0
    assert "Wrote" in outcome.out
    assert (project / "output" / "a.md").read_text() != "mine"


def test_quiet_generate_says_where_it_wrote_and_how_much_and_no_more(
    run: Run, project: Path
) -> None:
    outcome = run("generate", "--topic", "The supply of the DX-4", "--output", "output/q.md", "-q")
    assert outcome.err == ""
    assert len(outcome.out.splitlines()) == 2


@pytest.mark.parametrize(("typed", "status", "kept"), [(b"\n", 2, True), (b"y\n", 0, False)])
def test_generate_asks_on_a_terminal(project: Path, typed: bytes, status: int, kept: bool) -> None:
    pty = pytest.importorskip("pty")
    (project / "output" / "a.md").write_text("mine")
    master, slave = pty.openpty()
    os.write(master, typed)
    done = subprocess.run(
        [
            *(*PROGRAM, "generate"),
            *("--topic", "The supply of the DX-4", "--output", "output/a.md"),
        ],
        stdin=slave,
        capture_output=True,
        timeout=120,
    )
    os.close(master)
    os.close(slave)
    assert done.returncode == status
    assert b"File exists: a.md\nOverwrite? [y/N]: " in done.stderr
    assert ((project / "output" / "a.md").read_text() == "mine") is kept


@pytest.mark.parametrize(
    "words", [("--topic", "x"), ("--output", "x.md"), ("--topic", " ", "--output", "x.md")]
)
def test_generate_needs_topic_and_output(run: Run, project: Path, words: tuple[str, ...]) -> None:
    assert run("generate", *words).status == 2


def test_without_an_approved_specification_nothing_is_written(run: Run, project: Path) -> None:
    assert run("feature", "revoke", "dx4").status == 0
    outcome = run("generate", "--topic", "Supply", "--output", "output/a.md", "--json")
    assert outcome.status == 2
    assert "dx4" in outcome.json["error"]["message"] + outcome.json["error"]["fix"]
    assert not (project / "output" / "a.md").exists()


def test_with_two_approved_specifications_one_must_be_named(run: Run, project: Path) -> None:
    second = SPEC.replace("The DX-4", "Another")
    (project / "features" / "other.md").write_text(second, encoding="utf-8")
    assert run("feature", "approve", "other", "--by", "Ada").status == 0
    outcome = run("generate", "--topic", "Supply", "--output", "output/a.md")
    assert outcome.status == 2
    assert "dx4" in outcome.err
    assert "other" in outcome.err
    named = run("generate", "--topic", "Supply", "--output", "output/a.md", "--feature", "other")
    assert named.status == 0
    assert "# Another" in (project / "output" / "a.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["nonesuch", "../dx4", ""])
def test_an_unknown_specification_is_refused(run: Run, name: str) -> None:
    outcome = run("generate", "--topic", "x", "--output", "output/a.md", "--feature", name)
    assert outcome.status == 2
    assert "dx4" in outcome.err


def test_a_specification_that_changed_is_no_longer_approved(run: Run, project: Path) -> None:
    path = project / "features" / "dx4.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    outcome = run("generate", "--topic", "x", "--output", "output/a.md", "--feature", "dx4")
    assert outcome.status == 2
    assert "changed" in outcome.err


def test_the_review_names_every_section_and_the_cost(run: Run) -> None:
    outcome = run("generate", "--topic", "The DX-4", "--output", "output/a.md")
    assert "Football in Brazil" in outcome.out
    assert "empty:" in outcome.out
    assert "Cost: 0 model calls" in outcome.out


def test_a_dry_run_shows_prompts_and_writes_nothing(run: Run, project: Path) -> None:
    outcome = run("generate", "--topic", "The DX-4", "--output", "output/a.md", "--dry-run")
    assert outcome.status == 0
    assert "Gate: " in outcome.out
    assert "You must answer using ONLY the provided documentation." in outcome.out
    assert not (project / "output" / "a.md").exists()


def test_a_dry_run_has_its_own_json(run: Run) -> None:
    outcome = run("generate", "--topic", "The DX-4", "--dry-run", "--json")
    assert MODELS["generate --dry-run"].model_validate(outcome.json)
    assert outcome.json["sections"][0]["prompt"][0]["role"] == "system"


def test_a_second_run_reuses_unchanged_sections(run: Run) -> None:
    words = ("generate", "--topic", "The DX-4", "--output", "output/a.md", "--yes", "--json")
    run(*words)
    again, fresh = run(*words), run(*words, "--fresh")
    assert [one["reused"] for one in again.json["sections"]] == [True, True, True]
    assert not any(one["reused"] for one in fresh.json["sections"])


def test_a_tight_budget_is_shown_with_its_breakdown(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as server:
        play(server)
        monkeypatch.setenv("FOUNDRY_MODE", "online")
        monkeypatch.setenv("FOUNDRY_GENERATION__MODEL", "openai/scripted")
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("OPENAI_API_BASE", server.openai)
        outcome = run("generate", "--topic", "DX-4", "--output", "output/a.md")
    assert outcome.status == 0
    assert "⚠ Token budget warning:\n  brief: " in outcome.err
    assert "Consider: fewer summaries, smaller brief, or larger generation.model" in outcome.err


def test_a_footnote_tells_its_file_from_all_others_of_its_name(run: Run, project: Path) -> None:
    files = (project / "sources").rglob("*.md")
    source = next(path for path in files if "3.15 A" in path.read_text())
    for folder in ("old", "new"):
        (project / "sources" / folder).mkdir()
    (project / "sources" / "old" / source.name).write_text("# Garden\n\nTulips need sun.\n")
    source.rename(project / "sources" / "new" / source.name)
    run("ingest", "--prune")
    run("generate", "--topic", "Supply", "--output", "output/n.md", "--agent", "blueprint")
    text = (project / "output" / "n.md").read_text()
    assert f": new/{source.name}".replace("_", "\\_") in text
    assert "no source" not in run("draft", "verify", "output/n.md").out
