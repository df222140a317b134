"""Labelled claims: which do the rules call exact, contradicted or open?

``python -m bench claims --data DIR`` measures the sets of DIR that are there: ``written`` (sentences
as models write them, with the errors that models make), the development halves of TabFact, WiCE and
SummEdits in ``public``, ExpertQA and SciFact; no rule was fitted to any of them. Then sentences and
rows of ``written/passages.jsonl`` restated by this module: in another format, unit or order of label
and value, which one sentence or row says outright.

``python -m bench claims FILE.jsonl`` measures lines of {"claim": text, "evidence": text or list of
texts, "label": true or false}; ``--with-model`` lets the validation.verifier of the project in the
current folder decide on all that is open, as in an answer.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from textwrap import shorten

from bench.converters import expert_claims, science_claims
from bench.evidence import as_evidence
from bench.labelled import LineMeasurement, LineReport, UnusableLine, require_label, require_text
from bench.labelled import Row as Line
from bench.tables import Row, read_rows, write_head, write_row
from bench.written_claims import read_passages, read_written_claims
from foundry.analysis import UNKNOWN, detect_language, detect_query_language, fold
from foundry.craft.grounding import detect_statement_language, verify_statement
from foundry.errors import ConfigError
from foundry.journeys.writing.llm_judge import DoubtfulStatement, LlmJudge, open_judge
from foundry.records import Evidence
from foundry.text.lines import UNIT_LABELS
from foundry.text.passages import Passage, find_passages
from foundry.text.tables import find_cells
from foundry.workspace import open_workspace

Case = tuple[str, Sequence[Evidence], str, bool]
"""A claim, its evidence, its language, and whether the evidence supports it."""

MOST_RESTATED = 400
_ARTICLE = re.compile(r"\b(?:the|a|an|de|het|een) ", re.IGNORECASE)
_AMPERE = re.compile(r"(?<![\d.,])(\d+) mA\b")
_PUBLIC = ("tabfact", "wice", "summedits")


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """A claim, the texts it is checked against, and whether they support it."""

    text: str
    evidence: tuple[str, ...]
    label: bool


def read_claim(line: Line) -> LabelledClaim:
    """A line's claim. Raises ``UnusableLine``."""
    text, label = require_text(line, "claim"), require_label(line)
    if "evidence" not in line:
        raise UnusableLine('it has no "evidence"')
    value = line["evidence"]
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise UnusableLine('"evidence" is neither a text nor a list of texts')
    return LabelledClaim(text, tuple(item for item in texts if item.strip()), label)


def prepare_claim(claim: LabelledClaim) -> tuple[str, list[Evidence]]:
    """The claim's language and its evidence; a text too short to detect has the other's language."""
    languages = [_detect(text) for text in claim.evidence]
    known = next((language for language in languages if language != UNKNOWN), UNKNOWN)
    spoken = detect_statement_language(claim.text, known)
    if spoken == UNKNOWN:
        spoken = detect_query_language(claim.text)
    return spoken, [
        as_evidence(text, spoken if language == UNKNOWN else language, f"S{number}")
        for number, (text, language) in enumerate(
            zip(claim.evidence, languages, strict=True), start=1
        )
    ]


def _detect(text: str) -> str:
    language = detect_language(text)
    return detect_query_language(text) if language == UNKNOWN else language


def measure(data: Path) -> Iterator[str]:
    yield from write_head(
        "claims",
        "n",
        "true: exact",
        "true: contradicted",
        "false: exact",
        "false: contradicted",
        "ms",
    )
    for name, cases in _list_sets(data):
        yield _count(name, cases)


def _list_sets(data: Path) -> Iterator[tuple[str, Iterable[Case]]]:
    if (data / "written/claims.jsonl").exists():
        yield "written", _read_written(data)
    for name in _PUBLIC:
        if (data / f"public/{name}.jsonl").exists():
            yield name, _prepare(read_rows(data / f"public/{name}.jsonl"))
    if (data / "expertqa_claims").exists():
        yield "ExpertQA", _prepare(expert_claims(data))
    if (data / "scifact_train").exists():
        yield "SciFact, whole abstracts", _prepare(science_claims(data))
    if (data / "written/passages.jsonl").exists():
        yield "restated sentences", restate_sentences(data)
        yield "restated rows, whole", restate_rows(data, whole=True)
        yield "restated rows, others", restate_rows(data, whole=False)


def _read_written(data: Path) -> Iterator[Case]:
    for claim in read_written_claims(data):
        yield claim.text, claim.evidence, claim.language, claim.label


def _prepare(rows: Iterable[Row]) -> Iterator[Case]:
    for claim in map(read_claim, rows):
        language, evidence = prepare_claim(claim)
        yield claim.text.strip(), evidence, language, claim.label


def restate_sentences(data: Path) -> Iterator[Case]:
    """Sentences without their first article, or with mA as A, each against its own passage."""
    made = 0
    for evidence in read_passages(data):
        language = evidence.hit.chunk.language
        for passage in find_passages(evidence.hit.chunk):
            words = len(passage.text.split())
            if passage.kind != "paragraph" or passage.cut or not 6 <= words <= 40:
                continue
            changed = _AMPERE.sub(lambda match: f"{int(match[1]) / 1000:g} A", passage.text)
            changed = _ARTICLE.sub("", changed, count=1) if changed == passage.text else changed
            if changed != passage.text and made < MOST_RESTATED:
                made += 1
                yield changed, [evidence], language, True
                break


def restate_rows(data: Path, *, whole: bool) -> Iterator[Case]:
    """ "LABEL of NAME is VALUE" and "NAME: LABEL = VALUE" of rows whose table is read for certain.

    ``whole``: only of rows that a reader can identify; else only of the others.
    """
    passages = read_passages(data)
    Random(7).shuffle(passages)
    rows = (one for evidence in passages for one in _list_rows(evidence) if one.whole == whole)
    for number, one in enumerate(islice(rows, MOST_RESTATED)):
        language = one.evidence.hit.chunk.language
        said = "De {1} van {0} is {2}." if language == "nl" else "The {1} of {0} is {2}."
        form = (said, "{0}: {1} = {2}")[number % 2]
        yield form.format(one.name, one.label, one.value), [one.evidence], language, True


@dataclass(frozen=True)
class RestatedRow:
    """One value of a row; ``whole`` if its name and label say of what it is.

    All cells of the line are then of one row with a name of letters; of that name and label there
    are no two values in the passage, and the label stands above one value of the row.
    """

    evidence: Evidence
    name: str
    label: str
    value: str
    whole: bool


def _list_rows(evidence: Evidence) -> Iterator[RestatedRow]:
    """One value of each row of a passage, of another column each time, with the row's unit."""
    rows = [
        (line, line.columns)
        for line in find_passages(evidence.hit.chunk)
        if line.place.table and line.place.table.certain
    ]
    values = [(cells[0][1], *pair) for _, cells in rows for pair in cells[1:]]
    for number, (line, cells) in enumerate(rows):
        unit = next((cell for label, cell in cells if fold(label) in UNIT_LABELS), "")
        named = [
            (label, cell)
            for label, cell in cells[1:]
            if label and any(map(str.isalnum, cell)) and fold(label) not in UNIT_LABELS
        ]
        if named and cells[0][1]:
            name, (label, cell) = cells[0][1], named[number % len(named)]
            same = {value for *named_so, value in values if named_so == [name, label]}
            alone = [one for one, _ in cells].count(label) == 1 and len(same) == 1
            value = cell if any(map(str.isalpha, cell)) else f"{cell} {unit}".strip()
            yield RestatedRow(evidence, name, label, value, whole=alone and _has_name(line))


def _has_name(line: Passage) -> bool:
    """Whether all cells of a line belong to one row with a name of its own."""
    assert line.place.table
    paths = {cell.row for cell in find_cells(line.place.table, line.start, line.end)}
    return len(paths) == 1 and any(map(str.isalpha, "".join(*paths)))


def _count(name: str, cases: Iterable[Case]) -> str:
    counts: Counter[tuple[bool, str]] = Counter()
    started = time.process_time()
    for text, evidence, language, label in cases:
        counts[label, verify_statement(text, evidence, language).verdict] += 1
    took = 1000 * (time.process_time() - started) / (counts.total() or 1)
    shares = [
        _share(counts, label, verdict)
        for label in (True, False)
        for verdict in ("exact", "contradicted")
    ]
    return write_row(name, counts.total(), *shares, f"{took:.0f}")


def _share(counts: Mapping[tuple[bool, str], int], label: bool, verdict: str) -> str:
    total = sum(number for (one, _), number in counts.items() if one == label)
    return f"{100 * counts.get((label, verdict), 0) / total:.1f} %" if total else "–"


def measure_lines(claims: Sequence[LabelledClaim], with_model: bool) -> LineReport:
    """How often the rules, and the judge on what they leave open, say what of a file's claims."""
    prepared = [prepare_claim(claim) for claim in claims]
    verdicts: list[str] = [
        verify_statement(claim.text.strip(), evidence, language).verdict
        for claim, (language, evidence) in zip(claims, prepared, strict=True)
    ]
    with _open_judge(with_model) as judge:
        if judge:
            _judge_open(claims, prepared, verdicts, judge)
        notices = judge.notices if judge else ()
    counts = Counter(zip((claim.label for claim in claims), verdicts, strict=True))
    wrong = [
        f"{claim.label}, {verdict}: {shorten(claim.text, 200)}"
        for claim, verdict in zip(claims, verdicts, strict=True)
        if verdict != "open" and claim.label != (verdict in {"exact", "supported"})
    ]
    figures = {f"{str(label).lower()}_{verdict}": n for (label, verdict), n in counts.items()}
    return LineReport(
        {"n": len(claims), **dict(sorted(figures.items()))}, wrong, [*map(str, notices)]
    )


def _judge_open(
    claims: Sequence[LabelledClaim],
    prepared: Sequence[tuple[str, list[Evidence]]],
    verdicts: list[str],
    judge: LlmJudge,
) -> None:
    """Put the judge's verdicts in the place of those that are open."""
    undecided = [number for number, verdict in enumerate(verdicts) if verdict == "open"]
    statements = []
    for number in undecided:
        language, evidence = prepared[number]
        text = claims[number].text.strip()
        statements.append(DoubtfulStatement(text, tuple(evidence), len(evidence), language))
    for number, judgement in zip(undecided, judge.judge(statements), strict=True):
        if judgement is not None:
            verdicts[number] = judgement.verdict


LINES = LineMeasurement(read_claim, measure_lines)


@contextlib.contextmanager
def _open_judge(with_model: bool) -> Iterator[LlmJudge | None]:
    if not with_model:
        yield None
        return
    with open_workspace(Path.cwd(), environment=os.environ, cwd=Path.cwd()) as workspace:
        judge = open_judge(workspace)
        if judge is None:
            raise ConfigError(
                "verbatim",
                where="validation.verifier",
                text="The project has no judge.",
                fix="Set validation.verifier or generation.model to a model, or omit --with-model.",
            )
        yield judge
