"""Markup that is left in what was read of Markdown, web pages and the like.

Every file with such an extension below ``--data`` is read as an ingest reads it; code does not count,
neither blocks nor what stands in code spans of the file, where markup is what the text is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.tables import write_head, write_row
from foundry.errors import FoundryError
from foundry.ports import ReadOptions
from foundry.readers import read

KINDS = (".md", ".markdown", ".mdx", ".html", ".htm", ".rst", ".adoc", ".ipynb", ".xml")
_PATTERNS = {
    "tag": r"</?(?:a|b|i|p|br|t[drh]|table|div|span|img|h\d|em|strong|[uo]l|li|code|pre|su[pb])\b[^<>\n]*>",
    "link": r"\]\([^)\s]+\)|(?<!\w)\[[^\[\]]+\]\[[\w -]*\]|!\[",
    "emphasis": r"(?<![\w*])\*\*\w[^*\n]*\w\*\*(?![\w*])",
    "attributes": r"\{:?\s*[#.][\w-]+\s*\}|\{\s*[\w-]+=\"",
    "directive": r"^\s*(?:!!!|\?\?\?\+?|:::|\.\. [\w-]+::)\s",
    "role": r":[a-z]+:`|`_\b",
    "escape": r"\\[_*#\[\]`]|&(?:amp|lt|gt|nbsp|#\d+);",
    "icon": r":(?:material|octicons|fontawesome|simple)-[\w-]+:",
    "style": r"\{\s*[a-z-]+\s*:\s*[^{};\n]+;",
}
_COMPILED = {name: re.compile(pattern, re.MULTILINE) for name, pattern in _PATTERNS.items()}
_CODE = re.compile(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)|<(code|kbd|samp|tt)\b[^>]*>.*?</\3>", re.DOTALL)


def measure(data: Path, verbose: bool = False) -> Iterator[str]:
    """Blocks with markup left in them, by format and by kind of markup."""
    yield from write_head("format", "files", "unread", "blocks", "with markup", "of which")
    for kind in KINDS:
        files = [path for path in sorted(data.rglob(f"*{kind}")) if path.is_file()]
        blocks, unread, left, kinds = 0, 0, 0, Counter[str]()
        for path in files:
            try:
                document = read(path, ReadOptions(path.name))
            except FoundryError:
                unread += 1
                continue
            code = " ".join(m[0] for m in _CODE.finditer(path.read_text(errors="replace")))
            for block in document.blocks:
                words = document.text[block.start : block.end]
                found = () if block.kind == "code" else tuple(_find_markup(words, code))
                blocks += 1
                left += bool(found)
                kinds.update(name for name, _ in found)
                if verbose and found:
                    yield f"<!-- {path.name}: {found} -->"
        if files:
            shown = ", ".join(f"{name} {count}" for name, count in kinds.most_common())
            yield write_row(kind, len(files), unread, blocks, left, shown or "–")


def _find_markup(words: str, code: str) -> Iterator[tuple[str, str]]:
    for name, pattern in _COMPILED.items():
        match = pattern.search(words)
        if match and match[0] not in code:
            yield name, match[0]
