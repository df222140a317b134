from __future__ import annotations

import hashlib

from foundry.ids import hash_bytes, hash_text, make_chunk_id, make_source_id


def test_ids_are_the_same_on_every_machine() -> None:
    assert make_source_id("prj_a", "sources/één.md") == "src_e0fbc3a46b85dd61e686a3ff"
    assert make_chunk_id("src_x", "text", 0) == "chk_b2f1ce480f10727e29964d90"


def test_the_recipe_is_the_one_that_is_documented() -> None:
    digest = hashlib.sha256(b"3:chk5:src_x4:text1:0").hexdigest()
    assert make_chunk_id("src_x", "text", 0) == f"chk_{digest[:24]}"


def test_an_id_separates_its_parts() -> None:
    assert make_source_id("ab", "c") != make_source_id("a", "bc")
    assert make_chunk_id("src_x", "text", 1) != make_chunk_id("src_x", "text", 0)


def test_composed_and_decomposed_paths_are_one_source() -> None:
    assert make_source_id("p", "e\u0301.md") == make_source_id("p", "\u00e9.md")


def test_a_text_hashes_as_its_bytes() -> None:
    assert hash_text("é") == hash_bytes("é".encode())
    assert len(hash_bytes(b"")) == 64


def test_damaged_text_has_an_id_too() -> None:
    assert make_chunk_id("src_x", "\ud800", 0).startswith("chk_")
