"""What the forms of pages do: an operation, with its line in the audit stream."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from fastapi import Request
from pydantic import ValidationError

from foundry.errors import ChangedMeanwhile, FoundryError, UsageError
from foundry.operations.table import Operation, audit
from foundry.ports import Progress
from foundry.web.background import Work
from foundry.web.security.callers import find_subject, get_site, make_scope
from foundry.wire.base import ErrorJson, ErrorMessageJson
from foundry.workspace import Workspace

Result = TypeVar("Result")


def act(
    request: Request,
    workspace: Workspace,
    operation: Operation[Result],
    *,
    seen: str = "",
    **given: Any,
) -> Result:
    """The result of an operation; ``seen`` is the hash of the text that the page showed."""
    scope = replace(make_scope(request, workspace), reviewed=seen)
    with audit(scope, operation.audit, partial(find_subject, request)):
        return operation.perform(scope, **given)


def begin(
    request: Request,
    workspace: Workspace,
    name: str,
    operation: Operation[Any],
    **given: Any,
) -> Work:
    """Begin an operation that goes on when the browser is closed, with its line in the audit stream.

    Raises ``ChangedMeanwhile`` if work of that name runs, and what makes it impossible.
    """
    scope = make_scope(request, workspace)

    def run(progress: Progress) -> None:
        with audit(scope, operation.audit, partial(find_subject, request)):
            operation.perform(replace(scope, progress=progress), **given)

    return get_site(request).background.start(name, run)


def describe(error: FoundryError, workspace: Workspace) -> ErrorMessageJson:
    """A refusal as a page shows it."""
    return ErrorJson.build_for_request(error, workspace.root).error


def get_status(error: FoundryError | None) -> int:
    """The HTTP status of a page, with or without a refusal."""
    if error is None:
        return 200
    return 409 if isinstance(error, ChangedMeanwhile) else 400


def refuse(error: ValidationError) -> UsageError:
    """Invalid fields as a refusal that a page can show."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return UsageError("web-invalid", where=where, cause=first["msg"])


def split_lines(text: str) -> list[str]:
    """The lines of a field, stripped, without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]
