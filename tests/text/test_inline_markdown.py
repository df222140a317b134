import pytest

from foundry.text.markdown import read_inline


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("**Fuse:** 2 A", "Fuse: 2 A"),
        ("See [the manual](https://example.com/x) first.", "See the manual first."),
        ("R&amp;D &lt; 5", "R&D < 5"),
        ("Press <kbd>Esc</kbd> or <name>.", "Press Esc or <name>."),
        ("![a diagram](x.png)", ""),
    ],
)
def test_a_sentence_of_markdown_reads_as_it_looks(written: str, seen: str) -> None:
    assert read_inline(written) == seen


@pytest.mark.parametrize("text", ["5*3*2 is 30", "the file a_b_c", "2 * 3"])
def test_signs_within_words_are_no_emphasis(text: str) -> None:
    assert read_inline(text) == text


def test_emphasis_that_ends_in_another_sentence_is_dropped() -> None:
    assert read_inline("**It is decided.") == "It is decided."
