"""Commands that work through a server: ``--server URL``, with a token in ``FOUNDRY_TOKEN``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foundry.cli.call import Call
from foundry.cli.output import say_notices, show, show_json
from foundry.errors import UsageError

if TYPE_CHECKING:
    from foundry.client import Client
    from foundry.operations.endpoints import Document, Endpoint


def open_client(call: Call) -> Client:
    """The client of ``--server``."""
    # Imported here: most calls need no HTTP.
    from foundry.client import Client

    server = call.server or ""
    if not server.startswith(("http://", "https://")):
        raise UsageError("client-address-invalid", where="--server", address=server)
    if call.role:
        raise UsageError("client-role", where="--role", role=call.role)
    return Client(server, call.environment.get("FOUNDRY_TOKEN"))


def show_remote(call: Call, endpoint: Endpoint[Document], **given: Any) -> Document:
    """Ask the server, and show what the command shows here; returns the document."""
    with open_client(call) as client:
        document, text = client.render(endpoint, **given)
    if call.json:
        show_json(document)
    else:
        say_notices(call, getattr(document, "notices", ()))
        show(text)
    return document


def refuse_server(call: Call) -> None:
    """Raise ``UsageError`` for a command that cannot work through a server."""
    if call.server:
        raise UsageError("client-not-remote", where="--server")
