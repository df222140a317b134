"""Makes text of a source harmless inside a prompt: nothing in it can pass for the prompt itself.

Every line gets a mark (spotlighting, Hines et al. 2024, arXiv:2403.14720), the
characters that tags are made of are escaped, and invisible characters, in which
instructions can hide, are taken out. It judges no content: an attack that is
plain text stays readable, as data.
"""

from __future__ import annotations

import re
import unicodedata

# Characters drawn like < and >, which a model may read as a tag.
_TAG_CHARACTERS = "<>＜＞﹤﹥‹›〈〉⟨⟩❮❯❰❱❬❭˂˃ᐸᐳᚲ⧼⧽〈〉⟪⟫《》⦑⦒≮≯≺≻⋖⋗"
_ESCAPES = {ord(character): f"&#{ord(character)};" for character in _TAG_CHARACTERS}
_ESCAPES |= {ord("<"): "&lt;", ord(">"): "&gt;"}
_ESCAPED = {escaped: chr(code) for code, escaped in _ESCAPES.items()}
_ESCAPED |= {"&amp;": "&"} | {f"&#{ord(bracket)};": bracket for bracket in "[［"}
_ENTITY = re.compile(r"&(?:[a-z]+|#\d+);")
# What would read as an escape in the source is escaped itself, so that unescaping is exact.
_AMPERSAND = re.compile(r"&(?=#?[A-Za-z0-9]{1,32};)")
# Turn markers of chat templates that are not written with angle brackets.
_TURN = re.compile(
    r"[\[［](?=\s*/?\s*(?:INST|SYS|SYSTEM|ASSISTANT|USER|HUMAN|AVAILABLE_TOOLS|TOOL_\w+)\s*[\]］])",
    re.IGNORECASE,
)
_JOINERS = "\u200c\u200d"
_SLASHES = "/\\⁄∕⧸╱"
# Letters of other scripts that are drawn like those of "context".
_DRAWN_ALIKE = str.maketrans("сϲᴄоοօᴏпոɴтτᴛеɛҽᴇхχ×", "cccoooonnnttteeeexxx")
# Letters after a bracket in which a tag's name is looked for.
_TAG_SEARCH_CHARS = 1000
_WHITE = re.compile(r"\s+")


def escape(text: str) -> str:
    """The text without tag characters and invisible characters; ``unescape`` brings tags back."""
    text = _AMPERSAND.sub("&amp;", _strip_invisible(text))
    return _TURN.sub(lambda bracket: f"&#{ord(bracket[0])};", text.translate(_ESCAPES))


def unescape(text: str) -> str:
    """What a model copied out of a prompt, as the source has it: what ``escape`` did, undone."""
    return _ENTITY.sub(lambda entity: _ESCAPED.get(entity[0], entity[0]), text)


def escape_tags(text: str) -> str:
    """The user's own words, verbatim but for what reads as ``<context>`` or ``</context>``.

    The bracket of such a tag is escaped, however the tag is spelled: with spaces or invisible
    characters in it, full-width, or with letters of other scripts.
    """
    return "".join(
        _ESCAPES[ord(letter)] if ord(letter) in _ESCAPES and _opens_tag(text, place) else letter
        for place, letter in enumerate(text)
    )


def _opens_tag(text: str, place: int) -> bool:
    after = _WHITE.sub("", _strip_invisible(text[place + 1 : place + _TAG_SEARCH_CHARS]))
    plain = unicodedata.normalize("NFKC", after).casefold().translate(_DRAWN_ALIKE)
    return plain.lstrip(_SLASHES).startswith("context")


def mark_lines(text: str, mark: str) -> str:
    """Every line of the text escaped and after its mark: ``S1| The supply is 5 V.``

    Lines end wherever any program may see a line end (CR, LF, NEL, U+2028 …);
    empty lines at either end are left out.
    """
    lines = [escape(line).rstrip() for line in text.strip().splitlines()]
    return "\n".join(f"{mark}| {line}".rstrip() for line in lines)


def escape_line(text: str) -> str:
    """A title, heading or file name: escaped, on one line."""
    return _WHITE.sub(" ", escape(" ".join(text.splitlines()))).strip()


def clean_line(text: str) -> str:
    """A text on one line without invisible and control characters; nothing is escaped."""
    return _WHITE.sub(" ", _strip_invisible(" ".join(text.splitlines()))).strip()


def clean_lines(text: str) -> str:
    """A text of several lines, each of them plain; paragraphs stay apart."""
    lines = [clean_line(line) for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _strip_invisible(text: str) -> str:
    return "".join(filter(_is_visible, text))


def _is_visible(character: str) -> bool:
    if character in _JOINERS:
        return True
    if character in "\t\n\r\u2028\u2029\x85":
        return True
    # Variation selectors can carry hidden bytes; Cf holds bidi controls and tag characters.
    hidden = "\ufe00" <= character <= "\ufe0f" or "\U000e0000" <= character <= "\U000e0fff"
    return not hidden and unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn"}
