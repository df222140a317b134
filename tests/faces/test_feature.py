"""``foundry feature``: what people type and read, and the JSON that scripts get."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from foundry.wire.commands import MODELS
from tests.faces.conftest import Run

SPEC = """---
title: Supply of the DX-4
status: draft
owner: Ann
sections: [Supply, Outputs]
---

What an installer must know.
"""


@pytest.fixture
def spec(project: Path) -> Path:
    path = project / "features" / "supply.md"
    path.write_text(SPEC, encoding="utf-8")
    return path


def test_the_list_has_dutch_headings(run: Run, spec: Path) -> None:
    heading = run("feature", "list", "--language", "nl").out.splitlines()[0]
    assert heading.split() == ["NAAM", "STATUS", "PARAGRAFEN", "EIGENAAR", "TITEL"]


@pytest.mark.parametrize(
    "words",
    [
        ("new", "other"),
        ("list",),
        ("show", "supply"),
        ("check", "supply"),
        ("diff", "supply"),
        ("approve", "supply", "--by", "Ann"),
        ("revoke", "supply"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_prints_the_documented_json(
    run: Run, spec: Path, words: tuple[str, ...]
) -> None:
    run("feature", "approve", "supply", "--by", "Bob")
    outcome = run("feature", *words, "--json")
    assert outcome.status == 0
    assert MODELS[f"feature {words[0]}"].model_validate(outcome.json)


def test_a_specification_goes_from_template_to_approved(run: Run, project: Path) -> None:
    assert run("feature", "new", "safety", "--title", "Safety", "--owner", "Ann").status == 0
    checked = run("feature", "check", "safety")
    assert checked.status == 1
    assert "line 5: It lists no sections." in checked.out
    path = project / "features" / "safety.md"
    path.write_text(path.read_text().replace("  # - Purpose", "  - Purpose"))
    assert run("feature", "check").status == 0
    assert "approved" in run("feature", "approve", "safety", "--by", "Bob").out
    assert "by Bob" in run("feature", "list").out


def test_new_overwrites_nothing(run: Run, spec: Path) -> None:
    outcome = run("feature", "new", "supply")
    assert outcome.status == 2
    assert "already" in outcome.err
    assert spec.read_text() == SPEC


def test_an_edit_after_approval_shows_everywhere(run: Run, spec: Path) -> None:
    run("feature", "approve", "supply", "--by", "Ann")
    spec.write_text(spec.read_text() + "More.\n")
    assert "changed" in run("feature", "list").out
    assert "changed since it was approved" in run("feature", "show", "supply").out
    assert "It has changed since Ann approved it" in run("feature", "check").out


def test_a_blocked_specification_is_refused_with_its_lines(run: Run, spec: Path) -> None:
    spec.write_text(SPEC.replace("owner: Ann", "onwer: Ann"))
    outcome = run("feature", "approve", "supply", "--by", "Ann", "--json")
    assert outcome.status == 2
    assert "line 4: Unknown key onwer" in outcome.json["error"]["message"]


def test_who_approves_is_known_from_git_or_the_system(
    run: Run, spec: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.setenv("USER", "someone")
    assert "by someone" in run("feature", "approve", "supply").out
    subprocess.run(["git", "config", "--global", "user.name", "Git Name"], check=True)
    assert "by Git Name" in run("feature", "approve", "supply").out
    assert run("feature", "approve", "supply", "--by", " ").status == 2


def test_an_empty_list_says_how_to_begin(run: Run, project: Path) -> None:
    for words in (("list",), ("check",)):
        outcome = run("feature", *words)
        assert outcome.status == 0
        assert "foundry feature new NAME" in outcome.out


def test_quiet_shows_the_result_only(run: Run, spec: Path) -> None:
    for words in (("new", "b", "-q"), ("approve", "supply", "--by", "A", "-q")):
        assert run("feature", *words).err == ""


def test_control_characters_of_a_specification_never_reach_a_terminal(run: Run, spec: Path) -> None:
    spec.write_text(SPEC.replace("What an", "\x1b[31mWhat an"), encoding="utf-8")
    assert "\x1b" not in run("feature", "show", "supply").out


def test_what_changed_since_the_approval_is_shown_by_line(run: Run, spec: Path) -> None:
    assert "never been approved" in run("feature", "diff", "supply").out
    run("feature", "approve", "supply", "--by", "Bob")
    assert "unchanged since its approval" in run("feature", "diff", "supply").out
    spec.write_text(spec.read_text().replace("must know", "need not know"), encoding="utf-8")
    shown = run("feature", "diff", "supply").out.splitlines()
    assert [line for line in shown if line[:1] in "+-"][2:] == [
        "-What an installer must know.",
        "+What an installer need not know.",
    ]


def test_an_approval_of_which_only_the_hash_is_known_is_said_to_be_one(
    run: Run, spec: Path
) -> None:
    other = f"approval:\n  by: Ann\n  at: 2026-03-01T12:00:00Z\n  sha256: {'a' * 64}\n"
    text = spec.read_text().replace("status: draft\n", f"status: approved\n{other}")
    spec.write_text(text, encoding="utf-8")
    assert "only its hash" in run("feature", "diff", "supply").out
