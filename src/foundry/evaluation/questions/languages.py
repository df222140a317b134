"""Languages as people write them: codes of two or three letters, with a region, or names."""

from __future__ import annotations

from foundry.analysis.languages import UNKNOWN, list_languages
from foundry.craft.prompting import LANGUAGE_NAMES
from foundry.errors import UsageError

_NAMES = {
    **{name.lower(): code for code, name in LANGUAGE_NAMES.items()},
    "dut": "nl", "nld": "nl", "nederlands": "nl", "vlaams": "nl", "eng": "en", "engels": "en",
    "deu": "de", "ger": "de", "duits": "de", "deutsch": "de", "fra": "fr", "fre": "fr", "frans": "fr",
}  # fmt: skip


def find_language(name: str) -> str | None:
    """The ISO 639-1 code of a language ("nl-BE", "NL", "Dutch" → nl), "und", or None."""
    plain = name.strip().lower()
    code = _NAMES.get(plain) or plain.replace("_", "-").partition("-")[0]
    code = _NAMES.get(code, code)
    return code if code == UNKNOWN or code in list_languages() else None


def require_language(name: str) -> str:
    """``find_language`` for a command. Raises ``UsageError``."""
    code = find_language(name)
    if code is None:
        raise UsageError(
            f"{name!r} is no language that is known here.",
            where="--language",
            fix="Give its code of two letters, such as nl or en; without it the words decide.",
        )
    return code
