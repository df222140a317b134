"""A git repository as git describes it, and the rules of its branches.

Nothing here reads what git can be asked. Which branch accepts which:
``wi/WI_XXXX-slug`` → ``feat/slug`` → ``develop`` → ``release/vX.Y.Z`` → ``main``.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from foundry.doc import Doc
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


PROTECTED = ("main", "develop")
_SLUG = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_NAMES = re.compile(rf"main|develop|wi/WI_\d{{4,}}-{_SLUG}|feat/{_SLUG}|release/.+")
# Target, the sources it accepts, how a message writes them, and whether another one is blocked.
_ACCEPTED = (
    (r"main", r"release/v\d+\.\d+\.\d+", "release/vX.Y.Z", True),
    (r"develop", r"(?:feat|release)/.+", "feat/*, release/*", True),
    (r"feat/.+", r"wi/.+", "wi/*", False),
)


@dataclass(slots=True)
class Ruling:
    """What a command line breaks."""

    problems: Annotated[list[Message], Doc("what blocks it")] = field(default_factory=list)
    warnings: Annotated[list[Message], Doc("what does not block it, or could not be checked")] = (
        field(default_factory=list)
    )

    @property
    def allowed(self) -> Annotated[bool, Doc()]:
        """Whether nothing blocks it."""
        return not self.problems

    def judge_source(self, target: str, names: Iterable[str], shown: str) -> None:
        """A change that brings a source into ``target``; ``names`` are the branches that it is in."""
        names = tuple(names)
        for pattern, accepted, words, blocks in _ACCEPTED:
            fits = any(name == target or re.fullmatch(accepted, name) for name in names)
            if re.fullmatch(pattern, target) and not fits:
                others = tuple(name for name in names if name != shown)
                found = Message("governor-in", names=others) if others else None
                problem = Message(
                    "governor-source", target=target, source=shown, found=found, accepted=words
                )
                (self.problems if blocks else self.warnings).append(problem)

    def judge_commit(self, branch: str | None) -> None:
        """A commit made directly on a branch."""
        if branch in PROTECTED:
            self.problems.append(Message("governor-commit", branch=branch))

    def judge_name(self, repository: Repository, name: str) -> None:
        """A new branch."""
        if not _NAMES.fullmatch(name) and not repository.has_branch(name):
            self.problems.append(Message("governor-name", name=name))

    def judge_move(self, repository: Repository, branch: str, new: str) -> None:
        """A branch that is about to point to the commit ``new``, for whatever reason."""
        old = repository.find_tip(branch)
        if old is None:
            self.judge_name(repository, branch)
            self._judge_anew(repository, branch, new)
            return
        if branch not in PROTECTED or repository.is_ancestor(new, old):
            return
        found = repository.list_containing(new, but=branch)
        if found:
            self.judge_source(branch, found, found[0] if len(found) == 1 else new[:12])
            return
        first, *merged = repository.ask("show", "--no-patch", "--format=%P", new).split()
        if not merged or not repository.is_ancestor(first, old):
            self.judge_commit(branch)
        for commit in merged:
            names = repository.list_containing(commit, but=branch)
            self.judge_source(branch, names, names[0] if names else commit[:12])

    def _judge_anew(self, repository: Repository, branch: str, new: str) -> None:
        """A branch that no remote has either, and that may just have been deleted.

        A protected one begins with the first commit, develop also with main; from there it moves.
        """
        if branch not in PROTECTED or repository.is_first(new):
            return
        found = repository.list_containing(new, but=branch)
        if not found:
            self.judge_commit(branch)
        elif branch == "main" or "main" not in found:
            self.judge_source(branch, found, found[0] if len(found) == 1 else new[:12])


def find_names(repository: Repository, source: str) -> list[str]:
    """The branches that the source of a merge is, or is in.

    Raises ``GitFailed`` for a source that neither exists nor is named as a branch.
    """
    full = repository.find_full_name(source)
    if full.startswith((HEADS, "refs/remotes/")):
        return [repository.strip(full)]
    commit = repository.find_commit(source)
    if commit:
        return repository.list_containing(commit)
    name = repository.strip(source)
    if not _NAMES.fullmatch(name):
        raise GitFailed(f"git does not know {source}")
    return [name]
