"""The document in every format: the same words, escaped for each, with notes that lead somewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foundry.records import CitationNote, SectionSummary
from foundry.render.delivery import FORMATS
from foundry.render.delivery.plan import format_share, plan_delivery
from foundry.render.delivery.tree import (
    CodeBlock,
    Link,
    ListBlock,
    NoteMark,
    Paragraph,
    TableBlock,
    Text,
    clean,
    extract_text,
    read_tree,
)
from tests.render.deliveries import CONFLICT, MARKDOWN, chapter, delivery, record


def test_every_format_gives_the_same_bytes_again() -> None:
    whole = delivery()
    assert all(render(whole) == render(whole) for render in FORMATS.values())


def test_a_tree_keeps_every_kind_of_block() -> None:
    blocks = read_tree(MARKDOWN, frozenset({1, 2}))
    kinds = [type(block).__name__ for block in blocks]
    assert kinds == [
        "Heading", "Paragraph", "ListBlock", "TableBlock", "Heading", "BlockQuote", "CodeBlock", "Paragraph",
    ]  # fmt: skip


def test_marks_of_unknown_notes_stay_text() -> None:
    (block,) = read_tree("One.[^1] Two.[^2]", frozenset({2}))
    assert isinstance(block, Paragraph)
    assert [one.number for one in block.inner if isinstance(one, NoteMark)] == [2]
    assert "[^1]" in extract_text(block.inner)


def test_a_mark_after_a_unit_has_a_gap_and_two_marks_have_a_comma() -> None:
    (block,) = read_tree("At most 0.2 mm²[^1][^2].", frozenset({1, 2}))
    assert isinstance(block, Paragraph)
    assert Text("\u00a0") in block.inner
    assert [one.follows for one in block.inner if isinstance(one, NoteMark)] == [False, True]


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("[a](https://example.org)", True),
        ("<mailto:a@example.org>", True),
        ("[a](javascript:alert)", False),
        ("[a](file:///etc/passwd)", False),
        ("[a](../up)", False),
        ("![a](https://example.org/x.png)", False),
    ],
)
def test_only_web_and_mail_addresses_are_links(text: str, linked: bool) -> None:
    (block,) = read_tree(text)
    assert isinstance(block, Paragraph)
    assert any(isinstance(one, Link) for one in block.inner) == linked
    assert "a" in extract_text(block.inner)


def test_a_picture_becomes_its_text_and_address() -> None:
    (block,) = read_tree("![Plan](http://x.org/p.png)")
    assert isinstance(block, Paragraph)
    assert extract_text(block.inner) == "Plan (http://x.org/p.png)"


def test_html_is_text() -> None:
    (block,) = read_tree("<b>bold</b>")
    assert isinstance(block, Paragraph)
    assert extract_text(block.inner) == "<b>bold</b>"


def test_control_and_reordering_characters_are_removed() -> None:
    assert clean("a\x0b\x00b\u202ec\ud800\ufffed\te\u200fé") == "abcd\te\u200fé"


def test_a_table_with_escaped_pipes_keeps_them() -> None:
    (table,) = read_tree("| a \\| b | c |\n|:-:|--:|\n| 1 | 2 |\n")
    assert isinstance(table, TableBlock)
    assert extract_text(table.rows[0][0]) == "a | b"
    assert table.aligned == ("center", "right")


def test_a_deep_list_and_its_code_stay() -> None:
    (items,) = read_tree("3. a\n   - b\n\n         code\n")
    assert isinstance(items, ListBlock)
    assert items.start == 3
    assert isinstance(items.items[0][1], ListBlock)
    assert any(isinstance(item, CodeBlock) for item in items.items[0][1].items[0])


def test_sections_are_numbered_unless_they_have_a_number() -> None:
    text = "## A\n\n### Below\n\n## 7 Printed\n\n#### Deep\n\n## B\n"
    plan = plan_delivery(delivery(chapter(text)))
    numbers = [block.number for block in plan.parts[0].blocks if hasattr(block, "number")]
    assert numbers == ["1.1", "1.1.1", "", "1.2.1", "1.3"]


def test_the_appendix_shows_both_sides_and_the_rule() -> None:
    text = FORMATS["md"](delivery()).decode()
    assert "**2.5 A** – sources/a.pdf, p. 2 (B): “It draws 2.5 A.”" in text
    assert "Followed: 2.5 A. Decided by source hierarchy: a.pdf before b.pdf." in text


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"holds": None, "rule": None}, "No rule decides between the two."),
        ({"superseded": True, "holds": "b"}, "3 A applies: it is in the later revision (source"),
        ({"values": ("", "")}, "Followed: sources/a.pdf. Decided by source hierarchy"),
    ],
)
def test_each_kind_of_decision_has_its_sentence(changes: dict[str, object], sentence: str) -> None:
    conflict = replace(CONFLICT, **changes)  # type: ignore[arg-type]
    part = SectionSummary("Supply", 1, 1.0, 1.0, None, (conflict,))
    text = FORMATS["md"](delivery(chapter(draft=record(sections=(part,))))).decode()
    assert sentence in text.replace("\\", "")


def test_a_conflict_of_several_sections_is_listed_once() -> None:
    part = SectionSummary("Supply", 1, 1.0, 1.0, None, (CONFLICT,))
    twice = record(sections=(part, replace(part, title="Fuse")))
    text = FORMATS["md"](delivery(chapter(draft=twice))).decode()
    assert text.count("The current differs") == 1
    assert "#### Power supply: Supply; Power supply: Fuse\n" in text


def test_approvals_and_acceptances_are_named() -> None:
    text = FORMATS["md"](delivery()).decode()
    assert "A. Prover,\u00a05" not in text
    assert "- Specification approved: A. Prover, 5 March 2026" in text.replace("\u00a0", " ")
    assert "- Remark of the reviewer: Fine." in text


def test_a_dutch_document_has_dutch_texts() -> None:
    text = FORMATS["md"](delivery(language="nl")).decode()
    assert "## Inhoud" in text
    assert "5 maart 2026" in text


def test_shares_are_rounded_down() -> None:
    assert [format_share(value) for value in (1.0, 0.999, 0.29, 0.0, None)] == [
        "100%", "99%", "29%", "0%", "–",
    ]  # fmt: skip


def test_a_stale_document_is_marked_in_every_format() -> None:
    whole = delivery(chapter(stale=("The source x changed.",)), stale=("supply: x changed.",))
    text = FORMATS["md"](whole).decode()
    assert "> **Out of date**" in text
    assert text.count("Out of date") == 2
    assert FORMATS["html"](whole).decode().count('class="callout"') == 2


def test_the_merged_markdown_numbers_its_notes_once_and_in_order() -> None:
    text = FORMATS["md"](delivery()).decode()
    assert text.index("[^1]: datasheet.pdf §3.1") < text.index("[^2]: manual.md")
    assert "### Supply" in text
    assert f"`{'a1' * 32}`" in text


def test_a_document_without_notes_and_sections_is_rendered() -> None:
    bare = chapter("Only words.", draft=record(sections=(), sources=(), review=None))
    empty = replace(delivery(bare), notes=(), register=())
    assert all(render(empty) for render in FORMATS.values())


def test_an_open_code_block_does_not_swallow_the_appendices() -> None:
    text = FORMATS["md"](delivery(chapter("~~~~\nopen"))).decode()
    assert "open\n~~~~\n\n## A Source register" in text


@pytest.mark.parametrize("text", ["> " * 99 + "deep", "- " * 45 + "deep", "*_" * 99 + "deep"])
@pytest.mark.parametrize("name", list(FORMATS))
def test_text_that_is_nested_too_deep_is_kept(name: str, text: str) -> None:
    made = FORMATS[name](delivery(chapter(text)))
    assert name in {"pdf", "docx"} or b"deep" in made
    assert "deep" in "".join(str(block) for block in read_tree(text))


HOSTILE = (
    '#read("/etc/passwd") #import "@preview/x:1.0.0" $x$ \\u{41} ]]> <script>alert(1)</script> '
    "&amp; &#x1; \x0b\x01\u202etxt </w:t></w:r> @label <label> = Heading /* * */ // `\n"
)


def hostile() -> object:
    notes = (
        CitationNote(1, HOSTILE.strip(), (HOSTILE.strip(), "> # ```")),
        CitationNote(2, "", ()),
    )
    text = f"## {HOSTILE}\n\n{HOSTILE}[^1]\n\n| {HOSTILE.strip()} | x |\n|--|--|\n| [^1] | [^2] |\n"
    return delivery(
        chapter(text, title=HOSTILE, owner=HOSTILE), title=HOSTILE, project=HOSTILE, notes=notes,
        stale=(HOSTILE,), extra={HOSTILE: HOSTILE},
    )  # fmt: skip


@pytest.mark.parametrize("name", list(FORMATS))
def test_hostile_text_stays_text_in_every_format(name: str) -> None:
    made = FORMATS[name](hostile())  # type: ignore[arg-type]
    assert len(made) > 1000
    assert b"root:" not in made


def test_hostile_text_stays_text_in_html() -> None:
    page = FORMATS["html"](hostile()).decode()  # type: ignore[arg-type]
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\x0b" not in page


def test_the_title_comes_first_and_the_origin_of_each_chapter_last_in_words() -> None:
    agent = replace(record(), agent="workflow")
    plan = plan_delivery(delivery(chapter(draft=agent)))
    lines = [
        extract_text(item[0].inner)  # type: ignore[union-attr]
        for block in plan.parts[-1].blocks
        if isinstance(block, ListBlock)
        for item in block.items
    ]
    assert "Specification: features/supply.md, SHA-256 f0" in lines
    assert "Agent: workflow" in lines
    assert FORMATS["md"](delivery()).startswith(b"# ")
