"""A new project: what is written and which models are chosen."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from foundry.config import Config, load_config, parse_config
from foundry.errors import RuleError
from foundry.journeys.project import (
    choose_models,
    find_ollama_address,
    init_project,
    list_ollama_models,
    render_config,
)

DEFAULT = "http://127.0.0.1:11434"
NOTHING = {"OLLAMA_HOST": "127.0.0.1:1"}
"""An environment with no key and no Ollama: nothing listens on port 1."""


@contextmanager
def served(body: bytes, status: int = 200) -> Iterator[str]:
    """A loopback HTTP server that always responds with ``body``; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def tags(*names: str) -> bytes:
    return json.dumps({"models": [{"name": name} for name in names]}).encode()


def uncommented(text: str) -> str:
    return re.sub(r"(?m)^( *)# (\w+:)", r"\1\2", text)


def test_the_written_file_has_every_key_with_its_default() -> None:
    assert parse_config(uncommented(render_config({}))) == Config()


def test_the_written_file_as_it_is_means_the_defaults() -> None:
    assert parse_config(render_config({})) == Config()


def test_values_with_any_characters_are_set() -> None:
    name = "Zürich: #1 'quoted' [x] {y} \"z\" – true"
    assert parse_config(render_config({"project.name": name})).project.name == name


def test_a_nested_value_is_set() -> None:
    config = parse_config(render_config({"generation.online.model": "openai/gpt-4o"}))
    assert config.generation.online.model == "openai/gpt-4o"
    assert config.generation.offline.model is None


def test_every_line_carries_the_keys_description() -> None:
    assert re.search(r"# top_k: 10 +# Hits per query", render_config({}))


def test_each_project_gets_a_different_id(tmp_path: Path) -> None:
    ids = set()
    for name in ("a", "b"):
        init_project(tmp_path / name, environment=NOTHING)
        ids.add(load_config(tmp_path / name, {}).project.id)
    assert len(ids) == 2


def test_a_project_is_never_overwritten(tmp_path: Path) -> None:
    init_project(tmp_path, environment=NOTHING)
    before = (tmp_path / "foundry.yaml").read_bytes()
    with pytest.raises(RuleError):
        init_project(tmp_path, environment=NOTHING)
    assert (tmp_path / "foundry.yaml").read_bytes() == before


def test_a_file_is_refused_as_a_project(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(RuleError, match="is a file"):
        init_project(tmp_path / "taken", environment=NOTHING)


def test_a_project_inside_a_project_gets_a_notice(tmp_path: Path) -> None:
    init_project(tmp_path, environment=NOTHING)
    report = init_project(tmp_path / "inner", environment=NOTHING)
    assert str(tmp_path) in str(report.notices[0])


def test_no_key_and_no_ollama_means_the_built_in_models() -> None:
    choice = choose_models(NOTHING)
    assert choice.mode == "offline"
    assert choice.values == {
        "generation.offline.model": "builtin/passages",
        "retrieval.hyde": False,
    }


def test_a_key_in_the_environment_means_its_models_and_says_what_is_sent() -> None:
    choice = choose_models(NOTHING | {"ANTHROPIC_API_KEY": "k"})
    assert choice.mode == "online"
    assert choice.values["generation.online.model"].startswith("anthropic/")
    assert any("will be sent to anthropic" in str(reason) for reason in [*map(str, choice.reasons)])


def test_online_without_a_key_means_the_documented_models() -> None:
    values = choose_models(NOTHING, "online").values
    small = ("retrieval.hyde_model", "retrieval.scorer_model", "embedding.context_model")
    assert values["generation.online.model"] == "openai/gpt-4o"
    assert {values[key] for key in (*small, "ingest.summary_model")} == {"openai/gpt-4o-mini"}


def test_offline_ignores_a_key() -> None:
    choice = choose_models(NOTHING | {"OPENAI_API_KEY": "k"}, "offline")
    assert "openai" not in str(choice.values)


def test_an_ollama_that_responds_is_used_with_a_model_that_writes(tmp_path: Path) -> None:
    with served(tags("nomic-embed-text:latest", "llama3.1:8b")) as address:
        report = init_project(tmp_path, environment={"OLLAMA_HOST": address})
    config = load_config(tmp_path, {})
    assert report.mode == "offline"
    assert config.generator() == "ollama/llama3.1:8b"
    assert config.models.api_base == {"ollama": address}


def test_an_ollama_on_another_machine_is_left_alone_offline() -> None:
    choice = choose_models({"OLLAMA_HOST": "192.0.2.1:11434"}, "offline")
    assert choice.values == {
        "generation.offline.model": "builtin/passages",
        "retrieval.hyde": False,
    }
    assert "another machine" in str(choice.reasons[0])


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b'{"models": 3}', b'{"models": [1]}'])
def test_another_server_on_the_port_does_not_count_as_ollama(body: bytes) -> None:
    with served(body) as address:
        assert list_ollama_models(address) is None


def test_an_ollama_with_embedding_models_only_is_not_used() -> None:
    with served(tags("nomic-embed-text", "bge-m3")) as address:
        choice = choose_models({"OLLAMA_HOST": address})
    assert choice.values == {
        "generation.offline.model": "builtin/passages",
        "retrieval.hyde": False,
    }
    assert "has no model that writes" in str(choice.reasons[0])


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", DEFAULT),
        ("127.0.0.1:9999", "http://127.0.0.1:9999"),
        ("box:1", "http://box:1"),
        ("127.0.0.1:port", DEFAULT),
        ("http://[broken", DEFAULT),
        ("", DEFAULT),
    ],
)
def test_the_address_of_ollama_is_read_as_ollama_reads_it(host: str, address: str) -> None:
    assert find_ollama_address({"OLLAMA_HOST": host}) == address


def test_the_configured_address_overrides_the_environment() -> None:
    assert find_ollama_address({"OLLAMA_HOST": "a:1"}, {"ollama": "http://b:2"}) == "http://b:2"
