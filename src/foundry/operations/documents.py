"""Agents, specifications and drafts.

Only the owner approves and accepts: who signs for a document must see all that it may rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from foundry.craft.specifications import replace_body, replace_keys, replace_wants
from foundry.journeys.agents import (
    AgentEntry,
    AgentFile,
    change_agent,
    check_agent_text,
    create_agent,
    delete_agent,
    get_agent,
    get_agent_file,
    list_agents,
)
from foundry.journeys.delivery import (
    BuildState,
    DraftFile,
    choose_draft_path,
    generate_file,
    get_build_state,
    hide_place,
)
from foundry.journeys.drafts import (
    DraftStatus,
    DraftVerification,
    accept_draft,
    get_draft,
    get_draft_status,
    list_drafts,
    verify_draft,
)
from foundry.journeys.drafts.edits import (
    DraftComparison,
    DraftContent,
    DraftEdit,
    PlacedNote,
    add_note,
    change_draft_text,
    compare_drafts,
    get_content,
    remove_note,
    resolve_note,
)
from foundry.journeys.drafts.state import get_draft_key
from foundry.journeys.generate import DraftPlan, plan_draft
from foundry.journeys.specifications import (
    approve_specification,
    change_specification,
    check_change,
    check_specification,
    choose_specification,
    compare_approved,
    create_specification,
    delete_specification,
    get_specification,
    list_specifications,
    revoke_approval,
)
from foundry.messages import get_language
from foundry.operations.table import Scope, Text, operation
from foundry.records import Agent, Specification, SpecificationComparison
from foundry.wire.documents import (
    AgentEntryJson,
    AgentJson,
    AgentListJson,
    BuildStateJson,
    DraftComparisonJson,
    DraftContentJson,
    DraftDetailsJson,
    DraftEditJson,
    DraftJson,
    DraftListJson,
    DraftNotesJson,
    DraftPlanJson,
    DraftStatusJson,
    DraftVerificationJson,
    SpecificationCheckJson,
    SpecificationListJson,
    SpecificationTextJson,
)
from foundry.wire.requests import (
    AcceptRequest,
    AgentRequest,
    AgentTextRequest,
    DraftRequest,
    DraftTextRequest,
    NoteRequest,
    NoteStateRequest,
    PersonRequest,
    SpecificationRequest,
)

_CHANGE: dict[str, Any] = {"owner": True, "reviewed": True}
"""What changes a text that was read: the owner's alone, with the hash of what was read."""
_REMARK: dict[str, Any] = {"listed": "notes", "audit": "draft.remark"}


@operation("GET", "/agents", AgentListJson, listed="agents")
def list_agents_(on: Scope) -> Sequence[AgentEntry]:
    """The agents by name, also those whose file is wrong."""
    return list_agents(on.workspace, get_language())


@operation("GET", "/agents/{name}", AgentJson)
def show_agent(on: Scope, name: str) -> Agent:
    """An agent with its persona and sections."""
    return get_agent(on.workspace, name, get_language())


@operation("GET", "/agents/{name}/text", AgentFile, reviewed=True)
def show_agent_text(on: Scope, name: str) -> AgentFile:
    """The file of an agent as it is, also if it is wrong; its ETag is what a change names."""
    return get_agent_file(on.workspace, name, get_language())


@operation("POST", "/agents/{name}/check", AgentEntryJson, owner=True)
def check_agent_(on: Scope, name: str, asked: AgentTextRequest) -> AgentEntry:
    """The agent that a text would make, or what is wrong with it; nothing is written. The owner's alone."""
    return check_agent_text(on.workspace, name, asked.text, get_language())


@operation("POST", "/agents/{name}", AgentJson, owner=True, audit="agent.create")
def create_agent_(on: Scope, name: str, asked: AgentRequest) -> Agent:
    """A new agent of the project: from a text, else a copy of another. The owner's alone."""
    on.note(name)
    return create_agent(on.workspace, name, asked.base, get_language(), asked.text)


@operation("PUT", "/agents/{name}", AgentFile, audit="agent.change", **_CHANGE)
def change_agent_(on: Scope, name: str, asked: AgentTextRequest) -> AgentFile:
    """Change the file of an agent; 409 if it changed since it was read. The owner's alone."""
    return change_agent(on.workspace, name, asked.text, on.reviewed, get_language())


@operation("DELETE", "/agents/{name}", AgentFile, audit="agent.delete", **_CHANGE)
def delete_agent_(on: Scope, name: str) -> AgentFile:
    """Delete the file of an agent of the project; 409 if it changed since it was read. The owner's alone."""
    return delete_agent(on.workspace, name, on.reviewed)


@operation("GET", "/features", SpecificationListJson, listed="features")
def list_features(on: Scope) -> Sequence[Specification]:
    """The specifications by name."""
    return list_specifications(on.workspace)


@operation("GET", "/features/{name}", SpecificationTextJson, reviewed=True)
def show_feature(on: Scope, name: str) -> Specification:
    """A specification with its text; its ETag is what an approval names."""
    return get_specification(on.workspace, name)


@operation("GET", "/features/{name}/check", SpecificationCheckJson)
def check_feature(on: Scope, name: str) -> SpecificationCheckJson:
    """What is missing in a specification."""
    feature = get_specification(on.workspace, name)
    problems = check_specification(on.workspace, name)
    checked = replace(feature, problems=problems)
    ok = not any(problem.blocking for problem in problems)
    return SpecificationCheckJson(ok=ok, features=[checked])


@operation("GET", "/features/{name}/diff", SpecificationComparison)
def diff_feature(on: Scope, name: str) -> SpecificationComparison:
    """What a specification says otherwise than what was approved last, line by line."""
    return compare_approved(on.workspace, name)


@operation("POST", "/features/{name}/check", SpecificationTextJson, owner=True)
def check_unsaved(on: Scope, name: str, asked: SpecificationRequest) -> Specification:
    """A specification as it would be, with its problems by line; nothing is written. The owner's alone."""
    return check_change(on.workspace, name, partial(_apply, asked))


@operation("POST", "/features/{name}", SpecificationTextJson, audit="feature.create", **_CHANGE)
def create_feature(on: Scope, name: str, asked: SpecificationRequest) -> Specification:
    """Write a new specification, which nobody has approved; the owner's alone."""
    on.note(name)
    title, owner = asked.title or "", asked.owner or ""
    return create_specification(on.workspace, name, title, owner, partial(_apply, asked))


@operation("PUT", "/features/{name}", SpecificationTextJson, audit="feature.change", **_CHANGE)
def change_feature(on: Scope, name: str, asked: SpecificationRequest) -> Specification:
    """Change a specification, which ends its approval; 409 if it changed since it was read. The owner's alone."""
    return change_specification(on.workspace, name, partial(_apply, asked), on.reviewed)


@operation("DELETE", "/features/{name}", Specification, audit="feature.delete", **_CHANGE)
def delete_feature(on: Scope, name: str) -> Specification:
    """Delete the file of a specification; 409 if it changed since it was read. The owner's alone."""
    return delete_specification(on.workspace, name, on.reviewed)


def _apply(asked: SpecificationRequest, spec: Specification) -> str:
    """The whole text of a specification's file as it is asked for, from what it is now."""
    if asked.markdown is not None:
        return asked.markdown
    given = asked.model_dump(include={"title", "owner", "source_hierarchy"}, exclude_none=True)
    sections = asked.sections
    if sections is not None:
        given["sections"] = [{one.title: one.form} if one.form else one.title for one in sections]
    kept = {one.title for one in sections} if sections is not None else {*spec.sections}
    # What a section wants goes with it.
    wants: dict[str, list[str]] = {title: [] for title in spec.sections if title not in kept}
    wants |= {one.title: one.wants for one in sections or () if one.wants is not None}
    body = replace_wants(spec.text if asked.text is None else asked.text, wants)
    text = replace_keys(spec.markdown, given)
    return text if body == spec.text else replace_body(text, body)


@operation(
    "POST",
    "/features/{name}/approve",
    Specification,
    owner=True,
    audit="feature.approve",
    reviewed=True,
)
def approve(on: Scope, name: str, asked: PersonRequest) -> Specification:
    """Approve a specification; 409 if it changed or is approved already. The owner's alone."""
    reviewed = on.reviewed or get_specification(on.workspace, name).content_hash
    return approve_specification(on.workspace, name, asked.by or on.who, reviewed=reviewed)


@operation(
    "POST",
    "/features/{name}/revoke",
    Specification,
    owner=True,
    audit="feature.revoke",
)
def revoke(on: Scope, name: str) -> Specification:
    """Make a specification a draft again; the owner's alone."""
    return revoke_approval(on.workspace, name)


@operation("POST", "/drafts/plan", DraftPlanJson, agent=("document", "topic"), slow=True)
def plan(on: Scope, asked: DraftRequest) -> DraftPlan:
    """What a draft would rest on: hits, conflicts, budget and prompts; nothing is written."""
    return plan_draft(
        on.workspace,
        asked.topic,
        feature=choose_specification(on.workspace, asked.feature),
        filters=on.filters,
        mode=asked.mode,
        fresh=True,
        progress=on.progress,
    )


@operation(
    "POST",
    "/drafts",
    DraftJson,
    agent=("document", "topic"),
    owner=True,
    slow=True,
    once=True,
    audit="draft.write",
    stream=(
        "stream_draft",
        "Write a draft step by step; the last event is its document. The owner's alone.",
    ),
)
def write(on: Scope, asked: DraftRequest) -> DraftFile:
    """Write a draft and register it, the owner's alone; without an ``output`` it goes where drafts go."""
    path = choose_draft_path(on.workspace, asked.output, asked.feature)
    on.note(get_draft_key(on.workspace, path))
    written = generate_file(
        on.workspace,
        asked.topic,
        path,
        feature=asked.feature,
        filters=on.filters,
        mode=asked.mode,
        fresh=asked.fresh,
        overwrite=asked.overwrite,
        progress=on.progress,
    )
    return hide_place(on.workspace, written)


@operation("GET", "/drafts", DraftListJson, listed="drafts")
def list_drafts_(on: Scope, feature: str | None = None) -> Sequence[DraftStatus]:
    """The registered drafts, latest first."""
    records = list_drafts(on.workspace, feature)
    return [get_draft_status(on.workspace, record) for record in records]


@operation("GET", "/drafts/{path:path}/verification", DraftVerificationJson, slow=True)
def verify(on: Scope, path: str) -> DraftVerification:
    """Check a draft, edited or not, statement by statement."""
    return verify_draft(on.workspace, path, progress=on.progress)


@operation("GET", "/drafts/{path:path}/content", DraftContentJson, reviewed=True)
def show_content(on: Scope, path: str) -> DraftContent:
    """A draft's text with its sentences, their quotations and verdicts, and the remarks on them.

    Nothing is checked: a verdict is that of the last check. The ETag is what a change names.
    """
    return get_content(on.workspace, path)


@operation(
    "PUT", "/drafts/{path:path}/content", DraftEditJson, slow=True, audit="draft.edit", **_CHANGE
)
def change_content(on: Scope, path: str, asked: DraftTextRequest) -> DraftEdit:
    """Change a draft's text and check the sentences that are new; the owner's alone.

    A change that somebody made meanwhile is kept if it touches other lines; else 409, with that text.
    """
    file = choose_draft_path(on.workspace, get_draft(on.workspace, path).path, None)
    return change_draft_text(on.workspace, file, asked.markdown, on.reviewed, on.progress)


@operation("GET", "/drafts/{path:path}/diff", DraftComparisonJson)
def compare(on: Scope, path: str, other: Text = "") -> DraftComparison:
    """What a draft says otherwise than what the run before wrote, sentence by sentence.

    ``other`` is another draft, or the hash of a text that this one had.
    """
    return compare_drafts(on.workspace, path, other)


@operation("GET", "/drafts/{path:path}/notes", DraftNotesJson, listed="notes")
def list_notes(on: Scope, path: str) -> Sequence[PlacedNote]:
    """The remarks on a draft, each with the sentence that it is on now."""
    return get_content(on.workspace, path).notes


@operation("POST", "/drafts/{path:path}/notes", DraftNotesJson, **_REMARK)
def add_note_(on: Scope, path: str, asked: NoteRequest) -> Sequence[PlacedNote]:
    """Remark on a sentence of a draft; whoever sees it may. Gives all remarks."""
    return add_note(on.workspace, path, asked.sentence, asked.text, on.who or asked.by)


@operation("PATCH", "/drafts/{path:path}/notes/{note_id}", DraftNotesJson, **_REMARK)
def resolve_note_(
    on: Scope, path: str, note_id: str, asked: NoteStateRequest
) -> Sequence[PlacedNote]:
    """Resolve a remark, or open it again; whoever sees the draft may. Gives all remarks."""
    return resolve_note(on.workspace, path, note_id, on.who or asked.by, done=asked.resolved)


@operation("DELETE", "/drafts/{path:path}/notes/{note_id}", DraftNotesJson, **_REMARK)
def remove_note_(on: Scope, path: str, note_id: str) -> Sequence[PlacedNote]:
    """Remove a remark of one's own; the owner any. Gives the others."""
    return remove_note(on.workspace, path, note_id, on.who)


@operation("GET", "/drafts/{path:path}", DraftDetailsJson)
def show_draft(on: Scope, path: str) -> DraftStatus:
    """A draft with its sections, conflicts and sources."""
    return get_draft_status(on.workspace, get_draft(on.workspace, path))


@operation(
    "POST",
    "/drafts/{path:path}/accept",
    DraftStatusJson,
    slow=True,
    audit="draft.accept",
    **_CHANGE,
)
def accept(on: Scope, path: str, asked: AcceptRequest) -> DraftStatus:
    """Record who reviewed a draft; 409 if somebody did, or if it changed since it was read. The owner's alone."""
    record = accept_draft(
        on.workspace,
        path,
        asked.by or on.who,
        asked.note,
        again=False,
        reviewed=on.reviewed,
        confirm=lambda found: all(one.check.sentence in asked.unchecked for one in found),
        progress=on.progress,
    )
    return get_draft_status(on.workspace, record)


@operation("GET", "/builds", BuildStateJson, slow=True)
def show_builds(on: Scope) -> BuildState:
    """The files of the last build, which the owner alone sees, and what prevents a build now."""
    return get_build_state(on.workspace)
