"""How Foundry was installed, and the command that adds an extra: the one place that knows.

The name of the package is not ours on the package index, so no command names it: each names the
checkout or the wheel that Foundry came from, as the installer noted it (PEP 610).
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

EXTRAS = {
    "models": ("litellm", "jsonschema", "json_repair", "tenacity"),
    "sso": ("joserfc",),
    "otel": ("opentelemetry.exporter.otlp.proto.http", "opentelemetry.sdk"),
    "web": (
        "fastapi",
        "itsdangerous",
        "limits",
        "nh3",
        "prometheus_client",
        "python_multipart",
        "uvicorn",
        "jinja2",
    ),
    "mcp": ("mcp",),
    "export": ("typst",),
    "ocr": ("rapidocr",),
    "onnx": ("tokenizers",),
    "ray": ("ray",),
    "postgres": ("psycopg",),
    "lancedb": ("lancedb",),
    "eval": ("matplotlib", "pytrec_eval", "scipy", "jinja2"),
}
"""The modules that each extra adds."""

_PACKAGE = "foundry-rag"
_UNKNOWN = "PATH-TO-FOUNDRY"
"""Stands for the checkout or wheel where nobody noted which it was."""


@dataclass(frozen=True, slots=True)
class Installation:
    """Where Foundry came from (a folder, a wheel or an address) and what installed it."""

    origin: str
    editable: bool
    installer: str
    python: str

    def build_command(self, extras: Iterable[str]) -> str:
        """The command that installs Foundry again with these extras."""
        # Imported here, as below: every command loads this module, and few need it.
        import shlex

        what = shlex.quote(f"{self.origin}[{','.join(extras)}]")
        match self.installer:
            case "uv tool":
                start = "uv tool install --force"
            case "pipx":
                start = "pipx install --force"
            case "uv":
                start = f"uv pip install --python {shlex.quote(self.python)}"
            case _:
                start = f"{shlex.quote(self.python)} -m pip install"
        return f"{start} {'-e ' if self.editable else ''}{what}"


def find_installation() -> Installation:
    """How this process's Foundry was installed."""
    import importlib.metadata

    origin, editable, installer = "", False, "pip"
    try:
        package = importlib.metadata.distribution(_PACKAGE)
    except importlib.metadata.PackageNotFoundError:  # only on the path, as tests may have it
        pass
    else:
        origin, editable = _read_origin(package.read_text("direct_url.json"))
        installer = (package.read_text("INSTALLER") or "pip").strip()
    checkout = Path(__file__).parents[2]
    if not origin and (checkout / "pyproject.toml").is_file():
        origin, editable = str(checkout), True
    return Installation(
        origin or _UNKNOWN, editable, _find_tool(Path(sys.prefix)) or installer, sys.executable
    )


def _read_origin(note: str | None) -> tuple[str, bool]:
    """The folder, wheel or address of ``direct_url.json``, and whether it is editable."""
    if note is None:
        return "", False
    import json
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    found = json.loads(note)
    url = str(found.get("url", ""))
    parts = urlsplit(url)
    origin = url2pathname(parts.path) if parts.scheme == "file" else url
    return origin, bool(found.get("dir_info", {}).get("editable"))


def _find_tool(prefix: Path) -> str:
    """What keeps one environment for each program, by what it leaves there; "" for none."""
    marks = {"uv-receipt.toml": "uv tool", "pipx_metadata.json": "pipx"}
    return next((tool for name, tool in marks.items() if (prefix / name).is_file()), "")


def is_installed(extra: str) -> bool:
    """Whether all modules of the extra are there; none is imported."""
    return not list_missing(extra)


def list_missing(extra: str) -> list[str]:
    """The modules of the extra that are not installed."""
    return [name for name in EXTRAS[extra] if not _is_there(name)]


def _is_there(module: str) -> bool:
    # A module in a package that is not there either is an error.
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def find_extra(module: str) -> str | None:
    """The extra that a module belongs to; None if it is none's."""
    top = module.partition(".")[0]
    tops = {extra: {one.partition(".")[0] for one in modules} for extra, modules in EXTRAS.items()}
    return next((extra for extra, names in tops.items() if top in names), None)


def tell_install(extra: str) -> str:
    """The command that adds the extra to those that are installed."""
    kept = {name for name in EXTRAS if name != extra and is_installed(name)}
    installation = find_installation()
    # pip and uv keep the extras that are installed; these two rebuild the environment without them.
    rebuilds = installation.installer in ("uv tool", "pipx")
    return installation.build_command([extra, *sorted(kept if rebuilds else ())])
