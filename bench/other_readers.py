"""Other tools that read tables and text of PDF pages, run in an interpreter that has them.

They are no dependency of the project: together they weigh some 500 MB. Make an environment and
give its interpreter: ``pip install pdfplumber camelot-py img2table pypdfium2``, then
``python -m bench reading --data DIR --tools THAT/bin/python``. This file also is the program that
runs there: it needs the standard library and the tool only. Each tool has its defaults for ruled
tables, and where it finds none on a page its way for tables without rules.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

TOOLS = ("pypdfium2", "pdfplumber", "camelot", "img2table")
_PACKAGES = {"camelot": "camelot-py"}
_LONGEST = 900
"""Seconds for all pages of one tool; a guess."""


@dataclass
class Reply:
    """What a tool found, by file: ``tables`` (page, rows), ``texts`` and ``seconds``."""

    files: dict[str, Any] = field(default_factory=dict)
    version: str = ""
    reason: str = ""


def run_tool(tool: str, asked: Sequence[tuple[str, Sequence[int]]], python: str = "") -> Reply:
    """Run a tool over pages of files; ``reason`` says why there is nothing."""
    command = [python or sys.executable, __file__, tool]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Reply(reason=str(error))
    if done.returncode:
        return Reply(reason=(done.stderr.strip().splitlines() or ["it failed"])[-1][:120])
    # Some tools print notes of their own before the answer.
    answer = json.loads(done.stdout.splitlines()[-1])
    return Reply(answer["files"], answer["version"])


def _read_pypdfium2(path: str, pages: Sequence[int]) -> tuple[list[Any], list[Any]]:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return [], [(page, document[page - 1].get_textpage().get_text_range()) for page in pages]


def _read_pdfplumber(path: str, pages: Sequence[int]) -> tuple[list[Any], list[Any]]:
    import pdfplumber

    tables: list[Any] = []
    texts: list[Any] = []
    aligned = {"vertical_strategy": "text", "horizontal_strategy": "text"}
    with pdfplumber.open(path) as document:
        for number in pages:
            page = document.pages[number - 1]
            found = page.extract_tables() or page.extract_tables(aligned)
            tables += [{"page": number, "rows": rows} for rows in found]
            texts.append((number, page.extract_text()))
    return tables, texts


def _read_camelot(path: str, pages: Sequence[int]) -> tuple[list[Any], list[Any]]:
    import camelot

    tables = []
    for number in pages:
        found: list[Any] = []
        for flavor in ("lattice", "stream"):
            found = found or list(camelot.read_pdf(path, pages=str(number), flavor=flavor))
        grids = (table.df.astype(str).values.tolist() for table in found)
        tables += [{"page": number, "rows": rows} for rows in grids]
    return tables, []


def _read_img2table(path: str, pages: Sequence[int]) -> tuple[list[Any], list[Any]]:
    from img2table.document import PDF

    tables = []
    document = PDF(path, pages=[page - 1 for page in pages])
    found = document.extract_tables(ocr=None, implicit_rows=True, borderless_tables=True)
    for page, on_page in found.items():
        for table in on_page:
            rows = table.df.astype(object).where(table.df.notna(), None).values.tolist()
            tables.append({"page": page + 1, "rows": rows})
    return tables, []


_READERS: dict[str, Callable[[str, Sequence[int]], tuple[list[Any], list[Any]]]] = {
    "pypdfium2": _read_pypdfium2,
    "pdfplumber": _read_pdfplumber,
    "camelot": _read_camelot,
    "img2table": _read_img2table,
}


def main() -> None:
    tool, files = sys.argv[1], {}
    warnings.simplefilter("ignore")
    version = importlib.metadata.version(_PACKAGES.get(tool, tool))
    for path, pages in json.load(sys.stdin):
        started = time.process_time()
        try:
            tables, texts = _READERS[tool](path, pages)
        except (ImportError, TypeError):
            raise
        except Exception as error:  # noqa: BLE001  a tool may raise anything
            print(f"{tool}: {path}: {error}", file=sys.stderr)
            tables, texts = [], []
        seconds = time.process_time() - started
        files[path] = {"tables": tables, "texts": texts, "seconds": seconds}
    print(json.dumps({"version": version, "files": files}, default=str))


if __name__ == "__main__":
    main()
