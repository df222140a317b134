"""The title that is printed on the first page of a PDF: its largest text, joined over its lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.readers.pdf.blocks import PageBlock
from foundry.readers.pdf.headings import BodyStyle
from foundry.readers.pdf.table_columns import is_amount

_LONGEST = 200
"""Characters; longer texts in large print are no titles. A guess."""
_LARGER = 1.15
"""Size of a title that is not bold, relative to the text. A guess."""
_WORDS = load_shared_lexicon().headings
_BOILERPLATE = re.compile(
    rf"\W*(?:{build_alternation(_WORDS.contents | _WORDS.administrative | _WORDS.generic)})\W*",
    re.IGNORECASE,
)


def find_printed_title(blocks: Sequence[PageBlock], body: BodyStyle) -> str | None:
    """Return the largest text of the first page, or None if none stands out."""
    first = [block for block in blocks if block.page == 1]
    named = [block for block in first if _may_be_title(block)]
    if not named:
        return None
    largest = max(block.size for block in named)
    heads = [block for block in named if block.size > 0.97 * largest]
    if largest < _LARGER * body.size and not (heads[0].bold and not body.bold):
        return None
    head = heads[0]
    words = [head.text]
    start = next(i for i, block in enumerate(first) if block is head)
    for above, block in zip(first[start:], first[start + 1 :], strict=False):
        near = block.box.y0 - above.box.y1 < 0.8 * largest
        alike = block.size > 0.97 * largest and block.bold == head.bold
        if not (near and alike and _may_be_title(block)):
            break
        words.append(block.text)
    title = " ".join(words)
    return title if len(title) <= _LONGEST else words[0][:_LONGEST]


def _may_be_title(block: PageBlock) -> bool:
    text = block.text
    letters = sum(char.isalpha() for char in text)
    return (
        block.table is None
        and block.kind != "contents"
        and letters >= 3
        and len(text) <= _LONGEST
        and block.lines <= 4
        and not is_amount(text)
        and not _BOILERPLATE.fullmatch(text)
        and "@" not in text
    )
