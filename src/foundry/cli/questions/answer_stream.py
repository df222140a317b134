"""An answer on the screen while it is written: each sentence once it is verified."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing

from foundry.cli.call import Call
from foundry.cli.output import say_notices, show, strip_controls
from foundry.journeys.chat import StandaloneQuestion, Turn
from foundry.records import (
    Answer,
    SearchResult,
    Sentence,
    Verdict,
    append_citations,
    choose_separator,
)
from foundry.render.answer import render_answer, render_answer_end, render_answer_head

Steps = Generator[StandaloneQuestion | SearchResult | Sentence, None, Answer | Turn]


def show_answer_stream(steps: Steps, call: Call) -> Answer:
    """Show the steps as they come; an interrupt closes the model's call. Returns the answer."""
    judged: Verdict = "answer"
    last: Sentence | None = None
    told: tuple[str, ...] = ()
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                ended: Answer | Turn = end.value
                break
            if isinstance(step, StandaloneQuestion):
                say_notices(call, step.notices)
                told += step.notices
            elif isinstance(step, SearchResult):
                say_notices(call, step.notices)
                told += step.notices
                judged = step.gate.decision
            else:
                _show_sentence(step, judged, last)
                last = step
    answer = ended.answer if isinstance(ended, Turn) else ended
    _show_end(answer, judged, shown=last is not None)
    say_notices(call, [notice for notice in answer.notices if notice not in told])
    return answer


def _show_sentence(sentence: Sentence, judged: Verdict, last: Sentence | None) -> None:
    if last is None:
        show(render_answer_head(judged))
    gap = choose_separator(last, sentence) if last else ""
    sys.stdout.write(strip_controls(gap + append_citations(sentence)))
    sys.stdout.flush()


def _show_end(answer: Answer, judged: Verdict, *, shown: bool) -> None:
    if not shown:
        show(render_answer(answer))
        return
    show("\n")
    if answer.verdict == "low_confidence" != judged:
        show("(LOW CONFIDENCE — limited source coverage)\n")
    show(render_answer_end(answer))
