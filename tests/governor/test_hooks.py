"""The hooks, run by git and by what editor agents send."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from foundry.cli.program import foundry
from foundry.errors import RuleError
from foundry.governor import configure_agent, install_hooks
from tests.governor.conftest import Git, run_git

PROGRAM = str(Path(sys.executable).with_name("foundry"))


@pytest.fixture
def guarded(repository: Path) -> Path:
    install_hooks(repository, PROGRAM)
    return repository


def test_git_refuses_a_commit_on_develop_and_takes_one_on_a_feature(
    guarded: Path, git: Git
) -> None:
    refused = git("commit", "--allow-empty", "-m", "straight on develop")
    assert refused.returncode != 0
    assert "not made directly on develop" in refused.stderr
    git("switch", "-q", "feat/x")
    assert git("commit", "--allow-empty", "-m", "on a feature").returncode == 0


@pytest.mark.parametrize("how", ["--no-ff", "--ff", "--squash"])
def test_git_merges_a_feature_into_develop_and_not_into_main(
    guarded: Path, git: Git, how: str
) -> None:
    assert git("merge", "--no-edit", "feat/x").returncode == 0
    git("switch", "-q", "main")
    git("merge", "--no-edit", how, "feat/x")
    git("commit", "-m", "take it")
    assert git("rev-parse", "main").stdout == git("merge-base", "main", "release/v1.2.0").stdout


def test_a_refused_merge_is_undone_as_the_hook_says(guarded: Path, git: Git) -> None:
    git("switch", "-q", "main")
    for how in ("--ff", "--no-ff"):
        refused = git("merge", "--no-edit", how, "feat/x")
        assert "release/vX.Y.Z, not feat/x" in refused.stderr.replace("\n", " ")
        assert "git reset --merge" in refused.stderr
        git("reset", "--merge")
        assert git("status", "--porcelain").stdout == ""


def test_git_merges_a_release_into_main(guarded: Path, git: Git) -> None:
    git("switch", "-q", "main")
    assert git("merge", "--no-ff", "--no-edit", "release/v1.2.0").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("cherry-pick", "wi/WI_0001-a"),
        ("commit", "--no-verify", "--allow-empty", "-m", "x"),
        ("rebase", "wi/WI_0001-a"),
        ("reset", "--hard", "wi/WI_0001-a"),
        ("merge", "--no-verify", "wi/WI_0001-a"),
        ("update-ref", "refs/heads/develop", "wi/WI_0001-a"),
        ("fetch", ".", "wi/WI_0001-a:main"),
        ("branch", "quick-fix"),
    ],
    ids=" ".join,
)
def test_git_refuses_every_other_road_to_a_protected_branch(
    guarded: Path, git: Git, words: tuple[str, ...]
) -> None:
    before = git("for-each-ref").stdout
    assert git(*words).returncode != 0
    assert git("for-each-ref").stdout == before


def test_git_pushes_only_what_the_branch_at_the_remote_accepts(
    guarded: Path, git: Git, tmp_path: Path
) -> None:
    run_git(tmp_path, "init", "-q", "--bare", "remote")
    git("remote", "add", "origin", str(tmp_path / "remote"))
    assert git("push", "origin", "develop", "feat/x:feat/x").returncode == 0
    assert git("push", "origin", "feat/x:main").returncode != 0
    assert git("push", "origin", "feat/x:fix").returncode != 0
    assert git("push", "origin", ":feat/x").returncode == 0


def test_a_pull_of_what_the_remote_accepted_passes(guarded: Path, git: Git, tmp_path: Path) -> None:
    run_git(tmp_path, "clone", "-q", str(guarded), "clone")
    clone = tmp_path / "clone"
    install_hooks(clone, PROGRAM)
    git("-c", "core.hooksPath=/dev/null", "commit", "--allow-empty", "-m", "accepted elsewhere")
    assert run_git(clone, "pull", "-q").returncode == 0
    assert run_git(clone, "rev-parse", "HEAD").stdout == git("rev-parse", "HEAD").stdout


def test_a_protected_branch_that_is_made_anew_is_judged_like_one_that_moves(
    guarded: Path, git: Git, tmp_path: Path
) -> None:
    git("branch", "-D", "main")
    assert git("branch", "main", "feat/x").returncode
    assert git("branch", "main", "develop").returncode
    assert git("branch", "main", "release/v1.2.0").returncode == 0
    run_git(tmp_path, "clone", "-q", "--bare", str(guarded), "there.git")
    git("remote", "add", "there", "../there.git")
    git("fetch", "-q", "there")
    git("branch", "-D", "main")
    assert git("branch", "main", "feat/x").returncode
    assert git("branch", "main", "there/main").returncode == 0


def test_develop_begins_with_main(guarded: Path, git: Git) -> None:
    git("switch", "-q", "feat/x")
    git("branch", "-D", "develop")
    assert git("branch", "develop", "main").returncode == 0


def test_a_hook_that_is_there_is_never_overwritten(repository: Path) -> None:
    own = repository / ".git/hooks/pre-commit"
    own.write_text("#!/bin/sh\necho mine\n")
    with pytest.raises(RuleError, match="pre-commit"):
        install_hooks(repository, PROGRAM)
    assert own.read_text() == "#!/bin/sh\necho mine\n"
    assert not (own.parent / "pre-push").exists()


def test_with_chain_the_hook_that_is_there_runs_first(repository: Path, git: Git) -> None:
    own = repository / ".git/hooks/pre-push"
    own.write_text("#!/bin/sh\ncat > pushed.txt\n[ ! -e veto ]\n")
    own.chmod(0o755)
    hooks = install_hooks(repository, PROGRAM, chain=True)
    assert [hook.status for hook in hooks if hook.name == "pre-push"] == ["chained"]
    install_hooks(repository, PROGRAM)
    run_git(repository, "init", "-q", "--bare", "../remote")
    assert git("push", "../remote", "feat/x").returncode == 0
    assert "refs/heads/feat/x" in (repository / "pushed.txt").read_text()
    (repository / "veto").touch()
    assert git("push", "../remote", "develop").returncode != 0


def test_without_the_program_a_hook_lets_git_go_on(
    repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_hooks(repository, "/nowhere/foundry")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    done = git("commit", "--allow-empty", "-m", "x")
    assert done.returncode == 0
    assert "not checked" in done.stderr


def ask(text: str, *words: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    result = CliRunner().invoke(foundry, ["governor", "check", *words], input=text)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    "sent",
    [
        {"tool_name": "Bash", "tool_input": {"command": "git merge main"}, "cwd": "{}"},
        {"command": "git merge main", "cwd": "{}", "hook_event_name": "beforeShellExecution"},
        {
            "tool_name": "run_shell_command",
            "tool_input": {"command": "git merge main"},
            "cwd": "{}",
        },
        {"tool_info": {"command_line": "git merge main", "cwd": "{}"}},
        {"toolName": "bash", "toolArgs": '{{"command": "git merge main"}}', "cwd": "{}"},
    ],
    ids=["claude", "cursor", "gemini", "windsurf", "copilot"],
)
def test_what_an_agent_sends_is_judged_in_its_folder(
    repository: Path, git: Git, sent: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("switch", "-q", "feat/x")
    text = json.dumps(sent).replace('"{}"', json.dumps(str(repository))).replace("{{", "{")
    assert ask(text.replace('}}"', '}"'), monkeypatch=monkeypatch)[:2] == (0, "{}\n")
    git("switch", "-q", "main")
    git("branch", "-f", "develop", "feat/x")
    blocked = text.replace("merge main", "merge develop").replace('}}"', '}"')
    status, output, errors = ask(blocked, monkeypatch=monkeypatch)
    assert (status, output) == (2, "")
    assert "main accepts only release/vX.Y.Z, not develop" in errors


@pytest.mark.parametrize("text", ['{"tool_name": "Read", "tool_input": {"file_path": "x"}}', "{}"])
def test_a_tool_that_is_no_shell_passes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(text, monkeypatch=monkeypatch) == (0, "{}\n", "")


@pytest.mark.parametrize("text", ["", "not json", "[1]", '{"tool_input": "{"}'])
def test_what_cannot_be_read_passes_with_a_warning(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, output, errors = ask(text, monkeypatch=monkeypatch)
    assert (status, output) == (0, "{}\n")
    assert "Not checked" in errors


def test_the_settings_of_an_agent_keep_what_is_in_them(tmp_path: Path) -> None:
    path = tmp_path / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "x", "hooks": {"Stop": [], "PreToolUse": [{"matcher": "Edit"}]}}')
    configure_agent("claude", tmp_path)
    configure_agent("claude", tmp_path)
    found = json.loads(path.read_text())
    assert found["model"] == "x"
    assert [entry["matcher"] for entry in found["hooks"]["PreToolUse"]] == ["Edit", "Bash"]


def test_settings_that_are_no_json_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / ".cursor/hooks.json"
    path.parent.mkdir()
    path.write_text("// mine")
    with pytest.raises(RuleError):
        configure_agent("cursor", tmp_path)
    assert path.read_text() == "// mine"
