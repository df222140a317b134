"""The parts of a Word file around its text: lists, the frame of footnotes, properties, the package.

They are written by hand, so that the file has what it needs and nothing else, and the same
document gives the same bytes. Styles, theme and page layout come from the template.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from foundry.render.delivery.docx_template import DocxTemplate

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPACES = f'xmlns:w="{_MAIN}" xmlns:r="{_RELATIONS}"'
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PARTS = ("styles", "numbering", "settings", "footnotes", "header", "footer")
_BULLETS = "•◦▪"
_THEME = "theme/theme1.xml"
LIST_INDENT = 357
"""Twentieths of a point by which each level of a list is indented."""


@dataclass(frozen=True, slots=True)
class WordParts:
    """What goes into the package: XML for the parts, plain text for the properties.

    ``list_starts`` is the first number of each list, None for bullets, in the order of the
    lists; the links are the addresses that each part refers to.
    """

    template: DocxTemplate
    language: str
    title: str
    author: str
    maker: str
    created: str
    document: str
    footnotes: str
    header: str
    footer: str
    list_starts: tuple[int | None, ...]
    document_links: tuple[str, ...]
    footnote_links: tuple[str, ...]


def pack(parts: WordParts) -> bytes:
    """The file."""
    theme = parts.template.theme
    files = {
        "[Content_Types].xml": _render_content_types(has_theme=theme is not None),
        "_rels/.rels": _render_package_relations(),
        "docProps/core.xml": _render_core(parts),
        "docProps/app.xml": _render_app(parts),
        "word/document.xml": _render_document(parts),
        "word/styles.xml": parts.template.styles,
        "word/numbering.xml": _render_numbering(parts.list_starts),
        "word/settings.xml": _render_settings(),
        "word/footnotes.xml": _render_footnotes(parts.footnotes),
        "word/header.xml": f"<w:hdr {_SPACES}>{parts.header}</w:hdr>",
        "word/footer.xml": f"<w:ftr {_SPACES}>{parts.footer}</w:ftr>",
        "word/_rels/document.xml.rels": _render_document_relations(
            parts.document_links, has_theme=theme is not None
        ),
        "word/_rels/footnotes.xml.rels": _render_relations(_list_links(parts.footnote_links)),
    }
    data = {name: (_HEAD + text).encode("utf-8", errors="replace") for name, text in files.items()}
    if theme is not None:
        data[f"word/{_THEME}"] = theme
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in data.items():
            # A fixed time keeps the bytes the same from build to build.
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, part)
    return buffer.getvalue()


def _render_content_types(*, has_theme: bool) -> str:
    kinds = {"document": "document.main", **{name: name for name in _PARTS}}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORD_TYPE}.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    core = "application/vnd.openxmlformats-package.core-properties+xml"
    app = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    theme = "application/vnd.openxmlformats-officedocument.theme+xml"
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{relations}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}'
        f'<Override PartName="/docProps/core.xml" ContentType="{core}"/>'
        f'<Override PartName="/docProps/app.xml" ContentType="{app}"/>'
        + (f'<Override PartName="/word/{_THEME}" ContentType="{theme}"/>' if has_theme else "")
        + "</Types>"
    )


def _render_relations(entries: Sequence[tuple[str, str, str, bool]]) -> str:
    xml = "".join(
        f'<Relationship Id="{name}" Type="{kind}" Target={quoteattr(target)}'
        + (' TargetMode="External"/>' if external else "/>")
        for name, kind, target, external in entries
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{xml}</Relationships>'


def _list_links(hrefs: Sequence[str]) -> list[tuple[str, str, str, bool]]:
    kind = f"{_RELATIONS}/hyperlink"
    return [(f"rIdL{number}", kind, href, True) for number, href in enumerate(hrefs, 1)]


def _render_package_relations() -> str:
    core = f"{_PACKAGE}/relationships/metadata/core-properties"
    entries = [
        ("rId1", f"{_RELATIONS}/officeDocument", "word/document.xml", False),
        ("rId2", core, "docProps/core.xml", False),
        ("rId3", f"{_RELATIONS}/extended-properties", "docProps/app.xml", False),
    ]
    return _render_relations(entries)


def _render_document_relations(links: Sequence[str], *, has_theme: bool) -> str:
    own = [(f"rId_{name}", f"{_RELATIONS}/{name}", f"{name}.xml", False) for name in _PARTS]
    if has_theme:
        own.append(("rId_theme", f"{_RELATIONS}/theme", _THEME, False))
    return _render_relations([*own, *_list_links(links)])


def _render_document(parts: WordParts) -> str:
    layout = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rId_header"/>'
        '<w:footerReference w:type="default" r:id="rId_footer"/>'
        f"{parts.template.page}<w:titlePg/></w:sectPr>"
    )
    return f"<w:document {_SPACES}><w:body>{parts.document}{layout}</w:body></w:document>"


def _render_footnotes(inner: str) -> str:
    frame = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:pPr><w:spacing w:after="0" '
        f'w:line="240" w:lineRule="auto"/></w:pPr><w:r><w:{kind}/></w:r></w:p></w:footnote>'
        for number, kind in ((-1, "separator"), (0, "continuationSeparator"))
    )
    return f"<w:footnotes {_SPACES}>{frame}{inner}</w:footnotes>"


def _render_settings() -> str:
    return (
        f'<w:settings {_SPACES}><w:zoom w:percent="100"/><w:defaultTabStop w:val="709"/>'
        '<w:characterSpacingControl w:val="doNotCompress"/>'
        '<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>'
        '<w:compat><w:compatSetting w:name="compatibilityMode" '
        'w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>'
    )


def _render_numbering(starts: Sequence[int | None]) -> str:
    bullets = "".join(_render_level(level, "bullet", _BULLETS[level % 3]) for level in range(9))
    numbers = "".join(_render_level(level, "decimal", f"%{level + 1}.") for level in range(9))
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{number}">'
        f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>'
        for number, levels in enumerate((bullets, numbers))
    )
    lists = "".join(_render_list(number, start) for number, start in enumerate(starts, 1))
    return f"<w:numbering {_SPACES}>{kinds}{lists}</w:numbering>"


def _render_level(level: int, kind: str, shown: str) -> str:
    left = LIST_INDENT * (level + 1)
    return (
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{shown}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{left}" w:hanging="{LIST_INDENT}"/></w:pPr></w:lvl>'
    )


def _render_list(number: int, start: int | None) -> str:
    if start is None:
        return f'<w:num w:numId="{number}"><w:abstractNumId w:val="0"/></w:num>'
    first = "".join(
        f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
        for level in range(9)
    )
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="1"/>{first}</w:num>'


def _render_core(parts: WordParts) -> str:
    times = "".join(
        f'<dcterms:{name} xsi:type="dcterms:W3CDTF">{parts.created}</dcterms:{name}>'
        for name in ("created", "modified")
    )
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(parts.title)}</dc:title><dc:creator>{escape(parts.author)}</dc:creator>"
        f"<cp:keywords>{escape(parts.maker)}</cp:keywords>"
        f"<dc:language>{parts.language}</dc:language>{times}</cp:coreProperties>"
    )


def _render_app(parts: WordParts) -> str:
    space = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
    return (
        f'<Properties xmlns="{space}"><Application>{escape(parts.maker)}</Application></Properties>'
    )
