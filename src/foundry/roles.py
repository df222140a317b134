"""Who may see what: the levels of confidentiality, which are the roles as well."""

from __future__ import annotations

from typing import Literal

Confidentiality = Literal["public", "internal", "confidential", "secret"]

CONFIDENTIALITY_LEVELS: tuple[Confidentiality, ...] = (
    "public",
    "internal",
    "confidential",
    "secret",
)
"""From the most to the least open; a role sees its own level and those before it."""


def is_visible(confidentiality: Confidentiality, role: Confidentiality) -> bool:
    """Whether ``role`` may see what has this confidentiality."""
    level = CONFIDENTIALITY_LEVELS.index
    return level(confidentiality) <= level(role)
