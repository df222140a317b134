"""Where the API has search, ask, chat and verify: without the journeys, which a client does not load."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from foundry.wire.answers import AnswerJson, SearchJson, TurnJson
from foundry.wire.base import WireModel
from foundry.wire.verification import VerificationJson

Document = TypeVar("Document", bound=WireModel)


class Endpoint(NamedTuple, Generic[Document]):
    """The method and address of an operation below ``/api/v2``, and the document that it gives."""

    method: str
    address: str
    gives: type[Document]


SEARCH = Endpoint("POST", "/search", SearchJson)
ASK = Endpoint("POST", "/ask", AnswerJson)
CHAT = Endpoint("POST", "/chat", TurnJson)
VERIFY = Endpoint("POST", "/verify", VerificationJson)
