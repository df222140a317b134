"""Run measurements: ``python -m bench [NAME …] [--data DIR]`` (all of them without a name).

Prints Markdown tables; those that need published data are left out without ``--data``.
``python -m bench claims|conflicts|injection FILE.jsonl [--json]`` measures a file of labelled lines.
``bench.goldens`` and ``bench.fit_gate`` are programs of their own; ``bench.measures`` is one too.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.faults.runner import PARTS as FAULTS
from bench.labelled import LineOptions, run_measurement
from bench.stores.runner import PARTS as STORES
from bench.written import GROUPS

MEASUREMENTS = {
    **{
        name: f"bench.processes:measure_{name}"
        for name in ("startup", "ask_cpu", "memory", "workers")
    },
    "web": "bench.web",
    "embedding": "bench.embedding",
    "stores": "bench.stores.runner",
    "faults": "bench.faults.runner",
    **{
        name: f"bench.{name}"
        for name in (
            *(
                "own_questions",
                "passages",
                "shown",
                "forms",
                "documents",
                "reading",
                "tables_read",
                "places",
                "order",
                "beside",
                "markup",
                "impact",
                "extraction",
            ),
            *("ocr", "refusal", "mutations", "claims", "judge", "conflicts"),
            *("injection", "written", "lay", "measures"),
        )
    },
}
"""Name → module, or module and function.

The function names the options that it takes. One whose ``data`` is a ``Path`` cannot do without.
"""

LINE_FILES = ("claims", "conflicts", "injection")


def main() -> int:
    arguments = vars(_parse())
    names = arguments.pop("names")
    if len(names) == 2 and names[0] in LINE_FILES and names[1] not in MEASUREMENTS:
        options = LineOptions(*(arguments[key] for key in ("json", "strict", "verbose", "model")))
        lines = importlib.import_module(f"bench.{names[0]}").LINES
        return run_measurement(lines, names[1], options)
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"unknown measurement {unknown[0]!r}; choose from {', '.join(MEASUREMENTS)}")
        return 2
    given = {key: value for key, value in arguments.items() if value not in (None, False)}
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    passed = [_print(name, _run(name, given)) for name in names or MEASUREMENTS]
    return 0 if all(passed) else 1


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="; ".join(MEASUREMENTS))
    add("--data", type=Path, metavar="DIR", help="folder with the data sets and real documents")
    add("--sample", type=int, metavar="N", help="so many questions or sentences")
    add("--quick", action="store_true", help="faults, stores, web: only what is quick")
    add("--part", action="append", dest="parts", choices=(*FAULTS, *STORES), help="only this part")
    add("--chunks", type=_read_numbers, dest="sizes", metavar="N,N", help="stores: sizes")
    add("--keep", type=Path, metavar="DIR", help="stores, web: where they stay")
    add("--sqlite", action="store_true", help="stores: without PostgreSQL")
    add("--ray", action="store_true", help="workers: actors of a Ray cluster on this machine")
    add("--only", choices=("dev", "held"), help="reading: half of the files")
    add("--groups", nargs="+", choices=sorted(set(GROUPS.values())), help="written: only these")
    add("--json", action="store_true", help="labelled lines: print the figures as JSON")
    add("--strict", action="store_true", help="labelled lines: exit with 1 if one is left out")
    add("--with-model", action="store_true", dest="model", help="in doubt ask the project's judge")
    add("-v", "--verbose", action="store_true", help="list what is judged or read wrongly")
    return parser.parse_args()


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _run(name: str, given: Mapping[str, Any]) -> Iterator[str]:
    module, _, function = MEASUREMENTS[name].partition(":")
    measure = getattr(importlib.import_module(module), function or "measure")
    taken = inspect.signature(measure).parameters
    if "data" in taken and taken["data"].annotation == "Path" and "data" not in given:
        return iter(("Left out: give --data DIR.",))
    known = {key: value for key, value in given.items() if key in taken}
    lines: Iterator[str] = measure(**{"data": None} | known if "data" in taken else known)
    return lines


def _print(name: str, lines: Iterator[str]) -> bool:
    """Print the lines of a measurement; False if the generator returned False at its end."""
    print(f"## {name}\n")
    while True:
        try:
            print(next(lines), flush=True)
        except StopIteration as end:
            print()
            return end.value is not False


if __name__ == "__main__":
    sys.exit(main())
