import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from foundry.ports import ReadOptions
from foundry.readers import workers
from foundry.readers.worker_process import hash_file
from foundry.readers.workers import ParserPool, ReadJob, ReadOutcome

HOSTILE = "tests.readers.hostile_readers:read"
START = workers._start_process


@pytest.fixture
def _new_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes as the program starts them, not the forks of the other tests."""
    monkeypatch.setattr(workers, "_start_process", START)


def jobs(folder: Path, *words: str) -> list[ReadJob]:
    found = []
    for number, text in enumerate(words):
        path = folder / f"{number}.txt"
        path.write_text(text)
        found.append(ReadJob(path, ReadOptions(path.name)))
    return found


def run(
    found: list[ReadJob], *, workers: int = 2, timeout_s: float = 30, memory_mb: int = 1000
) -> dict[str, ReadOutcome]:
    with ParserPool(workers, timeout_s, memory_mb, reader=HOSTILE) as pool:
        return {outcome.job.path.stem: outcome for outcome in pool.read_all(found)}


def message(outcome: ReadOutcome) -> str:
    assert outcome.error
    assert outcome.document is None
    assert outcome.error.where == outcome.job.options.name
    return outcome.error.message


def test_an_outcome_has_the_document_and_the_identity_of_the_file(tmp_path: Path) -> None:
    outcome = run(jobs(tmp_path, "fine words"))["0"]
    assert outcome.document
    assert outcome.document.text == "fine words"
    assert outcome.content_hash == hashlib.sha256(b"fine words").hexdigest()
    assert outcome.size == 10
    assert outcome.modified
    assert outcome.modified.timestamp() == pytest.approx((tmp_path / "0.txt").stat().st_mtime)


@pytest.mark.usefixtures("_new_interpreters")
@pytest.mark.parametrize(("words", "how"), [("segfault", "SIGSEGV"), ("exit", "exit status 3")])
def test_a_crash_costs_only_its_own_file(tmp_path: Path, words: str, how: str) -> None:
    found = run(jobs(tmp_path, "one", words, "two", "three"))
    assert how in message(found["1"])
    assert found["1"].content_hash == hashlib.sha256(words.encode()).hexdigest()
    assert all(found[name].document for name in ("0", "2", "3"))


def test_a_hang_is_stopped_and_the_run_continues(tmp_path: Path) -> None:
    found = run(jobs(tmp_path, "hang", "one", "two"), workers=1, timeout_s=0.5)
    assert "longer than 0.5 seconds" in message(found["0"])
    assert found["2"].document


@pytest.mark.usefixtures("_new_interpreters")
def test_a_parser_that_eats_memory_is_stopped(tmp_path: Path) -> None:
    found = run(jobs(tmp_path, "eat", "one"), workers=1, memory_mb=300)
    assert "more than 300 MB" in message(found["0"])
    assert found["1"].document


def test_a_process_is_reused_for_the_next_file(tmp_path: Path) -> None:
    found = run(jobs(tmp_path, "pid a", "pid b", "pid c"), workers=1)
    assert len({outcome.document.text for outcome in found.values() if outcome.document}) == 1


@pytest.mark.usefixtures("_new_interpreters")
def test_what_a_parser_prints_does_not_disturb_the_answers(tmp_path: Path) -> None:
    found = run(jobs(tmp_path, "print", "one"), workers=1)
    assert found["0"].document
    assert found["1"].document


def test_a_read_error_keeps_its_reason(tmp_path: Path) -> None:
    assert message(run(jobs(tmp_path, "refuse"))["0"]) == "It is refused."


def test_a_file_that_changes_during_reading_is_read_again(tmp_path: Path) -> None:
    found = run(jobs(tmp_path, "grow-once", "grow"))
    assert found["0"].document
    assert found["0"].document.text == "grow-once more"
    assert found["0"].content_hash == hashlib.sha256(b"grow-once more").hexdigest()
    assert "changed while it was being read" in message(found["1"])


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    found = jobs(tmp_path, "one")
    found[0].path.unlink()
    outcome = run(found)["0"]
    assert "No such file" in message(outcome)
    assert outcome.content_hash is None


def test_jobs_are_taken_only_when_processes_are_free(tmp_path: Path) -> None:
    taken: list[int] = []

    def lazily() -> Iterator[ReadJob]:
        for job in jobs(tmp_path, *["one"] * 10):
            taken.append(1)
            yield job

    with ParserPool(2, 30, 1000, reader=HOSTILE) as pool:
        outcomes = pool.read_all(lazily())
        next(outcomes)
        assert len(taken) <= 4
        assert len(list(outcomes)) == 9


def test_leaving_early_kills_the_processes(tmp_path: Path) -> None:
    with ParserPool(2, 30, 1000, reader=HOSTILE) as pool:
        outcomes = pool.read_all(jobs(tmp_path, "pid", "hang", "hang"))
        first = next(outcomes)
    assert first.document
    with pytest.raises(ProcessLookupError):
        os.kill(int(first.document.text), 0)


@pytest.mark.usefixtures("_new_interpreters")
def test_the_real_readers_run_in_the_pool(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# Top\n\nText.")
    with ParserPool(1, 60, 1000) as pool:
        (outcome,) = pool.read_all([ReadJob(path, ReadOptions("a.md"))])
    assert outcome.document
    assert outcome.document.title == "Top"
    assert outcome.content_hash == hash_file(path)


PARENT = """
import signal, sys
from pathlib import Path
from foundry.ports import ReadOptions
from foundry.readers.workers import ParserPool, ReadJob
# A process started in the background of a shell ignores interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)
found = [ReadJob(Path(name), ReadOptions(name)) for name in sys.argv[1:]]
with ParserPool(2, 600, 1000, reader="tests.readers.hostile_readers:read") as pool:
    for outcome in pool.read_all(found):
        print(outcome.document.text, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs the kernel's help")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_even_a_stuck_process_dies_with_its_parent(tmp_path: Path, how: signal.Signals) -> None:
    found = [str(job.path) for job in jobs(tmp_path, "pid", "stuck")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, *found],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as parent:
        stuck = wait_for(tmp_path / "1.pid")
        parent.send_signal(how)
        try:
            _, complaint = parent.communicate(timeout=30)
        finally:
            parent.kill()
    assert gone(stuck)
    # Only the parent complains, and its traceback may have a second part.
    assert ("KeyboardInterrupt" in complaint) == (how == signal.SIGINT)


def wait_for(path: Path) -> int:
    for _ in range(600):
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.05)
    raise AssertionError(f"{path} was never written")


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        # In a bare container nobody reaps orphans, so a dead process stays a zombie.
        if state == "Z":
            return True
        time.sleep(0.05)
    return False
