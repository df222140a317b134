"""Run measurements: ``python -m bench [NAME …] [--data DIR]`` (all of them without a name).

Prints Markdown tables. Those that need real data are left out, and said so, without ``--data``.
"""

from __future__ import annotations

import argparse
import os
import platform
from pathlib import Path

from bench import (
    claims,
    conflicts,
    datasets,
    documents,
    embedding,
    exports,
    faults,
    forms,
    injection,
    memory,
    mutations,
    own_questions,
    refusal,
    startup,
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
    "claims": claims.measure,
    "conflicts": conflicts.measure,
    "injection": injection.measure,
    "chunk_sizes": sizes.measure_sizes,
    "pieces": pieces.measure_pieces,
    "prefixes": prefixes.measure_prefixes,
    "windows": windows.measure_windows,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MEASUREMENTS, []], metavar="NAME")
    parser.add_argument("--data", type=Path, help="folder with the data sets and real documents")
    arguments = parser.parse_args()
    cores = os.cpu_count()
    print(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}\n")
    for name in arguments.names or MEASUREMENTS:
        print(f"## {name}\n")
        for line in MEASUREMENTS[name](arguments.data):
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
