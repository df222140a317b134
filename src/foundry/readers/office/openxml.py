"""What Word and PowerPoint files share: namespaces, properties, charts and equations.

Charts become tables of their numbers, SmartArt its texts, and equations (OMML) one line of
text: ``(a+b)/c``, ``x^2``, ``√(x)``, ``∑_(i=1)^n i``. Pictures are not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from foundry.messages import Message
from foundry.readers.archive import Archive, Element, build_wrong_kind_error
from foundry.readers.document_builder import DraftBlock, draft_table
from foundry.readers.grids import build_cells
from foundry.readers.symbols import format_number, parse_integer

_FAMILIES = (
    *(("wordprocessingml", "main", "w"), ("presentationml", "main", "p")),
    ("spreadsheetml", "main", "x"),
    *(("officeDocument", "math", "m"), ("officeDocument", "relationships", "r")),
    *(("drawingml", "main", "a"), ("drawingml", "diagram", "dgm"), ("drawingml", "chart", "c")),
)
PREFIXES = {
    **{f"http://schemas.openxmlformats.org/{f}/2006/{name}": p for f, name, p in _FAMILIES},
    **{f"http://purl.oclc.org/ooxml/{f}/{name}": p for f, name, p in _FAMILIES},
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.microsoft.com/office/drawing/2010/main": "a14",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
}
"""Namespaces of Office Open XML, transitional and strict → prefix."""

CHANGES_ACCEPTED = Message("readers-changes-accepted")
HIDDEN_SKIPPED = Message("readers-hidden-text")
_FOLDERS = (
    ("word/", Message("readers-kind-word")),
    ("xl/", Message("readers-kind-excel")),
    ("ppt/", Message("readers-kind-powerpoint")),
)


def get_main_part(archive: Archive, kind: Message, usual: str) -> str:
    """Return the name of the main part. Raises ``ReadError`` for a file of another kind.

    ``usual`` is its usual name ("word/document.xml"); the folder identifies the kind.
    """
    targets = [to for name, to in archive.read_relations("").values() if name == "officeDocument"]
    for target in [*targets, usual]:
        if target in archive.names and not _find_other_kind(target, usual):
            return target
    actual = next(filter(None, (_find_other_kind(name, usual) for name in archive.names)), None)
    if "mimetype" in archive.names:
        actual = Message("readers-kind-epub-or-odf")
    raise build_wrong_kind_error(actual or Message("readers-kind-zip-other"), kind)


def read_properties(archive: Archive) -> dict[str, str]:
    """Return title, version and status in the properties of the file, and those that a person added.

    The number that Office calls revision counts how often the file was saved.
    """
    core = archive.find_properties(archive.find_related("", "core-properties"), PREFIXES)
    custom = archive.find_properties(archive.find_related("", "custom-properties"), PREFIXES)
    own = () if custom is None else custom
    found = {item.get("name", "").lower(): "".join(item.itertext()) for item in own}
    for name, path in (
        ("title", "dc.title"),
        ("version", "cp.version"),
        ("status", "cp.contentStatus"),
    ):
        found[name] = (core is not None and core.findtext(path)) or found.get(name, "")
    return found


def find_value(parent: Element | None, path: str) -> str | None:
    """Return the ``w.val`` of a child, or None."""
    child = None if parent is None else parent.find(path)
    return None if child is None else child.get("w.val")


def find_integer(text: str | None) -> int | None:
    """Parse an integer attribute; None if it is missing or malformed."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def is_on(parent: Element | None, path: str) -> bool:
    """Whether an on/off property is present and on."""
    child = None if parent is None else parent.find(path)
    return child is not None and child.get("w.val", "1") not in {"0", "false", "off"}


def choose_branch(alternatives: Element) -> list[Element]:
    """Return the content of the first choice, else of the fallback; both say the same."""
    for name in ("mc.Choice", "mc.Fallback"):
        branch = alternatives.find(name)
        if branch is not None:
            return list(branch)
    return []


def note_pictures(number: int) -> Message | None:
    """A warning about pictures that were not read, or None without any."""
    return Message("readers-pictures-left-out", number=number) if number else None


def count_pictures(archive: Archive, part: str) -> int:
    """Number of different pictures that a part shows."""
    relations = set(archive.read_relations(part).values())
    return sum(1 for kind, _ in relations if kind == "image")


class Graphics:
    """The charts and diagrams of one part (a document, a slide)."""

    def __init__(self, archive: Archive, part: str) -> None:
        self._archive = archive
        self._relations = archive.read_relations(part)

    def read_blocks(self, drawing: Element) -> Iterator[DraftBlock]:
        """Read the charts and the SmartArt of a drawing."""
        for element in drawing.iter("c.chart"):
            root = self._find(element.get("r.id", ""), "chart")
            if root is not None:
                yield from _read_chart(root)
        for element in drawing.iter("dgm.relIds"):
            root = self._find(element.get("r.dm", ""), "diagramData")
            for paragraph in [] if root is None else root.iter("a.p"):
                yield DraftBlock("paragraph", _join_words(paragraph))

    def _find(self, id_: str, kind: str) -> Element | None:
        actual, target = self._relations.get(id_, ("", ""))
        return self._archive.find_xml(target, PREFIXES) if actual == kind else None


def _find_other_kind(name: str, usual: str) -> Message | None:
    for folder, kind in _FOLDERS:
        if name.startswith(folder) and not usual.startswith(folder):
            return kind
    return None


def _read_chart(root: Element) -> Iterator[DraftBlock]:
    title = root.find("c.chart/c.title")
    if title is not None:
        yield DraftBlock("caption", _join_words(title))
    series = root.findall("c.chart/c.plotArea//c.ser")
    if not series:
        return
    # Scatter charts keep their categories as x values.
    categories = _read_points(series[0], "c.cat") or _read_points(series[0], "c.xVal")
    values = [_read_points(item, "c.val") or _read_points(item, "c.yVal") for item in series]
    header = ["", *(" ".join(_read_points(item, "c.tx").values()) for item in series)]
    indexes = sorted(set(categories).union(*values))
    rows = [[categories.get(i, ""), *(line.get(i, "") for line in values)] for i in indexes]
    yield draft_table(build_cells([header, *rows]))


def _read_points(series: Element, name: str) -> dict[int, str]:
    holder = series.find(name)
    if holder is None:
        return {}
    direct = holder.findtext("c.v")
    if direct is not None:
        return {0: direct}
    percent = any("%" in (item.text or "") for item in holder.iter("c.formatCode"))
    return {
        parse_integer(point.get("idx"), 0): _format_point(
            point.findtext("c.v") or "", percent=percent
        )
        for point in holder.iter("c.pt")
    }


def _format_point(text: str, *, percent: bool) -> str:
    try:
        value = float(text)
    except ValueError:
        return text
    return f"{format_number(value * 100)}%" if percent else format_number(value)


def _join_words(element: Element) -> str:
    return "".join(item.text or "" for item in element.iter("a.t"))


_SCRIPT_END = re.compile(r"[_^][^\W_]+$")


def read_equation(element: Element) -> str:
    """Return an ``m.oMath`` element, or any part of one, as text."""
    return " ".join(_write_sequence(element).split())


def _write_sequence(element: Element | None) -> str:
    if element is None:
        return ""
    text = ""
    for child in element:
        part = _write_part(child)
        # "x^k" and "a" must not run together into "x^ka".
        if part[:1].isalnum() and _SCRIPT_END.search(text):
            text += " "
        text += part
    return text


def _write_part(element: Element) -> str:
    tag = element.tag
    if tag == "m.r":
        return "".join(item.text or "" for item in element if item.tag in {"m.t", "w.t"})
    if tag.endswith("Pr") or tag in {"w.del", "w.moveFrom"}:
        return ""
    return _WRITERS.get(tag, _write_sequence)(element)


def _write_child(element: Element, name: str) -> str:
    return _write_sequence(element.find(name)).strip()


def _add_brackets(text: str) -> str:
    """Add brackets, unless the text is one number, one letter or in brackets already."""
    if len(text) < 2 or text.replace(".", "").replace(",", "").isdecimal():
        return text
    if text[0] == "(" and _is_closed_at_end(text):
        return text
    return f"({text})"


def _is_closed_at_end(text: str) -> bool:
    depth = 0
    for index, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0:
            return index == len(text) - 1
    return False


def _get_property(element: Element, path: str, default: str) -> str:
    child = element.find(path)
    return default if child is None else child.get("m.val", "")


def _write_fraction(element: Element) -> str:
    over, under = _write_child(element, "m.num"), _write_child(element, "m.den")
    if _get_property(element, "m.fPr/m.type", "bar") == "noBar":
        return f"{over} over {under}"
    return f"{_add_brackets(over)}/{_add_brackets(under)}"


def _write_scripts(element: Element) -> str:
    low, high = _write_child(element, "m.sub"), _write_child(element, "m.sup")
    return (f"_{_add_brackets(low)}" if low else "") + (f"^{_add_brackets(high)}" if high else "")


def _write_scripted(element: Element) -> str:
    return _add_brackets(_write_child(element, "m.e")) + _write_scripts(element)


def _write_prescripted(element: Element) -> str:
    return f"{_write_scripts(element)} {_write_child(element, 'm.e')}"


def _write_radical(element: Element) -> str:
    degree, inside = _write_child(element, "m.deg"), _write_child(element, "m.e")
    root = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"root[{degree}]")
    return f"{root}({inside})"


def _write_sum(element: Element) -> str:
    sign = _get_property(element, "m.naryPr/m.chr", "∫")
    return f"{sign}{_write_scripts(element)} {_write_child(element, 'm.e')} "


def _write_delimited(element: Element) -> str:
    left = _get_property(element, "m.dPr/m.begChr", "(")
    right = _get_property(element, "m.dPr/m.endChr", ")")
    between = _get_property(element, "m.dPr/m.sepChr", "|")
    parts = [_write_sequence(item).strip() for item in element.findall("m.e")]
    return f"{left}{between.join(parts)}{right}"


def _write_function(element: Element) -> str:
    name, argument = _write_child(element, "m.fName"), _write_child(element, "m.e")
    return f"{name}{argument}" if argument.startswith("(") else f"{name}({argument})"


def _write_lower_limit(element: Element) -> str:
    return f"{_write_child(element, 'm.e')}_{_add_brackets(_write_child(element, 'm.lim'))}"


def _write_upper_limit(element: Element) -> str:
    return f"{_write_child(element, 'm.e')}^{_add_brackets(_write_child(element, 'm.lim'))}"


def _write_accent(element: Element) -> str:
    sign = _get_property(element, "m.accPr/m.chr", "\u0302")
    inside = _write_child(element, "m.e")
    return inside + sign if len(inside) == 1 else f"({inside}){sign}"


def _write_matrix(element: Element) -> str:
    rows = (
        ", ".join(_write_sequence(cell).strip() for cell in row.findall("m.e"))
        for row in element.findall("m.mr")
    )
    return f"[{'; '.join(rows)}]"


def _write_lines(element: Element) -> str:
    return "; ".join(_write_sequence(item).strip() for item in element.findall("m.e"))


_WRITERS: dict[str, Callable[[Element], str]] = {
    "m.f": _write_fraction,
    "m.sSub": _write_scripted,
    "m.sSup": _write_scripted,
    "m.sSubSup": _write_scripted,
    "m.sPre": _write_prescripted,
    "m.rad": _write_radical,
    "m.nary": _write_sum,
    "m.d": _write_delimited,
    "m.func": _write_function,
    "m.limLow": _write_lower_limit,
    "m.limUpp": _write_upper_limit,
    "m.acc": _write_accent,
    "m.m": _write_matrix,
    "m.eqArr": _write_lines,
}


# Names of paragraph styles, which RTF and OpenDocument share. Built-in styles have English names in
# every language of Word; other programs name heading styles in the user's language.

Role = Literal["title", "caption", "code", "contents", "body"]

MAX_CHAIN = 32
"""Longest chain of styles that inherit, against loops in damaged files."""
_HEADING = re.compile(
    r"(?:heading|kop|überschrift|titre|título|titolo|rubrik|overskrift|nagłówek|otsikko)\s?([1-9])"
)
_CONTENTS = re.compile(r"(?:toc|inhopg|index)\s?\d|toc heading|table of (?:figures|authorities)")
_CODE = re.compile(
    r"\b(?:source ?(?:code|text)|code(?: (?:block|listing))?|(?:html )?preformatted(?: text)?|macro(?: text)?"
    r"|verbatim|broncode)\b"
)
_ROLES: dict[str, Role] = {
    "title": "title",
    **dict.fromkeys(("caption", "illustration", "figure", "table", "drawing"), "caption"),
}
_BODY_LEVEL = 9


def find_role(name: str) -> Role:
    """The kind of text that a style is for; "body" if its name does not say."""
    plain = name.strip("; ").lower()
    if _CONTENTS.fullmatch(plain):
        return "contents"
    return _ROLES.get(plain, "code" if _CODE.search(plain) else "body")


def find_level(name: str) -> int | None:
    """The level of a heading style, from 1."""
    heading = _HEADING.fullmatch(name.strip("; ").lower())
    return int(heading[1]) if heading else None


def convert_outline_level(outline: int) -> int | None:
    """An outline level from 0 as a heading level from 1; None for body text."""
    return outline + 1 if 0 <= outline < _BODY_LEVEL else None
