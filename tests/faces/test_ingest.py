"""``foundry ingest`` over a small real project."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from email.message import EmailMessage
from pathlib import Path

import pytest

from foundry.journeys.index import IngestOptions
from foundry.journeys.work import enqueue
from foundry.wire.commands import MODELS
from foundry.workspace import open_workspace
from tests.faces.conftest import Run


def test_ingest_prints_the_documented_json(run: Run, project: Path) -> None:
    (project / "sources" / "new.md").write_text("# New\n\nA new file about fuses.\n")
    (project / "sources" / "empty.md").write_text("")
    outcome = run("ingest", "--json")
    assert outcome.status == 0
    assert MODELS["ingest"].model_validate(outcome.json)
    status = {entry["path"]: entry["status"] for entry in outcome.json["sources"]}
    assert status == {
        "sources/datasheet.md": "unchanged",
        "sources/empty.md": "failed",
        "sources/new.md": "added",
        "sources/onderhoud.md": "unchanged",
    }


def test_strict_makes_a_failed_file_a_failure(run: Run, project: Path) -> None:
    (project / "sources" / "empty.md").write_text("")
    assert run("ingest").status == 0
    outcome = run("ingest", "--strict")
    assert outcome.status == 1
    assert "failed     sources/empty.md" in outcome.out


def test_ingest_paths_are_relative_to_the_current_folder(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "sources" / "new.md").write_text("# New\n\nA new file about fuses.\n")
    monkeypatch.chdir(project / "sources")
    document = run("ingest", "new.md", "--json").json
    assert [entry["path"] for entry in document["sources"]] == ["sources/new.md"]


def test_ingest_of_a_mistyped_path_is_wrong_usage(run: Run, project: Path) -> None:
    outcome = run("ingest", "sources/datasheeet.md", "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["where"].endswith("datasheeet.md")


def test_ingest_of_a_link_that_points_outside_fails_that_file(
    run: Run, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n\nNot yours.\n")
    (project / "sources" / "link.md").symlink_to(tmp_path / "secret.md")
    entries = {entry["path"]: entry for entry in run("ingest", "--json").json["sources"]}
    assert entries["sources/link.md"]["status"] == "failed"
    assert "outside" in entries["sources/link.md"]["reason"]["text"]


def test_tags_and_confidentiality_are_kept(run: Run, project: Path) -> None:
    run("ingest", "sources/onderhoud.md", "--tag", "service", "--confidentiality", "internal")
    document = run("sources", "show", "sources/onderhoud.md", "--json").json
    assert document["tags"] == ["service"]
    assert document["confidentiality"] == "internal"


TWICE = ("sources/a\u0301bc.md", "sources/\u00e1bc.md")
"""One name in two forms of Unicode."""


@pytest.mark.parametrize("known", [None, 0, 1])
def test_two_files_of_one_name_are_told_apart(run: Run, project: Path, known: int | None) -> None:
    texts = ("# Boiler\n\nThe boiler pressure is 3 bar.\n", "# Turbine\n\nIt turns at 4000 rpm.\n")
    if known is not None:
        (project / TWICE[known]).write_text(texts[known], encoding="utf-8")
        run("ingest")
    for name, text in zip(TWICE, texts, strict=True):
        (project / name).write_text(text, encoding="utf-8")
    kept, other = TWICE[known or 0], TWICE[1 - (known or 0)]
    for arguments in (["--strict"], ["--strict"], ["--strict", other], ["--strict", "--prune"]):
        outcome = run("ingest", "--json", *arguments)
        entries = {entry["path"]: entry for entry in outcome.json["sources"]}
        assert (outcome.status, entries[other]["status"]) == (1, "failed")
        assert kept in entries[other]["reason"]["text"]
    sources = [source["path"] for source in run("sources", "list", "--json").json["sources"]]
    assert (kept in sources, other in sources) == (True, False)


@pytest.mark.parametrize("option", ["-q", "--prune"])
def test_a_file_whose_name_gets_another_form_stays_the_same_source(
    run: Run, project: Path, option: str
) -> None:
    (project / TWICE[0]).write_text("# Boiler\n\nIts pressure is 3 bar.\n", encoding="utf-8")
    run("ingest", TWICE[0], "--tag", "hot", "--confidentiality", "internal")
    (project / TWICE[0]).rename(project / TWICE[1])
    assert run("ingest", option).status == 0
    sources = {
        source["path"]: source for source in run("sources", "list", "--json").json["sources"]
    }
    assert TWICE[0] not in sources
    assert (sources[TWICE[1]]["tags"], sources[TWICE[1]]["confidentiality"]) == (
        ["hot"],
        "internal",
    )


def test_what_is_attached_to_a_file_follows_its_name(run: Run, project: Path) -> None:
    message = EmailMessage()
    message["Subject"], message["From"] = "Offer", "ada@example.org"
    message.set_content("The offer is attached to this mail.")
    message.add_attachment("The lamp is rated at 40 W.", filename="lamp.txt")
    names = [name.replace(".md", ".eml") for name in TWICE]
    (project / names[0]).write_bytes(message.as_bytes())
    run("ingest", names[0], "--confidentiality", "internal")
    (project / names[0]).rename(project / names[1])
    run("ingest", "--prune")
    sources = {
        source["path"]: source for source in run("sources", "list", "--json").json["sources"]
    }
    assert sources[f"{names[1]}/lamp.txt"]["confidentiality"] == "internal"
    assert f"{names[0]}/lamp.txt" not in sources


@pytest.mark.parametrize("workers", [False, True])
def test_a_file_that_is_moved_stays_as_confidential_as_it_was(
    run: Run, project: Path, workers: bool
) -> None:
    run("ingest", "sources/onderhoud.md", "--tag", "service", "--confidentiality", "secret")
    (project / "sources/onderhoud.md").rename(project / "sources/moved.md")
    if workers:
        with open_workspace(project, environment={}, cwd=project) as workspace:
            enqueue(workspace, options=IngestOptions(prune=True))
        run("work", "--drain")
    else:
        run("ingest")
    document = run("sources", "show", "sources/moved.md", "--json").json
    assert (document["tags"], document["confidentiality"]) == (["service"], "secret")


def test_prune_removes_a_source_whose_file_is_gone(run: Run, project: Path) -> None:
    (project / "sources" / "onderhoud.md").unlink()
    kept = run("ingest", "--json").json["sources"]
    assert ("sources/onderhoud.md", "unchanged") in {(e["path"], e["status"]) for e in kept}
    removed = run("ingest", "--prune", "--json").json["sources"]
    assert ("sources/onderhoud.md", "removed") in {(e["path"], e["status"]) for e in removed}


def test_watch_and_json_exclude_each_other(run: Run, project: Path) -> None:
    assert run("ingest", "--watch", "--json").status == 2


def test_quiet_ingest_says_nothing_but_the_total(run: Run, project: Path) -> None:
    outcome = run("ingest", "-q")
    assert outcome.err == ""
    assert outcome.out.startswith("2 files: 2 unchanged.")


def test_watch_ingests_what_changes_and_ends_with_ctrl_c(project: Path) -> None:
    code = (
        "import signal, foundry.cli.ingest as watch\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "watch.wait_for_change.__defaults__ = (0.05,)\n"
        "from foundry.cli import main; main()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, "ingest", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    guard = threading.Timer(120, child.kill)
    guard.start()
    assert child.stdout is not None
    assert child.stdout.readline().startswith("2 files: 2 unchanged.")
    (project / "sources" / "new.md").write_text("# New\n\nA new file about fuses.\n")
    assert child.stdout.readline().startswith("added      sources/new.md")
    assert child.stdout.readline() == "\n"
    assert child.stdout.readline().startswith("3 files: 1 added")
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    guard.cancel()
    assert child.returncode == 130
    assert err.splitlines()[-1] == "Interrupted."
    assert "Traceback" not in err


def test_an_interrupted_ingest_says_what_it_did_and_resumes(run: Run, project: Path) -> None:
    code = (
        "import os, signal, foundry.cli.ingest as command\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "inner = command.ingest\n"
        "def stop(step): step.phase == 'embed' and os.kill(os.getpid(), signal.SIGINT)\n"
        "def ingest(workspace, paths, *, options, **_):\n"
        "    return inner(workspace, paths, options=options, progress=stop)\n"
        "command.ingest = ingest\n"
        "from foundry.cli import main; main()"
    )
    (project / "sources" / "new.md").write_text("# New\n\nA new file about fuses.\n")
    done = subprocess.run([sys.executable, "-c", code, "ingest"], capture_output=True, timeout=120)
    assert done.returncode == 130
    assert done.stderr.decode().splitlines() == [
        "Interrupted. Files: 2 unchanged, 1 added. Chunks: 0 embedded, 1 still without a vector.",
        "Run the same command again: it resumes.",
    ]
    assert run("ingest", "--json").json["pending"] == 0
    assert run("index", "verify", "--json").json["problems"] == []
