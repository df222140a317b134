"""Types of fields that many JSON documents share and records have otherwise."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from foundry.doc import Doc
from foundry.records import kinds
from foundry.render.places import format_time
from foundry.wire.base import From


def _format_clock(value: float | str | None) -> str | None:
    return value if isinstance(value, str) else format_time(value)


Seconds = Annotated[float, Doc(digits=3)]
Coverage = Annotated[kinds.Coverage, From("attribution_coverage")]
Completeness = Annotated[
    float | None, Field(description="share of what the specification asks for that is written")
]
RoundedTimings = Annotated[
    dict[str, Annotated[float, Doc(digits=2)]], Field(description="milliseconds by step")
]
Time = Annotated[
    str | None, BeforeValidator(_format_clock), Field(description="in a transcript, 12:34")
]
CharStart = Annotated[int, Field(description="in code points of the source text")]
