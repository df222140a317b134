"""Pages of a list: how many items, from where, and where the next page begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

from fastapi import Query

Limit = Annotated[int, Query(ge=1, le=1000)]
After = Annotated[int, Query(ge=0)]
Item = TypeVar("Item")


def cut_page(items: Sequence[Item], limit: int, after: int) -> tuple[Sequence[Item], int | None]:
    """Items from number ``after``, and the number that the next page begins with."""
    end = after + limit
    return items[after:end], end if end < len(items) else None
