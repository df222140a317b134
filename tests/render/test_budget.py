"""The token budget's warning, as the specification prints it."""

from __future__ import annotations

import pytest

from foundry.cli.generate import render_budget_warning
from foundry.records import Budget

FULL = Budget(2847, 1203, 4891, 8192, window=16_384, max_summaries=10)


def test_the_breakdown_is_printed_line_by_line() -> None:
    assert render_budget_warning(FULL).splitlines() == [
        "⚠ Token budget warning:",
        "  brief:            2,847 tokens",
        "  feature spec:     1,203 tokens",
        "  source summaries: 4,891 tokens (max_source_summaries=10)",
        "  chunk budget:     8,192 tokens",
        "  ─────────────────────────────",
        "  Total:           17,133 / 16,384 limit (104%)",
        "  Consider: fewer summaries, smaller brief, or larger generation.model",
    ]


@pytest.mark.parametrize(("window", "tight"), [(None, False), (20_157, False), (20_156, True)])
def test_it_is_tight_above_85_percent_of_the_window(window: int | None, tight: bool) -> None:
    assert Budget(2847, 1203, 4891, 8192, window).is_tight is tight
