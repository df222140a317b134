"""The command line: parse, call one journey, show. No command decides anything of its own.

This module imports nothing heavy, so that Ctrl-C ends the program quietly even
while it is still loading. ``foundry --help`` imports Click and this package's
small modules; each command's module is loaded when it is called.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from foundry.cli.loading import load


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point of the ``foundry`` program; ends it. Default is the process's arguments."""
    try:
        program = load("foundry.cli.program", "foundry")
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(130)
    program.main(arguments)
