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
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from foundry.cli.program import foundry
from foundry.config import BUILTIN_EMBEDDING
from foundry.journeys.work import enqueue
from foundry.records import Confidentiality, EvalQuestion, Expectation, FittedCalibration
from foundry.workspace import Workspace, open_workspace

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
    ("work", "list"),
    ("work", "cancel"),
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


@dataclass(frozen=True)
class RoleProject:
    """A project's folder, and the address of its PostgreSQL database; None for SQLite's file."""

    root: Path
    address: str | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What leads commands to the database."""
        return {"FOUNDRY_STORAGE__URL": self.address} if self.address else {}

    def open(self, role: Confidentiality | None = None) -> Workspace:
        """The project, opened as its owner or in a role."""
        return open_workspace(self.root, environment=self.environment, cwd=self.root, role=role)


def build_projects(
    folder: Path, addresses: tuple[str | None, str | None] = (None, None)
) -> tuple[RoleProject, RoleProject]:
    """The project without hidden sources and the one with them, both of the same name and id.

    In a PostgreSQL database another project, all of it public, is beside the second one.
    """
    plain = RoleProject(folder / "plain" / "demo", addresses[0])
    guarded = RoleProject(folder / "guarded" / "demo", addresses[1])
    _make_project(plain, PUBLIC)
    _call(plain, "feature", "approve", "dx4", "--by", "Ada")
    shutil.copytree(plain.root, guarded.root)
    if guarded.address:
        _build_neighbour(RoleProject(folder / "other" / "demo", guarded.address))
    _ingest_hidden(guarded)
    for project in (plain, guarded):
        _call(project, "ingest", "-q")
        _call(project, "eval", "import", "questions.jsonl", "--set", "manual")
    _work_as_owner(guarded)
    for project in (plain, guarded):
        _work_as_public(project)
    return plain, guarded


def _make_project(project: RoleProject, sources: dict[str, str]) -> None:
    done = CliRunner().invoke(foundry, ["init", str(project.root), "--offline"])
    assert done.exit_code == 0, done.output
    _write(project.root / "sources", sources)
    _write(project.root, {"features/dx4.md": SPECIFICATION, "letter.md": LETTER})
    lines = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    _write(project.root, {"questions.jsonl": lines})


def _build_neighbour(project: RoleProject) -> None:
    """Another project in the same database: files of the same names, and everything else."""
    hidden = {path: text for path, text in HIDDEN.items() if path.endswith(".md")}
    _make_project(project, {**hidden, "datasheet.md": HIDDEN["secret/takeover.md"]})
    _call(project, "feature", "approve", "dx4", "--by", "Ada")
    _call(project, "ingest", "-q")
    _call(project, "ask", SECRET)
    _call(project, "generate", "--topic", SECRET_WORD, "--output", "output/public.md")
    _call(project, "eval", "import", "questions.jsonl", "--set", "manual")
    _call(project, "eval", "run", "--name", "first", "--retrieval-only")
    _write(project.root / "sources", {"waiting.md": HIDDEN["secret/plan.md"]})
    with project.open() as workspace:
        enqueue(workspace)


def _ingest_hidden(project: RoleProject) -> None:
    """Before the public sources, so that those get other row numbers; the files go again."""
    _write(project.root / "sources", HIDDEN)
    for level in ("secret", "confidential"):
        labels = ("--confidentiality", level, "--tag", level)
        _call(project, "ingest", f"sources/{level}", *labels, "-q")
        shutil.rmtree(project.root / "sources" / level)


def _work_as_owner(project: RoleProject) -> None:
    _call(project, "ask", f"When does the takeover of {SECRET_WORD} close?")
    _call(project, "ask", "What is the rating of the input fuse?")
    _call(project, "generate", "--topic", SECRET_WORD, "--output", "output/owner.md")
    _call(project, "draft", "accept", "output/owner.md", "--by", "Ada")
    (project.root / "output" / "owner.md").unlink()
    with project.open() as workspace:
        evaluation = workspace.maintenance().evaluation
        place = (Expectation("sources/secret/takeover.md"),)
        question = f"Who takes over {SECRET_WORD}?"
        evaluation.save_questions([EvalQuestion("deal", "manual", question, True, "en", place)])
        gate = {"shared": {"intercept": -9.0, "weights": {"coverage": 0.1}}}
        now, fingerprint = datetime.now(UTC), workspace.fingerprint()
        for row in workspace.store.list_queries(1):
            workspace.store.log_query(replace(row, id="qry_owner", verdict="no_evidence"))
    _call(project, "log", "feedback", "qry_owner", "--incorrect", "--note", SECRET_WORD)
    _call(project, "eval", "run", "--name", "owner", "--retrieval-only")
    _call(project, "eval", "run", "--name", "lower", "--retrieval-only", "-o", "access.role=public")
    with project.open() as workspace:
        fitted = FittedCalibration(BUILTIN_EMBEDDING, fingerprint, now, gate=gate)
        workspace.maintenance().evaluation.save_fitted(fitted)


def _work_as_public(project: RoleProject) -> None:
    public = ("--role", "public")
    _call(project, "ask", "What is the refresh rate?", *public)
    _call(project, "generate", "--topic", "The DX-4", "--output", "output/public.md", *public)
    _call(project, "draft", "accept", "output/public.md", "--by", "Ada", *public)
    for name in ("first", "second"):
        _call(project, "eval", "run", "--name", name, "--retrieval-only", *public)
    _even_out(project)


def _change_log(project: RoleProject, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement as the owner of the database; its rows."""
    if not project.address:
        file = project.root / ".foundry" / "foundry.db"
        with contextlib.closing(sqlite3.connect(file)) as db, db:
            return db.execute(statement).fetchall()
    import psycopg

    with psycopg.connect(project.address.replace("app@", "postgres@")) as connection:
        rows = connection.execute(statement.replace("query_log", "foundry.query_log").encode())
        return rows.fetchall() if rows.description else []


def _even_out(project: RoleProject) -> None:
    """Let every question have taken as long, since times decide what reports say."""
    for number, text in _change_log(project, "SELECT number, timings_ms FROM query_log"):
        timings = json.dumps(dict.fromkeys(json.loads(text), 10.0))
        values = f"SET timings_ms = '{timings}' WHERE number = {number}"
        _change_log(project, f"UPDATE query_log {values}")
    with project.open("public") as workspace:
        evaluation = workspace.store.evaluation
        for run in evaluation.list_runs():
            for result in evaluation.results(run.id):
                even = dict.fromkeys(result.timings_ms, 10.0)
                evaluation.save_result(run.id, replace(result, timings_ms=even))
            times = {name: 10.0 for name in run.figures if name.endswith(("_ms", "seconds"))}
            evaluation.save_run(replace(run, figures={**run.figures, **times}, seconds=1.0))


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _call(project: RoleProject, *words: str) -> None:
    with contextlib.chdir(project.root):
        done = CliRunner(env=project.environment).invoke(foundry, list(words))
    assert done.exit_code in {0, 3}, (words, done.output)


def attempt(
    project: RoleProject, place: Path, words: Sequence[str], text: str | None = None
) -> str:
    """What a public caller gets from a copy of the project at ``place``: status, streams, files.

    A PostgreSQL database is not copied: what one attempt leaves there, all projects have.
    """
    shutil.copytree(project.root, place)
    with contextlib.chdir(place):
        runner = CliRunner(env=project.environment)
        done = runner.invoke(foundry, [*words, "--role", "public"], input=text)
    files = sorted(path for path in (place / "output").rglob("*") if path.is_file())
    written = [f"{path.name}:\n{mask(path.read_text(encoding='utf-8'))}" for path in files]
    shutil.rmtree(place)
    return "\n\n".join([str(done.exit_code), mask(done.stdout), mask(done.stderr), *written])


_MASKS = (
    (re.compile(r"postgresql://\S*/roles_\w+"), "ADDRESS"),
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
