"""Reads AsciiDoc as the page that it makes.

Read: title, author and revision lines, attributes and conditions on them, headings, paragraphs, lists
(nested, labelled, of callouts), admonitions, delimited blocks, tables with spans, and inline markup.
Not read: expressions (``ifeval`` holds), titles underlined with a second line, and extensions: the block of
one keeps its text. Files that are included are named.
"""

from __future__ import annotations

import csv
import re
from html import escape
from itertools import zip_longest
from pathlib import Path

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.web.written import (
    WrittenPage,
    build_page,
    load_text,
    write_cell,
    write_code,
    write_heading,
)
from foundry.records import Document

_MAX_LEVELS = 60
_MAX_FILLED = 5_000_000
"""Most characters that references to attributes may put in; they may refer to each other."""
_ENTRY = re.compile(r":(?P<off>!?)(?P<name>\w[\w-]*)!?:(?:\s+(?P<value>.*))?$")
_CONDITION = re.compile(r"(?P<kind>ifn?def|ifeval|endif)::(?P<names>[^\[]*)\[(?P<text>.*)\]\s*$")
_INCLUDE = re.compile(r"include::(?P<name>[^\[]+)\[.*\]\s*$")
_FENCE = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```.*|[|,:!]={3,})\s*$")
_HEADING = re.compile(r"(?P<marks>={1,6}|#{1,6})\s+(?P<text>\S.*)$")
_ITEM = re.compile(
    r"\s*(?P<mark>\*{1,5}|-|\.{1,5}|\d+\.|[a-zA-Z]\.|<(?:\d+|\.)>)\s+(?P<text>\S.*)$"
)
_LABEL = re.compile(r"\s*(?P<text>\S.*?)(?P<mark>:{2,4}|;;)(?:\s+(?P<rest>\S.*))?$")
_ADMONITION = re.compile(r"(?P<kind>NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+(?P<text>.*)$")
_KINDS = frozenset({"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"})
_MEDIA = re.compile(r"(?:image|video|audio)::\S+?\[.*\]\s*$")
_MACRO = re.compile(r"(?P<name>[a-z_]+)::(?P<target>\S*?)\[(?P<text>.*)\]\s*$")
_REVISION = re.compile(r"v?(?P<mark>\d[^,:]*)?(?:,\s*(?P<day>[^:]+))?(?::.*)?$")
_CELL = re.compile(
    r"(?<!\\)(?:(?P<times>\d+)\*|(?:(?P<across>\d+)?(?:\.(?P<down>\d+))?\+)?)(?:[<^>]?(?:\.[<^>])?)"
    r"(?P<style>(?<![a-zA-Z])[adehlmsv])?\|"
)
_CHECK = re.compile(r"\[(?P<mark>[ x*])\]\s+")
_SIGN_NAMES = """nbsp sp amp lt gt plus asterisk tilde caret startsb endsb vbar backtick deg apos quot
    lsquo rsquo ldquo rdquo backslash"""
_SIGNS = dict(zip(_SIGN_NAMES.split(), "\xa0 &<>+*~^[]|`°'\"‘’“”\\", strict=True))
_SIGNS |= {"empty": "", "blank": "", "zwsp": "", "two-colons": "::", "cpp": "C++", "pp": "++"}
_REFERENCE = re.compile(r"(?<![\\$#/])\{(?P<name>\w[\w-]*)\}")
_COUNTER = re.compile(r"\{(?:counter2?|set):[^{}]*\}")
# Each run has a longest length, so that no paragraph takes the square of its own.
_PASS = re.compile(
    r"\+\+\+(?P<raw>.{1,999}?)\+\+\+|pass:\w*(?:,\w+)*\[(?P<macro>.{0,999}?)\]|(?<!\w)`\+(?P<code>.{1,999}?)\+`(?!\w)"
    r"|\+\+(?P<two>.{1,999}?)\+\+|(?<![\w+])\+(?P<one>\S(?:.{0,999}?\S)?)\+(?![\w+])"
    r"|``(?P<loose>.{1,999}?)``|(?<![\w`\"'\\])`(?P<mono>\S(?:.{0,999}?\S)?)`(?![\w`\"'])",
    re.DOTALL,
)
_WORDS = r"\[(?P<text>(?:\\\]|[^\]]){0,999})\]"
_INLINE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), by)
    for pattern, by in (
        (r"\(\(\([^()]{0,999}\)\)\)|indexterm:\[[^\]]{0,999}\]|\[\[[\w:.,\s-]+\]\]|anchor:\S{1,299}?\[[^\]]{0,999}\]", ""),
        (r"\(\((?P<text>[^()]{1,999})\)\)|indexterm2:\[(?P<text2>[^\]]+)\]", r"\g<text>\g<text2>"),
        (r"image:[^:\s]\S{0,299}?\[[^\]]{0,999}\]", "<img>"),
        (r"icon:\S{1,299}?\[[^\]]{0,999}\]", ""),
        (r"(?:kbd|btn|stem|latexmath|asciimath):" + _WORDS, r"\g<text>"),
        (r"menu:(?P<menu>[^\[\n]{1,99})\[(?P<text>[^\]]{0,999})\]", r"\g<menu> &gt; \g<text>"),
        (r'(?<![\w"])"`(?P<text>\S(?:.{0,999}?\S)?)`"(?!\w)', r"“\g<text>”"),
        (r"(?<![\w'])'`(?P<text>\S(?:.{0,999}?\S)?)`'(?!\w)", r"‘\g<text>’"),
        (r"(?<![\w\\])(?:\[[^\[\]\n]{0,99}\])?(?P<mark>\*\*|__|##)(?P<text>.{1,999}?)(?P=mark)", r"\g<text>"),
        (r"(?<=\w)(?P<mark>\*\*|__|##)(?P<text>[^\s].*?)(?P=mark)", r"\g<text>"),
        (r"(?<![\w\\:;}*])(?:\[[^\[\]\n]{0,99}\])?\*(?P<text>[^\s*](?:.{0,999}?\S)?)\*(?![\w*])", r"\g<text>"),
        (r"(?<![\w\\:;}_])(?:\[[^\[\]\n]{0,99}\])?_(?P<text>[^\s_](?:.{0,999}?\S)?)_(?![\w_])", r"\g<text>"),
        (r"(?<![\w\\&:;}#])(?:\[[^\[\]\n]{0,99}\])?#(?P<text>[^\s#](?:.{0,999}?\S)?)#(?![\w#])", r"\g<text>"),
        (r"(?<!\\)\^(?P<text>[^\s^]{1,99})\^", r"<sup>\g<text></sup>"),
        (r"(?<!\\)~(?P<text>[^\s~]{1,99})~", r"\g<text>"),
        (r"(?m)[ \t]\+$", "<br>"),
        (r"\\(?=[*_`#{\[<^~:+])", ""),
    )
)  # fmt: skip
_LINK = re.compile(
    r"(?<![\w\\])(?:link:|mailto:|xref:)(?P<target>[^\s\[\]]{0,999})" + _WORDS
    + r"|(?:https?|ftp|irc)://[^\s\[\]<>]{1,999}\[(?P<words>(?:\\\]|[^\]]){0,999})\]"
    r"|&lt;&lt;(?P<id>[^,&]{1,299})(?:,\s*(?P<named>.{0,999}?))?&gt;&gt;",
    re.DOTALL,
)  # fmt: skip
_NOTE = re.compile(
    r"\s*footnote(?:ref)?:(?P<id>[\w-]*)\[(?P<text>(?:\\\]|[^\]]){0,999})\]", re.DOTALL
)


def read_asciidoc(path: Path, options: ReadOptions) -> Document:
    """Read AsciiDoc. The title is the one at the top, else the first heading of its level."""
    decoded = load_text(path)
    page = WrittenPage()
    writer = _Writer(page)
    page.html = writer.write(decoded.text.expandtabs(4).splitlines())
    return build_page("asciidoc", page, options.name, decoded.warning)


class _Writer:
    """Reads lines of AsciiDoc from the top, and writes them as HTML."""

    def __init__(self, page: WrittenPage) -> None:
        self._page = page
        self._attributes: dict[str, str] = dict(_SIGNS)
        self._notes: dict[str, str] = {}
        self._depth = 0
        self._room = _MAX_FILLED

    def write(self, lines: list[str]) -> str:
        html = self._write_blocks(self._read_header(self._choose_lines(lines)))
        for name, key in (("revnumber", "version"), ("revdate", "date"), ("status", "status"), ("revremark", "status")):  # fmt: skip
            if name in self._attributes:
                self._page.properties.setdefault(key, self._attributes[name])
        return html + "".join(f"<p>[{n}] {text}</p>\n" for n, text in enumerate(self._notes.values(), 1))  # fmt: skip

    def _choose_lines(self, lines: list[str]) -> list[str]:
        """The lines that conditions leave, without comments and with the names of included files kept."""
        chosen: list[str] = []
        skipping, fence, known = 0, "", set(_SIGNS)
        for line in lines:
            condition, entry = _CONDITION.match(line), None if fence else _ENTRY.match(line)
            if condition:
                skipping = self._read_condition(condition, known, skipping, chosen)
            elif skipping:
                continue
            elif match := _INCLUDE.match(line):
                self._page.includes.append(match["name"])
            elif fence or _FENCE.match(line):
                opens = line.strip()[:3] in {"---", "...", "```", "+++", "///"}
                closes = bool(fence) and line.strip() == fence
                chosen += [] if (fence or line).startswith("////") else [line]
                fence = "" if closes else fence or (line.strip()[:3] if line.startswith("```") else line.strip() if opens else "")  # fmt: skip
            elif not line.startswith("//") or line.startswith("///"):
                if entry:
                    (known.discard if entry["off"] else known.add)(entry["name"])
                chosen.append(line)
        return chosen

    def _read_condition(
        self, condition: re.Match[str], known: set[str], skipping: int, chosen: list[str]
    ) -> int:
        kind, names = condition["kind"], re.split(r"[,+]", condition["names"])
        if kind == "endif" or skipping:
            return max(skipping + (-1 if kind == "endif" else 0 if condition["text"] else 1), 0)
        combine = all if "+" in condition["names"] else any
        holds = kind == "ifeval" or (combine(n in known for n in names) == (kind == "ifdef"))
        if condition["text"] and kind != "ifeval":
            chosen += [condition["text"]] if holds else []
            return 0
        return 0 if holds else 1

    def _read_header(self, lines: list[str]) -> list[str]:
        """Take the author and revision lines below the title."""
        at = next((n for n, line in enumerate(lines) if line.strip() and not _ENTRY.match(line)), 0)
        title = _HEADING.match(lines[at]) if lines else None
        if title is None or len(title["marks"]) > 1:
            return lines
        end = at + 1
        while end < len(lines) and lines[end].strip() and _ENTRY.match(lines[end]):
            end += 1
        if end < len(lines) and re.match(r"[^\W\d_][^\[\]=:]*$|.*<\S+@\S+>", lines[end]):
            shown = [lines[end].partition("<")[0].strip()]
            revision = _REVISION.match(lines[end + 1]) if lines[end + 1 : end + 2] else None
            found = {"revnumber": revision["mark"], "revdate": revision["day"]} if revision else {}
            if stated := {key: value for key, value in found.items() if value}:
                self._attributes |= stated
                shown.append(lines[end + 1].strip())
            rest = lines[end + len(shown) :]
            return [*lines[: at + 1], "", ", ".join(filter(None, shown)), "", *rest]
        return lines

    def _write_blocks(self, lines: list[str]) -> str:
        self._depth += 1
        if self._depth > _MAX_LEVELS:
            raise ReadError("readers-html-nested", limit=_MAX_LEVELS)
        parts, at = [], 0
        while at < len(lines):
            html, at = self._write_block(lines, at)
            parts.append(html)
        self._depth -= 1
        return "".join(parts)

    def _write_block(self, lines: list[str], at: int) -> tuple[str, int]:
        """One block with its attributes and title; returns where the next one starts."""
        style, title = "", ""
        while at < len(lines):
            line = lines[at].rstrip()
            entry = _ENTRY.match(line)
            if entry:
                at = self._read_entry(entry, lines, at)
            elif re.fullmatch(r"\[\[?[^\[\]]*\]\]?", line) and not _CHECK.match(line):
                style += "," + line.strip("[]") if not line.startswith("[[") else ""
            elif re.match(r"\.[^\s.]", line):
                title = f"<figcaption>{self._write_inline(line[1:])}</figcaption>\n"
            elif line.strip() not in {"", "+"}:
                break
            at += 1
        else:
            return title, at
        for write in (self._write_fence, self._write_lines, self._write_list):
            found = write(lines, at, style.strip(","))
            if found is not None:
                return title + found[0], found[1]
        return self._write_paragraph(lines, at, style.strip(","), title)

    def _read_entry(self, entry: re.Match[str], lines: list[str], at: int) -> int:
        value = entry["value"] or ""
        while value.endswith("\\") and at + 1 < len(lines):
            at += 1
            value = value[:-1].rstrip(" +") + " " + lines[at].strip()
        if entry["off"]:
            self._attributes.pop(entry["name"], None)
        else:
            self._attributes[entry["name"].lower()] = self._fill(value)
        return at

    def _write_fence(self, lines: list[str], at: int, style: str) -> tuple[str, int] | None:
        """A block between two equal lines, up to the end if the second one is missing."""
        mark = lines[at].strip()
        if not _FENCE.match(lines[at]):
            return None
        mark = "```" if mark.startswith("```") else mark
        end = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == mark), len(lines))
        inner = lines[at + 1 : end]
        kind = style.partition(",")[0].strip().upper()
        if mark[1:2] == "=" and mark[0] in "|,:!":
            return self._write_table(inner, style, mark[0]), end + 1
        if mark[:2] == "++":
            return f"<div>{chr(10).join(inner)}</div>\n", end + 1
        if mark[0] == "/":
            return "", end + 1
        if (
            mark[0] in ".`"
            or mark[:3] == "---"
            or kind in {"SOURCE", "LISTING", "LITERAL", "VERSE"}
        ):
            return write_code(
                re.sub(r"(?m)\s*(?://|#|;;)?\s*<(?:\d+|\.)>$", "", "\n".join(inner))
            ), end + 1
        name = f"<p>{kind.capitalize()}</p>" if kind in _KINDS else ""
        tag = "blockquote" if mark[0] == "_" else "div"
        return f"<{tag}>{name}{self._write_blocks(inner)}</{tag}>\n", end + 1  # fmt: skip

    def _write_lines(self, lines: list[str], at: int, style: str) -> tuple[str, int] | None:
        """What stands on one line: a heading, a picture, a rule, a macro."""
        line = lines[at]
        heading = _HEADING.match(line)
        if heading:
            tag = "p" if "discrete" in style or "float" in style else ""
            words = self._write_inline(heading["text"])
            html = f"<p>{words}</p>\n" if tag else write_heading("", len(heading["marks"]), words)
            return html, at + 1
        if _MEDIA.match(line):
            return "<img>\n", at + 1
        if line.rstrip() in {"'''", "---", "***", "<<<"}:
            return "<hr>\n", at + 1
        macro = _MACRO.match(line)
        if macro is None:
            return None
        if macro["name"] != "toc":
            self._page.unread.append(f"{macro['name']}::{macro['target']}")
        return "", at + 1

    def _write_list(
        self, lines: list[str], at: int, _style: str, above: tuple[str, ...] = ()
    ) -> tuple[str, int] | None:
        first = _match_item(lines[at])
        if first is None:
            return None
        if len(above) > _MAX_LEVELS:
            raise ReadError("readers-html-nested", limit=_MAX_LEVELS)
        kind, parts = _name_mark(first["mark"]), []
        tag = "dl" if kind[0] in ":;" else "ul" if kind[0] in "*-" else "ol"
        while at < len(lines):
            item = _match_item(lines[at])
            if item is None or _name_mark(item["mark"]) != kind:
                break
            text = item["text"] if tag != "dl" else item["rest"] or ""
            inner, at = self._write_item(lines, at + 1, text, (*above, kind))
            if tag == "dl":
                parts.append(f"<dt>{self._write_inline(item['text'])}</dt><dd>{inner}</dd>\n")
            else:
                parts.append(f"<li>{inner}</li>\n")
        return f"<{tag}>{''.join(parts)}</{tag}>\n", at

    def _write_item(
        self, lines: list[str], at: int, text: str, above: tuple[str, ...]
    ) -> tuple[str, int]:
        """The text of an item, the lists below it and the blocks that "+" adds."""
        words, parts = [text] if text else [], []
        while at < len(lines):
            line = lines[at]
            item = _match_item(line)
            if line.strip() == "+":
                html, at = self._write_block(lines, at + 1)
                parts.append(html)
            elif item is not None:
                if _name_mark(item["mark"]) in above:
                    break
                found = self._write_list(lines, at, "", above)
                html, at = found or ("", at + 1)
                parts.append(html)
            elif not line.strip():
                below = next((n for n in range(at, len(lines)) if lines[n].strip()), len(lines))
                more = below < len(lines) and (
                    _match_item(lines[below]) or (not words and not parts)
                )
                if not more or _HEADING.match(lines[below]) or lines[below].startswith("["):
                    break
                at = below
            elif (
                parts or _FENCE.match(line) or line.startswith(("[", "//")) or _HEADING.match(line)
            ):
                break
            else:
                words.append(line.strip())
                at += 1
        check = _CHECK.match(words[0]) if words else None
        if check:
            words[0] = ("☐ " if check["mark"] == " " else "☒ ") + words[0][check.end() :]
        return self._write_inline("\n".join(words)) + "".join(parts), at  # fmt: skip

    def _write_paragraph(
        self, lines: list[str], at: int, style: str, title: str
    ) -> tuple[str, int]:
        end = at + 1
        while end < len(lines) and lines[end].strip() not in {"", "+"}:
            if _FENCE.match(lines[end]) or re.match(r"\[[^\[\]]*\]\s*$", lines[end]):
                break
            end += 1
        text, kind = "\n".join(lines[at:end]), style.partition(",")[0].strip().upper()
        if kind in {"SOURCE", "LISTING", "LITERAL", "VERSE"} or (lines[at][:1] == " " and not kind):
            return title + write_code(text), end
        admonition = _ADMONITION.match(lines[at])
        if admonition:
            kind, text = admonition["kind"], text[admonition.start("text") :]
        name = f"<p>{kind.capitalize()}</p>" if kind in _KINDS else ""
        return f"{title}{name}<p>{self._write_inline(text)}</p>\n", end

    def _write_table(self, lines: list[str], style: str, mark: str) -> str:
        cells = self._read_cells(lines, style, mark)
        cols = re.search(r"""cols=(?:"([^"]*)"|'([^']*)'|([^,\s]+))""", style)
        columns = 0
        for column in re.split(r"[,;]", next(filter(None, cols.groups()), "") if cols else ""):
            times = re.match(r"\s*(\d+)\*", column)
            columns += int(times[1]) if times else 1
        filled = [line for line in lines if line.strip()]
        first = sum(across for _, across, _, line in cells if line == (cells[0][3] if cells else 0))
        columns = min(columns if cols else first, 1000) or 1
        blank = len(filled) > 1 and lines[:1] == filled[:1] and not lines[1].strip()
        head = "header" in style or (blank and first == columns and "noheader" not in style)
        rows: list[str] = []
        row: list[str] = []
        used, spans = 0, [0] * columns
        for html, across, down, _ in cells:
            used = used or sum(1 for left in spans if left > 0)
            free = [n for n in range(columns) if spans[n] <= 0][len(row) :]
            row.append(write_cell(html, across, down, header=head and not rows))
            for n in free[:across] if down > 1 else ():
                spans[n] = down + (0 if used < columns else 1)
            used += across
            if used >= columns:
                rows.append(f"<tr>{''.join(row)}</tr>\n")
                row, used, spans = [], 0, [left - 1 for left in spans]
        rows += [f"<tr>{''.join(row)}</tr>\n"] if row else []
        return f"<table>{''.join(rows)}</table>\n"

    def _read_cells(
        self, lines: list[str], style: str, mark: str
    ) -> list[tuple[str, int, int, int]]:
        """The cells of a table: words as HTML, columns, rows and the line of each."""
        if mark in ",:" or "format=" in style:
            sign = "\t" if "tsv" in style else ":" if mark == ":" or "dsv" in style else ","
            found = csv.reader(lines, delimiter=sign)
            return [
                (self._write_inline(cell), 1, 1, n) for n, row in enumerate(found) for cell in row
            ]
        text = "\n".join(lines).replace("!", "|") if mark == "!" else "\n".join(lines)
        marks = list(_CELL.finditer(text))
        cells = []
        for match, after in zip_longest(marks, marks[1:]):
            words = text[match.end() : after.start() if after else None].strip().replace("\\|", "|")
            html = self._write_blocks(words.split("\n")) if match["style"] == "a" else self._write_inline(words)  # fmt: skip
            times = min(int(match["times"] or 1), 100)
            across, down = min(int(match["across"] or 1), 100), min(int(match["down"] or 1), 1000)
            cells += [(html, across, down, text.count("\n", 0, match.end()))] * times
        return cells  # fmt: skip

    def _fill(self, text: str, *, keep: bool = False) -> str:
        """Put the values of attributes in; an unknown one is shown by its name."""

        def replace(match: re.Match[str]) -> str:
            value = self._attributes.get(match["name"].lower())
            if value is None:
                self._page.unknown.append(match["name"])
            shown = value if value is not None else match[0] if keep else match["name"]
            self._room -= len(shown)
            if self._room < 0:
                raise ReadError("readers-written-bomb")
            return shown

        return _REFERENCE.sub(replace, _COUNTER.sub("", text))

    def _write_inline(self, text: str) -> str:
        kept: list[str] = []

        def keep(match: re.Match[str]) -> str:
            raw = match["raw"] or match["macro"]
            words = raw or next(value for value in match.groups() if value is not None)
            mono = match["mono"] or match["loose"]
            kept.append(words if raw and "<" in raw else escape(self._fill(words, keep=True) if mono else words, quote=False))  # fmt: skip
            return f"\x00{len(kept) - 1}\x00"

        html = escape(self._fill(_PASS.sub(keep, text)), quote=False)
        html = _NOTE.sub(self._write_note, html)
        html = _LINK.sub(self._write_link, html)
        html = _write_words(html)
        for _ in range(2):
            html = re.sub("\x00(\\d+)\x00", lambda match: kept[int(match[1])], html)
        return html

    def _write_note(self, match: re.Match[str]) -> str:
        name = match["id"] or f"\x00{len(self._notes)}"
        if match["text"]:
            self._notes.setdefault(name, _write_words(match["text"]))
        return f"[{list(self._notes).index(name) + 1}]" if name in self._notes else ""

    def _write_link(self, match: re.Match[str]) -> str:
        """The words of a link, else the name of its place."""
        words = match["text"] or match["words"] or match["named"]
        if words:
            return re.sub(r"(?:,\s*(?:window|role|opts)=.*|\^)$", "", words.replace("\\]", "]"))
        name = match["target"] or match["id"]
        return name.strip("#_").replace("_", " ") if name else match[0].partition("[")[0]


def _write_words(html: str) -> str:
    for pattern, by in _INLINE:
        html = pattern.sub(by, html)
    return html


def _match_item(line: str) -> re.Match[str] | None:
    found = _ITEM.match(line)
    if found is None and "::" not in line and ";;" not in line:
        return None
    return found or (None if _MACRO.match(line) or _MEDIA.match(line) else _LABEL.match(line))


def _name_mark(mark: str) -> str:
    """The kind of a list, by which lists nest: "**", "1.", "::"."""
    return (
        "1."
        if mark[0].isdigit()
        else "a."
        if mark[0].isalpha()
        else "<"
        if mark[0] == "<"
        else mark
    )
