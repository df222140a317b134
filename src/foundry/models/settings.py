"""The settings shared by all model calls of a project.

All models built from one ``ModelSettings`` share its ``slots``, so that
``max_concurrency`` applies to the project as a whole. It does not read the process
environment; the caller passes that in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from foundry.models.meter import Meter

FindResponse = Callable[[str], str | None]
SaveResponse = Callable[[str, str, str], None]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How models are called.

    ``timeout_s`` bounds one attempt: a whole plain reply, or the silence between two
    pieces of a stream. ``max_retries`` counts the attempts after the first;
    ``retry_wait_s`` is the first pause and doubles from there. ``api_base`` maps a
    provider to its address, ``batch_texts`` is the most of one request for vectors, ``windows`` a model to its context window in tokens.
    ``environment`` provides the API keys. ``find_response(key)`` and
    ``save_response(key, model, reply)`` are the reply cache; None disables it. ``meter`` counts
    what requests cost and refuses those beyond a limit.
    """

    timeout_s: float = 60.0
    max_retries: int = 3
    max_concurrency: int = 4
    batch_texts: int = 64
    temperature: float = 0.2
    max_tokens: int = 2048
    api_base: Mapping[str, str] = field(default_factory=dict)
    windows: Mapping[str, int] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    find_response: FindResponse | None = None
    save_response: SaveResponse | None = None
    retry_wait_s: float = 1.0
    meter: Meter = field(default_factory=Meter, repr=False, compare=False)
    slots: threading.BoundedSemaphore = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "slots", threading.BoundedSemaphore(self.max_concurrency))
