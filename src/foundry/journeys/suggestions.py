"""Questions that the sources which the caller may see suggest, each asked before it is shown.

A question comes from a source's own words: a heading that is a question, a sentence that gives
something a value, or a row of a table that does. It is kept only if Foundry, asked it, shows those very
words as exact ones. No language model is called, so looking at a page costs nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from foundry.config import BUILTIN_GENERATOR, override_config
from foundry.errors import IndexMissing
from foundry.journeys.ask import AskRequest, ask
from foundry.journeys.extraction.cells import read_answer
from foundry.journeys.query_log import EVAL
from foundry.journeys.search import require_index
from foundry.messages import Language, Message, format_message
from foundry.records import Chunk, Source
from foundry.text.passages import Passage, find_passages
from foundry.text.quantities import find_quantities
from foundry.workspace import Workspace, reconfigure

_VERSION = 2
"""Increase it when the same sources suggest other questions."""
_MAX_SOURCES = 12
"""Sources that are asked about, those with most text first. A guess: a page shows three."""
_MAX_TRIED = 15
"""Questions that are asked, some 300 ms each, before there are fewer than wanted."""
_EACH = 5
"""Questions of one source: enough for a project of one file."""
_NEAR = 24
"""Characters between the verb and the value: "is rated at", "bedraagt ten hoogste"."""
_LANGUAGES: dict[str, Language] = {"nl": "nl", "en": "en"}
_SUBJECT = r"(?P<subject>{article} (?:[\w-]+ ){{2,6}}?)(?P<verb>{verb}) "
_SENTENCES = {
    "en": re.compile(_SUBJECT.format(article="The", verb="is|are")),
    "nl": re.compile(_SUBJECT.format(article="(?:De|Het)", verb="is|zijn|bedraagt|bedragen")),
}
"""How a sentence gives its subject a value with a unit, in the languages that questions are made in. Of
four questions from sentences of 60 documents left out, made without asking for a unit, one made no
sense and one said little. Not measured again since a unit is required."""
_PLURAL = {"are", "zijn", "bedragen"}
_CLAUSE = frozenset(
    ("that", "which", "who", "and", "or", "if", "when", "die", "dat", "en", "of", "als", "wanneer")
)
"""Words with which a subject is no name of one thing."""
_HEAD = re.compile(r" (?:at|by|for|from|in|of|on|per|to|with|without) .*")
"""What follows the noun of a label, which decides its number."""
_LABEL = re.compile(r"[A-Z][a-z]+(?: [a-z]+){1,4}")
"""The label of a row that names a quantity: "Maximum input current", no person or product."""


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question that the project answers, in the language of its source."""

    text: str
    language: str
    source_id: str


@dataclass(frozen=True, slots=True)
class _Draft:
    """A question with the place of the words that it was made from."""

    question: SuggestedQuestion
    start: int
    end: int


def find_suggestions(workspace: Workspace, number: int = 3) -> tuple[SuggestedQuestion, ...] | None:
    """The questions that are known for the sources as they are; None if they are not made yet."""
    known = workspace.store.find_section(_build_key(workspace, number))
    return None if known is None else tuple(SuggestedQuestion(**row) for row in json.loads(known))


def suggest_questions(workspace: Workspace, number: int = 3) -> tuple[SuggestedQuestion, ...]:
    """At most ``number`` questions that Foundry answers with the words they were made from.

    The same for the same sources. Empty without an index, and where no words make a question.
    """
    known = find_suggestions(workspace, number)
    if known is not None:
        return known
    asking = _silence_models(workspace)
    found: list[SuggestedQuestion] = []
    try:
        require_index(workspace, workspace.config.retrieval.mode)
        for draft in _list_drafts(workspace):
            if _is_answered(asking, draft):
                found.append(draft.question)
            if len(found) == number:
                break
    except IndexMissing:
        return ()
    rows = [{"text": q.text, "language": q.language, "source_id": q.source_id} for q in found]
    workspace.store.save_section(_build_key(workspace, number), json.dumps(rows))
    return tuple(found)


def _silence_models(workspace: Workspace) -> Workspace:
    """The project without the models that write, judge or rewrite."""
    config = workspace.config
    silent = {
        "generation.model": BUILTIN_GENERATOR,
        f"generation.{config.mode}.model": BUILTIN_GENERATOR,
        "retrieval.hyde": "false",
        "retrieval.scorer_model": "none",
    }
    return reconfigure(workspace, override_config(config, silent))


def _build_key(workspace: Workspace, number: int) -> str:
    """A hash of all that the questions depend on, but for the wording of the search."""
    facts = [_VERSION, number, workspace.fingerprint(), workspace.config.retrieval.mode]
    facts.append(workspace.store.hash_sources())
    return f"questions-{hashlib.sha256(json.dumps(facts).encode()).hexdigest()}"


def _is_answered(workspace: Workspace, draft: _Draft) -> bool:
    """Whether the question is answered with the words that it was made from, alone."""
    answer = ask(workspace, AskRequest(draft.question.text, kind=EVAL))
    state, _, quotes, _ = read_answer(answer)
    chunks = {item.hit.chunk.id: item.hit.source.id for item in answer.search.evidence}
    return state == "quoted" and any(
        chunks.get(quote.evidence_id) == draft.question.source_id
        and quote.start < draft.end
        and draft.start < quote.end
        for quote in quotes
    )


def _list_drafts(workspace: Workspace) -> Iterator[_Draft]:
    """One question of each source in turn, then the second ones."""
    sources = [one for one in workspace.store.list_sources() if one.language in _LANGUAGES]
    sources.sort(key=lambda source: (-source.chunks, source.path))
    made = [_read_source(workspace, source) for source in sources[:_MAX_SOURCES]]
    turns = chain.from_iterable(zip_longest(*made))
    # Two revisions of a document suggest the same.
    drafts = {draft.question.text: draft for draft in turns if draft}
    return iter([*drafts.values()][:_MAX_TRIED])


def _read_source(workspace: Workspace, source: Source) -> Sequence[_Draft]:
    """The questions of a source, spread over it."""
    chunks = [one for one in workspace.store.source_chunks(source.id) if one.language in _LANGUAGES]
    made = [draft for chunk in chunks for draft in _read_chunk(source, chunk)]
    step = max(1, len(made) // _EACH)
    return made[::step][:_EACH]


def _read_chunk(source: Source, chunk: Chunk) -> Iterator[_Draft]:
    passages = [one for one in find_passages(chunk) if not one.cut]
    for passage in passages:
        text = _find_question(passage, chunk.language)
        if text:
            question = SuggestedQuestion(text, chunk.language, source.id)
            # What answers a heading is below it.
            asks = passage.kind == "heading"
            place = (passage.end, chunk.end) if asks else (passage.start, passage.end)
            yield _Draft(question, *place)


def _find_question(passage: Passage, language: str) -> str | None:
    if passage.kind == "heading":
        words = passage.text.strip("#* ")
        return words if words.endswith("?") and len(words.split()) > 2 else None
    if passage.kind == "table":
        return _ask_row(passage, language)
    return _ask_sentence(passage.text, language)


def _ask_sentence(text: str, language: str) -> str | None:
    """The question whose answer is the value that a sentence gives its subject."""
    found = _SENTENCES[language].match(text)
    if not found or not _CLAUSE.isdisjoint(found["subject"].split()):
        return None
    values = [one for one in find_quantities(text, language) if one.dimension]
    if not values or not found.end() <= values[0].start <= found.end() + _NEAR:
        return None
    subject, verb = found["subject"].strip(), found["verb"]
    return _word_question(subject[0].lower() + subject[1:], language, plural=verb in _PLURAL)


def _ask_row(passage: Passage, language: str) -> str | None:
    """The question for a row with a name and a value; its article is known only in English."""
    if language != "en" or not passage.columns:
        return None
    (_, label), *others = passage.columns
    valued = [words for _, words in others if any(map(str.isdigit, words))]
    if len(valued) != 1 or not _LABEL.fullmatch(label):
        return None
    subject = f"the {label[0].lower()}{label[1:]}"
    return _word_question(subject, language, plural=_HEAD.sub("", label).endswith("s"))


def _word_question(subject: str, language: str, *, plural: bool) -> str:
    number = "many" if plural else "one"
    message = Message("page-question", subject=subject, number=number)
    return format_message(message, _LANGUAGES[language])
