"""Shows an answer while it is made: each sentence as soon as it is verified, or each passage."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing
from typing import TypeVar

from foundry.cli.call import Call
from foundry.cli.output import say_notices, show, strip_controls
from foundry.messages import Message
from foundry.records import (
    Answer,
    Event,
    Excerpt,
    SearchResult,
    Sentence,
    Turn,
    Verdict,
)
from foundry.render.answer import (
    name_passages,
    render_answer,
    render_answer_end,
    render_answer_head,
    render_sentence,
)
from foundry.render.excerpts import render_excerpt

Result = TypeVar("Result", Answer, Turn)


def show_answer_stream(steps: Generator[Event, None, Result], call: Call) -> Result:
    """Show the steps as they come, and return the result. An interrupt closes the model call."""
    gate_verdict: Verdict = "answer"
    last: Sentence | None = None
    passages, names = 0, dict[str, str]()
    shown: tuple[str | Message, ...] = ()
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                ended: Result = end.value
                break
            if isinstance(step, Sentence):
                _show_sentence(step, gate_verdict, last)
                last = step
                continue
            if isinstance(step, Excerpt):
                _show_passage(step, names, first=not passages)
                passages += 1
                continue
            say_notices(call, step.notices)
            shown += step.notices
            if isinstance(step, SearchResult):
                gate_verdict = step.gate.decision
                names = name_passages(step)
    answer = ended.answer if isinstance(ended, Turn) else ended
    _show_end(answer, gate_verdict, streamed=last is not None or passages > 0)
    say_notices(call, [notice for notice in answer.notices if notice not in shown])
    return ended


def _show_sentence(sentence: Sentence, gate_verdict: Verdict, last: Sentence | None) -> None:
    if last is None:
        show(render_answer_head(gate_verdict))
    sys.stdout.write(strip_controls(render_sentence(sentence, last)))
    sys.stdout.flush()


def _show_passage(passage: Excerpt, names: dict[str, str], *, first: bool) -> None:
    if first:
        show(render_answer_head("passages"))
    show(f"\n{render_excerpt(passage, names)}", indent=4)
    sys.stdout.flush()


def _show_end(answer: Answer, gate_verdict: Verdict, *, streamed: bool) -> None:
    if not streamed:
        show(render_answer(answer))
        return
    if answer.verdict == "passages":
        end = render_answer_end(answer)
        show(f"\n{end}" if end else "")
        return
    show("\n")
    if answer.verdict == "low_confidence" != gate_verdict:
        show(f"{Message('ask-low-confidence')}\n")
    show(render_answer_end(answer))
