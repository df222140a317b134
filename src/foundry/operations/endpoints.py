"""Where the API has what the client asks for: without the journeys, which a client does not load."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from foundry.wire.answers import AnswerJson, SearchJson, TurnJson
from foundry.wire.base import WireModel
from foundry.wire.projects import SourceDetailsJson
from foundry.wire.server import ServerJobJson, SourcePageJson
from foundry.wire.verification import VerificationJson

Document = TypeVar("Document", bound=WireModel)


class Endpoint(NamedTuple, Generic[Document]):
    """The method and address of an operation below ``/api/v1``, and the document that it gives."""

    method: str
    address: str
    gives: type[Document]


SEARCH = Endpoint("POST", "/search", SearchJson)
ASK = Endpoint("POST", "/ask", AnswerJson)
CHAT = Endpoint("POST", "/chat", TurnJson)
VERIFY = Endpoint("POST", "/verify", VerificationJson)
LIST_SOURCES = Endpoint("GET", "/sources", SourcePageJson)
SHOW_SOURCE = Endpoint("GET", "/sources/{source_id}", SourceDetailsJson)
SHOW_JOB = Endpoint("GET", "/jobs/{job_id}", ServerJobJson)
