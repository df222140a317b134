"""The model servers of this machine: which are found, what they list, and which model is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from foundry.models import local_servers
from foundry.models.local_servers import (
    LocalModel,
    LocalServer,
    choose_judge,
    choose_writer,
    find_place,
    find_servers,
    list_models,
)
from tests.support.local_servers import (
    DRIP,
    NO_SERVERS,
    make_llama_cpp,
    make_lm_studio,
    make_ollama,
    make_vllm,
    serve,
)

LLAMA = {
    "tag": {"size": 4_900_000_000, "details": {"parameter_size": "8.0B"}},
    "model_info": {"general.architecture": "llama", "llama.context_length": 131_072},
    "capabilities": ["completion", "tools"],
    "template": "{{ if .System }}…{{ end }}{{ .Prompt }}",
}
EMBED = {"model_info": {"bert.context_length": 512}, "capabilities": ["embedding"]}
BAD = [b"<!doctype html><title>It works</title>", b"", b"[]", b'{"models": 3, "data": 3}',
       b'{"models": [1], "data": [1]}', b"[" * 100_000, b" " * 3_000_000, 404, 500, 302, DRIP]  # fmt: skip


def served_by(*models: LocalModel, provider: str = "ollama") -> LocalServer:
    return LocalServer(provider, "http://127.0.0.1:1", models)


def chosen(*models: LocalModel, needed: int = 10_000) -> str | None:
    choice = choose_writer([served_by(*models)], needed)
    return choice and choice.model.name


def test_ollama_says_size_window_and_what_a_model_can_do() -> None:
    with serve(make_ollama({"llama3.1:8b": LLAMA, "all:latest": EMBED})) as address:
        found = list_models("ollama", address)
    assert found is not None
    assert found.models == (
        LocalModel("llama3.1:8b", 131_072, 8.0, 4_900_000_000),
        LocalModel("all:latest", 512, writes=False),
    )


def test_an_ollama_model_without_a_template_of_its_own_has_learned_no_instructions() -> None:
    with serve(make_ollama({"llama3:text": {"template": "{{ .Prompt }}"}})) as address:
        found = list_models("ollama", address)
    assert found is not None
    assert found.models[0].chats is False


def test_lm_studio_says_the_window_a_model_is_loaded_with() -> None:
    entries = (
        {"id": "qwen2.5-7b-instruct", "type": "llm", "max_context_length": 32_768,
         "state": "loaded", "loaded_context_length": 4096},
        {"id": "gemma-3-12b-it", "type": "vlm", "max_context_length": 131_072},
        {"id": "nomic-v1.5", "type": "embeddings", "max_context_length": 2048},
    )  # fmt: skip
    with serve(make_lm_studio(*entries)) as address:
        found = list_models("lm_studio", f"{address}/v1")
    assert found is not None
    assert [(m.window, m.billions, m.writes) for m in found.models] == [
        (4096, 7.0, True), (131_072, 12.0, True), (2048, None, False),
    ]  # fmt: skip


def test_llama_cpp_says_the_window_of_a_slot() -> None:
    with serve(make_llama_cpp("/models/gemma.gguf", 16_384)) as address:
        found = list_models("llamafile", f"{address}/v1")
    assert found is not None
    assert (found.provider, found.models[0].window) == ("llamafile", 16_384)
    assert found.models[0].billions == pytest.approx(0.268, abs=0.001)


def test_vllm_says_the_window_it_was_started_with() -> None:
    with serve(make_vllm(mistral=8192)) as address:
        found = list_models("hosted_vllm", f"{address}/v1")
    assert found == LocalServer(
        "hosted_vllm", f"{address}/v1", (LocalModel("mistral", window=8192),)
    )


def test_a_server_on_anothers_port_is_known_by_its_answers() -> None:
    with serve(make_vllm(mistral=8192)) as address:
        found = list_models("llamafile", f"{address}/v1")
    assert found is not None
    assert found.name == "vLLM"


@pytest.mark.parametrize("answer", BAD)
@pytest.mark.parametrize(("provider", "path"), [("ollama", "/api/tags"), ("openai", "/v1/models")])
def test_what_answers_otherwise_is_no_model_server(provider: str, path: str, answer: Any) -> None:
    with serve({path: answer}) as address:
        base = address if provider == "ollama" else f"{address}/v1"
        assert list_models(provider, base, timeout_s=0.3) is None


@pytest.mark.parametrize("answer", BAD)
def test_details_that_cannot_be_read_leave_the_model_without_them(answer: Any) -> None:
    routes = {**make_ollama({"llama3.1:8b": {}}), "/api/show": answer}
    with serve(routes) as address:
        found = list_models("ollama", address, timeout_s=0.3)
    assert found is not None
    assert found.models == (LocalModel("llama3.1:8b", billions=8.0),)


def test_a_name_with_control_characters_is_left_out() -> None:
    with serve(make_ollama({"a\nmode: online": {}, "fine": {}})) as address:
        found = list_models("ollama", address)
    assert found is not None
    assert [model.name for model in found.models] == ["fine"]


def test_all_servers_of_the_machine_are_found() -> None:
    with (
        serve(make_ollama({"llama3.1:8b": LLAMA})) as ollama,
        serve(make_lm_studio({"id": "a", "max_context_length": 1})) as studio,
        serve(make_llama_cpp("b", 4096)) as llama,
        serve(make_vllm(c=4096)) as vllm,
    ):
        environment = {
            "OLLAMA_HOST": ollama,
            "LM_STUDIO_API_BASE": f"{studio}/v1",
            "LLAMAFILE_API_BASE": f"{llama}/v1",
            "HOSTED_VLLM_API_BASE": f"{vllm}/v1",
        }
        found = find_servers(environment)
    assert [one.name for one in found] == ["Ollama", "LM Studio", "llama.cpp", "vLLM"]


def test_the_usual_ports_are_those_of_the_four_servers() -> None:
    ports = [find_place(name, {}).rpartition(":")[2] for name in local_servers.SERVER_NAMES]  # type: ignore[union-attr]
    assert ports == ["11434", "1234/v1", "8080/v1", "8000/v1"]


@pytest.mark.parametrize("place", ["192.0.2.1:11434", "models.example", "http://[2001:db8::1]:1"])
def test_another_machine_is_never_asked(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(local_servers, "list_models", lambda *place: asked.append(place))
    find_servers(NO_SERVERS | {"OLLAMA_HOST": place})
    assert len(asked) == 3


def test_nothing_that_listens_loads_no_http_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_servers, "open_session", None)
    assert find_servers(NO_SERVERS) == ()


def test_the_largest_model_writes() -> None:
    assert chosen(LocalModel("a", billions=7), LocalModel("b", billions=12)) == "b"


def test_a_model_whose_window_is_too_small_gives_way() -> None:
    small = LocalModel("a", window=4096, billions=70)
    assert chosen(small, LocalModel("b", window=32_768, billions=7)) == "b"
    assert chosen(small) == "a"


def test_a_model_larger_than_the_memory_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_servers, "_get_memory", lambda: 8_000_000_000)
    large = LocalModel("a", billions=70, size=40_000_000_000)
    assert chosen(large, LocalModel("b", billions=7, size=4_000_000_000)) == "b"


def test_a_model_that_has_learned_no_instructions_gives_way() -> None:
    assert chosen(LocalModel("a", billions=8, chats=False), LocalModel("b", billions=1)) == "b"


def test_neither_an_embedding_model_nor_a_judge_writes() -> None:
    assert (
        chosen(LocalModel("e", writes=False), LocalModel("bespoke-minicheck", billions=7)) is None
    )


def test_a_model_trained_to_judge_judges() -> None:
    choice = choose_judge([served_by(LocalModel("llama"), LocalModel("bespoke-minicheck:7b"))])
    assert choice is not None
    assert choice.configured_name == "ollama/bespoke-minicheck:7b"


@pytest.mark.parametrize(
    ("name", "billions"),
    [("llama3.1:8b", 8), ("qwen2.5-0.5b-instruct", 0.5), ("mixtral-8x7b", 56), ("gemma-270m", 0.27),
     ("gpt-4o", None), ("phi4", None), ("Qwen3-30B-A3B", 30)],
)  # fmt: skip
def test_a_name_says_how_large_a_model_is(name: str, billions: float | None) -> None:
    with serve({"/v1/models": {"data": [{"id": name}]}}) as address:
        found = list_models("openai", f"{address}/v1")
    assert found is not None
    assert found.models[0].billions == billions
