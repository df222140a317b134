"""Keys and passwords in texts that are shown: recognised, and replaced by ``[key]``."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping
from urllib.parse import quote

_MARK = "[key]"
_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
SHORTEST_SECRET = 8
"""Shorter values of such variables are words like "unused" or "none"."""

_FORMS = re.compile(
    r"\b(?:sk|pk|gsk|xai|hf)[-_][-_A-Za-z0-9*.]{6,}|\bAIza[-_A-Za-z0-9*]{8,}|Bearer\s+\S+"
    r"|(?<=://)[^/\s@]+(?=@)"
)
_OPAQUE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w.+/=-]{20,}")
"""A long word of letters and digits, as no value of a setting is."""

_shorten = reprlib.Repr()
_shorten.maxstring = _shorten.maxother = 60


def redact_secrets(text: str, environment: Mapping[str, str]) -> str:
    """The text without the values of secret variables and what has the form of a key."""
    for name, value in environment.items():
        if len(value) >= SHORTEST_SECRET and name.upper().endswith(_NAMES):
            for form in (value, quote(value, safe="")):
                text = text.replace(form, _MARK)
    return _FORMS.sub(_MARK, text)


def show_value(value: object) -> str:
    """A wrong value as a message may quote it: at most some 60 characters, and never a key."""
    shown = _shorten.repr(value)
    if isinstance(value, str) and (_FORMS.search(value) or _OPAQUE.fullmatch(value.strip())):
        return _MARK
    return _FORMS.sub(_MARK, shown)
