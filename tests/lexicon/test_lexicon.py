"""Languages are data: every complete language has every key, and a new language is a new file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from foundry.analysis import fold
from foundry.lexicon import (
    BUNDLED,
    Lexicon,
    LexiconSection,
    build_alternation,
    load_lexicons,
    load_shared_lexicon,
    merge_lexicons,
)

COMPLETE = ("en", "nl")
WRITTEN_AS_IS = {
    "dates.months",
    "numbers.not_numbers",
    "units.words",
    "units.symbols",
}
PATTERNS = {"questions.anaphora_patterns"}
BASQUE = """
[polarity]
negations = "ez inoiz"
[units.words]
s = "segundo segundoak"
"""


def keys(section: LexiconSection, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every key of a lexicon as ``section.key``, with its value."""
    for name in (entry.name for entry in fields(section)):
        value = getattr(section, name)
        if isinstance(value, LexiconSection):
            yield from keys(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def words(value: Any) -> Iterator[str]:
    """Every word in a value, at whatever depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from words(tuple(value.values()))
    elif isinstance(value, tuple | frozenset):
        for part in value:
            yield from words(part)


@pytest.fixture
def with_basque(tmp_path: Path) -> Lexicon:
    for file in BUNDLED.glob("*.toml"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "eu.toml").write_text(BASQUE, encoding="utf-8")
    return load_shared_lexicon(tmp_path)


@pytest.mark.parametrize("language", COMPLETE)
def test_a_complete_language_has_every_key(language: str) -> None:
    known = dict(keys(load_lexicons()[language]))
    assert [key for key, _ in keys(Lexicon()) if known[key] in ("", (), {}, frozenset())] == []


@pytest.mark.parametrize("language", sorted(load_lexicons()))
def test_words_are_written_as_folding_writes_them(language: str) -> None:
    for key, value in keys(load_lexicons()[language]):
        if key not in WRITTEN_AS_IS | {"name"}:
            unfolded = [word for word in words(value) if fold(word) != word]
            assert unfolded == [] or key in PATTERNS, key


@pytest.mark.parametrize("language", COMPLETE)
def test_a_year_has_twelve_months_and_a_week_seven_days(language: str) -> None:
    dates = load_lexicons()[language].dates
    assert list(dates.months) == [str(number) for number in range(1, 13)]
    assert list(dates.weekdays) == [str(number) for number in range(1, 8)]


def test_patterns_compile() -> None:
    for _, value in filter(lambda pair: pair[0] in PATTERNS, keys(load_shared_lexicon())):
        assert all(re.compile(pattern) for pattern in value)


def test_the_shared_lexicon_has_the_words_of_every_language() -> None:
    shared = load_shared_lexicon()
    assert {"not", "niet", "nicht", "sans"} <= shared.polarity.negations
    assert shared.dates.months["5"] == ("mai", "may", "mei")
    assert shared.numbers.multipliers["miljoen"] == shared.numbers.multipliers["million"]


def test_merging_nothing_gives_an_empty_lexicon() -> None:
    assert not any(value for _, value in keys(merge_lexicons([])))


def test_an_unknown_key_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "xx.toml").write_text('[polarity]\nnegation = "ez"', encoding="utf-8")
    with pytest.raises(ValueError, match=r"xx\.toml: cannot read polarity\.negation"):
        load_lexicons(tmp_path)


def test_an_alternation_prefers_the_longest_word() -> None:
    pattern = re.compile(build_alternation(["at", "at least", "c.q"]))
    assert [match[0] for match in pattern.finditer("at  least at cxq c.q")] == [
        "at  least",
        "at",
        "c.q",
    ]


def test_a_star_in_an_alternation_is_any_letters() -> None:
    assert re.fullmatch(build_alternation(["*spanning", "hoe*"]), "voedingsspanning")
    assert re.fullmatch(build_alternation(["*spanning", "hoe*"]), "hoeveel")


def test_an_alternation_of_nothing_matches_nothing() -> None:
    assert re.search(build_alternation([]), "any text") is None
