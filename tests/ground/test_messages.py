"""Messages: codes with parameters, their words in two languages, and their saved form."""

from __future__ import annotations

import pickle
from importlib.resources import files

import pytest
from pydantic import TypeAdapter

from foundry.errors import ConfigError
from foundry.messages import (
    LANGUAGES,
    Language,
    Message,
    format_message,
    get_language,
    use_language,
)
from foundry.messages.catalogue import _load_area, _read_area

AREAS = sorted(
    path.name.removesuffix(".ftl") for path in files("foundry.messages").joinpath("en").iterdir()
)
KEPT = Message("generate-sections-kept")


def test_a_message_has_words_in_both_languages():
    assert "run it again" in format_message(KEPT, "en")
    assert "opnieuw" in format_message(KEPT, "nl")


def test_the_current_language_is_that_of_the_enclosing_block():
    with use_language("nl"):
        assert str(KEPT) == format_message(KEPT, "nl")
    assert get_language() == "en"


def test_a_parameter_may_be_a_message_or_a_list():
    nested = Message("verbatim", text=[Message("verbatim", text="a"), "b"], fix="")
    assert str(nested) == "a, b"


def test_numbers_are_written_as_the_language_writes_them():
    count = Message("verbatim", text=1234.5, fix="")
    assert [format_message(count, "en"), format_message(count, "nl")] == ["1,234.5", "1.234,5"]


def test_a_code_without_words_is_shown_with_its_parameters():
    assert str(Message("gate-unheard-of", score=0.5)) == "gate-unheard-of (score: 0.5)"


def test_a_text_without_its_parameter_shows_code_and_parameters():
    assert str(Message("verbatim", other=1)) == "verbatim (other: 1)"


def test_a_number_that_has_no_plural_form_shows_code_and_parameters():
    found = str(Message("store-lengths-differ", n=float("inf")))
    assert found == "store-lengths-differ (n: inf)"


def test_equal_messages_have_equal_hashes():
    assert len({Message("a-b", x=[1]), Message("a-b", x=(1,)), Message("a-b", x=2)}) == 2


def test_a_message_cannot_be_changed():
    with pytest.raises(AttributeError):
        KEPT.code = "other"


@pytest.mark.parametrize("value", [1, 1.5, "text", None, (1, "two"), Message("a-b", n=1)])
def test_the_saved_form_gives_the_same_message(value: object):
    adapter = TypeAdapter(Message)
    message = Message("a-b", value=value)
    assert adapter.validate_json(adapter.dump_json(message)) == message


def test_text_that_an_older_version_saved_is_verbatim():
    assert str(Message.from_dict("An old notice.")) == "An old notice."


def test_messages_and_errors_cross_process_borders():
    error = ConfigError(KEPT, where="foundry.yaml")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.problem, copy.where) == (error.problem, error.where)


def test_advice_of_a_caller_follows_the_fix_of_an_error():
    error = ConfigError("verbatim", text="Broken.", fix="Repair it.")
    error.advice += (KEPT,)
    assert error.fix == f"Repair it. {KEPT}"


def test_a_parameter_of_any_length_is_kept_whole():
    text = ("{ $name } " * 1_000).strip()
    assert str(Message("verbatim", text=text)) == text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("area", AREAS)
def test_a_text_is_what_fluent_reads(area: str, language: Language) -> None:
    """Texts without placeholders are read without the library, which must find the same."""
    bundle = _load_area(language, area, "terminal")
    expected: dict[tuple[str, str], object] = {}
    for code in bundle._messages:
        message = bundle.get_message(code)
        if message.value:
            expected[code, ""] = message.value
        expected |= {(code, name): pattern for name, pattern in message.attributes.items()}
    texts = _read_area(language, area, "terminal")
    assert texts.keys() == expected.keys()
    for key, text in texts.items():
        assert text is None or text == bundle.format_pattern(expected[key], {})[0].rstrip(" ")
