"""Reads reStructuredText as the page that it makes, with what Sphinx adds to it.

docutils reads the text; it inserts no file and opens no address. A directive or role that only a site
knows keeps its title, its content and its words. Included files, generated pages and undefined
substitutions are named in warnings. What docutils cannot read stays as code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, ClassVar

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, Parser, directives, roles
from docutils.parsers.rst.states import Inliner
from docutils.utils import unescape

from foundry.ports import ReadOptions
from foundry.readers.web.written import (
    WrittenPage,
    build_page,
    load_text,
    open_first,
    write_cell,
    write_code,
    write_definition,
    write_heading,
    write_tab,
)
from foundry.records import Document

_LONGEST_LINE = 100_000
"""Characters of a line for one of which docutils gives up the whole text: it is broken before."""
_LONGEST_MARKED = 10_000
"""Longest paragraph with markup, some three pages: 18,000 characters of "*a " take docutils a second."""
_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "doctitle_xform": True,
    "syntax_highlight": "none",
    # Longer substitutions, which may hold each other, would cost seconds.
    "line_length_limit": _LONGEST_LINE,
}


def _build_inliner() -> Inliner:
    """What reads markup in a paragraph; a long one is plain text, as each mark is looked for to its end."""
    inliner = Inliner()
    parse = inliner.parse

    def parse_short(text: str, *place: Any) -> Any:
        if len(text) > _LONGEST_MARKED:
            return [nodes.Text(unescape(text))], []
        return parse(text, *place)

    # docutils reads the attributes of this very class, so that it can have no subclass.
    inliner.parse = parse_short
    return inliner


def read_restructured(path: Path, options: ReadOptions) -> Document:
    """Read reStructuredText. The title is the one on its own at the top, else the first heading."""
    decoded = load_text(path)
    page = WrittenPage()
    with _answer_unknown_names(page):
        text, parser = _break_lines(decoded.text), Parser(inliner=_build_inliner())
        tree = publish_doctree(text, parser=parser, settings_overrides=_SETTINGS)
    page.html = _Writer(page, titled=bool(tree.get("title"))).write(tree)
    return build_page("rst", page, options.name, decoded.warning)


def _break_lines(text: str) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())][:_LONGEST_MARKED]
        long = len(line) > _LONGEST_LINE
        lines += wrap(line, _LONGEST_LINE, subsequent_indent=indent) if long else [line]
    return "\n".join(lines)


# --- Directives and roles that docutils does not know

_CODE = frozenset(
    """code-block sourcecode code highlight-block ipython ipython3 doctest testcode testoutput
    testsetup testcleanup prompt console productionlist jupyter-execute plot parsed-literal-block
    terminal command-output program-output""".split()  # noqa: SIM905  a list takes 20 lines
)
_DRAWN = frozenset("graphviz digraph graph mermaid uml inheritance-diagram plantuml aafig".split())  # noqa: SIM905
# They say how the page is made, and have no text.
_SETTING = frozenset(
    """highlight highlightlang currentmodule module py:currentmodule py:module js:module index
    tabularcolumns codeauthor sectionauthor default-domain default-role program meta
    setup testsetup testcleanup cssclass rst-class raw-setting currentlibrary""".split()  # noqa: SIM905
)
_LISTS_FILES = frozenset("toctree autosummary include literalinclude mdinclude".split())  # noqa: SIM905
_TABS = frozenset("tab tab-item group-tab code-tab".split())  # noqa: SIM905
_VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
    "deprecated-removed": "Deprecated since version",
}
_TITLES = {"seealso": "See also", "todo": "To do"}
# The names of directives that describe a part of a program: "py:method", "cfunction".
_OBJECT = re.compile(
    r"(?:[a-z]+:\w+|c?(?:function|class|method|attribute|data|exception|module|type|macro|member|var)"
    r"|(?:static|class)method|decorator(?:method)?|property|describe|object|envvar|option|cmdoption"
    r"|confval|setting|fixture|opcode|rst:\w+|templatetag|templatefilter|fieldlookup|django-\w+)"
)
_PARTS = frozenset("func class meth attr exc mod obj data paramref".split())  # noqa: SIM905
_TARGET = re.compile(r"(?s)(?P<words>.*\S)\s*<[^<>]*>$")
_ESCAPED = re.compile(r"\\(.)")
_GENERATED = re.compile(r"auto[a-z]+")
_FIELD = re.compile(r"(?m)^\s*:([\w-]+):(?!`)[ \t]*(.*)$")
_TITLE_OPTIONS = ("title", "header", "label", "version")
_FILE_OPTIONS = ("file", "url")


def _take_any(value: str | None) -> str:
    return value or ""


class _AnyOption(dict[str, Callable[[str], Any]]):
    """The options of a directive: any name is one, as sites add theirs."""

    def __missing__(self, name: str) -> Callable[[str], Any]:
        return _take_any


class _Unknown(Directive):  # type: ignore[misc]  # docutils has no types
    """A directive of Sphinx or of a site: its title and its content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[Any] = _AnyOption(name=_take_any)
    page: ClassVar[WrittenPage]

    def run(self) -> list[nodes.Node]:
        name = self.name.lower()
        words = self.arguments[0] if self.arguments else ""
        if _FIELD.match(words):
            # Options that are deeper than the content are no options to docutils.
            self.options |= dict(_FIELD.findall(words))
            words = ""
        for names, write in _RUNS:
            if name in names:
                return write(self, name, words)
        if _GENERATED.fullmatch(name):
            return [*self._name_unread(name, words), *self._parse()]
        if words and _OBJECT.fullmatch(name):
            return [self._write_object(words)]
        stated = (self.options[key] for key in _TITLE_OPTIONS if self.options.get(key))
        return [*self._write_title(words or next(stated, _TITLES.get(name, ""))), *self._parse()]

    def _skip(self, _name: str, _words: str) -> list[nodes.Node]:
        return []

    def _name_unread(self, name: str, words: str) -> list[nodes.Node]:
        self.page.unread.append(f"{name} {words}".strip())
        return []

    def _name_files(self, _name: str, words: str) -> list[nodes.Node]:
        self.page.includes += [words] if words else _list_entries(self.content)
        return self._write_title(self.options.get("caption", ""))

    def _write_code(self, _name: str, _words: str) -> list[nodes.Node]:
        text = "\n".join(self.content)
        code = [nodes.literal_block(text, text)] if text else []
        return [*self._write_title(self.options.get("caption", "")), *code]

    def _write_tab(self, name: str, words: str) -> list[nodes.Node]:
        code = name == "code-tab"
        inner = self._write_code(name, words) if code else self._parse()
        tab = nodes.container("", *inner)
        tab["tab"] = words.split(None, 1)[-1] if code and words else words
        return [tab]

    def _parse(self) -> list[nodes.Node]:
        holder = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, holder, match_titles=1)
        return list(holder.children)

    def _write_title(self, words: str) -> list[nodes.Node]:
        if not words:
            return []
        found, messages = self.state.inline_text(words, self.lineno)
        return [nodes.paragraph(words, "", *found), *messages]

    def _write_version(self, name: str, words: str) -> list[nodes.Node]:
        version, *text = words.split(None, 1) or [""]
        first = self._write_title(": ".join([f"{_VERSIONS[name]} {version}", *text]))
        content = self._parse()
        if not text and content and isinstance(content[0], nodes.paragraph):
            first[0] += [nodes.Text(": "), *content.pop(0).children]
        return [*first, *content]

    def _write_object(self, words: str) -> nodes.Node:
        signature = ", ".join(_ESCAPED.sub(r"\1", line.strip()) for line in words.split("\n"))
        term, text = nodes.term(signature, signature), nodes.definition("", *self._parse())
        return nodes.definition_list("", nodes.definition_list_item("", term, text))


_RUNS: tuple[tuple[frozenset[str], Callable[[_Unknown, str, str], list[nodes.Node]]], ...] = (
    (_SETTING, _Unknown._skip),  # noqa: SLF001  the table of the class
    (_LISTS_FILES, _Unknown._name_files),  # noqa: SLF001
    (_DRAWN | {"raw"}, _Unknown._name_unread),  # noqa: SLF001
    (_CODE, _Unknown._write_code),  # noqa: SLF001
    (_TABS, _Unknown._write_tab),  # noqa: SLF001
    (frozenset(_VERSIONS), _Unknown._write_version),  # noqa: SLF001
)


def _list_entries(lines: Sequence[str]) -> list[str]:
    """The names of a toctree: "name", or "title <name>"."""
    names = (line.strip().strip("~") for line in lines)
    return [name.rpartition("<")[2].rstrip(">") for name in names if name]


def _read_role(
    name: str, rawtext: str, text: str, *_place: Any, **_more: Any
) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """The words of a role that only a site knows: ``:ref:`words <name>```."""
    words = unescape(text)
    if match := _TARGET.match(words):
        words = match["words"]
    elif words.startswith("~"):
        words = words.rpartition(".")[2].lstrip("~")
    words = words.lstrip("!~")
    if name.rpartition(":")[2] in _PARTS:
        # ".Session.add" is looked up in every module.
        words = words.removeprefix(".")
    return [nodes.inline(rawtext, words)], []


@contextmanager
def _answer_unknown_names(page: WrittenPage) -> Iterator[None]:
    """Let docutils find a directive and a role for every name, as Sphinx does."""
    find_directive, find_role = directives.directive, roles.role
    unknown = type("Unknown", (_Unknown,), {"page": page})

    def choose_directive(name: str, language: Any, document: Any) -> tuple[Any, list[Any]]:
        lower = name.lower()
        if lower in _SETTING | _LISTS_FILES | _CODE or lower == "raw":
            return unknown, []
        found, _ = find_directive(name, language, document)
        if found is None or lower == "class":
            return _choose_class(found, unknown) if found else unknown, []
        return _loosen(found, page), []

    def choose_role(name: str, language: Any, lineno: int, reporter: Any) -> tuple[Any, list[Any]]:
        found, _ = find_role(name, language, lineno, reporter)
        return (_read_role if found is None or name.lower() == "raw" else found), []

    directives.directive, roles.role = choose_directive, choose_role
    try:
        yield
    finally:
        directives.directive, roles.role = find_directive, find_role
        # Those that the text defined must not answer in the next one.
        roles._roles.clear()  # noqa: SLF001


def _loosen(found: Any, page: WrittenPage) -> Any:
    """A directive of docutils that takes the options of sites too, and names the file that it needs."""

    def run(self: Any) -> list[nodes.Node]:
        for option in _FILE_OPTIONS:
            if name := self.options.get(option):
                page.includes.append(str(name))
                return []
        result: list[nodes.Node] = found.run(self)
        return result

    options = _AnyOption(found.option_spec or {"class": _take_any})
    return type(found.__name__, (found,), {"option_spec": options, "run": run})


def _choose_class(found: Any, unknown: Any) -> Any:
    """``class`` names a style in docutils and a class of a program in Sphinx."""

    def make(*arguments: Any) -> Any:
        words = " ".join(arguments[1])
        style = words == words.lower() and not re.search(r"[.(]", words)
        return (found if style else unknown)(*arguments)

    make.option_spec = unknown.option_spec  # type: ignore[attr-defined]
    return type("Class", (unknown,), {"__new__": staticmethod(lambda _, *a: make(*a))})


# --- The page

_TAGS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "definition_list": "dl",
    "field_list": "dl",
    "option_list": "dl",
    "block_quote": "blockquote",
    "line_block": "div",
    "attribution": "p",
    "rubric": "p",
    "caption": "figcaption",
    "legend": "div",
    "figure": "figure",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "row": "tr",
    "admonition": "div",
    "superscript": "sup",
    "container": "div",
    "compound": "div",
    "sidebar": "div",
    "list_item": "li",
    "header": "div",
    "footer": "div",
    "subtitle": "p",
    "docinfo": "dl",
}
_SILENT = "comment target substitution_definition pending meta raw colspec generated"
_ALONE = {**dict.fromkeys(_SILENT.split(), ""), "image": "<img>", "transition": "<hr>"}
_ADMONITIONS = frozenset(
    "attention caution danger error hint important note tip warning".split()  # noqa: SIM905
)
_KINDS = {"arabic": "1", "loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I"}
_DOCINFO = frozenset(
    "author organization contact address version revision status date copyright authors".split()  # noqa: SIM905
)
_PROBLEM = re.compile(r"(?s)(?P<tick>`+)(?P<words>.*?)(?P=tick)_{0,2}")


class _Writer:
    """Writes the tree that docutils makes as HTML."""

    def __init__(self, page: WrittenPage, *, titled: bool) -> None:
        self._page = page
        self._level = 0
        self._above = int(titled)

    def write(self, node: Any) -> str:
        kind = node.tagname.lstrip("#")
        if kind in _ALONE:
            return _ALONE[kind]
        method = getattr(self, f"_write_{kind}", None)
        if method is not None:
            return str(method(node))
        if kind in _DOCINFO and node.parent.tagname == "docinfo":
            return self._write_property(node)
        inner, tag = self._write_all(node), _TAGS.get(kind)
        if kind in _ADMONITIONS:
            return f"<div><p>{kind.capitalize()}</p>{inner}</div>\n"
        return f"<{tag}>{inner}</{tag}>{'' if tag == 'sup' else chr(10)}" if tag else inner

    def _write_text(self, node: Any) -> str:
        return escape(node.astext(), quote=False)

    def _write_literal_block(self, node: Any) -> str:
        return write_code(node.astext())

    _write_doctest_block = _write_math_block = _write_literal_block

    def _write_topic(self, node: Any) -> str:
        return "" if "contents" in node["classes"] else f"<div>{self._write_all(node)}</div>\n"

    def _write_all(self, node: Any) -> str:
        return "".join(self.write(child) for child in node.children)

    def _write_section(self, node: Any) -> str:
        self._level += 1
        inner = self._write_all(node)
        self._level -= 1
        return inner

    def _write_title(self, node: Any) -> str:
        inner, parent = self._write_all(node), node.parent.tagname
        if parent == "table":
            return f"<caption>{inner}</caption>"
        if parent not in {"section", "document"}:
            return f"<p>{inner}</p>\n"
        return write_heading("", self._level + self._above if parent == "section" else 1, inner)

    def _write_container(self, node: Any) -> str:
        inner = self._write_all(node)
        return write_tab(unescape(node["tab"]), inner) if "tab" in node else f"<div>{inner}</div>\n"

    def _write_enumerated_list(self, node: Any) -> str:
        kind = _KINDS.get(node.get("enumtype", ""), "1")
        start = node.get("start", 1)
        return f'<ol type="{kind}" start="{start}">{self._write_all(node)}</ol>\n'

    def _write_definition_list_item(self, node: Any) -> str:
        terms = [child for child in node.children if child.tagname in {"term", "classifier"}]
        words = " : ".join(self._write_all(term) for term in terms)
        rest = (self._write_all(child) for child in node.children if child not in terms)
        return write_definition(words, "".join(rest))

    def _write_field(self, node: Any) -> str:
        if node.parent.tagname == "docinfo":
            return self._write_property(node)
        return write_definition(self._write_all(node[0]), self._write_all(node[1]))

    def _write_option_list_item(self, node: Any) -> str:
        options = ", ".join(escape(option.astext()) for option in node[0].children)
        return write_definition(options, self._write_all(node[1]))

    def _write_line(self, node: Any) -> str:
        return f"{self._write_all(node)}<br>"

    def _write_property(self, node: Any) -> str:
        name, body = node.tagname, node
        if name == "field":
            name, body = node[0].astext(), node[1]
        self._page.properties.setdefault(name.lower(), body.astext())
        return write_definition(escape(name.capitalize()), self._write_all(body))

    def _write_tgroup(self, node: Any) -> str:
        columns = [child for child in node.children if child.tagname == "colspec"]
        stubs = sum(1 for column in columns if column.get("stub"))
        for row in node.findall(nodes.row):
            for entry in row.children[:stubs]:
                entry["stub"] = True
        return self._write_all(node)

    def _write_entry(self, node: Any) -> str:
        header = bool(node.get("stub")) or node.parent.parent.tagname == "thead"
        across, down = node.get("morecols", 0) + 1, node.get("morerows", 0) + 1
        return write_cell(self._write_all(node), across, down, header=header)

    def _write_footnote_reference(self, node: Any) -> str:
        return f"[{escape(node.astext())}]"

    _write_citation_reference = _write_footnote_reference

    def _write_footnote(self, node: Any) -> str:
        label, rest = node.children[0], node.children[1:]
        inner = open_first("".join(map(self.write, rest)))
        return f"<div>[{escape(label.astext())}] {inner}</div>\n"

    _write_citation = _write_footnote

    def _write_math(self, node: Any) -> str:
        return escape(node.astext())

    def _write_substitution_reference(self, node: Any) -> str:
        self._page.unknown.append(node.astext())
        return escape(node.astext())

    def _write_system_message(self, node: Any) -> str:
        """What docutils could not read, as it is written."""
        kept = [child.astext() for child in node.children if child.tagname == "literal_block"]
        self._page.unread += [text.strip().split("\n")[0][:60] for text in kept]
        return "".join(write_code(text) for text in kept)

    def _write_problematic(self, node: Any) -> str:
        text = node.astext()
        if re.fullmatch(r"\|[^|]+\|_{0,2}", text):
            self._page.unknown.append(text.strip("|_"))
            return escape(text.strip("|_"))
        if text in {"`", "``"}:
            return ""
        match = _PROBLEM.fullmatch(text)
        words = match["words"] if match else re.sub(r"(?<=\w)_{1,2}$", "", text)
        named = _TARGET.match(words)
        return escape(_ESCAPED.sub(r"\1", named["words"] if named else words))
