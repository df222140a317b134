"""A project's glossary shows conflicts between sources that use different words."""

from __future__ import annotations

from pathlib import Path

import pytest

from foundry.errors import ConfigError
from foundry.journeys.ask import ask
from foundry.journeys.ingest import ingest
from foundry.workspace import open_workspace

SOURCES = {
    "sheet.md": "# DX-4\n\nSupply voltage: 12 V\n\nThe DX-4 dims stage lights.\n",
    "blad.md": "# DX-4\n\nVoedingsspanning: 24 V\n\nDe DX-4 dimt toneellampen.\n",
}


def count_conflicts(root: Path, glossary: str | None) -> int:
    (root / "sources").mkdir(parents=True)
    for name, text in SOURCES.items():
        (root / "sources" / name).write_text(text, encoding="utf-8")
    key = ", glossary: words.toml" if glossary is not None else ""
    (root / "foundry.yaml").write_text(f"project: {{id: prj_words{key}}}\n", encoding="utf-8")
    (root / "words.toml").write_text(glossary or "", encoding="utf-8")
    with open_workspace(root, environment={}, cwd=root) as workspace:
        ingest(workspace)
        return len(ask(workspace, "What is the supply voltage of the DX-4?").conflicts)


def test_with_a_glossary_values_in_two_languages_contradict(tmp_path: Path) -> None:
    assert count_conflicts(tmp_path, '"supply voltage" = ["voedingsspanning"]') == 1


def test_without_a_glossary_they_are_not_compared(tmp_path: Path) -> None:
    assert count_conflicts(tmp_path, None) == 0


def test_a_faulty_glossary_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="glossary") as raised:
        count_conflicts(tmp_path, "supply voltage: voedingsspanning")
    assert raised.value.where == "words.toml"
