"""The text of a shape on a slide: paragraphs, bullets and automatic numbers.

Placeholders for body text have bullets by default; other text has them where it says
so. The style of bullets on masters is not looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from foundry.readers.archive import Element
from foundry.readers.counting import read_integer, write_counter
from foundry.readers.equations import read_equation
from foundry.readers.pieces import Piece
from foundry.readers.symbols import raise_digits, read_in_font

_BODIES = ("p.txBody", "a.txBody")
_NUMBER_FORMS = {
    "arabic": "decimal",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
}
_NUMBER_STYLE = re.compile(
    r"(arabic|romanLc|romanUc|alphaLc|alphaUc)(Period|ParenR|ParenBoth|Plain)"
)
_AROUND = {"Period": ("", "."), "ParenR": ("", ")"), "ParenBoth": ("(", ")"), "Plain": ("", "")}


def frame_lines(shape: Element) -> list[str]:
    """The paragraphs of a shape or table cell, without bullets."""
    return [_words(paragraph) for paragraph in _paragraphs(shape)]


def frame_pieces(shape: Element, *, bulleted: bool) -> Iterator[Piece]:
    """The paragraphs of a shape; ``bulleted`` if its text has bullets unless it says not."""
    paragraphs = [item for item in _paragraphs(shape) if _words(item).strip()]
    counts: dict[int, int] = {}
    for paragraph in paragraphs:
        text = _words(paragraph)
        marker = _marker(paragraph, counts, bulleted=bulleted and len(paragraphs) > 1)
        yield Piece("list_item", f"{marker} {text}") if marker else Piece("paragraph", text)


def _paragraphs(shape: Element) -> list[Element]:
    for name in _BODIES:
        body = shape.find(name)
        if body is not None:
            return body.findall("a.p")
    return []


def _marker(paragraph: Element, counts: dict[int, int], *, bulleted: bool) -> str | None:
    properties = paragraph.find("a.pPr")
    level = 0 if properties is None else read_integer(properties.get("lvl"), 0)
    for deeper in [key for key in counts if key > level]:
        del counts[deeper]
    automatic = None if properties is None else properties.find("a.buAutoNum")
    if automatic is not None:
        count = counts.get(level, read_integer(automatic.get("startAt"), 1) - 1) + 1
        counts[level] = count
        return _number(automatic.get("type", ""), count)
    counts.pop(level, None)
    if properties is not None:
        if properties.find("a.buNone") is not None:
            return None
        bulleted = bulleted or properties.find("a.buChar") is not None
    return "•" if bulleted else None


def _number(style: str, count: int) -> str:
    match = _NUMBER_STYLE.fullmatch(style)
    written = write_counter(count, _NUMBER_FORMS[match[1]]) if match else None
    if match is None or written is None:
        return "•"
    before, after = _AROUND[match[2]]
    return f"{before}{written}{after}"


def _words(paragraph: Element) -> str:
    parts: list[str] = []
    for child in paragraph:
        if child.tag in {"a.r", "a.fld"}:
            parts.append(_run(child))
        elif child.tag == "a.br":
            parts.append("\n")
        elif child.tag in {"a14.m", "mc.AlternateContent"}:
            choice = child.find("mc.Choice") if child.tag != "a14.m" else child
            parts += [
                f" {read_equation(item)} "
                for item in (child if choice is None else choice).iter("m.oMath")
            ]
    return "".join(parts).replace("\x0b", "\n")


def _run(run: Element) -> str:
    properties = run.find("a.rPr")
    text = run.findtext("a.t") or ""
    if properties is None:
        return text
    font = properties.find("a.latin")
    text = read_in_font(text, None if font is None else font.get("typeface"))
    return raise_digits(text) if read_integer(properties.get("baseline"), 0) > 0 else text
