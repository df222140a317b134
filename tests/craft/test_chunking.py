from __future__ import annotations

import random
from itertools import pairwise

import pytest

from foundry.craft.chunking import chunk_document
from foundry.records import Block, Chunk, Document
from tests.craft.documents import build, chunks_of, count, heading, paragraph, speech


def overlap_of(before: Chunk, after: Chunk) -> int:
    return count(before.text[max(0, after.start - before.start) :])


def test_a_small_document_is_one_chunk() -> None:
    document = build([heading(1, "One"), paragraph("a"), heading(1, "Two"), paragraph("b")])
    (chunk,) = chunks_of(document)
    assert chunk.text == chunk.content == document.text
    assert (chunk.position, chunk.prefix, chunk.tokens) == (0, "", count(document.text))


def test_a_document_without_words_has_no_chunks() -> None:
    assert chunks_of(Document("", (), "txt", "T")) == []
    assert chunks_of(Document(" \n", (Block("paragraph", 0, 2),), "txt", "T")) == []


def test_text_without_blocks_is_one_paragraph() -> None:
    (chunk,) = chunks_of(Document(" Words. ", (), "txt", "T"))
    assert (chunk.text, chunk.blocks[0].kind) == ("Words.", "paragraph")


def test_small_sections_share_a_chunk_and_the_path_they_have_in_common() -> None:
    parts = [heading(1, "3 Limits")]
    for n in range(3):
        parts += [heading(2, f"3.{n} Part"), paragraph(f"p{n}")]
    (chunk,) = chunks_of(build(parts))
    assert chunk.heading_path == ("3 Limits",)
    assert chunk.headings == ("3 Limits", "3.0 Part", "3.1 Part", "3.2 Part")


def test_the_title_is_not_repeated_among_the_headings() -> None:
    document = build([heading(1, "Manual"), heading(2, "1 Use"), paragraph("a")], title="Manual")
    assert chunks_of(document)[0].headings == ("1 Use",)


@pytest.mark.parametrize("entry", ["Use . . . . . {}", "| Use ..... | {} |", "Use …… {}"])
def test_a_table_of_contents_with_dot_leaders_is_in_no_chunk(entry: str) -> None:
    contents = "\n".join(entry.format(page) for page in ("vii", 12, 30))
    document = build([heading(1, "Guide"), ("paragraph", None, contents), paragraph("a")])
    assert not any("Use" in chunk.content for chunk in chunks_of(document))


@pytest.mark.parametrize("name", list("abcdefgh"))
def test_a_chunk_closes_where_the_highest_heading_begins(name: str) -> None:
    parts = [heading(1, "Top"), paragraph(name, 7), heading(3, "Low"), paragraph("b")]
    parts.append(heading(2, "High"))
    chunks = chunks_of(build([*parts, paragraph(f"c{name}", 30)]))
    assert chunks[1].text.startswith("High")


def test_a_small_chunk_before_a_listing_joins_the_chunk_before() -> None:
    code = "\n".join(f"    value_{n} = {n} + {n}" for n in range(19))
    parts = [heading(1, "Top"), paragraph("a", 8), heading(2, "Low"), paragraph("b", 1)]
    chunks = chunks_of(build([*parts, ("code", None, code)]))
    assert [chunk.tokens for chunk in chunks] == [92, 95]


def test_a_heading_stays_with_the_text_below_it() -> None:
    parts = [part for n in range(40) for part in (heading(2, f"S{n}"), paragraph(f"p{n}", 2))]
    chunks = chunks_of(build(parts))
    assert len(chunks) > 5
    assert all(chunk.blocks[-1].kind != "heading" for chunk in chunks)


def test_headings_at_the_end_stay_with_the_last_words() -> None:
    parts = [paragraph("a", 9), heading(1, "Annex"), heading(1, "Index of all words that follow")]
    chunks = chunks_of(build(parts))
    assert all(any(b.kind != "heading" for b in chunk.blocks) for chunk in chunks)


def test_neighbours_in_a_section_overlap_by_whole_sentences() -> None:
    chunks = chunks_of(build([heading(1, "Long"), paragraph("a", 60)]))
    shared = [overlap_of(*pair) for pair in pairwise(chunks)]
    assert len(chunks) > 5
    assert set(shared) == {10}
    assert all(chunk.text.startswith("A says") for chunk in chunks[1:])


def test_a_chunk_that_begins_at_a_heading_repeats_nothing() -> None:
    parts = [heading(1, "One"), paragraph("a", 20), heading(1, "Two"), paragraph("b", 20)]
    chunks = chunks_of(build(parts))
    (second,) = [chunk for chunk in chunks if "Two" in chunk.text]
    assert second.text.startswith("Two")


def test_a_long_paragraph_splits_between_sentences() -> None:
    (paragraph_block,) = build([paragraph("a", 60)]).blocks
    chunks = chunks_of(build([paragraph("a", 60)]))
    assert all(chunk.text.endswith("there.") for chunk in chunks)
    assert all(chunk.blocks[0].start == chunk.start for chunk in chunks)
    assert chunks[0].blocks[0].end < paragraph_block.end


def test_a_listing_stays_whole_if_it_fits() -> None:
    code = "\n".join(f"    value_{n} = {n} + {n}" for n in range(16))
    chunks = chunks_of(build([paragraph("a", 4), ("code", None, code), paragraph("b", 4)]))
    assert any(code in chunk.text for chunk in chunks)


def test_a_long_table_splits_between_rows() -> None:
    rows = [f"| row {n} | {n * 7} | cell |" for n in range(60)]
    chunks = chunks_of(build([("table", None, "\n".join(rows))]))
    assert len(chunks) > 5
    assert {line for chunk in chunks for line in chunk.text.split("\n")} == set(rows)


def test_a_long_sentence_splits_between_words() -> None:
    words = " ".join(f"word{n}" for n in range(400))
    chunks = chunks_of(build([("paragraph", None, words)]))
    assert all(chunk.tokens <= 100 for chunk in chunks)
    assert {word for chunk in chunks for word in chunk.text.split()} == set(words.split())


def test_a_run_without_spaces_is_cut_within_bounds() -> None:
    def characters(text: str) -> int:
        return len(text)

    document = build([("paragraph", None, "x" * 5000)])
    arguments = {"source_id": "src_x", "language": "und", "title": "", "count": characters}
    chunks = chunk_document(document, bounds=(70, 100), overlap=(10, 15), **arguments)
    assert max(chunk.tokens for chunk in chunks) <= 100


def test_an_introduction_stays_with_its_list() -> None:
    items = [("list_item", None, f"- item {n} of the list") for n in range(4)]
    parts = [paragraph("a", 8), ("paragraph", None, "It needs the following:"), *items]
    chunks = chunks_of(build([*parts, paragraph("c", 5)]))
    (introduced,) = [chunk for chunk in chunks if "following" in chunk.text]
    assert "item 0" in introduced.text


def test_a_tiny_rest_joins_the_chunk_before() -> None:
    chunks = chunks_of(build([paragraph("a", 9), paragraph("b", 1)]))
    assert [chunk.tokens for chunk in chunks] == [100]


def test_cues_lose_their_syntax_and_keep_their_times() -> None:
    (chunk,) = chunks_of(speech([("Ann", "Hello there,"), ("Ann", "all."), ("Bo", "<i>Hi</i>.")]))
    assert chunk.content == "Ann: Hello there, all.\nBo: Hi."
    assert chunk.tokens == count(chunk.content)
    assert [block.time_start for block in chunk.blocks] == [0.0, 4.0, 8.0]
    assert "-->" in chunk.text


def test_a_speaker_named_in_the_words_is_not_repeated() -> None:
    (chunk,) = chunks_of(speech([("Ann", "Ann: hello."), (None, "Music.")]))
    assert chunk.content == "Ann: hello.\nMusic."


def test_speech_splits_between_turns_and_repeats_cues() -> None:
    turns = [(f"P{n // 4 % 2}", f"We speak of point {n} now.") for n in range(80)]
    chunks = chunks_of(speech(turns))
    assert len(chunks) > 4
    assert all(chunk.tokens <= 100 for chunk in chunks)
    for before, chunk in pairwise(chunks):
        assert chunk.blocks[0].time_start <= before.blocks[-1].time_end


def test_equal_texts_have_different_ids() -> None:
    parts = [part for _ in range(3) for part in (heading(1, "Same"), paragraph("a", 8))]
    ids = [chunk.id for chunk in chunks_of(build(parts))]
    assert len(set(ids)) == len(ids) == 3


@pytest.mark.parametrize("level", [1, 2])
def test_an_edit_in_one_section_leaves_the_chunks_of_the_others(level: int) -> None:
    def manual(extra: list) -> Document:
        parts = [heading(1, "Manual")]
        for n in range(12):
            parts += [
                heading(level, f"Chapter {n}"),
                paragraph(f"c{n}", 25),
                *(extra if n == 1 else []),
            ]
        return build(parts)

    before = {chunk.id for chunk in chunks_of(manual([]))}
    after = [chunk.id for chunk in chunks_of(manual([paragraph("new", 5)]))]
    assert sum(chunk not in before for chunk in after) <= 3


def test_an_edit_in_a_text_without_headings_changes_its_surroundings_only() -> None:
    changed = total = 0
    for seed in range(4):
        lengths = random.Random(seed).choices(range(23), k=300)
        words = [f"Part {n} has {'a word ' * length}in it." for n, length in enumerate(lengths)]
        parts = [("paragraph", None, text) for text in words]
        before = {chunk.id for chunk in chunks_of(build(parts))}
        edited = build([*parts[:5], paragraph("new", 3), *parts[5:]])
        changed += sum(chunk.id not in before for chunk in chunks_of(edited))
        total += len(before)
    assert changed < 0.08 * total
