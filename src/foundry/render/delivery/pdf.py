"""The document as PDF, set by Typst: footnotes at the foot of the page, contents, bookmarks, PDF/A.

All text is passed as data (JSON) to a fixed template, so nothing from a source is ever read as
Typst markup or code. Typst reads no file but the template, and nothing from a network.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC
from importlib.resources import files
from typing import Any, cast

from foundry.errors import ExtraMissing, FoundryError, describe_missing
from foundry.records import Delivery
from foundry.render.delivery.plan import DeliveryPart, DeliveryPlan, PlannedNote, plan_delivery
from foundry.render.delivery.tree import (
    BlockNode,
    BlockQuote,
    Break,
    Callout,
    Code,
    CodeBlock,
    Heading,
    Inline,
    Link,
    ListBlock,
    NoteMark,
    Paragraph,
    Rule,
    Styled,
    TableBlock,
    Text,
    compute_column_widths,
    extract_text,
)

# Scripts that are not in Typst's fonts; only these make it search the fonts of the machine.
_OTHER_SCRIPTS = re.compile(
    "[\u0530-\u1dff\u2e80-\ufaff\ufb1d-\ufdff\ufe70-\uffef\U00010000-\U0010ffff]"
)
_LONG_WORD = re.compile(r"\S{18,}")
_BREAKABLE = re.compile(r"(?<=[/_.\-:=&?,;@\\])(?=\w)")
_SMALL_BLOCK = 400
"""Characters; a smaller block, about four lines, is kept on one page."""
_SMALL_NOTE = 1500
"""Characters; a smaller footnote, about a third of a page, is kept on one page."""
_UNBROKEN = re.compile(r"\w{30}(?=\w)")


class ExportFailed(FoundryError):
    """The library for this format failed on the document."""

    code = "export"


def render_pdf(delivery: Delivery) -> bytes:
    """The PDF. Raises ``ExtraMissing`` without the extra ``export``."""
    try:
        # Imported here: it is an optional package of 80 MB.
        import typst
    except ModuleNotFoundError as error:
        raise ExtraMissing(describe_missing("export"), where="--format pdf") from error
    data = json.dumps(
        _PdfData(plan_delivery(delivery)).build_document(delivery), ensure_ascii=False
    )
    template = files("foundry.render.delivery").joinpath("delivery.typ").read_bytes()
    fonts = typst.Fonts(include_system_fonts=bool(_OTHER_SCRIPTS.search(data)))
    failure: Exception | None = None
    with tempfile.TemporaryDirectory(prefix="foundry-") as empty:
        # PDF/A refuses characters without a glyph; such a document is still a valid PDF.
        for standards in (["a-2a", "ua-1"], []):
            compiler = typst.Compiler(template, root=empty, font_paths=fonts)
            try:
                made = compiler.compile(
                    format="pdf",
                    sys_inputs={"document": data},
                    pdf_standards=cast("Any", standards),
                    timestamp=int(delivery.created.timestamp()),
                )
            except (typst.TypstError, RuntimeError) as error:
                failure = error
            else:
                return bytes(cast("bytes", made))
    raise ExportFailed("export-pdf-failed", where="--format pdf", reason=str(failure))


class _PdfData:
    """Builds the JSON, and keeps track of the notes that are already placed."""

    def __init__(self, plan: DeliveryPlan) -> None:
        self._plan = plan
        self._set: set[int] = set()

    def build_document(self, delivery: Delivery) -> dict[str, Any]:
        plan, words = self._plan, self._plan.words
        before, _, after = words("document-page-of", page="{page}", pages="{pages}").partition(
            "{page}"
        )
        return {
            "language": words.language,
            "title": plan.title,
            "project": plan.project,
            "maker": plan.maker,
            "created": list(delivery.created.astimezone(UTC).timetuple()[:6]),
            "contents": words("document-contents"),
            "page": [before, *after.split("{pages}")],
            "lines": [[label, _add_breaks(text)] for label, text in plan.lines],
            "people": self._build_block(plan.people),
            "stale": self._build_blocks(plan.stale),
            "mark": words("document-stale") if plan.stale else "",
            "parts": [self._build_part(part) for part in plan.parts],
            "notes": {str(note.number): self._build_note(note) for note in plan.notes},
        }

    def _build_part(self, part: DeliveryPart) -> dict[str, Any]:
        opening = self._build_blocks((part.heading, *part.stale))
        return {"language": part.language, "blocks": [*opening, *self._build_flow(part.blocks)]}

    def _build_flow(self, blocks: tuple[BlockNode, ...]) -> Iterator[dict[str, Any]]:
        """The blocks, with small ones kept whole and together with their headings.

        Otherwise Typst may separate a heading from its text when footnotes fill the page.
        """
        headings: list[BlockNode] = []
        for block in blocks:
            if isinstance(block, Heading):
                headings.append(block)
                continue
            if _is_small(block):
                yield {"k": "kept", "blocks": self._build_blocks((*headings, block))}
            else:
                yield from self._build_blocks((*headings, block))
            headings = []
        yield from self._build_blocks(tuple(headings))

    def _build_note(self, note: PlannedNote) -> dict[str, Any]:
        quotes = [self._build_inlines(quote) for quote in note.quotes]
        letters = sum(len(extract_text(quote)) + 60 for quote in note.quotes)
        short = letters < _SMALL_NOTE
        return {"place": self._build_inlines(note.place), "quotes": quotes, "short": short}

    def _build_blocks(self, blocks: tuple[BlockNode, ...]) -> list[Any]:
        return [self._build_block(block) for block in blocks]

    def _build_block(self, block: BlockNode) -> dict[str, Any]:
        made: dict[str, Any]
        match block:
            case Heading(level, inner, number):
                heading = {"k": "heading", "level": level, "number": number}
                made = {**heading, "inner": self._build_inlines(inner)}
            case Paragraph():
                made = {"k": "par", "inner": self._build_inlines(block.inner)}
            case ListBlock():
                items = [self._build_blocks(item) for item in block.items]
                made = {"k": "items", "start": block.start, "items": items}
            case TableBlock():
                made = self._build_table(block)
            case CodeBlock():
                made = {"k": "code", "text": _add_breaks(block.text)}
            case BlockQuote():
                made = {"k": "quote", "blocks": self._build_blocks(block.blocks)}
            case Callout():
                made = {
                    "k": "callout",
                    "title": block.title,
                    "blocks": self._build_blocks(block.blocks),
                }
            case Rule():
                made = {"k": "rule"}
        return made

    def _build_table(self, table: TableBlock) -> dict[str, Any]:
        return {
            "k": "table",
            "rows": [[self._build_inlines(cell) for cell in row] for row in table.rows],
            "aligned": list(table.aligned),
            "widths": list(table.widths or compute_column_widths(table)),
        }

    def _build_inlines(self, inner: tuple[Inline, ...]) -> list[Any]:
        return [self._build_inline(inline) for inline in inner]

    def _build_inline(self, inline: Inline) -> Any:
        match inline:
            case Text():
                return _add_breaks(inline.text)
            case Code():
                return {"k": "code", "text": _add_breaks(inline.short or inline.text)}
            case Styled():
                return {"k": inline.style, "inner": self._build_inlines(inline.inner)}
            case Link():
                return {
                    "k": "link",
                    "href": inline.href,
                    "inner": self._build_inlines(inline.inner),
                }
            case NoteMark():
                first = inline.number not in self._set
                self._set.add(inline.number)
                mark = {"k": "note", "number": str(inline.number), "first": first}
                return {**mark, "follows": inline.follows}
            case Break():
                return {"k": "break"}


def _is_small(block: BlockNode) -> bool:
    """Whether the block is a few lines that should stay together."""
    match block:
        case Paragraph(inner):
            size = len(extract_text(inner))
        case ListBlock(items):
            children = [child for item in items for child in item]
            small = len(items) <= 6 and all(isinstance(child, Paragraph) for child in children)
            texts = (
                extract_text(child.inner) for child in children if isinstance(child, Paragraph)
            )
            size = sum(map(len, texts)) if small else _SMALL_BLOCK
        case TableBlock(rows):
            letters = sum(len(extract_text(cell)) for row in rows for cell in row)
            size = letters // 2 if len(rows) <= 8 else _SMALL_BLOCK
        case _:
            size = _SMALL_BLOCK
    return size < _SMALL_BLOCK


def _add_breaks(text: str) -> str:
    """The text with invisible break points in long words."""
    return _LONG_WORD.sub(lambda match: _break_word(match[0]), text)


def _break_word(word: str) -> str:
    word = _BREAKABLE.sub("\u200b", word)
    return _UNBROKEN.sub(lambda match: f"{match[0]}\u200b", word)
