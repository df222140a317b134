"""A project's glossary: words that mean the same thing, in one language or in several.

The file has one concept a line, ``"supply voltage" = ["voedingsspanning", "voeding"]``. Sources that
use different words can then be compared: "Voedingsspanning: 24 V" contradicts "Supply voltage: 12 V".
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter, ValidationError

from foundry.analysis import analyse
from foundry.analysis.languages import FAVOURED
from foundry.errors import ConfigError

_ENTRIES = TypeAdapter(dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True, eq=False)
class Glossary:
    """The stem of a word → the stems of the concept that it names; compared by identity."""

    concepts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def translate(self, terms: Iterable[str]) -> frozenset[str]:
        """The terms with each word of the glossary replaced by its concept."""
        return frozenset(stem for term in terms for stem in self.concepts.get(term, (term,)))


EMPTY_GLOSSARY = Glossary()


def parse_glossary(text: str, where: str) -> Glossary:
    """Reads a glossary in TOML; ``where`` is its path, for errors.

    Only words with one stem are translated, since sources are compared word by word; a concept of
    several words is written in English. A word that names two concepts means the first. Raises
    ``ConfigError``.
    """
    try:
        entries = _ENTRIES.validate_python(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        cause = str(error).splitlines()[0]
        raise ConfigError("config-glossary-invalid", where=where, cause=cause) from error
    targets = {concept: tuple(analyse(concept, "en")) for concept in entries}
    pairs = [(word, concept) for concept, words in entries.items() for word in words]
    # A concept translates itself too: its stem differs between languages.
    pairs += [(concept, concept) for concept in entries]
    concepts: dict[str, tuple[str, ...]] = {}
    for word, concept in pairs:
        for stems in (analyse(word, code) for code in FAVOURED):
            if len(stems) == 1:
                concepts.setdefault(stems[0], targets[concept])
    return Glossary(concepts)
