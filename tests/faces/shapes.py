"""Compares a JSON document with the documented shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foundry.cli.shape import Maybe, Shape, Value

KINDS = {"text": str, "integer": int, "number": (int, float), "boolean": bool}


def differences(document: Any, shape: Shape, path: str = "$") -> list[str]:
    """How the document differs from the shape: missing, additional or wrong fields."""
    if isinstance(shape, Maybe):
        return [] if document is None else differences(document, shape.shape, path)
    if isinstance(shape, Value):
        fits = isinstance(document, KINDS[shape.kind])
        fits = fits and (not shape.options or document in shape.options)
        return [] if fits else [f"{path}: {document!r} is not {shape}"]
    if isinstance(shape, Mapping):
        return _object_differences(document, shape, path)
    if not isinstance(document, list):
        return [f"{path}: {document!r} is not a list"]
    return [
        found
        for index, item in enumerate(document)
        for found in differences(item, shape[0], f"{path}[{index}]")
    ]


def _object_differences(document: Any, shape: Mapping[str, Shape], path: str) -> list[str]:
    if not isinstance(document, dict):
        return [f"{path}: {document!r} is not an object"]
    if "*" in shape:
        return [
            found
            for key, value in document.items()
            for found in differences(value, shape["*"], f"{path}.{key}")
        ]
    wrong = [f"{path}.{key}: undocumented" for key in document if key not in shape]
    wrong += [f"{path}.{key}: missing" for key in shape if key not in document]
    for key in document.keys() & shape.keys():
        wrong += differences(document[key], shape[key], f"{path}.{key}")
    return wrong
