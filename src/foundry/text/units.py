"""Units of measure: which belong together, and by what factor.

Symbols keep their case (``mW`` is not ``MW``); the words for them come from the lexicon. Months
and years are counted in months, everything from nanoseconds to weeks in seconds, because a month
has no fixed length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from foundry.lexicon import Lexicon, load_shared_lexicon


@dataclass(frozen=True, slots=True)
class Unit:
    """A dimension's name ("V", "s", "%", "m/s") and the factor to its base unit."""

    dimension: str
    factor: float


_PREFIXES = {
    "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3,
    "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
}  # fmt: skip
# Spelled alike in the languages of the SI.
_PREFIX_WORDS = {
    "pico": 1e-12, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3, "centi": 1e-2, "deci": 1e-1,
    "kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12,
}  # fmt: skip
# Symbol: (dimension, factor). These take SI prefixes.
_SCALED = {
    "V": ("V", 1.0), "Vdc": ("V", 1.0), "VDC": ("V", 1.0), "Vac": ("V", 1.0), "VAC": ("V", 1.0),
    "A": ("A", 1.0), "W": ("W", 1.0), "VA": ("VA", 1.0), "Wh": ("J", 3600.0), "Ah": ("C", 3600.0),
    "Hz": ("Hz", 1.0), "Ω": ("ohm", 1.0), "ohm": ("ohm", 1.0), "m": ("m", 1.0), "g": ("g", 1.0),
    "s": ("s", 1.0), "F": ("F", 1.0), "H": ("H", 1.0), "J": ("J", 1.0), "N": ("N", 1.0),
    "Nm": ("Nm", 1.0), "Pa": ("Pa", 1.0), "bar": ("Pa", 1e5), "B": ("B", 1.0), "bit": ("bit", 1.0),
    "b": ("bit", 1.0), "bps": ("bit/s", 1.0), "Bd": ("Bd", 1.0), "L": ("l", 1.0), "l": ("l", 1.0),
    "cd": ("cd", 1.0), "lm": ("lm", 1.0), "eV": ("eV", 1.0), "T": ("T", 1.0),
}  # fmt: skip
_FIXED = {
    "cm": ("m", 0.01), "dm": ("m", 0.1), "cl": ("l", 0.01), "dl": ("l", 0.1), "t": ("g", 1e6),
    "%": ("%", 1.0), "‰": ("%", 0.1), "ppm": ("%", 1e-4), "°C": ("°C", 1.0), "℃": ("°C", 1.0),
    "°F": ("°F", 1.0), "°": ("°", 1.0), "K": ("K", 1.0), "min": ("s", 60.0), "h": ("s", 3600.0),
    "lx": ("lx", 1.0), "lux": ("lx", 1.0), "dB": ("dB", 1.0), "dBm": ("dBm", 1.0),
    "dBi": ("dBi", 1.0), "rpm": ("rpm", 1.0), "KB": ("B", 1e3), "KiB": ("B", 1024.0),
    "MiB": ("B", 1024.0**2), "GiB": ("B", 1024.0**3), "TiB": ("B", 1024.0**4), "kg": ("g", 1e3),
    "ha": ("m^2", 1e4), "px": ("px", 1.0), "dpi": ("dpi", 1.0), "fps": ("fps", 1.0),
    "psi": ("Pa", 6894.757), "hp": ("W", 745.7), "pk": ("W", 735.5), "mph": ("m/s", 0.44704),
    "inch": ("m", 0.0254), '"': ("m", 0.0254), "ft": ("m", 0.3048), "lb": ("g", 453.59237),
    "lbs": ("g", 453.59237), "oz": ("g", 28.349523), "€": ("EUR", 1.0), "EUR": ("EUR", 1.0),
    "$": ("USD", 1.0), "USD": ("USD", 1.0), "£": ("GBP", 1.0), "GBP": ("GBP", 1.0),
}  # fmt: skip
# Units that only words name; the lexicon refers to them by these keys.
_WORDED = {
    "day": ("s", 86400.0), "week": ("s", 604800.0), "month": ("month", 1.0),
    "quarter": ("month", 3.0), "year": ("month", 12.0), "mile": ("m", 1609.344),
}  # fmt: skip
_POWERS = {"²": 2, "2": 2, "^2": 2, "³": 3, "3": 3, "^3": 3}


def find_unit(text: str, lexicon: Lexicon | None = None) -> Unit | None:
    """The unit that a text names as a whole: ``mV``, ``km/h``, ``m²``, ``seconden``.

    Raises ``KeyError`` if the lexicon has words for a unit that is not in the tables above.
    """
    text = text.replace("\u2126", "\u03a9")
    if "/" in text:
        over, _, under = text.partition("/")
        first, second = find_unit(over, lexicon), find_unit(under, lexicon)
        if first is None or second is None:
            return None
        return Unit(f"{first.dimension}/{second.dimension}", first.factor / second.factor)
    symbols, words = _build_tables(lexicon or load_shared_lexicon())
    simple = symbols.get(text) or words.get(text.lower())
    if simple is not None:
        return simple
    for ending, power in _POWERS.items():
        base = symbols.get(text.removesuffix(ending)) if text.endswith(ending) else None
        if base is not None and base.dimension == "m":
            return Unit(f"m^{power}", base.factor**power)
    return None


@lru_cache(maxsize=8)
def _build_tables(lexicon: Lexicon) -> tuple[dict[str, Unit], dict[str, Unit]]:
    """Every symbol and every word, with their prefixed forms."""
    symbols = {symbol: Unit(*value) for symbol, value in (_FIXED | _SCALED).items()}
    for symbol, (dimension, factor) in _SCALED.items():
        for prefix, scale in _PREFIXES.items():
            symbols.setdefault(prefix + symbol, Unit(dimension, factor * scale))
    known = symbols | {name: Unit(*value) for name, value in _WORDED.items()}
    symbols |= {own: known[symbol] for own, symbol in lexicon.units.symbols.items()}
    words = {word: known[key] for key, names in lexicon.units.words.items() for word in names}
    for word, unit in list(words.items()):
        for prefix, scale in _PREFIX_WORDS.items():
            words.setdefault(prefix + word, Unit(unit.dimension, unit.factor * scale))
    return symbols, words
