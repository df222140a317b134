"""How much of its path a file is named by."""

from __future__ import annotations

from foundry.render.places import shorten_paths


def test_a_file_is_named_without_its_folders_where_that_is_enough() -> None:
    assert shorten_paths(["sources/a/manual.pdf"]) == {"sources/a/manual.pdf": "manual.pdf"}


def test_of_files_with_one_name_each_gets_the_folders_that_tell_it_apart() -> None:
    paths = ["sources/zaken/1.5/README.md", "sources/zaken/1.6/README.md", "sources/top/README.md"]
    names = ["1.5/README.md", "1.6/README.md", "top/README.md"]
    assert list(shorten_paths(paths).values()) == names


def test_a_folder_further_up_is_named_where_only_that_differs() -> None:
    paths = ["a/docs/en/README.md", "b/docs/en/README.md"]
    assert list(shorten_paths(paths).values()) == paths


def test_files_that_are_not_shown_are_told_apart_from() -> None:
    names = shorten_paths(["sources/a/README.md"], ["sources/b/README.md", "sources/a/README.md"])
    assert names == {"sources/a/README.md": "a/README.md"}


def test_the_name_of_an_attachment_starts_with_its_mail() -> None:
    paths = ["sources/x/a.eml/prices.csv", "sources/y/a.eml/prices.csv"]
    assert list(shorten_paths(paths).values()) == ["x/a.eml/prices.csv", "y/a.eml/prices.csv"]
