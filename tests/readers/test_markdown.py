from pathlib import Path

import pytest

from foundry.errors import ReadError
from tests.readers.sample_files import find_path, list_blocks, list_headings, read_file


def test_blocks_of_every_kind_are_found_in_the_unchanged_text(tmp_path: Path) -> None:
    text = (
        "# Top\r\n\r\nA para\r\nof two lines.\r\n\r\n- one\r\n- two\r\n\r\n"
        "| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n\r\n```py\r\nx = 1\r\n```\r\n"
    )
    document = read_file(tmp_path, "a.md", text)
    assert document.text == text
    assert list_blocks(document) == [
        ("heading", "# Top"),
        ("paragraph", "A para\r\nof two lines."),
        ("list_item", "- one"),
        ("list_item", "- two"),
        ("table", "| a | b |\r\n|---|---|\r\n| 1 | 2 |"),
        ("code", "```py\r\nx = 1\r\n```"),
    ]


def test_heading_paths_have_no_markup(tmp_path: Path) -> None:
    text = "The *DMX* [box](x.md)\n=====\n\n## 3.2 `PIN` codes {#pin}\n\nText.\n"
    document = read_file(tmp_path, "a.md", text)
    assert find_path(document, "Text.") == ("The DMX box", "3.2 PIN codes")
    assert list_headings(document)[0] == (1, "The DMX box")


def test_the_title_comes_from_the_front_matter_else_from_the_first_h1(tmp_path: Path) -> None:
    front = "---\ntitle: Wired\nversion: 2.1\ndate: 2026-03-12\n---\n"
    document = read_file(tmp_path, "a.md", front + "# Top\n\nText.")
    assert (document.title, document.revision, document.revision_date) == (
        "Wired",
        "2.1",
        "2026-03-12",
    )
    assert document.text.startswith("---\ntitle")
    assert document.blocks[0].start == len(front)
    assert read_file(tmp_path, "b.md", "## Low\n\n# Top\n\nText.").title == "Top"
    assert read_file(tmp_path, "c.md", "Text.").title == "c"


def test_a_rule_at_the_top_is_not_front_matter(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "---\nNot: [yaml\n---\n\nText.")
    assert "Not: [yaml" in " ".join(words for _, words in list_blocks(document))


def test_headings_in_quotations_and_lists_open_no_section(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "# A\n\n> # Quoted\n\n- # Listed\n\nText.")
    assert list_headings(document) == [(1, "A")]
    assert find_path(document, "Text.") == ("A",)


def test_nested_list_items_are_separate_blocks(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "1. one\n   - deep\n\n   still one\n2. two\n")
    assert list_blocks(document) == [
        ("list_item", "1. one"),
        ("list_item", "- deep"),
        ("list_item", "still one"),
        ("list_item", "2. two"),
    ]


def test_html_headings_count_and_comments_do_not(tmp_path: Path) -> None:
    text = '<h1 align="center">The <b>box</b></h1>\n\n<!-- hidden -->\n\n<p>Seen.</p>\n'
    document = read_file(tmp_path, "a.md", text)
    assert list_headings(document) == [(1, "The box")]
    assert [words for _, words in list_blocks(document)][1:] == ["<p>Seen.</p>"]


def test_a_file_with_only_front_matter_has_no_text(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no text"):
        read_file(tmp_path, "a.md", "---\ntitle: x\n---\n")
