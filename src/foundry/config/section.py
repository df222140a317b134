"""What the sections of ``foundry.yaml`` have in common."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticCustomError


def make_rule_error(code: str, **params: Any) -> PydanticCustomError:
    """The error of a rule that Pydantic does not know, as a code of the catalogue."""
    # Pydantic declares literal types, which a parameter cannot have.
    name: Any = code
    return PydanticCustomError(name, name, params)


class KeySection(BaseModel):
    """A section: frozen, without unknown keys, its defaults checked too."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
