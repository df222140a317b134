"""False sentences that differ in one fact from a source's sentence: how many are caught.

And how many untouched sentences are kept. Each is verified as an answer's sentence that cites its
own passage ("alone"), and one that cites its passage and four others of the same set ("among
five"). Sources: the example project's own chunks, ``clapnq`` and ``squad2_half`` (English) and
``nl_algoritmekader`` (Dutch), whose articles are parted in two halves by their name: only the
first (``--only dev``) was looked at while the verifier was written, the second gives the figures.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from zlib import crc32

from bench.evidence import Passage, detokenise, make_evidence, sentences
from bench.example import open_example
from bench.mutators import MUTATORS, names_of
from bench.tables import percent, read_rows, write_head, write_row
from foundry.craft.grounding import verify_statement
from foundry.messages import Message
from foundry.records import Chunk, Evidence, Focus, Hit, Source
from foundry.text.passages import find_passages

OTHERS = 4
EACH = 2
"""Mutants of one kind from one sentence, at most, by different draws."""


@dataclass(frozen=True)
class Home:
    """One piece of evidence, its sentences, and the evidence beside it."""

    set: str
    language: str
    evidence: Evidence
    sentences: tuple[str, ...]
    others: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Trial:
    """A sentence put to the verifier: its kind ("untouched" or what was changed), whether it is called
    exact alone and among five passages, and whether it is called contradicted."""

    kind: str
    set: str
    language: str
    text: str
    alone: bool
    among: bool
    contradicted: bool
    reason: Message


def measure(
    data: Path | None, *, only: str = "held", sample: int | None = None, verbose: bool = False
) -> Iterator[str]:
    """All trials of one half, of the ``sample`` first passages of each set where that is given."""
    homes = [*_example()]
    for passages in _passages(data):
        half = [passage for passage in passages if passage.held_back == (only == "held")]
        homes += _homes(half[:sample])
    trials = [trial for home in homes for trial in _trials(home)]
    yield from _table(trials)
    yield from _missed(trials) if verbose else ()


def _passages(data: Path | None) -> Iterator[list[Passage]]:
    if data is None:
        return
    rows = read_rows(data / "clapnq/corpus.jsonl")
    yield [Passage(detokenise(r["text"]), "en", f"clapnq:{r['title']}", r["title"]) for r in rows]
    rows = read_rows(data / "squad2_half/corpus.jsonl")[:300]
    yield [Passage(r["text"], "en", f"squad2_half:{r['title']}", r["title"]) for r in rows]
    rows = read_rows(data / "nl_algoritmekader/corpus.jsonl")
    yield [
        Passage(r["text"][:6000], "nl", f"nl_algoritmekader:{r['id']}", r["title"]) for r in rows
    ]


def _homes(passages: Sequence[Passage]) -> Iterator[Home]:
    for passage in passages:
        drawn = _draw(passage.group + passage.text[:40], passages, passage)
        others = [make_evidence(one, f"S{n}") for n, one in enumerate(drawn, 2)]
        name = passage.group.partition(":")[0]
        found = tuple(dict.fromkeys(sentences(passage.text)))
        yield Home(name, passage.language, make_evidence(passage), found, tuple(others))


def _draw(seed: str, passages: Sequence[Passage], own: Passage) -> list[Passage]:
    others = [passage for passage in passages if passage is not own]
    return Random(seed).sample(others, min(OTHERS, len(others)))


def _example() -> Iterator[Home]:
    """The example project's chunks, ingested as the product does it; table rows cell by cell."""
    with open_example() as workspace:
        pairs = [
            (source, chunk)
            for source in workspace.store.list_sources()
            for chunk in workspace.store.source_chunks(source.id)
        ]
    return _example_homes(pairs)


def _example_homes(pairs: Sequence[tuple[Source, Chunk]]) -> Iterator[Home]:
    hits = [Hit(c, s, Focus(c.start, c.end), 0.8, 0.03) for s, c in pairs]
    for hit in hits:
        rest = [one for one in hits if one is not hit]
        drawn = Random(hit.chunk.id).sample(rest, min(OTHERS, len(rest)))
        others = tuple(Evidence(f"S{n}", one) for n, one in enumerate(drawn, 2))
        found = tuple(dict.fromkeys(_claims(hit.chunk)))
        yield Home("example", hit.chunk.language, Evidence("S1", hit), found, others)


def _claims(chunk: Chunk) -> Iterator[str]:
    """Sentences, list items and spoken sentences; of a table row, each cell with its label.

    Rows of numbers alone (logs, measurements) are left out: a cell of theirs states nothing.
    """
    for passage in find_passages(chunk):
        if passage.kind in {"heading", "code"} or passage.cut:
            continue
        if not passage.cells:
            if 4 <= len(passage.text.split()) <= 60:
                yield passage.text
            continue
        columns = passage.columns
        if not columns or not re.match(r"[A-Za-z]{3}", columns[0][1]):
            continue
        for label, cell in columns[1:]:
            if label and any(character.isdigit() for character in cell):
                yield f"{columns[0][1]}: {label} {cell}"


def _trials(home: Home) -> Iterator[Trial]:
    everything = [home.evidence, *home.others]
    grounds = [[home.evidence], everything]
    names = sorted({name for other in home.others for name in names_of(other.hit.chunk.text)})
    own = names_of(home.evidence.hit.chunk.text)
    for sentence in home.sentences:
        yield _trial("untouched", sentence, home, grounds)
        for kind, mutate in MUTATORS.items():
            rng = Random(crc32(f"{kind}{sentence}".encode()))
            mutants = [mutate(sentence, rng, names, home.language) for _ in range(EACH)]
            for mutant in dict.fromkeys(one for one in mutants if one and one != sentence):
                yield _trial(kind, mutant, home, grounds)
        rng = Random(crc32(sentence.encode()))
        renamed = MUTATORS["name"](sentence, rng, own, home.language)
        if renamed:
            yield _trial("name from nearby", renamed, home, grounds)


def list_mutants(data: Path, most: int) -> Iterator[tuple[str, str, Home, str]]:
    """The kind, the text, the home and the untouched sentence of each mutant of the held-back half."""
    for passages in _passages(data):
        for home in _homes([passage for passage in passages if passage.held_back][:most]):
            names = sorted({name for one in home.others for name in names_of(one.hit.chunk.text)})
            for sentence in home.sentences:
                for kind, mutate in MUTATORS.items():
                    rng = Random(crc32(f"{kind}{sentence}".encode()))
                    mutant = mutate(sentence, rng, names, home.language)
                    if mutant and mutant != sentence:
                        yield kind, mutant, home, sentence


def _trial(kind: str, text: str, home: Home, grounds: Sequence[Sequence[Evidence]]) -> Trial:
    found = [verify_statement(text, ground, home.language) for ground in grounds]
    kept = [one.verdict == "exact" for one in found]
    against = found[0].verdict == "contradicted"
    return Trial(kind, home.set, home.language, text, kept[0], kept[1], against, found[0].reason)


def _table(trials: Sequence[Trial]) -> Iterator[str]:
    yield from write_head(
        "changed", "n", "caught alone", "among five", "by set, caught among five (n)"
    )
    for kind in (*MUTATORS, "name from nearby"):
        yield _count(kind, [trial for trial in trials if trial.kind == kind], kept=False)
    mutants = [trial for trial in trials if trial.kind != "untouched"]
    yield _count(f"all {len(mutants)} mutants", mutants, kept=False)
    yield write_row("**untouched**", "n", "kept alone", "kept among five", "by set")
    yield _count("untouched", [t for t in trials if t.kind == "untouched"], kept=True)


def _count(name: str, part: Sequence[Trial], *, kept: bool) -> str:
    sets = defaultdict(list)
    for trial in part:
        sets[f"{trial.set} {trial.language}"].append(trial.among == kept)
    by_set = (f"{one} {percent(flags)} ({len(flags)})" for one, flags in sorted(sets.items()))
    alone, among = ([getattr(t, one) == kept for t in part] for one in ("alone", "among"))
    return write_row(name, len(part), percent(alone), percent(among), ", ".join(by_set))


def _missed(trials: Sequence[Trial]) -> Iterator[str]:
    for trial in trials:
        kept = trial.kind == "untouched"
        if trial.among != kept or trial.alone != kept:
            yield f"- {trial.kind} ({trial.set}, {trial.alone}/{trial.among}): {trial.text}  — {trial.reason}"
