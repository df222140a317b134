import pytest

from foundry.readers.front.titles import find_revision


@pytest.mark.parametrize(
    ("text", "mark", "date"),
    [
        ("DMX controller\nRev. B\n2026-03-12", "Rev. B", "2026-03-12"),
        ("Datasheet | Revision C | March 2026", "Revision C", "2026-03"),
        ("Handleiding\nVersie 1.3, 12 maart 2026", "Versie 1.3", "2026-03-12"),
        ("Firmware notes v2.1", None, None),
        ("Firmware notes – v2.1", "v2.1", None),
        ("# Datasheet v2\n2026-03", "v2", "2026-03"),
        ("LC-512 data sheet rev. B", "rev. B", None),
        ("Gateway with Bluetooth v5", None, None),
        ("DMX-512 Controller Rev. B", "Rev. B", None),
        ("Title\n\nLast updated: July 4, 2025", None, "2025-07-04"),
        ("Title\nDatum: 25-03-2026", None, "2026-03-25"),
    ],
)
def test_the_mark_and_date_of_the_document_are_found(
    text: str, mark: str | None, date: str | None
) -> None:
    assert find_revision(text) == (mark, date)


@pytest.mark.parametrize(
    "text",
    [
        "The module needs Bluetooth version 5 or newer to connect to the phone of the user.",
        "Datum: 03/04/2026",
        "Date: 2026-02-31",
        "Invoice date: 2026-03-01",
        "Revision of the contract",
        "Revision in progress",
        "Issue 2: Escapes in formulas",
        "Licensed under the Apache License,\nVersion 2.0 (the licence)",
        "x\n" * 50 + "Rev. B",
    ],
)
def test_ambiguous_marks_and_dates_are_ignored(text: str) -> None:
    assert find_revision(text) == (None, None)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("FORM 10-Q\nFor the quarterly period ended October 1, 2022", "2022-10-01"),
        ("Jaarrekening\nOver het boekjaar eindigend op 31 december 2025", "2025-12-31"),
        ("STOCK REPORT\nWarehouse: East Report Date: 2024-11-15", "2024-11-15"),
        ("Factuur 12\nFactuurdatum: 14-02-2026", "2026-02-14"),
        ("Invoice\nInvoice date: 2026-02-14\nDue date: 2026-03-14", "2026-02-14"),
        ("Booking order\nBooking Dates: 12/20/2024 - 12/31/2024", None),
        ("Report\nEffective date: 1 January 2024 to 31 December 2024", None),
        ("Notes\nThe start date: 2024-01-15 of the works is fixed.", None),
        ("Minutes\nUtrecht, 5 maart 2026", "2026-03-05"),
        ("Library\nManual for version 4.19.0, 18 August 2022", "2022-08-18"),
        ("Tariff sheet\nValid from 1 May 2025\nAll prices in euro", "2025-05-01"),
        ("Tariff sheet\nPrices hold from 1 May 2025\nand end on 1 May 2026", None),
        ("A history of the line in many words that say nothing about dates\n5 March 2026", None),
    ],
)
def test_a_date_is_the_documents_where_it_says_so(text: str, date: str | None) -> None:
    assert find_revision(text)[1] == date
