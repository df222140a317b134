"""Who holds a lock: which Foundry command, on which machine, as which process, since when.

A process labels its connections and the locks it takes; another reads the label while it waits.
"""

from __future__ import annotations

import os
import re
import socket
from datetime import datetime

from foundry.clock import find_day, get_now
from foundry.errors import ProjectBusy
from foundry.messages import Message

PATIENCE_S = 600
"""How long a command waits that has shown whom it waits for. A guess: an ingest of some hundred
files; whoever wants to wait longer runs it again."""

QUIET_S = 60
"""How long one waits that shows nothing. A guess: what these locks guard takes under a second."""

_LABEL = re.compile(r"foundry (?P<command>.+) (?P<host>\S+):(?P<process>\d+)")

_LONGEST_LABEL = 63
"""Bytes of an application's name that PostgreSQL keeps."""


def make_label(command: str) -> str:
    """The label of this process: ``foundry COMMAND HOST:PROCESS``."""
    process = f":{os.getpid()}"
    start = f"foundry {command[:30]} "
    host = socket.gethostname()[: _LONGEST_LABEL - len(start) - len(process)]
    return f"{start}{host}{process}"


def describe_holder(label: str | None, since: datetime | None) -> Message:
    """A sentence that names the process of a label, and since when it holds the lock if known."""
    found = _LABEL.fullmatch(label or "")
    if found is None:
        return Message("store-holder-unknown")
    if since is None:
        return Message("store-holder", **found.groupdict())
    return Message("store-holder-since", since=_format_time(since), **found.groupdict())


def give_up(where: str, holder: Message, seconds: float) -> ProjectBusy:
    """The error of who has waited long enough for a holder."""
    return ProjectBusy("store-waited", where=where, holder=holder, minutes=round(seconds / 60))


def _format_time(moment: datetime) -> str:
    local = moment.astimezone()
    day = "" if find_day(local) == find_day(get_now()) else f"{local:%Y-%m-%d} "
    return f"{day}{local:%H:%M}"
