"""Reads lexicon files: ``en.toml`` → a ``Lexicon``, every word list of one language.

Most rules work on text whose language is unknown or mixed, so they use the *shared* lexicon: the
union of all files. To add a language, add a file named by its ISO 639-1 code; ``en.toml`` explains
the keys, and a language may leave out any of them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from pathlib import Path
from typing import Any

from foundry.lexicon.sections import Lexicon, Section

BUNDLED = Path(__file__).parent
"""The folder of the language files that Foundry ships."""


@cache
def load_lexicons(folder: Path = BUNDLED) -> Mapping[str, Lexicon]:
    """The lexicon of every ``<ISO 639-1 code>.toml`` in a folder, by code.

    Raises ``pydantic.ValidationError`` for an unknown key or a value of the wrong form.
    """
    return {file.stem: _read(file) for file in sorted(folder.glob("*.toml"))}


@cache
def load_shared_lexicon(folder: Path = BUNDLED) -> Lexicon:
    """The union of all lexicons of a folder, for text of any language or mixture."""
    return merge_lexicons(load_lexicons(folder).values())


def merge_lexicons(lexicons: Iterable[Lexicon]) -> Lexicon:
    """One lexicon with the words of all."""
    return reduce(_merge, lexicons, Lexicon())


def build_alternation(words: Iterable[str]) -> str:
    """A regular expression group ``(?:…)`` that matches any of the words, longest first.

    ``*`` stands for any letters, and a space for any white space. Callers put the boundaries
    around it. Without words it matches nothing.
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    if not ordered:
        return r"(?!)"
    patterns = (re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in ordered)
    return f"(?:{'|'.join(patterns)})"


def _read(file: Path) -> Lexicon:
    return Lexicon.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def _merge(first: Any, second: Any) -> Any:
    """The union of two values of one type, section by section and list by list."""
    if isinstance(first, Section):
        pairs = {
            name: (getattr(first, name), getattr(second, name)) for name in type(first).model_fields
        }
        return type(first)(**{name: _merge(*pair) for name, pair in pairs.items()})
    if isinstance(first, Mapping):
        shared = {key: _merge(first[key], second[key]) for key in first.keys() & second.keys()}
        return {**first, **second, **shared}
    if isinstance(first, bool):
        return first or second
    if isinstance(first, frozenset):
        return first | second
    if isinstance(first, Sequence) and not isinstance(first, str):
        return (*first, *(entry for entry in second if entry not in first))
    return second
