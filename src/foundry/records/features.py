"""Feature specifications: what a document shall hold, who approved it, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

FeatureStatus = Literal["draft", "approved", "changed", "broken"]
"""``changed``: edited since its approval, so no longer approved; ``broken``: it cannot be read."""


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a specification, when, and the hash of what was approved."""

    by: str
    time: datetime
    content_hash: str


@dataclass(frozen=True, slots=True)
class SpecProblem:
    """Something missing or wrong in a specification; ``blocking`` ones prevent approval."""

    message: str
    fix: str
    line: int | None = None
    blocking: bool = True


@dataclass(frozen=True, slots=True)
class Feature:
    """A specification as its file has it: ``features/NAME.md``.

    ``sections`` are the headings that the document shall have, in order.
    ``source_hierarchy`` are patterns of source paths, the most trusted first.
    ``text`` is the specification without its front matter, as it stands in a prompt.
    ``content_hash`` is the SHA-256 of everything but status and approval.
    """

    name: str
    path: str
    title: str
    status: FeatureStatus
    content_hash: str
    owner: str = ""
    sections: tuple[str, ...] = ()
    source_hierarchy: tuple[str, ...] = ()
    text: str = ""
    approval: Approval | None = None
    problems: tuple[SpecProblem, ...] = ()

    @property
    def approved(self) -> bool:
        """True when its present content was approved."""
        return self.status == "approved"
