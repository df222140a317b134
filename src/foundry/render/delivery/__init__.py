"""The client's document in every format that it is delivered in.

Each format is written from the same plan (``plan.py``), wholly in memory: nothing
here writes a file, asks a network or reads a source.
"""

from __future__ import annotations

from collections.abc import Callable

from foundry.records import Delivery
from foundry.render.delivery.docx import render_docx
from foundry.render.delivery.html import render_html
from foundry.render.delivery.markdown import render_merged
from foundry.render.delivery.pdf import render_pdf

FORMATS: dict[str, Callable[[Delivery], bytes]] = {
    "md": render_merged,
    "docx": render_docx,
    "pdf": render_pdf,
    "html": render_html,
}
"""File name suffix → who writes it. All give the same bytes for the same delivery."""
