"""The parts of a Word file around its text: styles, lists, footnotes' frame, properties, the package.

Written by hand, so that the file holds what is needed and nothing else, and the
same document gives the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from foundry.render.delivery.docx_runs import quote_attribute
from foundry.render.delivery.docx_styles import render_styles

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPACES = f'xmlns:w="{_MAIN}" xmlns:r="{_RELATIONS}"'
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PARTS = ("styles", "numbering", "settings", "footnotes", "header", "footer", "fontTable")
_BULLETS = "•◦▪"


@dataclass(frozen=True, slots=True)
class WordParts:
    """What the package is made of: XML for the parts, plain words for the properties.

    ``list_starts`` has the first number of every list in the order of their numbers, None
    for bullets; the links are those that the runs of each part refer to.
    """

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
    files = {
        "[Content_Types].xml": _render_content_types(),
        "_rels/.rels": _render_package_relations(),
        "docProps/core.xml": _render_core(parts),
        "docProps/app.xml": _render_app(parts),
        "word/document.xml": _render_document(parts),
        "word/styles.xml": render_styles(_SPACES, parts.language),
        "word/numbering.xml": _render_numbering(parts.list_starts),
        "word/settings.xml": _render_settings(),
        "word/footnotes.xml": _render_footnotes(parts.footnotes),
        "word/header.xml": f"<w:hdr {_SPACES}>{parts.header}</w:hdr>",
        "word/footer.xml": f"<w:ftr {_SPACES}>{parts.footer}</w:ftr>",
        "word/fontTable.xml": _render_fonts(),
        "word/_rels/document.xml.rels": _render_document_relations(parts.document_links),
        "word/_rels/footnotes.xml.rels": _render_relations(_list_links(parts.footnote_links)),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            # The time of every part is the same: it says nothing, and the bytes stay the same.
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, (_HEAD + text).encode("utf-8", errors="replace"))
    return buffer.getvalue()


def _render_content_types() -> str:
    kinds = {"document": "document.main", **{name: name for name in _PARTS}}
    overrides = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_WORD_TYPE}.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    core = "application/vnd.openxmlformats-package.core-properties+xml"
    app = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{relations}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}'
        f'<Override PartName="/docProps/core.xml" ContentType="{core}"/>'
        f'<Override PartName="/docProps/app.xml" ContentType="{app}"/></Types>'
    )


def _render_relations(entries: Sequence[tuple[str, str, str, bool]]) -> str:
    made = "".join(
        f'<Relationship Id="{name}" Type="{kind}" Target={quote_attribute(target)}'
        + (' TargetMode="External"/>' if external else "/>")
        for name, kind, target, external in entries
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{made}</Relationships>'


def _list_links(hrefs: Sequence[str]) -> list[tuple[str, str, str, bool]]:
    kind = f"{_RELATIONS}/hyperlink"
    return [(f"rIdL{at}", kind, href, True) for at, href in enumerate(hrefs, 1)]


def _render_package_relations() -> str:
    core = f"{_PACKAGE}/relationships/metadata/core-properties"
    entries = [
        ("rId1", f"{_RELATIONS}/officeDocument", "word/document.xml", False),
        ("rId2", core, "docProps/core.xml", False),
        ("rId3", f"{_RELATIONS}/extended-properties", "docProps/app.xml", False),
    ]
    return _render_relations(entries)


def _render_document_relations(links: Sequence[str]) -> str:
    own = [(f"rId_{name}", f"{_RELATIONS}/{name}", f"{name}.xml", False) for name in _PARTS]
    return _render_relations([*own, *_list_links(links)])


def _render_document(parts: WordParts) -> str:
    layout = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rId_header"/>'
        '<w:footerReference w:type="default" r:id="rId_footer"/>'
        '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1531" w:right="1418" w:bottom="1418" '
        'w:left="1418" w:header="709" w:footer="709" w:gutter="0"/><w:titlePg/></w:sectPr>'
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
    bullets = "".join(_render_level(at, "bullet", _BULLETS[at % 3]) for at in range(9))
    numbers = "".join(_render_level(at, "decimal", f"%{at + 1}.") for at in range(9))
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{number}">'
        f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>'
        for number, levels in enumerate((bullets, numbers))
    )
    lists = "".join(_render_list(number, start) for number, start in enumerate(starts, 1))
    return f"<w:numbering {_SPACES}>{kinds}{lists}</w:numbering>"


def _render_level(at: int, kind: str, shown: str) -> str:
    left = 357 * (at + 1)
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
        f'<w:lvlText w:val="{shown}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{left}" w:hanging="357"/></w:pPr></w:lvl>'
    )


def _render_list(number: int, start: int | None) -> str:
    if start is None:
        return f'<w:num w:numId="{number}"><w:abstractNumId w:val="0"/></w:num>'
    first = "".join(
        f'<w:lvlOverride w:ilvl="{at}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
        for at in range(9)
    )
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="1"/>{first}</w:num>'


def _render_fonts() -> str:
    families = (("Calibri", "swiss", "variable"), ("Consolas", "modern", "fixed"))
    made = "".join(
        f'<w:font w:name="{name}"><w:family w:val="{family}"/><w:pitch w:val="{pitch}"/></w:font>'
        for name, family, pitch in families
    )
    return f"<w:fonts {_SPACES}>{made}</w:fonts>"


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
