"""What the process that ``parser_start`` forks has done: a file is read and cut, a page counted."""

from pathlib import Path
from tempfile import TemporaryDirectory

import foundry.readers.pages.requests  # noqa: F401 - with what reads pictures and pages
from foundry.journeys.file_chunks import CutRequest, read_and_cut
from foundry.models.tokens import DEFAULT_TOKENIZER

REQUEST = CutRequest(
    "a.md", tokenizer=DEFAULT_TOKENIZER, bounds=(40, 80), overlap=(0, 0), summary_tokens=90
)

with TemporaryDirectory() as folder:
    for text in ("The filter is cleaned every six weeks.", "Reinig het filter elke zes weken."):
        path = Path(folder) / "a.md"
        path.write_text(f"# Pump\n\n{text}\n\n| A | B |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
        read_and_cut(path, REQUEST)
