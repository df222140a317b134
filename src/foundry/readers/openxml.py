"""What Word and PowerPoint files share: name spaces, the main part, the title, graphics.

Charts become tables of the numbers they show, and SmartArt its texts. Pictures are
not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from foundry.errors import ReadError
from foundry.readers.archive import Archive, Element
from foundry.readers.counting import read_integer, write_number
from foundry.readers.pieces import Piece, write_table

_USUAL = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
PREFIXES = {
    f"{_USUAL}/wordprocessingml/2006/main": "w",
    f"{_STRICT}/wordprocessingml/main": "w",
    f"{_USUAL}/presentationml/2006/main": "p",
    f"{_STRICT}/presentationml/main": "p",
    f"{_USUAL}/officeDocument/2006/math": "m",
    f"{_STRICT}/officeDocument/math": "m",
    f"{_USUAL}/officeDocument/2006/relationships": "r",
    f"{_STRICT}/officeDocument/relationships": "r",
    f"{_USUAL}/drawingml/2006/main": "a",
    f"{_STRICT}/drawingml/main": "a",
    f"{_USUAL}/drawingml/2006/diagram": "dgm",
    f"{_STRICT}/drawingml/diagram": "dgm",
    f"{_USUAL}/drawingml/2006/chart": "c",
    f"{_STRICT}/drawingml/chart": "c",
    f"{_USUAL}/markup-compatibility/2006": "mc",
    "http://schemas.microsoft.com/office/drawing/2010/main": "a14",
    "http://purl.org/dc/elements/1.1/": "dc",
}
"""Name spaces of Office Open XML, in its usual and its strict form → prefix."""

_FOLDERS = (
    ("word/", "a Word document"),
    ("xl/", "an Excel workbook"),
    ("ppt/", "a PowerPoint presentation"),
)


def get_main_part(archive: Archive, kind: str, usual: str) -> str:
    """The name of the main part. Raises ``ReadError`` for an Office file of another kind.

    ``usual`` is where it nearly always is ("word/document.xml"); its folder tells the kind.
    """
    targets = [to for name, to in archive.relations("").values() if name == "officeDocument"]
    for target in [*targets, usual]:
        if target in archive.names and not _other_kind(target, usual):
            return target
    found = next(filter(None, (_other_kind(name, usual) for name in archive.names)), None)
    if "mimetype" in archive.names:
        found = "an EPUB or OpenDocument file"
    raise ReadError(
        f"This is {found or 'a zip file of another kind'}, not {kind}.",
        fix="Give the file the extension of what it is.",
    )


def find_property_title(archive: Archive) -> str | None:
    """The title in the file's properties, or None."""
    part = archive.related("", "core-properties")
    try:
        root = archive.find_xml(part, PREFIXES) if part else None
    except ReadError:
        # A broken title is no reason to lose the text.
        return None
    return None if root is None else root.findtext("dc.title")


def chosen(alternatives: Element) -> list[Element]:
    """The content of the first choice, else of the fallback: the two say the same twice."""
    for name in ("mc.Choice", "mc.Fallback"):
        branch = alternatives.find(name)
        if branch is not None:
            return list(branch)
    return []


class Graphics:
    """The charts and diagrams that one part (a document, a slide) shows."""

    def __init__(self, archive: Archive, part: str) -> None:
        self._archive = archive
        self._relations = archive.relations(part)

    def pieces(self, drawing: Element) -> Iterator[Piece]:
        """What a drawing's charts and SmartArt say."""
        for element in drawing.iter("c.chart"):
            root = self._find(element.get("r.id", ""), "chart")
            if root is not None:
                yield from _chart(root)
        for element in drawing.iter("dgm.relIds"):
            root = self._find(element.get("r.dm", ""), "diagramData")
            for paragraph in [] if root is None else root.iter("a.p"):
                yield Piece("paragraph", _words(paragraph))

    def _find(self, id_: str, kind: str) -> Element | None:
        found, target = self._relations.get(id_, ("", ""))
        return self._archive.find_xml(target, PREFIXES) if found == kind else None


def _other_kind(name: str, usual: str) -> str | None:
    for folder, kind in _FOLDERS:
        if name.startswith(folder) and not usual.startswith(folder):
            return kind
    return None


def _chart(root: Element) -> Iterator[Piece]:
    title = root.find("c.chart/c.title")
    if title is not None:
        yield Piece("caption", _words(title))
    series = root.findall("c.chart/c.plotArea//c.ser")
    if not series:
        return
    # Scatter charts keep their categories as x values.
    categories = _points(series[0], "c.cat") or _points(series[0], "c.xVal")
    values = [_points(item, "c.val") or _points(item, "c.yVal") for item in series]
    header = ["", *(" ".join(_points(item, "c.tx").values()) for item in series)]
    places = sorted(set(categories).union(*values))
    rows = [[categories.get(at, ""), *(line.get(at, "") for line in values)] for at in places]
    yield Piece("table", write_table([header, *rows]))


def _points(series: Element, name: str) -> dict[int, str]:
    holder = series.find(name)
    if holder is None:
        return {}
    direct = holder.findtext("c.v")
    if direct is not None:
        return {0: direct}
    percent = any("%" in (item.text or "") for item in holder.iter("c.formatCode"))
    found: dict[int, str] = {}
    for point in holder.iter("c.pt"):
        text = point.findtext("c.v") or ""
        found[read_integer(point.get("idx"), 0)] = _shown(text, percent=percent)
    return found


def _shown(text: str, *, percent: bool) -> str:
    try:
        value = float(text)
    except ValueError:
        return text
    return f"{write_number(value * 100)}%" if percent else write_number(value)


def _words(element: Element) -> str:
    return "".join(item.text or "" for item in element.iter("a.t"))
