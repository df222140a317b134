"""Changing what a specification says: whole lines, and no other."""

from __future__ import annotations

import pytest

from foundry.craft.outline import outline_sections
from foundry.craft.specifications import (
    Unreadable,
    read_wants,
    render_template,
    replace_body,
    replace_keys,
    replace_wants,
)

TEXT = """---
title: Supply   # as on the cover
owner: Ann
# What the reader looks for.
sections:
  - Supply
  - Outputs: table
---

# Supply

- Supply: the voltage
- outputs: the current of each
Nothing else.
"""
BODY = TEXT.partition("---\n\n")[2]


def test_only_the_lines_of_a_changed_key_are_replaced() -> None:
    changed = replace_keys(TEXT, {"title": "Supply", "owner": "Bob: the builder"})
    assert changed == TEXT.replace("owner: Ann", "owner: 'Bob: the builder'")


def test_a_new_key_comes_last_and_a_list_has_its_forms() -> None:
    hierarchy, sections = ["sources/a*"], ["Supply", {"First: use": "steps"}]
    changed = replace_keys(TEXT, {"sections": sections, "source_hierarchy": hierarchy})
    head = changed.partition("\n---\n\n")[0]
    assert head.endswith("- Supply\n- 'First: use': steps\nsource_hierarchy:\n- sources/a*")


def test_a_text_without_front_matter_has_no_key_to_change() -> None:
    with pytest.raises(Unreadable):
        replace_keys("# Supply\n", {"title": "x"})


def test_the_words_below_the_front_matter_are_replaced() -> None:
    assert replace_body(TEXT, "New.\n\n").endswith("- Outputs: table\n---\n\nNew.\n")


def test_what_a_section_wants_is_read_by_its_title() -> None:
    assert read_wants(BODY, ["Supply", "Outputs", "Fuse"]) == {
        "Supply": ("the voltage",),
        "Outputs": ("the current of each",),
        "Fuse": (),
    }


def test_what_a_section_wants_is_replaced_where_it_was() -> None:
    changed = replace_wants(BODY, {"Supply": ["the fuse", "the cable"]})
    assert changed == BODY.replace("the voltage", "the fuse\n- Supply: the cable")


def test_what_a_new_section_wants_stands_where_it_is_searched_for() -> None:
    body = replace_wants(render_template("Guide").partition("---\n\n")[2], {"Supply": ["the fuse"]})
    (outline,) = outline_sections(["Supply"], body, "Guide")
    assert outline.wants == ("the fuse",)


def test_what_a_new_section_wants_comes_last() -> None:
    assert replace_wants("For whom.", {"Fuse": ["its rating"]}) == "For whom.\n\n- Fuse: its rating"
