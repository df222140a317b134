"""What the judge decides, what it costs, and what is asked again: ``python -m bench judge --data DIR``.

First the labelled sentences of ``DIR/written/claims.jsonl``, with a judge that always says what the
label says: the figures show what the rules decide without it, so they bound what any judge can
reach. ``--sample N`` takes so many.

Then ``DIR/written/replies.jsonl``, sections that a strong model wrote from Foundry's own prompts.
Their passages are looked up in the example project, and the recorded replies come from a model
server on loopback through LiteLLM, once with a judge that quotes the nearest line of a cited passage
and says yes, and once without a judge. A sentence that the rules ask for again gets the recorded
second version.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.evidence import read_rows
from bench.startup import EXAMPLE
from bench.written_claims import WrittenClaim, read_written_claims
from foundry.craft.grounding import (
    Attribution,
    Judgement,
    Statement,
    attribute,
    find_quote,
    index_evidence,
    settle,
)
from foundry.craft.prompting import SectionTask
from foundry.journeys.ingest import ingest
from foundry.journeys.writing import Written, run_to_end, write_with_model
from foundry.models.late_interaction import LateInteraction
from foundry.records import Chunk, Evidence, Focus, Hit, Source
from foundry.text.spotlight import unescape
from foundry.workspace import Workspace, open_workspace
from tests.support.model_server import Behaviour, Json, ModelServer, Request

SAMPLE = 600
_HEAD = re.compile(r"^\[(S\d+)\] (\S.*?) · ", re.MULTILINE)
_SECTION = re.compile(r'Write the section "(.+?)" of a document about: (.+)')
_REJECTED = re.compile(r"^R\d*\| (.+?) \((?:S\d+: |it |no )", re.MULTILINE)
_WORDS = re.compile(r"\w+")


def measure(data: Path | None, *, sample: int = SAMPLE) -> Iterator[str]:
    """The tables of both measurements."""
    if data is None:
        yield "Left out: give --data DIR."
        return
    yield from _measure_claims(data, sample)
    yield ""
    yield from _measure_replies(data)


def _measure_claims(data: Path, sample: int) -> Iterator[str]:
    claims = read_written_claims(data)
    claims = random.Random(3).sample(claims, min(sample, len(claims)))
    settled = [(claim, *_settle_by_label(claim)) for claim in claims]
    yield "| sentences | n | true | kept | caught | to the judge | decided by rules: yes, no |"
    yield "|---|---|---|---|---|---|---|"
    yield _claims_row("all", settled)
    for group in sorted({claim.group for claim in claims}):
        yield _claims_row(group, [row for row in settled if row[0].group == group])
    yield _claims_row("across languages", [row for row in settled if row[0].crosses])


Settled = tuple[WrittenClaim, Attribution, Attribution]


def _settle_by_label(claim: WrittenClaim) -> tuple[Attribution, Attribution]:
    """By the rules, and after a judge that says what the label says."""
    similar = LateInteraction().compare_sentences
    index = index_evidence(
        claim.evidence, claim.language, similar=similar if claim.crosses else None, judged=True
    )
    cited = claim.evidence[0]
    first = attribute(Statement(claim.text, (cited.id,)), index)
    quote = find_quote(claim.text, cited, claim.language)
    verdict = Judgement("supported" if claim.label else "unsupported", (quote,) if quote else ())
    return first, settle(first, verdict, index) if first.candidates else first


def _claims_row(name: str, rows: Sequence[Settled]) -> str:
    true = [last.sentence is not None for claim, _, last in rows if claim.label]
    false = [last.sentence is None for claim, _, last in rows if not claim.label]
    asked = [bool(first.candidates) for _, first, _ in rows]
    alone = [first.sentence is not None for _, first, _ in rows if not first.candidates]
    shares = [f"{sum(part) / len(part):.3f}" if part else "–" for part in (true, false, asked)]
    decided = f"{alone.count(True)}, {alone.count(False)}"
    return f"| {name} | {len(rows)} | {len(true)} | {' | '.join(shares)} | {decided} |"


@dataclass(frozen=True)
class Recorded:
    """A section's prompt and its first reply."""

    task: SectionTask
    passages: Mapping[str, tuple[str, str]]
    sentences: tuple[Mapping[str, Any], ...]


def _measure_replies(data: Path) -> Iterator[str]:
    rows = [row for row in read_rows(data / "written/replies.jsonl") if row["step"] == "section"]
    again = _read_repairs(rows)
    first = [_read_recorded(row) for row in rows if not _REJECTED.search(_get_task(row))]
    yield "| sections | judge | sentences | calls of the judge | asked again | changed | lost |"
    yield "|---|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder, ModelServer() as server:
        root = Path(folder) / "project"
        shutil.copytree(EXAMPLE, root)
        with open_workspace(root, environment={}, cwd=root) as workspace:
            ingest(workspace)
        for judge in ("same", "none"):
            counts: Counter[str] = Counter()
            with _open_online(root, server, judge) as workspace:
                for recorded in first:
                    counts.update(_replay(workspace, server, recorded, again))
            yield (
                f"| {len(first)} | {judge} | {counts['sentences']} | {counts['judged']} "
                f"| {counts['again']} | {counts['changed']} | {counts['lost']} |"
            )
            yield from (f"| | | {line} |" for line in sorted(counts) if line.startswith("lost: "))


def _open_online(root: Path, server: ModelServer, judge: str) -> Workspace:
    environment = {
        "FOUNDRY_MODE": "online",
        "FOUNDRY_GENERATION__MODEL": "openai/scripted",
        "FOUNDRY_VALIDATION__VERIFIER": judge,
        "FOUNDRY_MODELS__CACHE": "false",
        "OPENAI_API_KEY": "unused",
        "OPENAI_API_BASE": server.openai,
    }
    return open_workspace(root, environment=environment, cwd=root)


def _replay(
    workspace: Workspace, server: ModelServer, recorded: Recorded, again: Mapping[str, str]
) -> Counter[str]:
    counts: Counter[str] = Counter(sentences=len(recorded.sentences))

    def answer(request: Request) -> Behaviour:
        asked = str(request.messages[-1]["content"])
        if asked.startswith("Judge statements"):
            counts["judged"] += 1
            return Json({"verdicts": _judge_yes(asked)})
        rejected = _REJECTED.findall(asked)
        if not rejected:
            return Json({"sentences": list(recorded.sentences)})
        counts["again"] += 1
        cited = {item["text"]: item["citations"] for item in recorded.sentences}
        return Json(
            {
                "sentences": [
                    {
                        "replaces": f"R{n}",
                        "text": again.get(text, text),
                        "citations": cited.get(text, []),
                    }
                    for n, text in enumerate(rejected, 1)
                ]
            }
        )

    server.default = answer
    evidence = _find_evidence(workspace, recorded)
    generator = workspace.generator
    assert generator is not None
    written: Written = run_to_end(
        write_with_model(workspace, generator, recorded.task, evidence, "nl")
    )
    shown = {sentence.text for sentence in written.grounding.sentences}
    lost = [item["text"] for item in recorded.sentences if item["text"] not in shown]
    replaced = [text for text in lost if again.get(text, "") in shown]
    counts["changed"] = len(replaced)
    counts["lost"] = len(lost) - len(replaced)
    counts.update(f"lost: {text}" for text in lost if text not in replaced)
    return counts


def _judge_yes(prompt: str) -> list[dict[str, object]]:
    """Yes to every statement, with the line of a passage that shares most words with it."""
    lines = re.findall(r"^(S\d+)\| (.+)$", prompt, re.MULTILINE)
    verdicts = []
    for name, cited, text in re.findall(r"^(C\d+)\| (?:\[(.*?)\] )?(.+)$", prompt, re.MULTILINE):
        words = set(_WORDS.findall(text.casefold()))
        own = [line for line in lines if line[0] in cited.split(", ")] or lines
        passage, quote = max(own, key=lambda line: len(words & _split(line[1])))
        quotes = [{"passage": passage, "quote": unescape(quote)}]
        verdicts.append({"id": name, "quotes": quotes, "missing": "", "verdict": "supported"})
    return verdicts


def _split(text: str) -> set[str]:
    return set(_WORDS.findall(text.casefold()))


def _get_task(row: Mapping[str, Any]) -> str:
    return str(row["messages"][-1]["content"])


def _read_repairs(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Rejected sentence → what the model wrote for it when asked again."""
    found: dict[str, str] = {}
    for row in rows:
        rejected = _REJECTED.findall(_get_task(row))
        new = [item["text"] for item in json.loads(row["reply"])["sentences"]]
        found |= dict(zip(rejected, new, strict=False))
    return found


def _read_recorded(row: Mapping[str, Any]) -> Recorded:
    task = _get_task(row)
    named = _SECTION.search(task)
    assert named is not None
    wants = tuple(re.findall(r"^- (.+)$", task, re.MULTILINE))
    system = str(row["messages"][0]["content"])
    passages = {
        name: (path, "\n".join(re.findall(rf"^{name}\| (.*)$", system, re.MULTILINE)))
        for name, path in _HEAD.findall(system)
    }
    sentences = tuple(json.loads(row["reply"])["sentences"])
    return Recorded(SectionTask(named[2], named[1], wants=wants), passages, sentences)


def _find_evidence(workspace: Workspace, recorded: Recorded) -> list[Evidence]:
    """The chunks of the project that share most words with the recorded passages."""
    known: dict[str, Source] = {one.path: one for one in workspace.store.list_sources()}
    found = []
    for name, (path, text) in recorded.passages.items():
        source = known[path]
        words = _split(text)

        def closeness(chunk: Chunk, words: set[str] = words) -> float:
            own = _split(chunk.content)
            return len(own & words) / len(own | words)

        chunk = max(workspace.store.source_chunks(source.id), key=closeness)
        found.append(Evidence(name, Hit(chunk, source, Focus(chunk.start, chunk.end), 0.9, 0.9)))
    return found
