"""The optional judge of borderline sentences: ``validation.verifier``, a model that says yes or no.

Asked only if the deterministic check is in doubt and nothing exact differs; it cannot override
a numeric mismatch or a negation. A judge that fails or answers neither decides nothing, with a
notice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from foundry.errors import ModelError
from foundry.lexicon import build_alternation, load_shared_lexicon
from foundry.messages import Message
from foundry.ports import ChatMessage, Generator, Reply
from foundry.prompts import fill
from foundry.prompts.schemas import BOOLEAN, build_object
from foundry.records import Evidence, Usage
from foundry.text.spotlight import escape_line, mark_lines
from foundry.workspace import Workspace

_WORDS = load_shared_lexicon().replies
_DECISION = re.compile(rf"\W*({build_alternation(_WORDS.yes | _WORDS.no)})\b")
SCHEMA = build_object(supported=BOOLEAN)
_CLASSIFIERS = re.compile(r"minicheck", re.IGNORECASE)
"""Models trained on "Document: … Claim: …" that answer Yes or No (MiniCheck, arXiv:2404.10774)."""

_MAX_REPLY_TOKENS = 64


@dataclass
class LlmJudge:
    """Asks a model about one sentence at a time and sums up its usage and notices."""

    generator: Generator
    template: str
    usage: Usage = field(default_factory=Usage)
    notices: list[Message] = field(default_factory=list)
    _failed: bool = False

    def __call__(self, claim: str, evidence: Evidence) -> bool | None:
        """Whether the evidence supports the claim; None if the model gave no answer."""
        if self._failed:
            return None
        try:
            reply = self._ask(claim, evidence)
        except ModelError as error:
            # The next sentence would wait for the same failing server.
            self._failed = True
            self.notices.append(Message("writing-judge-failed", cause=error.problem))
            return None
        self.usage += reply.usage
        self.notices += reply.notices
        decided = parse_decision(reply)
        if decided is None:
            self.notices.append(Message("writing-judge-unclear", model=self.generator.model))
        return decided

    def _ask(self, claim: str, evidence: Evidence) -> Reply:
        text = evidence.hit.chunk.content
        if _CLASSIFIERS.search(self.generator.model):
            message = ChatMessage("user", f"Document: {text}\nClaim: {claim}")
            return self.generator.generate([message], max_tokens=_MAX_REPLY_TOKENS)
        values = {"document": mark_lines(text, "D"), "claim": escape_line(claim)}
        message = ChatMessage("user", fill(self.template, values))
        return self.generator.generate([message], schema=SCHEMA, max_tokens=_MAX_REPLY_TOKENS)


def open_judge(workspace: Workspace) -> LlmJudge | None:
    """The configured judge, or None."""
    generator = workspace.verifier
    return None if generator is None else LlmJudge(generator, workspace.templates.verifier)


def parse_decision(reply: Reply) -> bool | None:
    """Yes or no from the requested object or the first word; None for anything else."""
    if reply.data is not None and isinstance(reply.data.get("supported"), bool):
        return bool(reply.data["supported"])
    first = _DECISION.match(reply.text.lower())
    return None if first is None else first[1] in _WORDS.yes
