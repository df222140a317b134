"""What Foundry does today, kept to compare with tomorrow: ``python -m bench.goldens record|compare``.

For a change that should change nothing: readings, answers with and without a model, statements,
contradictions, every ``--json`` document, every ``--help`` in both languages, the OpenAPI document
and the prompts. ``record``, run before the change, writes a file of JSON lines for each part to
``bench/results/goldens`` (or ``--out``); ``compare``, run after it, makes all of it again and says in
words what differs, with exit status 1.

It takes the example project, or with ``--data DIR`` the questions and labelled sentences of
``DIR/written`` and the documents below ``DIR``. ``--part NAME`` takes one part.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from textwrap import shorten
from typing import Any, cast

import click
from click.testing import CliRunner

from bench.conflicts import judge as judge_pairs
from bench.conflicts import read_pairs
from bench.example import EXAMPLE, QUESTIONS, open_example, open_online
from bench.mutators import MUTATORS
from bench.tables import read_rows
from bench.written import load_questions, open_project
from bench.written_claims import read_written_claims
from foundry.cli.program import foundry
from foundry.craft.grounding import verify_statement
from foundry.errors import FoundryError
from foundry.journeys.ask import ask
from foundry.journeys.search import search
from foundry.messages import Message, format_message
from foundry.ports import ReadOptions
from foundry.readers import read
from foundry.records import Answer, Conflict, Evidence, Hit
from foundry.text.passages import find_passages
from foundry.text.spotlight import unescape
from foundry.web.app import make_app
from foundry.workspace import Workspace
from tests.support.model_server import Json, ModelServer, Request, Text

OUT = Path(__file__).parent / "results" / "goldens"
QUESTIONS_OF_DATA, STATEMENTS, READINGS, WRITTEN_BY_MODEL = 300, 200, 60, 40
SHOWN = 40
"""Differences that ``compare`` prints of a part."""

_LINE = re.compile(r"^(S\d+)\| (\S.{20,}\.)$", re.MULTILINE)
_CLAIM = re.compile(r"^(C\d+)\| (?:\[.*?\] )?(.+)$", re.MULTILINE)
_VOLATILE = re.compile(
    r".*_ms|.*_at|.*bytes.*|id|started|finished|created|modified|ingested|indexed|time|python|platform"
    r"|versions?|seconds|path|root|database|foundry|packages|approved|generated|size.*|log|last_.*"
)
"""Names of values that differ from run to run, in ``--json`` documents."""

_SPACE_LEFT = re.compile(r"[\d.]+ GB")

_COMMANDS = (
    "sources", "sources show datasheets/LC-512_datasheet_rev_B.pdf", "search fuse",
    "search 'What is the rating of the input fuse?' --explain", "ask 'What is the input fuse?'",
    "feature list", "feature show veiligheid", "feature check veiligheid", "agent list", "agent show report",
    "draft list", "index status", "index verify", "models", "doctor", "privacy", "correction list",
    "log", "log stats", "log cost", "eval questions", "schema ask", "ask ''", "sources show nothing.pdf",
)  # fmt: skip


@dataclass(frozen=True)
class Input:
    """Where the parts come from: the example, or the data that is given."""

    workspace: Workspace
    data: Path | None


Part = Callable[[Input], Iterator[tuple[str, Any]]]


def make_readings(given: Input) -> Iterator[tuple[str, Any]]:
    """Each file with its title, revision and blocks, or why it cannot be read."""
    folder = given.data or EXAMPLE / "sources"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix)
    if given.data:
        files = random.Random(5).sample(files, min(READINGS, len(files)))
    for file in files:
        name = file.relative_to(folder).as_posix()
        try:
            document = read(file, ReadOptions(name, ocr="off"))
        except FoundryError as error:
            yield name, {"error": error.code}
            continue
        blocks = [f"{one.kind}: {document.text[one.start : one.end]}" for one in document.blocks]
        yield name, {"title": document.title, "type": document.type, "blocks": blocks}


def make_answers(given: Input) -> Iterator[tuple[str, Any]]:
    """Hits, verdict and what is shown for each question, without a model."""
    for question in _list_questions(given):
        hits = search(given.workspace, question).hits
        found = [_name_hit(hit) for hit in hits[:10]]
        yield question, {"hits": found, **_describe_answer(ask(given.workspace, question))}


def _list_questions(given: Input) -> list[str]:
    if given.data is None:
        return [str(row["text"]) for row in read_rows(QUESTIONS)]
    questions = [one.text for one in load_questions(given.data)]
    return random.Random(7).sample(questions, min(QUESTIONS_OF_DATA, len(questions)))


def _name_hit(hit: Hit) -> str:
    return f"{hit.source.path}:{hit.chunk.start} {hit.relevance:.2f}"


def _describe_answer(answer: Answer) -> dict[str, Any]:
    return {
        "verdict": answer.verdict,
        "confidence": round(answer.confidence, 2),
        "sentences": [
            [one.text, one.verified, [_name_quote(answer, q.evidence_id, q.start) for q in one.quotes]]
            for one in answer.sentences
        ],
        "checks": [[one.sentence, one.verdict, one.reason.code] for one in answer.checks],
        "passages": [
            [one.evidence.hit.source.path, [line.text for line in one.lines]] for one in answer.passages
        ],
        "conflicts": sorted(_describe_conflict(one) for one in answer.conflicts),
        "reasons": [one.code for one in answer.reasons],
        "notices": [one.code for one in answer.notices],
    }  # fmt: skip


def _name_quote(answer: Answer, id_: str, start: int) -> str:
    paths = {one.evidence.id: one.evidence.hit.source.path for one in answer.sources}
    return f"{paths.get(id_, id_)}:{start}"


def _describe_conflict(conflict: Conflict) -> str:
    return json.dumps(build_json_of(conflict), ensure_ascii=False, sort_keys=True)


def build_json_of(record: Any) -> Any:
    """A record as JSON, whatever it is: dataclasses by field, messages in English, the rest as text."""
    if isinstance(record, Message):
        return format_message(record, "en")
    if isinstance(record, Mapping):
        return {str(key): build_json_of(value) for key, value in record.items()}
    if isinstance(record, tuple | list | set | frozenset):
        return [build_json_of(value) for value in record]
    if hasattr(record, "__dataclass_fields__"):
        names = (name for name in record.__dataclass_fields__ if "id" not in name.split("_"))
        return {name: build_json_of(getattr(record, name)) for name in names}
    return record if isinstance(record, str | int | float | bool | None) else str(record)


def make_written(given: Input) -> Iterator[tuple[str, Any]]:
    """The same with a model over HTTP that copies lines, changes one, and a judge that sees it."""
    with ModelServer() as server, open_online(given.workspace.root, server.openai) as workspace:
        server.default = _reply
        for question in _list_questions(given)[: 3 * WRITTEN_BY_MODEL : 3]:
            first = len(server.chats)
            described = _describe_answer(ask(workspace, question))
            prompts = [_digest(chat.prompt) for chat in server.chats[first:]]
            yield question, {**described, "prompts": prompts}


def _reply(request: Request) -> Text:
    """Two lines of the evidence, the second with its last word doubled; rejected by the judge."""
    asked = str(request.messages[-1]["content"])
    lines = _LINE.findall(request.prompt.partition("Judge statements")[2] or request.prompt)
    if asked.startswith("Judge statements"):
        return Json(
            {"verdicts": [_judge(name, text, lines) for name, text in _CLAIM.findall(asked)]}
        )
    said = [{"text": unescape(text), "citations": [id_]} for id_, text in lines[:2]]
    said[1:] = [{**one, "text": f"In short: {one['text']}"} for one in said[1:]]
    return Json({"sentences": said})


def _judge(name: str, text: str, lines: list[tuple[str, str]]) -> dict[str, Any]:
    words = set(text.split())
    passage, line = max(lines, key=lambda one: len(words & set(one[1].split())), default=("S1", ""))
    verdict = "supported" if unescape(line) in unescape(text) else "not"
    quotes = [{"passage": passage, "quote": unescape(line)}]
    return {"id": name, "quotes": quotes, "missing": "", "verdict": verdict, "correction": ""}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def make_statements(given: Input) -> Iterator[tuple[str, Any]]:
    """What the rules say of sentences of the sources, as they are and with one fact changed."""
    for text, language, evidence in islice(_list_statements(given), STATEMENTS):
        found = verify_statement(text, evidence, language)
        quotes = [f"{quote.evidence_id}:{quote.start}" for quote in found.quotes]
        said = {"verdict": found.verdict, "reason": found.reason.code, "quotes": quotes}
        yield f"{text} [{evidence[0].hit.source.path}]", said


def _list_statements(given: Input) -> Iterator[tuple[str, str, list[Evidence]]]:
    if given.data is not None:
        claims = list(read_written_claims(given.data))
        for claim in random.Random(3).sample(claims, min(STATEMENTS, len(claims))):
            yield claim.text, claim.language, list(claim.evidence)
        return
    for hit in _list_hits(given.workspace):
        sentences = [one.text for one in find_passages(hit.chunk) if one.kind != "heading"]
        for text in sentences[:4]:
            rng = random.Random(text)
            changed = (mutate(text, rng, (), hit.chunk.language) for mutate in MUTATORS.values())
            for new in (text, next((one for one in changed if one), "")):
                if new:
                    yield new, hit.chunk.language, [Evidence("S1", hit)]


def _list_hits(workspace: Workspace) -> Iterator[Hit]:
    hit = search(workspace, "fuse").hits[0]
    for source in workspace.store.list_sources():
        for chunk in workspace.store.source_chunks(source.id):
            yield replace(hit, chunk=chunk, source=source)


def make_conflicts(_given: Input) -> Iterator[tuple[str, Any]]:
    """What is found between the two texts of each labelled pair."""
    for outcome in judge_pairs(read_pairs()):
        found = outcome.conflict
        yield f"{outcome.pair.a} ⇔ {outcome.pair.b}", found and build_json_of(found)


def make_commands(given: Input) -> Iterator[tuple[str, Any]]:
    """Each command's ``--json`` document and exit status on the example."""
    for line in _COMMANDS if given.data is None else ():
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)]
        arguments = ["--project", str(given.workspace.root), "--json", *words]
        result = CliRunner().invoke(foundry, arguments)
        printed = result.stdout or result.stderr
        printed = _SPACE_LEFT.sub("… GB", printed.replace(str(given.workspace.root), "PROJECT"))
        try:
            said = _scrub(json.loads(printed))
        except ValueError:
            said = printed.splitlines()
        yield line, {"exit": result.exit_code, "said": said}


def _scrub(value: Any) -> Any:
    """A document without what differs from run to run, numbers to two places."""
    if isinstance(value, Mapping):
        kept = {key: one for key, one in value.items() if not _VOLATILE.fullmatch(key)}
        return {key: _scrub(one) for key, one in kept.items()}
    if isinstance(value, list):
        return [_scrub(one) for one in value]
    return round(value, 2) if isinstance(value, float) else value


def make_faces(given: Input) -> Iterator[tuple[str, Any]]:
    """Every help text in both languages, and the OpenAPI document."""
    if given.data is not None:
        return
    for language in ("en", "nl"):
        for path in _walk(foundry, ()):
            result = CliRunner().invoke(foundry, ["--language", language, *path, "--help"])
            yield f"{language}: foundry {' '.join(path)}", result.stdout.splitlines()
    document = make_app(cast("Any", None)).openapi()
    for name, part in {**document["paths"], **document["components"]["schemas"]}.items():
        yield f"OpenAPI {name}", part


def _walk(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _walk(inner, (*path, name))


PARTS: Mapping[str, Part] = {
    "readings": make_readings,
    "answers": make_answers,
    "written": make_written,
    "statements": make_statements,
    "conflicts": make_conflicts,
    "commands": make_commands,
    "faces": make_faces,
}


def compare(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """What differs between two values, a line each, with the way to it."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from compare(old.get(key), new.get(key), f"{where} › {key}" if where else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True), 1):
            yield from compare(one, other, f"{where} {number}")
    elif isinstance(old, list) and isinstance(new, list):
        gone = [one for one in old if one not in new]
        come = [one for one in new if one not in old]
        yield f"{where}: {len(old)} → {len(new)} entries; gone {_quote(gone)}; new {_quote(come)}"
    elif old != new:
        yield f"{where}: {_quote(old)} → {_quote(new)}"


def _quote(value: Any) -> str:
    return shorten(json.dumps(value, ensure_ascii=False), 160, placeholder=" …")


@contextmanager
def _open_input(data: Path | None) -> Iterator[Input]:
    if data is not None:
        with open_project(data) as workspace:
            yield Input(workspace, data)
        return
    with open_example() as workspace:
        yield Input(workspace, None)


def _run(action: str, out: Path, parts: list[str], data: Path | None) -> int:
    differing = 0
    with _open_input(data) as given:
        for name in parts:
            started = time.monotonic()
            made = [
                {"of": key, "is": json.loads(json.dumps(value))}
                for key, value in PARTS[name](given)
            ]
            file = out / f"{name}.jsonl"
            if action == "record":
                out.mkdir(parents=True, exist_ok=True)
                lines = (json.dumps(one, ensure_ascii=False, sort_keys=True) for one in made)
                file.write_text("\n".join([*lines, ""]), encoding="utf-8")
                print(f"{name}: {len(made)} recorded in {time.monotonic() - started:.0f} s")
                continue
            before = {row["of"]: row["is"] for row in read_rows(file)}
            found = list(compare(before, {row["of"]: row["is"] for row in made}))
            differing += len(found)
            print(
                f"{name}: {len(made)} made in {time.monotonic() - started:.0f} s, {len(found)} differ"
            )
            for line in found[:SHOWN]:
                print(f"  {line}")
            if len(found) > SHOWN:
                print(f"  and {len(found) - SHOWN} more")
    return 1 if differing else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("record", "compare"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--part", action="append", choices=tuple(PARTS))
    chosen = parser.parse_args()
    out = chosen.out or OUT / ("data" if chosen.data else "example")
    sys.exit(_run(chosen.action, out, chosen.part or list(PARTS), chosen.data))


if __name__ == "__main__":
    main()
