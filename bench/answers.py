"""What the built-in writer answers to written questions: ``python -m bench answers --data DIR``.

The questions and the project are those of ``bench written``, through ``ask``. Rules judge an answer
by the gold answer and its quote:

- *facts*: the numbers of the gold answer that the question lacks, and its names that are in the quote.
- *overlap*: the share of the quote's words that are shown, in order.
- *right*: overlap from .7; or all facts and overlap from .2; without a number, overlap from .55.
  A cell of a table needs its numbers, and few others beside them.
- *partly*: half of the facts, or overlap from .4 (.3 without a number).
- *nearest*: shown as the nearest passage only (low confidence). *refused*: nothing is shown.

The documents are halved by a hash of their paths; the shipped weights saw both halves (``fit_writer``
has figures of documents left out). Of questions without an answer, the table counts those answered as
sure. ``--samples N`` prints N answers beside their gold, of the documents left out.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.written import find_group, open_project
from foundry.analysis import fold
from foundry.journeys.ask import ask
from foundry.lexicon import load_shared_lexicon

SAMPLE = 400
"""Questions, with and without an answer: about five minutes."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\b(?:[A-Z][\w-]*[A-Z0-9][\w-]*|[A-Z]\w{2,})\b")
_SMALL = re.compile(r"(?:19|20)\d\d|\d{1,2}")
_STOP = load_shared_lexicon().general.stop_words
_WORDS = {
    word: str(number)
    for number, words in enumerate((
        "zero nul", "one een", "two twee", "three drie", "four vier", "five vijf", "six zes",
        "seven zeven", "eight acht", "nine negen", "ten tien", "eleven elf", "twelve twaalf",
    ))
    for word in words.split()
}  # fmt: skip
_VERDICTS = ("right", "partly", "wrong")


@dataclass(frozen=True)
class Judged:
    """An answered question: ``verdict`` as the module says, ``sure`` if it is shown as the answer."""

    row: dict[str, str]
    path: str
    text: str
    verdict: str
    sure: bool

    @property
    def left_out(self) -> bool:
        """Whether its document is in the second half."""
        return bool(int(hashlib.sha256(self.path.encode()).hexdigest(), 16) % 2)


def measure(
    data: Path | None, *, sample: int | None = SAMPLE, samples: int = 0, seed: int = 3
) -> Iterator[str]:
    """The tables: all, the second half, then by kind, group and language of the latter."""
    if data is None:
        yield "Left out: give --data DIR"
        return
    judged = list(_ask_all(data, sample, seed))
    yield "| questions | n | right | partly | wrong | nearest (right) | refused | wrong as sure |"
    yield "|---|---|---|---|---|---|---|---|"
    left_out = [one for one in judged if one.left_out]
    yield _row("all", judged)
    yield _row("documents of the second half", left_out)
    for key in ("kind", "group", "language"):
        parts: defaultdict[str, list[Judged]] = defaultdict(list)
        for one in left_out:
            if one.row["answerable"]:
                parts[find_group(one.path) if key == "group" else one.row[key]].append(one)
        for name, part in sorted(parts.items()):
            yield _row(f"- {name}", part)
    without = [one for one in left_out if not one.row["answerable"]]
    sure = sum(one.sure for one in without)
    yield ""
    yield f"Of {len(without)} questions without an answer, {sure} are answered as sure."
    answered = [one for one in left_out if one.row["answerable"]]
    for one in random.Random(seed).sample(answered, min(samples, len(answered))):
        yield from _describe(one)


def _ask_all(data: Path, sample: int | None, seed: int) -> Iterator[Judged]:
    files = {row["id"]: row["file"] for row in load_rows(data / "written/passages.jsonl")}
    rows = load_rows(data / "written/questions.jsonl")
    if sample is not None:
        rows = random.Random(seed).sample(rows, min(sample, len(rows)))
    with open_project(data) as workspace:
        for row in rows:
            answer = ask(workspace, row["question"])
            hits = answer.search.hits
            path = files.get(row["chunk"]) or (hits[0].source.path if hits else "")
            text = "\n".join(sentence.text for sentence in answer.sentences)
            yield Judged(row, path, text, judge(row, text), answer.verdict == "answer")


def judge(row: dict[str, str], text: str) -> str:
    """ "right", "partly", "wrong", or "refused" for no text, by the rules of this module."""
    if not text:
        return "refused"
    asked, shown = _find_numbers(row["question"]), _find_numbers(text)
    numbers = _find_numbers(row["answer"], worded=False) - asked
    names = _find_names(row["answer"]) - _find_names(row["question"])
    names = {name for name in names if name in fold(row["quote"])}
    if row["kind"] == "table" and numbers:
        others = {n for n in shown - numbers - asked if not _SMALL.fullmatch(n)}
        if numbers <= shown:
            return "right" if len(others) <= max(2, len(numbers)) else "partly"
        return "partly" if numbers & shown else "wrong"
    overlap = measure_overlap(row["quote"], text)
    found = [n in shown for n in numbers] + [name in fold(text) for name in names]
    if overlap >= 0.7 or (numbers and all(found) and overlap >= 0.2):
        return "right"
    if not numbers:
        return "right" if overlap >= 0.55 else "partly" if overlap >= 0.3 else "wrong"
    half = sum(found) >= len(found) / 2 and overlap >= 0.2
    return "partly" if half or overlap >= 0.4 else "wrong"


def measure_overlap(quote: str, text: str) -> float:
    """The share of the quote's words, without stop words, that are in the text in the same order."""
    wanted, shown = _split(quote), _split(text)
    blocks = difflib.SequenceMatcher(None, wanted, shown, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(wanted) if wanted else 0.0


def _split(text: str) -> list[str]:
    words = re.findall(r"\w+(?:[.,]\d+)*", fold(text))
    return [word for word in words if word not in _STOP]


def _find_numbers(text: str, *, worded: bool = True) -> set[str]:
    digits = {re.sub(r"[.,]", "", match) for match in _NUMBER.findall(text)}
    words = re.findall(r"\w+", fold(text)) if worded else []
    return digits | {_WORDS[word] for word in words if word in _WORDS}


def _find_names(text: str) -> set[str]:
    """Capitalised words that do not open the text, and identifiers."""
    return {
        fold(match[0])
        for match in _NAME.finditer(text)
        if match.start() or re.search(r"[A-Z0-9]", match[0][1:])
    }


def _row(name: str, part: Sequence[Judged]) -> str:
    part = [one for one in part if one.row["answerable"]]
    sure = Counter(one.verdict for one in part if one.sure)
    near = Counter(one.verdict for one in part if not one.sure)
    nearest = sum(near[verdict] for verdict in _VERDICTS)
    cells = [
        *(sure[verdict] for verdict in _VERDICTS),
        f"{nearest} ({near['right']})",
        near["refused"],
        f"{sure['wrong'] / len(part):.2f}" if part else "-",
    ]
    return f"| {name} | {len(part)} | {' | '.join(map(str, cells))} |"


def _describe(one: Judged) -> Iterator[str]:
    row = one.row
    shown = "sure" if one.sure else "nearest"
    yield ""
    yield f"{row['id']} ({row['kind']}, {one.path}): {row['question']}"
    yield f"  {one.verdict}, {shown}: {one.text}"
    yield f"  gold: {row['answer']} | {' '.join(row['quote'].split())}"


def load_rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
