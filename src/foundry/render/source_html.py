"""A source's stored blocks as HTML for reading beside an answer, with the place of every word.

Nothing of the file's own HTML is used: all text is escaped, and there are no links, styles, scripts
or pictures. An element with ``data-start`` and ``data-end`` contains exactly that part of the
source's text, in code points: so any span of the text is a range of the page. Two characters
differ: U+0000, which HTML cannot have, is U+FFFD, and what separates the cells of a table is left
out, between two such elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from foundry.analysis.lexer import is_rule
from foundry.records import Block, CorrectedPart
from foundry.render.places import describe_correction, format_time

_MAIL = frozenset({"eml", "msg"})
_CELL = re.compile(r"(?:[^|\\\n]|\\.|\\)+")
_MAIL_LINE = re.compile(r"([A-Z][A-Za-z-]{1,20}:)[ \t]*(.*)")
_HEADING_MARK = re.compile(r"#{1,6}[ \t]+")
# Runs are short, so that many single marks cannot take long.
_INLINE = re.compile(
    r"(?P<ticks>`{1,3})(?P<code>[^`\n]{1,300})(?P=ticks)"
    r"|(?P<stars>\*\*|__)(?P<strong>(?=\S)[^*_\n]{1,300}(?<=\S))(?P=stars)"
    r"|(?P<star>\*|(?<!\w)_)(?P<em>(?=\S)[^*_\n]{1,300}(?<=\S))(?P=star)(?!\w)"
    r"|\[(?P<words>[^\[\]\n]{1,300})\](?P<target>\([^()\s]{0,500}\))"
)
_TAGS = {"code": "code", "strong": "strong", "em": "em"}


def render_source(text: str, blocks: Sequence[Block], kind: str, *, page: int | None = None) -> str:
    """The blocks as HTML; ``kind`` is the source's type, ``page`` that of the block before them.

    Where another page begins there is ``<hr data-page="4" data-label="iv">``. Corrected words are in
    ``<ins>``, whose title has those that were read; not in Markdown, whose marks may cross them.
    """
    return "\n".join(_SourceWriter(text, kind, page).write(blocks))


class _SourceWriter:
    def __init__(self, text: str, kind: str, page: int | None) -> None:
        self._text, self._kind, self._page = text, kind, page
        self._corrected: list[CorrectedPart] = []

    def write(self, blocks: Sequence[Block]) -> Iterator[str]:
        parts = (part for block in blocks for part in block.corrections if part.kind == "words")
        self._corrected = sorted(parts, key=lambda part: part.start)
        for kind, run in groupby(blocks, key=lambda block: block.kind):
            if kind == "list_item":
                yield '<ul class="source-list">'
            for block in run:
                if block.page != self._page and block.page is not None:
                    yield self._write_page(block, within_list=kind == "list_item")
                    self._page = block.page
                yield self._write_block(block)
            if kind == "list_item":
                yield "</ul>"

    def _write_page(self, block: Block, *, within_list: bool) -> str:
        label = escape(block.page_label or str(block.page))
        mark = f'<hr data-page="{block.page}" data-label="{label}">'
        return f'<li class="source-page">{mark}</li>' if within_list else mark

    def _write_block(self, block: Block) -> str:
        start, end = block.start, block.end
        if block.kind == "cue":
            return self._write_cue(block)
        if block.kind == "table":
            return self._write_table(block)
        if block.kind == "code":
            return self._write_code(start, end)
        if self._kind in _MAIL and start == 0:
            return self._write_mail(start, end)
        heading = f"h{min((block.level or 1) + 1, 6)}"
        tag = {"heading": heading, "list_item": "li"}.get(block.kind, "p")
        name = {"caption": "source-caption", "contents": "source-contents"}.get(block.kind)
        return self._write_leaf(tag, start, end, name)

    def _write_code(self, start: int, end: int) -> str:
        return f"<pre>{self._write_leaf('code', start, end, plain=True)}</pre>"

    def _write_leaf(
        self, tag: str, start: int, end: int, name: str | None = None, *, plain: bool = False
    ) -> str:
        """An element with exactly the text from ``start`` to ``end``."""
        words = self._text[start:end]
        inline = self._kind == "md" and not plain
        inner = _write_inline(words) if inline else self._write_words(start, end)
        names = f' class="{name}"' if name else ""
        attributes = f'{names} data-start="{start}" data-end="{end}"'
        return f"<{tag}{attributes}>{inner}</{tag.partition(' ')[0]}>"

    def _write_words(self, start: int, end: int) -> str:
        shown = []
        for part in self._corrected:
            if start <= part.start and part.end <= end:
                title = escape(str(describe_correction(part)))
                words = _escape(self._text[part.start : part.end])
                shown += [_escape(self._text[start : part.start])]
                shown += [f'<ins title="{title}">{words}</ins>']
                start = part.end
        return "".join([*shown, _escape(self._text[start:end])])

    def _write_cue(self, block: Block) -> str:
        time = format_time(block.time_start)
        seconds = f' data-time="{block.time_start:g}"' if block.time_start is not None else ""
        shown = f"<time{seconds}>{time}</time> " if time else ""
        speaker = f"<b>{escape(block.speaker)}</b> " if block.speaker else ""
        words = self._write_leaf("span", block.start, block.end)
        return f'<p class="source-cue">{shown}{speaker}{words}</p>'

    def _write_mail(self, start: int, end: int) -> str:
        rows = []
        for line_start, line in _split_lines(self._text, start, end):
            match = _MAIL_LINE.fullmatch(line)
            if match is None:
                return self._write_leaf("p", start, end)
            name = self._write_leaf("dt", line_start, line_start + match.end(1), plain=True)
            value = self._write_leaf(
                "dd", line_start + match.start(2), line_start + match.end(2), plain=True
            )
            rows.append(f"<div>{name}{value}</div>")
        return f'<dl class="source-mail">{"".join(rows)}</dl>'

    def _write_table(self, block: Block) -> str:
        lines = list(_split_lines(self._text, block.start, block.end))
        if not any("|" in line for _, line in lines):
            # Columns that are aligned by spaces.
            return self._write_code(block.start, block.end)
        table = block.table
        values = {cell.start for cell in table.cells} if table else set()
        header = len(table.header) if table and not table.continued else 0
        rows = [self._write_repeated(line) for line in table.header] if table and not header else []
        for number, (start, line) in enumerate(lines):
            marked = self._kind == "md"
            if marked and "-" in line and is_rule(line):
                continue
            cells = list(_split_cells(line, start, bars=marked))
            tags = [
                'th scope="col"'
                if number < header
                else 'th scope="row"'
                if values and place == 0 and first not in values
                else "td"
                for place, (first, _) in enumerate(cells)
            ]
            rows.append(
                "".join(
                    self._write_leaf(tag, *cell) if cell[0] < cell[1] else "<td></td>"
                    for tag, cell in zip(tags, cells, strict=True)
                )
            )
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        return f'<div class="source-table" tabindex="0"><table>\n{body}\n</table></div>'

    def _write_repeated(self, line: str) -> str:
        """The header of a table that an earlier block begins."""
        spans = _split_cells(line, 0, bars=self._kind == "md")
        cells = (line[first:last] for first, last in spans)
        return "".join(f'<th scope="col" class="repeated">{_escape(cell)}</th>' for cell in cells)


def _split_lines(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for line in text[start:end].split("\n"):
        yield start, line
        start += len(line) + 1


def _split_cells(line: str, start: int, *, bars: bool) -> Iterator[tuple[int, int]]:
    """The spans of a line's cells, without the white space around them; empty ones too.

    With ``bars`` a line may begin and end with the bar that separates cells, as in Markdown.
    """
    place, stop = 0, len(line)
    if bars and line.lstrip().startswith("|"):
        place = line.index("|") + 1
        closed = line.rstrip().endswith("|") and line.rindex("|") >= place
        stop = line.rindex("|") if closed else stop
    while place <= stop:
        match = _CELL.match(line, place, stop)
        last = match.end() if match else place
        words = line[place:last]
        first = place + len(words) - len(words.lstrip())
        yield start + first, start + max(first, first + len(words.strip()))
        place = last + 1


def _write_inline(words: str) -> str:
    """Markdown's marks as elements; the marks themselves are there too, in ``span.syntax``."""
    match = _HEADING_MARK.match(words)
    place = match.end() if match else 0
    parts = [_write_syntax(words[:place])]
    for found in _INLINE.finditer(words, place):
        parts.append(_escape(words[place : found.start()]))
        place = found.end()
        group = next((known for known in _TAGS if found[known] is not None), None)
        if group:
            first, last = found.span(group)
            tag = _TAGS[group]
            inner = f"<{tag}>{_escape(words[first:last])}</{tag}>"
        else:
            first, last = found.span("words")
            inner = _escape(words[first:last])
        parts += [
            _write_syntax(words[found.start() : first]),
            inner,
            _write_syntax(words[last : found.end()]),
        ]
    return "".join([*parts, _escape(words[place:])])


def _write_syntax(marks: str) -> str:
    return f'<span class="syntax">{_escape(marks)}</span>' if marks else ""


def _escape(text: str) -> str:
    # A browser reads "\r" as "\n", and drops U+0000.
    return escape(text).replace("\r", "&#13;").replace("\0", "\ufffd")
