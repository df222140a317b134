"""``foundry privacy``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.help import Command
from foundry.cli.output import show, show_json
from foundry.cli.remote import refuse_server
from foundry.cli.table import list_columns, show_table
from foundry.config import find_project, load_config
from foundry.messages import Message
from foundry.models.privacy import Destination, PrivacyReport, describe_privacy
from foundry.workspace import build_model_settings


@click.command("privacy", cls=Command)
@common_options
@pass_call
def command(call: Call) -> None:
    refuse_server(call)
    config = load_config(
        find_project((Path.cwd() / (call.project or "")).resolve()), call.environment
    )
    report = describe_privacy(config, build_model_settings(config, call.environment, None))
    if call.json:
        show_json(report)
    else:
        show_report(report)


def show_report(report: PrivacyReport) -> None:
    """Print what leaves the machine, by host, then every key."""
    hosts: dict[str, list[Destination]] = {}
    for one in report.destinations:
        if one.used and not one.local:
            hosts.setdefault(one.host, []).append(one)
    if not hosts:
        show(Message("privacy-nothing"))
    for host, found in hosts.items():
        show(Message("privacy-host", host=host))
        for one in found:
            sends = tuple(map(str, one.sends))
            show(f"  {Message('privacy-step', key=one.key, value=one.value, sends=sends)}")
    show()
    rows = [(one.key, one.value or "–", _describe_place(one)) for one in report.destinations]
    show_table(list_columns("key", "value", "place"), rows, elastic="column-value")


def _describe_place(one: Destination) -> Message | str:
    if not one.used:
        return Message("privacy-unused")
    return Message("privacy-local") if one.local else one.host
