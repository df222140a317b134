"""The hooks of git and of editor agents: how they are installed, and what Foundry answers.

``pre-commit`` and ``pre-merge-commit`` refuse early and leave a clean state; ``pre-push`` guards the
remote's branches; ``reference-transaction`` sees each move of a branch, so also a fast-forward, a
rebase, a cherry-pick, and what ``--no-verify`` lets past the others.

An agent runs its hook before a shell command, with a JSON object on standard input; status 2 blocks
the command, and the agent reads why on standard error. The forms are those of Claude Code (also
Codex and VS Code), Cursor, Gemini CLI, Windsurf and Copilot CLI.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from foundry.doc import Doc
from foundry.errors import RuleError
from foundry.governor.git_calls import check_command
from foundry.governor.repository import HEADS, GitFailed, Repository, Ruling

_MARK = "# Written by `foundry governor install`."
_KEPT = ".before-foundry"
_SCRIPT = """\
#!/bin/sh
{mark} Delete this file to stop the check.
input=
{read_input}
own="$0{kept}"
if [ -x "$own" ]; then
    printf '%s' "$input" | "$own" "$@" || exit $?
fi
{filter}
program={program}
[ -x "$program" ] || program=$(command -v foundry) || {{
    echo "foundry governor: not checked, because foundry was not found" >&2
    exit 0
}}
printf '%s' "$input" | "$program" governor check --hook {name}
[ $? -ne 2 ]
"""
_READ_INPUT = "input=$(cat; echo .)\ninput=${input%.}"
# Git runs it for each change of any reference: only some may start a program.
_FILTER = """\
[ "$1" = prepared ] || exit 0
case $input in
    *" refs/heads/main"* | *" refs/heads/develop"* | *00000000000000000000*" refs/heads/"*) ;;
    *) exit 0 ;;
esac"""
HOOKS = {
    "pre-commit": ("", ""),
    "pre-merge-commit": ("", ""),
    "pre-push": (_READ_INPUT, ""),
    "reference-transaction": (_READ_INPUT, _FILTER),
}


@dataclass(frozen=True, slots=True)
class InstalledHook:
    """A hook that ``install_hooks`` wrote."""

    name: str
    path: str
    status: Literal["new", "updated", "chained"]
    kept: Annotated[str | None, Doc("where the hook that was there is now; it runs first")] = None


def install_hooks(directory: Path, program: str, *, chain: bool = False) -> list[InstalledHook]:
    """Write the hooks of the repository of ``directory``; they run ``program``.

    A hook that is not Foundry's own is kept under another name and runs first if ``chain``;
    otherwise nothing is written and ``RuleError`` names it. ``RuleError`` without a repository.
    """
    try:
        answer = Repository(directory).ask("rev-parse", "--git-path", "hooks")
    except GitFailed as failed:
        raise RuleError("governor-no-repository", where=str(directory)) from failed
    folder = directory / answer
    foreign = [name for name in HOOKS if _is_foreign(folder / name)]
    if foreign and not chain:
        raise RuleError("governor-hook-exists", where=str(folder), names=tuple(foreign))
    folder.mkdir(parents=True, exist_ok=True)
    return [_install(folder / name, program) for name in HOOKS]


def _is_foreign(path: Path) -> bool:
    return path.exists() and _MARK not in path.read_text(encoding="utf-8", errors="replace")


def _install(path: Path, program: str) -> InstalledHook:
    kept = path.with_name(path.name + _KEPT)
    status: Literal["new", "updated", "chained"] = "updated" if path.exists() else "new"
    if _is_foreign(path):
        if kept.exists():
            raise RuleError("governor-hook-exists", where=str(path.parent), names=(kept.name,))
        path.rename(kept)
        status = "chained"
    read_input, first = HOOKS[path.name]
    text = _SCRIPT.format(
        mark=_MARK,
        kept=_KEPT,
        program=shlex.quote(program),
        name=path.name,
        read_input=read_input,
        filter=first,
    )
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o755)
    return InstalledHook(path.name, str(path), status, str(kept) if kept.exists() else None)


def judge_hook(name: str, directory: Path, lines: Sequence[str]) -> Ruling:
    """Judge what git is about to do; ``lines`` are those of the hook's standard input."""
    repository, ruling = Repository(directory), Ruling()
    try:
        if name == "pre-commit":
            return check_command("git commit", directory)
        if name == "pre-merge-commit":
            # Git names what it merges: GITHEAD_<commit>=<name>.
            names = [v for k, v in os.environ.items() if k.startswith("GITHEAD_")]
            return (
                check_command(shlex.join(["git", "merge", *names]), directory) if names else ruling
            )
        for row in map(str.split, lines):
            if name == "pre-push" and len(row) == 4:
                _judge_pushed(ruling, repository, *row)
            elif name == "reference-transaction" and len(row) == 3 and row[2].startswith(HEADS):
                _judge_moved(ruling, repository, row[1], row[2])
    except GitFailed as failed:
        ruling.warnings.append(failed.problem)
    return ruling


def _judge_moved(ruling: Ruling, repository: Repository, new: str, name: str) -> None:
    if set(new) != {"0"}:
        ruling.judge_move(repository, name.removeprefix(HEADS), new)


def _judge_pushed(
    ruling: Ruling, repository: Repository, name: str, commit: str, into: str, _old: str
) -> None:
    if not into.startswith(HEADS) or set(commit) == {"0"}:
        return
    target = into.removeprefix(HEADS)
    ruling.judge_name(repository, target)
    full = repository.find_full_name(name)
    names = (
        [repository.strip(full)] if full.startswith(HEADS) else repository.list_containing(commit)
    )
    ruling.judge_source(target, names, names[0] if len(names) == 1 else commit[:12])


_ASK = "foundry governor check"


@dataclass(frozen=True, slots=True)
class EditorAgent:
    """Where an agent keeps its hooks, under which event, and the entry for the check."""

    path: str
    event: str
    entry: Mapping[str, Any]
    others: Mapping[str, Any]


def _match(tool: str) -> dict[str, Any]:
    return {"matcher": tool, "hooks": [{"type": "command", "command": _ASK}]}


AGENTS = {
    "claude": EditorAgent(".claude/settings.json", "PreToolUse", _match("Bash"), {}),
    "cursor": EditorAgent(
        ".cursor/hooks.json", "beforeShellExecution", {"command": _ASK}, {"version": 1}
    ),
    "gemini": EditorAgent(".gemini/settings.json", "BeforeTool", _match("run_shell_command"), {}),
    "windsurf": EditorAgent(".windsurf/hooks.json", "pre_run_command", {"command": _ASK}, {}),
}
"""The agents that can be configured, by name."""


def render_agent_hook(name: str, settings: Mapping[str, Any] | None = None) -> str:
    """The agent's file with the check in it, as JSON; ``settings`` are what it has already."""
    agent = AGENTS[name]
    merged = {**agent.others, **(settings or {})}
    hooks = dict(merged.get("hooks") or {})
    entries = list(hooks.get(agent.event) or [])
    if agent.entry not in entries:
        entries.append(dict(agent.entry))
    return json.dumps({**merged, "hooks": {**hooks, agent.event: entries}}, indent=2) + "\n"


def configure_agent(name: str, directory: Path) -> Path:
    """Add the check to the agent's file in ``directory``; what is in it stays.

    Raises ``RuleError`` if the file is not a JSON object.
    """
    path = directory / AGENTS[name].path
    try:
        settings = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        text = render_agent_hook(name, settings)
    except (ValueError, TypeError, AttributeError) as error:
        raise RuleError("governor-agent-file", where=str(path)) from error
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def find_command(text: str) -> tuple[str, str | None] | None:
    """The shell command in what an agent sent, and the folder it names; None if it is no command.

    Raises ``ValueError`` for anything but a JSON object.
    """
    sent = json.loads(text)
    if not isinstance(sent, dict):
        raise ValueError("not an object")  # noqa: TRY004 - one error for all that is no call
    inner: Any = next((sent[k] for k in ("tool_input", "tool_info", "toolArgs") if k in sent), sent)
    if isinstance(inner, str):
        inner = json.loads(inner)
    inner = inner if isinstance(inner, dict) else {}
    command = inner.get("command") or inner.get("command_line")
    if isinstance(command, list):
        command = command[-1] if command else None
    folder = inner.get("cwd") or inner.get("directory") or sent.get("cwd")
    return (command, folder) if isinstance(command, str) and command else None
