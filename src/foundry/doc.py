"""What a field of a record means to a reader of JSON, and which fields JSON does not have.

JSON, its documentation and the HTTP API are made from the records. Nothing here needs a library: records
are loaded by every command.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Doc:
    """What a field means: ``Annotated[float, Doc("0 to 1", digits=4)]``; also of a property in JSON.

    JSON has a number with so many ``digits`` after the point, and a message that is ``plain`` as its
    words alone.
    """

    text: str = ""
    digits: int | None = None
    plain: bool = False


HIDDEN: Final = "left out of JSON"
"""Marks a field that JSON does not have: ``Annotated[str, HIDDEN]``."""
