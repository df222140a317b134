"""The generated pages and the JSON models cannot drift from the code."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from docs.generate import PAGES, walk
from foundry.cli.program import foundry
from foundry.config import Config
from foundry.wire.commands import MODELS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_a_committed_page_is_what_the_code_says(name: str) -> None:
    """When it fails: ``make docs``."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_every_command_has_its_json_model() -> None:
    ctx = click.Context(foundry, info_name="foundry")
    found = {
        path.removeprefix("foundry ")
        for path, _, command in walk(foundry, ctx)
        if not isinstance(command, click.Group)
    }
    # "generate --dry-run" is another document of the same command.
    assert found == {name.partition(" --")[0] for name in MODELS}


def test_the_configuration_page_names_every_key() -> None:
    page = PAGES["configuration.md"]()
    named = set(re.findall(r"^\| `([a-z0-9_.]+)` \|", page, re.MULTILINE))
    sections = {name.split(".")[0] for name in named}
    assert sections == set(Config.model_fields)
    assert {"retrieval.top_k", "generation.offline.model", "log.redact"} <= named
