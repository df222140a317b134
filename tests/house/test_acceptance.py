"""The tests named in docs/acceptance.md exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = sorted(
    set(
        re.findall(
            r"`(tests/[\w/]+\.py)::(?:\w+::)?(\w+)`",
            (ROOT / "docs/acceptance.md").read_text("utf-8"),
        )
    )
)


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_every_test_that_is_named_exists(path: str, name: str) -> None:
    assert re.search(rf"^ *def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_there_are_many() -> None:
    assert len(NAMED) > 40
