"""What a writer returns: verified sentences with their sources, language, cost and notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from foundry.analysis import detect_query_language
from foundry.config import BUILTIN_GENERATOR
from foundry.messages import Message
from foundry.ports import Generator
from foundry.records import (
    CitedSource,
    ClaimCheck,
    DroppedHit,
    Evidence,
    Excerpt,
    Grounding,
    GroundingChange,
    Quote,
    SearchResult,
    Sentence,
    Usage,
)
from foundry.text.replies import is_refusal
from foundry.workspace import Workspace

_QUOTED = Message("writing-quoted")


@dataclass(frozen=True, slots=True)
class Written:
    """Verified sentences, and which model wrote them at what cost.

    ``judge`` is the model that judged them, "" if none was asked.
    """

    grounding: Grounding
    model: str
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Message, ...] = ()
    judge: str = ""


def quote_only(sentences: Sequence[Sentence]) -> Written:
    """Sentences of the built-in writer: quotes, so all are supported."""
    coverage = 1.0 if sentences else None
    checks = (
        ClaimCheck(s.text, "exact", 1.0, _QUOTED, s.citations, s.citations, s.quotes)
        for s in sentences
    )
    grounding = Grounding(
        sentences=tuple(sentences),
        attribution_coverage=coverage,
        shown_coverage=coverage,
        checks=tuple(checks),
    )
    return Written(grounding, BUILTIN_GENERATOR)


def model_name(generator: Generator | None) -> str:
    """The writer's name in results."""
    return generator.model if generator else BUILTIN_GENERATOR


def removal_reason(changes: Sequence[GroundingChange]) -> tuple[Message, ...]:
    """Reasons for the verdict if sentences were removed: without support, or about something else."""
    reasons = [change.reason.code for change in changes if change.action == "removed"]
    beside = reasons.count("claim-beside")
    counts = (("writing-removed", len(reasons) - beside), ("writing-beside", beside))
    return tuple(Message(code, number=count) for code, count in counts if count)


def explain_unverified(grounding: Grounding) -> tuple[Message, ...]:
    """The reason for low confidence if nobody could check some of the sentences that are shown."""
    doubted = [one for one in grounding.sentences if not one.verified]
    count = sum(1 for one in doubted if one.objection is None)
    disputed = [
        Message("writing-disputed", sentence=one.text, reason=one.objection)
        for one in doubted
        if one.objection is not None
    ]
    unread = [Message("writing-unverified", number=count)] if count else []
    return (*unread, *disputed)


def explain_unanswered(grounding: Grounding) -> tuple[Message, ...]:
    """The reason for low confidence if the model or the judge misses a part of the question."""
    part = grounding.unanswered
    if not part or not grounding.sentences:
        return ()
    if is_refusal(part):
        return (Message("writing-part-missing", said=part),)
    return (Message("writing-unanswered", part=part),)


def language_notice(wanted: str, grounding: Grounding) -> tuple[Message, ...]:
    """A notice if a text is not in the wanted language."""
    written = detect_query_language(" ".join(sentence.text for sentence in grounding.sentences))
    if "und" in (wanted, written) or written == wanted or not grounding.sentences:
        return ()
    names = [Message("writing-language", code=code) for code in (written, wanted)]
    return (Message("writing-other-language", written=names[0], wanted=names[1]),)


def choose_answer_language(workspace: Workspace, result: SearchResult) -> str:
    """The configured language, else the question's, else that of the best hit."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    if result.language != "und" or not result.hits:
        return result.language
    return result.hits[0].source.language


def collect_cited_sources(
    sentences: Sequence[Sentence | Excerpt], evidence: Sequence[Evidence]
) -> tuple[CitedSource, ...]:
    """The evidence that is cited or shown, in its own order, each with the quotes taken from it."""
    quotes: dict[str, list[Quote]] = {}
    for sentence in sentences:
        for quote in sentence.quotes:
            known = quotes.setdefault(quote.evidence_id, [])
            if quote not in known:
                known.append(quote)
    return tuple(
        CitedSource(item, tuple(quotes[item.id])) for item in evidence if item.id in quotes
    )


def report_dropped(dropped: Sequence[DroppedHit]) -> tuple[Message, ...]:
    """A notice for each reason that left passages out of the evidence, with all their files.

    Unlikely passages are left out of almost every answer: only ``dropped`` lists them.
    """
    left_out: dict[Message, list[str]] = {}
    for item in dropped:
        if item.reason.code != "passage-unlikely":
            left_out.setdefault(_drop_title(item.reason), []).append(item.hit.source.path)
    return tuple(
        Message(
            "writing-passages-left-out",
            number=len(paths),
            paths=tuple(dict.fromkeys(paths)),
            reason=reason,
        )
        for reason, paths in left_out.items()
    )


def _drop_title(reason: Message) -> Message:
    """The reason as a part of a sentence that names the files itself."""
    match reason.code:
        case "subject-other-document":
            return Message("passage-other-subject", names=reason.params["names"])
        case "subject-other-period":
            return Message("passage-other-period", periods=reason.params["periods"])
        case "passage-low-score":
            return Message("passage-scored-low", threshold=reason.params["threshold"])
    return reason
