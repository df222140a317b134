"""Where Tesseract's language data is on this machine.

Looks only; it installs and downloads nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

INSTALL = "apt install tesseract-ocr tesseract-ocr-nld (or your system's package of Tesseract)"
"""How to get it, for a person."""

_USUAL = (
    "/usr/share/tesseract-ocr",
    "/usr/share/tessdata",
    "/usr/share/tesseract",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
    "/opt/local/share/tessdata",
    "C:/Program Files/Tesseract-OCR/tessdata",
)
_WANTED = ("eng", "nld", "deu", "fra", "spa", "ita")


@dataclass(frozen=True, slots=True)
class Tessdata:
    """A folder of ``*.traineddata`` and the languages to read with, as in ``eng+nld``."""

    folder: Path
    languages: str


@cache
def find_tessdata() -> Tessdata | None:
    """The language data of an installed Tesseract, or None."""
    for folder in _folders():
        found = {file.stem for file in folder.glob("*.traineddata")} if folder.is_dir() else set()
        languages = [name for name in _WANTED if name in found] or sorted(found - {"osd", "equ"})[
            :1
        ]
        if languages:
            # Each language makes it slower; two are enough for most readers.
            return Tessdata(folder, "+".join(languages[:2]))
    return None


def _folders() -> Iterator[Path]:
    stated = os.environ.get("TESSDATA_PREFIX")
    if stated:
        yield Path(stated)
        yield Path(stated) / "tessdata"
    program = shutil.which("tesseract")
    if program:
        yield from _asked(program)
    for usual in _USUAL:
        yield Path(usual)
        yield from sorted(Path(usual).glob("*/tessdata"), reverse=True)


def _asked(program: str) -> Iterator[Path]:
    try:
        shown = subprocess.run(
            [program, "--list-langs"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    match = re.search(r'"([^"]+)"', shown.stdout + shown.stderr)
    if match:
        yield Path(match[1])
