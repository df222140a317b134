"""A new project: what is written and which models are chosen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from foundry.config import Config, load_config, parse_config
from foundry.errors import RuleError
from foundry.journeys.project import (
    choose_models,
    init_project,
    render_config,
)
from foundry.models.providers import resolve_target
from foundry.workspace import build_model_settings
from tests.support.local_servers import (
    NO_SERVERS,
    Routes,
    make_llama_cpp,
    make_lm_studio,
    make_ollama,
    make_vllm,
    serve,
)

SHOWN = {"model_info": {"llama.context_length": 131_072}, "capabilities": ["completion"]}


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
        init_project(tmp_path / name, environment=NO_SERVERS)
        ids.add(load_config(tmp_path / name, {}).project.id)
    assert len(ids) == 2


def test_a_project_is_never_overwritten(tmp_path: Path) -> None:
    init_project(tmp_path, environment=NO_SERVERS)
    before = (tmp_path / "foundry.yaml").read_bytes()
    with pytest.raises(RuleError):
        init_project(tmp_path, environment=NO_SERVERS)
    assert (tmp_path / "foundry.yaml").read_bytes() == before


def test_a_file_is_refused_as_a_project(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(RuleError, match="is a file"):
        init_project(tmp_path / "taken", environment=NO_SERVERS)


def test_a_project_inside_a_project_gets_a_notice(tmp_path: Path) -> None:
    init_project(tmp_path, environment=NO_SERVERS)
    report = init_project(tmp_path / "inner", environment=NO_SERVERS)
    assert str(tmp_path) in str(report.notices[0])


def test_no_key_and_no_server_means_the_built_in_models() -> None:
    choice = choose_models(NO_SERVERS)
    assert choice.mode == "offline"
    assert choice.values == {
        "generation.offline.model": "builtin/passages",
        "retrieval.hyde": False,
    }


def test_a_key_in_the_environment_means_its_models_and_says_what_is_sent() -> None:
    choice = choose_models(NO_SERVERS | {"ANTHROPIC_API_KEY": "k"})
    assert choice.mode == "online"
    assert choice.values["generation.online.model"].startswith("anthropic/")
    assert any("will be sent to anthropic" in str(reason) for reason in [*map(str, choice.reasons)])


def test_online_without_a_key_means_the_documented_models() -> None:
    values = choose_models(NO_SERVERS, "online").values
    small = ("retrieval.hyde_model", "retrieval.scorer_model", "embedding.context_model")
    assert values["generation.online.model"] == "openai/gpt-4o"
    assert {values[key] for key in (*small, "ingest.summary_model")} == {"openai/gpt-4o-mini"}


def test_offline_ignores_a_key() -> None:
    choice = choose_models(NO_SERVERS | {"OPENAI_API_KEY": "k"}, "offline")
    assert "openai" not in str(choice.values)


def test_a_server_that_answers_is_used_with_its_largest_model(tmp_path: Path) -> None:
    models = {"nomic-embed-text:latest": {}, "llama3.1:8b": SHOWN, "llama3.2:3b": SHOWN}
    with serve(make_ollama(models)) as address:
        report = init_project(tmp_path, environment=NO_SERVERS | {"OLLAMA_HOST": address})
    config = load_config(tmp_path, {})
    assert report.mode == "offline"
    assert config.generator() == "ollama/llama3.1:8b"
    assert config.models.api_base == {"ollama": address}
    assert config.models.windows == {"ollama/llama3.1:8b": 131_072}


@pytest.mark.parametrize(
    ("variable", "routes", "model"),
    [
        ("LM_STUDIO_API_BASE", make_lm_studio({"id": "q", "max_context_length": 32_768}),
         "lm_studio/q"),
        ("LLAMAFILE_API_BASE", make_llama_cpp("/m/q.gguf", 32_768), "llamafile//m/q.gguf"),
        ("HOSTED_VLLM_API_BASE", make_vllm(q=32_768), "hosted_vllm/q"),
    ],
)  # fmt: skip
def test_each_server_is_configured_so_that_it_is_called(
    tmp_path: Path, variable: str, routes: Routes, model: str
) -> None:
    with serve(routes) as address:
        init_project(tmp_path, environment=NO_SERVERS | {variable: f"{address}/v1"})
        config = load_config(tmp_path, {})
        target = resolve_target(model, build_model_settings(config, {}, None))
    assert (config.generator(), config.models.windows) == (model, {model: 32_768})
    assert (target.api_base, target.local) == (f"{address}/v1", True)


def test_a_model_trained_to_judge_becomes_the_judge(tmp_path: Path) -> None:
    with serve(make_ollama({"bespoke-minicheck": {}, "llama3.1:8b": SHOWN})) as address:
        init_project(tmp_path, environment=NO_SERVERS | {"OLLAMA_HOST": address})
    assert load_config(tmp_path, {}).validation.verifier == "ollama/bespoke-minicheck"


def test_without_one_the_writer_judges(tmp_path: Path) -> None:
    with serve(make_ollama({"llama3.1:8b": SHOWN})) as address:
        init_project(tmp_path, environment=NO_SERVERS | {"OLLAMA_HOST": address})
    assert load_config(tmp_path, {}).validation.verifier == "same"


def test_a_window_that_prompts_exceed_is_said() -> None:
    with serve(make_vllm(q=4096)) as address:
        choice = choose_models(NO_SERVERS | {"HOSTED_VLLM_API_BASE": f"{address}/v1"})
    said = next(reason for reason in choice.reasons if reason.code == "init-window")
    assert said.params == {"model": "hosted_vllm/q", "window": 4096, "needed": 10_240}


def test_a_model_that_lm_studio_has_not_loaded_is_said() -> None:
    entry = {"id": "q-7b", "max_context_length": 32_768, "state": "not-loaded"}
    with serve(make_lm_studio(entry)) as address:
        choice = choose_models(NO_SERVERS | {"LM_STUDIO_API_BASE": f"{address}/v1"})
    assert "init-not-loaded" in [reason.code for reason in choice.reasons]


def test_an_ollama_on_another_machine_is_left_alone_offline() -> None:
    choice = choose_models(NO_SERVERS | {"OLLAMA_HOST": "192.0.2.1:11434"}, "offline")
    assert choice.values == {
        "generation.offline.model": "builtin/passages",
        "retrieval.hyde": False,
    }
    assert "another machine" in str(choice.reasons[0])


def test_a_server_with_embedding_models_only_is_not_used() -> None:
    with serve(make_ollama({"nomic-embed-text": {}, "bge-m3": {}})) as address:
        choice = choose_models(NO_SERVERS | {"OLLAMA_HOST": address})
    assert choice.values == {
        "generation.offline.model": "builtin/passages",
        "retrieval.hyde": False,
    }
    assert "Ollama answers but has no model that writes" in str(choice.reasons[0])
