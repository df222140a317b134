"""Sections in a declared form: the order of steps and the words of quotations are exact."""

from __future__ import annotations

from dataclasses import replace

from foundry.craft.forms import shape
from foundry.records import Evidence, Grounding, Quote, Sentence
from tests.craft.samples import make_evidence

STEPS = make_evidence(
    "Warning: high voltage.\n- Open the cover.\n- Remove the old fuse.\n- Close the cover."
)


def say(words: str, text: str = "") -> Sentence:
    """A sentence that quotes these words of the source."""
    start = STEPS.hit.chunk.text.index(words)
    return Sentence(text or words, ("S1",), (Quote("S1", words, start, start + len(words)),))


def test_steps_of_one_list_get_back_their_order() -> None:
    said = Grounding((say("Close the cover."), say("Open the cover."), say("Remove the old fuse.")))
    shaped, notices = shape(said, "steps", [STEPS])
    texts = [sentence.text for sentence in shaped.sentences]
    assert texts == ["Open the cover.", "Remove the old fuse.", "Close the cover."]
    assert [notice.code for notice in notices] == ["generate-steps-moved"]


def test_what_is_no_item_stays_where_the_writer_put_it() -> None:
    said = Grounding(
        (say("Open the cover."), say("Warning: high voltage."), say("Close the cover."))
    )
    assert shape(said, "steps", [STEPS]) == (said, ())


def test_steps_of_two_lists_keep_the_writers_order() -> None:
    both = make_evidence("Second:\n- Close it.\nFirst of all:\n- Open it.\n- Clean it.")
    text = both.hit.chunk.text
    quotes = [
        Quote("S1", one, text.index(one), 0) for one in ("Clean it.", "Open it.", "Close it.")
    ]
    said = Grounding(tuple(Sentence(quote.text, ("S1",), (quote,)) for quote in quotes))
    texts = [one.text for one in shape(said, "steps", [both])[0].sentences]
    assert texts == ["Open it.", "Clean it.", "Close it."]


def test_a_list_goes_on_in_the_next_chunk() -> None:
    chunk = STEPS.hit.chunk
    start = chunk.text.index("- Close")
    halves = [
        replace(
            STEPS.hit,
            chunk=replace(
                chunk,
                position=number,
                blocks=tuple(b for b in chunk.blocks if (b.start >= start) == bool(number)),
            ),
        )
        for number in (0, 1)
    ]
    parts = [Evidence("S1", halves[0]), Evidence("S2", halves[1])]
    last = say("Close the cover.")
    moved = replace(last, quotes=(replace(last.quotes[0], evidence_id="S2"),))
    said = Grounding((moved, say("Open the cover.")))
    assert shape(said, "steps", parts)[0].sentences == (say("Open the cover."), moved)


def test_without_a_form_nothing_moves() -> None:
    said = Grounding((say("Close the cover."), say("Open the cover.")))
    assert shape(said, None, [STEPS]) == (said, ())


def test_a_quotation_that_is_not_word_for_word_is_removed_with_the_reason() -> None:
    true, other = say("Remove the old fuse."), say("Open the cover.", "Open up the cover.")
    shaped, _ = shape(Grounding((true, other)), "quote", [STEPS])
    assert shaped.sentences == (true,)
    assert [(one.sentence, one.reason.code) for one in shaped.changes] == [
        ("Open up the cover.", "claim-not-quoted")
    ]


def test_marks_of_the_source_are_no_words_of_a_quotation() -> None:
    source = make_evidence("It fits a theme or -*feature type*.")
    words = source.hit.chunk.text
    plain = Sentence("It fits a theme or -feature type.", ("S1",), (Quote("S1", words, 0, 35),))
    assert shape(Grounding((plain,)), "quote", [source])[0].sentences == (plain,)


def test_a_sign_is_a_word_of_a_quotation() -> None:
    source = make_evidence("It works down to -5 °C.")
    words = source.hit.chunk.text
    changed = Sentence("It works down to 5 °C.", ("S1",), (Quote("S1", words, 0, len(words)),))
    assert shape(Grounding((changed,)), "quote", [source])[0].sentences == ()
