"""``foundry.yaml``: bounds, unknown keys, overrides."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from foundry.config import find_project, load_config, override_config, parse_config, parse_provider
from foundry.errors import ConfigError, ProjectNotFound, UsageError


def test_an_empty_file_means_the_defaults() -> None:
    config = parse_config("")
    assert (config.retrieval.rrf_k, config.retrieval.min_score) == (60, 0.20)
    assert config.generator() == "builtin/passages"


def test_a_section_with_only_comments_means_the_defaults() -> None:
    assert parse_config("retrieval:\n  # top_k: 5\n").retrieval.top_k == 10


def test_an_unknown_key_names_the_nearest_known_one() -> None:
    with pytest.raises(
        ConfigError, match=r"retrieval\.topk.*nearest known key is retrieval\.top_k"
    ):
        parse_config("retrieval: {topk: 3}")


@pytest.mark.parametrize("text", ["web: {theme: dark}", "agents: {}", "retrieval: {ranker: none}"])
def test_a_key_that_nothing_reads_is_unknown(text: str) -> None:
    with pytest.raises(ConfigError, match=r"Unknown key .*; the nearest known key is"):
        parse_config(text)


@pytest.mark.parametrize(
    "text",
    [
        "retrieval: {top_k: 0}",
        "retrieval: {min_score: 1.5}",
        "mode: both",
        "ingest: {chunk_tokens: [900, 100]}",
        "ingest: {chunk_overlap: [100, 800]}",
        "project: {brief: 'https://example.org/brief.md'}",
        "project: {id: 'a b'}",
    ],
)
def test_a_value_out_of_bounds_is_an_error_that_names_its_key(text: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_config(text)
    assert text.split(":", maxsplit=1)[0] in raised.value.message
    assert raised.value.fix


def test_small_chunks_are_accepted_with_a_small_overlap() -> None:
    ingest = parse_config("ingest: {chunk_tokens: [150, 250], chunk_overlap: [0, 40]}").ingest
    assert (ingest.chunk_tokens, ingest.chunk_overlap) == ((150, 250), (0, 40))


def test_small_chunks_with_the_default_overlap_get_a_suggestion() -> None:
    with pytest.raises(ConfigError, match=r"chunk_overlap \[100, 150\].*chunk_overlap: \[0, 30\]"):
        parse_config("ingest: {chunk_tokens: [150, 250]}")


@pytest.mark.parametrize("value", ["200", "[200]", "[1, 2, 3]", "small"])
def test_bounds_must_be_two_numbers(value: str) -> None:
    with pytest.raises(ConfigError, match=r"ingest\.chunk_tokens: it takes two numbers"):
        parse_config(f"ingest: {{chunk_tokens: {value}}}")


def test_broken_yaml_names_the_line() -> None:
    with pytest.raises(ConfigError) as raised:
        parse_config("mode: offline\nretrieval: {top_k: 3\n")
    assert raised.value.where.startswith("foundry.yaml:")


def test_the_environment_overrides_one_key(tmp_path: Path) -> None:
    (tmp_path / "foundry.yaml").write_text("retrieval: {top_k: 5, rrf_k: 30}\n")
    config = load_config(tmp_path, {"FOUNDRY_RETRIEVAL__TOP_K": "7", "FOUNDRY_CACHE_DIR": "/x"})
    assert (config.retrieval.top_k, config.retrieval.rrf_k) == (7, 30)


def test_a_mistyped_variable_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "foundry.yaml").write_text("{}\n")
    with pytest.raises(ConfigError, match="top_k"):
        load_config(tmp_path, {"FOUNDRY_RETRIEVAL__TOPK": "7"})


def test_the_modes_own_generator_comes_before_the_general_one() -> None:
    text = "generation: {model: openai/plain, online: {model: openai/own}}\nmode: "
    assert parse_config(f"{text}online").generator() == "openai/own"
    assert parse_config(f"{text}offline").generator() == "openai/plain"


def test_the_project_is_found_from_a_folder_inside_it(tmp_path: Path) -> None:
    (tmp_path / "foundry.yaml").write_text("{}\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_project(tmp_path / "a" / "b") == tmp_path


def test_a_missing_project_says_how_to_create_one(tmp_path: Path) -> None:
    with pytest.raises(ProjectNotFound) as raised:
        find_project(tmp_path)
    assert "foundry init" in raised.value.fix


def test_a_provider_is_read_from_a_models_name() -> None:
    names = ["openai/gpt-4o", "onnx:models/e5", "builtin/extractive", "none"]
    assert [parse_provider(name) for name in names] == ["openai", "onnx", "builtin", "none"]


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("mode", "bm25", "bm25"),
        ("hyde", "false", False),
        ("hyde_model", "openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("scorer_model", "openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("relevance_threshold", "6", 6),
        ("top_k", "25", 25),
    ],
)
def test_the_steps_of_retrieval_are_settable(key: str, text: str, value: object) -> None:
    assert getattr(parse_config(f"retrieval: {{{key}: {text}}}").retrieval, key) == value


def test_the_number_of_summaries_in_a_prompt_is_settable() -> None:
    assert (
        parse_config("generation: {max_source_summaries: 3}").generation.max_source_summaries == 3
    )


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("retrieval.top_k", "20", 20),
        ("retrieval.hyde", "false", False),
        ("ingest.chunk_tokens", "200,300", (200, 300)),
        ("ingest.chunk_tokens", "[200, 300]", (200, 300)),
        ("generation.offline.model", "ollama/llama3.1:8b", "ollama/llama3.1:8b"),
        ("generation.offline.model", "null", None),
        ("models.windows.openai/gpt-4.1", "9000", {"openai/gpt-4.1": 9000}),
        ("models.windows", "{a: 512}", {"a": 512}),
        ("mode", "online", "online"),
    ],
)
def test_an_override_is_parsed_as_its_keys_type(key: str, text: str, value: object) -> None:
    found: object = override_config(parse_config("project: {id: p}"), {key: text})
    for name in key.split(".")[: 2 if key.startswith("models") else None]:
        found = getattr(found, name)
    assert found == value


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("retrieval.topk", "nearest known key is retrieval.top_k"),
        ("retreival.top_k", "nearest known key is retrieval"),
        ("retrieval.top_k.x", "retrieval.top_k"),
        ("retrieval", "retrieval"),
    ],
)
def test_an_override_of_an_unknown_key_names_its_option(key: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        override_config(parse_config(""), {key: "3"})
    assert refused.value.where == f"-o {key}"


BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in pairwise("abcdefgh")
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "[" * 5000,
        "{a: " * 5000,
        "retrieval: {top_k: " + "9" * 5000 + "}",
        "project: {id: 2026-13-45}",
        "? [a]\n: b",
        "!!python/object:os.system x",
        "\x00",
    ],
)
def test_yaml_that_cannot_be_read_is_a_short_error(text: str) -> None:
    with pytest.raises(ConfigError, match="not valid YAML") as raised:
        parse_config(text)
    assert len(raised.value.message) < 400


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("mode: offline\n\nmode: online\n", ("1", "3")),
        ("retrieval:\n  mode: dense\n  top_k: 4\n  mode: bm25\n", ("2", "4")),
    ],
    ids=["section", "key"],
)
def test_a_key_that_is_there_twice_is_an_error_with_both_lines(
    text: str, lines: tuple[str, str]
) -> None:
    with pytest.raises(ConfigError, match="mode appears twice, on lines {} and {}".format(*lines)):
        parse_config(text)


@pytest.mark.parametrize(
    "text",
    [
        "mode: sk-proj-Zm9vYmFyYmF6cXV4",
        "retrieval: {top_k: [[Bearer abcdefgh12345678]]}",
        "retrieval: {top_k: 'https://me:tulip@host/'}",
        "retrieval: {top_k: 5e1f0c77d2e94a6fb0a15b1f0c77d2e9}",
    ],
)
def test_a_wrong_value_that_looks_like_a_key_is_not_shown(text: str) -> None:
    with pytest.raises(ConfigError, match=r"\[key\]") as raised:
        parse_config(text)
    for secret in ("Zm9v", "abcdefgh", "tulip", "5e1f0c77"):
        assert secret not in raised.value.message


def test_many_wrong_keys_make_a_short_error() -> None:
    with pytest.raises(ConfigError, match="90 more problems") as raised:
        parse_config("\n".join(f"key{number}: {'x' * 5000}" for number in range(100)))
    assert len(raised.value.message) < 2000


@pytest.mark.parametrize("value", ["[" * 5000, "&a [*a]", "9" * 5000])
def test_a_variable_that_cannot_be_read_is_a_short_error(tmp_path: Path, value: str) -> None:
    (tmp_path / "foundry.yaml").write_text("{}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path, {"FOUNDRY_RETRIEVAL__TOP_K": value})
    assert raised.value.where == "FOUNDRY_RETRIEVAL__TOP_K"
    assert len(raised.value.message) < 400


@pytest.mark.parametrize("zone", ["Mars", "../etc/passwd", "Europe"])
def test_an_unknown_time_zone_is_an_error_that_names_its_key(zone: str) -> None:
    with pytest.raises(ConfigError, match=zone) as refused:
        parse_config(f"spending: {{time_zone: {zone}}}")
    assert "spending.time_zone" in str(refused.value)


def test_an_unquoted_off_switches_ocr_off() -> None:
    assert parse_config("ingest:\n  ocr: off\n").ingest.ocr == "off"
