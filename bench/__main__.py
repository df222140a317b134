"""Run measurements: ``python -m bench [NAME …] [--data DIR]`` (all of them without a name).

Prints Markdown tables; those that need published data are left out without ``--data``.
``python -m bench claims|conflicts|injection FILE.jsonl [--json]`` measures a file of labelled lines.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench import (
    ask_cpu,
    calibration,
    claims,
    conflicts,
    datasets,
    dense,
    documents,
    embedding,
    exports,
    forms,
    fusion,
    injection,
    judge,
    lay,
    local_model,
    memory,
    mutations,
    ocr,
    own_questions,
    passages,
    places,
    reading,
    refusal,
    replay,
    reranker,
    shown,
    startup,
    statements,
    text_phase,
    web,
    workers,
    written,
)
from bench.faults import runner as faults
from bench.labelled import LineOptions, run_measurement
from bench.stores import equality
from bench.stores import runner as stores

Measurement = Callable[[Path | None], Iterator[str]]

MEASUREMENTS: dict[str, Measurement] = {
    "startup": startup.measure,
    "web": web.measure,
    "ask_cpu": ask_cpu.measure,
    "text_phase": text_phase.measure,
    "embedding": embedding.measure,
    "memory": memory.measure,
    "dense": dense.measure,
    "stores": stores.measure,
    "store_ranking": equality.measure,
    "statements": statements.measure,
    "faults": faults.measure,
    "own_questions": own_questions.measure,
    "passages": passages.measure,
    "shown": shown.measure,
    "forms": forms.measure,
    "documents": documents.measure,
    "reading": reading.measure,
    "places": places.measure,
    "ocr": ocr.measure,
    "exports": exports.measure,
    "refusal": refusal.measure,
    "datasets": datasets.measure,
    "mutations": mutations.measure,
    "calibration": calibration.measure,
    "claims": claims.measure,
    "judge": judge.measure,
    "replay": replay.measure,
    "conflicts": conflicts.measure,
    "injection": injection.measure,
    "fusion": fusion.measure,
    "reranker": reranker.measure,
    "workers": workers.measure,
    "written": written.measure,
    "lay": lay.measure,
    "local_model": local_model.measure,
}

LINE_FILES = {"claims": claims.LINES, "conflicts": conflicts.LINES, "injection": injection.LINES}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="; ".join(MEASUREMENTS))
    parser.add_argument("--data", type=Path, help="folder with the data sets and real documents")
    parser.add_argument("--full", action="store_true", help="data sets whole, not sampled")
    attacks = parser.add_argument_group("faults, stores")
    attacks.add_argument("--quick", action="store_true", help="only what is quick")
    attacks.add_argument(
        "--part", action="append", choices=(*faults.PARTS, *stores.PARTS), help="only this part"
    )
    side = parser.add_argument_group("stores")
    side.add_argument("--chunks", type=_read_numbers, default=(), metavar="N,N", help="sizes")
    side.add_argument("--clients", type=_read_numbers, default=(), metavar="N,N", help="at once")
    side.add_argument(
        "--keep", type=Path, metavar="DIR", help="where loaded stores, or drawn pages, stay"
    )
    side.add_argument("--way", action="append", choices=tuple(stores.KINDS), help="only this")
    pages = parser.add_argument_group("reading")
    pages.add_argument("--only", choices=("dev", "held"), default="", help="half of the files")
    pages.add_argument("--tools", default="", metavar="PYTHON", help="interpreter with other tools")
    pages.add_argument(
        "--generated", type=int, default=4, metavar="N", help="generated files of each kind"
    )
    typed = parser.add_argument_group("written")
    typed.add_argument(
        "--groups", nargs="+", default=(), choices=sorted(set(written.GROUPS.values()))
    )
    typed.add_argument("--sample", type=int, metavar="N", help="so many questions")
    local = parser.add_argument_group("local_model")
    local.add_argument("--url", default="", metavar="URL", help="a model server that is running")
    parser.add_argument("--samples", type=int, default=0, metavar="N", help="failures to print")
    lines = parser.add_argument_group("labelled lines")
    lines.add_argument("--json", action="store_true", help="print the figures as JSON")
    lines.add_argument("--strict", action="store_true", help="exit with 1 if a line is left out")
    lines.add_argument("--with-model", action="store_true", help="in doubt ask the project's judge")
    lines.add_argument("-v", "--verbose", action="store_true", help="list what is judged wrongly")
    arguments = parser.parse_args()
    if len(arguments.names) == 2 and arguments.names[1] not in MEASUREMENTS:
        name, file = arguments.names
        if name in LINE_FILES:
            options = LineOptions(
                arguments.json, arguments.strict, arguments.verbose, arguments.with_model
            )
            return run_measurement(LINE_FILES[name], file, options)
    unknown = [name for name in arguments.names if name not in MEASUREMENTS]
    if unknown:
        parser.error(f"unknown measurement {unknown[0]!r}; choose from {', '.join(MEASUREMENTS)}")
    measurements = MEASUREMENTS | {
        "datasets": partial(datasets.measure, full=arguments.full),
        "reading": partial(
            reading.measure,
            only=arguments.only,
            tools=arguments.tools,
            verbose=arguments.verbose,
            generated=arguments.generated,
        ),
        "places": partial(places.measure, keep=arguments.keep),
        "written": partial(written.measure, groups=arguments.groups, sample=arguments.sample),
        "passages": partial(
            passages.measure,
            sample=None if arguments.full else arguments.sample or passages.SAMPLE,
            samples=arguments.samples,
        ),
        "shown": partial(
            shown.measure, sample=arguments.sample or shown.SAMPLE, samples=arguments.samples
        ),
        "local_model": partial(
            local_model.measure,
            url=arguments.url,
            tools=arguments.tools,
            sample=arguments.sample or local_model.SAMPLE,
        ),
        "judge": partial(judge.measure, sample=arguments.sample or judge.SAMPLE),
        "stores": partial(
            stores.measure,
            sizes=arguments.chunks,
            clients=arguments.clients,
            parts=arguments.part or (),
            ways=arguments.way or (),
            keep=arguments.keep,
            tools=arguments.tools,
            quick=arguments.quick,
        ),
        "faults": partial(faults.measure, quick=arguments.quick, parts=arguments.part or ()),
    }
    names = arguments.names or list(MEASUREMENTS)
    return 0 if _print_tables(measurements, names, arguments.data) else 1


def _read_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _print_tables(
    measurements: Mapping[str, Measurement], names: Sequence[str], data: Path | None
) -> bool:
    """Print the tables of all these; False if one of them says that it failed."""
    cores, passed = os.cpu_count(), True
    print(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}\n")
    for name in names:
        print(f"## {name}\n")
        passed = _print_lines(measurements[name](data)) and passed
        print()
    return passed


def _print_lines(lines: Iterator[str]) -> bool:
    """False if the generator returned False at its end."""
    while True:
        try:
            print(next(lines), flush=True)
        except StopIteration as end:
            return end.value is not False


if __name__ == "__main__":
    sys.exit(main())
