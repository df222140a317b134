"""A turn of a conversation as the documented JSON."""

from __future__ import annotations

from typing import Any

from foundry.records import Answer
from foundry.render.answer import answer_as_dict


def turn_as_dict(
    number: int, typed: str, how: str, carried: tuple[str, ...], answer: Answer
) -> dict[str, Any]:
    """One line of ``foundry chat --json``; ``answer`` is that of ``foundry ask``."""
    return {
        "turn": number,
        "typed": typed,
        "question": answer.question,
        "how": how,
        "carried": list(carried),
        "answer": answer_as_dict(answer),
    }
