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
from tests.store.server import has_server, make_databases, make_role, run_server
from tests.support.guarded_projects import JSON_PROBES, PROBES, RoleProject, attempt, build_projects


def run(quick: bool) -> Iterator[Row]:
    """A row for each command on each store; ``quick`` leaves out the slow ones."""
    probes = [*PROBES, *((*words, "--json") for words in PROBES)]
    if not quick:
        probes += [(*words, "--json") for words in JSON_PROBES]
    with tempfile.TemporaryDirectory() as folder:
        yield from _probe_all(Path(folder), probes, (None, None), "")
    if has_server():
        with tempfile.TemporaryDirectory() as folder, run_server() as url:
            make_role(url)
            places = make_databases(f"{url}/postgres", "roles_plain", "roles_guarded")
            yield from _probe_all(Path(folder), probes, places, " (PostgreSQL)")


def _probe_all(
    folder: Path, probes: Sequence[Sequence[str]], places: tuple[str | None, str | None], store: str
) -> Iterator[Row]:
    plain, guarded = build_projects(folder, places)
    for words in probes:
        yield _probe(plain, guarded, folder / "demo", words, store)


def _probe(
    plain: RoleProject, guarded: RoleProject, place: Path, words: Sequence[str], store: str
) -> Row:
    started = time.monotonic()
    expected, found = (attempt(project, place, words) for project in (plain, guarded))
    seconds = time.monotonic() - started
    outcome = f"the same, status {found.split()[0]}" if found == expected else "differs"
    return Row("roles", " ".join(words) + store, outcome, found == expected, seconds)
