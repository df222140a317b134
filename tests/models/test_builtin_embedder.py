"""The built-in embedder, on the real engine."""

from __future__ import annotations

import os
import signal
import threading
import unicodedata
from collections.abc import Iterator

import numpy as np
import pytest

from foundry.errors import ConfigError
from foundry.models import ModelSettings, get_embedder
from foundry.models.deadlines import run_interruptibly
from foundry.ports import Embedder


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return get_embedder("builtin/multilingual-e5-small", ModelSettings())


def test_passages_are_rows_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(["De voeding levert 5 V.", "The fan is quiet."])
    assert vectors.shape == (2, embedder.dimension()) == (2, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_passages_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, 384)


def test_a_dutch_question_finds_the_english_passage(embedder: Embedder) -> None:
    passages = embedder.embed_passages(["The supply voltage is 5 V.", "Invoices are paid in May."])
    scores = passages @ embedder.embed_query("Hoe hoog is de voedingsspanning?")
    assert scores[0] > scores[1]


def test_a_vector_does_not_depend_on_the_batch(embedder: Embedder) -> None:
    texts = [f"Regel {n} over kanaal {n * 7}. " * (n % 9 + 1) for n in range(12)]
    together = embedder.embed_passages(texts)
    assert np.array_equal(together[7], embedder.embed_passages([texts[7]])[0])


def test_the_end_of_a_long_text_counts(embedder: Embedder) -> None:
    long = "The housing is made of aluminium. " * 60
    first, second = embedder.embed_passages([long, f"{long} The password is tulip."])
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud800", "\x01\x02", "😀" * 50])
def test_odd_texts_have_vectors(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed_passages([text])).all()
    assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1, abs=1e-5)


def test_text_after_a_nul_is_read(embedder: Embedder) -> None:
    cut, whole = embedder.embed_passages(["five volts", "five volts\0 and nine amperes"])
    assert not np.array_equal(cut, whole)


def test_the_character_that_overflows_the_engine_is_replaced_by_its_normal_form(
    embedder: Embedder,
) -> None:
    text = "\ufdfa" * 40
    given, normal = embedder.embed_passages([text, unicodedata.normalize("NFKC", text)])
    assert np.array_equal(given, normal)


def test_threads_get_their_own_vectors(embedder: Embedder) -> None:
    texts = [f"Kanaal {n} staat op {n * 3} V." for n in range(8)]
    alone = [embedder.embed_query(text) for text in texts]
    found: dict[int, np.ndarray] = {}

    def work(place: int) -> None:
        embedder.embed_passages([texts[place]] * 3)
        found[place] = embedder.embed_query(texts[place])

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[place], alone[place]) for place in range(8))


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Ctrl-C interrupts, also where the tests run in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
def test_an_interrupt_abandons_the_work_in_its_thread() -> None:
    end, threads = threading.Event(), []

    def work() -> None:
        threads.append(threading.current_thread())
        end.wait()

    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work)
    assert threads[0] is not threading.main_thread()
    end.set()


def test_the_model_is_local_and_its_fingerprint_stable(embedder: Embedder) -> None:
    assert embedder.local
    assert embedder.fingerprint() == get_embedder(embedder.model, ModelSettings()).fingerprint()


@pytest.mark.parametrize("name", ["builtin/e6", "none", "builtin/extractive"])
def test_other_builtin_names_are_not_embedders(name: str) -> None:
    with pytest.raises(ConfigError, match="not an embedding model"):
        get_embedder(name, ModelSettings())
