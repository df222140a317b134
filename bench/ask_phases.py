"""``python -m bench.ask_phases QUESTION``: CPU by phase of one answer, for ``bench ask_cpu``.

Runs in the current folder and prints milliseconds as JSON. Imports nothing beside the product.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

# Phase: where its functions are looked up when they are called.
PHASES: dict[str, tuple[str, ...]] = {
    "opening the project": ("foundry.cli.workspace:open_workspace",),
    "analysing the question": ("foundry.journeys.search:analyse_question",),
    "embedding the question": ("foundry.models.builtin_embedder:BuiltinEmbedder.embed_query",),
    "text search": ("foundry.store.relational.view:StoreView.search_text",),
    "vector search": (
        "foundry.store.relational.view:StoreView.search_vectors",
        "foundry.store.relational.view:StoreView.get_windows",
    ),
    "gate": (
        "foundry.journeys.search:score_candidates",
        "foundry.journeys.search:make_decision",
    ),
    "evidence": ("foundry.journeys.search:_build_hits", "foundry.journeys.ask:gather_evidence"),
    "conflicts": (
        "foundry.journeys.evidence:find_conflicts",
        "foundry.journeys.ask:find_answer_conflicts",
    ),
    "choosing passages": ("foundry.journeys.ask:choose_excerpts",),
    "rendering": (
        "foundry.cli.questions.ask:say_notices",
        "foundry.cli.questions.ask:render_answer",
        "foundry.cli.questions.ask:show",
    ),
    "log": ("foundry.journeys.ask:log_answer",),
}
IMPORTS, REST = "interpreter and imports", "the rest"


class Phases:
    """CPU time by phase: what runs inside another phase counts only for itself."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys((IMPORTS, *PHASES, REST), 0.0)
        self._running = [IMPORTS]
        self._since = 0.0

    def enter(self, name: str) -> None:
        self._book()
        self._running.append(name)

    def leave(self) -> None:
        self._book()
        self._running.pop()

    def _book(self) -> None:
        now = 1e3 * time.process_time()
        self.spent[self._running[-1]] += now - self._since
        self._since = now

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, counted for a phase."""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.enter(name)
            try:
                return function(*args, **kwargs)
            finally:
                self.leave()

        return call


def _measure_here(question: str) -> None:
    phases = Phases()
    importlib.import_module("foundry.cli.entry").prepare_process()
    program = importlib.import_module("foundry.cli.program").foundry
    importlib.import_module("foundry.cli.questions.ask")
    for name, places in PHASES.items():
        for place in places:
            module, _, path = place.partition(":")
            *owners, attribute = path.split(".")
            owner = functools.reduce(getattr, owners, importlib.import_module(module))
            setattr(owner, attribute, phases.wrap(name, getattr(owner, attribute)))
    real = builtins.__import__

    def load(name: str, *args: Any, **kwargs: Any) -> Any:
        if name in sys.modules:
            return real(name, *args, **kwargs)
        return phases.wrap(IMPORTS, real)(name, *args, **kwargs)

    builtins.__import__ = load
    phases.enter(REST)
    program.main(["ask", question], standalone_mode=False)
    phases.leave()
    print(json.dumps(phases.spent))


if __name__ == "__main__":
    _measure_here(sys.argv[1])
