"""JSON objects in models' replies."""

from __future__ import annotations

import pytest

from foundry.models.replies import build_response_format, find_mismatch
from foundry.text.json_replies import read_object

SCHEMA = {
    "type": "object",
    "properties": {
        "sentences": {"type": "array", "items": {"$ref": "#/$defs/Sentence"}},
        "score": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    },
    "required": ["sentences"],
    "$defs": {
        "Sentence": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        }
    },
}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '  {"a": 1,}  ',
        '```json\n{"a": 1}\n```',
        'Here it is:\n```\n{"a": 1}\n```\nAnything else?',
        'Sure! {"a": 1} I hope that helps {you}.',
        '<think>maybe {"a": 2}?</think>{"a": 1}',
        '{"a": 1}\n{"a": 2}',
    ],
)
def test_an_object_is_found_in_surrounding_text(text: str) -> None:
    assert read_object(text) == {"a": 1}


@pytest.mark.parametrize(
    "text",
    ["", "no object", "[1, 2]", '{"a": [{"b": 1}, {"b"', "{", '```json\n{"a": "x', "[" * 100_000],
)
def test_truncated_text_and_other_json_are_not_guessed_at(text: str) -> None:
    assert read_object(text) is None


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("{'a': True}", {"a": True}),
        ('{a: "x"}', {"a": "x"}),
        ('{"a": "one" "b": 2}', {"a": "one", "b": 2}),
        ('So: {"a": "It is "not", repeat not, safe"}', {"a": 'It is "not", repeat not, safe'}),
    ],
)
def test_small_mistakes_are_repaired(text: str, data: object) -> None:
    assert read_object(text) == data


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "It must", not be used", "b": []}',
        '{"a": 1, // or 2?\n "b": 2}',
        '{"a": {"b": 1}, "c": "x',
        '{"a": [{"b": "Five volts"}, {"b": "The maximum is not',
        '{"a": "x", "b": [1, 2}',
        '{"a": +5, "b": "x"}',
        '{"a": "x", "b": <5}',
        '{"a": "It is "24,5" V", "b": []}',
    ],
)
def test_a_repair_that_would_lose_or_invent_anything_is_not_made(text: str) -> None:
    assert read_object(text) is None


def test_commas_and_braces_inside_strings_stay() -> None:
    assert read_object('Well: {"a": "x,} \\" ,]", "b": [1, 2, ],}') == {
        "a": 'x,} " ,]',
        "b": [1, 2],
    }


def test_a_page_of_braces_fails_quickly() -> None:
    assert read_object("{ " * 20_000) is None


def test_a_raw_line_break_in_a_string_is_read() -> None:
    assert read_object('{"a": "one\ntwo"}') == {"a": "one\ntwo"}


@pytest.mark.parametrize(
    ("data", "misfit"),
    [
        ({"sentences": [{"text": "x"}], "score": None}, None),
        ({"sentences": [], "more": 1}, None),
        ({}, "sentences: missing"),
        ({"sentences": "x"}, "sentences: not of type array"),
        ({"sentences": [{}]}, "sentences[0].text: missing"),
        ({"sentences": [], "score": True}, "score: not of type number"),
        ([], "{}: not of type object"),
    ],
)
def test_the_shape_is_checked_and_a_mismatch_located(data: object, misfit: str | None) -> None:
    found = find_mismatch(data, SCHEMA)
    assert (found and str(found)) == misfit


def test_strict_mode_is_requested_only_for_closed_schemas() -> None:
    closed = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    strict = [
        build_response_format(s, "json_schema")["json_schema"]["strict"] for s in (closed, SCHEMA)
    ]
    assert strict == [True, False]
