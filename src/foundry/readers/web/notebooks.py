"""Reads notebooks (Jupyter): the text and code of their cells, with the outputs that are text.

A table in an output is read as a table. Pictures, widgets and scripts are named, not read.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from foundry.errors import ReadError
from foundry.ports import ReadOptions
from foundry.readers.web.markdown import render_page
from foundry.readers.web.written import (
    WrittenPage,
    build_page,
    load_text,
    write_code,
)
from foundry.records import Document

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_TEXTS = ("text/markdown", "text/plain", "text/html", "text/latex", "application/json")
"""What an output is read from, the first that it has; HTML comes first if it holds a table."""


def read_notebook(path: Path, options: ReadOptions) -> Document:
    """Read a notebook of format 4. Raises ``ReadError`` for other JSON."""
    decoded = load_text(path)
    try:
        data = json.loads(decoded.text)
    except (ValueError, RecursionError) as error:
        raise ReadError("readers-damaged", cause=str(error)) from error
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise ReadError("readers-notebook-unknown")
    page = WrittenPage()
    metadata = data.get("metadata")
    page.properties = metadata if isinstance(metadata, dict) else {}
    page.html = "".join(_write_cell(page, cell) for cell in cells if isinstance(cell, dict))
    return build_page("notebook", page, options.name, decoded.warning)


def _write_cell(page: WrittenPage, cell: dict[str, Any]) -> str:
    text = _join(cell.get("source"))
    kind = cell.get("cell_type")
    if kind == "markdown":
        return f"<div>{_write_markdown(page, text)}</div>\n"
    code = write_code(text) if text.strip() else ""
    outputs = cell.get("outputs")
    found = outputs if isinstance(outputs, list) else []
    return code + "".join(_write_output(page, item) for item in found if isinstance(item, dict))


def _write_markdown(page: WrittenPage, text: str) -> str:
    html, found = render_page(text)
    page.includes += found.includes
    return html


def _write_output(page: WrittenPage, output: dict[str, Any]) -> str:
    if output.get("output_type") in {"stream", "error"}:
        said = _join(output.get("text")) or f"{output.get('ename')}: {output.get('evalue')}"
        return write_code(_TERMINAL.sub("", said))
    data = output.get("data")
    named = data if isinstance(data, dict) else {}
    html = _join(named.get("text/html"))
    if _TABLE.search(html):
        return f"<div>{html}</div>\n"
    if any(kind.startswith("image/") for kind in named):
        return "<img>\n"
    kind = next((kind for kind in _TEXTS if kind in named), None)
    if kind is None:
        page.unread += named
        return ""
    text = _join(named[kind])
    if kind in {"text/plain", "application/json", "text/latex"}:
        return write_code(text)
    return f"<div>{_write_markdown(page, text) if kind == 'text/markdown' else text}</div>\n"


def _join(value: Any) -> str:
    """Lines are a list in the file, or one text."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    if isinstance(value, dict):
        return json.dumps(value, indent=1, ensure_ascii=False)
    return value if isinstance(value, str) else ""
