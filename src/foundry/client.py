"""A client of the HTTP API: the documents that ``--json`` prints, from another machine's server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Self, Unpack

import httpx

from foundry import errors
from foundry.errors import FoundryError, ServerUnreachable
from foundry.messages import Message, get_language, use_face
from foundry.operations import endpoints, source_endpoints
from foundry.operations.endpoints import Document, Endpoint
from foundry.options import AnswerOptions, ScopeOptions, SearchOptions, name_fields
from foundry.wire.answers import AnswerJson, SearchJson, TurnJson
from foundry.wire.base import ErrorJson
from foundry.wire.projects import SourceDetailsJson, SourceListJson
from foundry.wire.server import ServerJobJson, SourcePageJson, UploadJson
from foundry.wire.verification import VerificationJson

RENDERED = "application/vnd.foundry.rendered+json"
"""Asks for a document together with the text that a command would print."""
TIMEOUT_S = 300.0
"""How long a reply may take, in seconds: that of a slow model, with its repairs (a guess)."""

Observer = Callable[[str, dict[str, Any]], None]
"""Gets the name and the data of each event of a stream: ``stage``, ``search``, ``sentence``, ``passage`` …"""


class Client:
    """A connection to a server; close it, or use it in ``with``.

    Every method raises ``FoundryError`` with the server's code, message and fix, and
    ``ServerUnreachable`` if there is none.
    """

    def __init__(self, server: str, token: str | None = None, *, timeout_s: float = TIMEOUT_S):
        headers: dict[str, str] = {"Accept-Language": get_language()}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        address = f"{server.rstrip('/')}/api/v2"
        self._server = server
        self._http = httpx.Client(base_url=address, headers=headers, timeout=timeout_s)

    def search(self, query: str, **options: Unpack[SearchOptions]) -> SearchJson:
        """The passages found, and whether the gate would allow an answer."""
        return self._send(endpoints.SEARCH, query=query, **options)

    def ask(
        self,
        question: str,
        *,
        on_event: Observer | None = None,
        **options: Unpack[AnswerOptions],
    ) -> AnswerJson:
        """An answer from the sources, or passages to read; ``on_event`` sees it being made.

        ``complete`` asks for all of something, as "list all" does by itself.
        """
        return self._send(endpoints.ASK, on_event, question=question, **options)

    def chat(
        self,
        typed: str,
        earlier: Sequence[TurnJson] = (),
        *,
        on_event: Observer | None = None,
        **options: Unpack[AnswerOptions],
    ) -> TurnJson:
        """The answer to a question that may refer to ``earlier`` turns, the oldest first."""
        turns = [
            {
                "question": turn.question,
                "answer": turn.answer.answer if turn.answer.sentences else "",
                "language": turn.answer.language,
            }
            for turn in earlier
        ]
        return self._send(endpoints.CHAT, on_event, typed=typed, earlier=turns, **options)

    def verify(
        self,
        text: str,
        *,
        judge: Literal["configured", "none"] = "configured",
        **options: Unpack[ScopeOptions],
    ) -> VerificationJson:
        """Check a text in Markdown, statement by statement, against the sources."""
        return self._send(endpoints.VERIFY, text=text, judge=judge, **options)

    def list_sources(self, **wishes: str) -> SourceListJson:
        """The sources by path that match ``wishes``, and the files that could not be read.

        Wishes are the fields of ``GET /sources``: q, type, tag, folder, confidentiality, status, state.
        """
        pages, asked = list[SourcePageJson](), set[str]()
        after: str | None = ""
        # A server that names a page twice has no more of them.
        while after is not None and after not in asked:
            asked.add(after)
            pages.append(self._get(source_endpoints.LIST_SOURCES, after=after, **wishes))
            after = pages[-1].next
        found = [source for page in pages for source in page.sources]
        chains = self._get(source_endpoints.LIST_REVISIONS).chains
        return SourceListJson(sources=found, unread=pages[0].unread, chains=chains)

    def get_source(self, source_id: str) -> SourceDetailsJson:
        """A source with its summary, headings, names and attachments."""
        return self._get(source_endpoints.SHOW_SOURCE, source_id=source_id)

    def upload(self, *paths: str | Path, tags: Sequence[str] = ()) -> UploadJson:
        """Send files; each becomes a job, or is refused with its reason."""
        files = [("files", (Path(path).name, Path(path).read_bytes())) for path in paths]
        form = {"tags": list(tags)} if tags else {}
        return _read(self._call("POST", "/uploads", files=files, data=form), UploadJson)

    def get_job(self, job_id: str) -> ServerJobJson:
        """A job, with what became of its file."""
        return self._get(source_endpoints.SHOW_JOB, job_id=job_id)

    def render(self, endpoint: Endpoint[Document], **given: Any) -> tuple[Document, str]:
        """The document of an operation, and the text that the command prints for it."""
        body, headers = name_fields(given), {"Accept": RENDERED}
        reply = self._call("POST", endpoint.address, json=body, headers=headers).json()
        return endpoint.gives.model_validate(reply["document"], extra="ignore"), reply["text"]

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _get(self, endpoint: Endpoint[Document], **given: str) -> Document:
        address = endpoint.address.format(**given)
        return _read(self._call("GET", address, params=given), endpoint.gives)

    def _send(
        self, endpoint: Endpoint[Document], on_event: Observer | None = None, **given: Any
    ) -> Document:
        """The document that a request gives; ``given`` are its fields, which the server checks."""
        body = name_fields(given)
        if on_event:
            return self._follow(f"{endpoint.address}/stream", body, endpoint.gives, on_event)
        return _read(self._call("POST", endpoint.address, json=body), endpoint.gives)

    def _call(self, method: str, path: str, **parts: Any) -> httpx.Response:
        try:
            reply = self._http.request(method, path, **parts)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._explain(error) from error
        _require_success(reply)
        return reply

    def _follow(
        self, path: str, body: dict[str, Any], kind: type[Document], on_event: Observer
    ) -> Document:
        try:
            with self._http.stream("POST", path, json=body) as reply:
                if reply.is_error:
                    reply.read()
                    _require_success(reply)
                for name, data in _read_events(reply.iter_lines()):
                    if name == "result":
                        return kind.model_validate(data, extra="ignore")
                    if name == "error":
                        raise _build_error(data)
                    on_event(name, data)
        except httpx.HTTPError as error:
            raise self._explain(error) from error
        raise ServerUnreachable("client-broken-off", where=self._server)

    def _explain(self, error: Exception) -> ServerUnreachable:
        cause = str(error) or type(error).__name__
        return ServerUnreachable("client-unreachable", where=self._server, cause=cause)


def _read(reply: httpx.Response, kind: type[Document]) -> Document:
    """The document of a reply; keys of a later version of the server are left out."""
    return kind.model_validate(reply.json(), extra="ignore")


def _read_events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def _require_success(reply: httpx.Response) -> None:
    if reply.is_success:
        return
    try:
        document = reply.json()
        error = _build_error(document)
    except (ValueError, KeyError, TypeError) as failure:
        where, status = str(reply.url), str(reply.status_code)
        raise ServerUnreachable("client-no-foundry", where=where, status=status) from failure
    raise error


def _build_error(document: dict[str, Any]) -> FoundryError:
    """The error that the server describes."""
    given = ErrorJson.model_validate(document, extra="ignore")
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    known = {kind.code: kind for kind in kinds if issubclass(kind, FoundryError)}
    problem = Message.from_dict({"code": given.problem.code, "params": given.problem.params})
    error = known.get(given.error.code, FoundryError)(problem, where=given.error.where)
    # What was added for this case, such as the nearest name; in another language it is left out.
    with use_face("api"):
        usual = error.request_fix
    if given.error.fix.startswith(usual) and given.error.fix != usual:
        added = given.error.fix.removeprefix(usual).strip()
        error.advice = (Message("client-advice", text=added),)
    return error
