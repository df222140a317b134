"""Single questions in a report: the worst with their hits, and the table of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foundry.evaluation.measuring.summing import final_verdict
from foundry.evaluation.phrases import Phrases
from foundry.evaluation.report.examined import Examined
from foundry.evaluation.report.figures import in_unit, measure_name
from foundry.evaluation.report.sheet import Cell, Column, Entry, Group, Quote, Table, Worst
from foundry.evaluation.report.worst import DEPTH, Bad, faults_of, find_bad, first_right
from foundry.records import EvalResult, Expectation, Verdict

_SHOWN = ("recall@10", "ndcg@10", "f1")
_ANSWER_CHARACTERS = 2_000
_QUOTE_CHARACTERS = 400


def worst_of(run: Examined, limit: int, phrases: Phrases) -> Worst:
    """The worst outcomes of a run, ``limit`` at most."""
    bad = find_bad(run.results)
    said = phrases(
        "worst.said" if bad else "worst.none",
        shown=phrases.number(min(limit, len(bad))),
        bad=phrases.number(len(bad)),
        all=phrases.number(len(run.results)),
    )
    entries = (_entry(at, one, run, phrases) for at, one in enumerate(bad[:limit], start=1))
    return Worst(run.label, said, tuple(entries))


def question_table(runs: Sequence[Examined], phrases: Phrases) -> Table:
    """A row for each outcome; with several runs those of one question follow each other."""
    many, answers = len(runs) > 1, any(run.answers for run in runs)
    measures = _SHOWN if answers else _SHOWN[:2]
    found: dict[str, list[tuple[Examined, EvalResult]]] = {}
    for run in runs:
        for result in run.results:
            found.setdefault(result.question.key, []).append((run, result))
    rows = [
        _question_row(run, result, measures, phrases, many=many, first=not at)
        for key in sorted(found)
        for at, (run, result) in enumerate(found[key])
    ]
    return Table(
        caption=phrases("questions.title"),
        columns=(
            Column(phrases("question.key"), "label"),
            Column(phrases("question"), "text"),
            *([Column(phrases("run"), "text")] if many else []),
            Column(phrases("verdict"), "text"),
            Column(phrases("score")),
            *(Column(measure_name(name, phrases)) for name in measures),
            Column(phrases("time.whole" if answers else "time.retrieval")),
            Column(phrases("fault"), "text"),
        ),
        groups=(Group("", tuple(rows)),),
        note=phrases("questions.note"),
    )


def _question_row(
    run: Examined,
    result: EvalResult,
    measures: Iterable[str],
    phrases: Phrases,
    *,
    many: bool,
    first: bool,
) -> tuple[Cell, ...]:
    """The words of a question stand in its first row alone."""
    faults = faults_of(result)
    score = None if result.score is None else phrases.number(result.score, 2)
    took = result.timings_ms.get("total" if run.answers else "retrieval")
    return (
        Cell(result.question.key),
        Cell(result.question.text if first else ""),
        *([Cell(run.label)] if many else []),
        Cell(verdict_text(final_verdict(result), phrases)),
        Cell(score or "–"),
        *(Cell(_figure(result, name, phrases)) for name in measures),
        Cell("–" if took is None else phrases.time(took)),
        Cell(", ".join(phrases(f"short.{one}") for one in faults), tone="bad" if faults else ""),
    )


def _figure(result: EvalResult, measure: str, phrases: Phrases) -> str:
    """A dash where it is undefined: the word would fill the table."""
    value = result.figures.get(measure) if result.error is None else None
    return "–" if value is None else phrases.number(value, 2)


def verdict_text(verdict: Verdict | None, phrases: Phrases) -> str:
    """The verdict in words; a dash where nothing was decided."""
    return phrases(f"verdict.{verdict}") if verdict else "–"


def _entry(number: int, bad: Bad, run: Examined, phrases: Phrases) -> Entry:
    result, question = bad.result, bad.result.question
    return Entry(
        number=number,
        key=question.key,
        question=question.text,
        language=question.language if question.language.isalpha() else "und",
        faults=tuple(phrases(f"fault.{one}") for one in bad.faults),
        facts=tuple(_facts(result, run, phrases)),
        expected=tuple(_expected(result, phrases)),
        hits=_hits(result, phrases),
        below=_below(result, phrases),
        answered=run.answers and result.error is None,
        answer=_cut(result.answer, _ANSWER_CHARACTERS),
        citations=tuple(_citations(result, phrases)),
        error=result.error or "",
        notices=result.notices,
    )


def _facts(result: EvalResult, run: Examined, phrases: Phrases) -> Iterable[tuple[str, str]]:
    question = result.question
    label = {True: "answerable", False: "unanswerable", None: "unlabelled"}[question.answerable]
    yield phrases("label"), phrases(f"kind.{label}")
    yield phrases("language"), question.language
    if question.tags:
        yield phrases("tags"), ", ".join(question.tags)
    if result.error is not None:
        return
    if run.answers:
        yield phrases("verdict"), verdict_text(result.verdict, phrases)
    gate, score = verdict_text(result.gate_verdict, phrases), result.score
    scored = "" if score is None else f" ({phrases('score')} {phrases.number(score, 2)})"
    yield phrases("gate"), f"{gate}{scored}"
    for name in _SHOWN if run.answers else _SHOWN[:2]:
        yield measure_name(name, phrases), in_unit(name, result.figures.get(name), phrases)
    if run.answers and result.coverage is not None:
        yield measure_name("coverage", phrases), phrases.number(result.coverage, 3)
    if question.answers:
        yield phrases("expected.answers"), " | ".join(question.answers)
    if result.unknown:
        yield phrases("not_in_index"), "; ".join(result.unknown)


def _expected(result: EvalResult, phrases: Phrases) -> Iterable[Quote]:
    """The expected places, with the rank of the first hit that covers each."""
    complete = result.figures.get(f"recall@{DEPTH}") == 1
    for at, one in enumerate(result.question.expected):
        place = _place(one.source, one.page, one.section, phrases)
        spans = ", ".join(f"{start}–{end}" for start, end in one.spans)
        parts = [place, phrases("characters", spans=spans) if spans else "", _graded(one, phrases)]
        rank = first_right(result, at)
        found = (
            phrases("expected.rank", rank=phrases.number(rank))
            if rank
            else phrases("expected.nowhere")
        )
        yield Quote(
            ", ".join(part for part in parts if part),
            None if result.error is not None else rank is not None and (complete or rank <= DEPTH),
            found,
        )


def _citations(result: EvalResult, phrases: Phrases) -> Iterable[Quote]:
    judged = bool(result.question.expected)
    for one in result.citations:
        place, right = _place(one.source, one.page, None, phrases), bool(one.covers)
        said = phrases("citation.right" if right else "citation.wrong")
        yield Quote(place, right if judged else None, said, _cut(one.text, _QUOTE_CHARACTERS))


def _graded(one: Expectation, phrases: Phrases) -> str:
    return "" if one.relevance == 1 else phrases("relevance", n=one.relevance)


def _hits(result: EvalResult, phrases: Phrases) -> Table | None:
    if not result.ranking:
        return None
    judged = bool(result.question.expected)
    rows = [
        (
            Cell(str(rank)),
            Cell(hit.source),
            Cell("–" if hit.page is None else str(hit.page)),
            Cell(hit.section or "–"),
            Cell("–" if hit.relevance is None else phrases.number(hit.relevance, 2)),
            Cell(_right(hit.covers, phrases) if judged else "–", tone="good" if hit.covers else ""),
        )
        for rank, hit in enumerate(result.ranking[:DEPTH], start=1)
    ]
    columns = (
        Column("#"),
        Column(phrases("source"), "text"),
        Column(phrases("page")),
        Column(phrases("section"), "text"),
        Column(phrases("relevance.column")),
        Column(phrases("right"), "text"),
    )
    return Table(phrases("hits.title"), columns, (Group("", tuple(rows)),))


def _right(covers: Sequence[int], phrases: Phrases) -> str:
    """``✓ 1, 3``: the expected places that it covers, by their number."""
    numbers = ", ".join(str(at + 1) for at in covers)
    return f"✓ {numbers}" if covers else phrases("no")


def _below(result: EvalResult, phrases: Phrases) -> str:
    """What the first hits leave open: at which rank the first right one came, if at all."""
    if result.error is not None or not result.question.expected:
        return ""
    rank, depth = first_right(result), phrases.number(len(result.ranking))
    if rank is None:
        return phrases("hits.nowhere", depth=depth)
    return phrases("hits.first_right", rank=phrases.number(rank), depth=depth)


def _place(source: str, page: int | None, section: str | None, phrases: Phrases) -> str:
    parts = [source]
    if page is not None:
        parts.append(f"{phrases('page.short')} {page}")
    if section:
        parts.append(section)
    return ", ".join(parts)


def _cut(text: str, characters: int) -> str:
    """A text that has no end is cut, and shows it."""
    return text if len(text) <= characters else f"{text[:characters].rstrip()} […]"
