"""What Foundry knows of a language: one TOML file per language, and the loader that reads it."""

from foundry.lexicon.loader import (
    BUNDLED,
    build_alternation,
    load_lexicons,
    load_shared_lexicon,
    merge_lexicons,
)
from foundry.lexicon.sections import Lexicon, Numbers

__all__ = [
    "BUNDLED",
    "Lexicon",
    "Numbers",
    "build_alternation",
    "load_lexicons",
    "load_shared_lexicon",
    "merge_lexicons",
]
