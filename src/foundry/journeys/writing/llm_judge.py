"""The judge: a language model that decides on the statements that the rules cannot settle.

All statements of an answer or section go into one call, with the passages that they may rest on as
marked data. Nothing that comes back is trusted: an unknown id is dropped, and a verdict counts only
with a quote that its passage has. What it accepts is compared with its own quotes; where the rules see
an exact difference, a fresh call shows that beside the quotes. Each call also has a control, a
statement that its passage contradicts: where the judge does not reject that, none of its yeses in the
call counts. A judge that fails decides nothing, with a notice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from foundry.analysis import analyse, detect_query_language
from foundry.craft.grounding import (
    Judgement,
    JudgeVerdict,
    detect_statement_language,
    find_quote,
)
from foundry.craft.grounding.controls import build_control
from foundry.craft.grounding.model_quotes import complete_quote, locate_quotes
from foundry.craft.grounding.objections import find_objection, find_other_period, read_quotes
from foundry.craft.prompting import render_evidence
from foundry.errors import ModelError
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message, format_message
from foundry.models import build_schema_instruction, is_classifier
from foundry.ports import ChatMessage, Classifier, CountTokens, Generator, Reply
from foundry.prompts import OPTIONAL_TEXT, TEXT, build_choice, build_list, build_object, fill
from foundry.records import Chunk, ClaimCheck, Evidence, Quote, Usage
from foundry.text.json_replies import list_entries
from foundry.text.periods import find_periods
from foundry.text.replies import MAX_STATEMENT_LENGTH
from foundry.text.spotlight import escape, escape_line
from foundry.workspace import Workspace

MAX_BATCH = 25
"""Statements of one call: more than answers and sections have (a guess)."""

_WORDS = load_shared_lexicon().replies
_DECISION = re.compile(rf"\W*({build_alternation(_WORDS.yes | _WORDS.no)})\b")
_CLASSIFIER_TOKENS = 64
_LIKELY = 0.5
"""Of a model of inference: likelier than not that the passage says it."""

_TOKENS_PER_VERDICT = 250
_LEAST_TOKENS = 350
"""Beside those of each verdict: a long quote with a correction takes some 600 together."""

_MAX_QUOTES = 4
_MAX_MISSING = 300
_SAID: Mapping[str, JudgeVerdict] = {
    "supported": "supported", "partly": "partly", "not": "unsupported",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DoubtfulStatement:
    """A statement for the judge, with the passages that it may rest on; the first ``cited`` it cites.

    ``before`` is the sentence before it, which "it" or "therefore" may refer to. ``exact`` if a source
    says it, ``computed`` if a value of it follows by calculation, ``contradiction`` if one says
    otherwise, ``other_period`` if it is not of the one that is asked. ``objection`` is what the judge
    sees in a second look, beside its ``quotes``.
    """

    text: str
    evidence: tuple[Evidence, ...]
    cited: int
    language: str = "und"
    before: str = ""
    exact: bool = False
    computed: bool = False
    contradiction: Message | None = None
    other_period: Message | None = None
    objection: Message | None = None
    quotes: tuple[Quote, ...] = ()


def build_doubt(
    check: ClaimCheck, evidence: Sequence[Evidence], language: str, before: str = ""
) -> DoubtfulStatement:
    """A statement for the judge as the rules leave it, in a text in a ``language``, cited evidence first."""
    read = sorted(evidence, key=lambda item: item.id not in check.citations)
    return DoubtfulStatement(
        check.sentence,
        tuple(read),
        cited=sum(item.id in check.citations for item in read),
        language=detect_statement_language(check.sentence, language),
        before=before,
        exact=check.verdict in {"exact", "misattributed"},
        computed=bool(check.computed),
        contradiction=check.reason if check.verdict == "contradicted" else None,
    )


@dataclass
class LlmJudge:
    """Asks a model about statements, and sums up its usage and notices.

    ``task`` is the question or section that they were written for. ``unanswered`` is the part of a
    question, if ``is_question``, on which the statements judged last say nothing. ``controlled`` is
    False where the judge itself is examined, by the check of a model's fitness. ``control`` is the statement of the last call
    that it accepted although its passage says otherwise.
    """

    generator: Generator | Classifier
    template: str
    count: CountTokens
    task: str = ""
    is_question: bool = False
    unanswered: str = ""
    controlled: bool = True
    control: str = ""
    usage: Usage = field(default_factory=Usage)
    notices: list[Message] = field(default_factory=list)
    was_asked: bool = False
    _failed: bool = False

    def judge(self, statements: Sequence[DoubtfulStatement]) -> list[Judgement | None]:
        """The judgement on each statement; None where the model gave none that counts.

        Statements that it accepts against an exact objection are judged again, once.
        """
        self.control = ""
        statements = self._compare_with_question(statements)
        judged = self._judge_all(statements)
        objections = {
            number: objection
            for number, (one, first) in enumerate(zip(statements, judged, strict=True))
            if (objection := _object(one, first))
        }
        again = [
            replace(statements[number], objection=objection, quotes=_get_quotes(judged[number]))
            for number, objection in objections.items()
        ]
        seconds = [None] * len(again) if self._is_classifier() else self._judge_all(again)
        for number, one, second in zip(objections, again, seconds, strict=True):
            judged[number] = _join_looks(one, judged[number], second)
        undecided = sum(
            new is None and not one.exact for one, new in zip(statements, judged, strict=True)
        )
        if undecided and not self._failed:
            self.notices.append(self._explain(undecided))
        return judged

    def _explain(self, undecided: int) -> Message:
        name = self.generator.model
        if self.control:
            return Message("writing-judge-accepts-control", model=name, control=self.control)
        return Message("writing-judge-unclear", model=name, number=undecided)

    def _compare_with_question(
        self, statements: Sequence[DoubtfulStatement]
    ) -> Sequence[DoubtfulStatement]:
        """The statements with what is of another period than is asked, if all are.

        Beside a statement of that period, one of another only compares.
        """
        language = detect_query_language(self.task)
        asked = find_periods(self.task, language) if self.is_question else ()
        found = [find_other_period(one.text, one.language, asked) for one in statements]
        if not all(found):
            return statements
        return [
            replace(one, other_period=other) for one, other in zip(statements, found, strict=True)
        ]

    def _is_classifier(self) -> bool:
        return isinstance(self.generator, Classifier) or is_classifier(self.generator.model)

    def _judge_all(self, statements: Sequence[DoubtfulStatement]) -> list[Judgement | None]:
        if self._is_classifier():
            return [None if one.exact else self._classify(one) for one in statements]
        batches = list(self._split(statements)) if statements else []
        judged = [judgement for batch in batches for judgement in self._judge_batch(batch)]
        if len(batches) > 1:
            # None of them saw all statements.
            self.unanswered = ""
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
        schema = build_verdict_schema(len(batch) + 1, list(passages), asks=self.is_question)
        needed = self.count(prompt) + self.count(build_schema_instruction(schema))
        room = self.generator.window() - _LEAST_TOKENS
        return needed + _TOKENS_PER_VERDICT * (len(batch) + 1) <= room

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
            lines += _render_objection(one)
        task = f"Q| {escape_line(self.task)}" if self.task else ""
        values = {"passages": "\n\n".join(shown), "task": task, "claims": "\n".join(lines)}
        return fill(self.template, values), passages

    def _judge_batch(self, batch: Sequence[DoubtfulStatement]) -> list[Judgement | None]:
        """The judgements of one call; it accepts nothing if it does not reject the control."""
        control = self._build_control(batch)
        asked = [*batch, control] if control else batch
        prompt, passages = self._build_prompt(asked)
        schema = build_verdict_schema(len(asked), list(passages), asks=self.is_question)
        reply = self._ask(prompt, schema, _TOKENS_PER_VERDICT * len(asked) + _LEAST_TOKENS)
        entries = list_entries(reply.data, reply.text, "verdicts", last="id") if reply else None
        items = [item for item in entries or [] if isinstance(item, Mapping)]
        trusted = control is None or self._passes(control, items, f"C{len(asked)}")
        if not _is_second_look(batch):
            self.unanswered = self._read_unanswered(reply) if trusted else ""
        found: dict[str, Judgement] = {}
        for item in items:
            judgement = _read_judgement(item, passages)
            if judgement is not None and (trusted or judgement.verdict != "supported"):
                found.setdefault(_read_id(item), judgement)
        return [found.get(f"C{number}") for number in range(1, len(batch) + 1)]

    def _passes(
        self, control: DoubtfulStatement, items: Sequence[Mapping[str, Any]], name: str
    ) -> bool:
        """Whether it rejects the control. One that says nothing of it, the last, read no further."""
        said = next((_read_verdict(item) for item in items if _read_id(item) == name), None)
        if said == "supported":
            self.control = control.text
        return said in {"partly", "unsupported"}

    def _build_control(self, batch: Sequence[DoubtfulStatement]) -> DoubtfulStatement | None:
        """A false statement among those that it decides on; a second look is decided by rules."""
        if not self.controlled or _is_second_look(batch) or all(one.exact for one in batch):
            return None
        evidence = tuple(dict.fromkeys(item for one in batch for item in one.evidence))
        made = build_control(evidence, " ".join(one.text for one in batch))
        return DoubtfulStatement(made[0], (made[1],), 1) if made else None

    def _read_unanswered(self, reply: Reply | None) -> str:
        """What the judge misses, if it has a word of the question: "none" and the like have not."""
        said = reply.data.get("unanswered") if reply and reply.data else None
        text = escape(" ".join(str(said or "").split()))[:_MAX_MISSING].strip(". ")
        language = detect_query_language(self.task)
        shared = set(analyse(text, language)) & set(analyse(self.task, language))
        return text if shared and self.is_question else ""

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


def open_judge(
    workspace: Workspace, task: str = "", *, is_question: bool = False
) -> LlmJudge | None:
    """The configured judge of what was written for a question or section, or None."""
    generator = workspace.verifier
    if generator is None:
        return None
    template = workspace.templates.verifier
    return LlmJudge(generator, template, workspace.count_tokens, task, is_question)


def _object(
    one: DoubtfulStatement, said: Judgement | None, *, read: bool = False
) -> Message | None:
    """What the rules hold against a statement that the judge accepts, beside its own quotes.

    ``read`` after a second look.
    """
    if said is None or said.verdict != "supported" or not said.fits:
        return None
    if one.other_period or one.exact:
        return one.other_period
    quoted = read_quotes(said.quotes, one.evidence, one.language)
    return one.contradiction or find_objection(
        one.text, one.language, quoted, computed=one.computed, read=read
    )


def _join_looks(
    one: DoubtfulStatement, first: Judgement | None, second: Judgement | None
) -> Judgement | None:
    """The judgement after a second look; an objection that the quotes of both do not meet stays."""
    if one.exact and second is not None:
        # Whatever it says now, a source says the sentence: only what it is about is open.
        second = replace(second, verdict="supported")
    if first is None or (second is not None and second.verdict != "supported"):
        return second
    quotes = tuple(dict.fromkeys((*_get_quotes(second), *first.quotes)))
    joined = replace(second or first, quotes=quotes)
    return replace(joined, objection=_object(one, joined, read=second is not None))


def _is_second_look(batch: Sequence[DoubtfulStatement]) -> bool:
    return any(one.objection for one in batch)


def _get_quotes(judgement: Judgement | None) -> tuple[Quote, ...]:
    return judgement.quotes if judgement else ()


def _render_objection(one: DoubtfulStatement) -> Iterator[str]:
    """The objection to a statement and the words quoted for it, for a second look."""
    if one.objection:
        yield f"O| {escape_line(format_message(one.objection, 'en'))}"
        yield from (f'O| "{escape_line(quote.text)}"' for quote in one.quotes)


def build_verdict_schema(
    number: int, passages: Sequence[str], *, asks: bool = False
) -> dict[str, Any]:
    """The JSON Schema of a reply on so many statements; quotes come before the verdict.

    With ``asks``, it also names what of a question is not answered.
    """
    quote = build_object(passage=build_choice(passages), quote=TEXT)
    verdict = build_object(
        id=build_choice([f"C{n}" for n in range(1, number + 1)]),
        quotes=build_list(quote),
        missing=OPTIONAL_TEXT,
        verdict=build_choice(list(_SAID)),
        fits=OPTIONAL_TEXT,
        correction=OPTIONAL_TEXT,
    )
    more = {"unanswered": OPTIONAL_TEXT} if asks else {}
    return build_object(verdicts=build_list(verdict), **more)


def _read_id(item: Mapping[str, Any]) -> str:
    return str(item.get("id", "")).strip("[]| ")


def _read_verdict(item: Mapping[str, Any]) -> JudgeVerdict | None:
    return _SAID.get(str(item.get("verdict", "")).strip().lower())


def _read_judgement(item: Mapping[str, Any], passages: Mapping[str, Evidence]) -> Judgement | None:
    """The judgement of an entry; None for an unknown verdict, and for a yes without a true quote."""
    verdict = _read_verdict(item)
    quotes = tuple(_read_quotes(item.get("quotes"), passages))
    if verdict is None or (verdict == "supported" and not quotes):
        return None
    missing = escape(" ".join(str(item.get("missing") or "").split()))[:_MAX_MISSING].rstrip(". ")
    correction = " ".join(str(item.get("correction") or "").split())
    if len(correction) > MAX_STATEMENT_LENGTH:
        correction = ""
    fits = str(item.get("fits") or "").strip().lower() not in _WORDS.no
    return Judgement(verdict, quotes, missing, correction, fits)


def _read_quotes(items: object, passages: Mapping[str, Evidence]) -> Iterator[Quote]:
    for item in items[:_MAX_QUOTES] if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            name = str(item.get("passage", "")).strip("[]| ")
            words = item.get("quote")
            if name in passages and isinstance(words, str):
                for quote in locate_quotes(words, passages[name]):
                    yield from complete_quote(quote, passages[name])
