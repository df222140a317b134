"""Write the binary sources of the example project from ``examples/content``.

    python -m examples.build_example [--check]

The files are committed, so nobody needs this to try the demo; it is for whoever
edits the content. Plain-text sources (Markdown, VTT, TXT, CSV, HTML) are edited
in place and not touched here. ``--check`` writes nothing and lists what differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import yaml

from examples.kit.mail import render_eml
from examples.kit.manuscript import read_front_matter, read_manuscript
from examples.kit.pdf import render_pdf
from examples.kit.sheet import render_xlsx
from examples.kit.slides import render_pptx
from examples.kit.word import render_docx

HERE = Path(__file__).resolve().parent
CONTENT = HERE / "content"
SOURCES = HERE / "dmx-controller" / "sources"


def content_files() -> list[Path]:
    """Every content file, in order of name."""
    return sorted(path for path in CONTENT.iterdir() if path.suffix in {".md", ".yaml"})


def read_about(path: Path) -> dict[str, Any]:
    """What a content file says of itself: at least ``kind`` and ``target``."""
    text = path.read_text(encoding="utf-8")
    return yaml.safe_load(text) if path.suffix == ".yaml" else read_front_matter(text)[0]


def render(path: Path) -> tuple[str, bytes]:
    """A content file → (path below ``sources``, the file's bytes)."""
    about = read_about(path)
    target = str(about["target"])
    match about["kind"]:
        case "pdf":
            return target, render_pdf(read_manuscript(path))
        case "docx":
            return target, render_docx(read_manuscript(path))
        case "pptx":
            return target, render_pptx(read_manuscript(path))
        case "xlsx":
            return target, render_xlsx(about)
        case "eml":
            return target, render_eml(path)
    raise ValueError(f"{path.name}: unknown kind {about['kind']!r}")


def main(arguments: list[str] | None = None) -> int:
    """Write or check every file; the exit status is 1 when ``--check`` finds a difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, list what differs")
    check = parser.parse_args(arguments).check
    differing = 0
    for path in content_files():
        target, data = render(path)
        place = SOURCES / target
        if place.is_file() and place.read_bytes() == data:
            continue
        differing += 1
        print(("differs: " if check else "written: ") + target)
        if not check:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
