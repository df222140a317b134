"""A source as text: windows that can be paged through, and places that can be found again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from foundry.journeys.ingest import ingest
from foundry.journeys.passages.texts import (
    TextSelector,
    build_selector,
    find_selector,
    find_words,
    read_window,
    split_headers,
)
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.models.builtin_model import BuiltinEmbedder
from foundry.models.e5.weights import HIDDEN
from foundry.ports import Vectors
from foundry.records import Source
from foundry.workspace import Workspace, open_workspace
from tests.journeys.conftest import write_project

TEXT = "The limit is 5 bar in summer. The limit is 5 bar in winter. Both are absolute."


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A project with a manual of many parts and a log that is one block; tests only read them."""
    root = write_project(tmp_path_factory.mktemp("texts") / "project")
    paragraphs = (f"## {n} Part\n\nParagraph {n} says {'many words ' * 20}.\n" for n in range(200))
    (root / "sources/manual.md").write_text("\n".join(paragraphs))
    entries = (f"entry {number} of the log\n" for number in range(2_000))
    (root / "sources/log.txt").write_text("".join(entries))
    with open_workspace(root, environment={}, cwd=root) as workspace:
        # Of windows of text no vector says anything.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BuiltinEmbedder, "embed_passages", _embed_all_alike)
            ingest(workspace)
        yield workspace


def _embed_all_alike(_: BuiltinEmbedder, texts: Sequence[str]) -> Vectors:
    return np.full((len(texts), HIDDEN), HIDDEN**-0.5, dtype=np.float32)


@pytest.fixture
def manual(opened: Workspace) -> Source:
    return get_source(opened, "sources/manual.md")


def test_windows_from_the_start_give_the_whole_source_once(
    opened: Workspace, manual: Source
) -> None:
    at: int | None = 0
    found: list[str] = []
    while at is not None:
        window = read_window(opened, manual, at, "after", size=5000)
        assert len(window.html) < 25_000
        found += re.findall(r"Paragraph (\d+) says", window.html)
        at = window.next
    assert found == [str(number) for number in range(200)]


def test_a_window_around_a_place_has_text_on_both_sides(opened: Workspace, manual: Source) -> None:
    at = opened.store.source_text(manual.id).index("Paragraph 100")
    window = read_window(opened, manual, at, size=5000)
    assert window.start < at < window.end
    earlier = read_window(opened, manual, window.previous or 0, "before", size=5000)
    assert earlier.end < window.start
    assert earlier.next == window.start


def test_one_endless_block_is_cut(opened: Workspace) -> None:
    window = read_window(opened, get_source(opened, "sources/log.txt"), 20_000, size=5000)
    assert len(window.html) < 25_000
    assert window.start <= 20_000 < window.end


def test_a_selector_leads_back_to_the_second_of_two_equal_places() -> None:
    start = TEXT.rindex("The limit is 5 bar")
    selector = build_selector(TEXT, start, start + 18)
    assert selector.exact == "The limit is 5 bar"
    assert find_selector("A new first sentence. " + TEXT, selector) == (start + 22, start + 40)


def test_a_selector_survives_other_line_breaks() -> None:
    selector = build_selector(TEXT, 4, 18)
    assert find_selector(TEXT.replace(" ", "\n"), selector) == (4, 18)


def test_words_that_are_gone_are_a_reason() -> None:
    found = find_selector(TEXT, TextSelector("The limit is 6 bar"))
    assert isinstance(found, Message)
    assert found.code == "page-words-gone"


def test_words_with_nothing_to_tell_them_apart_are_a_reason() -> None:
    found = find_selector(TEXT, TextSelector("5 bar"))
    assert isinstance(found, Message)
    assert found.code == "page-words-several"


def test_words_are_found_in_any_case_up_to_a_limit() -> None:
    assert find_words(TEXT, "the LIMIT") == [(0, 9), (30, 39)]
    assert find_words(TEXT, "the limit", limit=1) == [(0, 9)]
    assert find_words(TEXT, " ") == []


def test_the_header_that_a_quoted_row_touches_is_told_apart(workspace: Workspace) -> None:
    text = "# Lid\n\n| Part | Torque |\n|---|---|\n| Lid | 5 Nm |\n"
    (workspace.root / "sources/lid.md").write_text(text, encoding="utf-8")
    ingest(workspace)
    source = workspace.store.find_source("sources/lid.md")
    assert source
    stored = workspace.store.source_text(source.id)
    rest, heads = split_headers(workspace, source, [(stored.index("Part"), len(stored))])
    assert [stored[start:end].strip() for start, end in rest] == ["Lid | 5 Nm"]
    assert stored[heads[0][0] : heads[0][1]] == "Part | Torque"
