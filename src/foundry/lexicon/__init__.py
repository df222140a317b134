"""What Foundry knows about languages: one TOML file per language, and their loader."""

from foundry.lexicon.loader import (
    BUNDLED,
    build_alternation,
    load_lexicons,
    load_shared_lexicon,
    merge_lexicons,
)
from foundry.lexicon.sections import Lexicon, LexiconSection, NumberWords
