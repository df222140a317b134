"""Run measurements: ``python -m bench [NAME …] [--data DIR]`` (all of them without a name).

Prints Markdown tables. Those that need real data are left out, and said so, without ``--data``.
"""

from __future__ import annotations

import argparse
import os
import platform
from functools import partial
from pathlib import Path

from bench import (
    across,
    calibration,
    claims,
    conflicts,
    datasets,
    documents,
    dutch,
    embedding,
    exports,
    faults,
    forms,
    fusion,
    injection,
    memory,
    mutations,
    own_questions,
    refusal,
    startup,
    terms,
    text_phase,
)
from bench.chunks import pieces, prefixes, sizes, windows

MEASUREMENTS = {
    "startup": startup.measure,
    "text_phase": text_phase.measure,
    "embedding": embedding.measure,
    "memory": memory.measure,
    "faults": faults.measure,
    "own_questions": own_questions.measure,
    "forms": forms.measure,
    "documents": documents.measure,
    "exports": exports.measure,
    "refusal": refusal.measure,
    "datasets": datasets.measure,
    "mutations": mutations.measure,
    "calibration": calibration.measure,
    "claims": claims.measure,
    "conflicts": conflicts.measure,
    "injection": injection.measure,
    "fusion": fusion.measure,
    "terms": terms.measure,
    "dutch": dutch.measure,
    "languages": across.measure,
    "chunk_sizes": sizes.measure_sizes,
    "pieces": pieces.measure_pieces,
    "prefixes": prefixes.measure_prefixes,
    "windows": windows.measure_windows,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MEASUREMENTS, []], metavar="NAME")
    parser.add_argument("--data", type=Path, help="folder with the data sets and real documents")
    parser.add_argument("--full", action="store_true", help="data sets whole, not sampled")
    arguments = parser.parse_args()
    measurements = {**MEASUREMENTS, "datasets": partial(datasets.measure, full=arguments.full)}
    cores = os.cpu_count()
    print(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}\n")
    for name in arguments.names or MEASUREMENTS:
        print(f"## {name}\n")
        for line in measurements[name](arguments.data):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
