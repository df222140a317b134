"""A public caller cannot tell whether a project has sources that the caller may not see.

Every command runs in two projects that differ in what is hidden; what it prints and returns must be
the same, byte for byte, but for times and random ids.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.guarded_projects import (
    JSON_PROBES,
    NORMAL,
    PROBES,
    SECRET,
    attempt,
    build_projects,
)

Projects = tuple[Path, Path]


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Projects:
    """Without and with hidden sources, built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", "127.0.0.1:1")
        return build_projects(tmp_path_factory.mktemp("roles"))


@pytest.mark.parametrize("words", PROBES, ids=" ".join)
def test_a_public_caller_sees_no_difference(
    projects: Projects, tmp_path: Path, words: tuple[str, ...]
) -> None:
    plain, guarded = projects
    place = tmp_path / "demo"
    assert attempt(guarded, place, words) == attempt(plain, place, words)


@pytest.mark.parametrize("words", [*PROBES, *JSON_PROBES], ids=" ".join)
def test_a_public_caller_sees_no_difference_in_json(
    projects: Projects, tmp_path: Path, words: tuple[str, ...]
) -> None:
    plain, guarded = projects
    place, words = tmp_path / "demo", (*words, "--json")
    assert attempt(guarded, place, words) == attempt(plain, place, words)


def test_a_public_chat_with_a_follow_up_sees_no_difference(
    projects: Projects, tmp_path: Path
) -> None:
    text = f"{NORMAL}\nAnd its supply?\n{SECRET}\nAnd in euro?\n"
    plain, guarded = projects
    place = tmp_path / "demo"
    assert attempt(guarded, place, ["chat"], text) == attempt(plain, place, ["chat"], text)
