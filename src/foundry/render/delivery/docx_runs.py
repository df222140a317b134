"""Words as WordprocessingML: runs, paragraphs, fields, bookmarks, links and footnote marks."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from xml.sax.saxutils import escape, quoteattr

from foundry.render.delivery.tree import Break, Code, Inline, Link, NoteMark, Styled, Text


def render_run(
    text: str,
    *,
    style: str = "",
    bold: bool = False,
    italic: bool = False,
    struck: bool = False,
    colour: str = "",
    inner: str = "",
) -> str:
    """A run of words; ``inner`` is XML that stands before them. Line feeds become line breaks."""
    # The order is the schema's.
    properties = "".join(
        (
            f'<w:rStyle w:val="{style}"/>' if style else "",
            "<w:b/>" if bold else "",
            "<w:i/>" if italic else "",
            "<w:strike/>" if struck else "",
            f'<w:color w:val="{colour}"/>' if colour else "",
        )
    )
    lines = text.split("\n") if text else []
    words = "<w:br/>".join(f'<w:t xml:space="preserve">{_escape(line)}</w:t>' for line in lines)
    opening = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f"<w:r>{opening}{inner}{words}</w:r>"


def render_paragraph(
    inner: str,
    style: str,
    *,
    side: str = "left",
    indent: int = 0,
    numbered: tuple[int, int] | None = None,
) -> str:
    """A paragraph; ``numbered`` is its list and level, ``indent`` in twentieths of a point."""
    properties = f'<w:pStyle w:val="{style}"/>'
    if numbered:
        number, level = numbered
        properties += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    elif indent:
        properties += f'<w:ind w:left="{indent}"/>'
    if side != "left":
        properties += f'<w:jc w:val="{side}"/>'
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def open_field(instruction: str, *, stale: bool = False) -> str:
    """The start of a field up to its result; ``stale`` asks Word to bring it up to date."""
    dirty = ' w:dirty="true"' if stale else ""
    code = f'<w:instrText xml:space="preserve"> {_escape(instruction)} </w:instrText>'
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"{dirty}/></w:r><w:r>{code}</w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    )


def close_field() -> str:
    """The end of a field."""
    return '<w:r><w:fldChar w:fldCharType="end"/></w:r>'


def add_bookmark(inner: str, name: str, number: int) -> str:
    """Runs under a name that fields and links refer to."""
    start = f'<w:bookmarkStart w:id="{number}" w:name="{name}"/>'
    return f'{start}{inner}<w:bookmarkEnd w:id="{number}"/>'


class RunWriter:
    """Running text of one part of the file, with what that part counts: links, bookmarks, notes."""

    def __init__(self, notes: AbstractSet[int]) -> None:
        self._notes = notes
        self._last_id = 0
        self.links: list[str] = []
        self.footnotes: set[int] = set()

    def next_id(self) -> int:
        """A number for a bookmark."""
        self._last_id += 1
        return self._last_id

    def inline(
        self,
        inner: tuple[Inline, ...],
        *,
        bold: bool = False,
        italic: bool = False,
        struck: bool = False,
        style: str = "",
    ) -> str:
        """Running text as runs."""
        made: list[str] = []
        for one in inner:
            match one:
                case Text(text):
                    made.append(
                        render_run(text, style=style, bold=bold, italic=italic, struck=struck)
                    )
                case Code():
                    words = one.short or one.text
                    made.append(
                        render_run(words, style="Code", bold=bold, italic=italic, struck=struck)
                    )
                case Styled(kind, below):
                    made.append(
                        self.inline(
                            below,
                            bold=bold or kind == "strong",
                            italic=italic or kind == "em",
                            struck=struck or kind == "s",
                            style=style,
                        )
                    )
                case Link(href, below):
                    self.links.append(href)
                    words = self.inline(below, bold=bold, italic=italic, style="Hyperlink")
                    made.append(f'<w:hyperlink r:id="rIdL{len(self.links)}">{words}</w:hyperlink>')
                case NoteMark():
                    made.append(self._mark(one))
                case Break():
                    made.append(render_run("", inner="<w:br/>"))
        return "".join(made)

    def _mark(self, mark: NoteMark) -> str:
        number = mark.number
        comma = render_run(",", style="FootnoteReference") if mark.follows else ""
        if number not in self._notes:
            return comma + render_run(str(number), style="FootnoteReference")
        name = f"_Note{number}"
        if number not in self.footnotes:
            self.footnotes.add(number)
            reference = f'<w:footnoteReference w:id="{number}"/>'
            own = render_run("", style="FootnoteReference", inner=reference)
            return comma + add_bookmark(own, name, self.next_id())
        shown = render_run(str(number), style="FootnoteReference")
        return comma + open_field(f"NOTEREF {name} \\f \\h") + shown + close_field()


def quote_attribute(text: str) -> str:
    """A text as an attribute's value, with its quotes."""
    return quoteattr(text)


def _escape(text: str) -> str:
    return escape(text.replace("\t", "    "))
