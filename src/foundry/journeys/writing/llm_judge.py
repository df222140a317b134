"""The judge: a language model that decides on the statements that the rules cannot settle.

All statements in doubt of an answer or section go into one call, with the passages that they may
rest on as marked data. Nothing that comes back is trusted: an unknown id is dropped, and a verdict
counts only with a quote that its passage has. A judge that fails decides nothing, with a notice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foundry.craft.grounding import find_quote
from foundry.craft.grounding.judgement import Judgement, JudgeVerdict
from foundry.craft.grounding.model_quotes import locate_quotes
from foundry.craft.prompting import render_evidence
from foundry.errors import ModelError
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message
from foundry.models import build_schema_instruction
from foundry.ports import ChatMessage, Classifier, CountTokens, Generator, Reply
from foundry.prompts import fill
from foundry.prompts.schemas import TEXT, build_choice, build_list, build_object
from foundry.records import Chunk, Evidence, Quote, Usage
from foundry.text.replies import MAX_STATEMENT_LENGTH, parse_partial_json
from foundry.text.spotlight import escape, escape_line
from foundry.workspace import Workspace

MAX_BATCH = 25
"""Statements of one call: more than answers and sections have (a guess)."""

_WORDS = load_shared_lexicon().replies
_DECISION = re.compile(rf"\W*({build_alternation(_WORDS.yes | _WORDS.no)})\b")
_CLASSIFIERS = re.compile(r"minicheck", re.IGNORECASE)
"""Models trained on "Document: … Claim: …" that answer Yes or No (MiniCheck, arXiv:2404.10774)."""

_CLASSIFIER_TOKENS = 64
_LIKELY = 0.5
"""Of a model of inference: likelier than not that the passage says it."""

_TOKENS_PER_VERDICT = 250
_MAX_QUOTES = 4
_MAX_MISSING = 300
_SAID: Mapping[str, JudgeVerdict] = {
    "supported": "supported", "partly": "partly", "not": "unsupported",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DoubtfulStatement:
    """A statement for the judge, with the passages that it may rest on; the first ``cited`` it cites.

    ``before`` is the sentence before it, which "it" or "therefore" may refer to.
    """

    text: str
    evidence: tuple[Evidence, ...]
    cited: int
    language: str = "und"
    before: str = ""


@dataclass
class LlmJudge:
    """Asks a model about statements, and sums up its usage and notices.

    ``task`` is the question or section that they were written for.
    """

    generator: Generator | Classifier
    template: str
    count: CountTokens
    task: str = ""
    usage: Usage = field(default_factory=Usage)
    notices: list[Message] = field(default_factory=list)
    was_asked: bool = False
    _failed: bool = False

    def judge(self, statements: Sequence[DoubtfulStatement]) -> list[Judgement | None]:
        """The judgement on each statement; None where the model gave none that counts."""
        judged: list[Judgement | None] = []
        if isinstance(self.generator, Classifier) or _CLASSIFIERS.search(self.generator.model):
            judged = [self._classify(one) for one in statements]
        else:
            for batch in self._split(statements) if statements else ():
                judged += self._judge_batch(batch)
        undecided = judged.count(None)
        if undecided and not self._failed:
            name = self.generator.model
            self.notices.append(Message("writing-judge-unclear", model=name, number=undecided))
        return judged

    def _split(
        self, statements: Sequence[DoubtfulStatement]
    ) -> Iterator[Sequence[DoubtfulStatement]]:
        """Batches whose prompts fit the model's window; one statement goes in any case."""
        if len(statements) < 2 or (len(statements) <= MAX_BATCH and self._fits(statements)):
            yield statements
            return
        middle = len(statements) // 2
        yield from self._split(statements[:middle])
        yield from self._split(statements[middle:])

    def _fits(self, batch: Sequence[DoubtfulStatement]) -> bool:
        assert not isinstance(self.generator, Classifier)
        prompt, passages = self._build_prompt(batch)
        schema = build_verdict_schema(len(batch), list(passages))
        needed = self.count(prompt) + self.count(build_schema_instruction(schema))
        return needed + _TOKENS_PER_VERDICT * len(batch) <= self.generator.window()

    def _build_prompt(self, batch: Sequence[DoubtfulStatement]) -> tuple[str, dict[str, Evidence]]:
        """The prompt, and its passages by the ids that they have in it."""
        ids: dict[Chunk, str] = {}
        passages: dict[str, Evidence] = {}
        for item in (item for one in batch for item in one.evidence):
            if item.hit.chunk not in ids:
                name = ids[item.hit.chunk] = f"S{len(ids) + 1}"
                passages[name] = item
        shown = (render_evidence(Evidence(name, item.hit)) for name, item in passages.items())
        lines = []
        for number, one in enumerate(batch, 1):
            cited = ", ".join(ids[item.hit.chunk] for item in one.evidence[: one.cited])
            mark = f"[{cited}] " if cited else ""
            known = number > 1 and batch[number - 2].text == one.before
            lines += [f"T| {escape_line(one.before)}"] if one.before and not known else []
            lines.append(f"C{number}| {mark}{escape_line(one.text)}")
        task = f"Q| {escape_line(self.task)}" if self.task else ""
        values = {"passages": "\n\n".join(shown), "task": task, "claims": "\n".join(lines)}
        return fill(self.template, values), passages

    def _judge_batch(self, batch: Sequence[DoubtfulStatement]) -> list[Judgement | None]:
        prompt, passages = self._build_prompt(batch)
        schema = build_verdict_schema(len(batch), list(passages))
        limit = _TOKENS_PER_VERDICT * len(batch) + 100
        reply = self._ask(prompt, schema, limit)
        found: dict[str, Judgement] = {}
        for item in _read_items(reply) if reply else ():
            judgement = _read_judgement(item, passages)
            name = str(item.get("id", "")).strip("[]| ")
            if judgement is not None and name not in found:
                found[name] = judgement
        return [found.get(f"C{number}") for number in range(1, len(batch) + 1)]

    def _classify(self, one: DoubtfulStatement) -> Judgement | None:
        """Yes or no on one passage after the other, until the first yes."""
        answers = []
        for item in one.evidence:
            said = self._says_yes(item.hit.chunk.content, one.text)
            quote = find_quote(one.text, item, one.language)
            if said is None or quote is None:
                continue
            if said:
                return Judgement("supported", (quote,))
            answers.append(quote)
        return Judgement("unsupported", tuple(answers[:1])) if answers else None

    def _says_yes(self, passage: str, statement: str) -> bool | None:
        if isinstance(self.generator, Classifier):
            self.was_asked = True
            return self.generator.entails(passage, statement) >= _LIKELY
        reply = self._ask(f"Document: {passage}\nClaim: {statement}", None, _CLASSIFIER_TOKENS)
        said = _DECISION.match(reply.text.lower()) if reply else None
        return said[1] in _WORDS.yes if said else None

    def _ask(self, prompt: str, schema: Mapping[str, Any] | None, limit: int) -> Reply | None:
        assert not isinstance(self.generator, Classifier)
        if self._failed:
            return None
        self.was_asked = True
        try:
            message = ChatMessage("user", prompt)
            reply = self.generator.generate([message], schema=schema, max_tokens=limit)
        except ModelError as error:
            # The next statements would wait for the same failing server.
            self._failed = True
            self.notices.append(Message("writing-judge-failed", cause=error.problem))
            return None
        self.usage += reply.usage
        self.notices += reply.notices
        return reply


def open_judge(workspace: Workspace, task: str = "") -> LlmJudge | None:
    """The configured judge of what was written for a question or section, or None."""
    generator = workspace.verifier
    if generator is None:
        return None
    return LlmJudge(generator, workspace.templates.verifier, workspace.count_tokens, task)


def build_verdict_schema(number: int, passages: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of a reply on so many statements; quotes come before the verdict."""
    quote = build_object(passage=build_choice(passages), quote=TEXT)
    verdict = build_object(
        id=build_choice([f"C{n}" for n in range(1, number + 1)]),
        quotes=build_list(quote),
        missing=TEXT,
        verdict=build_choice(list(_SAID)),
        correction=TEXT,
    )
    return build_object(verdicts=build_list(verdict))


def _read_items(reply: Reply) -> list[Mapping[str, Any]]:
    """The entries of a reply; those before the cut of a truncated one."""
    items = reply.data.get("verdicts") if reply.data is not None else None
    if not isinstance(items, list):
        items = parse_partial_json(reply.text) or []
    return [item for item in items if isinstance(item, Mapping)]


def _read_judgement(item: Mapping[str, Any], passages: Mapping[str, Evidence]) -> Judgement | None:
    """The judgement of an entry; None for an unknown verdict, and for a yes without a true quote."""
    verdict = _SAID.get(str(item.get("verdict", "")).strip().lower())
    quotes = tuple(_read_quotes(item.get("quotes"), passages))
    if verdict is None or (verdict == "supported" and not quotes):
        return None
    missing = escape(" ".join(str(item.get("missing") or "").split()))[:_MAX_MISSING].rstrip(". ")
    correction = " ".join(str(item.get("correction") or "").split())
    if len(correction) > MAX_STATEMENT_LENGTH:
        correction = ""
    return Judgement(verdict, quotes, missing, correction)


def _read_quotes(items: object, passages: Mapping[str, Evidence]) -> Iterator[Quote]:
    for item in items[:_MAX_QUOTES] if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            name = str(item.get("passage", "")).strip("[]| ")
            words = item.get("quote")
            if name in passages and isinstance(words, str):
                yield from locate_quotes(words, passages[name])
