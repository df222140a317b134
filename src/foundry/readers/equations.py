"""Office equations (OMML) as text on one line: ``(a+b)/c``, ``x^2``, ``√(x)``, ``∑_(i=1)^n i``.

Reads structure only; it does not judge whether the mathematics makes sense.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from foundry.readers.archive import Element

_SCRIPT_END = re.compile(r"[_^][^\W_]+$")
_PROPERTIES = "Pr"


def read_equation(element: Element) -> str:
    """The text of an ``m.oMath`` (or any part of one), element names with the prefix ``m.``."""
    return " ".join(_sequence(element).split())


def _sequence(element: Element | None) -> str:
    if element is None:
        return ""
    text = ""
    for child in element:
        part = _part(child)
        # "x^k" and "a" must not run together into "x^ka".
        if part[:1].isalnum() and _SCRIPT_END.search(text):
            text += " "
        text += part
    return text


def _part(element: Element) -> str:
    tag = element.tag
    if tag == "m.r":
        return "".join(item.text or "" for item in element if item.tag in {"m.t", "w.t"})
    if tag.endswith(_PROPERTIES) or tag in {"w.del", "w.moveFrom"}:
        return ""
    write = _WRITERS.get(tag, _sequence)
    return write(element)


def _inner(element: Element, name: str) -> str:
    return _sequence(element.find(name)).strip()


def _grouped(text: str) -> str:
    """In brackets, unless it is one number, one letter or already in brackets."""
    if len(text) < 2 or text.replace(".", "").replace(",", "").isdecimal():
        return text
    if text[0] == "(" and _closes_at_end(text):
        return text
    return f"({text})"


def _closes_at_end(text: str) -> bool:
    depth = 0
    for place, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0:
            return place == len(text) - 1
    return False


def _property(element: Element, path: str, default: str) -> str:
    found = element.find(path)
    return default if found is None else found.get("m.val", "")


def _fraction(element: Element) -> str:
    over, under = _inner(element, "m.num"), _inner(element, "m.den")
    if _property(element, "m.fPr/m.type", "bar") == "noBar":
        return f"{over} over {under}"
    return f"{_grouped(over)}/{_grouped(under)}"


def _scripts(element: Element) -> str:
    low, high = _inner(element, "m.sub"), _inner(element, "m.sup")
    return (f"_{_grouped(low)}" if low else "") + (f"^{_grouped(high)}" if high else "")


def _scripted(element: Element) -> str:
    return _grouped(_inner(element, "m.e")) + _scripts(element)


def _prescripted(element: Element) -> str:
    return f"{_scripts(element)} {_inner(element, 'm.e')}"


def _radical(element: Element) -> str:
    degree, inside = _inner(element, "m.deg"), _inner(element, "m.e")
    root = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"root[{degree}]")
    return f"{root}({inside})"


def _sum(element: Element) -> str:
    sign = _property(element, "m.naryPr/m.chr", "∫")
    return f"{sign}{_scripts(element)} {_inner(element, 'm.e')} "


def _delimited(element: Element) -> str:
    left = _property(element, "m.dPr/m.begChr", "(")
    right = _property(element, "m.dPr/m.endChr", ")")
    between = _property(element, "m.dPr/m.sepChr", "|")
    parts = [_sequence(item).strip() for item in element.findall("m.e")]
    return f"{left}{between.join(parts)}{right}"


def _function(element: Element) -> str:
    name, argument = _inner(element, "m.fName"), _inner(element, "m.e")
    return f"{name}{argument}" if argument.startswith("(") else f"{name}({argument})"


def _lower_limit(element: Element) -> str:
    return f"{_inner(element, 'm.e')}_{_grouped(_inner(element, 'm.lim'))}"


def _upper_limit(element: Element) -> str:
    return f"{_inner(element, 'm.e')}^{_grouped(_inner(element, 'm.lim'))}"


def _accent(element: Element) -> str:
    sign = _property(element, "m.accPr/m.chr", "\u0302")
    inside = _inner(element, "m.e")
    return inside + sign if len(inside) == 1 else f"({inside}){sign}"


def _matrix(element: Element) -> str:
    rows = (
        ", ".join(_sequence(cell).strip() for cell in row.findall("m.e"))
        for row in element.findall("m.mr")
    )
    return f"[{'; '.join(rows)}]"


def _lines(element: Element) -> str:
    return "; ".join(_sequence(item).strip() for item in element.findall("m.e"))


_WRITERS: dict[str, Callable[[Element], str]] = {
    "m.f": _fraction,
    "m.sSub": _scripted,
    "m.sSup": _scripted,
    "m.sSubSup": _scripted,
    "m.sPre": _prescripted,
    "m.rad": _radical,
    "m.nary": _sum,
    "m.d": _delimited,
    "m.func": _function,
    "m.limLow": _lower_limit,
    "m.limUpp": _upper_limit,
    "m.acc": _accent,
    "m.m": _matrix,
    "m.eqArr": _lines,
}
