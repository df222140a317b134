"""Parses the replies of page services into parts in reading order, with their places on the page.

The formats are those of docling-serve (a ``DoclingDocument``) and MinerU (``content_list``, or
``structured_content``). Replies are not trusted: unexpected content is skipped or makes the reply
invalid. Descriptions of pictures are skipped, since they are not printed on the page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from foundry.errors import ReadError
from foundry.readers.document_builder import DraftBlock
from foundry.readers.grids import GridCell
from foundry.readers.pdf.blocks import PageBlock
from foundry.readers.pdf.headings import PdfPart
from foundry.readers.pdf.tables.cells import PageTable
from foundry.readers.pdf.views import PageView
from foundry.readers.web.html import read_page
from foundry.readers.web.markdown import render_page
from foundry.records import BlockKind, Box

_MOST_PARTS = 2000
"""Limit on the parts of a page, against hostile replies; a dense page has 200."""
_MOST_CELLS = 20_000
"""Limit on the cells of a table, counting a merged one for each place that it covers."""
_LEAST_SIDE = 1.0
_FURNITURE = ("header", "footer", "page_number", "aside_text", "page_header", "page_footer")
_DONE = ("success", "partial_success", "completed", "partial")


@dataclass(frozen=True, slots=True)
class OutsidePage:
    """A page sent to a service: its number, and its size and rotation as displayed."""

    number: int
    width: float
    height: float
    rotation: int = 0

    @property
    def box(self) -> Box:
        """All of it."""
        return Box(0.0, 0.0, self.width, self.height)

    def place(self, box: tuple[float, float, float, float], size: tuple[float, float]) -> Box:
        """Convert a box, measured from the bottom left of a page of ``size``, to this page.

        A size with its sides swapped is that of the page before rotation. The box is clipped to the
        page; if nothing is left of it, the whole page is returned.
        """
        wide = size[0] > size[1]
        turned = self.rotation % 2 == 1 and wide != (self.width > self.height)
        view = PageView(0.0, 0.0, *size, self.rotation if turned else 0)
        shown, (width, height) = view.show_box(*box), view.size
        across, down = self.width / width, self.height / height
        x0, x1 = (min(max(x * across, 0.0), self.width) for x in (shown.x0, shown.x1))
        y0, y1 = (min(max(y * down, 0.0), self.height) for y in (shown.y0, shown.y1))
        if x1 - x0 < _LEAST_SIDE or y1 - y0 < _LEAST_SIDE:
            return self.box
        return Box(x0, y0, x1, y1)


@dataclass(slots=True)
class OutsideReply:
    """The parts of a page; ``furniture`` are headers and footers, ``strays`` counts items of other pages."""

    parts: list[PdfPart]
    furniture: list[PageBlock]
    strays: int = 0


def read_reply(kind: str, reply: object, page: OutsidePage) -> OutsideReply:
    """Parse the reply for a page. Raises ``ReadError`` if its format is not as expected."""
    read = _DoclingReply if kind == "docling" else _MineruReply
    try:
        return read(page).read(reply)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, IndexError) as error:
        raise ReadError("outside-reply-shape", service=kind, cause=repr(error)[:100]) from error


class _Collector:
    def __init__(self, page: OutsidePage) -> None:
        self.page = page
        self.found = OutsideReply([], [])

    def add(self, kind: BlockKind, text: str, box: Box, level: int | None = None) -> None:
        words = text.strip()
        if len(self.found.parts) >= _MOST_PARTS:
            raise ValueError("too many parts")
        if words:
            block = PageBlock(kind, words, self.page.number, box)
            self.found.parts.append(PdfPart(block, level))

    def add_table(self, cells: list[GridCell], box: Box) -> None:
        if sum(cell.row_span * cell.column_span for cell in cells) > _MOST_CELLS:
            raise ValueError("table too large")
        if any(not 0 <= at < _MOST_CELLS for cell in cells for at in (cell.row, cell.column)):
            raise ValueError("cell outside its table")
        rows: dict[int, list[str]] = {}
        for cell in cells:
            rows.setdefault(cell.row, []).append(cell.text)
        text = "\n".join(" | ".join(row) for row in rows.values())
        if any(cell.text.strip() for cell in cells):
            table = PageTable(cells, box, [], 0)
            block = PageBlock("table", text, self.page.number, box, table=table)
            self.found.parts.append(PdfPart(block))

    def add_furniture(self, text: str, box: Box) -> None:
        self.found.furniture.append(PageBlock("paragraph", text, self.page.number, box))


class _DoclingReply(_Collector):
    """A reply of docling-serve: items by reference from the body, in reading order."""

    def read(self, reply: Any) -> OutsideReply:
        if reply.get("status") not in _DONE:
            failure: Any = reply.get("failure") or next(iter(reply.get("errors") or ()), {})
            said = failure.get("message") or failure.get("error_message") or reply.get("kind")
            raise ReadError("outside-page-failed", cause=str(said or reply["status"])[:200])
        self.document: Mapping[str, Any] = reply["document"]["json_content"]
        size = self.document["pages"]["1"]["size"]
        self.size = (_read_number(size["width"]), _read_number(size["height"]))
        for item in self._list_items():
            self._read_item(item)
        return self.found

    def _list_items(self) -> Iterator[Mapping[str, Any]]:
        waiting = [self.document["body"]]
        seen: set[str] = set()
        while waiting:
            item = waiting.pop()
            yield item
            for place in ("children", "captions", "footnotes"):
                references = [part["$ref"] for part in item.get(place) or () if "$ref" in part]
                new = [ref for ref in references if ref not in seen]
                seen.update(new)
                waiting += [self._find(reference) for reference in reversed(new)]
        # What is in the margins is referred to from nowhere.
        for name in self.document.get("texts") or ():
            if name.get("content_layer") == "furniture" and name.get("self_ref") not in seen:
                yield name

    def _find(self, reference: str) -> Mapping[str, Any]:
        _, name, number = reference.split("/")
        found: Mapping[str, Any] = self.document[name][int(number)]
        return found

    def _read_item(self, item: Mapping[str, Any]) -> None:
        label, text = item.get("label", ""), str(item.get("text") or "")
        place = next(iter(item.get("prov") or ()), None)
        if place is not None and place["page_no"] != 1:
            self.found.strays += 1
            return
        box = self._place(place["bbox"]) if place else self.page.box
        if label in _FURNITURE or item.get("content_layer") == "furniture":
            self.add_furniture(text, box)
        elif label in {"title", "section_header"}:
            # The title is above all sections.
            self.add("heading", text, box, 1 if label == "title" else 1 + int(item["level"]))
        elif label == "list_item":
            marker = str(item.get("marker") or "-").strip()
            self.add("list_item", f"{marker} {text}", box)
        elif label in {"caption", "code"}:
            self.add(label, text, box)
        elif "data" in item:
            self.add_table(_read_cells(item["data"]), box)
        elif label in {"picture", "chart"}:
            chart = (item.get("meta") or {}).get("tabular_chart")
            if chart:
                self.add_table(_read_cells(chart["chart_data"]), box)
        else:
            self.add("paragraph", text, box)

    def _place(self, box: Mapping[str, Any]) -> Box:
        left, top, right, bottom = (_read_number(box[side]) for side in "ltrb")
        if box.get("coord_origin", "TOPLEFT") == "TOPLEFT":
            top, bottom = self.size[1] - top, self.size[1] - bottom
        return self.page.place((left, bottom, right, top), self.size)


def _read_cells(data: Mapping[str, Any]) -> list[GridCell]:
    return [
        GridCell(
            str(cell["text"]),
            row := int(cell["start_row_offset_idx"]),
            column := int(cell["start_col_offset_idx"]),
            max(1, int(cell["end_row_offset_idx"]) - row),
            max(1, int(cell["end_col_offset_idx"]) - column),
            header=True if cell.get("column_header") else None,
        )
        for cell in data["table_cells"]
    ]


class _MineruReply(_Collector):
    """A reply of MinerU 3, or of MinerU 4; their texts are Markdown, their tables HTML."""

    def read(self, reply: Any) -> OutsideReply:
        for item in _list_old(reply) if "results" in reply else _list_new(reply):
            self._read_item(item)
        return self.found

    def _read_item(self, item: Mapping[str, Any]) -> None:
        kind = item["type"]
        if item["page_idx"] != 0:
            self.found.strays += 1
            return
        box = self._place(item.get("bbox"))
        if kind in _FURNITURE:
            self.add_furniture(_read_text(item), box)
            return
        level = item.get("text_level") or {"doc_title": 1}.get(kind)
        level = level or (item.get("level", 2) if kind == "paragraph_title" else 0)
        for caption in _list_notes(item, "caption"):
            self.add("caption", caption, box)
        # What a model says of an image is not on it; an image has captions only.
        body = "" if kind == "image" else _read_text(item)
        if kind == "code" or level:
            self.add("heading" if level else "code", _strip_fence(body), box, int(level) or None)
        else:
            for block in read_page(render_page(body)[0], whole=True).blocks:
                self._add_draft(block, box)
        for note in _list_notes(item, "footnote"):
            self.add("paragraph", note, box)

    def _add_draft(self, block: DraftBlock, box: Box) -> None:
        if block.grid is not None:
            self.add_table([cell for row in block.grid.rows for cell in row], box)
        else:
            self.add("paragraph" if block.kind == "heading" else block.kind, block.text, box)

    def _place(self, box: Any) -> Box:
        if not box:
            return self.page.box
        left, top, right, bottom = map(_read_number, box)
        # MinerU 3 counts in thousandths of the page, and MinerU 4 in pages.
        size = 1.0 if max(left, top, right, bottom) <= 1.0 else 1000.0
        return self.page.place((left, size - bottom, right, size - top), (size, size))


def _list_old(reply: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    (result,) = reply["results"].values()
    listed: list[Mapping[str, Any]] = json.loads(result["content_list"])
    return listed


def _list_new(reply: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    (file,) = reply["files"]
    if reply["status"] not in _DONE:
        error = file.get("error") or {}
        raise ReadError("outside-page-failed", cause=str(error.get("message"))[:200])
    for page in file["content"]["structured_content"]["pages"]:
        for block in page["blocks"]:
            yield {**block, "page_idx": page["page_idx"]}


def _read_text(item: Mapping[str, Any]) -> str:
    parts = [item.get(name) for name in ("text", "content", "table_body", "code_body")]
    items = item.get("list_items") or ()
    return "\n\n".join(str(part) for part in (*parts, *items) if part)


def _list_notes(item: Mapping[str, Any], name: str) -> list[str]:
    """The captions or footnotes of a table, chart, image or code."""
    listed = item.get(f"{item['type']}_{name}") or item.get(f"{name}s") or ()
    return [str(one["content"] if isinstance(one, Mapping) else one) for one in listed]


def _strip_fence(text: str) -> str:
    lines = text.strip().split("\n")
    return "\n".join(lines[1:-1]) if lines[0].startswith("```") else text


def _read_number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number) or abs(number) > 1e6:
        raise ValueError("number")
    return number
