"""The tests named in docs/acceptance.md exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = sorted(
    set(
        re.findall(
            r"`(tests/[\w/]+\.py)::(?:\w+::)?(\w+)`",
            (ROOT / "docs/acceptance.md").read_text("utf-8"),
        )
    )
)


def test_every_test_that_is_named_exists() -> None:
    assert len(NAMED) > 40
    missing = [
        f"{path}::{name}"
        for path, name in NAMED
        if not re.search(rf"^ *def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE)
    ]
    assert missing == []
