"""The command line: each command parses its options, calls one journey and shows the result."""

from foundry.cli.entry import main, run_program
