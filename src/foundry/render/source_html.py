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

from foundry.messages import Message
from foundry.records import Block, CorrectedPart
from foundry.render.places import describe_correction, format_time
from foundry.text.table_layout import LaidCell, TableLayout
from foundry.text.tables import find_rows

_MAIL = frozenset({"eml", "msg"})
_MAIL_LINE = re.compile(r"([A-Z][A-Za-z-]{1,20}:)[ \t]*(.*)")


def render_source(text: str, blocks: Sequence[Block], kind: str, *, page: int | None = None) -> str:
    """The blocks as HTML; ``kind`` is the source's type, ``page`` that of the block before them.

    Where another page begins there is ``<hr data-page="4" data-label="iv">``. Corrected words are in
    ``<ins>``, whose title has those that were read.
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
        return f"<pre>{self._write_leaf('code', start, end)}</pre>"

    def _write_leaf(self, tag: str, start: int, end: int, name: str | None = None) -> str:
        """An element with exactly the text from ``start`` to ``end``."""
        inner = self._write_words(start, end)
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
            name = self._write_leaf("dt", line_start, line_start + match.end(1))
            value = self._write_leaf("dd", line_start + match.start(2), line_start + match.end(2))
            rows.append(f"<div>{name}{value}</div>")
        return f'<dl class="source-mail">{"".join(rows)}</dl>'

    def _write_table(self, block: Block) -> str:
        words, table = self._text[block.start : block.end], block.table
        if "|" not in words:
            # Columns that are aligned by spaces.
            return self._write_code(block.start, block.end)
        above = table.header if table and table.continued else ()
        rows = [_write_repeated(line) for line in above]
        laid = TableLayout(self._text, block).lay_out()
        rows += ["".join(map(self._write_cell, row)) for row in laid]
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        return f'<div class="source-table" tabindex="0"><table>\n{body}\n</table></div>'

    def _write_cell(self, cell: LaidCell) -> str:
        tag = f'th scope="{cell.scope}"' if cell.scope else "td"
        tag += f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
        tag += f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
        if cell.start == cell.end:
            return f"<{tag}></{tag.partition(' ')[0]}>"
        if cell.certain:
            return self._write_leaf(tag, cell.start, cell.end)
        doubt = escape(str(Message("source-cell-uncertain")))
        return self._write_leaf(f'{tag} title="{doubt}"', cell.start, cell.end, "doubt")


def _write_repeated(line: str) -> str:
    """The header of a table that an earlier block begins."""
    cells = (line[slice(*cell)] for row in find_rows(line, 0) for cell in row.cells)
    return "".join(f'<th scope="col" class="repeated">{_escape(cell)}</th>' for cell in cells)


def _split_lines(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for line in text[start:end].split("\n"):
        yield start, line
        start += len(line) + 1


def _escape(text: str) -> str:
    # A browser reads "\r" as "\n", and drops U+0000.
    return escape(text).replace("\r", "&#13;").replace("\0", "\ufffd")
