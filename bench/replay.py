"""Recorded replies through the real pipeline: ``python -m bench replay --data DIR``.

``DIR/written/replies.jsonl`` has sections of one document that a strong model wrote from Foundry's
own prompts on the example project. The project is ingested here, the same document is generated and
a question is asked for each of its sections, all over HTTP through LiteLLM. A model server on
loopback answers from the recorded replies: a sentence is written where today's prompt has the passage
that it was written from, with today's number. The judge says yes with a line of that passage, and
objects to what opens with a cause that the passage does not give. A sentence that is asked for
again gets the recorded second version, or itself without the cause.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.example import open_example, open_online
from bench.tables import read_rows, write_head, write_row
from foundry.journeys.ask import ask
from foundry.journeys.generate import generate
from foundry.journeys.specifications import approve_specification, get_specification
from foundry.records import Sentence
from foundry.text.spotlight import unescape
from foundry.workspace import Workspace
from tests.support.model_server import Behaviour, Json, ModelServer, Request

FEATURE, TOPIC = "veiligheid", "Veiligheid van de LC-512"
_WORDS = re.compile(r"\w+")
_HEAD = re.compile(r"^\[(S\d+)\] (\S.*?) · ", re.MULTILINE)
_LINE = re.compile(r"^(S\d+)\| (.+)$", re.MULTILINE)
_SECTION = re.compile(r'^Write the section "(.+?)" of a document about: (.+)')
_REJECTED = re.compile(r"^R\d*\| (.+?) \((?:S\d+: |it |no |the )", re.MULTILINE)
_CLAIM = re.compile(r"^(C\d+)\| (?:\[.*?\] )?(.+)$", re.MULTILINE)
_CAUSES = ("Daarom ", "Therefore ")
_FOUND = 0.8
"""A passage has a recorded line if it has this share of its words; lines are cut differently today."""


@dataclass(frozen=True)
class RecordedSentence:
    """A sentence, the nearest line of each passage that it cites, by path, and its second version."""

    text: str
    places: tuple[tuple[str, str], ...]
    again: str


@dataclass(frozen=True)
class RecordedSection:
    title: str
    question: str
    sentences: tuple[RecordedSentence, ...]


@dataclass
class Replay:
    """The recorded sections as a model behind the server; ``counts`` are its calls and sentences."""

    sections: Sequence[RecordedSection]
    counts: Counter[str] = field(default_factory=Counter)

    def answer(self, request: Request) -> Behaviour:
        asked = str(request.messages[-1]["content"])
        if asked.startswith("Judge statements"):
            self.counts["judged"] += 1
            claims = _CLAIM.findall(asked)
            return Json({"verdicts": [self._judge(asked, *claim) for claim in claims]})
        section = next(
            one for one in self.sections if f'"{one.title}"' in asked or one.question in asked
        )
        passages = _read_passages(request.prompt)
        rejected = [unescape(text) for text in _REJECTED.findall(asked)]
        if rejected:
            self.counts["again"] += 1
            return Json({"sentences": list(self._repair(rejected, passages))})
        found = [(item, _cite(item, passages)) for item in section.sentences]
        self.counts["written"] += sum(bool(ids) for _, ids in found)
        self.counts["absent"] += sum(not ids for _, ids in found)
        sentences = [{"text": item.text, "citations": ids} for item, ids in found if ids]
        return Json({"sentences": sentences})

    def _repair(
        self, rejected: Sequence[str], passages: Mapping[str, tuple[str, str]]
    ) -> Iterator[Mapping[str, object]]:
        for number, text in enumerate(rejected, 1):
            if item := self._find(text):
                cited = _cite(item, passages)
                yield {"replaces": f"R{number}", "text": item.again, "citations": cited}

    def _judge(self, prompt: str, name: str, text: str) -> Mapping[str, object]:
        item = self._find(unescape(text))
        if item is None:
            # The control, which Foundry adds.
            return {"id": name, "quotes": [], "verdict": "not"}
        words = [_split(line) for _, line in item.places]
        passage, quote = max(
            _LINE.findall(prompt), key=lambda line: max(_share(own, line[1]) for own in words)
        )
        objects = text.startswith(_CAUSES)
        self.counts["objections"] += objects
        return {
            "id": name,
            "quotes": [{"passage": passage, "quote": unescape(quote)}],
            "missing": "the cause" if objects else "",
            "verdict": "partly" if objects else "supported",
            "correction": item.again if objects else "",
        }

    def _find(self, text: str) -> RecordedSentence | None:
        own = (item for section in self.sections for item in section.sentences)
        return next((item for item in own if text in (item.text, item.again)), None)


def measure(data: Path) -> Iterator[str]:
    """One row for the sections of the document and one for the questions, by judge."""
    sections = read_sections(data)
    yield from write_head(
        "", "judge", "true sentences written", "passage not in the prompt", "kept", "not verified",
        "objections", "asked again", "judge's calls", "extra calls each",
    )  # fmt: skip
    with open_example() as example, ModelServer() as server:
        approve_specification(example, FEATURE, "bench")
        for judge in ("same", "none"):
            settings = {"FOUNDRY_VALIDATION__VERIFIER": judge}
            with open_online(example.root, server.openai, **settings) as workspace:
                for name, write in (("sections", _write_sections), ("questions", _ask_questions)):
                    replay = Replay(sections)
                    server.default = replay.answer
                    shown = {one.text: one.verified for one in write(workspace, sections)}
                    yield _format_row(name, judge, replay, shown)


def _write_sections(
    workspace: Workspace, _sections: Sequence[RecordedSection]
) -> Iterator[Sentence]:
    feature = get_specification(workspace, FEATURE)
    draft = generate(workspace, TOPIC, feature=feature, fresh=True)
    for section in draft.sections:
        yield from section.sentences


def _ask_questions(workspace: Workspace, sections: Sequence[RecordedSection]) -> Iterator[Sentence]:
    for section in sections:
        yield from ask(workspace, section.question).sentences


def _format_row(name: str, judge: str, replay: Replay, shown: Mapping[str, bool]) -> str:
    counts, number = replay.counts, len(replay.sections)
    items = [item for section in replay.sections for item in section.sentences]
    kept = sum(not {item.text, item.again}.isdisjoint(shown) for item in items)
    again = f"{counts['again'] / number:.2f} each"
    extra = f"{(counts['judged'] + counts['again']) / number:.2f}"
    return write_row(
        f"{number} {name}", judge, counts["written"], counts["absent"], kept,
        list(shown.values()).count(False), counts["objections"], again, counts["judged"], extra,
    )  # fmt: skip


def read_sections(data: Path) -> tuple[RecordedSection, ...]:
    """The sections by title, each with its longest reply and what the model wrote when asked again."""
    rows = [row for row in read_rows(data / "written/replies.jsonl") if row["step"] == "section"]
    again = _read_repairs(rows)
    first = [row for row in rows if not _REJECTED.search(_get_task(row))]
    found: dict[str, RecordedSection] = {}
    for row in sorted(first, key=lambda row: len(row["reply"])):
        section = _read_section(row, again)
        found[section.title] = section
    return tuple(found.values())


def _read_section(row: Mapping[str, Any], again: Mapping[str, str]) -> RecordedSection:
    task = _get_task(row)
    named = _SECTION.search(task)
    assert named is not None
    wants = ", ".join(re.findall(r"^- (.+?)\.?$", task, re.MULTILINE))
    passages = _read_passages(str(row["messages"][0]["content"]))
    sentences = []
    for item in json.loads(row["reply"])["sentences"]:
        text = item["text"]
        cited = [passages[id_] for id_ in item["citations"]]
        places = tuple((path, _find_nearest_line(text, lines)) for path, lines in cited)
        sentences.append(RecordedSentence(text, places, again.get(text) or _drop_cause(text)))
    return RecordedSection(named[1], f"Wat is van de LC-512 bekend over {wants}?", tuple(sentences))


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


def _drop_cause(text: str) -> str:
    """``Daarom mag het …`` → ``Het mag …``; any other sentence as it is."""
    if not text.startswith(_CAUSES):
        return text
    _, verb, subject, rest = text.split(" ", 3)
    return f"{subject.capitalize()} {verb} {rest}"


def _read_passages(prompt: str) -> dict[str, tuple[str, str]]:
    """The passages of a prompt by id: path and text."""
    lines: dict[str, list[str]] = {}
    for name, text in _LINE.findall(prompt):
        lines.setdefault(name, []).append(text)
    return {name: (path, "\n".join(lines.get(name, ()))) for name, path in _HEAD.findall(prompt)}


def _cite(item: RecordedSentence, passages: Mapping[str, tuple[str, str]]) -> list[str]:
    """The passages that have the recorded lines, of the same file, most words first."""
    found = []
    for path, line in item.places:
        shares = {
            id_: _share(_split(line), text) for id_, (p, text) in passages.items() if p == path
        }
        best = max(shares, key=shares.__getitem__, default=None)
        if best is not None and shares[best] >= _FOUND and best not in found:
            found.append(best)
    return found


def _find_nearest_line(text: str, lines: str) -> str:
    words = _split(text)
    return max(lines.split("\n"), key=lambda line: len(words & _split(line)))


def _share(words: AbstractSet[str], text: str) -> float:
    return len(words & _split(text)) / len(words)


def _split(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))
