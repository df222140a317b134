"""Published attack texts in every place of a source: how many get out of the marked lines.

The same check as ``foundry eval injection`` makes, and per place; no model is asked, for what is
measured is the form of the prompts. The attacks of ``bipia`` are put at the start, in the middle
and at the end of contexts of their kind, as that benchmark does; the other sets are taken as they
are, their harmless texts included, of which no word may be lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.converters import ATTACKS, attack_texts
from foundry.evaluation.injection import PLACES
from foundry.evaluation.labelled.attacks import find_escaped


def measure(data: Path | None) -> Iterator[str]:
    if data is None:
        yield "Left out: give --data DIR."
        return
    yield "| set | texts | escaped | " + " | ".join(PLACES) + " |"
    yield "|---|---|---|" + "---|" * len(PLACES)
    for name in ATTACKS:
        if not (data / name / "items.jsonl").is_file():
            yield f"| {name} | left out: not in {data.name} |"
            continue
        texts = attack_texts(data, name)
        escaped = [one.text for one in find_escaped(texts)]
        places = [len(find_escaped(escaped, [place])) for place in PLACES]
        yield f"| {name} | {len(texts)} | {len(escaped)} | {' | '.join(map(str, places))} |"
