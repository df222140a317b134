"""Several processes on one database, some of them killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from foundry.messages import Message
from foundry.records import Filters
from foundry.store import Store
from tests.store.conftest import Opener
from tests.store.records import DIMENSION, MODEL, make_source, terms
from tests.store.writer import PARAGRAPHS

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts ``tests.store.writer`` on the project; kills leftover processes after the test."""
    started = []

    def run(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.store.writer", str(tmp_path), *arguments]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()


def test_two_writers_and_a_reader_lose_nothing(
    opener: Opener, start: Start, tmp_path: Path
) -> None:
    store = opener()
    store.open_index(MODEL, DIMENSION, "fp")
    reader = start("read")
    writers = [start("write", name, "8") for name in ("one", "two")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    (tmp_path / "stop").touch()
    assert int(line(reader)) > 0
    status = store.index_status(MODEL)
    assert status.sources == 16
    assert status.vectors == status.text_rows == status.chunks == 16 * PARAGRAPHS
    assert store.verify() == []


def test_processes_that_start_together_create_one_database(opener: Opener, start: Start) -> None:
    writers = [start("write", name, "2") for name in ("one", "two", "three")]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert opener().index_status(MODEL).sources == 6


@pytest.mark.parametrize("where", ["_write_blocks", "_write_chunks", "put_terms"])
def test_a_writer_killed_in_a_new_source_leaves_no_part_of_it(
    store: Store, start: Start, where: str
) -> None:
    writer = start("halt", where)
    assert line(writer) == "halted"
    kill(writer)
    assert store.find_source("halted.md") is None
    assert store.verify() == []


def test_a_writer_killed_in_a_new_revision_keeps_the_earlier_one(
    store: Store, start: Start
) -> None:
    made = make_source("halted.md", "Old cable.")
    store.save_source(*made)
    writer = start("halt", "put_terms")
    assert line(writer) == "halted"
    kill(writer)
    assert store.find_source("halted.md") == made.source
    assert store.source_chunks(made.source.id) == list(made.chunks)
    assert len(store.search_text(terms("old"), 10, Filters())) == 1


def test_others_can_write_after_a_writer_was_killed(store: Store, start: Start) -> None:
    writer = start("halt", "put_terms")
    assert line(writer) == "halted"
    kill(writer)
    store.save_source(*make_source("b.md", "Other."))
    assert [source.path for source in store.list_sources()] == ["b.md"]


def test_others_can_read_during_a_writers_transaction(store: Store, start: Start) -> None:
    store.save_source(*make_source("a.md", "Cable."))
    writer = start("halt", "put_terms")
    assert line(writer) == "halted"
    assert len(store.search_text(terms("cable"), 10, Filters())) == 1


def test_the_lock_of_a_killed_process_is_free(store: Store, start: Start) -> None:
    holder = start("hold")
    assert line(holder) == "held"
    seen: list[str] = []

    def waiting(sentence: Message) -> None:
        seen.append(str(sentence))
        kill(holder)

    with store.lock("ingest", waiting):
        assert f"process {holder.pid} on" in "".join(seen)
