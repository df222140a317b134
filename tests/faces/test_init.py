"""``foundry init`` as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.config import load_config
from tests.faces.conftest import Run


def test_init_creates_a_project_and_names_the_next_step(run: Run, tmp_path: Path) -> None:
    outcome = run("init", "demo")
    assert outcome.status == 0
    assert "foundry.yaml" in outcome.out
    assert "Next: cd demo" in outcome.out
    assert load_config(tmp_path / "demo", {}).project.name == "demo"
    assert all((tmp_path / "demo" / name).is_dir() for name in ("sources", "features", "output"))


def test_init_without_a_folder_uses_the_current_one(run: Run, tmp_path: Path) -> None:
    assert run("init").status == 0
    assert (tmp_path / "foundry.yaml").is_file()


def test_init_says_why_it_chose_its_models(run: Run) -> None:
    outcome = run("init", "demo")
    assert "builtin/passages" in outcome.out
    assert "no key is needed" in outcome.out


def test_init_online_names_the_key_that_is_missing(run: Run) -> None:
    document = run("init", "demo", "--online", "--json").json
    assert document["mode"] == "online"
    assert document["models"]["generation.online.model"] == "openai/gpt-4o"
    assert any("OPENAI_API_KEY is not set" in reason["text"] for reason in document["reasons"])


def test_init_never_overwrites(run: Run, tmp_path: Path) -> None:
    (tmp_path / "foundry.yaml").write_text("mode: offline\n")
    outcome = run("init", "--json")
    assert outcome.status == 2
    assert outcome.json["error"]["code"] == "refused"
    assert (tmp_path / "foundry.yaml").read_text() == "mode: offline\n"


def test_init_keeps_what_is_in_the_folders(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "a.md").write_text("mine")
    assert run("init", "--json").json["kept"] == ["sources/"]
    assert (tmp_path / "sources" / "a.md").read_text() == "mine"


@pytest.mark.parametrize("words", [("a", "--project", "b"), ("a", "b")])
def test_init_takes_one_folder(run: Run, words: tuple[str, ...]) -> None:
    assert run("init", *words).status == 2
