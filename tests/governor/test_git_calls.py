"""What a command line would do to branches: the rules, and the disguises they see through."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from foundry.governor import check_command
from tests.governor.conftest import Git, run_git


def blocks(text: str, folder: Path) -> bool:
    return not check_command(text, folder).allowed


@pytest.mark.parametrize(
    "text",
    [
        "git merge feat/x",
        "git merge --no-ff -m 'take main' release/v1.2.0",
        "git switch main && git merge release/v1.2.0",
        "git checkout feat/x && git merge wi/WI_0001-a && git commit",
        "git merge --abort; git commit --dry-run",
        "git switch -c feat/new && git commit -m 'on feat, not on main'",
        "git checkout -b wi/WI_0042-parse-dates feat/x",
        "git log main..develop; git fetch; git status",
        "git push origin feat/x; git push origin develop:develop; git push -d origin old",
        "git rebase develop feat/x",
        "git checkout main -- develop.txt",
        "git branch -d old; git branch --list 'x*'; git branch -vv",
        "git reset --hard HEAD~1; git reset develop.txt",
        "echo 'git merge main' > notes.txt",
        "cat <<'EOF' > notes.md\nit's: git checkout main && git merge feat/x\nEOF",
        "# git merge main\nls",
        "make merge",
    ],
)
def test_a_command_within_the_rules_is_allowed(repository: Path, text: str) -> None:
    assert check_command(text, repository).problems == []


@pytest.mark.parametrize(
    "text",
    [
        "git merge wi/WI_0001-a",
        "git checkout main && git merge feat/x",
        "git switch main; git merge develop",
        "git commit -m 'straight on develop'",
        "git commit --amend --no-edit",
        "git cherry-pick feat/x",
        "git revert HEAD",
        "git rebase feat/x main",
        "git checkout main\ngit reset --hard feat/x",
        "git pull origin wi/WI_0001-a",
        "git pull . main",
        "git push origin feat/x:main",
        "git push origin +wi/WI_0001-a:refs/heads/develop",
        "git fetch . feat/x:main",
        "git branch -f main feat/x",
        "git checkout -B main feat/x",
        "git checkout -b quick-fix",
        "git switch -c feature/x",
        "git branch wi/1-x",
        "git branch -m feat/x my-feature",
        "git worktree add ../other",
        "git push origin HEAD:quick-fix",
        "git checkout main && git merge --squash feat/x",
    ],
)
def test_a_command_against_the_rules_is_blocked(repository: Path, text: str) -> None:
    assert blocks(text, repository)


@pytest.mark.parametrize(
    "text",
    [
        "git -C . merge main",
        "git --no-pager -c core.editor=true merge --no-ff -s ort -X ours main",
        "git merge main --no-edit",
        "git merge -m 'feat/x' main",
        'git merge "main" 2>&1 | tail -3',
        "/usr/bin/git 'mer'ge main",
        "sudo -u me git merge main",
        "GIT_EDITOR=true git merge main",
        "env A=b nohup git merge main &",
        "true && (git merge main)",
        "if true; then git merge main; fi",
        "git status | tee log; git merge main",
        "bash -c 'git merge main'",
        "sh -ec \"cd . && git merge 'main'\"",
        "eval 'git merge main'",
        "timeout 10 git merge main",
        "bash <<EOF\ngit merge main\nEOF",
        'echo "$(git merge main)"',
        "x=$(git merge main)",
        "B=main; git merge $B",
        "git merge \\\n  main",
        "git merge refs/heads/main",
        "git merge main~0",
        "git checkout main && git checkout - && git merge -",
        "git -c alias.m='merge --no-ff' m main",
        "git merge main # it's fine",
    ],
)
def test_a_merge_in_disguise_is_seen(repository: Path, text: str) -> None:
    run_git(repository, "commit", "--allow-empty", "-m", "own", "-q")
    (repository / ".git/refs/heads/main").write_text(
        run_git(repository, "commit-tree", "main^{tree}", "-p", "main", "-m", "on main").stdout
    )
    assert blocks(text, repository)


@pytest.mark.parametrize(
    ("alias", "text"),
    [
        ("merge --no-ff", "git m wi/WI_0001-a"),
        ("!git merge", "git m wi/WI_0001-a"),
        ('!f() { git merge "$1"; }; git checkout main && git merge', "git m feat/x"),
        ("n", "git m wi/WI_0001-a"),
    ],
)
def test_an_alias_is_looked_up(repository: Path, git: Git, alias: str, text: str) -> None:
    git("config", "alias.m", alias)
    git("config", "alias.n", "merge")
    assert blocks(text, repository)


def test_an_alias_of_itself_ends(repository: Path, git: Git) -> None:
    git("config", "alias.m", "m")
    assert not blocks("git m main", repository)


@pytest.mark.parametrize("text", ["git -C {0} merge main", "cd {0} && git merge main"])
def test_the_directory_of_the_call_decides(repository: Path, git: Git, text: str) -> None:
    git("switch", "-q", "main")
    git("commit", "-q", "--allow-empty", "-m", "ahead")
    git("switch", "-q", "develop")
    assert blocks(text.format(repository), Path("/"))


def test_a_cd_in_a_subshell_ends_with_it(repository: Path) -> None:
    assert not blocks("(cd /tmp); git merge feat/x", repository)
    assert blocks("(cd /tmp); git merge wi/WI_0001-a", repository)


def test_a_commit_is_judged_by_the_branches_that_contain_it(repository: Path, git: Git) -> None:
    commit = git("rev-parse", "wi/WI_0001-a").stdout
    [problem] = check_command(f"git merge {commit}", repository).problems
    assert "wi/WI_0001-a" in str(problem)
    git("branch", "feat/y", commit)
    assert not blocks(f"git merge {commit}", repository)


def test_a_branch_of_a_remote_is_judged_by_its_name(
    repository: Path, git: Git, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", repository, clone], check=True)
    assert blocks("git merge origin/wi/WI_0001-a", clone)
    assert not blocks("git merge origin/feat/x && git pull && git merge origin/develop", clone)
    assert not blocks("git checkout wi/WI_0001-a && git commit -m more", clone)


def test_feat_takes_another_feat_with_a_warning(repository: Path) -> None:
    ruling = check_command("git switch feat/x && git merge develop", repository)
    assert ruling.allowed
    assert [warning.code for warning in ruling.warnings] == ["governor-source"]


def test_a_merge_with_conflicts_is_concluded_by_a_commit(repository: Path, git: Git) -> None:
    git("merge", "--no-commit", "--no-ff", "feat/x")
    assert not blocks("git commit --no-edit", repository)
    git("merge", "--abort")
    git("merge", "--no-commit", "--no-ff", "wi/WI_0001-a")
    assert blocks("git merge --continue", repository)


def test_a_commit_amid_a_rebase_is_on_the_branch_that_is_rebased(
    repository: Path, git: Git
) -> None:
    (repository / "feat-x.txt").write_text("other")
    git("add", ".")
    git("commit", "-q", "-m", "clash")
    git("rebase", "feat/x", "develop")
    assert blocks("git commit -m x", repository)
    assert blocks("git rebase --continue", repository) is False  # onto feat/x, which develop takes
    assert not blocks("git rebase --abort", repository)


def test_a_detached_head_is_no_branch(repository: Path, git: Git) -> None:
    git("checkout", "-q", "--detach", "main")
    assert not blocks("git merge wi/WI_0001-a && git commit -m x", repository)


def test_the_first_commit_of_a_repository_may_be_on_main(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main")
    assert not blocks("git commit -m first", tmp_path)


@pytest.mark.parametrize("text", ["git merge feat/x", "git -C nowhere commit", "git push"])
def test_without_a_repository_a_call_is_allowed_with_a_warning(tmp_path: Path, text: str) -> None:
    ruling = check_command(text, tmp_path)
    assert ruling.allowed
    assert [warning.code for warning in ruling.warnings] == ["governor-not-checked"]


def test_without_git_a_call_is_allowed_with_a_warning(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    ruling = check_command("git merge main", repository)
    assert ruling.allowed
    assert ruling.warnings != []


@pytest.mark.parametrize(
    "text",
    [
        "git checkout feat/x; git branch -D main; git branch main feat/x",
        "git checkout -b main feat/x",
        "git worktree add -b main ../there feat/x",
        "git send-pack ../r.git feat/x:refs/heads/main",
        "git update-ref refs/heads/main feat/x",
        "git symbolic-ref refs/heads/main refs/heads/feat/x",
        "git symbolic-ref HEAD refs/heads/main && git commit -m x",
        "git fast-import < stream",
        "git -c core.hooksPath=/x commit -qm x",
        "git config core.hookspath /x; sh s.sh",
        "git rev-parse feat/x > .git/refs/heads/main",
        "sed -i s/a/b/ .git/packed-refs",
        "git push --no-verify origin feat/x",
        "sudo " * 3000 + "git commit -m x",
        "eval " * 5000 + "git commit -m x",
        "git status; " * 5000,
        "(" * 30_000 + "git commit",
    ],
)
def test_no_way_around_the_hooks_is_open(repository: Path, text: str) -> None:
    run_git(repository, "checkout", "-q", "develop")
    assert blocks(text, repository)


@pytest.mark.parametrize(
    "text",
    [
        "git branch feat/new && git checkout feat/new && git commit -m x",
        "git symbolic-ref --short HEAD",
        "git switch feat/x && git commit -m 'say what --no-verify and .git/hooks do'",
        "find . -name '*.py' -exec grep -l git {} +",
        "awk '{print $1, $2}' git.txt",
        'f() { ls "$@"; }; f .git',
        "env GIT_PAGER=cat git log",
        "sudo env nice git status",
        "git branch develop main",
    ],
)
def test_what_only_looks_like_a_way_around_is_allowed(repository: Path, text: str) -> None:
    run_git(repository, "checkout", "-q", "develop")
    assert check_command(text, repository).problems == []
