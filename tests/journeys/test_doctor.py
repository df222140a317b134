"""Every problem that doctor finds is named with its fix."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from foundry.config import parse_config
from foundry.journeys.doctor import HealthCheck, check_setup
from foundry.journeys.ingest import ingest
from foundry.journeys.project import init_project, render_config
from foundry.store.relational.database import load_migrations
from foundry.store.sqlite.schema import prepare
from foundry.workspace import open_workspace
from tests.support.local_servers import (
    NO_SERVERS,
    make_llama_cpp,
    make_lm_studio,
    make_ollama,
    make_vllm,
    serve,
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    init_project(tmp_path, environment=NO_SERVERS)
    return tmp_path


def examined(project: Path, **environment: str) -> dict[str, HealthCheck]:
    """The checks by name; the worse one of two with the same name."""
    checks = check_setup(project, environment=NO_SERVERS | environment, cwd=project)
    order = ("ok", "warn", "fail")
    return {check.name: check for check in sorted(checks, key=lambda c: order.index(c.status))}


def configure(project: Path, **values: object) -> None:
    keys = {key.replace("__", "."): value for key, value in values.items()}
    parse_config(render_config(keys))
    (project / "foundry.yaml").write_text(render_config(keys), encoding="utf-8")


def test_a_new_project_is_advised_to_ingest(project: Path) -> None:
    checks = examined(project)
    assert checks["configuration"].status == "ok"
    assert checks["database"].status == "warn"
    assert "foundry ingest" in checks["database"].fix


def test_a_check_creates_no_database(project: Path) -> None:
    examined(project)
    assert not (project / ".foundry").exists()


def test_without_a_project_the_machine_is_checked(tmp_path: Path) -> None:
    checks = examined(tmp_path)
    assert checks["configuration"].status == "fail"
    assert "foundry init" in checks["configuration"].fix
    assert {"ocr", "disk"} <= set(checks)


def test_a_broken_configuration_is_named(project: Path) -> None:
    (project / "foundry.yaml").write_text("retrieval: {topk: 3}\n")
    check = examined(project)["configuration"]
    assert check.status == "fail"
    assert "retrieval.top_k" in check.message


def test_the_built_in_embedding_model_is_actually_called(project: Path) -> None:
    assert "384 dimensions" in examined(project)["embedding"].message


def test_a_missing_key_is_named(project: Path) -> None:
    configure(project, mode="online", generation__online__model="openai/gpt-4o")
    check = examined(project)["models"]
    assert check.status == "fail"
    assert "OPENAI_API_KEY" in check.message + check.fix


def test_a_host_that_the_project_chose_for_a_key_is_a_warning(project: Path) -> None:
    configure(
        project,
        mode="online",
        generation__model="openai/gpt-4o",
        models__api_base={"openai": "https://models.example/v1"},
    )
    check = examined(project, OPENAI_API_KEY="sk-secret-0123456789")["keys"]
    assert check.status == "warn"
    assert "models.example is sent OPENAI_API_KEY" in check.message
    assert check.fix


def test_the_host_that_gets_the_text_is_named(project: Path) -> None:
    assert examined(project)["hosts"].problem.code == "doctor-hosts-none"
    configure(project, mode="online", generation__online__model="openai/gpt-4o")
    check = examined(project, OPENAI_API_KEY="sk-secret-0123456789")["hosts"]
    assert check.problem.params == {
        "host": "api.openai.com",
        "keys": ("validation.verifier", "generation.online.model"),
    }


def test_an_older_database_is_no_fault(project: Path) -> None:
    path = project / ".foundry" / "foundry.db"
    path.parent.mkdir()
    found = parse_config((project / "foundry.yaml").read_text()).project.id
    prepare(path, found, load_migrations("sqlite")[:-1], read_only=False)
    check = examined(project)["database"]
    assert (check.status, check.problem.code) == ("warn", "doctor-schema-older")


def test_a_remote_model_in_offline_mode_fails(project: Path) -> None:
    configure(project, mode="offline", generation__offline__model="openai/gpt-4o")
    assert examined(project, OPENAI_API_KEY="k")["models"].status == "fail"


def test_an_ollama_that_does_not_respond_fails_with_how_to_start_it(project: Path) -> None:
    configure(project, generation__offline__model="ollama/llama3.1:8b")
    check = examined(project)["server"]
    assert check.status == "fail"
    assert "ollama serve" in check.fix


def test_a_model_that_ollama_lacks_comes_with_the_pull_command(project: Path) -> None:
    configure(project, generation__offline__model="ollama/llama3.1:8b")
    with serve(make_ollama({"mistral:latest": {}})) as address:
        check = examined(project, OLLAMA_HOST=address)["server"]
    assert check.fix == "Run `ollama pull llama3.1:8b`."


def test_ollamas_latest_is_the_model_without_a_tag(project: Path) -> None:
    configure(project, generation__offline__model="ollama/mistral")
    with serve(make_ollama({"mistral:latest": {}})) as address:
        assert examined(project, OLLAMA_HOST=address)["server"].status == "ok"


def test_a_server_that_does_not_answer_fails(project: Path) -> None:
    configure(project, generation__offline__model="lm_studio/qwen2.5-7b-instruct")
    check = examined(project)["server"]
    assert check.status == "fail"
    assert "models.api_base.lm_studio" in check.fix


def test_a_server_that_answers_with_a_web_page_fails(project: Path) -> None:
    configure(project, generation__offline__model="hosted_vllm/q")
    with serve({"/v1/models": b"<html>"}) as address:
        check = examined(project, HOSTED_VLLM_API_BASE=f"{address}/v1")["server"]
    assert check.status == "fail"


def test_openais_api_on_this_machine_is_asked_like_the_server_that_it_is(project: Path) -> None:
    with serve(make_llama_cpp("q", 16_384)) as address:
        configure(
            project,
            generation__offline__model="openai/q",
            models__api_base={"openai": f"{address}/v1"},
            models__windows={"openai/q": 16_384},
        )
        check = examined(project)["server"]
    assert (check.status, check.problem.params["server"]) == ("ok", "llama.cpp")


def test_a_window_smaller_than_foundry_counts_on_is_a_warning(project: Path) -> None:
    configure(project, generation__offline__model="hosted_vllm/q")
    with serve(make_vllm(q=4096)) as address:
        check = examined(project, HOSTED_VLLM_API_BASE=f"{address}/v1")["window"]
    assert check.problem.params == {"model": "hosted_vllm/q", "window": 4096, "assumed": 8192}


def test_a_window_smaller_than_a_prompt_is_a_warning(project: Path) -> None:
    configure(
        project,
        generation__offline__model="hosted_vllm/q",
        models__windows={"hosted_vllm/q": 4096},
    )
    with serve(make_vllm(q=4096)) as address:
        check = examined(project, HOSTED_VLLM_API_BASE=f"{address}/v1")["window"]
    assert (check.status, check.problem.code) == ("warn", "doctor-window-small")


def test_a_model_that_lm_studio_will_load_by_itself_is_a_warning(project: Path) -> None:
    configure(project, generation__offline__model="lm_studio/q-7b")
    entry = {"id": "q-7b", "max_context_length": 32_768, "state": "not-loaded"}
    with serve(make_lm_studio(entry)) as address:
        check = examined(project, LM_STUDIO_API_BASE=f"{address}/v1")["window"]
    assert (check.status, check.problem.code) == ("warn", "doctor-not-loaded")


def test_a_server_that_nobody_configured_is_offered(project: Path) -> None:
    with serve(make_lm_studio({"id": "q-7b", "max_context_length": 32_768})) as address:
        check = examined(project, LM_STUDIO_API_BASE=f"{address}/v1")["server"]
    assert check.status == "ok"
    assert "generation.offline.model: lm_studio/q-7b" in check.fix


def test_no_tesseract_is_a_warning(project: Path) -> None:
    configure(project, ingest__ocr="tesseract")
    check = examined(project, PATH=str(project))["ocr"]
    assert check.status == "warn"
    assert "tesseract" in check.fix


def test_ocr_that_is_switched_off_needs_no_tesseract(project: Path) -> None:
    configure(project, ingest__ocr="off")
    assert examined(project, PATH=str(project))["ocr"].status == "ok"


def test_a_language_that_tesseract_lacks_is_named(project: Path) -> None:
    program = project / "tesseract"
    program.write_text("#!/bin/sh\necho 'List of languages (1):'\necho eng\n")
    program.chmod(0o755)
    check = examined(project, PATH=str(project))["ocr"]
    assert check.status == "warn"
    assert "nld" in check.message


def test_a_damaged_database_fails(project: Path) -> None:
    (project / ".foundry").mkdir()
    (project / ".foundry" / "foundry.db").write_bytes(b"no database at all" * 500)
    check = examined(project)["database"]
    assert check.status == "fail"
    assert check.fix


@pytest.mark.parametrize(("free", "status"), [(5 * 10**9, "ok"), (10**8, "warn"), (10**6, "fail")])
def test_little_free_disk_space_is_reported(
    project: Path, monkeypatch: pytest.MonkeyPatch, free: int, status: str
) -> None:
    usage = shutil.disk_usage(project)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert examined(project)["disk"].status == status


def test_a_missing_sources_folder_is_reported(project: Path) -> None:
    (project / "sources").rmdir()
    assert examined(project)["sources"].status == "warn"


def test_bm25_needs_no_vectors(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "sources" / "a.md").write_text("# Fuse\n\nThe fuse is slow.\n")
    monkeypatch.setattr("foundry.journeys.ingest.embed_pending", lambda *_: 0)
    with open_workspace(project, environment=NO_SERVERS, cwd=project) as workspace:
        ingest(workspace)
    assert examined(project)["index"].status == "warn"
    assert examined(project, FOUNDRY_RETRIEVAL__MODE="bm25")["index"].status == "ok"
