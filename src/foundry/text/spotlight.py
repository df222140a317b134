"""Makes text harmless: inside a prompt, where nothing may pass for the prompt, and on a screen.

Marks every line (spotlighting, Hines et al. 2024, arXiv:2403.14720), escapes the characters that
tags are made of, and removes invisible characters, in which instructions can hide. It does not
judge content: an attack in plain text stays readable, as data.
"""

from __future__ import annotations

import json
import re
import unicodedata

# Characters that look like < and >, which a model may read as a tag.
_TAG_CHARACTERS = "<>＜＞﹤﹥‹›〈〉⟨⟩❮❯❰❱❬❭˂˃ᐸᐳᚲ⧼⧽〈〉⟪⟫《》⦑⦒≮≯≺≻⋖⋗"
_ESCAPES = {ord(character): f"&#{ord(character)};" for character in _TAG_CHARACTERS}
_ESCAPES |= {ord("<"): "&lt;", ord(">"): "&gt;"}
_ESCAPED = {escaped: chr(code) for code, escaped in _ESCAPES.items()}
_ESCAPED |= {"&amp;": "&"} | {f"&#{ord(bracket)};": bracket for bracket in "[［"}
_ENTITY = re.compile(r"&(?:[a-z]+|#\d+);")
# An ampersand that would read as an escape is escaped too, so that unescaping is exact.
_AMPERSAND = re.compile(r"&(?=#?[A-Za-z0-9]{1,32};)")
# Turn markers of chat templates that are not written with angle brackets.
_TURN = re.compile(
    r"[\[［](?=\s*/?\s*(?:INST|SYS|SYSTEM|ASSISTANT|USER|HUMAN|AVAILABLE_TOOLS|TOOL_\w+)\s*[\]］])",
    re.IGNORECASE,
)
_JOINERS = "\u200c\u200d"
_SLASHES = "/\\⁄∕⧸╱"
# Letters of other scripts that look like those of "context".
_DRAWN_ALIKE = str.maketrans("сϲᴄоοօᴏпոɴтτᴛеɛҽᴇхχ×", "cccoooonnnttteeeexxx")
# How many characters after a bracket to search for a tag's name.
_TAG_SEARCH_CHARS = 1000
# More than the name's seven letters, as some are written in two characters.
_TAG_NAME_CHARS = 30

BIDI = "\u202a-\u202e\u2066-\u2069"
"""The marks that reorder text on a screen, as a range of a character class."""
_CONTROL = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029{BIDI}]")


_HIDDEN = frozenset({"Cc", "Cf", "Cs"})


def drop_hidden(text: str) -> str:
    """The text without characters that nobody sees; white space stays."""
    unseen = {
        ord(c): None for c in set(text) if not c.isspace() and unicodedata.category(c) in _HIDDEN
    }
    return text.translate(unseen) if unseen else text


def escape(text: str) -> str:
    """Escapes tag characters and removes invisible ones; ``unescape`` restores the tags."""
    text = _AMPERSAND.sub("&amp;", _strip_invisible(text))
    return _TURN.sub(lambda bracket: f"&#{ord(bracket[0])};", text.translate(_ESCAPES))


def unescape(text: str) -> str:
    """Reverses ``escape`` for text that a model copied out of a prompt."""
    return _ENTITY.sub(lambda entity: _ESCAPED.get(entity[0], entity[0]), text)


def escape_tags(text: str) -> str:
    """Escapes whatever reads as ``<context>`` or ``</context>`` in the user's own words.

    The bracket of such a tag is escaped, however the tag is spelled: with spaces or invisible
    characters in it, full-width, or with letters of other scripts.
    """
    return "".join(
        _ESCAPES[ord(letter)] if ord(letter) in _ESCAPES and _opens_tag(text, place) else letter
        for place, letter in enumerate(text)
    )


def _opens_tag(text: str, place: int) -> bool:
    """Whether the name of a context tag follows; reads no further than the name is long."""
    name = ""
    for letter in text[place + 1 : place + _TAG_SEARCH_CHARS]:
        if letter.isspace() or not _is_visible(letter):
            continue
        name += letter
        if len(name) > _TAG_NAME_CHARS:
            break
        if not unicodedata.normalize("NFKC", name).strip(_SLASHES):
            name = ""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(_DRAWN_ALIKE)
    return plain.lstrip(_SLASHES).startswith("context")


def mark_lines(text: str, mark: str) -> str:
    """Escapes every line of the text and prefixes it with a mark: ``S1| The supply is 5 V.``

    Lines end wherever any program may see a line end (CR, LF, NEL, U+2028 …). Drops empty lines
    at both ends.
    """
    lines = [escape(line).rstrip() for line in text.strip().splitlines()]
    return "\n".join(f"{mark}| {line}".rstrip() for line in lines)


def escape_line(text: str) -> str:
    """Escapes a title, heading or file name and puts it on one line."""
    return " ".join(escape(" ".join(text.splitlines())).split())


def clean_line(text: str) -> str:
    """Puts a text on one line, without invisible and control characters; escapes nothing."""
    return " ".join(_strip_invisible(" ".join(text.splitlines())).split())


def clean_lines(text: str) -> str:
    """Cleans a text line by line; paragraphs stay separate."""
    lines = [clean_line(line) for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def escape_invisible(document: str) -> str:
    r"""JSON with its invisible characters written out (``\u200b``): the same document, nothing hidden."""
    return "".join(
        letter if _is_visible(letter) else json.dumps(letter)[1:-1] for letter in document
    )


def _strip_invisible(text: str) -> str:
    return "".join(filter(_is_visible, text))


def _is_visible(character: str) -> bool:
    if character in _JOINERS:
        return True
    if character in "\t\n\r\u2028\u2029\x85":
        return True
    # Variation selectors can carry hidden bytes; Cf contains bidi controls and tag characters.
    hidden = "\ufe00" <= character <= "\ufe0f" or "\U000e0000" <= character <= "\U000e0fff"
    return not hidden and unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn"}


def has_controls(name: str) -> bool:
    """Whether a name contains a control character, line breaks and tabs included."""
    return _CONTROL.search(name) is not None


def escape_controls(text: str) -> str:
    r"""The text on one line, with ``\n`` and ``\x1b`` written out."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
