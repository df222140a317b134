"""What every model call of a project shares: limits, addresses, the environment, the cache.

One ``ModelSettings`` is one gateway: all models made from the same object share
its ``slots``, so that ``max_concurrency`` holds for the project as a whole. It
reads nothing itself; the environment is handed in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

FindResponse = Callable[[str], str | None]
SaveResponse = Callable[[str, str, str], None]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How models are called.

    ``timeout_s`` bounds one try: the whole of a plain reply, or the silence
    between two pieces of a stream. ``max_retries`` counts the tries after the
    first; ``retry_wait_s`` is the wait before the first of them and doubles from
    there. ``api_base`` maps a provider to an address, ``windows`` a model to its
    context window in tokens. ``environment`` holds the keys. ``find_response(key)``
    and ``save_response(key, model, reply)`` are the reply cache, None for none.
    """

    timeout_s: float = 60.0
    max_retries: int = 3
    max_concurrency: int = 4
    temperature: float = 0.2
    max_tokens: int = 2048
    api_base: Mapping[str, str] = field(default_factory=dict)
    windows: Mapping[str, int] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    find_response: FindResponse | None = None
    save_response: SaveResponse | None = None
    retry_wait_s: float = 1.0
    slots: threading.BoundedSemaphore = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "slots", threading.BoundedSemaphore(self.max_concurrency))
