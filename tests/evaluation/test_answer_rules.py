"""The rules by which `bench answers` judges the built-in writer."""

from __future__ import annotations

import pytest

from bench.answers import judge

FACT = {
    "question": "How long is the warranty?",
    "answer": "3 years, from the invoice",
    "quote": "The maker gives 3 years of warranty, counted from the date of the invoice.",
    "kind": "fact",
}
CELL = {
    "question": "Sales of lamps in 2021?",
    "answer": "$390",
    "quote": "Lamps | 410 | 390 | 820 | 760",
    "kind": "table",
}


@pytest.mark.parametrize(
    ("row", "text", "verdict"),
    [
        (FACT, FACT["quote"], "right"),
        (FACT, "The invoice date counts: three years of warranty.", "right"),
        (FACT, "The maker gives 2 years of warranty on the date of the sale.", "partly"),
        (FACT, "The lamp is red.", "wrong"),
        (FACT, "", "refused"),
        (CELL, "Lamps, 2021: 390", "right"),
        (CELL, CELL["quote"], "partly"),
        (CELL, "Lamps, 2022: 410", "wrong"),
    ],
)
def test_an_answer_is_judged_by_facts_and_quote(
    row: dict[str, str], text: str, verdict: str
) -> None:
    assert judge(row, text) == verdict
