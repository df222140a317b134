from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.readers import formats
from tests.readers.sample_files import find_path, list_blocks, list_headings, read_file


def test_the_text_is_unchanged_except_for_its_byte_order_mark(tmp_path: Path) -> None:
    content = "\tOne \r\n\r\n\r\ntwo\x0b\rthree \n"
    document = read_file(tmp_path, "a.txt", "\ufeff" + content)
    assert document.text == content
    assert list_blocks(document) == [("paragraph", "One"), ("paragraph", "two\x0b\rthree")]


def test_numbered_lines_between_empty_lines_are_headings(tmp_path: Path) -> None:
    text = "3 Timing\n\nIntro.\n\n3.2 Intervals\n\nEvery 40 ms.\n\n3.3 V supply\n\nMore."
    document = read_file(tmp_path, "a.txt", text)
    assert list_headings(document) == [(1, "3 Timing"), (2, "3.2 Intervals")]
    assert find_path(document, "40 ms") == ("3 Timing", "3.2 Intervals")


def test_a_list_with_empty_lines_between_its_items_has_no_headings(tmp_path: Path) -> None:
    text = "To do\n\n1. Open the lid\n\n2. Turn the key\n\n3. Close the lid\n"
    assert list_headings(read_file(tmp_path, "a.txt", text)) == []


def test_underlined_lines_are_headings_and_the_first_is_the_title(tmp_path: Path) -> None:
    text = "Release notes\n=============\nFirst words.\n\nFixes\n-----\n\nNone.\n"
    document = read_file(tmp_path, "a.txt", text)
    assert document.title == "Release notes"
    assert list_headings(document) == [(1, "Release notes"), (2, "Fixes")]
    assert find_path(document, "First words") == ("Release notes",)


def test_the_title_is_the_file_name_if_none_is_printed(tmp_path: Path) -> None:
    assert read_file(tmp_path, "meet notes.txt", "Hello there.").title == "meet notes"


@pytest.mark.parametrize("content", [b"", b"  \n\t\r\n ", b"\x00\x01\x02" * 50])
def test_a_file_without_text_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ReadError) as caught:
        read_file(tmp_path, "a.txt", content)
    assert caught.value.where == "a.txt"


def test_an_unknown_extension_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ReadError) as caught:
        read_file(tmp_path, "a.exe", b"x")
    assert ".pdf" in caught.value.fix


def test_a_text_too_long_for_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "MAX_CHARACTERS", 1_000)
    with pytest.raises(ReadError, match="1,800 characters, and one file may have 1,000"):
        read_file(tmp_path, "a.txt", "words " * 300)
