"""Whether a table that is asked twice has the same quotations, without a model and with one.

The model is a scripted server on loopback. It picks the sentence of the evidence that shares most words
with the question, always the same one, and words it in another way each time: what is measured is whether
Foundry finds the same words of the source for another wording, not whether a model chooses alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from bench.example import QUESTIONS, open_example, open_online
from bench.tables import read_rows, share, write_head, write_row
from foundry.journeys.extraction import TableRequest, get_table, iterate_rows, run_table
from foundry.records import CellAnswer
from foundry.workspace import Workspace
from tests.support.model_server import Json, ModelServer, Request, Text

_LINE = re.compile(r"^(S\d+)\| (.+)$", re.MULTILINE)
_ASKED = re.compile(r"^Question: (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_QUESTIONS = 10
_WORDINGS = ("{}", "According to the document, {}", "The document states: {}", "It says that {}")
"""How the same sentence is put: as it is, introduced, quoted, reported."""
_REMARK = "{} This is what the document says."
"""A wording that adds a statement which no source has."""


def measure() -> Iterator[str]:
    """Two runs of ten of the example's questions over its sources, everything asked again."""
    rows = [row for row in read_rows(QUESTIONS) if row.get("answerable") is not False]
    questions = tuple(row["text"] for row in rows[:: len(rows) // _QUESTIONS][:_QUESTIONS])
    yield from write_head("writer", "cells", "with quotations", "same quotations", "same words")
    with open_example() as workspace, ModelServer() as server:
        yield write_row("none", *_compare(workspace, questions))
        judge = {"FOUNDRY_VALIDATION__VERIFIER": "none"}
        for writer, wordings in (
            ("model, other words", _WORDINGS),
            ("model, other words or a remark", (*_WORDINGS, _REMARK)),
        ):
            seen: Counter[str] = Counter()
            server.default = partial(reply, seen=seen, wordings=wordings)
            with open_online(workspace.root, server.openai, **judge) as online:
                yield write_row(writer, *_compare(online, questions))


def _compare(workspace: Workspace, questions: Sequence[str]) -> tuple[object, ...]:
    name = workspace.config.mode
    asked = TableRequest(name, tuple(questions), fresh=True, confirmed=True)
    run_table(workspace, asked)
    first = _read(workspace, name)
    run_table(workspace, asked)
    second = _read(workspace, name)
    quotes = [(_quotes(first[key]), _quotes(second[key])) for key in first]
    return (
        len(first),
        sum(bool(one or other) for one, other in quotes),
        share(one == other for one, other in quotes),
        share(first[key].words == second[key].words for key in first),
    )


def _read(workspace: Workspace, name: str) -> dict[tuple[str, str], CellAnswer]:
    rows = iterate_rows(workspace, get_table(workspace, name))
    return {(row.row, cell.question): cell.answer for row in rows for cell in row.cells if cell}


def _quotes(answer: CellAnswer) -> set[tuple[int, int]]:
    return {(quote.start, quote.end) for quote in answer.quotes}


def reply(request: Request, *, seen: Counter[str], wordings: Sequence[str] = _WORDINGS) -> Text:
    """The nearest sentence of the evidence, in another wording each time that it is asked for."""
    seen[request.prompt] += 1
    asked = _ASKED.findall(request.prompt)
    words = set(re.findall(r"\w+", asked[-1].casefold())) if asked else set()
    sentences = [
        (text, mark)
        for mark, line in _LINE.findall(request.prompt)
        for text in _SENTENCE.split(line)
        if len(text.split()) > 3
    ]
    if not sentences:
        return Json({"sentences": []})
    text, mark = max(
        sentences, key=lambda one: len(words & set(re.findall(r"\w+", one[0].casefold())))
    )
    # The length of the sentence varies which wordings are compared.
    worded = wordings[(seen[request.prompt] + len(text)) % len(wordings)].format(text)
    return Json({"sentences": [{"text": worded, "citations": [mark]}]})
