"""The words of a language: ``en.toml`` → a ``Lexicon``.

Most rules work on text whose language is unknown or mixed, so they use the *shared* lexicon: the
union of all files. To add a language, add a file named by its ISO 639-1 code; ``en.toml`` explains
the keys, and a language may leave out any of them. A list of single words is written as one
string, separated by white space; a list of phrases as an array; groups of related words as an array
with one string for each group.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache, reduce
from pathlib import Path
from typing import Any

from foundry.lexicon.sections import Lexicon, LexiconSection

BUNDLED = Path(__file__).parent
"""The folder of the language files that Foundry ships."""


def load_lexicons(folder: Path = BUNDLED) -> Mapping[str, Lexicon]:
    """The lexicon of every ``<ISO 639-1 code>.toml`` in a folder, by code.

    Raises ``ValueError`` for an unknown key or a value of the wrong form, naming file and key.
    """
    return _read_folder(folder)


def load_shared_lexicon(folder: Path = BUNDLED) -> Lexicon:
    """The union of all lexicons of a folder, for text of any language or mixture."""
    return _merge_folder(folder)


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


@cache
def _read_folder(folder: Path) -> Mapping[str, Lexicon]:
    return {file.stem: _read(file) for file in sorted(folder.glob("*.toml"))}


@cache
def _merge_folder(folder: Path) -> Lexicon:
    return merge_lexicons(_read_folder(folder).values())


def _read(file: Path) -> Lexicon:
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    kinds = {entry.name: entry for entry in fields(Lexicon)}
    sections: dict[str, Any] = {}
    for name, value in tables.items():
        if name not in kinds:
            raise ValueError(f"{file.name}: unknown section {name!r}.")
        is_plain = isinstance(kinds[name].default, str)
        sections[name] = (
            value if is_plain else _read_section(kinds[name].default, value, file, name)
        )
    return Lexicon(**sections)


def _read_section(empty: Any, table: Mapping[str, Any], file: Path, name: str) -> LexiconSection:
    kinds = {entry.name: str(entry.type) for entry in fields(empty)}
    values = {}
    for key, value in table.items():
        try:
            values[key] = _READERS[kinds[key]](value)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file.name}: cannot read {name}.{key}.") from error
    section: LexiconSection = type(empty)(**values)
    return section


def _split(value: str | list[str]) -> list[str]:
    return value.split() if isinstance(value, str) else value


_READERS: dict[str, Callable[[Any], Any]] = {
    "Words": lambda value: frozenset(_split(value)),
    "OrderedWords": lambda value: tuple(_split(value)),
    "Groups": lambda value: tuple(tuple(_split(entry)) for entry in value),
    "Table": lambda value: {key: tuple(_split(words)) for key, words in value.items()},
    "Values": dict,
    "bool": bool,
    "str": str,
}
"""How the value of a key is read, by the type of its field."""


def _merge(first: Any, second: Any) -> Any:
    """The union of two values of one type, section by section and list by list."""
    if isinstance(first, LexiconSection):
        names = [entry.name for entry in fields(first)]  # type: ignore[arg-type]
        pairs = {name: (getattr(first, name), getattr(second, name)) for name in names}
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
