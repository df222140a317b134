"""Reads presentations (PPTX): each slide a section with its number as page.

The XML parts are read directly, as for Word: it keeps groups, tables, charts, SmartArt,
equations and notes in one pass, and takes positions from the layout where a slide has
none. Footers, dates, slide numbers, comments and what stands on masters are left out;
pictures are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from foundry.ports import ReadOptions
from foundry.readers.archive import Archive
from foundry.readers.building import DocumentBuilder
from foundry.readers.counting import read_integer
from foundry.readers.openxml import PREFIXES, Graphics, find_property_title, get_main_part
from foundry.readers.pieces import Piece, add_pieces, first_heading, revision_in
from foundry.readers.pptx_shapes import SlideShapes, placeholder_of
from foundry.readers.pptx_text import frame_lines
from foundry.readers.titles import choose_title
from foundry.records import Document

_KIND = "a PowerPoint presentation"


def read_pptx(path: Path, options: ReadOptions) -> Document:
    """Read a PPTX; raises ``ReadError`` when it is none, is locked or has no text."""
    with Archive(path, _KIND) as archive:
        deck = _Deck(archive)
        builder = DocumentBuilder("pptx")
        start: list[Piece] = []
        empty: list[str] = []
        for number, part in enumerate(deck.slides, 1):
            label = str(deck.first_number + number - 1)
            pieces = deck.read_slide(part, label)
            if pieces:
                start += pieces if len(start) < 60 else []
                add_pieces(builder, pieces, page=number, page_label=label)
            else:
                empty.append(label)
        _warn(builder, deck, empty)
        title = choose_title(
            (find_property_title(archive), first_heading(start)), Path(options.name)
        )
    return builder.build(
        title,
        len(deck.slides),
        *revision_in(start),
        reason="There is no text on these slides.",
        fix="Export the presentation as a PDF, and install Tesseract to have pictures read.",
    )


def _warn(builder: DocumentBuilder, deck: _Deck, empty: list[str]) -> None:
    if deck.hidden:
        numbers = ", ".join(deck.hidden)
        builder.warn(f"Hidden in the show, but read: {_slides(deck.hidden)} {numbers}.")
    if empty:
        builder.warn(f"Without text: {_slides(empty)} {', '.join(empty)} (pictures are not read).")


def _slides(numbers: list[str]) -> str:
    return "slide" if len(numbers) == 1 else "slides"


class _Deck:
    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        main = get_main_part(archive, _KIND, "ppt/presentation.xml")
        root = archive.get_xml(main, PREFIXES)
        relations = archive.relations(main)
        ids = [item.get("r.id", "") for item in root.findall("p.sldIdLst/p.sldId")]
        targets = [relations[id_][1] for id_ in ids if id_ in relations]
        self.slides = [target for target in targets if target in archive.names]
        self.first_number = read_integer(root.get("firstSlideNum"), 1)
        self.hidden: list[str] = []
        self._layouts: dict[str, SlideShapes] = {}

    def read_slide(self, part: str, label: str) -> list[Piece]:
        """A slide's pieces, its title first; none if nothing stands on it."""
        root = self._archive.get_xml(part, PREFIXES)
        if root.get("show") in {"0", "false"}:
            self.hidden.append(label)
        shapes = SlideShapes(root, self._layout(part))
        title = " ".join(" ".join(frame_lines(shapes.title)).split()) if shapes.title else ""
        graphics = Graphics(self._archive, part)
        pieces = [piece for shape in shapes.in_order() for piece in shapes.pieces(shape, graphics)]
        pieces = [piece for piece in pieces if piece.text.strip()]
        pieces += self._notes(part)
        if not title and not pieces:
            return []
        # Without a heading of its own, a slide would seem to belong to the one before it.
        return [Piece("heading", title or f"Slide {label}", 1), *pieces]

    def _notes(self, part: str) -> Iterator[Piece]:
        target = self._archive.related(part, "notesSlide")
        root = self._archive.find_xml(target, PREFIXES) if target else None
        for shape in [] if root is None else root.iter("p.sp"):
            if placeholder_of(shape).kind == "body":
                text = "\n".join(line for line in frame_lines(shape) if line.strip())
                if text:
                    yield Piece("paragraph", f"Speaker notes: {text}")

    def _layout(self, part: str) -> SlideShapes | None:
        layout = self._archive.related(part, "slideLayout")
        if layout is None or layout not in self._archive.names:
            return None
        if layout not in self._layouts:
            master = self._archive.related(layout, "slideMaster")
            above = self._archive.find_xml(master, PREFIXES) if master else None
            root = self._archive.get_xml(layout, PREFIXES)
            below = None if above is None else SlideShapes(above, None)
            self._layouts[layout] = SlideShapes(root, below)
        return self._layouts[layout]
