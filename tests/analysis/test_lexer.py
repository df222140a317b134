import pytest

from foundry.analysis.lexer import HEADING_NUMBER, is_rule, match_marker, strip_number


@pytest.mark.parametrize("line", ["- one", "• one", "12) one", "(a) one", "iv. one", "  3. one"])
def test_a_bullet_a_number_and_a_letter_mark_an_item(line: str) -> None:
    match = match_marker(line)
    assert match is not None
    assert line[match.end() :] == "one"


@pytest.mark.parametrize("line", ["A. Smith wrote", "one", "2019 one", "-5 V"])
def test_an_initial_and_a_value_mark_none(line: str) -> None:
    assert match_marker(line) is None


def test_a_capital_marks_an_item_where_it_is_no_initial() -> None:
    assert match_marker("A. Scope", initials=True) is not None


@pytest.mark.parametrize(
    ("heading", "title"),
    [("3.2 Intervals", "Intervals"), ("§ 4 Use", "Use"), ("A guide", "A guide"), ("3.2", "3.2")],
)
def test_a_heading_loses_its_number_and_nothing_else(heading: str, title: str) -> None:
    assert strip_number(heading) == title


def test_the_number_of_a_heading_has_no_stop() -> None:
    match = HEADING_NUMBER.match("B.1. Wiring")
    assert match is not None
    assert match["number"] == "B.1"


@pytest.mark.parametrize(("line", "drawn"), [("|---|:-:|", True), ("=====", True), ("- x", False)])
def test_a_rule_says_nothing(line: str, drawn: bool) -> None:
    assert is_rule(line) == drawn
