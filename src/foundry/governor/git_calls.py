"""What the git calls of a command line would do to branches, judged one after the other.

A line is read as a story: after ``git checkout main``, a merge is one into main. Aliases are looked
up in git's configuration. Where git cannot answer, the call is allowed with a warning.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foundry.governor.repository import HEADS, PROTECTED, GitFailed, Repository, Ruling, find_names
from foundry.governor.shell_commands import (
    ShellCommand,
    TooLongError,
    iterate_commands,
    split_words,
)
from foundry.messages import Message

# Git's own options that take the next word as their value.
_GLOBAL = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source")
# Subcommand → options with a value, which are no branch.
_MERGE = "-m -F -s -X --message --file --strategy --strategy-option --into-name"
_VALUED = {
    "merge": _MERGE,
    "pull": f"{_MERGE} -o --server-option --upload-pack --depth --deepen --shallow-since -j --jobs",
    "rebase": "-s -X -x -C --onto --strategy --strategy-option --exec --whitespace",
    "push": "-o --push-option --repo --receive-pack --exec",
    "fetch": "-o --server-option --upload-pack --depth --deepen --shallow-since -j --jobs",
    "checkout": "-b -B --orphan --conflict --pathspec-from-file",
    "switch": "-c -C --create --force-create --orphan --conflict",
    "branch": "-u --set-upstream-to --sort --format --contains --no-contains --merged --points-at",
    "worktree": "-b -B --reason --orphan",
    "reset": "--pathspec-from-file",
    "symbolic-ref": "-m",
}
_CREATED = ("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan")
_STOPS = {"--abort", "--quit"}
_MAX_ALIASES = 10
_MAX_CALLS = 100
"""Calls of git in one line that are judged (a guess): each takes git some milliseconds."""
_SWITCHES = ("core.hookspath", ".git/hooks", ".git/refs", "packed-refs", "--no-verify")
"""Where the hooks are switched off or gone around."""


def check_command(text: str, directory: Path) -> Ruling:
    """Judge a command line that a shell is about to run in ``directory``."""
    story = _Story()
    story.judge_switches(split_words(text))
    try:
        story.read(text, directory, {})
    except TooLongError:
        # An agent runs on when its hook takes too long, so what takes long is not read.
        if "git" in text:
            story.ruling.problems.append(Message("governor-too-long"))
    return story.ruling


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of git: its words after the subcommand, parted."""

    subcommand: str
    repository: Repository
    names: tuple[str, ...]
    options: Mapping[str, str]

    def has(self, *options: str) -> bool:
        return any(option in self.options for option in options)

    def get(self, *options: str) -> str:
        return next((self.options[name] for name in options if self.options.get(name)), "")


@dataclass(slots=True)
class _Story:
    ruling: Ruling = field(default_factory=Ruling)
    # Repository → the branches that the line has checked out in it, the current one last.
    visited: dict[str, list[str | None]] = field(default_factory=dict)
    merging: set[str] = field(default_factory=set)
    # Repository and branch, of those that the line makes.
    made: set[tuple[str, str]] = field(default_factory=set)
    calls: int = 0

    def read(
        self, text: str, directory: Path, environment: Mapping[str, str], depth: int = 0
    ) -> None:
        for command in iterate_commands(text, directory, environment):
            self.judge_switches(command.words)
            if command.words[0] == "git":
                self.calls += 1
                if self.calls > _MAX_CALLS:
                    raise TooLongError
                try:
                    self._follow(command, depth)
                except GitFailed as failed:
                    if failed.problem not in self.ruling.warnings:
                        self.ruling.warnings.append(failed.problem)

    def judge_switches(self, words: Sequence[str]) -> None:
        """A word that names what would end the check, whatever the line does with it.

        A text, such as a commit's message, may speak of it.
        """
        text = " ".join(word.casefold() for word in words if len(word.split()) == 1)
        named = next((one for one in _SWITCHES if one in text), None)
        if named and self.ruling.allowed:
            self.ruling.problems.append(Message("governor-switch", name=named))

    def make(self, repository: Repository, name: str, source: str) -> None:
        """A branch that the line makes, or has it point elsewhere, from a source."""
        self.ruling.judge_name(repository, name)
        self.made.add((repository.get_id(), name))
        commit = repository.find_commit(self.translate(repository, source))
        if name in PROTECTED and commit:
            self.ruling.judge_move(repository, name, commit)

    def _follow(self, command: ShellCommand, depth: int) -> None:
        options, words = _split_global(command.words[1:])
        variables = {k: v for k, v in command.environment.items() if k.startswith("GIT_")}
        if not words:
            return
        repository = Repository(command.directory, options, variables)
        judge = _SUBCOMMANDS.get(words[0])
        if judge:
            names, given = _split_options(words[1:], _VALUED.get(words[0], "").split())
            judge(self, _Call(words[0], repository, names, given))
        elif depth < _MAX_ALIASES:
            self._follow_alias(repository, command, options, words, depth)

    def _follow_alias(
        self,
        repository: Repository,
        command: ShellCommand,
        options: tuple[str, ...],
        words: Sequence[str],
        depth: int,
    ) -> None:
        alias = repository.find("config", "--get", f"alias.{words[0]}")
        if not alias:
            return
        rest = shlex.join(words[1:])
        if not alias.startswith("!"):
            text = f"{shlex.join(('git', *options))} {alias} {rest}"
            self.read(text, command.directory, command.environment, depth + 1)
            return
        # Git runs it at the top of the work tree.
        top = repository.find("rev-parse", "--show-toplevel")
        text = f"{alias[1:]} {rest}"
        self.read(text, Path(top or command.directory), command.environment, depth + 1)

    def get_branch(self, repository: Repository) -> str | None:
        visited = self.visited.get(repository.get_id())
        return visited[-1] if visited else repository.find_branch()

    def visit(self, repository: Repository, branch: str | None) -> None:
        here = self.visited.setdefault(repository.get_id(), [repository.find_branch()])
        here.append(branch)

    def translate(self, repository: Repository, name: str) -> str:
        """``-``, the branch that was checked out before, by its name."""
        if name not in {"-", "@{-1}"}:
            return name
        visited = self.visited.get(repository.get_id(), [])
        before = visited[-2] if len(visited) > 1 else None
        return before or repository.find("rev-parse", "--abbrev-ref", "@{-1}") or name

    def judge_sources(
        self, repository: Repository, target: str | None, sources: Sequence[str]
    ) -> None:
        for source in (self.translate(repository, name) for name in sources):
            if target:
                names = find_names(repository, source)
                self.ruling.judge_source(target, names, _shorten(repository, source, names))


def _shorten(repository: Repository, source: str, names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 and repository.strip(source) == names[0] else source


def _split_global(words: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Git's own options, and the words from the subcommand on."""
    rest, options = list(words), []
    while rest and rest[0].startswith("-"):
        options.append(rest.pop(0))
        if options[-1] in _GLOBAL and rest:
            options.append(rest.pop(0))
    return tuple(options), rest


def _split_options(
    words: Sequence[str], valued: Sequence[str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The words that are no options, and the options with their values; ``--`` is one of them."""
    names: list[str] = []
    options: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            options[word] = str(len(rest))
            return (*names, *rest), options
        if not word.startswith("-") or word == "-":
            names.append(word)
        elif word.startswith("--"):
            name, equals, value = word.partition("=")
            known = next((one for one in valued if one.startswith(name)), "")
            takes = bool(known) and not equals and bool(rest)
            options[known or name] = rest.pop(0) if takes else value
        else:
            options |= _read_bundle(word, rest, valued)
    return tuple(names), options


def _read_bundle(word: str, rest: list[str], valued: Sequence[str]) -> dict[str, str]:
    """``-qm text``, ``-mtext``: short options, of which the last may take a value."""
    found: dict[str, str] = {}
    for at, letter in enumerate(word[1:], start=2):
        if f"-{letter}" in valued:
            value = word[at:] or (rest.pop(0) if rest else "")
            return {**found, f"-{letter}": value}
        found[f"-{letter}"] = ""
    return found


def _judge_merge(story: _Story, call: _Call) -> None:
    if call.has("--continue"):
        _judge_commit(story, call)
    elif not call.has(*_STOPS):
        target = story.get_branch(call.repository)
        story.judge_sources(call.repository, target, call.names or ("@{upstream}",))
        if not call.has("--squash"):
            story.merging.add(call.repository.get_id())


def _judge_pull(story: _Story, call: _Call) -> None:
    target, sources = story.get_branch(call.repository), []
    for refspec in call.names[1:]:
        source, _, into = refspec.lstrip("+").partition(":")
        sources.append(f"{HEADS}{source.removeprefix(HEADS)}")
        _judge_update(story, call.repository, into, sources[-1])
    if not sources and target in PROTECTED and call.repository.find_commit("@{upstream}"):
        sources = ["@{upstream}"]
    if target:
        for source in sources:
            is_upstream = source == "@{upstream}"
            names = find_names(call.repository, source) if is_upstream else [source[len(HEADS) :]]
            story.ruling.judge_source(target, names, names[0] if names else source)


def _judge_rebase(story: _Story, call: _Call) -> None:
    if call.has(*_STOPS):
        return
    repository = call.repository
    if call.has("--continue", "--skip"):
        base = repository.read("rebase-merge/onto") or repository.read("rebase-apply/onto")
    else:
        base = call.get("--onto") or (call.names[0] if call.names else "@{upstream}")
    if len(call.names) > 1:
        story.visit(repository, call.names[1])
    target = story.get_branch(repository)
    if target not in PROTECTED or not base:
        return
    if repository.find_full_name(base) != f"{HEADS}{target}":
        names = find_names(repository, story.translate(repository, base))
        at_remotes = repository.list_branches("--points-at", base, f"refs/remotes/*/{target}")
        story.ruling.judge_source(target, at_remotes or [n for n in names if n != target], base)


def _judge_commit(story: _Story, call: _Call) -> None:
    repository = call.repository
    branch = story.get_branch(repository)
    if branch not in PROTECTED or call.has("--dry-run", *_STOPS):
        return
    if repository.get_id() in story.merging:
        return
    heads = repository.read("MERGE_HEAD")
    if heads:
        story.judge_sources(repository, branch, heads.split())
    elif repository.find_commit("HEAD"):
        story.ruling.judge_commit(branch)


def _judge_pick(story: _Story, call: _Call) -> None:
    if not call.has("-n", "--no-commit", *_STOPS):
        story.ruling.judge_commit(story.get_branch(call.repository))


def _judge_push(story: _Story, call: _Call) -> None:
    repository = call.repository
    branch = story.get_branch(repository)
    if call.has("-d", "--delete", "--all", "--mirror", "--tags", "--branches"):
        return
    refspecs = list(call.names[1:])
    if not refspecs and branch:
        aim = repository.find("rev-parse", "--symbolic-full-name", f"{branch}@{{push}}")
        refspecs = [f"{branch}:{repository.strip(aim)}" if aim else branch]
    for refspec in refspecs:
        source, _, into = refspec.lstrip("+").partition(":")
        if source in {"HEAD", "@"}:
            source = branch or source
        full = repository.find_full_name(source) if source else ""
        if source and not (full.startswith("refs/tags/") and not into):
            _judge_update(story, repository, into or source, source)


def _judge_fetch(story: _Story, call: _Call) -> None:
    for refspec in call.names[1:]:
        source, _, into = refspec.lstrip("+").partition(":")
        _judge_update(story, call.repository, into, f"{HEADS}{source.removeprefix(HEADS)}")


def _judge_update(story: _Story, repository: Repository, into: str, source: str) -> None:
    """A branch, here or at a remote, that is set to another."""
    target = into.removeprefix(HEADS)
    if not target or target.startswith("refs/"):
        return
    story.ruling.judge_name(repository, target)
    if source.removeprefix(HEADS) != target:
        story.judge_sources(repository, target, [source])


def _judge_checkout(story: _Story, call: _Call) -> None:
    repository, created = call.repository, call.get(*_CREATED)
    start = call.names[0] if call.names else ""
    if created:
        forced = call.get("-B", "-C", "--force-create") in PROTECTED
        if forced or call.has("--orphan"):
            story.ruling.judge_name(repository, created)
        else:
            story.make(repository, created, start or "HEAD")
        if forced:
            story.judge_sources(
                repository, created, [start or story.get_branch(repository) or "HEAD"]
            )
        story.visit(repository, created)
        return
    if len(call.names) != 1 or call.options.get("--") == "1" or call.has("-p", "--patch"):
        return
    name = story.translate(repository, start)
    branch = repository.strip(name) if call.has("-t", "--track") else name
    known = [one for visited in story.visited.values() for one in visited]
    if (
        branch in known
        or (repository.get_id(), branch) in story.made
        or repository.has_branch(branch)
    ):
        story.visit(repository, None if call.has("-d", "--detach") else branch)
    elif repository.find_commit(name):
        story.visit(repository, None)


def _judge_branch(story: _Story, call: _Call) -> None:
    repository = call.repository
    if call.has("-d", "-D", "--delete", "-l", "--list", "-a", "-r", "--unset-upstream", "--all"):
        return
    if not call.names or any(call.options.get(name) for name in _VALUED["branch"].split()):
        return
    moves = call.has("-m", "-M", "-c", "-C", "--move", "--copy")
    name = call.names[-1] if moves else call.names[0]
    source = (*call.names, "HEAD")[0 if moves and len(call.names) > 1 else 1]
    if call.has("-f", "--force", "-M", "-C") and repository.has_branch(name):
        story.judge_sources(repository, name, [source])
    else:
        story.make(repository, name, "HEAD" if moves and len(call.names) < 2 else source)


def _judge_worktree(story: _Story, call: _Call) -> None:
    if call.names[:1] == ("add",) and len(call.names) > 1 and not call.has("-d", "--detach"):
        unnamed = Path(call.names[1]).name if len(call.names) == 2 else ""
        created = call.get("-b", "-B", "--orphan") or unnamed
        if created:
            story.make(call.repository, created, (*call.names, "HEAD", "HEAD")[2])


def _judge_plumbing(story: _Story, call: _Call) -> None:
    """Commands that move branches below git's own checks; ``symbolic-ref HEAD`` alone only asks."""
    if call.subcommand != "symbolic-ref" or len(call.names) > 1:
        story.ruling.problems.append(Message("governor-plumbing", name=call.subcommand))


def _judge_reset(story: _Story, call: _Call) -> None:
    repository, branch = call.repository, story.get_branch(call.repository)
    if branch not in PROTECTED or len(call.names) != 1 or call.options.get("--") == "1":
        return
    name = story.translate(repository, call.names[0])
    commit, now = repository.find_commit(name), repository.find_commit(f"{HEADS}{branch}")
    if commit and now and not repository.is_ancestor(commit, now):
        story.judge_sources(repository, branch, [name])


_SUBCOMMANDS: dict[str, Callable[[_Story, _Call], None]] = {
    "merge": _judge_merge,
    "pull": _judge_pull,
    "rebase": _judge_rebase,
    "commit": _judge_commit,
    **dict.fromkeys(("cherry-pick", "revert", "am"), _judge_pick),
    "push": _judge_push,
    "fetch": _judge_fetch,
    **dict.fromkeys(("checkout", "switch"), _judge_checkout),
    "branch": _judge_branch,
    "worktree": _judge_worktree,
    "reset": _judge_reset,
    **dict.fromkeys(("send-pack", "update-ref", "symbolic-ref", "fast-import"), _judge_plumbing),
}
