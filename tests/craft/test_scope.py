"""What is asked of a section and whether its passages have it: words that cannot be argued about."""

from __future__ import annotations

from dataclasses import replace

from foundry.analysis import analyse, analyse_query
from foundry.craft.outline import AskedItem, ShownText, judge_item
from foundry.records import Hit, Question, ScopeState
from tests.craft.samples import make_hit

HIT = make_hit("The blower turns at most at 40000 rpm.")


def judge(
    said: str, text: str, *, found: tuple[Hit, ...] = (HIT,), language: str = "en"
) -> ScopeState:
    words = tuple(analyse_query(said, ("en",)))
    counts = {term: 5 for word in words for term in word.terms} | {"maximum": 40}
    question = Question(said, "en", words, counts, chunks=50, languages=frozenset({"en"}))
    shown = ShownText(HIT.chunk.id, ((0, 10),), frozenset(analyse(text, language)), language)
    return judge_item(AskedItem(said, (said,), (words,), question, found), [shown])


def test_a_passage_with_the_words_that_was_found_for_the_line_covers_it() -> None:
    assert judge("speed of the blower", "The speed of the blower is 40000 rpm") == "covered"


def test_a_passage_without_the_rare_word_does_not() -> None:
    assert judge("speed of the blower", "The blower is blue") == "missing"


def test_a_line_that_found_nothing_is_not_covered_by_what_another_line_found() -> None:
    assert judge("speed of the blower", "The speed of the blower", found=()) == "not_found"


def test_a_passage_that_was_found_for_another_line_does_not_count() -> None:
    other = make_hit("The blower.", source="other.md")
    assert judge("speed of the blower", "The speed of the blower", found=(other,)) == "missing"


def test_across_languages_the_nearest_window_of_the_best_hit_counts() -> None:
    near = replace(HIT, nearness=((0, 38, 0.9),))
    assert judge("speed of the blower", "Toerental", found=(near,), language="nl") == "covered"
    far = replace(HIT, nearness=((20, 38, 0.9),))
    assert judge("speed of the blower", "Toerental", found=(far,), language="nl") == "missing"
