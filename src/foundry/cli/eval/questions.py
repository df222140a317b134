"""Shared by the commands about stored questions: a question as JSON and text, counts of sets."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import click

from foundry.records import EvalQuestion, Expectation

set_option = click.option("--set", "set_name", metavar="NAME", help="The set of questions.")


def question_as_dict(question: EvalQuestion) -> dict[str, Any]:
    """A question as ``--json`` prints it."""
    fields = dataclasses.asdict(question)
    return {
        **{name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()},
        "key": question.key,
        "expected": [
            {
                "source": one.source,
                "spans": [list(span) for span in one.spans],
                "page": one.page,
                "section": one.section,
                "relevance": one.relevance,
            }
            for one in question.expected
        ],
    }


def count_sets(questions: Sequence[EvalQuestion]) -> dict[str, dict[str, int]]:
    """The questions of each set, counted by label and review."""
    names = sorted({question.set for question in questions})
    return {name: _count(one for one in questions if one.set == name) for name in names}


def _count(questions: Iterable[EvalQuestion]) -> dict[str, int]:
    listed = list(questions)
    return {
        "questions": len(listed),
        "answerable": sum(one.answerable is True for one in listed),
        "unanswerable": sum(one.answerable is False for one in listed),
        "unlabelled": sum(one.answerable is None for one in listed),
        "unreviewed": sum(not one.reviewed for one in listed),
    }


def format_place(place: Expectation) -> str:
    """``manual.pdf, 3.2 Intervals, p. 8, 120-180``."""
    parts = [place.source]
    parts += [place.section] if place.section else []
    parts += [f"p. {place.page}"] if place.page is not None else []
    parts += [f"{start}-{end}" for start, end in place.spans]
    parts += [f"relevance {place.relevance}"] if place.relevance != 1 else []
    return ", ".join(parts)


def format_label(question: EvalQuestion) -> str:
    """Whether the question has an answer: yes, no, or a question mark if unlabelled."""
    return {True: "yes", False: "no", None: "?"}[question.answerable]
