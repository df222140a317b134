"""The text of an example file by other libraries than those that wrote or read it in Foundry."""

from __future__ import annotations

import email
import email.policy
import io
import re
from collections.abc import Callable
from pathlib import Path

import docx
import pptx
import pypdfium2
import python_calamine


def extract(path: str, data: bytes) -> str:
    """Everything readable in a written file, white space folded."""
    return re.sub(r"\s+", " ", _EXTRACTORS[Path(path).suffix](data))


def pdf_pages(data: bytes) -> list[str]:
    with pypdfium2.PdfDocument(data) as document:
        return [re.sub(r"\s+", " ", page.get_textpage().get_text_range()) for page in document]


def _docx_text(data: bytes) -> str:
    document = docx.Document(io.BytesIO(data))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


def _pptx_text(data: bytes) -> str:
    show = pptx.Presentation(io.BytesIO(data))
    return "\n".join(
        piece
        for slide in show.slides
        for shape in slide.shapes
        for piece in (
            [shape.text_frame.text]
            if shape.has_text_frame
            else [cell.text for row in shape.table.rows for cell in row.cells]
        )
    )


def _xlsx_text(data: bytes) -> str:
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    rows = [row for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python()]
    return "\n".join(str(cell) for row in rows for cell in row)


def _eml_text(data: bytes) -> str:
    message = email.message_from_bytes(data, policy=email.policy.default)
    head = [f"{name}: {value}" for name, value in message.items()]
    return "\n".join([*head, str(message.get_content())])


_EXTRACTORS: dict[str, Callable[[bytes], str]] = {
    ".pdf": lambda data: "\n".join(pdf_pages(data)),
    ".docx": _docx_text,
    ".pptx": _pptx_text,
    ".xlsx": _xlsx_text,
    ".eml": _eml_text,
}
