"""What an operation is, and how it is run: filters, agent, turn and audit are settled here.

The routes of the HTTP API, the tools for language models, the methods of ``Project`` and the commands
are bound to operations. What only one face has, such as uploads, is written there.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from types import ModuleType
from typing import Annotated, Any, Generic, Protocol, TypeVar, get_type_hints, overload

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel

from foundry.clock import FIRST_DAY, LAST_DAY
from foundry.errors import FoundryError, StoreError
from foundry.journeys.access import record_event
from foundry.journeys.agents import use_agent
from foundry.journeys.sources import parse_filters
from foundry.operations.endpoints import Endpoint
from foundry.options import name_fields
from foundry.ports import Progress, run_to_end
from foundry.records import AgentOutput, Event, Filters
from foundry.wire.base import WireModel, get_model
from foundry.wire.requests import ScopeRequest
from foundry.workspace import Workspace

Observer = Callable[[Event], None]
"""Gets each event of an answer while it is made: what was found, then every sentence or passage."""
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Scope:
    """On whose behalf an operation runs: the project as that caller sees it, and its name if it has one.

    ``slots`` are held while an answer is made; ``streams`` says whether somebody looks at it meanwhile.
    ``reviewed`` is the hash of the text that a caller has read, and ``note`` gets what was changed, for
    the audit stream. ``filters`` are those of the request, once it is bound.
    """

    workspace: Workspace
    who: str = ""
    address: str = ""
    slots: AbstractContextManager[object] = field(default_factory=nullcontext)
    progress: Progress = lambda _step: None
    streams: bool = False
    reviewed: str = ""
    note: Callable[[str], None] = lambda _subject: None
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True)
class Operation(Generic[Result]):
    """What a caller may ask for; its name, its request and what is said of it are those of ``run``.

    ``run`` takes a scope, what the address says, and as ``asked`` the body of the request, if it has one.
    It returns the result, its document, or a generator of an answer's events.

    ``listed`` is the field of the document that a list fills, ``render`` what a command prints.
    ``agent`` is the kind of agent that may write, and the field that it writes about. ``owner`` limits
    the operation to the highest role, ``slow`` lets it wait for its turn, ``once`` lets a client repeat
    it with the same key, ``audit`` names it in the audit stream, and ``reviewed`` says that its result is
    a text with a hash to be reviewed. ``stream`` is the name of the route on which it can be followed,
    with what that route says; an operation without ``plain`` has no other.
    """

    run: Callable[..., Result | Generator[Event, None, Result]]
    endpoint: Endpoint[Any]
    listed: str = ""
    render: Callable[[Any], str] | None = None
    agent: tuple[AgentOutput, str] | None = None
    owner: bool = False
    slow: bool = False
    once: bool = False
    audit: str = ""
    reviewed: bool = False
    stream: tuple[str, str] | None = None
    plain: bool = True

    @property
    def name(self) -> str:
        """By which its route is known."""
        return self.run.__name__

    @property
    def about(self) -> str:
        """What is said of it."""
        return inspect.getdoc(self.run) or ""

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """What it takes besides the scope, with types that are resolved."""
        hints = get_type_hints(self.run, include_extras=True)
        _, *named = inspect.signature(self.run).parameters.values()
        return {one.name: one.replace(annotation=hints[one.name]) for one in named}

    @property
    def takes(self) -> type[BaseModel]:
        """The model of its request."""
        takes: type[BaseModel] = self.parameters["asked"].annotation
        return takes

    def perform(
        self, scope: Scope, *, on_event: Observer = lambda _event: None, **given: Any
    ) -> Result:
        """The result, when it is its turn; an exception in ``on_event`` stops it."""
        bound = self._bind(scope, given.get("asked"))
        with scope.slots if self.slow else nullcontext():
            found = self.run(bound, **given)
            return run_to_end(found, on_event) if isinstance(found, Generator) else found

    def _bind(self, scope: Scope, asked: BaseModel | None) -> Scope:
        """The scope with the agent, filters and exactness that a request names. Raises like both."""
        workspace = scope.workspace
        if self.agent:
            output, about = self.agent
            name: str | None = getattr(asked, "agent", None)
            workspace = use_agent(workspace, name, output, getattr(asked, about))
        if getattr(asked, "exact", False):
            workspace = replace(workspace, exact=True)
        filters = asked.filters if isinstance(asked, ScopeRequest) else ()
        return replace(scope, workspace=workspace, filters=parse_filters(workspace, filters))

    def fill(self, **given: Any) -> Any:
        """The request of a caller in this process, whose values need no check. Raises ``TypeError``."""
        named = name_fields(given)
        if unknown := named.keys() - self.takes.model_fields.keys():
            raise TypeError(f"unexpected argument: {', '.join(sorted(unknown))}")
        return self.takes.model_construct(**named)

    def build(self, result: Any) -> WireModel:
        """The document of a result."""
        gives: type[WireModel] = self.endpoint.gives
        if isinstance(result, WireModel):
            return result
        return gives(**{self.listed: list(result)}) if self.listed else gives.from_record(result)


class _Declare(Protocol):
    """Makes an operation of the function that runs it."""

    @overload
    def __call__(
        self, run: Callable[..., Generator[Event, None, Result]], /
    ) -> Operation[Result]: ...
    @overload
    def __call__(self, run: Callable[..., Result], /) -> Operation[Result]: ...


def operation(method: str, address: str, gives: type[Any], **facts: Any) -> _Declare:
    """Declare an operation; the facts are those of ``Operation``."""
    return lambda run: Operation(run, Endpoint(method, address, get_model(gives)), **facts)


def list_operations(subject: ModuleType) -> list[Operation[Any]]:
    """The operations of a module; of two that fit an address the first is meant."""
    return [one for one in vars(subject).values() if isinstance(one, Operation)]


@contextmanager
def audit(scope: Scope, action: str, find_subject: Callable[[], str]) -> Iterator[None]:
    """Write what is done to the audit stream, refusals too."""
    outcome = "unexpected"
    try:
        yield
        outcome = "done"
    except FoundryError as error:
        outcome = error.code
        raise
    finally:
        record(scope, action, find_subject(), outcome)


def record(scope: Scope, action: str, subject: str, outcome: str) -> None:
    """Write to the audit stream what came of something; the log has what cannot be written."""
    facts = {"who": scope.who, "address": scope.address, "outcome": outcome}
    try:
        record_event(scope.workspace, action, subject, **facts)
    except StoreError:
        logging.getLogger("foundry.web").exception("audit")


LARGEST = 2**63 - 1
"""The largest number that a database keeps."""
Limit = Annotated[int, Ge(1), Le(1000)]
After = Annotated[int, Ge(0), Le(LARGEST)]
Day = Annotated[date, Ge(FIRST_DAY), Le(LAST_DAY)]
Text = Annotated[str, MaxLen(200)]
Item = TypeVar("Item")


def cut_page(items: Sequence[Item], limit: int, after: int) -> tuple[Sequence[Item], int | None]:
    """Items from number ``after``, and the number that the next page begins with."""
    end = after + limit
    return items[after:end], end if end < len(items) else None
