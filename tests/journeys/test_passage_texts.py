"""A source as text: windows that can be paged through, and places that can be found again."""

from __future__ import annotations

import re

import pytest

from foundry.journeys.index import IngestOptions
from foundry.journeys.ingest import ingest
from foundry.journeys.passages.texts import (
    TextSelector,
    build_selector,
    find_selector,
    find_words,
    read_window,
    split_headers,
)
from foundry.messages import Message
from foundry.records import Source
from foundry.workspace import Workspace

TEXT = "The limit is 5 bar in summer. The limit is 5 bar in winter. Both are absolute."


@pytest.fixture
def manual(workspace: Workspace) -> Source:
    paragraphs = (f"## {n} Part\n\nParagraph {n} says {'many words ' * 20}.\n" for n in range(200))
    (workspace.root / "sources/manual.md").write_text("\n".join(paragraphs))
    ingest(workspace, [workspace.root / "sources/manual.md"], options=IngestOptions())
    source = workspace.store.find_source("sources/manual.md")
    assert source
    return source


def test_windows_from_the_start_give_the_whole_source_once(
    workspace: Workspace, manual: Source
) -> None:
    at: int | None = 0
    found: list[str] = []
    while at is not None:
        window = read_window(workspace, manual, at, "after", size=5000)
        assert len(window.html) < 25_000
        found += re.findall(r"Paragraph (\d+) says", window.html)
        at = window.next
    assert found == [str(number) for number in range(200)]


def test_a_window_around_a_place_has_text_on_both_sides(
    workspace: Workspace, manual: Source
) -> None:
    at = workspace.store.source_text(manual.id).index("Paragraph 100")
    window = read_window(workspace, manual, at, size=5000)
    assert window.start < at < window.end
    earlier = read_window(workspace, manual, window.previous or 0, "before", size=5000)
    assert earlier.end < window.start
    assert earlier.next == window.start


def test_one_endless_block_is_cut(workspace: Workspace) -> None:
    text = "".join(f"entry {number} of the log\n" for number in range(2_000))
    (workspace.root / "sources/log.txt").write_text(text)
    ingest(workspace, [workspace.root / "sources/log.txt"])
    source = workspace.store.find_source("sources/log.txt")
    assert source
    window = read_window(workspace, source, 20_000, size=5000)
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
    rest, heads = split_headers(workspace, source, [(stored.index("| Part"), len(stored))])
    assert [stored[start:end].strip() for start, end in rest] == ["| Lid | 5 Nm |"]
    assert stored[heads[0][0] : heads[0][1]] == "| Part | Torque |"
