"""Pages of a list: how many items, from where, and where the next page begins; days of a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, TypeVar

from fastapi import Query

from foundry.clock import FIRST_DAY, LAST_DAY

LARGEST = 2**63 - 1
"""The largest number that a database keeps."""
Limit = Annotated[int, Query(ge=1, le=1000)]
After = Annotated[int, Query(ge=0, le=LARGEST)]
Day = Annotated[date, Query(ge=FIRST_DAY, le=LAST_DAY)]
Item = TypeVar("Item")


def cut_page(items: Sequence[Item], limit: int, after: int) -> tuple[Sequence[Item], int | None]:
    """Items from number ``after``, and the number that the next page begins with."""
    end = after + limit
    return items[after:end], end if end < len(items) else None
