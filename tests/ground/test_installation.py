"""How Foundry was installed, and the command that adds an extra."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

from foundry.installation import EXTRAS, Installation, find_extra, find_installation, tell_install

ROOT = Path(__file__).parents[2]


class Package:
    """What an installer left beside a package."""

    def __init__(self, **files: str) -> None:
        self.files = files

    def read_text(self, name: str) -> str | None:
        return self.files.get(name.partition(".")[0])


@pytest.fixture
def note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def leave(mark: str = "", **files: str) -> Installation:
        monkeypatch.setattr(importlib.metadata, "distribution", lambda _name: Package(**files))
        monkeypatch.setattr("sys.prefix", str(tmp_path))
        monkeypatch.setattr("sys.executable", "/venv/bin/python")
        if mark:
            (tmp_path / mark).touch()
        return find_installation()

    return leave


CHECKOUT = '{"url": "file:///home/eva/my%20foundry", "dir_info": {"editable": true}}'
FOLDER = '{"url": "file:///home/eva/foundry", "dir_info": {}}'
WHEEL = '{"url": "file:///tmp/foundry_rag-1-py3-none-any.whl", "archive_info": {}}'
PIP = "/venv/bin/python -m pip install"


@pytest.mark.parametrize(
    ("mark", "files", "command"),
    [
        ("", {"direct_url": CHECKOUT}, f"{PIP} -e '/home/eva/my foundry[mcp]'"),
        ("", {"direct_url": FOLDER}, f"{PIP} '/home/eva/foundry[mcp]'"),
        ("", {"direct_url": WHEEL}, f"{PIP} '/tmp/foundry_rag-1-py3-none-any.whl[mcp]'"),
        (
            "",
            {"direct_url": FOLDER, "INSTALLER": "uv\n"},
            "uv pip install --python /venv/bin/python '/home/eva/foundry[mcp]'",
        ),
        (
            "uv-receipt.toml",
            {"direct_url": FOLDER, "INSTALLER": "uv"},
            "uv tool install --force '/home/eva/foundry[mcp]'",
        ),
        (
            "pipx_metadata.json",
            {"direct_url": WHEEL},
            "pipx install --force '/tmp/foundry_rag-1-py3-none-any.whl[mcp]'",
        ),
    ],
)
def test_the_command_is_that_of_the_installation(note, mark, files, command) -> None:
    assert note(mark, **files).build_command(["mcp"]) == command


def test_a_checkout_on_the_path_is_found_by_its_place(note) -> None:
    assert note().build_command(["mcp"]) == f"{PIP} -e '{ROOT}[mcp]'"


def test_no_command_names_the_package_of_the_index(note, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foundry.installation.__file__", "/venv/lib/site-packages/foundry/x.py")
    assert note().build_command(["web"]) == f"{PIP} 'PATH-TO-FOUNDRY[web]'"


def test_an_environment_of_one_program_keeps_its_other_extras(
    note, monkeypatch: pytest.MonkeyPatch
) -> None:
    note("uv-receipt.toml", direct_url=FOLDER)
    monkeypatch.setattr("foundry.installation.is_installed", lambda name: name in {"web", "mcp"})
    assert tell_install("export").endswith(" '/home/eva/foundry[export,mcp,web]'")


def test_every_extra_is_in_the_table_with_the_modules_of_its_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {k: v for k, v in project["optional-dependencies"].items() if k != "dev"}
    assert set(EXTRAS) == set(extras)
    modules = {
        module: {name.lower().replace("_", "-") for name in names}
        for module, names in importlib.metadata.packages_distributions().items()
    }
    installed = set().union(*modules.values())
    for extra, packages in extras.items():
        wanted = {re.split(r"[\[<>=! ]", line)[0].lower() for line in packages}
        tops = {module.partition(".")[0] for module in EXTRAS[extra]}
        found = set().union(*(modules.get(top, ()) for top in tops))
        # Several packages may share a first name, as those of OpenTelemetry do.
        assert wanted & installed <= found


def test_the_extra_of_a_module_is_found_by_its_first_name() -> None:
    assert (find_extra("uvicorn.config"), find_extra("numpy")) == ("web", None)
