"""What a public caller can find out about sources that it may not see: nothing.

Each command runs in a project with hidden sources and in one without; what it prints, returns and
writes must be the same but for times and random ids.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.faults.rows import Row
from tests.support.guarded_projects import JSON_PROBES, PROBES, attempt, build_projects


def run(quick: bool) -> Iterator[Row]:
    """A row for each command; ``quick`` leaves out the slow ones."""
    probes = [*PROBES, *((*words, "--json") for words in PROBES)]
    if not quick:
        probes += [(*words, "--json") for words in JSON_PROBES]
    with tempfile.TemporaryDirectory() as folder:
        plain, guarded = build_projects(Path(folder))
        for words in probes:
            yield _probe(plain, guarded, Path(folder) / "demo", words)


def _probe(plain: Path, guarded: Path, place: Path, words: Sequence[str]) -> Row:
    started = time.monotonic()
    expected, found = (attempt(project, place, words) for project in (plain, guarded))
    seconds = time.monotonic() - started
    outcome = f"the same, status {found.split()[0]}" if found == expected else "differs"
    return Row("roles", " ".join(words), outcome, found == expected, seconds)
