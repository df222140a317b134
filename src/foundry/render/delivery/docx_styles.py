"""The styles of a Word file: what a reader can change in one place."""

from __future__ import annotations

_FONT = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri" w:eastAsia="Calibri"/>'
_FIXED = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>'
_SOFT = '<w:color w:val="56616C"/>'
_BAR = '<w:pBdr><w:left w:val="single" w:sz="{size}" w:space="8" w:color="{colour}"/></w:pBdr>'
_RIGHT_TAB = '<w:tabs><w:tab w:val="right"{leader} w:pos="9070"/></w:tabs>'


def render_styles(spaces: str, language: str) -> str:
    """The part ``styles.xml``; ``language`` is that of the words ("en-GB")."""
    defaults = (
        f"<w:docDefaults><w:rPrDefault><w:rPr>{_FONT}"
        '<w:sz w:val="22"/><w:szCs w:val="22"/>'
        f'<w:lang w:val="{language}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>'
        '<w:spacing w:after="140" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault>'
        "</w:docDefaults>"
    )
    made = "".join(
        (
            *_text_styles(),
            *_block_styles(),
            *_heading_styles(),
            *_contents_styles(),
            *_other_styles(),
        )
    )
    return f"<w:styles {spaces}>{defaults}{made}</w:styles>"


def _style(
    name: str,
    shown: str,
    paragraph: str = "",
    run: str = "",
    *,
    after: str = "",
    listed: bool = True,
) -> str:
    base = "" if name == "Normal" else '<w:basedOn w:val="Normal"/>'
    following = f'<w:next w:val="{after}"/>' if after else ""
    first = ' w:default="1"' if name == "Normal" else ""
    return (
        f'<w:style w:type="paragraph"{first} w:styleId="{name}"><w:name w:val="{shown}"/>{base}'
        f"{following}{'<w:qFormat/>' if listed else ''}"
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def _text_styles() -> tuple[str, ...]:
    return (
        _style("Normal", "Normal", "<w:widowControl/>"),
        _style(
            "Title",
            "Title",
            '<w:pBdr><w:top w:val="single" w:sz="18" w:space="14" w:color="0B4F8A"/></w:pBdr>'
            '<w:spacing w:before="2600" w:after="480" w:line="240" w:lineRule="auto"/>',
            '<w:b/><w:sz w:val="60"/><w:szCs w:val="60"/>',
        ),
        _style(
            "CoverLine",
            "Cover line",
            '<w:tabs><w:tab w:val="left" w:pos="2268"/></w:tabs><w:spacing w:after="60"/>'
            '<w:ind w:left="2268" w:hanging="2268"/>',
        ),
        _style("ListParagraph", "List Paragraph", '<w:ind w:left="357"/><w:contextualSpacing/>'),
    )


def _block_styles() -> tuple[str, ...]:
    return (
        _style(
            "Quote",
            "Quote",
            _BAR.format(size=12, colour="C9D0D7") + '<w:ind w:left="284"/>',
            _SOFT + '<w:sz w:val="20"/><w:szCs w:val="20"/>',
        ),
        _style(
            "Callout",
            "Callout",
            _BAR.format(size=24, colour="8A2D00")
            + '<w:shd w:val="clear" w:color="auto" w:fill="FFF3EA"/>'
            '<w:spacing w:before="0" w:after="60"/><w:ind w:left="227"/>',
        ),
        _style(
            "CodeBlock",
            "Code Block",
            '<w:shd w:val="clear" w:color="auto" w:fill="F4F6F8"/>'
            '<w:spacing w:before="120" w:after="160" w:line="252" w:lineRule="auto"/>',
            f'{_FIXED}<w:sz w:val="18"/><w:szCs w:val="18"/>',
        ),
        _style(
            "Rule",
            "Rule",
            '<w:pBdr><w:bottom w:val="single" w:sz="4" w:space="1" w:color="C9D0D7"/></w:pBdr>',
        ),
    )


def _heading_styles() -> tuple[str, ...]:
    sizes = {1: 40, 2: 29, 3: 24, 4: 22, 5: 22, 6: 22}
    spaces = {1: (0, 280), 2: (400, 140), 3: (300, 100), 4: (240, 80), 5: (200, 60), 6: (200, 60)}
    return tuple(
        _style(
            f"Heading{level}",
            f"heading {level}",
            "<w:keepNext/><w:keepLines/>"
            + ("<w:pageBreakBefore/>" if level == 1 else "")
            + f'<w:spacing w:before="{spaces[level][0]}" w:after="{spaces[level][1]}" '
            f'w:line="252" w:lineRule="auto"/><w:outlineLvl w:val="{level - 1}"/>',
            f'<w:b/><w:sz w:val="{size}"/><w:szCs w:val="{size}"/>',
            after="Normal",
        )
        for level, size in sizes.items()
    )


def _contents_styles() -> tuple[str, ...]:
    dotted = _RIGHT_TAB.format(leader=' w:leader="dot"')
    return (
        _style(
            "TOCHeading",
            "TOC Heading",
            '<w:keepNext/><w:pageBreakBefore/><w:spacing w:after="280"/>',
            '<w:b/><w:sz w:val="40"/><w:szCs w:val="40"/>',
        ),
        _style("TOC1", "toc 1", dotted + '<w:spacing w:before="160" w:after="40"/>', "<w:b/>"),
        _style("TOC2", "toc 2", dotted + '<w:spacing w:after="40"/><w:ind w:left="284"/>'),
    )


def _other_styles() -> tuple[str, ...]:
    small = '<w:sz w:val="17"/><w:szCs w:val="17"/>'
    tight = '<w:spacing w:after="40" w:line="240" w:lineRule="auto"/>'
    right = _RIGHT_TAB.format(leader="")
    return (
        _style("FootnoteText", "footnote text", tight, small),
        _style("FootnoteQuote", "footnote quote", tight + '<w:ind w:left="227"/>', _SOFT + small),
        _style("Header", "header", right + '<w:spacing w:after="0"/>', _SOFT + small),
        _style("Footer", "footer", right + '<w:spacing w:after="0"/>', _SOFT + small),
        _style(
            "TableText",
            "Table Text",
            '<w:spacing w:before="50" w:after="50" w:line="240" w:lineRule="auto"/>',
            '<w:sz w:val="19"/><w:szCs w:val="19"/>',
        ),
        _style(
            "AfterTable",
            "After Table",
            '<w:spacing w:after="0" w:line="200" w:lineRule="exact"/>',
            listed=False,
        ),
        _character("FootnoteReference", "footnote reference", '<w:vertAlign w:val="superscript"/>'),
        _character("Hyperlink", "Hyperlink", '<w:color w:val="0B4F8A"/><w:u w:val="single"/>'),
        _character("Code", "Code", f'{_FIXED}<w:sz w:val="19"/>'),
        _table(),
    )


def _character(name: str, shown: str, run: str) -> str:
    return (
        f'<w:style w:type="character" w:styleId="{name}"><w:name w:val="{shown}"/>'
        f"<w:qFormat/><w:rPr>{run}</w:rPr></w:style>"
    )


def _table() -> str:
    lines = "".join(
        f'<w:{edge} w:val="single" w:sz="4" w:space="0" w:color="C9D0D7"/>'
        for edge in ("bottom", "insideH")
    )
    margins = '<w:left w:w="0" w:type="dxa"/><w:right w:w="142" w:type="dxa"/>'
    head = '<w:bottom w:val="single" w:sz="8" w:space="0" w:color="56616C"/>'
    return (
        '<w:style w:type="table" w:styleId="DocumentTable"><w:name w:val="Document Table"/>'
        f"<w:tblPr><w:tblBorders>{lines}</w:tblBorders><w:tblCellMar>{margins}</w:tblCellMar>"
        '</w:tblPr><w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:color w:val="56616C"/></w:rPr>'
        f"<w:tcPr><w:tcBorders>{head}</w:tcBorders></w:tcPr></w:tblStylePr></w:style>"
    )
