"""What a caller may choose who searches or asks: keyword arguments in Python, options of a command.

Their names and bounds are those of the requests in ``wire.requests``. Help loads this module, and so
it imports nothing that takes time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

SearchMode = Literal["hybrid", "dense", "bm25"]


@dataclass(frozen=True, slots=True)
class Typed:
    """How a command takes a value: by which name its help calls it, and in which bounds it is."""

    metavar: str | None = None
    least: int | None = None
    most: int | None = None


class ScopeOptions(TypedDict, total=False):
    """What a search is limited to; filters are written as ``type=pdf``."""

    filters: Annotated[Sequence[str], Typed("KEY=VALUE")]
    mode: SearchMode | None


class SearchOptions(ScopeOptions, total=False):
    """How passages are searched for."""

    top_k: Annotated[int | None, Typed(least=1, most=1000)]
    exact: bool


class AnswerOptions(ScopeOptions, total=False):
    """How a question is answered; ``complete`` asks for all of something, and is ``all`` elsewhere."""

    agent: Annotated[str | None, Typed("NAME")]
    exact: bool
    complete: bool


def name_field(option: str) -> str:
    """The field of a request, and the option of a command, for a keyword argument."""
    return "all" if option == "complete" else option


def name_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a request that keyword arguments mean."""
    return {name_field(name): value for name, value in given.items()}
