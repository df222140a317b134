"""What the gate refuses, and what the whole system refuses with a perfect model behind it.

Questions with and without an answer go through the product: ``clapnq``, 600 of ``squad2_half``
(each a project of one source a passage) and the example project's own questions. *Gate*: what
``search`` decides, with no model. *System*: what ``ask`` ends with under a scripted model that
answers, with the gold sentence, exactly when the gold evidence is in its prompt, and else sends the
refusal sentence; *removed* is the share whose answer verification then took away: that model copies
sentences in the source's language, also where the question has another.

Projects are kept under ``bench/results/projects``: a second run embeds nothing.
"""

from __future__ import annotations

import csv
import random
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.example import EXAMPLE, QUESTIONS, open_read
from bench.tables import Row, read_rows, share, write_head, write_row
from foundry.analysis import find_sentences
from foundry.evaluation.metrics.statistics import measure_gate
from foundry.journeys.ask import ask
from foundry.ports import ChatMessage, Reply
from foundry.records import Usage
from foundry.workspace import Workspace

REFUSAL = "The indexed documentation does not contain this information."
"""What the prompts make a model say."""

PROJECTS = Path("bench/results/projects")
SQUAD_QUESTIONS = 600
NEAR_CHANCE = 0.7
"""Below this AUROC the table says so: chance gives .5."""

_HEAD = re.compile(r"^\[(S\d+)\] (\S.*?) · .*$", re.MULTILINE)
_LINE = re.compile(r"^(S\d+)\| ?(.*)$", re.MULTILINE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Asked:
    """A question with its label; ``gold`` are the paths of sources that contain the answer in those words."""

    text: str
    kind: str
    answerable: bool
    gold: frozenset[str] = frozenset()
    answers: tuple[str, ...] = ()
    section: str = ""


@dataclass(frozen=True)
class Outcome:
    asked: Asked
    score: float
    gate_refused: bool
    system_refused: bool
    removed: bool


@dataclass
class PerfectModel:
    """A ``Generator`` that answers if and only if the gold evidence is in the prompt."""

    asked: Asked | None = None
    model: str = "scripted/perfect"
    local: bool = True
    refused: bool = False

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002  the port's own names
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> Reply:
        prompt = "\n".join(message.content for message in messages)
        said = self._say(prompt)
        self.refused = said == REFUSAL
        return Reply(said, None, Usage(calls=1), self.model)

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> Iterator[str]:
        yield self.generate(messages, max_tokens=max_tokens).text

    def window(self) -> int:
        return 200_000

    def _say(self, prompt: str) -> str:
        assert self.asked is not None
        if not self.asked.answerable:
            return REFUSAL
        lines = _LINE.findall(prompt)
        for head in _HEAD.finditer(prompt):
            name, path = head.groups()
            if path not in self.asked.gold:
                continue
            text = "\n".join(line for mark, line in lines if mark == name)
            said = _sentence_with(text, self.asked.answers)
            # Across languages the answer's own words are not the source's.
            if said is None and self.asked.section and self.asked.section in head[0] + text:
                said = next(_sentences(text), None)
            if said is not None:
                return f"{said} [{name}]"
        return REFUSAL


def measure(data: Path | None) -> Iterator[str]:
    yield from write_head(
        "questions", "n", "AUROC", "gate: precision", "recall", "false", "system: precision",
        "recall", "false", "removed",
    )  # fmt: skip
    if data is None:
        yield write_row("clapnq, squad2_half", "left out: give --data DIR")
    else:
        for name, limit in (("clapnq", None), ("squad2_half", SQUAD_QUESTIONS)):
            with _passages_project(data / name) as workspace:
                asked = _labelled(data / name, limit)
                yield _count(name, _outcomes(workspace, asked))
    yield from _own()


def _outcomes(workspace: Workspace, questions: Sequence[Asked]) -> list[Outcome]:
    model, outcomes = PerfectModel(), []
    for asked in questions:
        model.asked, model.refused = asked, False
        # The wiring has no name for a scripted model; the journey only reads this attribute.
        workspace.__dict__["generator"] = model
        answer = ask(workspace, asked.text)
        gate = answer.search.gate
        closed = gate.decision == "no_evidence"
        refused = closed or model.refused
        removed = not refused and answer.verdict == "no_evidence"
        outcomes.append(Outcome(asked, gate.score, closed, refused, removed))
    return outcomes


def _count(name: str, outcomes: Sequence[Outcome]) -> str:
    labels = [o.asked.answerable for o in outcomes]
    scores = [o.score for o in outcomes]
    gate = measure_gate(scores, labels, [o.gate_refused for o in outcomes])
    system = measure_gate(scores, labels, [o.system_refused for o in outcomes])
    names = ("refusal_precision", "refusal_recall", "false_refusal_rate")
    cells = [_cell(getattr(figures, one)) for figures in (gate, system) for one in names]
    near = gate.auroc is not None and gate.auroc < NEAR_CHANCE
    auroc = f"{_cell(gate.auroc)}{' (near chance)' if near else ''}"
    return write_row(name, len(outcomes), auroc, *cells, share(o.removed for o in outcomes))


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _own() -> Iterator[str]:
    asked = [(one["language"], _own_question(one)) for one in read_rows(QUESTIONS)]
    with _example_project("example") as workspace:
        outcomes = _outcomes(workspace, [question for _, question in asked])
    yield _count("own questions", outcomes)
    here = [o for o in outcomes if o.asked.kind != "cross_language"]
    yield _count("- without those across languages", here)
    for kind in ("one language", "cross_language", "near_miss", "off_topic"):
        yield _count(f"- {kind}", [o for o in outcomes if _group(o.asked) == kind])
    lone = []
    for language, other in (("nl", "en"), ("en", "nl")):
        part = [q for lang, q in asked if lang == language and q.kind in _ACROSS]
        with _example_project(f"example-{other}", only=other) as workspace:
            lone += _outcomes(workspace, part)
    yield _count("- no language shared: across and off topic", lone)


_ACROSS = ("cross_language", "off_topic")


def _group(asked: Asked) -> str:
    return "one language" if asked.answerable and asked.kind != "cross_language" else asked.kind


def _own_question(one: Row) -> Asked:
    paths = frozenset({one.get("source"), *(one.get("also") or ())} - {None})
    answers = (one["answer"],) if one.get("answer") else ()
    section = one.get("section") or ""
    return Asked(one["text"], one["kind"], one["answerable"], paths, answers, section)


def _labelled(folder: Path, limit: int | None) -> list[Asked]:
    places = {one["id"]: _path(n) for n, one in enumerate(read_rows(folder / "corpus.jsonl"))}
    gold: dict[str, set[str]] = {}
    for query, document, *_ in csv.reader((folder / "qrels.tsv").open(), delimiter="\t"):
        if document in places:
            gold.setdefault(query, set()).add(places[document])
    rows = read_rows(folder / "queries.jsonl")
    drawn = rows if limit is None else random.Random(5).sample(rows, limit)
    return [
        Asked(
            one["text"], "labelled", one["answerable"], frozenset(gold.get(one["id"], ())),
            tuple(one.get("selected_sentences") or one.get("answers") or ()),
        )
        for one in drawn
    ]  # fmt: skip


def _sentence_with(text: str, answers: Sequence[str]) -> str | None:
    """The first sentence with an answer's words, else with its numbers, else None."""
    sentences = list(_sentences(text))
    for answer in answers:
        wanted = _squeezed(answer)
        numbers = set(_NUMBER.findall(answer.replace(",", ".")))
        words = set(re.findall(r"\w{4,}", answer.casefold()))
        for sentence in sentences:
            found = set(_NUMBER.findall(sentence.replace(",", ".")))
            if wanted in _squeezed(sentence) or (numbers and numbers <= found):
                return sentence
            if not numbers and words & set(re.findall(r"\w{4,}", sentence.casefold())):
                return sentence
    return None


def _sentences(text: str) -> Iterator[str]:
    """The sentences of each line, then those that run over lines; headings say nothing."""
    for part in (*text.splitlines(), *re.split(r"\n\s*\n", text)):
        line = " ".join(part.split())
        if line and not line.startswith("#"):
            yield from (line[start:end] for start, end in find_sentences(line, "en"))


def _squeezed(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


def _passages_project(folder: Path) -> Workspace:
    """A project with one source a passage, brought up to date."""
    root = PROJECTS / folder.name
    (root / "sources").mkdir(parents=True, exist_ok=True)
    config = "project: {id: prj_refusal}\ngeneration: {model: builtin/extractive}\n"
    (root / "foundry.yaml").write_text(config, encoding="utf-8")
    for number, one in enumerate(read_rows(folder / "corpus.jsonl")):
        text = f"# {one.get('title') or number}\n\n{one['text']}\n"
        path = root / _path(number)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return open_read(root)


def _example_project(name: str, only: str | None = None) -> Workspace:
    """The example project; with ``only`` just its sources in that language."""
    root = PROJECTS / name
    shutil.copytree(EXAMPLE, root, dirs_exist_ok=True)
    workspace = open_read(root)
    for source in workspace.store.list_sources():
        if only is not None and source.language != only:
            workspace.maintenance().remove_source(source.id)
    return workspace


def _path(number: int) -> str:
    return f"sources/{number:05d}.md"
