"""The command line: each command parses its options, calls one journey and shows the result."""

from __future__ import annotations

from foundry.cli.entry import main

__all__ = ["main"]
