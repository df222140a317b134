from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from foundry.ports import ReadOptions
from foundry.readers import read
from tests.readers.sample_files import find_path, list_blocks, list_headings, read_file


def read_words(folder: Path, text: str, name: str = "a.md") -> list[str]:
    return [words for _, words in list_blocks(read_file(folder, name, text))]


def test_blocks_of_every_kind_are_read_as_the_page_that_they_make(tmp_path: Path) -> None:
    text = (
        "# Top\r\n\r\nA *para*\r\nof two lines.\r\n\r\n- one\r\n- two\r\n\r\n"
        "| a | b |\r\n|---|---|\r\n| 1 | `2` |\r\n\r\n```py\r\nx = 1\r\n```\r\n"
    )
    assert list_blocks(read_file(tmp_path, "a.md", text)) == [
        ("heading", "Top"),
        ("paragraph", "A para of two lines."),
        ("list_item", "• one"),
        ("list_item", "• two"),
        ("table", "a | b\n1 | 2"),
        ("code", "x = 1"),
    ]


def test_a_text_that_is_checked_keeps_its_markup_and_lines(tmp_path: Path) -> None:
    text = "# Top\r\n\r\nA *para*\r\nof two lines.\r\n"
    path = tmp_path / "a.md"
    path.write_bytes(text.encode())
    document = read(path, ReadOptions("a.md", as_written=True))
    assert document.text == text
    assert list_blocks(document)[1] == ("paragraph", "A *para*\r\nof two lines.")


def test_heading_paths_have_no_markup(tmp_path: Path) -> None:
    text = "The *DMX* [box](x.md)\n=====\n\n## 3.2 `PIN` codes {#pin .x}\n\nText.\n"
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
    assert document.text == "Top\n\nText."
    assert read_file(tmp_path, "b.md", "## Low\n\n# Top\n\nText.").title == "Top"
    assert read_file(tmp_path, "c.md", "Text.").title == "c"


def test_a_rule_at_the_top_is_not_front_matter(tmp_path: Path) -> None:
    assert "Not: [yaml" in " ".join(read_words(tmp_path, "---\nNot: [yaml\n---\n\nText."))


def test_headings_in_quotations_and_lists_open_no_section(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "# A\n\n> # Quoted\n\n- # Listed\n\nText.")
    assert list_headings(document) == [(1, "A")]
    assert find_path(document, "Text.") == ("A",)


def test_nested_list_items_are_separate_blocks(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "1. one\n   - deep\n2. two\n")
    assert list_blocks(document) == [
        ("list_item", "1. one"),
        ("list_item", "• deep"),
        ("list_item", "2. two"),
    ]


def test_html_is_read_as_a_browser_reads_it(tmp_path: Path) -> None:
    text = (
        '<h1 align="center">The <b>box</b></h1>\n\n<!-- hidden -->\n\n<p>Seen &amp; read.</p>\n\n'
        "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2 V</td></tr></table>\n"
    )
    document = read_file(tmp_path, "a.md", text)
    assert list_headings(document) == [(1, "The box")]
    assert list_blocks(document)[1:] == [
        ("paragraph", "Seen & read."),
        ("table", "A | B\n1 | 2 V"),
    ]


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("See [the manual][m] first.\n\n[m]: https://example.com/x", "See the manual first."),
        ("See [the `load` call][api.load] first.", "See the load call first."),
        ("R&amp;D \\*now\\* &lt; 5", "R&D *now* < 5"),
        ("Press <kbd>Esc</kbd> or <name>.", "Press Esc or <name>."),
        ("![a diagram](x.png){ width=\"400\" } Text", "Text"),
        (":material-folder-cog: Files", "Files"),
        (":x: Sealed", ":x: Sealed"),
        ("=== RUN TestLid", "=== RUN TestLid"),
        ("**a** and **b**", "a and b"),
        ("5*3*2 is 30", "5*3*2 is 30"),
        ("the file a_b_c", "the file a_b_c"),
        ("matrix[i][j]", "matrix[i][j]"),
        ("List<T> has <title> in it", "List<T> has <title> in it"),
        ("<!-- never closed", "<!-- never closed"),
        ("<? never closed", "<? never closed"),
    ],
)  # fmt: skip
def test_a_sentence_has_its_words_and_no_markup(tmp_path: Path, written: str, seen: str) -> None:
    assert read_words(tmp_path, written) == [seen]


@pytest.mark.parametrize(
    "written",
    [
        '!!! warning "Watch out"\n    Hot stuff.',
        '???+ note "Watch out"\n    Hot stuff.',
        '??? "Watch out"\n    Hot stuff.',
        ":::tip[Watch out]\n\nHot stuff.\n\n:::",
        "/// note | Watch out\nHot stuff.\n///",
    ],
)
def test_an_admonition_is_its_title_and_its_text(tmp_path: Path, written: str) -> None:
    assert read_words(tmp_path, f"{written}\n\nAfter.") == ["Watch out", "Hot stuff.", "After."]


def test_the_lines_of_an_element_of_mkdocs_are_markdown(tmp_path: Path) -> None:
    written = "<div markdown>\nSee [the list](a.md) **now**.\n</div>"
    assert read_words(tmp_path, written) == ["See the list now."]


@pytest.mark.parametrize("mark", ["[!NOTE]", "[!info]-"])
def test_the_mark_of_a_callout_is_no_text(tmp_path: Path, mark: str) -> None:
    assert read_words(tmp_path, f"> {mark} Watch out\n> now.") == ["Watch out now."]


@pytest.mark.parametrize(
    "written",
    [
        '=== "Linux"\n    Use apt.\n\n=== "Windows"\n    Use exe.',
        '<TabItem label="Linux">\n\nUse apt.\n\n</TabItem>\n<TabItem label="Windows">\n\nUse exe.\n\n</TabItem>',
    ],
)
def test_a_tab_is_a_section_that_ends_with_it(tmp_path: Path, written: str) -> None:
    document = read_file(tmp_path, "a.md", f"# Install\n\n{written}\n\nAfter.")
    assert find_path(document, "Use apt.") == ("Install", "Linux")
    assert find_path(document, "Use exe.") == ("Install", "Windows")
    assert find_path(document, "After.") == ("Install",)


def test_code_of_mdx_is_no_text_and_prose_stays(tmp_path: Path) -> None:
    text = "import Tabs from 'x';\nexport const a = 1;\n\nYou can import data and\nexport it.\n"
    text += "\n```js\nimport y\n```\n"
    words = ["You can import data and export it.", "import y"]
    assert read_words(tmp_path, text, "a.mdx") == words


def test_a_long_run_of_blanks_in_an_admonition_takes_no_time(tmp_path: Path) -> None:
    blanks = " " * 200_000
    assert read_words(tmp_path, f":::note{blanks}x\n\nText.") == ["x", "Text."]


def test_a_footnote_follows_the_text_under_its_number(tmp_path: Path) -> None:
    assert read_words(tmp_path, "A fuse[^f].\n\n[^f]: Of 2 A.\n") == ["A fuse[1].", "[1] Of 2 A."]


def test_an_included_file_is_named_and_its_line_is_no_text(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", 'Text.\n\n--8<-- "part.md"\n')
    assert [words for _, words in list_blocks(document)] == ["Text."]
    assert document.warnings == (Message("readers-written-includes", names=("part.md",)),)


def test_text_below_a_hundred_levels_is_left_out_and_said(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "Text.\n\n" + "> " * 1000 + "deep\n")
    assert [message.code for message in document.warnings] == ["readers-markdown-deep"]


def test_a_fence_that_never_closes_is_code_to_the_end(tmp_path: Path) -> None:
    assert read_words(tmp_path, "Text.\n\n```\nx = 1\n\n# no heading") == [
        "Text.",
        "x = 1\n\n# no heading",
    ]


def test_a_file_with_only_front_matter_has_no_text(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no text"):
        read_file(tmp_path, "a.md", "---\ntitle: x\n---\n")


@pytest.mark.parametrize(
    "text",
    [
        "# Kit\n\nWhat it is.\n\n## Use\n\nVersion 1.2\n\nof the board needs it.",
        "# Kit\n\n```yaml\nversion: 1\n```\n\nText.",
    ],
)
def test_a_version_in_a_section_or_in_code_is_not_that_of_the_document(
    tmp_path: Path, text: str
) -> None:
    assert read_file(tmp_path, "a.md", text).revision is None


def test_a_section_about_the_revisions_of_the_document_counts(tmp_path: Path) -> None:
    text = "# Kit\n\n## Revision history\n\nVersion 1.2\n\n## Use\n\nText."
    assert read_file(tmp_path, "a.md", text).revision == "Version 1.2"


def test_front_matter_may_end_with_dots(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.md", "---\ntitle: The kit\nversion: 3\n...\n\nText.")
    assert (document.title, document.revision, document.text) == ("The kit", "3", "Text.")
