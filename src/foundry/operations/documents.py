"""Agents, specifications and drafts.

Only the owner approves and accepts: who signs for a document must see all that it may rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foundry.journeys.agents import AgentEntry, get_agent, list_agents
from foundry.journeys.delivery import DraftFile, choose_draft_path, generate_file, hide_place
from foundry.journeys.drafts import (
    DraftStatus,
    DraftVerification,
    accept_draft,
    get_draft,
    get_draft_status,
    list_drafts,
    verify_draft,
)
from foundry.journeys.generate import DraftPlan, plan_draft
from foundry.journeys.specifications import (
    approve_specification,
    check_specification,
    choose_specification,
    get_specification,
    list_specifications,
    revoke_approval,
)
from foundry.messages import get_language
from foundry.operations.table import Scope, operation
from foundry.records import Agent, Specification
from foundry.wire.agents import AgentJson, AgentListJson
from foundry.wire.documents import (
    DraftDetailsJson,
    DraftJson,
    DraftListJson,
    DraftPlanJson,
    DraftStatusJson,
    DraftVerificationJson,
    SpecificationCheckJson,
    SpecificationListJson,
    SpecificationTextJson,
)
from foundry.wire.requests import DraftRequest, PersonRequest


@operation("GET", "/agents", AgentListJson, listed="agents")
def list_agents_(on: Scope) -> Sequence[AgentEntry]:
    """The agents by name, also those whose file is wrong."""
    return list_agents(on.workspace, get_language())


@operation("GET", "/agents/{name}", AgentJson)
def show_agent(on: Scope, name: str) -> Agent:
    """An agent with its persona and sections."""
    return get_agent(on.workspace, name, get_language())


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
    written = generate_file(
        on.workspace,
        asked.topic,
        choose_draft_path(on.workspace, asked.output, asked.feature),
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


@operation("GET", "/drafts/{path:path}", DraftDetailsJson)
def show_draft(on: Scope, path: str) -> DraftStatus:
    """A draft with its sections, conflicts and sources."""
    return get_draft_status(on.workspace, get_draft(on.workspace, path))


@operation(
    "POST",
    "/drafts/{path:path}/accept",
    DraftStatusJson,
    owner=True,
    audit="draft.accept",
)
def accept(on: Scope, path: str, asked: PersonRequest) -> DraftStatus:
    """Record who reviewed a draft; 409 if somebody did. The owner's alone."""
    record = accept_draft(on.workspace, path, asked.by or on.who, asked.note, again=False)
    return get_draft_status(on.workspace, record)
