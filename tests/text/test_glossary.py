"""A project's glossary makes different words for one thing comparable."""

from __future__ import annotations

import pytest

from foundry.analysis import analyse
from foundry.errors import ConfigError
from foundry.text.glossary import Glossary, parse_glossary

ENTRIES = '"supply voltage" = ["voedingsspanning"]\nweight = ["gewicht", "massa"]\n'


def translate(text: str, language: str) -> frozenset[str]:
    return parse_glossary(ENTRIES, "glossary.toml").translate(analyse(text, language))


def test_a_synonym_becomes_its_concept() -> None:
    assert translate("voedingsspanning", "nl") == translate("supply voltage", "en")
    assert translate("gewicht", "nl") == translate("massa", "nl") == {"weight"}


def test_other_words_stay() -> None:
    assert translate("height", "en") == set(analyse("height", "en"))


def test_an_empty_glossary_changes_nothing() -> None:
    assert Glossary().translate(["gewicht"]) == {"gewicht"}


@pytest.mark.parametrize("text", ["weight: gewicht", 'weight = "gewicht"', "weight = [1]"])
def test_a_faulty_glossary_is_an_error_that_shows_the_form(text: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_glossary(text, "glossary.toml")
    assert raised.value.where == "glossary.toml"
    assert "one concept a line" in raised.value.fix
