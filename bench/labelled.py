"""Figures of a file of labelled lines: ``python -m bench claims FILE.jsonl --json``.

A line that cannot be used is left out and named; ``--strict`` then exits with 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from foundry.errors import FoundryError
from foundry.evaluation.lines import Row, read_lines, report_skipped, require_some

Item = TypeVar("Item")


@dataclass(frozen=True)
class LineReport:
    """The figures of all lines, the wrong ones as text, and what went wrong besides."""

    figures: Mapping[str, Any]
    wrong: Sequence[str] = ()
    notices: Sequence[str] = ()


@dataclass(frozen=True)
class LineMeasurement:
    """How to read a line, and how to measure all of them; the flag lets a project's model help."""

    read: Callable[[Row], Any]
    measure: Callable[[Sequence[Any], bool], LineReport]


@dataclass(frozen=True)
class LineOptions:
    as_json: bool = False
    strict: bool = False
    verbose: bool = False
    with_model: bool = False


def run_measurement(measurement: LineMeasurement, name: str, options: LineOptions) -> int:
    """Measure the lines of a file (``-`` is standard input) and print them; the exit status."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
            return _run(measurement, file, "standard input" if name == "-" else name, options)
    except OSError as error:
        print(f"{name} cannot be read: {error.strerror or error}", file=sys.stderr)
    except FoundryError as error:
        print(f"{error.message} {error.fix}", file=sys.stderr)
    return 2


def _run(measurement: LineMeasurement, file: BinaryIO, name: str, options: LineOptions) -> int:
    items, skipped = read_lines(file, name, measurement.read)
    require_some(items, skipped, name)
    report = measurement.measure(items, options.with_model)
    notices = [*map(str, report_skipped(skipped)), *report.notices]
    if options.as_json:
        document = {
            **report.figures,
            "skipped": [
                {"file": line.file, "line": line.line, "reason": str(line.reason)}
                for line in skipped
            ],
            "notices": notices,
        }
        print(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        print("\n".join(notices), file=sys.stderr, end="\n" if notices else "")
        for key, value in report.figures.items():
            if not isinstance(value, list):
                print(f"{key:<24} {'undefined' if value is None else value}")
        if options.verbose:
            print("\n".join(["", *report.wrong]))
    return 1 if options.strict and skipped else 0


def round_rate(value: float | None) -> float | None:
    """A rate as it is printed."""
    return None if value is None else round(value, 4)
