"""The look of the Word file: styles, theme and page layout, taken from a template.

The template is Foundry's own ``template.docx`` or a Word file of the project
(``output.docx_template``). Styles are matched by name, so a template made in Word in any
language works; a style that it lacks comes from Foundry's own. Nothing else is taken: text,
header and footer are the document's, because they carry its page numbers and warnings.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

from foundry.errors import ConfigError
from foundry.messages import Message, Parameter

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_W = f"{{{_MAIN}}}"
_THEME = "word/theme/theme1.xml"
_MAX_PART_BYTES = 20_000_000
"""Far above any real style sheet; a part that unpacks to more is an attack or an accident."""
_MIN_TEXT_WIDTH = 2880
"""Twentieths of a point (5 cm): on anything narrower the tables could not be read."""

_REFERENCES = frozenset(f"{_W}{name}" for name in ("basedOn", "next", "link"))
_BEFORE_TABS = frozenset(
    f"{_W}{name}"
    for name in (
        *("pStyle", "keepNext", "keepLines", "pageBreakBefore", "framePr", "widowControl"),
        *("numPr", "suppressLineNumbers", "pBdr", "shd"),
    )
)
"""Properties of a paragraph that the schema wants before its tabs."""

ET.register_namespace("w", _MAIN)


class TemplateInvalid(ValueError):
    """What makes a file unusable as a template: ``reason``."""

    def __init__(self, code: str, **params: Parameter) -> None:
        self.reason = Message(code, **params)
        super().__init__(self.reason)


@dataclass(frozen=True, slots=True)
class DocxTemplate:
    """What a document takes from its template.

    ``styles`` is a whole ``styles.xml``, ``theme`` the bytes of the theme or None, ``page`` the
    XML of paper size and margins, ``text_width`` the twentieths of a point between the margins.
    """

    styles: str
    theme: bytes | None
    page: str
    text_width: int


def load_template(root: Path, name: str) -> bytes:
    """The Word file at ``name`` inside the project ``root``.

    Raises ``ConfigError`` when it lies outside the project, cannot be read or is not a Word file.
    """
    path = (root / name).resolve()
    if not path.is_relative_to(root.resolve()):
        raise _reject("export-template-outside", name)
    try:
        data = path.read_bytes()
        read_template(data, "en-GB")
    except OSError as error:
        cause = str(error.strerror or error)
        raise _reject("export-template-unreadable", name, cause) from error
    except (ValueError, RecursionError) as error:
        reason = error.reason if isinstance(error, TemplateInvalid) else str(error)
        raise _reject("export-template-invalid", name, reason) from error
    return data


def _reject(code: str, name: str, reason: Message | str = "") -> ConfigError:
    where = "foundry.yaml: output.docx_template"
    return ConfigError(code, where=where, name=name, reason=reason)


def read_template(data: bytes | None, language: str) -> DocxTemplate:
    """The look in a Word file, or in Foundry's own where ``data`` is None.

    ``language`` is that of the document ("en-GB"). Raises ``TemplateInvalid`` for anything but a
    Word file.
    """
    own = files("foundry.render.delivery").joinpath("template.docx").read_bytes()
    own_styles, own_document, _ = _read_parts(own)
    styles, document, theme = _read_parts(own if data is None else data)
    _adopt_names(styles, own_styles)
    page, text_width = _read_page(document) or _read_page(own_document) or ("", 0)
    _prepare_styles(styles, language, text_width)
    return DocxTemplate(ET.tostring(styles, encoding="unicode"), theme, page, text_width)


def _read_parts(data: bytes) -> tuple[ET.Element, ET.Element, bytes | None]:
    """The styles, the document and the theme of a Word file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            styles = _parse(_read_part(archive, "word/styles.xml"), "styles")
            document = _parse(_read_part(archive, "word/document.xml"), "document")
            theme = _read_part(archive, _THEME) if _THEME in archive.namelist() else None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
        raise TemplateInvalid("export-template-damaged") from error
    except KeyError as error:
        raise TemplateInvalid("export-template-no-styles") from error
    # Pictures in a theme live in other parts, which the document does not take.
    return styles, document, None if theme and b"r:embed" in theme else theme


def _read_part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as part:
        data = part.read(_MAX_PART_BYTES + 1)
    if len(data) > _MAX_PART_BYTES:
        raise TemplateInvalid("export-template-too-large", part=name)
    return data


def _parse(data: bytes, name: str) -> ET.Element:
    # UTF-16, which would hide a declaration from this search, contains zero bytes.
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\0" in data:
        raise TemplateInvalid("export-template-entities")
    try:
        root = ET.fromstring(data)  # noqa: S314 - declarations are refused above
    except (ET.ParseError, LookupError) as error:
        raise TemplateInvalid("export-template-broken") from error
    if root.tag != f"{_W}{name}":
        raise TemplateInvalid("export-template-other")
    _remove_extensions(root)
    return root


def _remove_extensions(root: ET.Element) -> None:
    """Leave out what newer versions of Word added: it needs declarations that are not kept."""
    for element in list(root.iter()):
        for name in [name for name in element.attrib if not name.startswith(_W)]:
            del element.attrib[name]
        for child in [child for child in element if not str(child.tag).startswith(_W)]:
            element.remove(child)


def _adopt_names(styles: ET.Element, own: ET.Element) -> None:
    """Give the template's styles the ids that the document uses, and add those it lacks."""
    wanted = {_find_key(style): style for style in own.iter(f"{_W}style")}
    own_ids = {style.get(f"{_W}styleId") for style in wanted.values()}
    new_ids: dict[str, str] = {}
    present: set[tuple[str, str]] = set()
    for style in styles.iter(f"{_W}style"):
        key, old = _find_key(style), style.get(f"{_W}styleId", "")
        if key in wanted and key not in present:
            present.add(key)
            new_ids[old] = wanted[key].get(f"{_W}styleId", "")
        elif old in own_ids:
            new_ids[old] = f"{old}Template"
    for style in styles.iter(f"{_W}style"):
        old = style.get(f"{_W}styleId", "")
        style.set(f"{_W}styleId", new_ids.get(old, old))
        for reference in (part for part in style if part.tag in _REFERENCES):
            old = reference.get(f"{_W}val", "")
            reference.set(f"{_W}val", new_ids.get(old, old))
    styles.extend(style for key, style in wanted.items() if key not in present)


def _find_key(style: ET.Element) -> tuple[str, str]:
    """Type and name: names of built-in styles are English whatever language Word speaks."""
    kind = style.get(f"{_W}type", "paragraph")
    if kind == "paragraph" and style.get(f"{_W}default") in {"1", "true", "on"}:
        return kind, "normal"
    name = style.find(f"{_W}name")
    return kind, "" if name is None else name.get(f"{_W}val", "").lower()


def _prepare_styles(styles: ET.Element, language: str, text_width: int) -> None:
    for words in styles.findall(f"{_W}docDefaults/{_W}rPrDefault/{_W}rPr/{_W}lang"):
        words.set(f"{_W}val", language)
    for style in styles.iter(f"{_W}style"):
        properties = style.find(f"{_W}pPr")
        if properties is None:
            continue
        # Numbers are part of the headings' text; lists of the template are not in the document.
        for numbers in properties.findall(f"{_W}numPr"):
            properties.remove(numbers)
        if style.get(f"{_W}styleId") in {"Header", "Footer"}:
            _set_right_tab(properties, text_width)


def _set_right_tab(properties: ET.Element, text_width: int) -> None:
    """One tab at the right margin: the line has a left and a right end."""
    tabs = properties.find(f"{_W}tabs")
    if tabs is None:
        tabs = ET.Element(f"{_W}tabs")
        properties.insert(sum(child.tag in _BEFORE_TABS for child in properties), tabs)
    tabs.clear()
    ET.SubElement(tabs, f"{_W}tab", {f"{_W}val": "right", f"{_W}pos": str(text_width)})


def _read_page(document: ET.Element) -> tuple[str, int] | None:
    """Paper size and margins of the last section, with the width of its text."""
    sections = list(document.iter(f"{_W}sectPr"))
    size = sections[-1].find(f"{_W}pgSz") if sections else None
    margins = sections[-1].find(f"{_W}pgMar") if sections else None
    if size is None or margins is None:
        return None
    try:
        width = int(size.get(f"{_W}w", ""))
        sides = sum(int(margins.get(f"{_W}{side}", "0")) for side in ("left", "right", "gutter"))
    except ValueError:
        return None
    if width - sides < _MIN_TEXT_WIDTH:
        return None
    return "".join(map(_render_element, (size, margins))), width - sides


def _render_element(element: ET.Element) -> str:
    values = "".join(
        f' w:{name.removeprefix(_W)}="{value}"'
        for name, value in element.attrib.items()
        if value.lstrip("-").isalnum()
    )
    return f"<w:{element.tag.removeprefix(_W)}{values}/>"
