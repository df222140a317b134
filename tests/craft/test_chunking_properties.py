from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from foundry.craft.chunking.chunker import Content
from foundry.records import Document
from tests.craft.documents import BOUNDS, OVERLAP, Part, build, chunks_of, count, speech

WORDS = st.sampled_from(
    ["De kabel is lang.", "Max. 5 A.", "ok", "één twee drie, vier", "x1 | y", "😀"]
)
PROSE = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)
LINES = st.lists(WORDS, min_size=1, max_size=40).map("\n".join)
HEADINGS = st.tuples(st.just("heading"), st.integers(1, 4), st.text("abc ", min_size=1, max_size=9))
BODIES = st.one_of(
    st.tuples(st.sampled_from(["paragraph", "list_item", "caption"]), st.none(), PROSE),
    st.tuples(st.sampled_from(["table", "code"]), st.none(), LINES),
)
PARTS = st.lists(st.one_of(HEADINGS, BODIES), max_size=30)
GAPS = st.sampled_from(["\n", "\n\n", " <!-- a gap of some words --> "])


def words(text: str) -> str:
    return "".join(text.split())


@settings(max_examples=150, deadline=None)
@given(PARTS, GAPS)
def test_chunks_are_slices_in_order_and_contain_every_block(parts: list[Part], gap: str) -> None:
    document = build(parts, gap)
    chunks = chunks_of(document)
    covered = bytearray(len(document.text))
    for chunk in chunks:
        assert chunk.text == document.text[chunk.start : chunk.end] == chunk.content
        assert (chunk.blocks[0].start, chunk.blocks[-1].end) >= (chunk.start, chunk.start)
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    spans = [(chunk.start, chunk.end) for chunk in chunks]
    assert spans == sorted(spans)
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
    for block in document.blocks:
        missed = [at for at in range(block.start, block.end) if not covered[at]]
        assert words("".join(document.text[at] for at in missed)) == ""


@settings(max_examples=150, deadline=None)
@given(PARTS, st.sampled_from([(BOUNDS, OVERLAP), ((15, 25), (0, 4)), ((20, 20), (0, 0))]))
def test_sizes_and_overlaps_stay_within_bounds(
    parts: list[Part], limits: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    document = build(parts)
    chunks = chunks_of(document, *limits)
    assert all(chunk.tokens == count(chunk.content) <= limits[0][1] for chunk in chunks)
    for before, chunk in pairwise(chunks):
        shared = document.text[chunk.start : before.end]
        assert count(shared) <= limits[1][1]
        assert before.start < chunk.start
        assert before.end < chunk.end


@settings(max_examples=150, deadline=None)
@given(
    PARTS,
    st.sampled_from([0, 9, 30, 500]),
    st.sampled_from([(BOUNDS, OVERLAP), ((15, 25), (4, 20))]),
)
def test_cutting_ends_whatever_stands_above_each_piece(
    parts: list[Part], repeated: int, limits: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    document = build(parts)

    def introduce(content: Content, start: int, end: int) -> str:
        return "header " * repeated + content.text(start, end)

    with patch.object(Content, "words", introduce):
        chunks = chunks_of(document, *limits)
    kept = "".join(
        document.text[max(chunk.start, before) : chunk.end]
        for before, chunk in zip([0, *(c.end for c in chunks)], chunks, strict=False)
    )
    assert words(kept) == words(document.text)


@settings(max_examples=150, deadline=None)
@given(PARTS)
def test_no_chunk_consists_of_headings_only(parts: list[Part]) -> None:
    document = build(parts)
    bare = all(block.kind == "heading" for block in document.blocks)
    for chunk in chunks_of(document):
        assert bare or any(block.kind != "heading" for block in chunk.blocks)


@settings(max_examples=80, deadline=None)
@given(PARTS)
def test_blocks_of_a_chunk_lie_within_it_and_share_its_path(parts: list[Part]) -> None:
    document = build(parts)
    originals = {(b.kind, b.page, b.heading_path) for b in document.blocks}
    for chunk in chunks_of(document):
        for block in chunk.blocks:
            assert chunk.start <= block.start <= block.end <= chunk.end
            assert (block.kind, block.page, block.heading_path) in originals
            assert block.heading_path[: len(chunk.heading_path)] == chunk.heading_path


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["Ann", "Bo", None]), PROSE), max_size=20))
def test_cues_keep_every_word(turns: list[tuple[str | None, str]]) -> None:
    document: Document = speech(turns)
    chunks = chunks_of(document)
    assert all(chunk.tokens <= BOUNDS[1] for chunk in chunks)
    indexed = words(" ".join(chunk.content for chunk in chunks))
    for block in document.blocks:
        spoken = document.text[block.start : block.end].split()
        assert all(word in indexed for word in spoken)


@settings(max_examples=60, deadline=None)
@given(PARTS, st.integers(1, 30), st.integers(0, 30))
def test_any_bounds_terminate(parts: list[Part], least: int, more: int) -> None:
    chunks = chunks_of(build(parts), (least, least + more), (0, least - 1))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
