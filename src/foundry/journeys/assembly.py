"""The client's document in memory: the accepted drafts of approved specifications and of agents in one.

A specification must have a chapter; a draft by an agent alone is one if somebody accepted it.
Lists every obstacle at once. What is out of date can be allowed and is then marked in the
document; a missing file or a broken footnote cannot. Writes no sentence, changes no draft.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from foundry.analysis import fold
from foundry.craft.footnotes import DraftParts, DraftProblem, mark_statements, renumber, split_draft
from foundry.errors import RuleError
from foundry.journeys.drafts import (
    find_empty_sections,
    find_stale_reasons,
    get_draft_state,
    list_drafts,
)
from foundry.journeys.drafts.state import get_draft_path, hash_draft_bytes, read_draft_bytes
from foundry.journeys.specifications import list_specifications
from foundry.messages import Message, Words, choose_language
from foundry.records import (
    Chapter,
    Delivery,
    DraftRecord,
    Review,
    SectionSummary,
    Specification,
    UsedSource,
    find_gaps,
)
from foundry.render.escapes import escape
from foundry.render.places import shorten_paths
from foundry.text.references import strip_own_marks
from foundry.workspace import Workspace

_BOUNDARY = r"(?=[\s,]|$)"


class BuildRefused(RuleError):
    """The document cannot be built; the message lists every reason."""

    code = "not_ready"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason not to include a chapter; ``stale`` ones can be allowed with ``allow_stale``.

    ``feature`` is that of its specification, else the path of the draft.
    """

    feature: str
    problem: Message
    stale: bool


@dataclass(slots=True)
class _ChapterCandidate:
    """An approved specification or a topic with its latest accepted draft, while it is checked.

    ``written`` are all its drafts, accepted or not.
    """

    name: str
    spec: Specification | None
    written: Sequence[DraftRecord]
    record: DraftRecord | None = None
    parts: DraftParts | None = None
    obstacles: list[Obstacle] = field(default_factory=list)

    def add_obstacle(self, problem: Message, *, stale: bool) -> None:
        self.obstacles.append(Obstacle(self.name, problem, stale))


def assemble(
    workspace: Workspace,
    *,
    created: datetime,
    title: str | None = None,
    language: str | None = None,
    allow_stale: bool = False,
) -> tuple[Delivery, tuple[Message, ...]]:
    """The document before it is rendered, with notices. Raises ``BuildRefused``."""
    specs, drafts = list_specifications(workspace), list_drafts(workspace)
    wanted = [spec for spec in specs if _is_wanted(spec, drafts)]
    alone, beside = _list_by_agents(workspace, drafts)
    candidates = [*_list_specified(wanted, drafts), *alone]
    for candidate in candidates:
        _check_candidate(workspace, candidate)
    ready = [candidate for candidate in candidates if candidate.parts is not None]
    _require_ready(candidates, ready, allow_stale=allow_stale)
    delivery = _deliver(workspace, candidates, created=created, title=title, language=language)
    left_out = [spec for spec in specs if spec not in wanted]
    return delivery, (*_list_notices(ready, left_out, drafts), *beside)


def assemble_draft(workspace: Workspace, record: DraftRecord, *, created: datetime) -> Delivery:
    """A draft alone as a document, which says so if nobody accepted it. Raises ``BuildRefused``."""
    specs = {spec.name: spec for spec in list_specifications(workspace)}
    spec = specs.get(record.feature or "")
    candidate = _ChapterCandidate(record.feature or record.path, spec, [record], record)
    if record.review is None:
        none = Message("build-none-accepted", paths=[record.path])
        candidate.add_obstacle(none, stale=True)
    candidate.parts = _read_parts(workspace, candidate, record)
    for reason in find_stale_reasons(workspace, record):
        candidate.add_obstacle(reason, stale=True)
    ready = [candidate] if candidate.parts else []
    _require_ready([candidate], ready, allow_stale=True)
    return _deliver(workspace, ready, created=created, title=record.topic)


def _deliver(
    workspace: Workspace,
    candidates: Sequence[_ChapterCandidate],
    *,
    created: datetime,
    title: str | None,
    language: str | None = None,
) -> Delivery:
    """The document of those that are ready, with what is out of date in any."""
    ready = [candidate for candidate in candidates if candidate.parts is not None]
    bodies, notes = renumber(_disambiguate_names(ready))
    return Delivery(
        title=title or workspace.config.project.name,
        project=workspace.config.project.name,
        language=language or _choose_language(workspace, ready),
        created=created,
        chapters=tuple(map(_build_chapter, ready, bodies)),
        notes=notes,
        register=_collect_sources(ready),
        stale=tuple(
            Message("build-of-feature", feature=obstacle.feature, problem=obstacle.problem)
            for candidate in candidates
            for obstacle in candidate.obstacles
        ),
    )


def _is_wanted(spec: Specification, drafts: Sequence[DraftRecord]) -> bool:
    """True if approved, or once approved and edited since: an edit must not drop a chapter."""
    if spec.status == "broken":
        return any(draft.review for draft in drafts if draft.feature == spec.name)
    return spec.approved or (spec.status == "changed" and spec.approval is not None)


def _list_specified(
    specs: Sequence[Specification], drafts: Sequence[DraftRecord]
) -> Iterator[_ChapterCandidate]:
    """A candidate for each specification, or one for each agent that wrote an accepted draft of it."""
    for spec in specs:
        written = [draft for draft in drafts if draft.feature == spec.name]
        agents = {draft.agent for draft in written if draft.review}
        for agent in sorted(agents, key=lambda name: name or ""):
            own = [draft for draft in written if draft.agent == agent]
            yield _ChapterCandidate(spec.name, spec, own)
        if not agents:
            yield _ChapterCandidate(spec.name, spec, written)


def _list_by_agents(
    workspace: Workspace, drafts: Sequence[DraftRecord]
) -> tuple[list[_ChapterCandidate], list[Message]]:
    """A candidate for each agent and topic without a specification, by path; and what is left out.

    A file that is gone cannot be a chapter, and nothing says that there must be one.
    """
    written = defaultdict[tuple[str | None, str], list[DraftRecord]](list)
    for draft in (draft for draft in drafts if draft.feature is None):
        written[draft.agent, fold(draft.topic)].append(draft)
    found, left_out = list[_ChapterCandidate](), defaultdict[str, list[str]](list)
    for group in written.values():
        kept = [one for one in group if get_draft_state(workspace, one) != "missing"]
        accepted = max((one for one in kept if one.review), key=_get_acceptance_time, default=None)
        if accepted:
            found.append(_ChapterCandidate(accepted.path, None, kept))
        else:
            code = "build-not-accepted" if kept else "build-gone"
            left_out[code].append((kept or group)[0].path)
    notices = [Message(code, paths=sorted(paths)) for code, paths in sorted(left_out.items())]
    return sorted(found, key=lambda one: one.name), notices


def _check_candidate(workspace: Workspace, candidate: _ChapterCandidate) -> None:
    spec, written = candidate.spec, candidate.written
    accepted = [draft for draft in written if draft.review]
    record = max(accepted, key=_get_acceptance_time, default=None)
    if record is None:
        paths = [draft.path for draft in written]
        none = Message("build-none-accepted", paths=paths) if written else Message("build-no-draft")
        candidate.add_obstacle(none, stale=True)
        return
    candidate.record = record
    if spec and spec.approval is None:
        cause = spec.problems[0].problem if spec.problems else None
        unreadable = Message("build-feature-unreadable", path=spec.path, problem=cause)
        candidate.add_obstacle(unreadable, stale=False)
        return
    candidate.parts = _read_parts(workspace, candidate, record)
    for reason in find_stale_reasons(workspace, record):
        candidate.add_obstacle(reason, stale=True)
    _check_coverage(workspace, candidate, record)


def _get_acceptance_time(record: DraftRecord) -> tuple[float, float]:
    accepted = record.review.time.timestamp() if record.review else 0.0
    return accepted, record.created.timestamp()


def _read_parts(
    workspace: Workspace, candidate: _ChapterCandidate, record: DraftRecord
) -> DraftParts | None:
    """The text that the draft's file has now; None with an obstacle if it cannot be read."""
    data = read_draft_bytes(get_draft_path(workspace, record))
    if data is None:
        candidate.add_obstacle(Message("build-file-missing", path=record.path), stale=False)
        return None
    if record.review and hash_draft_bytes(data) != record.review.content_hash:
        candidate.add_obstacle(Message("build-edited", path=record.path), stale=True)
    try:
        parts = split_draft(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = DraftProblem(Message("draft-not-utf8"), line)
        candidate.add_obstacle(_place_problem(record, problem), stale=False)
        return None
    for problem in parts.problems:
        candidate.add_obstacle(_place_problem(record, problem), stale=False)
    if not parts.body.strip():
        candidate.add_obstacle(Message("build-no-text", path=record.path), stale=False)
    return parts


def _place_problem(record: DraftRecord, problem: DraftProblem) -> Message:
    return Message(
        "build-on-line", path=record.path, line=str(problem.line), problem=problem.problem
    )


def _check_coverage(
    workspace: Workspace, candidate: _ChapterCandidate, record: DraftRecord
) -> None:
    least = workspace.config.validation.min_attribution
    parts: tuple[DraftRecord | SectionSummary, ...] = (record, *record.sections)
    for part in parts:
        coverage = part.attribution_coverage
        if coverage is not None and coverage < least:
            # Rounded down, so that 89.99% does not read as 90%.
            shares = {"share": int(coverage * 1000) / 1000, "least": least}
            problem = (
                Message("build-coverage", **shares)
                if isinstance(part, DraftRecord)
                else Message("build-coverage-section", section=part.title, **shares)
            )
            candidate.add_obstacle(problem, stale=True)


def _require_ready(
    candidates: Sequence[_ChapterCandidate],
    ready: Sequence[_ChapterCandidate],
    *,
    allow_stale: bool,
) -> None:
    if not candidates:
        raise BuildRefused("build-none-approved", where="features")
    obstacles = [obstacle for candidate in candidates for obstacle in candidate.obstacles]
    can_allow = bool(ready) and all(obstacle.stale for obstacle in obstacles)
    if not obstacles or (allow_stale and can_allow):
        return
    lines = [
        Message("build-obstacle", feature=obstacle.feature, problem=obstacle.problem)
        for obstacle in obstacles
    ]
    where = "features, drafts"
    error = BuildRefused("build-not-ready", where=where, number=len(lines), obstacles=lines)
    if can_allow:
        error.advice = (Message("build-advice-allow-stale"),)
    raise error


def _build_chapter(candidate: _ChapterCandidate, body: str) -> Chapter:
    spec, record, parts = candidate.spec, candidate.record, candidate.parts
    approval = spec.approval if spec else None
    # Every candidate that is ready has a draft; one that stands alone may not be accepted.
    assert record is not None
    assert parts is not None
    review = record.review or Review("", record.created, "")
    mark = Words(choose_language(record.language))("document-unverified-mark", by=review.by)
    own = spec.title if spec and not record.agent else parts.title
    return Chapter(
        feature=spec.name if spec else None,
        title=own or (spec.title if spec else record.topic),
        owner=spec.owner if spec else "",
        markdown=mark_statements(strip_own_marks(body), review.unchecked, f"*({escape(mark)})*"),
        approved_by=approval.by if approval else "",
        approved=approval.time if approval else None,
        accepted_by=review.by,
        accepted=review.time if record.review else None,
        draft=record,
        stale=tuple(obstacle.problem for obstacle in candidate.obstacles),
    )


def _collect_sources(ready: Sequence[_ChapterCandidate]) -> tuple[UsedSource, ...]:
    """Every cited source by path; twice if chapters cite different versions of it."""
    sources = {
        (source.path, source.content_hash): source
        for candidate in ready
        if candidate.record
        for source in candidate.record.sources
    }
    return tuple(sources[key] for key in sorted(sources))


def _disambiguate_names(ready: Sequence[_ChapterCandidate]) -> list[DraftParts]:
    """The drafts, with paths for file names that are ambiguous only in the whole document."""
    pairs = [(item.record, item.parts) for item in ready if item.record and item.parts]
    names = shorten_paths(source.path for record, _ in pairs for source in record.sources)
    return [_rename_sources(parts, record.sources, names) for record, parts in pairs]


def _rename_sources(
    parts: DraftParts, sources: Sequence[UsedSource], names: Mapping[str, str]
) -> DraftParts:
    own = shorten_paths(source.path for source in sources)
    longer = {escape(own[path]): escape(names[path]) for path in own if own[path] != names[path]}
    if not longer:
        return parts
    names_pattern = "|".join(map(re.escape, sorted(longer, key=len, reverse=True)))
    pattern = re.compile(f"^({names_pattern}){_BOUNDARY}")
    definitions = tuple(
        replace(item, place=pattern.sub(lambda match: longer[match[1]], item.place))
        for item in parts.definitions
    )
    return replace(parts, definitions=definitions)


def _choose_language(workspace: Workspace, ready: Sequence[_ChapterCandidate]) -> str:
    """The configured language, else that of most chapters: Dutch or English."""
    configured = workspace.config.generation.language
    if configured != "question":
        return configured
    languages = Counter(item.record.language for item in ready if item.record).most_common(1)
    return "nl" if languages and languages[0][0] == "nl" else "en"


def _list_notices(
    ready: Sequence[_ChapterCandidate],
    left_out: Sequence[Specification],
    drafts: Sequence[DraftRecord],
) -> Iterator[Message]:
    for spec in left_out:
        if any(draft.review for draft in drafts if draft.feature == spec.name):
            yield Message("build-left-out", feature=spec.name)
    for candidate in ready:
        name, record = candidate.name, candidate.record
        for gap in (*find_empty_sections(record), *find_gaps(record.sections)) if record else ():
            yield Message("build-of-feature", feature=name, problem=gap)
        for draft in candidate.written:
            if record and draft.created > record.created and not draft.review:
                yield Message("build-newer", feature=name, path=draft.path)
