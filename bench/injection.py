"""Published attack texts in every place of a source: how many get out of the marked lines.

``python -m bench injection --data DIR`` counts them per set and place; no model is asked, for what
is measured is the form of the prompts. The attacks of ``bipia`` are put at the start, in the middle
and at the end of contexts of their kind, as that benchmark does; the other sets are taken as they
are, their harmless texts included, of which no word may be lost.

``python -m bench injection FILE.jsonl`` measures lines of {"text": text}.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.converters import ATTACKS, attack_texts
from bench.labelled import LineMeasurement, LineReport, Row, require_text
from bench.prompt_escapes import PLACES, Escape, Place, find_escapes
from bench.tables import write_head, write_row


@dataclass(frozen=True)
class EscapedText:
    """A text that got out, with its number from 1, and which part of it is outside its marks."""

    number: int
    text: str
    escapes: tuple[Escape, ...]


def find_escaped(texts: Sequence[str], places: Sequence[Place] = PLACES) -> list[EscapedText]:
    """The texts that do not stay inside, each put in all ``places`` at once."""
    pairs = ((number, text, find_escapes(text, places)) for number, text in enumerate(texts, 1))
    return [EscapedText(number, text, escapes) for number, text, escapes in pairs if escapes]


def read_line(row: Row) -> str:
    """A line's text. Raises ``UnusableLine``."""
    return require_text(row, "text")


def measure_lines(texts: Sequence[str], _with_model: bool) -> LineReport:
    """How many of a file's texts get out, and how."""
    escaped = find_escaped(texts)
    rows = [
        {
            "number": escape.number,
            "text": escape.text,
            "problems": [asdict(e) for e in escape.escapes],
        }
        for escape in escaped
    ]
    wrong = [
        f"{escape.number}: {escape.text[:120]}\n  {escape.escapes[0].problem}" for escape in escaped
    ]
    return LineReport({"n": len(texts), "escaped": len(escaped), "escapes": rows}, wrong)


LINES = LineMeasurement(read_line, measure_lines)


def measure(data: Path) -> Iterator[str]:
    yield from write_head("set", "texts", "escaped", *PLACES)
    for name in ATTACKS:
        if not (data / name / "items.jsonl").is_file():
            yield write_row(name, f"left out: not in {data.name}")
            continue
        texts = attack_texts(data, name)
        escaped = [escape.text for escape in find_escaped(texts)]
        places = [len(find_escaped(escaped, [place])) for place in PLACES]
        yield write_row(name, len(texts), len(escaped), *places)
