"""What ``foundry feature new`` writes: a specification to fill in."""

from __future__ import annotations

import yaml

_TEMPLATE = """---
title:{title}
status: draft          # `foundry feature approve` changes it; an edit afterwards undoes that
owner:{owner}
sections:              # the headings of the document, in order
  # - Purpose
  # - Electrical safety
source_hierarchy:      # optional: where sources contradict each other, the first pattern holds
  # - sources/service/*
  # - sources/manuals/*.pdf
---

# {heading}

## Purpose

<!-- For whom the document is, and what they must be able to do with it. -->

## Scope

<!-- What must be in it, and what not. Each line is searched for, so write it in the words of your
sources; one that begins with a section's title and a colon belongs to that section. -->

## Requirements

<!-- What every statement must hold to: units, versions, language, which source goes first. -->
"""


def render_template(title: str, owner: str = "") -> str:
    """Every key with what it is for; it names no section yet, so it cannot be approved."""
    heading = " ".join(title.split())
    asked = _format_scalar(owner) or "                 # who answers for this document"
    return _TEMPLATE.format(title=_format_scalar(heading), owner=asked, heading=heading)


def _format_scalar(value: str) -> str:
    """A value as YAML writes it behind its key; nothing for an empty one."""
    words = " ".join(value.split())
    if not words:
        return ""
    shown = yaml.safe_dump(words, allow_unicode=True, width=10_000)
    return " " + shown.removesuffix("\n").removesuffix("\n...")
