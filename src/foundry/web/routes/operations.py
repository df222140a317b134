"""The routes of the operations: who calls, what is sent once, and what is followed, for all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request
from fastapi.responses import JSONResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from foundry.client import RENDERED
from foundry.operations.table import Operation, list_operations
from foundry.web.replays import Key
from foundry.web.security.callers import Bound, Owned, audit_request, get_site, make_scope
from foundry.web.streams import follow
from foundry.workspace import Workspace

_IF_MATCH = Annotated[str | None, Header(description="the content_hash that was reviewed")]


def make_router(tag: str, subject: ModuleType) -> APIRouter:
    """The routes of a subject's operations."""
    router = APIRouter(tags=[tag])
    for operation in list_operations(subject):
        add = partial(
            router.add_api_route,
            methods=[operation.endpoint.method],
            dependencies=[Depends(audit_request(operation.audit))] if operation.audit else [],
        )
        if operation.plain:
            add(
                operation.endpoint.address,
                _sign(partial(_answer, operation), operation, **_list_headers(operation)),
                name=operation.name,
                description=operation.about,
                response_model=operation.endpoint.gives,
            )
        if operation.stream:
            name, about = operation.stream
            add(
                f"{operation.endpoint.address}/stream",
                _sign(partial(_follow, operation), operation),
                name=name,
                description=about or operation.about,
                response_class=EventSourceResponse,
            )
    return router


def _list_headers(operation: Operation[Any]) -> dict[str, Any]:
    reviewed = operation.reviewed and operation.endpoint.method != "GET"
    return {
        **({"if_match": _IF_MATCH} if reviewed else {}),
        **({"key": Key} if operation.once else {}),
    }


def _sign(
    call: Callable[..., Any], operation: Operation[Any], **headers: Any
) -> Callable[..., Any]:
    """The call with the parameters that FastAPI is to find: caller, address, request and headers."""
    only = inspect.Parameter.KEYWORD_ONLY
    workspace = Owned if operation.owner else Bound
    needed = {"request": Request, "response": Response, "workspace": workspace}
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            *(inspect.Parameter(name, only, annotation=kind) for name, kind in needed.items()),
            *(one.replace(kind=only) for one in operation.parameters.values()),
            *(
                inspect.Parameter(name, only, annotation=kind, default=None)
                for name, kind in headers.items()
            ),
        ]
    )
    return call


def _answer(
    operation: Operation[Any],
    *,
    request: Request,
    response: Response,
    workspace: Workspace,
    if_match: str | None = None,
    key: str | None = None,
    **given: Any,
) -> Any:
    """The document; with its text for a client that accepts both."""
    scope = replace(make_scope(request, workspace), reviewed=_unquote(if_match))
    perform = partial(operation.perform, scope, **given)
    if operation.once:
        place = (scope.who, operation.name, *request.path_params.values())
        return get_site(request).replays.run(
            key, place, given["asked"].model_dump_json, lambda: operation.build(perform())
        )
    result = perform()
    document = operation.build(result)
    if operation.reviewed and (tag := getattr(result, "content_hash", "")):
        response.headers["ETag"] = f'"{tag}"'
    if operation.render and request.headers.get("accept") == RENDERED:
        content = {"document": document.model_dump(mode="json"), "text": operation.render(result)}
        return JSONResponse(content, media_type=RENDERED)
    return document


def _follow(
    operation: Operation[Any],
    *,
    request: Request,
    response: Response,  # noqa: ARG001 - as every route
    workspace: Workspace,
    **given: Any,
) -> Iterable[ServerSentEvent]:
    yield from follow(get_site(request), operation, make_scope(request, workspace), **given)


def _unquote(tag: str | None) -> str:
    return tag.removeprefix("W/").strip('"') if tag else ""
