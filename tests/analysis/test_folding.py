from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundry.analysis import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Eén Ähnlichkeit", "een ahnlichkeit"),
        ("‘enkel’ – “dubbel”", "'enkel' - \"dubbel\""),
        ("ﬁlter œuvre Łódź straße", "filter oeuvre lodz strasse"),
        ("voedings\u00adspanning", "voedingsspanning"),
        ("10\u00a0㎒, 5 µA", "10 mhz, 5 μa"),
        ("ÜBER İstanbul", "uber istanbul"),
    ],
)
def test_folding_removes_case_diacritics_and_typography(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)
