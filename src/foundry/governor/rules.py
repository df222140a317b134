"""The rules: which branch accepts which, what a branch is called, and where nobody commits.

``wi/WI_XXXX-slug`` → ``feat/slug`` → ``develop`` → ``release/vX.Y.Z`` → ``main``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated

from foundry.doc import Doc
from foundry.governor.repository import HEADS, GitFailed, Repository
from foundry.messages import Message

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
