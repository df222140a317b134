"""How the shape of a JSON document is written down: plain values, objects, lists, null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Value:
    """A plain value; ``options`` lists all that it can be, where that is a short list."""

    kind: Kind
    meaning: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Maybe:
    """A shape, or null."""

    shape: Shape


Shape = Value | Maybe | Mapping[str, "Shape"] | Sequence["Shape"]
"""A value, an object by its keys (``*`` stands for any key), or a list of one shape."""


def text(meaning: str = "", *options: str) -> Value:
    """A string."""
    return Value("text", meaning, options=options)


def integer(meaning: str = "") -> Value:
    """A whole number."""
    return Value("integer", meaning)


def number(meaning: str = "") -> Value:
    """A number."""
    return Value("number", meaning)


def flag(meaning: str = "") -> Value:
    """True or false."""
    return Value("boolean", meaning)
