"""Periods are found in both languages, and contradict each other only where that is sure."""

from __future__ import annotations

import pytest

from foundry.text.periods import count_months, find_periods, judge_periods


def judge(asked: str, said: str) -> str:
    return judge_periods(find_periods(asked), find_periods(said))


@pytest.mark.parametrize(
    "text",
    ["FY2022", "FY22", "fy 2022", "fiscal 2022", "fiscal year 2022", "boekjaar 2022", "fiscal '22"],
)
def test_a_fiscal_year_is_read_in_every_spelling(text: str) -> None:
    (period,) = find_periods(text)
    assert (period.years, period.part, period.fiscal) == ((2022, 2022), "", True)


@pytest.mark.parametrize(
    "text",
    [
        "Q4 2022", "4Q22", "Q4'22", "2022 Q4", "2022_Q4_report", "the fourth quarter of 2022",
        "vierde kwartaal van 2022", "K4 2022", "het 4e kwartaal 2022",
    ],
)  # fmt: skip
def test_a_quarter_is_read_in_every_spelling(text: str) -> None:
    (period,) = find_periods(text)
    assert (period.years, period.part) == ((2022, 2022), "q4")


def test_a_relay_is_not_a_quarter() -> None:
    assert find_periods("Welk artikelnummer heeft K1?", "nl") == ()
    assert [period.part for period in find_periods("What was sold in Q1?")] == ["q1"]


@pytest.mark.parametrize(
    "text",
    ["H1 2023", "1H23", "first half of 2023", "eerste helft van 2023", "first six months of 2023"],
)
def test_a_half_is_read_in_every_spelling(text: str) -> None:
    (period,) = find_periods(text)
    assert (period.years, period.part) == ((2023, 2023), "h1")


@pytest.mark.parametrize("text", ["2022/2023", "2022/23", "2022-2023", "2022 to 2023"])
def test_a_range_of_years_has_its_first_and_last(text: str) -> None:
    assert [period.years for period in find_periods(text)] == [(2022, 2023)]


@pytest.mark.parametrize(
    "text", ["$2022", "2,022", "2022%", "SNB2022-3", "E2022", "2022.5", "20222"]
)
def test_a_number_or_identifier_is_not_a_year(text: str) -> None:
    assert find_periods(text) == ()


@pytest.mark.parametrize("joint", [" ", ", ", " | "])
def test_an_accounting_period_is_reckoned_back_from_its_last_day(joint: str) -> None:
    (period,) = find_periods(f"three months ended{joint}April 1, 2023")
    assert period.days is not None
    assert [day.isoformat() for day in period.days] == ["2023-01-01", "2023-04-01"]
    assert count_months(period) == 3


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("FY2022", "boekjaar 2022"),
        ("FY2022", "December 31, 2022"),
        ("2022", "fiscal years 2021-2023"),
        ("Q4", "vierde kwartaal van 2022"),
        ("Q1 2023", "three months ended April 1, 2023"),
        ("Q3 2022", "the quarterly period ended October 30, 2022"),
        ("January-June 2023", "in March 2023"),
        ("eerste helft van 2023", "second quarter of 2023"),
        ("FY2022 compared with FY2021", "fiscal 2021"),
    ],
)
def test_a_period_in_another_spelling_fits(asked: str, said: str) -> None:
    assert judge(asked, said) == "fits"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("FY2022", "fiscal 2023"),
        ("Q1 2023", "Q1 2022"),
        ("Q4", "third quarter of 2022"),
        ("in 2019", "2021, 2022 and 2023"),
        ("on January 24, 2023", "on January 23, 2023"),
        ("op 24 januari", "January 23, 2023"),
        ("2021", "January-June 2023"),
    ],
)
def test_a_period_that_is_surely_another_contradicts(asked: str, said: str) -> None:
    assert judge(asked, said) == "other"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("FY2022", "year ended January 28, 2023"),
        ("Q3 2022", "three months ended April 1, 2023"),
        ("Q3 2022", "2022"),
        ("FY2022", "no period at all"),
        ("fiscal 2022", "March 2021"),
    ],
)
def test_a_doubtful_period_is_unknown(asked: str, said: str) -> None:
    assert judge(asked, said) == "unknown"


@pytest.mark.parametrize("text", ["created: 2026-04-14T09:00:00Z", "calls/2026-04-14_hire.txt"])
def test_a_day_with_a_time_or_a_name_behind_it_is_a_date(text: str) -> None:
    (found,) = find_periods(text, "en")
    assert found.text == "2026-04-14"
