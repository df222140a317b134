"""Sentences as models write them, with the errors that models make, against their passages.

``DIR/written/claims.jsonl`` has the sentences, half of them false, and ``passages.jsonl`` what they
cite. A passage knows what its chunk knew: title, file, headings and the names on the first page; its
tables are read from bars.
*Kept*: share of the true sentences that are supported; *rejected*: share of them that are called
unsupported. *Caught*: share of the false ones that are not supported. *Cannot tell*: share of all
with the verdict ``partly``. AUROC of a kind is against all sentences of the other label.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.evidence import Passage, make_evidence, read_rows
from bench.written import find_group
from foundry.evaluation.metrics.gate import auroc, calibration_error, reliability
from foundry.readers.front.document_names import find_document_names
from foundry.records import DocumentName, Evidence

Row = Mapping[str, object]


@dataclass(frozen=True)
class WrittenClaim:
    """``group`` is that of the cited passage's document; the cited passage comes first."""

    id: str
    text: str
    language: str
    kind: str
    label: bool
    group: str
    path: str
    evidence: tuple[Evidence, ...]

    @property
    def crosses(self) -> bool:
        """Whether a passage is in another language."""
        known = {self.language, "und"}
        return any(item.hit.chunk.language not in known for item in self.evidence)


@dataclass(frozen=True)
class ScoredClaim:
    kind: str
    group: str
    language: str
    carried: bool
    across: bool
    score: float
    verdict: str


def read_written_claims(data: Path) -> list[WrittenClaim]:
    """The labelled sentences with their passages as evidence; each passage is built once."""
    folder = data / "written"
    rows = read_rows(folder / "passages.jsonl")
    names = _find_names(rows)
    passages = {row["id"]: _make_passage(row, names.get(row["file"], ())) for row in rows}
    return [
        WrittenClaim(
            row["id"], row["sentence"], row["language"], row["kind"], row["supported"],
            find_group(passages[row["cited"]].hit.source.path),
            passages[row["cited"]].hit.source.path,
            tuple(passages[one] for one in row["passages"]),
        )
        for row in read_rows(folder / "claims.jsonl")
    ]  # fmt: skip


def _find_names(rows: Sequence[Row]) -> dict[str, tuple[DocumentName, ...]]:
    """The names on each document's first page, where a passage has it."""
    found: dict[str, tuple[DocumentName, ...]] = {}
    for row in rows:
        pages, path = row["pages"], str(row["file"])
        if isinstance(pages, list) and 1 in pages and path not in found:
            chunk = _make_passage(row, ()).hit.chunk
            found[path] = find_document_names(chunk.text, chunk.blocks, str(row["title"]))
    return found


def _make_passage(row: Row, names: tuple[DocumentName, ...]) -> Evidence:
    path, headings = str(row["file"]), row["headings"]
    passage = Passage(str(row["text"]), str(row["language"]), path, str(row["title"]))
    evidence = make_evidence(passage, str(row["id"]))
    known = tuple(map(str, headings)) if isinstance(headings, list) else ()
    chunk = replace(evidence.hit.chunk, heading_path=known)
    source = replace(evidence.hit.source, names=names)
    return replace(evidence, hit=replace(evidence.hit, chunk=chunk, source=source))


def tabulate(scored: Sequence[ScoredClaim]) -> Iterator[str]:
    """Figures of all, by group of documents and language, and by kind."""
    yield (
        "| sentences | n | true | kept | rejected | caught | balanced accuracy | AUROC | "
        "calibration error | cannot tell |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    yield _row("all", scored)
    for name, part in _split(scored, by_language=True):
        yield _row(name, part)
    for name, part in _split(scored, by_language=False):
        yield _row(name, part)
    kinds: defaultdict[str, list[ScoredClaim]] = defaultdict(list)
    for one in scored:
        kinds[one.kind].append(one)
    for kind, part in sorted(kinds.items()):
        labels = {one.carried for one in part}
        if len(labels) == 2:
            yield _row(f"- {kind}", part)
        else:
            others = [one for one in scored if one.carried not in labels]
            yield _row(f"- {kind}", part, others)


def _split(
    scored: Sequence[ScoredClaim], *, by_language: bool
) -> Iterator[tuple[str, list[ScoredClaim]]]:
    parts: defaultdict[str, list[ScoredClaim]] = defaultdict(list)
    for one in scored:
        spoken = "across" if one.across else one.language
        parts[spoken if by_language else one.group].append(one)
    yield from sorted(parts.items())


def _row(name: str, part: Sequence[ScoredClaim], others: Sequence[ScoredClaim] = ()) -> str:
    """``others``, of the label that ``part`` lacks, count only where both labels are needed."""
    both = [*part, *others]
    true = [one for one in part if one.carried]
    false = [one for one in part if not one.carried]
    labels, scores = [one.carried for one in both], [one.score for one in both]
    kept = _share([one.verdict == "supported" for one in true])
    rejected = _share([one.verdict == "unsupported" for one in true])
    caught = _share([one.verdict != "supported" for one in false])
    balanced = None if kept is None or caught is None else (kept + caught) / 2
    error = None if others else calibration_error(reliability(scores, labels))
    doubt = _share([one.verdict == "partly" for one in part])
    shares = (kept, rejected, caught, balanced, auroc(scores, labels), error, doubt)
    cells = ["–" if share is None else f"{share:.3f}" for share in shares]
    return f"| {name} | {len(part)} | {len(true)} | {' | '.join(cells)} |"


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
