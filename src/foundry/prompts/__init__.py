"""Prompt templates: Markdown files beside this module, each replaceable by the project's own.

They are loaded, checked and filled here; ``craft.prompting`` supplies the values and
escapes the source text in them.

Schemas of replies require all properties of an object and allow no others, as the strict mode of
providers demands. They are written by hand rather than derived from classes: they are part of the
prompt, and some providers reject ``$ref``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from foundry.errors import ConfigError
from foundry.ports import CountTokens

PLACEHOLDERS: Mapping[str, tuple[str, ...]] = {
    "system": ("project_context", "feature_spec", "source_summaries", "context"),
    "question": ("question",),
    "listing": ("question",),
    "section": ("topic", "section", "max_sentences"),
    "stricter": ("task", "rejected"),
    "verifier": ("passages", "claims"),
    "standalone": ("history", "question"),
    "hyde": ("question", "language"),
    "scorer": ("question", "passages"),
    "conflicts": ("question", "passages"),
    "prefixes": ("document", "chunks", "language"),
    "summary": ("document", "max_tokens", "language"),
    "questions": ("document", "number", "language"),
}
"""The placeholders that each template must contain, as ``{name}``; other braces are text."""

OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "system": ("persona", "language"),
    "question": ("language",),
    "section": ("outline", "form", "language"),
    "verifier": ("task",),
}
"""Those that a template may leave out."""

_LONGEST = 200_000
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_TAG = re.compile(r"<\s*+/?\s*+context", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Templates:
    """The text of every template; ``system`` is the same in both modes."""

    system: str
    question: str
    listing: str
    section: str
    stricter: str
    verifier: str
    standalone: str
    hyde: str
    scorer: str
    conflicts: str
    prefixes: str
    summary: str
    questions: str


def load_templates(overrides: Mapping[str, Path] | None = None) -> Templates:
    """The templates, with the named ones replaced by the project's own files.

    Raises ``ConfigError`` for an unknown name, an unreadable file, and a template that lacks a
    placeholder or has a second ``<context>``.
    """
    own = dict(overrides or {})
    names = [field.name for field in fields(Templates)]
    for name in own:
        if name not in names:
            raise ConfigError("prompts-unknown", where=f"prompts.{name}", name=name, names=names)
    folder = Path(__file__).parent
    return Templates(**{name: _load(name, own.get(name, folder / f"{name}.md")) for name in names})


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with its values, in one pass: a value that contains ``{context}`` is not expanded.

    A paragraph that is a single placeholder disappears if its value is empty.
    """
    paragraphs = template.strip().split("\n\n")
    kept = [part for part in paragraphs if not _is_empty(part, values)]
    return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), "\n\n".join(kept))


def _is_empty(paragraph: str, values: Mapping[str, str]) -> bool:
    match = _PLACEHOLDER.fullmatch(paragraph.strip())
    return match is not None and not values.get(match[1], paragraph)


def _load(name: str, path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(_LONGEST + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            "prompts-unreadable", where=str(path), name=name, cause=str(error)
        ) from error
    if len(text) > _LONGEST:
        raise ConfigError("prompts-too-long", where=str(path), name=name, limit=_LONGEST)
    _check(name, text, path)
    return text


def _check(name: str, text: str, path: Path) -> None:
    placeholders = _PLACEHOLDER.findall(text)
    for placeholder in PLACEHOLDERS[name]:
        if placeholder not in placeholders:
            raise ConfigError(
                "prompts-placeholder-missing",
                where=str(path),
                name=name,
                placeholder=f"{{{placeholder}}}",
            )
    if placeholders.count("context") > 1 or _TAG.search(text):
        raise ConfigError("prompts-context-repeated", where=str(path), name=name)


Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
OPTIONAL_TEXT: Schema = {"type": "string", "description": "may be empty"}
"""Read as "" where a model leaves it out, although strict providers ask for every property."""

NUMBER: Schema = {"type": "number"}


def build_object(**properties: Schema) -> dict[str, Any]:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def build_list(item: Schema) -> dict[str, Any]:
    """A list of any length."""
    return {"type": "array", "items": item}


def build_choice(values: Sequence[str]) -> dict[str, Any]:
    """One of these texts."""
    return {"type": "string", "enum": list(values)}


_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)")


def truncate_to_sentence(text: str, most: int, count: CountTokens) -> str:
    """The text, or as many of its first sentences as fit in ``most`` tokens; else of its words."""
    cut = truncate_to_tokens(text, most, count)
    ends = [match.end() for match in _SENTENCE_END.finditer(f"{cut} ")] if cut != text else []
    return cut[: ends[-1]].rstrip() if ends else cut


def truncate_to_tokens(text: str, most: int, count: CountTokens) -> str:
    """The text, or as many of its first words as fit in ``most`` tokens."""
    if count(text) <= most:
        return text
    low, high = 0, min(len(text), 16 * most)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    cut = text[:low]
    words = cut.rpartition(" ")[0] if low < len(text) and not text[low].isspace() else cut
    return (words or cut).rstrip()
