"""Reading and embedding on a Ray cluster of several nodes, all on this machine."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from foundry.errors import ClusterError, ConfigError, SpendingLimitReached
from foundry.evaluation.runs import RunRequest, run_questions
from foundry.evaluation.runs.history import IndexState
from foundry.evaluation.runs.nodes import ask_on_nodes
from foundry.journeys.cluster import Cluster, start
from foundry.journeys.cluster.executor import BATCH_BYTES, MOST_TRIES, ClusterReaders, _cut_batches
from foundry.journeys.cluster.nodes import ReadAnswer, ReadLimits, describe_foundry
from foundry.journeys.cluster.start import LOOPBACK, connect
from foundry.journeys.file_chunks import CutRequest
from foundry.journeys.ingest import ingest
from foundry.journeys.work import enqueue, work
from foundry.journeys.work import jobs as jobs_module
from foundry.ports import Step
from foundry.readers.workers import ReadJob, ReadOutcome
from foundry.records import EvalQuestion, EvalResult, Job
from foundry.workspace import Workspace, open_workspace
from tests.support.model_server import Behaviour, Json, ModelServer, Request
from tests.support.saved import describe_saved

# Ray reads them when it is imported.
os.environ.update(LOOPBACK, RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="disabled")
ray = pytest.importorskip("ray", reason="the extra ray is not installed")

HOSTILE = "tests.support.hostile_cutters:read_and_cut"
MAIL = """From: a@example.com
Subject: Pump
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

The pump runs at 12 V.
--x
Content-Type: text/markdown
Content-Disposition: attachment; filename="limits.md"

# Limits

The valve opens at 3 bar.
--x--
"""
SMALL: dict[str, Any] = {"object_store_memory": 80 * 2**20, "include_dashboard": False}


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A head without processors and two nodes with one each, listening on loopback."""
    from ray.cluster_utils import Cluster as Nodes

    # A node that is gone is missed within two seconds.
    watch = {"health_check_period_ms": 500, "health_check_failure_threshold": 3}
    head = {"num_cpus": 0, "_system_config": watch, **SMALL}
    started = Nodes(initialize_head=True, head_node_args=head)
    for _ in range(2):
        started.add_node(num_cpus=1, object_store_memory=SMALL["object_store_memory"])
    yield started
    started.shutdown()


@pytest.fixture(scope="module")
def cluster(nodes: Any) -> Iterator[Cluster]:
    with ExitStack() as resources:
        yield Cluster(*connect(nodes.address, 2, 256, resources))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of twelve small files and a mail with an attachment."""
    root = tmp_path / "here"
    (root / "sources").mkdir(parents=True)
    (root / "foundry.yaml").write_text("project: {id: prj_cluster}\n")
    for number in range(12):
        path = root / f"sources/{number}.md"
        path.write_text(f"# Part {number}\n\nPart {number} carries {number} V.\n")
    (root / "sources/mail.eml").write_text(MAIL)
    return root


def open_it(root: Path) -> Workspace:
    return open_workspace(root, environment={}, cwd=root)


def read(cluster: Cluster, paths: list[Path], **limits: Any) -> dict[str, ReadOutcome]:
    """What became of files that hostile code reads."""
    readers = ClusterReaders(
        cluster, ReadLimits(HOSTILE, **{"timeout_s": 20, "memory_mb": 400} | limits)
    )
    found = readers.read_all(ReadJob(path, describe_cut(path)) for path in paths)
    return {outcome.job.options.name: outcome for outcome in found}


def describe_cut(path: Path) -> CutRequest:
    return CutRequest(path.name, tokenizer="cl100k_base", bounds=(700, 1000), overlap=(100, 150))


def test_an_ingest_on_a_cluster_saves_what_a_local_one_saves(
    cluster: Cluster, project: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(project, tmp_path / "there")
    with open_it(project) as here, open_it(other) as there:
        ingest(here)
        with cluster.embed_for([there]):
            ingest(there, cluster=cluster)
    assert describe_saved(project) == describe_saved(other)


def test_jobs_are_done_on_a_cluster_in_turns_between_projects(
    cluster: Cluster, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, done = shutil.copytree(project, tmp_path / "there"), list[str]()
    monkeypatch.setattr(jobs_module, "use_cluster", lambda *_args: nullcontext(cluster))
    with open_it(project) as here, open_it(other) as there:
        taken: list[Workspace] = []
        for workspace in (here, there):
            enqueue(workspace)
            take = workspace.maintenance().take_job
            monkeypatch.setattr(
                workspace.maintenance(),
                "take_job",
                lambda *args, one=workspace, take=take: taken.append(one) or take(*args),
            )
        assert work(here, there, drain=True, on_job=lambda job: done.append(job.path)) == 26
        assert len({id(one) for one in taken[:4]}) == 2
        assert here.store.index_status(here.embedder.model).pending == 0
    assert sorted(done) == sorted(
        2 * [f"sources/{one}" for one in ("mail.eml", *(f"{n}.md" for n in range(12)))]
    )


def test_a_file_that_no_node_sees_is_sent(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\nA carries 3 V.\n")
    # What a node compares a file with: no other file has it.
    monkeypatch.setattr("foundry.journeys.cluster.executor._see_as", lambda _status: (-1, -1))
    (outcome,) = read(cluster, [path]).values()
    assert outcome.error is None
    assert outcome.size == path.stat().st_size


def test_a_file_too_large_to_be_sent_fails_by_name(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A\n\nA carries 3 V.\n")
    monkeypatch.setattr("foundry.journeys.cluster.executor._see_as", lambda _status: (-1, -1))
    monkeypatch.setattr("foundry.journeys.cluster.executor.MOST_SENT", 3)
    (outcome,) = read(cluster, [path]).values()
    assert outcome.error is not None
    assert outcome.error.problem.code == "cluster-file-unseen"


def test_a_file_that_takes_too_much_fails_and_the_others_are_read(
    cluster: Cluster, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{name}.md" for name in "abc"]
    for path in paths:
        path.write_text("eat:analyse\n" if path.stem == "b" else "# A\n\nA carries 3 V.\n")
    outcomes = read(cluster, paths)
    failed = {name: one.error.problem.code for name, one in outcomes.items() if one.error}
    assert failed == {"b.md": "readers-memory"}


def test_a_file_for_which_each_actor_is_killed_fails_and_the_others_are_read(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.journeys.cluster.executor.MOST_TRIES", 2)
    paths = [tmp_path / f"{name}.md" for name in "abc"]
    for path in paths:
        path.write_text("parent:analyse\n" if path.stem == "b" else "# A\n\nA carries 3 V.\n")
    outcomes = read(cluster, paths)
    failed = {name: one.error.problem.code for name, one in outcomes.items() if one.error}
    assert (failed, len(outcomes)) == ({"b.md": "cluster-task-lost"}, 3)


def test_whoever_stops_reading_gets_the_actors_back(cluster: Cluster, tmp_path: Path) -> None:
    paths = [tmp_path / "hang.md", tmp_path / "a.md"]
    paths[0].write_text("hang:analyse\n")
    paths[1].write_text("# A\n\nA carries 3 V.\n")
    readers = ClusterReaders(cluster, ReadLimits(HOSTILE, 60, 400))
    with pytest.raises(KeyboardInterrupt):
        list(readers.read_all([ReadJob(paths[0], describe_cut(paths[0]))], Interrupt(after=3)))
    assert read(cluster, [paths[1]])["a.md"].error is None


class Interrupt:
    """Ctrl-C after so many signs of life."""

    def __init__(self, after: int) -> None:
        self._left = after

    def __call__(self, _step: Step) -> None:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt


def test_ctrl_c_gives_the_jobs_back(
    cluster: Cluster, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "use_cluster", lambda *_args: nullcontext(cluster))
    monkeypatch.setattr(jobs_module, "wait", interrupt)
    with open_it(project) as workspace:
        enqueue(workspace)
        with pytest.raises(KeyboardInterrupt):
            work(workspace)
        states = {job.status for job in workspace.maintenance().list_jobs()}
    assert "running" not in states


def interrupt(*_args: object, **_options: object) -> None:
    raise KeyboardInterrupt


def test_a_task_of_an_actor_that_is_away_is_given_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away = ray.exceptions.ActorUnavailableError("gone", None)
    replies = iter([away, "done"])

    def get(_task: object) -> object:
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    monkeypatch.setattr("foundry.journeys.cluster.executor.has_head", lambda _address: True)
    cluster = script(get=get, wait=lambda tasks, **_options: (tasks, []))
    assert cluster.run(str) == "done"


def test_an_actor_is_not_replaced_where_the_head_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foundry.journeys.cluster.executor._MOST_MISSED_S", 0.0)
    away = Mock(side_effect=ray.exceptions.ActorDiedError())
    cluster = script(get=away, wait=lambda tasks, **_options: (tasks, []))
    with pytest.raises(ClusterError, match="is gone"):
        cluster.run(str)
    assert not cluster._ray.kill.called


def test_a_file_does_not_fail_for_the_memory_of_the_files_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.journeys.cluster.executor.has_head", lambda _address: True)
    running = set[object]()

    def start(*_args: object) -> object:
        running.add(task := object())
        return task

    def get(task: object) -> list[ReadAnswer]:
        alone = running == {task}
        running.remove(task)
        if not alone:
            raise ray.exceptions.OutOfMemoryError("the node is full")
        return [ReadAnswer(ReadOutcome(Mock(), None, None), {})]

    paths = [tmp_path / f"{name}.md" for name in "abc"]
    for path in paths:
        path.write_bytes(b"x" * BATCH_BYTES)
    cluster = script(2, start, get=get, wait=lambda tasks, **_options: (tasks[:1], tasks[1:]))
    outcomes = read(cluster, paths)
    assert [one.error for one in outcomes.values()] == [None] * 3


def test_a_file_for_which_ray_ends_each_actor_for_lack_of_memory_fails_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A")
    monkeypatch.setattr("foundry.journeys.cluster.executor.has_head", lambda _address: True)
    full = Mock(side_effect=ray.exceptions.OutOfMemoryError("the node is full"))
    cluster = script(get=full, wait=lambda tasks, **_options: (tasks, []))
    outcomes = read(cluster, [path])
    assert [str(one.error.where) for one in outcomes.values() if one.error] == ["a.md"]
    assert cluster._ray.kill.call_count == MOST_TRIES


def script(
    actors: int = 1, remote: Callable[..., object] = lambda *_: object(), **verbs: object
) -> Cluster:
    """A cluster of so many actors whose Ray does what a test says, and whose head is gone."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        context = SimpleNamespace(gcs_address=f"127.0.0.1:{server.getsockname()[1]}")
    scripted = SimpleNamespace(
        kill=Mock(), exceptions=ray.exceptions, get_runtime_context=lambda: context, **verbs
    )
    return Cluster(scripted, [lambda: Mock(run=SimpleNamespace(remote=remote))] * actors)


def test_a_cluster_whose_head_is_gone_is_an_error_and_no_endless_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.journeys.cluster.executor._MOST_MISSED_S", 0.0)
    cluster = script(get=Mock(), wait=lambda tasks, **_options: ([], tasks))
    with pytest.raises(ClusterError) as caught:
        cluster.run(str)
    assert caught.value.problem.code == "cluster-gone"
    with pytest.raises(ClusterError, match="is gone"):
        read(cluster, [tmp_path / "a.md"])
    assert not cluster._ray.kill.called


def test_small_files_share_a_task_and_a_large_one_has_its_own(tmp_path: Path) -> None:
    sizes = [10] * 9 + [100_000] + [10]
    paths = [tmp_path / f"{number}.md" for number in range(len(sizes))]
    for path, size in zip(paths, sizes, strict=True):
        path.write_bytes(b"x" * size)
    batches = _cut_batches(ReadJob(path, describe_cut(path)) for path in paths)
    assert [len(batch.jobs) for batch in batches] == [8, 1, 1, 1]


def test_what_ray_says_when_it_does_not_start_is_an_error_and_it_is_shut_down() -> None:
    failing = SimpleNamespace(init=Mock(side_effect=Exception("timed out")), shutdown=Mock())
    with ExitStack() as resources, pytest.raises(ClusterError, match="timed out"):
        start._init(failing, "local", resources)
    assert failing.shutdown.called


def test_a_second_start_in_a_process_has_the_token_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokens = list[str]()

    def import_ray(**variables: str) -> None:
        tokens.append(variables["RAY_AUTH_TOKEN"])
        monkeypatch.setenv("RAY_AUTH_TOKEN", tokens[-1])

    monkeypatch.delenv("RAY_AUTH_TOKEN", raising=False)
    monkeypatch.setattr(start, "_import_ray", import_ray)
    monkeypatch.setattr(start, "_init", Mock())
    for _ in range(2):
        with ExitStack() as resources:
            start._start_local("local", 1, resources)
    assert tokens[0] == tokens[1]


@pytest.mark.parametrize("address", ["somewhere", "host:", ":1", "http://host:6379", "host:99999"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with ExitStack() as resources, pytest.raises(ClusterError) as caught:
        connect(address, 0, 0, resources)
    assert caught.value.problem.code == "cluster-address"


def test_nobody_at_the_address_is_said_at_once() -> None:
    with ExitStack() as resources, pytest.raises(ClusterError) as caught:
        connect("127.0.0.1:9", 0, 0, resources)
    assert caught.value.problem.code == "cluster-away"


def test_what_is_not_ray_is_said_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, ExitStack() as resources:
        threading.Thread(target=answer_once, args=(server,), daemon=True).start()
        with pytest.raises(ClusterError) as caught:
            connect(f"127.0.0.1:{server.getsockname()[1]}", 0, 0, resources)
    assert caught.value.problem.code == "cluster-no-ray"


def answer_once(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(100)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_another_foundry_on_a_node_is_refused(
    cluster: Cluster, nodes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "describe_foundry", lambda: f"{describe_foundry()}-newer")
    with pytest.raises(ClusterError, match="Its results would differ"):
        start._require_same(ray, [node for node in ray.nodes() if node["Alive"]])


QUESTIONS = tuple(
    EvalQuestion(str(number), "own", f"How many volts does part {number} carry?", True, "en")
    for number in range(4)
)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that says of each part what the project says of it."""

    def reply(request: Request) -> Behaviour:
        number = re.findall(r"part (\d+) carry", request.prompt)[-1]
        sentence = {"text": f"Part {number} carries {number} V.", "citations": ["S1"]}
        return Json({"sentences": [sentence]})

    with ModelServer(default=reply) as server:
        yield server


def open_online(root: Path, model: ModelServer, **limits: str) -> Workspace:
    """The project with a model whose key no node has."""
    environment = {
        "OPENAI_API_KEY": "a-key-of-this-process",
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__ONLINE__MODEL": "openai/scripted",
        "FOUNDRY_MODELS__API_BASE": f"{{openai: '{model.openai}'}}",
    }
    return open_workspace(root, environment=environment | limits, cwd=root)


def evaluate(workspace: Workspace, cluster: Cluster | None = None, **more: Any) -> list[EvalResult]:
    """The outcomes of a run, without their times."""
    request = RunRequest(name="run", questions=QUESTIONS, jobs=2)
    _, results = run_questions(workspace, request, cluster=cluster, **more)
    return [replace(one, timings_ms={}) for one in results]


def test_a_run_on_nodes_asks_the_same_and_saves_what_a_local_one_saves(
    cluster: Cluster, project: Path, tmp_path: Path, model: ModelServer
) -> None:
    with open_it(project) as workspace:
        ingest(workspace)
    other = shutil.copytree(project, tmp_path / "there")
    with open_online(project, model) as here, open_online(other, model) as there:
        asked_here, sent = evaluate(here), sorted(one.prompt for one in model.chats)
        assert sorted(evaluate(there, cluster), key=str) == sorted(asked_here, key=str)
        assert sorted(one.prompt for one in model.chats) == sorted(2 * sent)
        assert len(there.store.list_queries(99)) == len(QUESTIONS)
        assert [one.error for one in asked_here] == [None] * len(QUESTIONS)


def test_a_limit_of_spending_stops_a_run_on_nodes_which_goes_on_above_it(
    cluster: Cluster, project: Path, model: ModelServer
) -> None:
    with open_it(project) as workspace:
        ingest(workspace)
    # A question's first call may take 3,360 tokens, its second 3,462.
    with open_online(project, model, FOUNDRY_SPENDING__TOKENS_PER_RUN="3400") as workspace:
        with pytest.raises(SpendingLimitReached):
            evaluate(workspace, cluster)
        before = len(model.chats)
    with open_online(project, model) as workspace:
        assert len(evaluate(workspace, cluster)) == len(QUESTIONS)
    prompts = [one.prompt for one in model.chats]
    assert 0 < before < len(prompts) == len(set(prompts))


def test_another_index_on_a_node_is_refused(cluster: Cluster, project: Path) -> None:
    with open_it(project) as workspace:
        ingest(workspace)
        nodes = ask_on_nodes(cluster, workspace, workspace, "ask", IndexState("other", {}))
        with nodes as ask, pytest.raises(ConfigError, match="another index"):
            ask("How many volts does part 1 carry?")


def test_a_node_killed_half_way_loses_nothing_and_doubles_nothing(
    cluster: Cluster, nodes: Any, project: Path, tmp_path: Path
) -> None:
    other, killed = shutil.copytree(project, tmp_path / "there"), list[Job]()
    with open_it(project) as here, open_it(other) as there:
        ingest(here)

        def kill(_file: object) -> None:
            if not killed:
                killed.append(nodes.worker_nodes.copy().pop())
                nodes.remove_node(killed[0], allow_graceful=False)

        with cluster.embed_for([there]):
            report = ingest(there, cluster=cluster, on_file=kill)
        assert killed
        nodes.add_node(num_cpus=1, object_store_memory=SMALL["object_store_memory"])
        killed.clear()
        asked = evaluate(there, cluster, progress=lambda step: step.done and kill(step))
        assert killed
        assert sorted(asked, key=str) == sorted(evaluate(here), key=str)
    assert sorted(file.path for file in report.files) == sorted(describe_saved(project))
    assert describe_saved(project) == describe_saved(other)
