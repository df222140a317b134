"""What a delivery takes in each format: seconds, bytes and PDF pages, for a short and a long one.

The long one is the example project's two drafts, twenty-four times over: notes and register are its own.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2

from bench.startup import EXAMPLE
from foundry.journeys.assembly import assemble
from foundry.journeys.drafts import accept_draft, register_draft
from foundry.journeys.generate import generate
from foundry.journeys.ingest import ingest
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.records import Delivery
from foundry.render.delivery import FORMATS
from foundry.render.markdown import render_markdown
from foundry.workspace import open_workspace

FEATURES = ("wiring-guide", "veiligheid")
TIMES = 24


def measure(_data: Path | None) -> Iterator[str]:
    yield "| chapters | PDF pages | " + " | ".join(FORMATS) + " |"
    yield "|---|---|" + "---|" * len(FORMATS)
    delivery = _delivery()
    FORMATS["pdf"](delivery)  # the first call loads Typst and its fonts
    for one in (delivery, replace(delivery, chapters=delivery.chapters * TIMES)):
        cells, pages = [], 0
        for name, render in FORMATS.items():
            started = time.perf_counter()
            data = render(one)
            cells.append(f"{time.perf_counter() - started:.2f} s, {len(data) / 1000:,.0f} kB")
            if name == "pdf":
                pages = len(pypdfium2.PdfDocument(io.BytesIO(data)))
        yield f"| {len(one.chapters)} | {pages} | " + " | ".join(cells) + " |"


def _delivery() -> Delivery:
    """Both documents of the example project, approved, written and accepted."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
            for name in FEATURES:
                approve_specification(workspace, name, "bench")
                feature = get_specification(workspace, name)
                draft = generate(workspace, feature.title, feature=feature)
                path, text = root / f"{name}.md", render_markdown(draft)
                path.write_text(text, encoding="utf-8")
                register_draft(workspace, draft, path, text)
                accept_draft(workspace, name, "bench")
            return assemble(workspace, created=datetime.now(UTC))[0]
