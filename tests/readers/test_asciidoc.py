from pathlib import Path

import pytest

from foundry.errors import ReadError
from foundry.messages import Message
from tests.readers.sample_files import list_blocks, list_headings, read_file


def read_words(folder: Path, text: str) -> list[str]:
    return [words for _, words in list_blocks(read_file(folder, "a.adoc", text))]


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("A *bold* _word_ and `code`, **un**bound.", "A bold word and code, unbound."),
        (":box: Acme Box\n\nThe {box} works.", "The Acme Box works."),
        ("See https://example.com[the site] or <<x,the part>>.", "See the site or the part."),
        ("See link:a.html[this^] and xref:b.adoc#c[that].", "See this and that."),
        ("Press kbd:[Ctrl+C] for +*stars*+ ((index)).", "Press Ctrl+C for *stars* index."),
        ("The snake_case_name and 5*3*2.", "The snake_case_name and 5*3*2."),
        ("// comment\nText.", "Text."),
        ("ifdef::none[]\nnever\nendif::[]\nText.", "Text."),
        ("CPU:: The brain.", "CPU: The brain."),
        ('"`Quoted`" x^2^', "“Quoted” x²"),
    ],
)
def test_a_sentence_has_its_words_and_no_markup(tmp_path: Path, written: str, seen: str) -> None:
    assert read_words(tmp_path, written) == [seen]


def test_the_header_states_title_and_revision(tmp_path: Path) -> None:
    text = "= The box\nJane Doe <jane@example.com>\nv1.2, 2026-03-12\n\n== Set-up\n\nText."
    document = read_file(tmp_path, "a.adoc", text)
    assert (document.title, document.revision) == ("The box", "1.2")
    assert document.revision_date == "2026-03-12"
    assert list_headings(document) == [(1, "The box"), (2, "Set-up")]


def test_lists_nest_and_keep_their_code(tmp_path: Path) -> None:
    text = ". One\n+\n----\nx = 1\n----\n* Deep\n. Two\n"
    assert read_words(tmp_path, text) == ["1. One", "x = 1", "• Deep", "2. Two"]


@pytest.mark.parametrize("written", ["WARNING: Hot.", "[WARNING]\n====\nHot.\n===="])
def test_an_admonition_is_its_kind_and_its_text(tmp_path: Path, written: str) -> None:
    assert read_words(tmp_path, f"{written}\n\nAfter.") == ["Warning", "Hot.", "After."]


def test_a_table_has_its_title_header_and_spans(tmp_path: Path) -> None:
    text = '.Limits\n[cols="1,2",options="header"]\n|===\n|Name |Value\n\n2+|Both\n|Current\n|2 A\n|==='
    assert list_blocks(read_file(tmp_path, "a.adoc", text)) == [
        ("caption", "Limits"),
        ("table", "Name | Value\nBoth\nCurrent | 2 A"),
    ]


def test_a_footnote_follows_the_text_under_its_number(tmp_path: Path) -> None:
    assert read_words(tmp_path, "A fuse.footnote:[Of 2 A.]") == ["A fuse.[1]", "[1] Of 2 A."]


def test_included_files_and_unknown_names_are_named(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.adoc", "The {box}.\n\ninclude::part.adoc[]\n")
    assert document.text == "The box."
    assert document.warnings == (
        Message("readers-written-includes", names=("part.adoc",)),
        Message("readers-written-unknown", names=("box",)),
    )


def test_attributes_that_fill_each_other_end_in_an_error(tmp_path: Path) -> None:
    lines = [":a0: word", *(f":a{n}: " + f"{{a{n - 1}}}" * 9 for n in range(1, 12)), "", "{a11}"]
    with pytest.raises(ReadError) as error:
        read_file(tmp_path, "a.adoc", "\n".join(lines))
    assert error.value.problem.code == "readers-written-bomb"
