"""A git repository as git describes it: nothing here reads what git can be asked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from foundry.messages import Message

HEADS, REMOTES = "refs/heads/", "refs/remotes/"
# A guess: far more than these questions take, and an agent's patience with its hook.
_TIMEOUT_S = 10


class GitFailed(Exception):
    """Git gave no answer; ``problem`` says why."""

    def __init__(self, cause: str) -> None:
        self.problem = Message("governor-not-checked", cause=cause)
        super().__init__(cause)


class Repository:
    """The repository of a directory, with the options that the call in question gives git."""

    def __init__(
        self,
        directory: Path,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._directory = directory
        self._options = tuple(options)
        self._environment = dict(environment or {})

    def ask(self, *arguments: str) -> str:
        """What git prints, without the last line break. Raises ``GitFailed``."""
        status, output, errors = self._run(arguments)
        if status:
            raise GitFailed(errors.strip().partition("\n")[0] or f"git {arguments[0]}: {status}")
        return output

    def find(self, *arguments: str) -> str | None:
        """What git prints; None if it answers no (by its exit status). Raises ``GitFailed``."""
        status, output, _errors = self._run(arguments)
        return None if status else output

    def _run(self, arguments: Sequence[str]) -> tuple[int, str, str]:
        environment = {**os.environ, **self._environment, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
        try:
            done = subprocess.run(
                ["git", *self._options, *arguments],
                cwd=self._directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=False,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitFailed(str(error)) from error
        return done.returncode, done.stdout.rstrip("\n"), done.stderr

    def get_id(self) -> str:
        """The folder of its data, the same for each way to name the repository."""
        return self.ask("rev-parse", "--absolute-git-dir")

    def find_branch(self) -> str | None:
        """The branch that is checked out or being rebased; None with a detached HEAD."""
        name = self.find("symbolic-ref", "--quiet", "HEAD")
        if name is None:
            name = self.read("rebase-merge/head-name") or self.read("rebase-apply/head-name")
        return name.removeprefix(HEADS) if name and name.startswith(HEADS) else None

    def read(self, name: str) -> str | None:
        """A file among git's data, such as MERGE_HEAD; None if there is none."""
        path = self._directory / self.ask("rev-parse", "--git-path", name)
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None

    def find_commit(self, name: str) -> str | None:
        """The commit that a name means."""
        return self.find(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )

    def find_tip(self, branch: str) -> str | None:
        """The commit of a branch, or of its counterpart at a remote if there is no branch here."""
        here = self.find_commit(f"{HEADS}{branch}")
        there = (
            ""
            if here
            else self.ask(
                "for-each-ref", "--count=1", "--format=%(objectname)", f"{REMOTES}*/{branch}"
            )
        )
        return here or there or None

    def is_first(self, commit: str) -> bool:
        """Whether a commit has no parents."""
        return len(self.ask("rev-list", "--max-count=1", "--parents", commit).split()) == 1

    def find_full_name(self, name: str) -> str:
        """``refs/…`` for a name of a branch or a tag; empty for any other name of a commit."""
        return self.find("rev-parse", "--verify", "--quiet", "--symbolic-full-name", name) or ""

    def has_branch(self, name: str) -> bool:
        """Whether the branch exists, here or at a remote as last fetched."""
        here = self.find("rev-parse", "--verify", "--quiet", f"{HEADS}{name}") is not None
        return here or name in self.list_branches(f"{REMOTES}*/{name}")

    def list_branches(self, *choice: str) -> list[str]:
        """Names of branches, those at a remote without its name."""
        rows = self.ask("for-each-ref", "--format=%(refname)", *choice).splitlines()
        return list(dict.fromkeys(self.strip(row) for row in rows if not row.endswith("/HEAD")))

    def list_containing(self, commit: str, *, but: str = "") -> list[str]:
        """The branches that contain a commit; of the branch ``but`` only those at remotes count."""
        rows = self.ask("for-each-ref", "--format=%(refname)", "--contains", commit, HEADS, REMOTES)
        kept = [row for row in rows.splitlines() if row != f"{HEADS}{but}"]
        return list(dict.fromkeys(self.strip(row) for row in kept if not row.endswith("/HEAD")))

    def strip(self, name: str) -> str:
        """A branch's name without ``refs/heads/`` or its remote."""
        name = name.removeprefix(HEADS)
        is_remote, name = name.startswith(REMOTES), name.removeprefix(REMOTES)
        for remote in sorted(self.ask("remote").splitlines(), key=len, reverse=True):
            if name.startswith(f"{remote}/"):
                return name.removeprefix(f"{remote}/")
        return name.partition("/")[2] if is_remote else name

    def is_ancestor(self, commit: str, other: str) -> bool:
        """Whether ``other`` contains ``commit``."""
        return self.find("merge-base", "--is-ancestor", commit, other) is not None
