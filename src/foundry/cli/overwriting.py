"""Asking before a file is replaced: ``File exists: NAME`` / ``Overwrite? [y/N]:``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from foundry.cli.output import say
from foundry.render.files import OverwriteRefused

_FIX = "Choose another --output, or give --yes to overwrite."


def agree_to_overwrite(paths: Sequence[Path], *, yes: bool, warning: str | None = None) -> bool:
    """Whether files are replaced: False where none exists, True where it was agreed to.

    ``warning`` is what would be lost besides. Raises ``OverwriteRefused`` without a terminal
    to ask on, and where the answer is no.
    """
    there = [path for path in paths if path.exists()]
    if not there or yes:
        return bool(there)
    names, where = ", ".join(path.name for path in there), str(there[0].parent)
    if not sys.stdin.isatty():
        said = f". {warning}" if warning else ""
        raise OverwriteRefused(f"File exists: {names}{said}", where=where, fix=_FIX)
    if warning:
        say(warning)
    say(f"File exists: {names}")
    if not click.confirm("Overwrite?", err=True):
        raise OverwriteRefused(f"Nothing was changed: {names}", where=where, fix=_FIX)
    return True
