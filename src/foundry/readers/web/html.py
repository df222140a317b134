"""Reads web pages (HTML): the main content under its headings, without the site around it.

Menus, banners, footers and cookie notices are left out if the page marks them as such; if
nothing else is left, the whole page is read. Links are not followed and scripts not run,
so text that a script would write is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.decoding import DecodedText, decode
from foundry.readers.document_builder import (
    DocumentBuilder,
    DraftBlock,
    add_blocks,
    build_document,
)
from foundry.readers.web.html_walk import HEADINGS, is_unseen, read_words, walk_html
from foundry.records import Document

_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_HEAD_BYTES = 4096
_SITE_ROLES = frozenset({"navigation", "contentinfo", "search", "menu", "menubar", "toolbar"})
_SITE_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|menu|sidebar|breadcrumbs?|pagination|pager|footer|toc|share|social|"
    r"skip-?(?:link|nav|to)?|related|advert\w*)(?:$|[\s_-])",
    re.IGNORECASE,
)
_COOKIE_NAMES = re.compile(r"cookie-?(?:banner|consent|notice|bar)|consent-banner", re.IGNORECASE)
_MAX_LEVELS = 2_000
"""Deepest nesting. The walk gives up at some hundreds of levels, but parsing takes their square."""
_MAX_ATTRIBUTES = 2_000
"""Most attributes of an element, of which parsing takes the square; real ones have some dozens."""
_MARKUP = re.compile(
    r"""<!--(?:-?>|.*?(?:--!?>|\Z))|<(script|style|textarea|title|xmp)\b.*?(?:</\1|\Z)"""
    r"""|<(?P<end>/?)(?P<tag>[a-z][^\s/>]*)(?P<attributes>(?:[^>"']+|"[^"]*"|'[^']*')*)""",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""[^\s=/"'>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?""")
_EMPTY_TAGS = "area base br col embed hr img input link meta param source track wbr html body"
_EMPTY = frozenset(_EMPTY_TAGS.split())
_ENDED_TAGS = "a nobr p li dt dd option optgroup rp rt tr td th thead tbody tfoot caption colgroup"
# The next of its kind ends it.
_ENDED = frozenset(_ENDED_TAGS.split())
_INLINE_TAGS = """
    abbr b big cite code em font i ins kbd mark q s samp small span strike strong sub sup tt u"""
_INLINE = _ENDED | frozenset(_INLINE_TAGS.split())
_FAR = 200
"""Elements looked back at to find the one that ends, so that this takes no minutes either."""
_INSIDE_CONTENT = frozenset({"article", "main", "section", "blockquote", "dialog"})
_MOSTLY_LINKS = 0.6
"""Share of text in links above which a sidebar or list is navigation. A guess."""
_ENOUGH_OF_PAGE = 0.2
"""Share of the page's text below which a ``main`` element is not the main content. A guess."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The title and the blocks of a web page."""

    title: str | None
    blocks: list[DraftBlock]


def read_html(path: Path, options: ReadOptions) -> Document:
    """Read an HTML file. Raises ``ReadError`` for binary data and pages without text."""
    decoded = decode_html(path.read_bytes())
    page = read_page(decoded.text)
    builder = DocumentBuilder("html")
    add_blocks(builder, page.blocks)
    builder.warn(decoded.warning)
    return build_document(
        builder,
        page.blocks,
        [page.title],
        options.name,
        reason=Message("readers-html-empty"),
    )


def decode_html(data: bytes) -> DecodedText:
    """Decode a page in the encoding that it declares, if possible."""
    declared = _CHARSET.search(data[:_HEAD_BYTES])
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared[1].decode("ascii", "replace").lower()
        # Browsers read these as Windows-1252, and so do their authors.
        name = "cp1252" if name in {"iso-8859-1", "us-ascii", "ascii", "latin1"} else name
        try:
            return DecodedText(data.decode(name), name)
        except (LookupError, ValueError):
            pass
    return decode(data)


def read_page(html: str, *, whole: bool = False) -> HtmlPage:
    """Read a page; ``whole`` for books and e-mails, which have no site around them."""
    _refuse_bombs(html)
    tree = LexborHTMLParser(html)
    body = tree.body
    if body is None:
        return HtmlPage(None, [])
    blocks: list[DraftBlock] = []
    if not whole:
        blocks = _read_main_content(body)
    if not blocks:
        blocks = walk_html(body)
    return HtmlPage(_find_page_title(tree, body), blocks)


def _refuse_bombs(html: str) -> None:
    """Raise ``ReadError`` for markup that would take the parser minutes, before it is parsed.

    An estimate: a page that is made to deceive it runs into the time limit of the parser.
    """
    opened: list[str] = []
    for match in _MARKUP.finditer(html):
        tag, attributes = (match["tag"] or "").lower(), match["attributes"] or ""
        if len(attributes) > _MAX_ATTRIBUTES and (
            sum(1 for _ in _ATTRIBUTE.finditer(attributes)) > _MAX_ATTRIBUTES
        ):
            raise ReadError("readers-html-attributes", limit=_MAX_ATTRIBUTES)
        if not tag or tag in _EMPTY:
            continue
        if match["end"] or tag in _ENDED:
            _close_element(opened, tag)
        if not match["end"] and not (attributes.endswith("/") and "svg" in opened):
            opened.append(tag)
        if len(opened) > _MAX_LEVELS:
            raise ReadError("readers-html-nested", limit=_MAX_LEVELS)


def _close_element(opened: list[str], tag: str) -> None:
    """Close the last element with this tag, and what it contains; an inline one ends no block."""
    for index in range(len(opened) - 1, max(len(opened) - _FAR, 0) - 1, -1):
        if opened[index] == tag:
            del opened[index:]
            return
        if tag in _INLINE and opened[index] not in _INLINE:
            return


def _read_main_content(body: LexborNode) -> list[DraftBlock]:
    main = _find_main(body)
    if main is None:
        return walk_html(body, _is_site)
    blocks = walk_html(main, lambda node: _is_site(node, inside=True))
    above = [item for item in body.css("h1") if not is_unseen(item)]
    if blocks and not main.css("h1") and len(above) == 1 and not main.css_matches("h1"):
        # Many sites put the heading of the page above its main element.
        blocks.insert(0, DraftBlock("heading", read_words(above[0]), 1))
    return blocks


def _find_main(body: LexborNode) -> LexborNode | None:
    candidates = body.css("main, [role=main]")
    if not candidates:
        articles = body.css("article")
        candidates = articles if len(articles) == 1 else []
    best = max(candidates, key=lambda node: len(node.text()), default=None)
    if best is None or len(best.text()) < _ENOUGH_OF_PAGE * len(body.text()):
        return None
    return best


def _is_site(node: LexborNode, *, inside: bool = False) -> bool:
    """Whether an element belongs to the site rather than to the content of the page."""
    tag = node.tag
    role = node.attributes.get("role") or ""
    if tag == "nav" or role in _SITE_ROLES:
        return True
    names = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
    if _COOKIE_NAMES.search(names):
        return True
    if tag == "footer" or (tag == "header" and node.css_first(", ".join(HEADINGS)) is None):
        return not inside and not _is_in_content(node)
    if tag == "aside" or (tag in {"div", "ul", "section", "p"} and _SITE_NAMES.search(names)):
        return _compute_link_share(node) > _MOSTLY_LINKS
    return False


def _is_in_content(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in _INSIDE_CONTENT:
            return True
        parent = parent.parent
    return False


def _compute_link_share(node: LexborNode) -> float:
    links = sum(len(link.text(strip=True)) for link in node.css("a"))
    return links / max(len(node.text(strip=True)), 1)


def _find_page_title(tree: LexborHTMLParser, body: LexborNode) -> str | None:
    element = tree.css_first("title")
    title = " ".join(element.text().split()) if element else ""
    headings = [read_words(item) for item in body.css("h1") if not is_unseen(item)]
    if len(headings) == 1 and headings[0] and headings[0] in title:
        # "Intervals – Manual – Acme" → "Intervals"
        return headings[0]
    return title or None
