"""What the configuration can send where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from foundry.cli.program import foundry
from foundry.config import Config, parse_config
from foundry.models import ModelSettings
from foundry.models.privacy import STEPS, Destination, PrivacyReport, describe_privacy
from foundry.prompts import PLACEHOLDERS
from tests.journeys.conftest import write_project

ONLINE = {
    "mode": "online",
    "generation": {"online": {"model": "openai/gpt-4o"}, "offline": {"model": "ollama/llama3"}},
    "embedding": {"model": "openai/text-embedding-3-small"},
}


def describe(values: dict[str, object]) -> PrivacyReport:
    config = parse_config(json.dumps(values))
    return describe_privacy(config, ModelSettings(api_base=config.models.api_base))


def find(report: PrivacyReport, key: str) -> Destination:
    return next(one for one in report.destinations if one.key == key)


@pytest.mark.parametrize(("address", "private"), [("local", True), ("192.0.2.7:6379", False)])
def test_a_cluster_is_where_files_go(address: str, private: bool) -> None:
    report = describe({"ingest": {"ray": address}})
    assert "files" in str(find(report, "ingest.ray").sends[0])
    assert report.private is private


def list_model_keys(section: type[BaseModel], path: str = "") -> Iterator[str]:
    """The keys that name a model or an address, by their name or their default."""
    for name, field in section.model_fields.items():
        kind, key = field.annotation, f"{path}{name}"
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from list_model_keys(kind, f"{key}.")
        elif (
            name.endswith(("model", "url", "api_base", "reranker", "verifier"))
            or "builtin/" in str(field.default)
            or "://" in str(field.default)
        ):
            yield key


def test_every_key_that_names_a_model_or_an_address_is_listed() -> None:
    report = describe({"models": {"api_base": {"openai": "http://127.0.0.1:1/v1"}}})
    listed = {one.key for one in report.destinations}
    keys = set(list_model_keys(Config))
    assert len(keys) > 10
    assert {key for key in keys if not any(one.startswith(key) for one in listed)} == set()


def test_every_prompt_is_of_a_step() -> None:
    assert {prompt for prompts in STEPS.values() for prompt in prompts} == set(PLACEHOLDERS)


def test_a_new_project_sends_nothing() -> None:
    report = describe({})
    assert report.private
    assert [one for one in report.destinations if one.used and one.sends] == []


def test_a_remote_model_is_listed_with_its_host_and_what_it_gets() -> None:
    report = describe(ONLINE)
    writer, embedder = find(report, "generation.online.model"), find(report, "embedding.model")
    assert not report.private
    assert (writer.host, embedder.host) == ("api.openai.com", "api.openai.com")
    assert {"questions", "retrieved passages", "the project's brief"} <= set(map(str, writer.sends))
    assert [str(one) for one in embedder.sends] == ["questions", "chunks of sources"]
    assert "retrieved passages" in [str(one) for one in find(report, "validation.verifier").sends]


def test_the_model_of_a_profile_also_judges_what_it_wrote() -> None:
    profiles = {"cheap": "anthropic/claude-3-5-haiku-latest", "premium": "cheap"}
    generation = {"online": {"model": "openai/gpt-4o", "profiles": profiles}}
    report = describe({"mode": "online", "generation": generation})
    for name in ("cheap", "premium"):
        model = find(report, f"generation.online.profiles.{name}")
        assert (model.host, model.used) == ("api.anthropic.com", True)
        assert {"the agent's persona", "sentences of the answer"} <= set(map(str, model.sends))


def test_a_database_without_a_host_is_where_the_environment_says() -> None:
    config = parse_config(json.dumps({"storage": {"url": "postgresql:///team"}}))
    settings = ModelSettings(environment={"PGHOST": "db.example.org"})
    assert not describe_privacy(config, settings).private


def test_the_model_of_the_other_mode_is_not_used() -> None:
    assert not find(describe(ONLINE), "generation.offline.model").used
    hyde = {"retrieval": {"hyde": False, "hyde_model": "openai/gpt-4o"}}
    assert not find(describe(ONLINE | hyde), "retrieval.hyde_model").used


def test_a_model_server_on_this_machine_gets_text_that_stays_here() -> None:
    report = describe({"generation": {"model": "ollama/llama3"}})
    assert report.private
    assert find(report, "generation.model").used
    assert find(report, "generation.model").sends


@pytest.mark.parametrize(
    ("url", "host", "private"),
    [
        ("postgresql://ada@db.example.org:5433/team", "db.example.org:5433", False),
        ("postgresql://127.0.0.1/team", "127.0.0.1", True),
        ("postgresql:///team", "this machine", True),
        ("postgresql://%2Frun%2Fpg/team", "/run/pg", True),
        ("postgresql://localhost/team?host=db.example.org", "db.example.org", False),
        ("postgresql://127.0.0.1/team?hostaddr=10.0.0.7", "10.0.0.7, 127.0.0.1", False),
        ("postgresql://localhost:1,db.example.org:2/t", "localhost:1, db.example.org:2", False),
        ("postgresql:///team?service=shared", "shared", False),
    ],
)
def test_a_database_elsewhere_gets_everything(url: str, host: str, private: bool) -> None:
    report = describe({"storage": {"url": url}})
    database = find(report, "storage.url")
    assert (database.host, report.private) == (host, private)
    assert "ada" not in database.value
    assert "texts of sources" in [str(one) for one in database.sends]


def test_the_command_says_what_leaves_the_machine(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    call = ["privacy", "--project", str(root)]
    assert "Nothing leaves this machine." in CliRunner().invoke(foundry, call).stdout
    (root / "foundry.yaml").write_text("mode: online\ngeneration: {model: openai/gpt-4o}\n")
    shown = CliRunner().invoke(foundry, call).stdout
    assert "api.openai.com gets:" in shown
    assert "\n  generation.model (openai/gpt-4o): " in shown


def test_a_service_outside_is_listed_with_the_pages_that_it_gets() -> None:
    outside = {"pages": "scans", "address": "https://pages.example.org/"}
    report = describe({"mode": "online", "ingest": {"outside": outside}})
    found = find(report, "ingest.outside.address")
    assert (found.host, found.local, found.used) == ("pages.example.org", False, True)
    assert [one.code for one in found.sends] == ["privacy-sends-scans"]
    assert not report.private


def test_a_provider_and_a_collector_are_named() -> None:
    config = parse_config(
        json.dumps({"web": {"oidc": {"issuer": "https://login.example.com", "client_id": "f"}}})
    )
    collector = {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://traces.example.com:4318"}
    report = describe_privacy(config, ModelSettings(environment=collector))
    hosts = {one.host for one in report.destinations if one.used and not one.local}
    assert hosts == {"login.example.com", "traces.example.com:4318"}
