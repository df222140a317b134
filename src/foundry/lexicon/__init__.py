"""What Foundry knows of a language: one TOML file per language, and the reader of these files."""

from foundry.lexicon.lexicon import (
    BUNDLED,
    Lexicon,
    LexiconSection,
    NumberWords,
    build_alternation,
    load_lexicons,
    load_shared_lexicon,
    merge_lexicons,
)

__all__ = [
    "BUNDLED",
    "Lexicon",
    "LexiconSection",
    "NumberWords",
    "build_alternation",
    "load_lexicons",
    "load_shared_lexicon",
    "merge_lexicons",
]
