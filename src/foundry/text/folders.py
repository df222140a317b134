"""Folders that say something of the documents in them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from foundry.analysis import fold
from foundry.lexicon import load_shared_lexicon

_ASIDE = load_shared_lexicon().revisions.aside_folders


def is_set_aside(path: str) -> bool:
    """Whether a file is in a folder such as "archive", "old" or "consultation", at any depth."""
    folders = PurePosixPath(fold(path)).parts[:-1]
    return any(not _ASIDE.isdisjoint(re.split(r"[\W_]+", folder)) for folder in folders)
