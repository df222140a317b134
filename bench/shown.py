"""Whether the passages shown for a statement hold its evidence: ``python -m bench shown --data DIR``.

The true sentences of ``written/claims.jsonl`` against the project of ``bench written``, as ``verify``
checks a text: those that the rules leave open come with at most three excerpts. *Passage*: one of
them is from the passage that the sentence cites. *Evidence*: those from it have all values and nine
in ten of the words of the sentence that the passage has. *One* and *three* are the first excerpts,
*found* the whole passages that were searched: no choice of excerpts can do better.

Nothing was fitted on these sentences; the weights of the excerpts were, on questions about the groups
``passages.FITTED``.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.passages import FITTED
from bench.tables import share, write_head, write_row
from bench.written import open_project
from bench.written_claims import WrittenClaim, read_written_claims
from foundry.analysis import analyse
from foundry.journeys.statement_checks import SHOWN, StatementChecker
from foundry.records import DocumentStatement, Excerpt, Filters, Hit
from foundry.workspace import Workspace

SAMPLE = 300
COLUMNS = ("passage", "evidence, one", "evidence, three", "evidence, found")

_NEARLY = 0.9
"""Share of the words that suffices, as for quotes in ``bench passages``."""


@dataclass(frozen=True)
class Judged:
    """A statement that was left open, and which of ``COLUMNS`` holds for it."""

    claim: WrittenClaim
    holds: dict[str, bool]


def measure(data: Path, *, sample: int = SAMPLE) -> Iterator[str]:
    """The table by group of documents."""
    claims = [claim for claim in read_written_claims(data) if claim.label]
    random.Random(7).shuffle(claims)
    with open_project(data) as workspace:
        judged = list(judge(workspace, claims[:sample]))
    parts: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        group = "fitted" if one.claim.group in FITTED else "left out"
        across = ("- across languages",) if one.claim.crosses else ()
        for name in ("all", group, one.claim.group, *across):
            parts[name].append(one)
    yield from write_head("true statements left open", "n", *COLUMNS)
    for name, part in sorted(parts.items(), key=lambda pair: pair[0].startswith("-")):
        yield write_row(
            name, len(part), *(share(one.holds[key] for one in part) for key in COLUMNS)
        )


def judge(workspace: Workspace, claims: Sequence[WrittenClaim]) -> Iterator[Judged]:
    """What is shown for each statement that the rules leave open."""
    sources = {source.path: source for source in workspace.store.list_sources()}
    checker = StatementChecker(workspace, Filters(), None, sources)
    for claim in claims:
        statement = DocumentStatement(claim.text, 0, len(claim.text))
        checked = checker.check(statement, None, claim.language)
        if checked.checked.check.verdict == "unclear":
            shown = checked.checked.nearest[:SHOWN]
            yield Judged(claim, _judge_shown(claim, shown, checked.hits))


def _judge_shown(
    claim: WrittenClaim, shown: Sequence[Excerpt], found: Sequence[Hit]
) -> dict[str, bool]:
    gold = claim.evidence[0].hit
    read = [_read(one) if _is_from(one, gold) else "" for one in shown]
    hits = [hit.chunk.content for hit in found if hit.source.path == claim.path]
    texts = {"one": read[:1], "three": read, "found": hits}
    return {"passage": any(read)} | {
        f"evidence, {name}": has_evidence(claim, gold.chunk.text, " ".join(some))
        for name, some in texts.items()
    }


def _read(excerpt: Excerpt) -> str:
    lines = (quote.text for quote in excerpt.quotes)
    return " ".join((*excerpt.headings, excerpt.table, *lines))


def _is_from(excerpt: Excerpt, gold: Hit) -> bool:
    """Whether the words of the line that it is built around are in a passage of its source."""
    if excerpt.evidence.hit.source.path != gold.source.path:
        return False
    nearest = excerpt.nearest or excerpt.lines[0]
    words = set(_words(nearest.text))
    return len(words & set(_words(gold.chunk.text))) >= _NEARLY * len(words)


def has_evidence(claim: WrittenClaim, gold: str, text: str) -> bool:
    """Whether a text has what the passage that a statement cites has of its words and values."""
    language = claim.evidence[0].hit.chunk.language
    own, known = ({*analyse(one, language), *_words(one)} for one in (gold, text))
    values = {word for word in _words(claim.text) if word[0].isdigit() and word in own}
    # Function words of the statement's language may be content words of the passage's.
    content = [word for word in _words(claim.text) if analyse(word, claim.language)]
    words = {word for word in analyse(" ".join(content), language) if word in own}
    return bool(known) and values <= known and len(words & known) >= _NEARLY * len(words)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
