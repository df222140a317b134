"""Types of fields that many JSON documents share: how they are written, and what they mean."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from foundry.messages import Message
from foundry.render.places import format_time, round_score
from foundry.wire.base import From, MessageJson


def round_to(digits: int) -> AfterValidator:
    """Rounds a number to so many decimals, and leaves null alone."""
    return AfterValidator(lambda value: None if value is None else round(value, digits))


def _format_iso(value: date | str | None) -> str | None:
    return value.isoformat() if isinstance(value, date) else value


def _format_clock(value: float | str | None) -> str | None:
    return value if isinstance(value, str) else format_time(value)


def _format_text(value: Message | str | None) -> str | None:
    return None if value is None else str(value)


Score = Annotated[float, AfterValidator(round_score)]
Share = Annotated[float | None, AfterValidator(round_score)]
Seconds = Annotated[float, round_to(3)]
Timestamp = Annotated[str, BeforeValidator(_format_iso), Field(description="ISO 8601")]
Day = Annotated[str, BeforeValidator(_format_iso)]
Mode = Literal["offline", "online"]
Language = Annotated[str, Field(description="ISO 639-1, or und")]
Coverage = Annotated[
    float | None, From("attribution_coverage"), Field(description="verified share, before removal")
]
ShownCoverage = Annotated[float | None, Field(description="verified share of the shown sentences")]
Completeness = Annotated[
    float | None, Field(description="share of what the specification asks for that is written")
]
Text = Annotated[str, BeforeValidator(_format_text)]
Texts = list[Text]
Notices = Annotated[list[MessageJson], Field(description="what was skipped or is incomplete")]
Timings = Annotated[dict[str, float], Field(description="milliseconds by step")]
RoundedTimings = Annotated[
    dict[str, Annotated[float, round_to(2)]], Field(description="milliseconds by step")
]
Models = Annotated[dict[str, str], Field(description="model by step")]

ChunkId = Annotated[str, Field(description="chk_…")]
SourcePath = Annotated[str, Field(description="path within the project")]
Revision = Annotated[str | None, Field(description="as printed in the source")]
RevisionDate = Annotated[str | None, Field(description="as printed in the source, ISO 8601")]
SectionTitle = Annotated[str | None, Field(description="deepest heading with its number")]
Page = Annotated[int | None, Field(description="from 1")]
PageLabel = Annotated[str | None, Field(description="the page number as printed")]
Time = Annotated[
    str | None, BeforeValidator(_format_clock), Field(description="in a transcript, 12:34")
]
CharStart = Annotated[int, Field(description="in code points of the source text")]
