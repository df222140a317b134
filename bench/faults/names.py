"""Files and requests that come twice, under another name, or never end: nothing is lost, shown or doubled.

A secret file is renamed; names differ only in how Unicode or the case of letters writes them; a
file hangs while it is cut; a key of one request comes with another.
"""

from __future__ import annotations

import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

from fastapi.testclient import TestClient

from bench.faults.rows import Row
from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.readers.workers import ParserPool
from foundry.records import SourceStatus
from foundry.web.app import make_app
from foundry.web.site import open_site
from foundry.workspace import Workspace, open_workspace
from tests.support import hostile_cutters

Attack = Callable[[Workspace, Path], str]
"""Attacks a project with an empty folder of sources; returns what went wrong, or nothing."""


def run(_quick: bool) -> Iterator[Row]:
    """A row for each attack, in a new project."""
    for name, attack in ATTACKS.items():
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "foundry.yaml").write_text("project: {id: prj_names}\n")
            (root / "sources").mkdir()
            with open_workspace(root, environment={}, cwd=root) as workspace:
                problem = attack(workspace, root / "sources")
        seconds = time.monotonic() - started
        yield Row("names", name, problem or "nothing lost, shown or doubled", not problem, seconds)


def _rename_secret(workspace: Workspace, sources: Path) -> str:
    (sources / "pay.md").write_text("# Pay\n\nThe zyxwort of Ann is 4711 euro.\n")
    ingest(workspace, options=IngestOptions(confidentiality="secret"))
    (sources / "pay.md").rename(sources / "plan.md")
    ingest(workspace)
    (source,) = workspace.store.list_sources()
    return "" if source.confidentiality == "secret" else f"it is {source.confidentiality} now"


def _write_unicode_twice(workspace: Workspace, sources: Path) -> str:
    for number, form in enumerate(("NFC", "NFD")):
        name = unicodedata.normalize(form, "zekering-é.md")  # type: ignore[arg-type]
        (sources / name).write_text(f"# Fuse\n\nFuse {number} carries {number + 3} A.\n")
    return _expect(workspace, {"added": 1, "failed": 1})


def _write_case_twice(workspace: Workspace, sources: Path) -> str:
    for number, name in enumerate(("fuse.md", "Fuse.md")):
        (sources / name).write_text(f"# Fuse\n\nFuse {number} carries {number + 3} A.\n")
    return _expect(workspace, {"added": len(list(sources.iterdir()))})


def _hang_while_cut(workspace: Workspace, sources: Path) -> str:
    for step in hostile_cutters.STEPS:
        (sources / f"{step}.md").write_text(f"hang:{step} is the first word of this file.\n")
    (sources / "sound.md").write_text("# Fuse\n\nThe fuse carries 3 A.\n")
    reader = f"{hostile_cutters.__name__}:read_and_cut"
    pool = ParserPool(2, 2, 1000, reader=reader)
    with patch("foundry.journeys.source_files.run.open_parser_pool", lambda _workspace: pool):
        return _expect(workspace, {"added": 1, "failed": len(hostile_cutters.STEPS)})


def _expect(workspace: Workspace, wanted: Mapping[SourceStatus, int]) -> str:
    """What an ingest reports otherwise, or ``index verify`` finds; a failure says why."""
    files = ingest(workspace).files
    found = [file.status for file in files]
    counts = {status: found.count(status) for status in wanted}
    silent = [file.path for file in files if file.status == "failed" and not file.reason]
    problems = [str(problem) for problem in workspace.maintenance().verify()]
    if counts == wanted and len(found) == sum(wanted.values()) and not silent + problems:
        return ""
    return f"{[(file.path, file.status) for file in files]} {problems}"


def _reuse_key(workspace: Workspace, _sources: Path) -> str:
    with TestClient(
        make_app(open_site(workspace, "127.0.0.1")), base_url="http://127.0.0.1"
    ) as client:

        def upload(name: str, text: str) -> int:
            files = [("files", (name, text.encode()))]
            headers = {"Idempotency-Key": "one"}
            return int(client.post("/api/v2/uploads", files=files, headers=headers).status_code)

        found = [upload("a.md", "# A\n"), upload("a.md", "# A\n"), upload("b.md", "# B\n")]
    return "" if found == [200, 200, 422] else f"status {found}"


ATTACKS: Mapping[str, Attack] = {
    "a secret file is renamed": _rename_secret,
    "two names that Unicode writes in two ways": _write_unicode_twice,
    "two names that differ in a capital": _write_case_twice,
    "files that hang while they are cut": _hang_while_cut,
    "a key of a request comes with another one": _reuse_key,
}
