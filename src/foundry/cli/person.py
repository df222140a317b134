"""Who approves or accepts: the name given, else the one that git or the system knows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

from foundry.cli.call import Call

_SYSTEM = ("USER", "LOGNAME", "USERNAME")
_WAIT_S = 5.0

by_option = click.option(
    "--by", metavar="NAME", help="Who decides it; default is git's user.name, else the system's."
)


def person(call: Call, by: str | None, root: Path) -> str:
    """The name to record; empty where none is known. ``by`` counts even when it is empty."""
    if by is not None:
        return by
    known = (call.environment.get(variable, "") for variable in _SYSTEM)
    return _git_name(call, root) or next(filter(str.strip, known), "")


def _git_name(call: Call, root: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "config", "--get", "user.name"],
            cwd=root,
            env=dict(call.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_WAIT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
