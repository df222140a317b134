"""Addresses that open a source at cited words.

``start`` and ``end`` are the place to show, ``exact`` its words and ``revision`` the file that they
were cited from, so that a link still leads to them after a change. ``at`` is repeated for every
other place that is cited with it, such as the header above the row of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from foundry.records import Quote

MAX_EXACT = 400
"""Characters of a quote in an address: enough to find its place again."""
MAX_PLACES = 40
"""Places of an address, the others of which are left out: it would be too long for a proxy."""


def link_to_source(
    source_id: str, quotes: Sequence[Quote], *, content_hash: str = "", view: str = ""
) -> str:
    """The address of a source at its quotes; it shows the last, below the header of its table.

    ``view`` is another view of the same place: ``/region.svg``.
    """
    address = f"/sources/{source_id}{view}"
    if not quotes:
        return address
    places = {(quote.start, quote.end): quote for quote in quotes}
    *others, last = (places[place] for place in sorted(places))
    fields: list[tuple[str, object]] = [("start", last.start), ("end", last.end)]
    fields += [("at", f"{quote.start}-{quote.end}") for quote in others[1 - MAX_PLACES :]]
    fields += [("revision", content_hash[:12])] if content_hash else []
    return f"{address}?{urlencode([*fields, ('exact', last.text[:MAX_EXACT])])}"
