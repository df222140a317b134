"""When new constants count as better."""

from __future__ import annotations

from foundry.evaluation.calibration import (
    FitVerdict,
    GateOutcome,
    JudgedQuestion,
    compare_gates,
    compare_parts,
)


def judged(*, answerable: bool, before: float, after: float) -> JudgedQuestion:
    outcomes = [GateOutcome(score, score < 0.2) for score in (before, after)]
    return JudgedQuestion("k", "Why?", answerable, "en", "one language", outcomes[0], outcomes[1])


def compared(*groups: tuple[int, bool, float, float]) -> FitVerdict:
    """Groups of alike questions: how many, answerable, score before and after."""
    made = [
        judged(answerable=answerable, before=before, after=after)
        for number, answerable, before, after in groups
        for _ in range(number)
    ]
    return compare_gates(made, compare_parts(made), 0.05)


def test_who_keeps_the_bound_beats_who_breaks_it() -> None:
    kept = compared((18, True, 0.9, 0.9), (2, True, 0.1, 0.3), (20, False, 0.1, 0.4))
    assert kept.better
    assert "Only the fit" in str(kept.reason)
    broken = compared((18, True, 0.9, 0.9), (2, True, 0.3, 0.1), (20, False, 0.4, 0.1))
    assert not broken.better


def test_of_two_that_break_the_bound_the_one_that_breaks_it_less_is_better() -> None:
    assert compared((16, True, 0.9, 0.9), (4, True, 0.1, 0.1), (2, True, 0.1, 0.3),
                    (9, False, 0.1, 0.1)).better  # fmt: skip


def test_under_the_bound_what_clearly_refuses_more_is_better() -> None:
    more = compared((20, True, 0.9, 0.9), (10, False, 0.3, 0.1), (10, False, 0.1, 0.1))
    assert more.better
    assert "Clearly more is refused rightly" in str(more.reason)
    assert not compared((20, True, 0.9, 0.9), (10, False, 0.1, 0.3)).better


def test_a_change_of_a_few_questions_is_no_clear_one() -> None:
    """Two of thirty fewer are refused: fewer, but not clearly so."""
    found = compared(
        (17, True, 0.9, 0.9), (3, True, 0.25, 0.6), (28, False, 0.1, 0.1), (2, False, 0.19, 0.3),
        (3, False, 0.4, 0.4),
    )  # fmt: skip
    assert not found.better
    assert "decisions are about the same" in str(found.reason)


def test_the_same_again_is_no_better() -> None:
    assert not compared((20, True, 0.9, 0.9), (20, False, 0.1, 0.1)).better


def test_scores_nearer_to_the_truth_do_not_make_up_for_worse_decisions() -> None:
    """One answerable question more is refused; the scores of the others mean more."""
    same = ((30, False, 0.1, 0.1), (29, True, 0.6, 0.95))
    assert compared(*same, (1, True, 0.6, 0.95)).better
    assert not compared(*same, (1, True, 0.6, 0.15)).better
