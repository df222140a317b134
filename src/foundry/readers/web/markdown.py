"""Reads Markdown as the page that it makes: CommonMark with GitHub's tables, and what sites add.

markdown-it writes the page as HTML, and the reader of web pages reads that, so HTML within Markdown
needs nothing of its own and no markup is left in the text. Also read: footnotes, definition
lists, task lists, alerts, the admonitions and tabs of MkDocs and Docusaurus, and attribute lists.
An included file is named in a warning and not read: as a file of the folder it is a source itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers.decoding import decode
from foundry.readers.text_files import mark_markdown, read_front_matter
from foundry.readers.web.html import TAB
from foundry.readers.web.written import WrittenPage, build_page
from foundry.records import Document
from foundry.text.markdown import HTML_TAGS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MAX_LEVELS = 100
"""Deepest nesting of quotations and lists; markdown-it leaves out what is deeper."""
_INDENT = 4
_BOLD = frozenset({"**", "__"})
_TOP = 4
"""Paragraphs at the top among which a bold title is looked for. A guess."""
# The lines are stripped before they are matched, so that a run of blanks takes no time. MkDocs has no
# tab without quotes: "=== RUN TestLid" is a line of a log.
_OPENING = re.compile(
    r'(?:!!!|\?\?\?\+?)[ \t]+(?:(?P<kind>[\w-]+)(?:[ \t][\w \t-]*)?)?(?:"(?P<title>.*)")?'
    r'|===[!+]?[ \t]+"(?P<tab>.*)"'
)
_FENCE = re.compile(r"(?::{3,}|/{3,})[ \t]*(?P<kind>\{?[\w-]+\}?(?=[\s\[|]|$))?(?P<title>.*)")
_OPTIONS = re.compile(r"\{[^{}]*\}$")
_INCLUDE = re.compile(
    r"""(?:-+8<-+|\{[%!]-?\s*include(?:-markdown)?|<!--\s*@?include:?)\s*["']?(?P<name>[^"'\s>]*)"""
)
_TEMPLATE = re.compile(r"\s*(?:\{%.*%\}|\[\[?_?TOC_?\]\]?|-+8<-+.*|\{!.*!\})\s*", re.IGNORECASE)
_MODULE = re.compile(r"(?:import|export)\s")
_ATTRIBUTE = r"""(?:[.#][\w:.-]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"'{}]+))"""
_ATTRIBUTES = re.compile(rf"\{{:?\s*{_ATTRIBUTE}(?:\s+(?:{_ATTRIBUTE}|[\w-]+))*\s*\}}")
_LAST_ATTRIBUTES = re.compile(rf"(?:^|\s)(?:#+\s+)?{_ATTRIBUTES.pattern}\s*$")
_CARRIERS = frozenset(
    {"image", "link_close", "code_inline", "strong_close", "em_close", "html_inline"}
)
# What markdown-it and browsers take for a comment to the end of the file.
_UNFINISHED = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
# An element of MkDocs whose lines are Markdown too.
_MIXED = re.compile(r"\s*<[a-z]+\b[^<>]*\bmarkdown\b", re.IGNORECASE)
_ALERT = re.compile(r"(?:\[![\w-]+\][+-]?|:::(?=\s))\s*")
_LANGUAGE = re.compile(r"#!\w+\s+")
# Icons of MkDocs, ":material-folder-cog:"; an emoji stays, as ":x:" may be the value of a cell.
_ICON = re.compile(r"(?<![\w:]):(?:material|octicons|fontawesome|simple)-[a-z0-9_+-]*:(?![\w:])")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]*)(?P<rest>[^<>]*)>")
_LABEL = re.compile(r"\[([^\[\]\n]*)\]")
_CLOSING = re.compile(r"</([A-Za-z][\w.:-]*)\s*>")
_TAB_ITEM = re.compile(r"""\b(?:label|title)=\{?["'](?P<title>[^"']*)["']""")
# Their content is no markup for a parser of HTML, up to an end that may be missing.
_RAW = frozenset(
    ("title", "textarea", "xmp", "plaintext", "noembed", "noframes", "script", "style", "iframe")
)


@dataclass(slots=True)
class _Page:
    """What rendering knows and finds: tags that are closed, files included, text left out.

    ``modules`` if a paragraph that begins with "import" or "export" is code, as in MDX.
    ``bold`` is the words of the first paragraphs that are bold as a whole.
    """

    closed: frozenset[str]
    modules: bool = False
    bold: str = ""
    includes: list[str] = field(default_factory=list)
    too_deep: bool = False


def read_markdown(path: Path, options: ReadOptions) -> Document:
    """Read Markdown as the page that it makes, or as it is written (``options.as_written``).

    The title is that of the front matter, else the first H1, else the stem.
    """
    decoded = decode(path.read_bytes())
    if options.as_written:
        return mark_markdown(decoded, options.name)
    properties, start = read_front_matter(decoded.text)
    text = decoded.text[start:]
    html, found = render_page(text, modules=path.suffix.lower() == ".mdx")
    page = WrittenPage(html, properties, found.includes, printed=found.bold)
    if found.too_deep:
        page.warnings.append(Message("readers-markdown-deep", limit=_MAX_LEVELS))
    return build_page("md", page, options.name, decoded.warning)


def render_page(text: str, *, modules: bool = False) -> tuple[str, _Page]:
    """The page that a Markdown text makes, as HTML, and what rendering found besides."""
    parser = _build_parser()
    page = _Page(frozenset(name.lower() for name in _CLOSING.findall(text)), modules)
    env = {"page": page}
    tokens = parser.parse(text, env)
    page.bold = _find_bold(tokens)
    page.too_deep = any(token.level >= _MAX_LEVELS - 1 for token in tokens)
    return str(parser.renderer.render(tokens, parser.options, env)), page


def _find_bold(tokens: Sequence[Token]) -> str:
    """The words of the paragraphs at the top that are bold as a whole: a title without a heading."""
    lines = [token.content for token in tokens if token.type == "inline"][:_TOP]
    bold = [
        line[2:-2]
        for line in lines
        if line[:2] == line[-2:] and line[:2] in _BOLD and line[:2] not in line[2:-2]
    ]
    return " ".join(words.strip() for words in bold)


@cache
def _build_parser() -> MarkdownIt:
    # Imported here: only workers that read Markdown need it.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt(
        "commonmark", {"maxNesting": _MAX_LEVELS, "tasklists": True, "alerts": True}
    )
    parser.enable(["table", "strikethrough"]).use(footnote_plugin).use(deflist_plugin)
    ends: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list", "table"]}
    parser.block.ruler.before("fence", "indented", _read_indented, ends)
    parser.block.ruler.before("fence", "colons", _read_colons, ends)
    parser.block.ruler.before("paragraph", "module", _read_module)
    parser.inline.ruler.before("emphasis", "product", _read_product)
    parser.inline.ruler.after("link", "unknown_reference", _read_reference)
    parser.core.ruler.push("clean", _clean)
    rules = {
        "html_block": _write_html,
        "html_inline": _write_html,
        "footnote_ref": lambda _, tokens, index, *__: _write_note_mark(tokens[index]),
        "footnote_anchor": lambda *_: "",
        "footnote_block_open": lambda *_: "<section>",
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _read_indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An admonition or tab: a line with its title, and the indented lines below it."""
    if state.is_code_block(start):
        return False
    match = _OPENING.fullmatch(_get_line(state, start))
    if match is None or silent:
        return match is not None
    last = start + 1
    inner = state.blkIndent + _INDENT
    while last < end and (state.isEmpty(last) or state.sCount[last] >= inner):
        last += 1
    tab = match["tab"] is not None
    title = next(one for one in (match["tab"], match["title"], match["kind"]) if one is not None)
    named = title if tab or match["title"] is not None else title.capitalize()
    words = state.md.renderInline(named, state.env)
    opening = state.push("html_block", "", 1)
    opening.content = _open_tab(_TAG.sub("", words)) if tab else f"<div><p>{words}</p>"
    before, state.blkIndent, state.lineMax = (state.blkIndent, state.lineMax), inner, last
    state.md.block.tokenize(state, start + 1, last)
    state.blkIndent, state.lineMax = before
    state.push("html_block", "", -1).content = "</section>" if tab else "</div>"
    state.line = last
    return True


def _read_colons(state: StateBlock, start: int, _: int, silent: bool) -> bool:
    """A line that opens or closes an admonition of Docusaurus or Pandoc: its title is a paragraph."""
    if state.is_code_block(start):
        return False
    match = _FENCE.fullmatch(_get_line(state, start))
    if match is None or silent:
        return match is not None
    title = _OPTIONS.sub("", match["title"]).strip(" \t|").strip("[]")
    title = title or (match["kind"] or "").strip("{}").capitalize()
    state.push("html_block", "", 0).content = f"<p>{escape(title)}</p>" if title else ""
    state.line = start + 1
    return True


def _read_module(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph of MDX that is code of its page: it makes no text."""
    if not state.env["page"].modules or state.level or not _MODULE.match(_get_line(state, start)):
        return False
    if not silent:
        last = start + 1
        while last < end and not state.isEmpty(last):
            last += 1
        state.line = last
    return True


def _get_line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()


def _clean(state: StateCore) -> None:
    """Leave out what is no text: attribute lists, icons, templates; and mark notes."""
    inside, mark = 0, ""
    heading = False
    for token in state.tokens:
        if token.type in {"bullet_list_open", "ordered_list_open", "blockquote_open"}:
            inside += 1
        elif token.type in {"bullet_list_close", "ordered_list_close", "blockquote_close"}:
            inside -= 1
        elif token.type in {"heading_open", "heading_close"}:
            heading = token.type == "heading_open"
            # Only a heading at the top level opens a section.
            token.tag = "p" if inside else token.tag
        elif token.type == "footnote_open":
            mark = _write_note_mark(token)
        elif token.type == "inline" and token.children is not None:
            _clean_inline(token.children, heading, state.env["page"])
            if mark:
                first = type(token)("text", "", 0, content=f"{mark} ")
                token.children.insert(0, first)
                mark = ""


def _clean_inline(children: list[Token], heading: bool, page: _Page) -> None:
    before = ""
    for child in children:
        if child.type == "text":
            text = _ICON.sub("", child.content)
            if not before and (match := _ALERT.match(text)):
                text = text[match.end() :]
            if before in _CARRIERS and (match := _ATTRIBUTES.match(text)):
                text = text[match.end() :]
            if child is children[-1] and (match := _LAST_ATTRIBUTES.search(text)):
                text = text[: match.start()]
            if match := _INCLUDE.match(text):
                page.includes.append(match["name"])
            child.content = "" if _TEMPLATE.fullmatch(text) else text
        elif child.type == "code_inline":
            language = _LANGUAGE.match(child.content)
            child.content = child.content[language.end() :] if language else child.content
        elif child.type == "image" and heading:
            child.type = "text"
        before = child.type


def _write_note_mark(token: Token) -> str:
    return f"[{token.meta['id'] + 1}]"


def _write_html(
    _: object, tokens: Sequence[Token], index: int, _options: object, env: dict[str, Any]
) -> str:
    """HTML as it is written, but a word in angle brackets is no tag."""
    token, page = tokens[index], env["page"]
    html = token.content
    if token.nesting:
        return html
    if any(html.startswith(start) and end not in html for start, end in _UNFINISHED):
        return f"<p>{escape(html)}</p>"
    if match := _INCLUDE.match(html):
        page.includes.append(match["name"])
    if _MIXED.match(html):
        parser = _build_parser()
        lines = (
            line if line.lstrip().startswith("<") else parser.renderInline(line.strip(), env)
            for line in html.split("\n")
        )
        html = "\n".join(lines)
    return _TAG.sub(lambda tag: _write_tag(tag, page.closed), html)


def _write_tag(tag: re.Match[str], closed: frozenset[str]) -> str:
    name = tag["name"].lower()
    if name == "tabitem":
        title = _TAB_ITEM.search(tag["rest"])
        return "</section>" if tag["end"] else _open_tab(title["title"] if title else "")
    markup = name in closed or "=" in tag["rest"] or tag["rest"].endswith("/")
    if name in _RAW:
        markup = name in closed
    elif name in HTML_TAGS:
        markup = True
    return tag[0] if markup else escape(tag[0])


def _open_tab(title: str) -> str:
    return f'<section {TAB}="{escape(unescape(title))}">'


def _read_reference(state: StateInline, silent: bool) -> bool:
    """The words of a link to a place that only the site knows: ``[text][name]``."""
    start = state.pos
    if state.src[start] != "[" or (start and state.src[start - 1].isalnum()):
        return False
    end = state.md.helpers.parseLinkLabel(state, start)
    match = _LABEL.match(state.src, end + 1) if end >= 0 else None
    if match is None:
        return False
    if not silent:
        last = state.posMax
        state.pos, state.posMax = start + 1, end
        state.md.inline.tokenize(state)
        state.posMax = last
    state.pos = match.end()
    return True


def _read_product(state: StateInline, silent: bool) -> bool:
    """A star between two letters or digits is a sign: "5*3*2" has no emphasis."""
    around = state.src[max(state.pos - 1, 0) : state.pos + 2]
    if not (len(around) == 3 and around[1] == "*" and around[0].isalnum() and around[2].isalnum()):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True
