"""What Foundry knows of a language: one TOML file per language, and the loader that reads it."""

from foundry.lexicon.loader import (
    BUNDLED,
    Lexicon,
    build_alternation,
    load_lexicons,
    load_shared_lexicon,
    merge_lexicons,
)

__all__ = [
    "BUNDLED",
    "Lexicon",
    "build_alternation",
    "load_lexicons",
    "load_shared_lexicon",
    "merge_lexicons",
]
