"""Hostile files in an ingest: each is refused with a reason or read, in bounded time and memory."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.faults.commands import Finished, run_foundry
from bench.faults.hostile_files import Attack, list_attacks
from bench.faults.rows import Row, run_together

TIME_S = 60
MEMORY_MB = 1024
"""Limits of a parser; the program may take half of the memory on top, and start slowly."""
_CONFIG = f"""
project: {{id: prj_faults}}
ingest: {{parse_timeout_s: {TIME_S}, parse_memory_mb: {MEMORY_MB}}}
"""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def run(quick: bool) -> Iterator[Row]:
    """A row for each file, ingested alone into a new project."""
    attacks = [attack for attack in list_attacks() if attack.quick or not quick]
    yield from run_together(partial(_ingest, attack) for attack in attacks)


def _ingest(attack: Attack) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "foundry.yaml").write_text(_CONFIG)
        (root / "sources").mkdir()
        attack.write(root / "sources")
        ended = run_foundry("ingest", "--json", cwd=root, limit=2 * TIME_S)
    outcome, passed = _judge(attack, ended)
    return Row("files", attack.name, outcome, passed, ended.seconds, ended.memory)


def _judge(attack: Attack, ended: Finished) -> tuple[str, bool]:
    """What happened, and whether it may: no crash, no endless work, no control characters."""
    if ended.stopped:
        return f"stopped after {2 * TIME_S} s", False
    if ended.crashed:
        return f"crashed: {ended.err.strip().splitlines()[-1][:100]}", False
    if _CONTROL.search(ended.out + ended.err):
        return "control characters in the output", False
    # What is attached to the file is listed too, under a longer path.
    file = min(json.loads(ended.out)["sources"], key=lambda source: len(source["path"]))
    kept = file["status"] == "added"
    shown = f"read, chunks: {file['chunks']}" if kept else f"refused: {file['reason'][:90]}"
    fits = ended.memory < 1.5 * MEMORY_MB
    return shown if fits else f"{shown}, in too much memory", fits and attack.read in {None, kept}
