import pytest

from foundry.text.headings import NumberSeries, find_heading_number


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("3.2 Intervals", (3, 2)),
        ("1. Introduction", (1,)),
        ("4.0 Algemeen", (4,)),
        ("A.2 Maattekening", (1, 2)),
        ("Bijlage B Maten", (2,)),
        ("Chapter 12: Maintenance", (12,)),
        ("Hoofdstuk IV – Veiligheid", (4,)),
        ("3.1 A new approach to wiring", (3, 1)),
        ("2.10.3 Één meting", (2, 10, 3)),
    ],
)
def test_a_printed_heading_number_is_read(line: str, parts: tuple[int, ...]) -> None:
    number = find_heading_number(line)
    assert number
    assert number.parts == parts


@pytest.mark.parametrize(
    "line",
    [
        "3.3 V supply",
        "25 °C Maximum",
        "1) Open the lid",
        "2026 Annual report",
        "12 screws are in the bag",
        "1.2 Scope of the document.",
        "1 Introduction . . . . . . . 4",
        "Section 4 of the act applies here",
        "3.2",
        "4 " + "Word " * 20,
    ],
)
def test_quantities_prose_and_contents_are_not_headings(line: str) -> None:
    assert find_heading_number(line) is None


@pytest.mark.parametrize(
    ("before", "after", "fits"),
    [
        ("3.1 Use", "3.2 Care", True),
        ("3.2 Use", "3.2.1 Care", True),
        ("3.2.4 Use", "4 Care", True),
        ("3.2 Use", "3.1 Care", False),
        ("3.2 Use", "3.2 Care", False),
        ("3.2 Use", "3.40 Care", False),
        ("2 Use", "9 Care", False),
    ],
)
def test_a_series_goes_up_in_small_steps(before: str, after: str, fits: bool) -> None:
    series = NumberSeries()
    first, second = find_heading_number(before), find_heading_number(after)
    assert first
    assert second
    series.accepts(first)
    assert series.accepts(second) is fits
