"""Figures of a file of labelled lines: ``python -m bench claims FILE.jsonl --json``.

A line that cannot be used is left out and named; ``--strict`` then exits with 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from foundry.errors import FoundryError

Row = Mapping[str, Any]


class UnusableLine(ValueError):
    """Why a line cannot be used."""


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
    items, skipped = [], {}
    for number, line in enumerate(file, start=1):
        try:
            if line.strip():
                items.append(measurement.read(_parse(line)))
        except (ValueError, RecursionError) as error:
            skipped[number] = str(error)
    if not items:
        print(f"{name} has no usable line: {skipped}", file=sys.stderr)
        return 2
    report = measurement.measure(items, options.with_model)
    left_out = (f"{name}, line {line} was left out: {why}" for line, why in skipped.items())
    notices = [*left_out, *map(str, report.notices)]
    if options.as_json:
        document = {
            **report.figures,
            "skipped": [
                {"file": name, "line": line, "reason": why} for line, why in skipped.items()
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


def _parse(line: bytes) -> Row:
    row = json.loads(line.decode("utf-8-sig"))
    if not isinstance(row, dict):
        raise UnusableLine("it is not a JSON object")
    return row


def require_text(row: Row, key: str) -> str:
    """The row's text under ``key``. Raises ``UnusableLine`` if it is missing, blank or not text."""
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise UnusableLine(f'"{key}" is not a text with words')
    return value


def require_label(row: Row, key: str = "label") -> bool:
    """True or false from true, false, 1, 0, or those as text. Raises ``UnusableLine`` otherwise."""
    words = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
    label = words.get(str(row.get(key)).strip().lower())
    if label is None:
        raise UnusableLine(f'"{key}" is neither true nor false')
    return label


def round_rate(value: float | None) -> float | None:
    """A rate as it is printed."""
    return None if value is None else round(value, 4)
