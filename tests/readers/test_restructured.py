from pathlib import Path

import pytest

from foundry.messages import Message
from tests.readers.sample_files import find_path, list_blocks, list_headings, read_file


def read_words(folder: Path, text: str) -> list[str]:
    return [words for _, words in list_blocks(read_file(folder, "a.rst", text))]


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("See *the* ``load`` call `here <https://example.com>`__.", "See the load call here."),
        ("See :ref:`the part <part>` and :py:meth:`~a.b.load`.", "See the part and load."),
        ("Call :meth:`.Session.add` of :file:`.foundry`.", "Call Session.add of .foundry."),
        ("Gone is `the page`_ now.", "Gone is the page now."),
        (".. |x| replace:: Box\n\nThe |x| works.", "The Box works."),
        ("Version |release| works.", "Version release works."),
        ("Takes \\*args and 5*3*2.", "Takes *args and 5*3*2."),
        (".. versionadded:: 3.2\n   It is new.", "Added in version 3.2: It is new."),
        ("term\n   Its meaning.", "term: Its meaning."),
        (".. function:: load(\\*names)\n\n   Loads it.", "load(*names): Loads it."),
    ],
)
def test_a_sentence_has_its_words_and_no_markup(tmp_path: Path, written: str, seen: str) -> None:
    assert read_words(tmp_path, written) == [seen]


def test_titles_fields_and_tables_are_read(tmp_path: Path) -> None:
    text = (
        "The box\n=======\n\n:Version: 1.2\n:Date: 2026-03-12\n\nLimits\n------\n\n"
        ".. list-table:: Of it\n   :header-rows: 1\n\n   * - a\n     - b\n   * - 1\n     - 2 V\n"
    )
    document = read_file(tmp_path, "a.rst", text)
    assert (document.title, document.revision) == ("The box", "1.2")
    assert list_headings(document) == [(1, "The box"), (2, "Limits")]
    assert ("table", "a | b\n1 | 2 V") in list_blocks(document)


def test_an_unknown_directive_keeps_its_title_and_content(tmp_path: Path) -> None:
    text = ".. card:: The *title*\n   :link: x\n   :wide:\n\n   Its text.\n\nAfter."
    assert read_words(tmp_path, text) == ["The title", "Its text.", "After."]


def test_a_tab_is_a_section_that_ends_with_it(tmp_path: Path) -> None:
    text = "Top\n===\n\n.. tabs::\n\n   .. tab:: Linux\n\n      Use apt.\n\nAfter."
    document = read_file(tmp_path, "a.rst", text)
    assert find_path(document, "Use apt.") == ("Top", "Linux")
    assert find_path(document, "After.") == ("Top",)


@pytest.mark.parametrize(
    "written",
    [".. include:: /etc/passwd", ".. csv-table:: T\n   :file: /etc/passwd", ".. toctree::\n\n   /etc/passwd"],
)  # fmt: skip
def test_a_file_that_is_named_is_not_read(tmp_path: Path, written: str) -> None:
    document = read_file(tmp_path, "a.rst", f"Text.\n\n{written}\n")
    assert document.text == "Text."
    assert document.warnings == (Message("readers-written-includes", names=("/etc/passwd",)),)


def test_raw_html_and_generated_pages_are_named(tmp_path: Path) -> None:
    text = "Text.\n\n.. raw:: html\n\n   <b>x</b>\n\n.. automodule:: a.b\n"
    document = read_file(tmp_path, "a.rst", text)
    assert document.text == "Text."
    assert document.warnings[0].params["names"] == ("raw html", "automodule a.b")


def test_what_cannot_be_read_stays_as_code(tmp_path: Path) -> None:
    blocks = list_blocks(read_file(tmp_path, "a.rst", "== ==\na  b\n== ==\nlong words\n== ==\n"))
    assert [kind for kind, _ in blocks] == ["code"]


def test_roles_of_one_text_do_not_answer_in_the_next(tmp_path: Path) -> None:
    read_words(tmp_path, ".. role:: own\n\n:own:`A`")
    assert read_words(tmp_path, ":own:`B <x>`") == ["B"]


def test_a_long_paragraph_of_open_marks_is_plain_text(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.rst", "Title\n=====\n\n" + ("*a " * 25 + "\n") * 2000)
    assert document.text.split("\n\n")[0] == "Title"
    assert document.text.count("*a") == 50_000


def test_a_line_that_is_too_long_for_docutils_is_read(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.rst", f"Before.\n\n{'words ' * 20_000}\n\nAfter.\n")
    assert document.text.startswith("Before.")
    assert document.text.count("words") == 20_000
    assert document.text.endswith("After.")
