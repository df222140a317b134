"""Characters and numbers as office programs show them.

Files keep "Ω" as a "W" in the font Symbol and "10³" as a raised "3"; read literally they
become "W" and "103". List counters and cell values are formatted as on screen. Unknown
fonts are left alone, and a counter in an unknown format is None: a missing number is
better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite

_SYMBOL_LOW = (
    "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
_SYMBOL = {
    **{0x21 + place: char for place, char in enumerate(_SYMBOL_LOW)},
    **{0xA0 + place: char for place, char in enumerate(_SYMBOL_HIGH)},
    0x20: " ",
    **{0xE6 + place: char for place, char in enumerate("⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪")},
    **{0xF1 + place: char for place, char in enumerate("〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭")},
}
# As Unicode 7 maps these fonts (L2/11-052), with common signs where it has heavier or newer ones.
_WINGDINGS = (
    "🖉✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍🖎✌🖏👍👎☜☞☝☟🖐☺😐☹💣🕱🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉♊♋♌♍♎♏♐♑♒♓🙰🙵●🔾■□🞐❑❒🞟⧫◆❖⬩⌧⮹⌘🏵🏶🙶🙷▯🄋➀➁➂➃➄➅➆➇➈➉🄌➊➋➌➍"
    "➎➏➐➑➒➓🙢🙠🙡🙣🙞🙜🙝🙟∙•⬝⭘🞆🞈🞊🞋🔿▪☐🟁🟅★🟋🟏🟓🟑⯐⌖⯎⯏⯑✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←→↑↓🡬🡭🡯🡮🡸🡺🡹🡻🡼🡽🡿🡾⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭✗✓☒☑"
)
_WINGDINGS_2 = (
    "🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑✗✓🗵☑⮽☒⮾⮿🛇⦸🙱🙴🙲🙳‽🙹🙺🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿ ☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤"
    "🕥🕦🕧🙨🙩⋅🞄⦁●○🞅🞇🞉⊙⦿🞌🞍◾■☐🞑🞒🞓🞔▣🞕🞖🞗🞘⬩⬥◇🞚◈🞛🞜🞝🞞⬪⬧◊🞠◖◗⯊⯋⯀⯁⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺🞻🞼🞽🞾🞿🟀🟂🟄🟆🟉🟊✶🟌🟎🟐🟒✹🟃🟇✯🟍🟔⯌⯍※⁂"
)
_WINGDINGS_3 = (
    "⭠⭢⭡⭣⭦⭧⭩⭨⭰⭲⭱⭳⭶⭸⭻⭽⭤⭥⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢🢣🢤🢥🢦🢧🢨🢩🢪🢫🡐🡒🡑🡓🡔🡕🡗🡖🡘🡙▲▼△▽◀▶◁▷◣◢◤◥🞀🞂🞁 🞃⯅⯆⯇⯈⮜⮞⮝⮟🠐🠒🠑🠓🠔🠖🠕"
    "🠗🠘🠚🠙🠛🠜🠞🠝🠟🠀🠂🠁🠃🠄🠆🠅🠇🠈🠊🠉🠋🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟🠮🠰🠲🠴🠶🠸🠺🠹🠻🢘🢚🢙🢛🠼🠾🠽🠿🡀🡂🡁🡃🡄🡆🡅🡇⮨⮩⮪⮫⮬⮭⮮⮯🡠🡢🡡🡣🡤🡥🡧🡦🡰🡲🡱🡳🡴🡵🡷🡶🢀🢂🢁🢃🢄🢅🢇🢆🢐🢒🢑🢓🢔🢖🢕🢗"
)
_WEBDINGS = (
    "🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼🗕🗖🗗⏴⏵⏶⏷⏪⏩⏮⏭⏸⏹⏺🗚🗳🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽🗭🗪🗫⮔✔🚲⬜🛡📦🛱⬛🚑🛈🛩🛰🟈🕴⬤🛥🚔🗘🗙❓🛲🚇🚍⛳⦸⊖🚭🗮⏐🗯🗲 🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠"
    "🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜🎘🎙🎧💿🎞📷🎟🎬📽📹📾📻🎚🎛📺💻🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒🔓🗝📥📤🕳🌣🌤🌥🌦☁🌨🌧🌩🌪🌬🌫🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦🗧🛪🐿🐦🐟🐕🐈🙬🙮🙭🙯🗺🌍🌏🌎🕊"
)


def _number(signs: str) -> dict[int, str]:
    """Map character codes to the signs of a font; a space marks a missing sign."""
    return {0x20: " ", **{code: sign for code, sign in enumerate(signs, 0x21) if sign != " "}}


_FONTS = {
    "symbol": _SYMBOL,
    "wingdings": _number(_WINGDINGS),
    "wingdings 2": _number(_WINGDINGS_2),
    "wingdings 3": _number(_WINGDINGS_3),
    "webdings": _number(_WEBDINGS),
}
_PRINTED_NAME = re.compile(
    r"(?:[A-Z]{6}\+)?(?i:(symbol)(?:mt|std|neu|ps)?|(wingdings) ?([23])?|(webdings))"
    r"(?![a-z])(?:[-, ].*)?"
)
"""The name of one of these fonts in a PDF; the letters of "Segoe UI Symbol" are letters."""

UNKNOWN = "\ufffd"
"""Stands for a sign that cannot be identified."""
_PRIVATE = range(0xF020, 0xF100)
_PRIVATE_USE = re.compile("[\uf020-\uf0ff]")
_NAMED = {
    **{0xF730 + digit: str(digit) for digit in range(10)},
    **{0xF761 + place: chr(0x41 + place) for place in range(26)},
    **{0xF8E5 + place: char for place, char in enumerate("⎯⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭")},
}
"""What Adobe's glyph list has in the private use area: old-style digits, small capitals, parts of
brackets."""
_ANY_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
DOUBTFUL_WIDTHS = {"×": 250, "µ": 713, "÷": 384, "¬": 987, "©": 753, "®": 987}
"""Widths of what Symbol has at the codes of signs that it has elsewhere, in thousandths of the size:
a PDF may give the code of "∝" or the sign "µ" as one character."""
_RAISED = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_RAISABLE = frozenset("0123456789+-−–")
_RAISED_LETTERS = dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))


def read_symbol(code: int, font: str | None) -> str:
    """Return what a symbol font shows for ``code``, with or without 0xF000; "" if unknown."""
    table = _FONTS.get((font or "symbol").lower())
    if table is None:
        return "" if code in _PRIVATE else chr(code)
    return table.get(code - 0xF000 if code in _PRIVATE else code, "")


def read_in_font(text: str, font: str | None) -> str:
    """Return text as ``font`` shows it; private-use characters belong to the font Symbol."""
    if font and font.lower() in _FONTS:
        return "".join(read_symbol(ord(char), font) or _PRIVATE_USE.sub("", char) for char in text)
    return _PRIVATE_USE.sub(lambda match: read_symbol(ord(match[0]), None), text)


def find_symbol_font(name: str) -> str | None:
    """Return the font of signs that a font name in a PDF refers to, if any."""
    match = _PRINTED_NAME.fullmatch(name)
    return " ".join(part.lower() for part in match.groups() if part) if match else None


def read_printed(char: str, font: str | None) -> str:
    """Return a character as a page shows it in one of the fonts of signs, or in another one.

    A sign that neither the font nor Adobe's list names is ``UNKNOWN``, not the sign of another font;
    so is a control character, which programs number as they like.
    """
    if font and "\x7f" <= char <= "\x9f":
        return UNKNOWN
    shown = read_symbol(ord(char), font) if font else ""
    return shown or _ANY_PRIVATE_USE.sub(lambda m: _NAMED.get(ord(m[0]), UNKNOWN), char)


def raise_digits(text: str) -> str:
    """Raise numbers ("3" → "³", "-1" → "⁻¹"); words ("st", "TM") stay as they are."""
    bare = text.strip()
    return text.translate(_RAISED) if bare and all(char in _RAISABLE for char in bare) else text


def raise_letter(text: str) -> str | None:
    """Raise the letter of a footnote ("a" → "ᵃ"); None for anything else."""
    return _RAISED_LETTERS.get(text)


_ROMAN_VALUES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_ROMAN_DIGITS = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
_MAX_LETTERS = 30
"""Longest run of one letter ("aa", "bbb"): longer ones mean a damaged counter. A guess."""
_PLAIN_BULLETS = frozenset("-–—*►▪■□●○◦•✓✔→➢❖")


def format_roman(value: int) -> str | None:
    """Format 1–3999 in lower-case Roman digits; None for other numbers."""
    if not 0 < value < 4000:
        return None
    digits = []
    for weight, sign in zip(_ROMAN_VALUES, _ROMAN_DIGITS, strict=True):
        times, value = divmod(value, weight)
        digits.append(sign * times)
    return "".join(digits)


def format_letters(value: int) -> str | None:
    """Format a counter as a … z, aa, bb … like Word and Writer; None below 1."""
    if value < 1:
        return None
    times, place = divmod(value - 1, 26)
    return chr(ord("a") + place) * (times + 1) if times < _MAX_LETTERS else None


def format_counter(value: int, form: str) -> str | None:
    """Format a counter in one of Word's formats ("upperRoman"); None if it is unknown."""
    write = _COUNTER_FORMATS.get(form)
    return None if write is None else write(value)


def simplify_bullet(bullet: str) -> str:
    """Return a bullet that every font has: the same one, or "•"."""
    return bullet if bullet in _PLAIN_BULLETS else "•"


def parse_integer(text: str | None, default: int) -> int:
    """Parse an attribute as an integer; the default if it is missing or malformed."""
    try:
        return int(text) if text else default
    except ValueError:
        return default


def format_number(value: float) -> str:
    """Format a cell with the 15 digits that spreadsheets show: 5.0 → "5", 0.1+0.2 → "0.3"."""
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"


def _upper(text: str | None) -> str | None:
    return text and text.upper()


_COUNTER_FORMATS: dict[str, Callable[[int], str | None]] = {
    "decimal": str,
    "decimalZero": lambda value: f"{value:02d}",
    "lowerRoman": format_roman,
    "upperRoman": lambda value: _upper(format_roman(value)),
    "lowerLetter": format_letters,
    "upperLetter": lambda value: _upper(format_letters(value)),
    "numberInDash": lambda value: f"- {value} -",
    "none": lambda _: "",
}
