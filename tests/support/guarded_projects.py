"""Two projects that a public caller must not be able to tell apart.

Both have the same public sources, questions, runs, drafts and log. One also has confidential and
secret sources, and everything that their owner did with them: questions asked, a draft, a run,
feedback, cached sections, and a calibration. ``mask`` leaves out what differs between any two
projects: times and random ids.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner

from foundry.cli.program import foundry
from foundry.config import BUILTIN_EMBEDDING
from foundry.records import EvalQuestion, Expectation, FittedCalibration
from foundry.workspace import open_workspace

SECRET_WORD = "Zebracorp"
"""A name that only a secret source contains."""

PUBLIC = {
    "datasheet.md": """# DMX controller DX-4 datasheet

Revision B, 2026-02-01

## 3 Electrical

The controller runs on a supply of 12 V DC with at most 2.5 A. Reverse polarity is blocked by a
diode. The input fuse is rated at 3.15 A slow.

## 4 Outputs

Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz.
""",
    "care.md": """# Care of the controller

Clean the housing every six months with a dry cloth. Never use solvents: they attack the paint.
Store the controller dry, between 5 and 40 degrees. A blown fuse is replaced by an installer.
""",
}

HIDDEN = {
    # Another figure for a public fact, the public words themselves, and a file of the same name.
    "secret/takeover.md": """# Takeover of Zebracorp

The takeover of Zebracorp closes on 14 March 2027 for 3.2 million euro. The input fuse of the
controller is rated at 6.3 A slow. The controller runs on a supply of 24 V DC with at most 5 A.
""",
    "secret/datasheet.md": """# DMX controller DX-4 datasheet

Revision C, 2027-02-01

Each of the four outputs delivers 512 channels at a refresh rate of 44 Hz.
""",
    "secret/plan.md": """# Plan voor de overname

De overname van Zebracorp gaat door in maart. De zekering van de regelaar wordt vervangen door een
zwaardere uitvoering. De regelaar krijgt een voeding van 24 volt en een metalen behuizing.
""",
    "secret/torn.pdf": "%PDF-1.7 not really",
    "confidential/salaries.csv": "name,salary\nAda,5000\nGrace,6000\n",
}

SPECIFICATION = """---
title: The DX-4
owner: Ada
sections:
  - Supply and fuse
  - Outputs
  - Takeover of Zebracorp
source_hierarchy:
  - sources/datasheet.md
  - sources/secret/*
---

What an installer needs to know of the controller.
"""

LETTER = """# Letter

The input fuse is rated at 3.15 A slow. The input fuse is rated at 6.3 A slow. The takeover of
Zebracorp closes on 14 March 2027. The refresh rate is 44 Hz [secret/takeover.md].
"""

NORMAL = "What is the rating of the input fuse?"
SECRET = f"When does the takeover of {SECRET_WORD} close?"
UNHEARD = "When does the takeover of Quaggacorp close?"
DUTCH = "Waarmee wordt de zekering van de regelaar vervangen?"
HIDDEN_PATH = "sources/secret/takeover.md"

JSON_PROBES = [
    *(("search", question, "--mode", mode) for question in (NORMAL, SECRET, DUTCH)
      for mode in ("hybrid", "dense", "bm25")),
    ("search", UNHEARD),
    ("search", NORMAL, "--filter", "type=csv"),
    ("search", NORMAL, "--filter", "from=2027-01-01"),
    ("verify", "letter.md"),
    ("generate", "--topic", SECRET_WORD, "--output", "output/new.md", "--dry-run"),
    ("generate", "--topic", SECRET_WORD, "--output", "output/new.md", "--fresh"),
    ("draft", "verify", "output/public.md"),
    ("eval", "run", "--name", "owner"),
    ("eval", "report", "first", "second", "--output", "output/report.html"),
]  # fmt: skip
"""What shows the same in words, and takes long."""

PROBES = [
    *(("ask", question) for question in (NORMAL, SECRET, UNHEARD, DUTCH)),
    ("ask", SECRET_WORD, "--mode", "bm25"),
    ("ask", "-v", "Which fuse and supply does the controller have?"),
    ("search", NORMAL),
    ("search", NORMAL, "--filter", f"source={HIDDEN_PATH}"),
    ("search", NORMAL, "--filter", "tag=secret"),
    ("verify", "letter.md", "-v", "--mode", "bm25"),
    ("generate", "--topic", "The DX-4", "--output", "output/new.md", "--dry-run"),
    ("generate", "--topic", "The DX-4", "--output", "output/new.md", "-v"),
    ("draft", "list"),
    ("draft", "show", "output/public.md"),
    ("draft", "show", "output/owner.md"),
    ("draft", "accept", "output/owner.md", "--by", "Eve"),
    ("build", "--format", "md,html"),
    ("sources", "list"),
    ("sources", "show", "sources/datasheet.md"),
    ("sources", "show", HIDDEN_PATH),
    ("sources", "remove", HIDDEN_PATH),
    ("ingest",),
    ("index", "status"),
    ("index", "verify"),
    ("index", "rebuild"),
    ("doctor",),
    ("log", "list"),
    ("log", "list", "--kind", "eval"),
    ("log", "list", "--verdict", "no_evidence"),
    ("log", "show", "qry_owner"),
    ("log", "stats", "--by", "day"),
    ("log", "feedback", "qry_owner", "--correct"),
    ("feature", "list"),
    ("feature", "check", "dx4"),
    ("feature", "show", "dx4"),
    ("eval", "list"),
    ("eval", "show", "manual/deal"),
    ("eval", "show", "manual/fuse"),
    ("eval", "runs"),
    ("eval", "runs", "owner"),
    ("eval", "runs", "lower", "--questions"),
    ("eval", "runs", "first", "--questions"),
    ("eval", "compare", "first", "second"),
    ("eval", "export", "--output", "output/questions.jsonl"),
    ("eval", "run", "--retrieval-only", "--name", "third"),
    ("eval", "run", "-o", "ingest.summary_max_tokens=90"),
    ("eval", "add", "Why?", "--source", HIDDEN_PATH),
    ("eval", "import", "questions.jsonl"),
    ("eval", "import", "--feedback"),
    ("eval", "draft", "--number", "2"),
    ("eval", "accept", "manual/deal"),
    ("eval", "remove", "manual/deal"),
    ("eval", "calibrate", "--dry-run"),
]  # fmt: skip

QUESTIONS = [
    {"id": "fuse", "text": "What is the rating of the input fuse?", "source": "sources/datasheet.md",
     "answer": "3.15 A"},
    {"id": "cup", "text": "Who won the football world cup?", "answerable": False},
]  # fmt: skip


def build_projects(folder: Path) -> tuple[Path, Path]:
    """The project without hidden sources and the one with them, both of the same name and id."""
    plain, guarded = folder / "plain" / "demo", folder / "guarded" / "demo"
    _call(folder, "init", str(plain), "--offline")
    _write(plain / "sources", PUBLIC)
    _write(plain, {"features/dx4.md": SPECIFICATION, "letter.md": LETTER})
    lines = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    _write(plain, {"questions.jsonl": lines})
    _call(plain, "feature", "approve", "dx4", "--by", "Ada")
    shutil.copytree(plain, guarded)
    _ingest_hidden(guarded)
    for root in (plain, guarded):
        _call(root, "ingest", "-q")
        _call(root, "eval", "import", "questions.jsonl", "--set", "manual")
    _work_as_owner(guarded)
    for root in (plain, guarded):
        _work_as_public(root)
    return plain, guarded


def _ingest_hidden(root: Path) -> None:
    """Before the public sources, so that those get other row numbers; the files go again."""
    _write(root / "sources", HIDDEN)
    for level in ("secret", "confidential"):
        _call(root, "ingest", f"sources/{level}", "--confidentiality", level, "--tag", level, "-q")
        shutil.rmtree(root / "sources" / level)


def _work_as_owner(root: Path) -> None:
    _call(root, "ask", f"When does the takeover of {SECRET_WORD} close?")
    _call(root, "ask", "What is the rating of the input fuse?")
    _call(root, "generate", "--topic", SECRET_WORD, "--output", "output/owner.md")
    _call(root, "draft", "accept", "output/owner.md", "--by", "Ada")
    (root / "output" / "owner.md").unlink()
    with open_workspace(root, environment={}, cwd=root) as workspace:
        evaluation = workspace.maintenance().evaluation
        place = (Expectation("sources/secret/takeover.md"),)
        question = f"Who takes over {SECRET_WORD}?"
        evaluation.save_questions([EvalQuestion("deal", "manual", question, True, "en", place)])
        gate = {"shared": {"intercept": -9.0, "weights": {"coverage": 0.1}}}
        now, fingerprint = datetime.now(UTC), workspace.fingerprint()
        for row in workspace.store.list_queries(1):
            workspace.store.log_query(replace(row, id="qry_owner", verdict="no_evidence"))
    _call(root, "log", "feedback", "qry_owner", "--incorrect", "--note", SECRET_WORD)
    _call(root, "eval", "run", "--name", "owner", "--retrieval-only")
    _call(root, "eval", "run", "--name", "lower", "--retrieval-only", "-o", "access.role=public")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        fitted = FittedCalibration(BUILTIN_EMBEDDING, fingerprint, now, gate=gate)
        workspace.maintenance().evaluation.save_fitted(fitted)


def _work_as_public(root: Path) -> None:
    public = ("--role", "public")
    _call(root, "ask", "What is the refresh rate?", *public)
    _call(root, "generate", "--topic", "The DX-4", "--output", "output/public.md", *public)
    _call(root, "draft", "accept", "output/public.md", "--by", "Ada", *public)
    for name in ("first", "second"):
        _call(root, "eval", "run", "--name", name, "--retrieval-only", *public)
    _even_out(root)


def _even_out(root: Path) -> None:
    """Let every question have taken as long, since times decide what reports say."""
    with contextlib.closing(sqlite3.connect(root / ".foundry" / "foundry.db")) as db, db:
        for number, text in db.execute("SELECT number, timings_ms FROM query_log").fetchall():
            timings = json.dumps(dict.fromkeys(json.loads(text), 10.0))
            db.execute("UPDATE query_log SET timings_ms = ? WHERE number = ?", (timings, number))
    with open_workspace(root, environment={}, cwd=root, role="public") as workspace:
        evaluation = workspace.store.evaluation
        for run in evaluation.list_runs():
            for result in evaluation.results(run.id):
                timings = dict.fromkeys(result.timings_ms, 10.0)
                evaluation.save_result(run.id, replace(result, timings_ms=timings))
            times = {name: 10.0 for name in run.figures if name.endswith(("_ms", "seconds"))}
            evaluation.save_run(replace(run, figures={**run.figures, **times}, seconds=1.0))


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _call(root: Path, *words: str) -> None:
    with contextlib.chdir(root):
        done = CliRunner().invoke(foundry, list(words))
    assert done.exit_code in {0, 3}, (words, done.output)


def attempt(project: Path, place: Path, words: Sequence[str], text: str | None = None) -> str:
    """What a public caller gets from a copy of the project at ``place``: status, streams, files."""
    shutil.copytree(project, place)
    with contextlib.chdir(place):
        done = CliRunner().invoke(foundry, [*words, "--role", "public"], input=text)
    files = sorted(path for path in (place / "output").rglob("*") if path.is_file())
    written = [f"{path.name}:\n{mask(path.read_text(encoding='utf-8'))}" for path in files]
    shutil.rmtree(place)
    return "\n\n".join([str(done.exit_code), mask(done.stdout), mask(done.stderr), *written])


_MASKS = (
    (re.compile(r"qry_[0-9a-f]{16}"), "QUERY"),
    (re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([+-]\d{2}:\d{2}|Z)?"), "TIME"),
    (re.compile(r"\d+(\.\d+)? GB free"), "N GB free"),
    (re.compile(r" *[-+]?\d+(\.\d+)? (ms|s)\b"), " N ms"),
)


def mask(text: str) -> str:
    """The text without times, durations and random ids; of JSON, every ``_ms`` keeps its keys."""
    try:
        document = json.loads(text)
    except ValueError:
        pass
    else:
        text = json.dumps(_mask_times(document), indent=1, ensure_ascii=False)
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def _mask_times(value: object, timed: bool = False) -> object:
    if isinstance(value, dict):
        if {"created", "by"} & value.keys():
            # A draft's file contains the time, so its hash differs too.
            value = {**value, "content_hash": "HASH"}
        return {
            key: _mask_times(item, timed or key.endswith(("_ms", "seconds")) or "latency" in key)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_mask_times(item, timed) for item in value]
    return "N" if timed and isinstance(value, int | float) else value
