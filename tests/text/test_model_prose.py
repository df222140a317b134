"""A model's Markdown is read piece by piece: text, list items, rows and code, without headings."""

from __future__ import annotations

import pytest

from foundry.craft.grounding import parse_reply
from foundry.text.markdown import read_prose


@pytest.mark.parametrize(
    ("reply", "pieces"),
    [
        ("# Supply\n\nIt is **5 V**. It is *red*.", ["It is 5 V. It is red."]),
        ("It has:\n\n- 4 ports\n- 2 relays", ["It has: 4 ports", "It has: 2 relays"]),
        ("Do this:\n1. Open the lid.\n2. Close it.", ["Open the lid.", "Close it."]),
        (
            "| Part | Max |\n|---|---|\n| Fuse | 3 A [S1] |\n| Fan | 1 A |",
            ["Part: Fuse; Max: 3 A [S1]", "Part: Fan; Max: 1 A"],
        ),
        ("Run:\n\n```sh\ndmx --reset\ndmx --list\n```", ["Run:", "dmx --reset", "dmx --list"]),
        ("```\nIt is 5 V [S1].\n```", ["It is 5 V [S1]."]),
        ("It is 5 V [S1]\nIt is red [S2]", ["It is 5 V [S1]", "It is red [S2]"]),
        ("It is a long\nline.\n---\nIt ends.", ["It is a long line.", "It ends."]),
        ("S1| It is 5 V.\nS12| It is red.", ["It is 5 V.", "It is red."]),
        ("> It is `5 V` & <b>red</b>.", ["It is 5 V & <b>red</b>."]),
        ("", []),
    ],
)  # fmt: skip
def test_a_reply_is_split_into_pieces(reply: str, pieces: list[str]) -> None:
    assert read_prose(reply) == pieces


def test_marks_in_rows_and_items_belong_to_them() -> None:
    reply = "| Part | Max |\n|---|---|\n| Fuse | 3 A [S1] |\n\n- The fan is quiet [S2]\n"
    found = parse_reply(reply, None, ("S1", "S2"), "en").statements
    assert [(one.text, one.citations) for one in found] == [
        ("Part: Fuse; Max: 3 A", ("S1",)),
        ("The fan is quiet", ("S2",)),
    ]
