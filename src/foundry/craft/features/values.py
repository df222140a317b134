"""The values of a front matter as the record needs them; what does not fit is left out.

``checks`` says why something was left out: here nothing is judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import yaml

from foundry.craft.features.front_matter import FrontMatter
from foundry.records import Approval

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Values:
    """What the front matter says, as far as it can be used."""

    title: str = ""
    status: str = "draft"
    owner: str = ""
    sections: tuple[str, ...] = ()
    source_hierarchy: tuple[str, ...] = ()
    approval: Approval | None = None


def read_values(front: FrontMatter) -> Values:
    """The usable values: texts on one line, lists without empty and repeated entries."""
    return Values(
        title=_text(front, "title"),
        status=_text(front, "status") or "draft",
        owner=_text(front, "owner"),
        sections=_list(front, "sections"),
        source_hierarchy=_list(front, "source_hierarchy"),
        approval=_approval(front),
    )


def words_of(node: yaml.Node | None) -> str | None:
    """A text on one line; None for what YAML does not read as a text, "" for nothing."""
    if not isinstance(node, yaml.ScalarNode):
        return None
    if node.tag == "tag:yaml.org,2002:null":
        return ""
    return " ".join(node.value.split()) if node.tag == "tag:yaml.org,2002:str" else None


def items_of(node: yaml.Node | None) -> list[yaml.Node]:
    """The entries of a list; none for anything else."""
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def same(words: str) -> str:
    """What two sections have in common that a reader takes for one."""
    return " ".join(words.casefold().split())


def _text(front: FrontMatter, key: str) -> str:
    entry = front.entries.get(key)
    return words_of(entry.value if entry else None) or ""


def _list(front: FrontMatter, key: str) -> tuple[str, ...]:
    entry = front.entries.get(key)
    words = [words_of(node) for node in items_of(entry.value if entry else None)]
    kept: dict[str, str] = {}
    for one in words:
        if one:
            kept.setdefault(same(one) if key == "sections" else one, one)
    return tuple(kept.values())


def _approval(front: FrontMatter) -> Approval | None:
    """The approval, if it is whole: a name, a time and a hash."""
    entry = front.entries.get("approval")
    if entry is None or not isinstance(entry.value, yaml.MappingNode):
        return None
    told = {
        key.value: value.value
        for key, value in entry.value.value
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)
    }
    by, digest = " ".join(told.get("by", "").split()), told.get("sha256", "")
    try:
        time = datetime.fromisoformat(told.get("at", ""))
    except ValueError:
        return None
    if not by or not _SHA256.fullmatch(digest):
        return None
    return Approval(by, time if time.tzinfo else time.replace(tzinfo=UTC), digest)
