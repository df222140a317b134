"""Shows an answer while it is made: each sentence as soon as it is verified, or each passage."""

from __future__ import annotations

import sys

from foundry.cli.call import Call
from foundry.cli.output import say_notices, show, strip_controls
from foundry.messages import Message
from foundry.records import Answer, Event, Excerpt, SearchResult, Sentence, Verdict
from foundry.render.answer import (
    name_passages,
    render_answer,
    render_answer_end,
    render_answer_head,
    render_sentence,
)
from foundry.render.excerpts import render_excerpt


class ShownAnswerStream:
    """What of an answer is on the terminal already; it is called with each event."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._gate: Verdict = "answer"
        self._last: Sentence | None = None
        self._passages, self._names = 0, dict[str, str]()
        self._noticed: tuple[str | Message, ...] = ()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Sentence):
            if self._last is None:
                show(render_answer_head(self._gate))
            sys.stdout.write(strip_controls(render_sentence(event, self._last)))
            self._last = event
        elif isinstance(event, Excerpt):
            if not self._passages:
                show(render_answer_head("passages"))
            show(f"\n{render_excerpt(event, self._names)}", indent=4)
            self._passages += 1
        else:
            say_notices(self._call, event.notices)
            self._noticed += event.notices
            if isinstance(event, SearchResult):
                self._gate, self._names = event.gate.decision, name_passages(event)
        sys.stdout.flush()

    def finish(self, answer: Answer) -> None:
        """Show what is left of the answer."""
        if self._last is None and not self._passages:
            show(render_answer(answer))
        elif answer.verdict == "passages":
            end = render_answer_end(answer)
            show(f"\n{end}" if end else "")
        else:
            show("\n")
            if answer.verdict == "low_confidence" != self._gate:
                show(f"{Message('ask-low-confidence')}\n")
            show(render_answer_end(answer))
        left = [notice for notice in answer.notices if notice not in self._noticed]
        say_notices(self._call, left)
