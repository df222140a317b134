"""Windows: the parts of a chunk that are embedded one by one."""

from __future__ import annotations

from dataclasses import replace

from foundry.craft.windows import WINDOW_CHARS, build_embedding_texts, cut_windows
from tests.craft.samples import make_chunk

SENTENCE = "The controller repeats each packet after a pause of forty milliseconds. "


def test_windows_are_parts_of_the_source_and_cover_every_sentence() -> None:
    chunk = make_chunk("# 3 Use\n" + SENTENCE * 20)
    windows = cut_windows(chunk)
    text = " ".join(window.text for window in windows)
    assert len(windows) > 3
    assert text.count("forty milliseconds") == 20
    assert all(chunk.start <= w.start < w.end <= chunk.end for w in windows)


def test_a_window_closes_at_a_sentence_end() -> None:
    windows = cut_windows(make_chunk(SENTENCE * 20))
    assert all(window.text.endswith(".") for window in windows)
    assert all(len(window.text) < 2 * WINDOW_CHARS for window in windows)


def test_a_heading_opens_the_window_of_its_text() -> None:
    first = cut_windows(make_chunk("# 3.2 Intervals\n" + SENTENCE * 3))[0]
    assert first.text.startswith("3.2 Intervals The controller")


def test_a_short_rest_joins_the_window_before() -> None:
    windows = cut_windows(make_chunk(SENTENCE * 4 + "End."))
    assert windows[-1].text.endswith("End.")
    assert len(windows) == 1


def test_a_chunk_without_sentences_is_one_window() -> None:
    assert len(cut_windows(make_chunk("12 | 34"))) == 1


def test_the_prefix_is_embedded_first_and_on_its_own() -> None:
    chunk = make_chunk(SENTENCE)
    assert len(build_embedding_texts(chunk)) == 1
    assert build_embedding_texts(replace(chunk, prefix="Manual"))[0] == "Manual"
