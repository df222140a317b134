"""The parts list → a spreadsheet with two sheets, prices as numbers and totals as formulas."""

from __future__ import annotations

import io
from typing import Any

import xlsxwriter  # type: ignore[import-untyped]

from examples.kit.archive import settle_archive
from examples.kit.manuscript import moment

MONEY = "#,##0.00"


def render_xlsx(content: dict[str, Any]) -> bytes:
    """``content`` is ``stuklijst.yaml``; formulas carry their value for readers that do not count."""
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    book.set_properties(
        {
            "title": content["title"],
            "author": content["author"],
            "created": moment(content["created"]).replace(tzinfo=None),
        }
    )
    _add_parts(book, content)
    _add_suppliers(book, content)
    book.close()
    return settle_archive(stream.getvalue())


def cost_price(content: dict[str, Any]) -> float:
    """What the parts of one controller cost, in euro."""
    return float(round(sum(part[3] * part[5] for part in content["parts"]), 2))


def _formats(book: Any) -> dict[str, Any]:
    line = {"border": 1, "border_color": "#BECBD1", "valign": "top"}
    return {
        "title": book.add_format({"bold": True, "font_size": 14, "font_color": "#12394A"}),
        "head": book.add_format(
            line | {"bold": True, "font_color": "#FFFFFF", "bg_color": "#12394A", "text_wrap": True}
        ),
        "text": book.add_format(line),
        "money": book.add_format(line | {"num_format": MONEY}),
        "total": book.add_format(line | {"bold": True, "num_format": MONEY, "bg_color": "#ECF2F5"}),
    }


def _add_parts(book: Any, content: dict[str, Any]) -> None:
    sheet, formats = book.add_worksheet("Stuklijst"), _formats(book)
    sheet.write(0, 0, content["title"], formats["title"])
    sheet.write(1, 0, "Prijzen in euro per stuk, exclusief btw, bij een serie van 500 stuks.")
    columns = [*content["parts_columns"], "Totaal (EUR)"]
    sheet.write_row(3, 0, columns, formats["head"])
    row = 3
    for row, part in enumerate(content["parts"], start=4):
        for column, value in enumerate(part):
            sheet.write(row, column, value, formats["money" if column == 5 else "text"])
        total = round(part[3] * part[5], 2)
        sheet.write_formula(row, 7, f"=D{row + 1}*F{row + 1}", formats["money"], total)
    sheet.write(row + 1, 2, "Kostprijs onderdelen per regelaar", formats["total"])
    sheet.write_formula(row + 1, 7, f"=SUM(H5:H{row + 1})", formats["total"], cost_price(content))
    for column, width in enumerate((15, 14, 44, 8, 28, 12, 11, 12)):
        sheet.set_column(column, column, width)
    sheet.freeze_panes(4, 2)
    sheet.autofilter(3, 0, row, 7)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def _add_suppliers(book: Any, content: dict[str, Any]) -> None:
    sheet, formats = book.add_worksheet("Leveranciers"), _formats(book)
    sheet.write_row(0, 0, content["supplier_columns"], formats["head"])
    for row, supplier in enumerate(content["suppliers"], start=1):
        sheet.write_row(row, 0, supplier, formats["text"])
    for column, width in enumerate((28, 28, 20, 16, 16, 12)):
        sheet.set_column(column, column, width)
