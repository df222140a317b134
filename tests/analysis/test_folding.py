from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundry.analysis import fold, fold_in_place


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


def test_characters_fold_alone_as_they_do_in_a_text() -> None:
    text = "Eén ‘Straße’ – ﬁjn, 한국어, ç, ﬀ"
    assert fold(text) == "".join(map(fold, text))


def test_folding_in_place_keeps_offsets() -> None:
    text = "De Straße – ﬁjn: één"
    folded = fold_in_place(text)
    assert len(folded) == len(text)
    assert folded == "de straße – ﬁjn: een"
