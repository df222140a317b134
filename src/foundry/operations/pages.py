"""Pages of a list: how many items, from where, and where the next page begins; days of a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, TypeVar

from annotated_types import Ge, Le, MaxLen

from foundry.clock import FIRST_DAY, LAST_DAY

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
