"""JSON Schemas of model replies, built from closed objects.

Every object requires all its properties and allows no others, as the strict mode of
providers demands. The schemas are written by hand rather than derived from classes: they
are part of the prompt, and some providers reject ``$ref``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
OPTIONAL_TEXT: Schema = {"type": "string", "description": "may be empty"}
"""Read as "" where a model leaves it out, although strict providers ask for every property."""

NUMBER: Schema = {"type": "number"}


def build_object(**properties: Schema) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def build_list(item: Schema) -> dict[str, Any]:
    """A list of any length."""
    return {"type": "array", "items": item}


def build_choice(values: Sequence[str]) -> dict[str, Any]:
    """One of these texts."""
    return {"type": "string", "enum": list(values)}
