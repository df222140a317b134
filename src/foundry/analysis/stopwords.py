"""Stop words of Dutch and English."""

from __future__ import annotations

from foundry.lexicon import load_lexicons

DUTCH = load_lexicons()["nl"].general.stop_words
ENGLISH = load_lexicons()["en"].general.stop_words
