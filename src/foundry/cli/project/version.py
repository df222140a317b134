"""``foundry version``."""

from __future__ import annotations

import platform

import click

from foundry import __version__
from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import show, show_json
from foundry.wire.projects import VersionJson


@click.command("version", cls=Command)
@common_options
@pass_call
def command(call: Call) -> None:
    versions = {
        "foundry": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
    if call.json:
        show_json(VersionJson(**versions))
    else:
        show("\n".join(f"{name} {version}" for name, version in versions.items()))
