"""Chains of revisions: recognised after each ingest, and corrected by people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from foundry.analysis.sketches import (
    compare_sketches,
    compute_sketch,
    find_alike,
    find_nearly_identical,
)
from foundry.clock import get_now
from foundry.craft.conflicts.chains import (
    compare_order,
    find_chains,
    has_doubt,
    is_same_document,
    place_sources,
)
from foundry.craft.conflicts.resolution import is_later
from foundry.errors import RuleError, UsageError
from foundry.journeys.sources import get_source
from foundry.messages import Message
from foundry.records import (
    LinkedRevision,
    RevisionChain,
    RevisionLink,
    RevisionMember,
    Source,
)
from foundry.store import StoreView
from foundry.workspace import Workspace

_MOST_DOUBTS = 5
"""Contradicting pairs that an ingest names."""


def update_chains(workspace: Workspace) -> list[Message]:
    """Recognise chains anew; returns what contradicts itself in them. Needs the highest role."""
    store = workspace.maintenance()
    for source_id in store.list_unsketched():
        store.save_sketch(source_id, compute_sketch(store.source_text(source_id)))
    sources = store.list_sources()
    links = store.list_revision_links()
    pairs = list(_list_pairs(store, sources))
    found = find_chains(sources, pairs, links)
    places = place_sources(found.chains, links)
    changed = {s.id: places[s.id] for s in sources if places[s.id] != (s.chain, s.chain_place)}
    if changed:
        store.save_chains(changed)
    said = {(link.newer, link.older) for link in links}
    doubts = [
        Message("revision-doubt", newer=one.path, older=other.path)
        for one, other in found.doubts
        if said.isdisjoint(((one.path, other.path), (other.path, one.path)))
    ]
    return doubts[:_MOST_DOUBTS]


def _list_pairs(store: StoreView, sources: Sequence[Source]) -> Iterator[tuple[Source, Source]]:
    """The sources that are revisions of one document by name and words."""
    known, sketches = {source.id: source for source in sources}, store.list_sketches()
    for first, second in find_alike(sketches):
        one, other = known[first], known[second]
        shared = compare_sketches(sketches[first], sketches[second]).of_shorter
        if is_same_document(one, other, shared):
            yield one, other


def list_chains(workspace: Workspace) -> list[RevisionChain]:
    """The chains with at least two visible revisions, by the path of the current one."""
    grouped: dict[str, list[Source]] = defaultdict(list)
    for source in workspace.store.list_sources():
        if source.chain:
            grouped[source.chain].append(source)
    links = [link for link in workspace.store.list_revision_links() if link.linked]
    chains = [_build_chain(members, links) for members in grouped.values()]
    found = [chain for chain in chains if len({one.step for one in chain.members}) > 1]
    return sorted(found, key=lambda chain: chain.members[0].path)


def _build_chain(sources: Sequence[Source], links: Sequence[RevisionLink]) -> RevisionChain:
    ordered = sorted(sources, key=lambda one: (-one.chain_place, one.path))
    steps = sorted({one.chain_place for one in sources})
    members = tuple(
        RevisionMember(
            one.path, one.title, one.revision, one.revision_date, 1 + steps.index(one.chain_place)
        )
        for one in ordered
    )
    paths = {one.path for one in sources}
    own = tuple(link for link in links if {link.newer, link.older} <= paths)
    return RevisionChain(members, own)


def find_chain(workspace: Workspace, source: Source) -> RevisionChain | None:
    """The chain that a source is in, as the caller sees it."""
    chains = list_chains(workspace) if source.chain else []
    return next((c for c in chains if any(one.path == source.path for one in c.members)), None)


def list_doubles(workspace: Workspace, source: Source) -> list[str]:
    """The paths of the sources that are nearly identical to one, other than its revisions."""
    sketches = workspace.store.list_sketches()
    own = sketches.pop(source.id, None)
    if own is None:
        return []
    found = workspace.store.get_sources(find_nearly_identical(own, sketches)).values()
    return sorted(one.path for one in found if is_later(one, source) is None)


def link_revisions(
    workspace: Workspace, newer: str, older: str, *, author: str, reason: str
) -> LinkedRevision:
    """Say that a source revises another; returns what contradicts that.

    Raises ``NotFound``, and ``RuleError`` if one of them has another neighbour in its chain already, or
    if the older one revises the newer one by what people said before.
    """
    new, old = _get_two(workspace, newer, older)
    _require_no_circle(workspace, new, old)
    if new.chain != old.chain or not new.chain:
        _require_ends(workspace, new, old)
    link = RevisionLink(new.path, old.path, True, author, reason, get_now())
    _save(workspace, link)
    return LinkedRevision(link, tuple(_list_objections(new, old)))


def unlink_revisions(
    workspace: Workspace, newer: str, older: str, *, author: str, reason: str
) -> LinkedRevision:
    """Say that two sources are not revisions of one document. Raises ``NotFound``."""
    new, old = _get_two(workspace, newer, older)
    link = RevisionLink(new.path, old.path, False, author, reason, get_now())
    _save(workspace, link)
    return LinkedRevision(link)


def _get_two(workspace: Workspace, newer: str, older: str) -> tuple[Source, Source]:
    new, old = get_source(workspace, newer), get_source(workspace, older)
    if new.id == old.id:
        raise UsageError("revision-same", where=newer, path=new.path)
    return new, old


def _save(workspace: Workspace, link: RevisionLink) -> None:
    workspace.maintenance().save_revision_link(link)
    update_chains(workspace)


def _require_no_circle(workspace: Workspace, new: Source, old: Source) -> None:
    """Raise ``RuleError`` if people's links lead from the newer one to the older one."""
    later: dict[str, list[str]] = defaultdict(list)
    for link in workspace.store.list_revision_links():
        if link.linked:
            later[link.older].append(link.newer)
    seen, waiting = set[str](), [new.path]
    while waiting:
        path = waiting.pop()
        if path == old.path:
            raise RuleError("revision-circle", where=new.path, newer=new.path, older=old.path)
        if path not in seen:
            seen.add(path)
            waiting += later[path]


def _require_ends(workspace: Workspace, new: Source, old: Source) -> None:
    """Raise ``RuleError`` where two chains would meet: one has a neighbour there already."""
    chains = {source.id: find_chain(workspace, source) for source in (new, old)}
    for source, beside, code in (
        (old, _find_beside(chains[old.id], old, 1), "revision-has-newer"),
        (new, _find_beside(chains[new.id], new, -1), "revision-has-older"),
    ):
        if beside:
            raise RuleError(code, where=source.path, path=source.path, other=beside)


def _find_beside(chain: RevisionChain | None, source: Source, way: int) -> str | None:
    """The path of the revision after or before one in its chain."""
    if chain is None:
        return None
    steps = {one.path: one.step for one in chain.members}
    wanted = steps[source.path] + way
    return next((path for path, step in steps.items() if step == wanted), None)


def _list_objections(new: Source, old: Source) -> list[Message]:
    """What is printed in two linked sources, or in their paths, that says otherwise."""
    if has_doubt(new, old) or compare_order(new, old) == -1:
        return [Message("revision-objection", newer=new.path, older=old.path)]
    return []
