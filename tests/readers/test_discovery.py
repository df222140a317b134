import os
from pathlib import Path

import pytest

from foundry.errors import ConfigError
from foundry.readers.discovery import Discovery, discover


def make(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("words")
    return root


def names(found: Discovery) -> list[str]:
    return [file.name for file in found.files]


def reasons(found: Discovery) -> dict[str, str]:
    return {refused.name: str(refused.reason) for refused in found.refused}


def test_a_walk_is_sorted_and_named_from_the_project(tmp_path: Path) -> None:
    make(tmp_path, "sources/b.md", "sources/a/z.txt", "sources/a.txt", "other.md")
    found = discover(tmp_path, [Path("sources")])
    assert names(found) == ["sources/a.txt", "sources/a/z.txt", "sources/b.md"]
    assert found.files[0].path == tmp_path.resolve() / "sources/a.txt"


def test_hidden_and_lock_files_are_ignored_and_other_types_left_out(tmp_path: Path) -> None:
    make(tmp_path, "s/.git/a.md", "s/.a.md", "s/~$plan.docx", "s/a.md", "s/b.exe", "s/c.exe", "s/d")
    found = discover(tmp_path, [Path("s")])
    assert names(found) == ["s/a.md"]
    assert found.refused == ()
    assert {file.name: str(file.reason) for file in found.left_out} == {
        "s/b.exe": "Foundry cannot read .exe.",
        "s/c.exe": "Foundry cannot read .exe.",
        "s/d": "Foundry cannot read files without an extension.",
    }


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["**/*"], ["drafts/**"], ["s/a.md", "s/x/c.txt"]),
        (["**/*"], ["s/drafts/"], ["s/a.md", "s/x/c.txt"]),
        (["*.md"], [], ["s/a.md", "s/drafts/b.md"]),
        (["s/*.md"], [], ["s/a.md"]),
        (["**/[!a].*"], [], ["s/drafts/b.md", "s/x/c.txt"]),
        (["x/**"], [], ["s/x/c.txt"]),
    ],
)
def test_patterns_choose_files(
    tmp_path: Path, include: list[str], exclude: list[str], expected: list[str]
) -> None:
    make(tmp_path, "s/a.md", "s/drafts/b.md", "s/x/c.txt")
    assert names(discover(tmp_path, [Path("s")], include, exclude)) == expected


def test_a_malformed_pattern_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="pattern"):
        discover(tmp_path, [Path()], ["[z-a]"])


def test_named_files_are_refused_with_a_reason(tmp_path: Path) -> None:
    make(tmp_path, "p/a.md", "p/b.exe", "out.md")
    wanted = [Path("a.md"), Path("b.exe"), Path("no.md"), Path("../out.md"), Path("a.md")]
    found = discover(tmp_path / "p", wanted)
    assert names(found) == ["a.md"]
    assert reasons(found) == {
        "b.exe": "Foundry cannot read .exe.",
        "no.md": "No such file or folder.",
        str(tmp_path.resolve() / "out.md"): "It is outside the project folder.",
    }


def test_a_link_that_points_outside_is_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "out/secret.md", "p/s/a.md")
    (tmp_path / "p/s/file.md").symlink_to(tmp_path / "out/secret.md")
    (tmp_path / "p/s/folder").symlink_to(tmp_path / "out")
    found = discover(tmp_path / "p", [Path("s"), Path("s/file.md"), Path("s/folder/secret.md")])
    assert names(found) == ["s/a.md"]
    assert {"s/file.md", "s/folder"} < set(reasons(found))
    assert all("outside" in reason for reason in reasons(found).values())


def test_a_link_out_of_the_walked_folder_is_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "foundry.md", "s/a.md")
    (tmp_path / "s/b.md").symlink_to(tmp_path / "foundry.md")
    found = discover(tmp_path, [Path("s")])
    assert names(found) == ["s/a.md"]
    assert reasons(found) == {"s/b.md": "It is a link to a place outside s/."}


def test_a_name_with_a_control_character_is_refused_on_one_line(tmp_path: Path) -> None:
    make(tmp_path, "s/a\nb.md", "s/c\x9bd/e.md", "s/rtl\u202e.md", "s/narrow\u202fspace.md")
    found = discover(tmp_path, [Path("s")])
    assert names(found) == ["s/narrow\u202fspace.md"]
    assert sorted(reasons(found)) == ["s/a\\nb.md", "s/c\\x9bd/e.md", "s/rtl\\u202e.md"]


def test_links_within_the_walked_folder_are_followed_once(tmp_path: Path) -> None:
    make(tmp_path, "s/z/a.md", "s/b.md")
    (tmp_path / "s/docs").symlink_to(tmp_path / "s/z")
    (tmp_path / "s/loop").symlink_to(tmp_path / "s")
    assert names(discover(tmp_path, [Path("s")])) == ["s/b.md", "s/z/a.md"]


def test_special_large_and_dangling_files_are_refused_without_opening_them(tmp_path: Path) -> None:
    make(tmp_path, "s/large.md")
    os.mkfifo(tmp_path / "s/pipe.md")
    (tmp_path / "s/gone.md").symlink_to(tmp_path / "s/nothing.md")
    found = discover(tmp_path, [Path("s")], max_bytes=4)
    assert names(found) == []
    assert reasons(found)["s/pipe.md"] == "It is a named pipe, not a file."
    assert "too large" in reasons(found)["s/large.md"]
    assert "No such file" in reasons(found)["s/gone.md"]


def test_a_name_that_is_not_valid_utf8_is_refused(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text("words")
    found = discover(tmp_path, [Path()])
    assert names(found) == []
    assert "UTF-8" in str(found.refused[0].reason)
    assert found.refused[0].name.encode()


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_read_permission_is_refused(tmp_path: Path) -> None:
    make(tmp_path, "s/a.md", "s/closed/b.md")
    (tmp_path / "s/a.md").chmod(0)
    (tmp_path / "s/closed").chmod(0)
    found = discover(tmp_path, [Path("s")])
    (tmp_path / "s/closed").chmod(0o700)
    assert set(reasons(found)) == {"s/a.md", "s/closed"}


def test_xml_and_yaml_of_other_kinds_are_left_out_of_a_folder_only(tmp_path: Path) -> None:
    make(tmp_path, "s/config.yaml", "s/pom.xml")
    (tmp_path / "s/api.yaml").write_text("openapi: 3.0.0\n")
    (tmp_path / "s/guide.xml").write_text('<article xmlns="http://docbook.org/ns/docbook"/>')
    found = discover(tmp_path, [Path("s")])
    assert names(found) == ["s/api.yaml", "s/guide.xml"]
    assert str(found.left_out[0].reason) == "Foundry cannot read this kind of .yaml."
    assert names(discover(tmp_path, [Path("s/pom.xml")])) == ["s/pom.xml"]
