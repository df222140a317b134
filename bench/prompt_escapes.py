"""Whether a source's text can get out of its marked lines in any prompt that carries it.

The text is put wherever a source can put one (content, file name, title, heading, page label,
revision, summary), the product's own code assembles the prompts, and each of their lines is
checked against what may be there. This proves the form, not the model: an attack in plain words
stays readable as data, and what a model makes of it is another question.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Generator as Pieces
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, Literal, get_args

from foundry.craft.grounding.controls import build_control
from foundry.craft.prefixes import build_prefix_prompt
from foundry.craft.prompting import UNTRUSTED, SectionTask, build_messages, render_evidence
from foundry.errors import ModelError
from foundry.evaluation.questions.drafts import drafting_prompt
from foundry.journeys.contradictions import scan_for_conflicts
from foundry.journeys.enrichment.writers import build_summary_prompt
from foundry.journeys.writing.llm_judge import DoubtfulStatement, LlmJudge
from foundry.ports import ChatMessage, Reply
from foundry.prompts import Templates, fill, load_templates
from foundry.records import (
    Block,
    Chunk,
    Conflict,
    ConflictSide,
    Evidence,
    Focus,
    GroundingChange,
    Hit,
    Quote,
    Source,
    Summary,
)
from foundry.text.spotlight import unescape

Place = Literal[
    "text", "name", "title", "heading", "label", "revision", "summary", "rejected", "quoted"
]
"""Where a source's words reach a prompt: those of its file, a sentence that a model took from it
and that was rejected, and what is quoted of it where sources contradict each other."""

PLACES: tuple[Place, ...] = get_args(Place)

_HARMLESS = "The supply is 5 V."
_SECOND = "The fuse is rated at 3 A."
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)
_EVIDENCE = re.compile(r"\[S[12]\] |S[12]\|(?: |$)")
_TAG = re.compile(r"[<＜][\s/／]*context", re.IGNORECASE)
_TURN = re.compile(r"<\||<<SYS>>|</?s>|\[/?INST\]", re.IGNORECASE)
_LINE_ENDS = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Escape:
    """Text of a source outside its marks: in which prompt, and what is wrong."""

    prompt: str
    problem: str
    line: str


def find_escapes(text: str, places: Sequence[Place] = PLACES) -> tuple[Escape, ...]:
    """What gets out of its marks when the text is in all ``places``; empty if nothing does."""
    return tuple(
        Escape(prompt.name, problem, line)
        for prompt in _prompts(text, places)
        for problem, line in _problems(prompt, _usual()[prompt.name])
    )


@lru_cache(maxsize=1)
def _usual() -> Mapping[str, str]:
    """Every prompt by name, with harmless words only."""
    return {prompt.name: prompt.text for prompt in _prompts(_HARMLESS, ())}


def _problems(prompt: _Prompt, usual: str) -> Iterator[tuple[str, str]]:
    lines = prompt.text.splitlines()
    if prompt.context:
        if (lines.count("<context>"), lines.count("</context>")) != (1, 1):
            yield "the context is not opened and closed once", ""
            return
        first, last = lines.index("<context>"), lines.index("</context>")
        yield from _context_problems(lines[first + 1 : last], prompt.context)
        lines = lines[:first] + lines[last:]
    if prompt.heads != sum(line.startswith("[S") for line in lines):
        yield "there is evidence that was not given", ""
    # Every unmarked line comes from the template, as often as it occurs there.
    for line in Counter(_unmarked(lines, prompt)) - Counter(_unmarked(usual.splitlines(), prompt)):
        yield "a line is outside the marks", line
    for mark, expected in prompt.marked.items():
        if _marked_letters(lines, mark) not in map(_letters, expected):
            yield f"what is marked {mark} is not what the source says", ""
    yield from _character_problems(prompt.text, usual)


def _unmarked(lines: Sequence[str], prompt: _Prompt) -> list[str]:
    unmarked = [line for line in lines if line and line.partition("|")[0] not in prompt.marked]
    return [line for line in unmarked if not (prompt.heads and line.startswith("[S"))]


def _context_problems(inside: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Between the tags: the untrusted sentence, then each evidence's head and its marked lines."""
    for line in inside:
        if line and line != UNTRUSTED and not _EVIDENCE.match(line):
            yield "a line of the context has no mark of its evidence", line
    heads = [line[:4] for line in inside if line.startswith("[S")]
    if heads != [f"[S{number}]" for number in range(1, len(texts) + 1)]:
        yield "there is evidence that was not given", " ".join(heads)
    for number, text in enumerate(texts, 1):
        if _marked_letters(inside, f"S{number}") != _letters(text):
            yield f"what is marked S{number} is not what the source says", ""


def _character_problems(prompt: str, usual: str) -> Iterator[tuple[str, str]]:
    if _LINE_ENDS.search(prompt):
        yield "a character that ends lines is left", ascii(_LINE_ENDS.findall(prompt)[:5])
    hidden = sorted(letter for letter in set(prompt) if _is_hidden(letter))
    if hidden:
        yield "invisible characters are left", ascii("".join(hidden[:5]))
    for found, what in ((_TAG, "a tag of the context"), (_TURN, "a turn marker")):
        if len(found.findall(prompt)) != len(found.findall(usual)):
            yield f"{what} can be read in it", ""


def _marked_letters(lines: Sequence[str], mark: str) -> str:
    """The visible characters of a mark's lines, unescaped."""
    start = f"{mark}|"
    return _letters(
        unescape("\n".join(line[len(start) :] for line in lines if line.startswith(start)))
    )


def _letters(text: str) -> str:
    """The visible characters of a text: no white space, nothing invisible."""
    return "".join(c for c in text if not c.isspace() and not _is_unseen(c))


@cache
def _is_unseen(letter: str) -> bool:
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0000" <= letter <= "\U000e0fff"
    return selector or unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _is_hidden(letter: str) -> bool:
    """Invisible and useless to any script; joiners and line ends are useful."""
    return _is_unseen(letter) and letter not in "\n\t\u200c\u200d"


@lru_cache(maxsize=1)
def _templates() -> Templates:
    return load_templates()


def _free(_: str) -> int:
    """A token counter that returns 0, so that no text is cut."""
    return 0


@dataclass
class _Recorder:
    """A generator that records its prompts and never answers."""

    model: str = "recorder"
    local: bool = True
    asked: list[str] = field(default_factory=list)

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> Reply:
        self.asked.append(messages[-1].content)
        raise ModelError("verbatim", text="It was only recorded.")

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Pieces[str, None, Reply]:
        yield from ()
        return self.generate(messages, schema=schema, max_tokens=max_tokens)

    def window(self) -> int:
        return 1 << 40


@dataclass(frozen=True, slots=True)
class _Prompt:
    """A message with what its marked lines may say: mark → texts; ``context`` those of evidence.

    ``heads`` lines that name a piece of evidence may be outside the context.
    """

    name: str
    text: str
    marked: Mapping[str, tuple[str, ...]]
    context: tuple[str, ...] = ()
    heads: int = 0


def _prompts(text: str, places: Sequence[Place]) -> Iterator[_Prompt]:
    """Every prompt that carries words of sources, with the text in these places."""
    put: dict[Place, str] = {place: text if place in places else _HARMLESS for place in PLACES}
    evidence = _evidence(put)
    yield from _writing_prompts(put, evidence)
    yield from _judging_prompts(evidence)
    yield from _ingest_prompts(put, evidence)


def _judging_prompts(evidence: Sequence[Evidence]) -> Iterator[_Prompt]:
    """The prompts that score passages, find contradictions and judge claims."""
    marked = {item.id: (item.hit.chunk.content,) for item in evidence}
    passages = "\n\n".join(render_evidence(item) for item in evidence)
    scorer = fill(_templates().scorer, {"passages": passages, "question": "Which supply?"})
    yield _Prompt("scorer", scorer, marked, heads=len(evidence))
    recorder = _Recorder()
    scan_for_conflicts(recorder, _templates().conflicts, "Which supply?", evidence)
    yield _Prompt("conflicts", recorder.asked[-1], marked, heads=len(evidence))
    said = evidence[0].hit.chunk.content
    doubt = DoubtfulStatement(said, tuple(evidence), 2, before=said)
    LlmJudge(recorder, _templates().verifier, _free).judge([doubt])
    written = {"C1": (f"[S1, S2] {said}",), "T": (said,)}
    if control := build_control(evidence, said):
        written["C2"] = (f"[{control[1].id}] {control[0]}",)
    yield _Prompt("verifier", recorder.asked[-1], {**marked, **written}, heads=len(evidence))


def _ingest_prompts(put: Mapping[Place, str], evidence: Sequence[Evidence]) -> Iterator[_Prompt]:
    """The prompts for context prefixes (around the text and of it), summaries and questions."""
    whole = f"{_HARMLESS}\n{put['text']}"
    first = evidence[1].hit.chunk
    chunk = replace(first, start=0, end=len(_HARMLESS), content=_HARMLESS, tokens=1)
    prefixes = build_prefix_prompt(
        _templates().prefixes, [chunk], text=whole, title=put["title"], language="English",
        count=_free, longest=1, room=10**9,
    )  # fmt: skip
    around = f"Title: {put['title']}[C1]{put['text']}"
    yield _Prompt("prefixes, around", prefixes, {"D": (around,), "C1": (_HARMLESS,)})
    chunk = replace(chunk, end=len(whole), content=whole)
    prefixes = build_prefix_prompt(
        _templates().prefixes, [chunk], text=whole, title=put["title"], language="English",
        count=_free, longest=1, room=10**9,
    )  # fmt: skip
    around = f"Title: {put['title']}[C1]"
    yield _Prompt("prefixes, chunk", prefixes, {"D": (around,), "C1": (whole,)})
    summary = build_summary_prompt(_templates().summary, whole, language="en", max_tokens=100)
    yield _Prompt("summary", summary, {"D": (whole,)})
    drafting = drafting_prompt(
        _templates().questions, whole, title=put["title"], heading=put["heading"], language="en",
        number=2,
    )  # fmt: skip
    marked = f"Title: {put['title']}Section: {put['heading']}{whole}"
    yield _Prompt("questions", drafting, {"D": (marked,)})


def _writing_prompts(put: Mapping[Place, str], evidence: Sequence[Evidence]) -> Iterator[_Prompt]:
    """The prompts for an answer and a section, after a first reply was rejected."""
    sources = [item.hit.source for item in evidence]
    summaries = {source.id: Summary(source.id, put["summary"], "m") for source in sources}
    rejected = f"{put['rejected']} ({put['rejected']})"
    bare = "".join(put["summary"] for _ in sources)
    named = "".join(source.path + put["summary"] for source in sources)
    quotes = [Quote(item.id, put["quoted"], 0, 1) for item in evidence]
    a, b = (ConflictSide(f"chk_{quote.evidence_id}", "a.md", quote) for quote in quotes)
    decided = Conflict("number", a, b, ("5", "3"), "", holds="a")  # type: ignore[arg-type]
    section = SectionTask(
        "Power", "Supply", spec="A specification.", wants=("The fuse.",), decided=(decided,)
    )
    said = f'S1 holds: "{put["quoted"]}"; not S2: "{put["quoted"]}"'
    for name, task in (("answer", "Which supply?"), ("section", section)):
        prompt = build_messages(
            # However long the text is, it fits: what is left out cannot be compared.
            task, evidence, templates=_templates(), language="en", count=lambda _: 1,
            brief="A brief.", summaries=summaries,
            rejected=[GroundingChange(put["rejected"], "removed", put["rejected"])],  # type: ignore[arg-type]
        )  # fmt: skip
        system, asked = prompt.messages
        texts = tuple(item.hit.chunk.content for item in evidence)
        yield _Prompt(f"{name}: system", system.content, {"B": (bare, named)}, texts)
        marked = {"R1": (rejected,)} | ({"C": (said,)} if name == "section" else {})
        yield _Prompt(f"{name}: task", asked.content, marked)


def _evidence(put: Mapping[Place, str]) -> list[Evidence]:
    """Two pieces of evidence; the text is in the middle of the first."""
    text = f"{_HARMLESS}\n{put['text']}\n{_SECOND}"
    path = (put["heading"], "3 Power")
    block = Block("paragraph", 0, len(text), path, page=1, page_label=put["label"])
    chunk = Chunk(
        id="chk_1", source_id="src_1", position=0, start=0, end=len(text), text=text, content=text,
        tokens=len(text), language="en", heading_path=path, blocks=(block,),
    )  # fmt: skip
    source = Source(
        id="src_1", path=put["name"], content_hash="", title=put["title"], type="txt", language="en",
        size=1, modified=_WHEN, ingested=_WHEN, revision=put["revision"], revision_date=put["revision"],
    )  # fmt: skip
    other = Source(
        id="src_2", path="second.md", content_hash="", title="Second", type="md", language="en",
        size=1, modified=_WHEN, ingested=_WHEN,
    )  # fmt: skip
    second = replace(chunk, id="chk_2", source_id="src_2", text=_SECOND, content=_SECOND,
                     end=len(_SECOND), heading_path=(), blocks=())  # fmt: skip
    return [
        Evidence("S1", Hit(chunk, source, Focus(0, len(text)), 0.9, 0.03)),
        Evidence("S2", Hit(second, other, Focus(0, len(_SECOND)), 0.8, 0.02)),
    ]
