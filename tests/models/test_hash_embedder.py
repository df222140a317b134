"""The deterministic embedder that other tests use."""

from __future__ import annotations

import numpy as np

from tests.support.hash_embedder import HashEmbedder


def test_the_same_text_has_the_same_vector_of_length_one() -> None:
    vectors = HashEmbedder().embed_passages(["five volts", "Five  VOLTS"])
    assert np.array_equal(vectors[0], vectors[1])
    assert np.linalg.norm(vectors[0]) == np.float32(1)


def test_shared_words_bring_texts_closer() -> None:
    near, far = HashEmbedder().embed_passages(["the supply is five volts", "invoices in May"])
    query = HashEmbedder().embed_query("which supply volts")
    assert near @ query > 0.4 > far @ query


def test_words_can_be_declared_synonyms() -> None:
    embedder = HashEmbedder(same={"spanning": "voltage"})
    assert embedder.embed_query("spanning") @ embedder.embed_query("voltage") > 0.99


def test_empty_texts_have_vectors_and_no_texts_have_none() -> None:
    assert np.linalg.norm(HashEmbedder().embed_query("")) > 0.99
    assert HashEmbedder().embed_passages([]).shape == (0, 256)
