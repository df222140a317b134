"""An answer on the screen while it is written: each sentence once it is verified."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing

from foundry.chat import Standalone, Turn
from foundry.cli.call import Call
from foundry.cli.output import plain, say_notices, show
from foundry.records import Answer, SearchResult, Sentence, Verdict, gap_before, marked
from foundry.render.answer import after_text, answer_head, answer_text

Steps = Generator[Standalone | SearchResult | Sentence, None, Answer | Turn]


def show_answering(steps: Steps, call: Call) -> Answer:
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
            if isinstance(step, Standalone):
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
    _show_rest(answer, judged, shown=last is not None)
    say_notices(call, [notice for notice in answer.notices if notice not in told])
    return answer


def _show_sentence(sentence: Sentence, judged: Verdict, last: Sentence | None) -> None:
    if last is None:
        show(answer_head(judged))
    gap = gap_before(last, sentence) if last else ""
    sys.stdout.write(plain(gap + marked(sentence)))
    sys.stdout.flush()


def _show_rest(answer: Answer, judged: Verdict, *, shown: bool) -> None:
    if not shown:
        show(answer_text(answer))
        return
    show("\n")
    if answer.verdict == "low_confidence" != judged:
        show("(LOW CONFIDENCE — limited source coverage)\n")
    show(after_text(answer))
