"""Chains of revisions: rebuilt after each ingest, and corrected by people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

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
"""How many contradictions an ingest reports."""


def update_chains(workspace: Workspace) -> list[Message]:
    """Rebuild all revision chains and return the contradictions found. Requires the highest role."""
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
    """Yield the pairs of sources that are revisions of one document, judged by name and words."""
    known, sketches = {source.id: source for source in sources}, store.list_sketches()
    for first, second in find_alike(sketches):
        one, other = known[first], known[second]
        shared = compare_sketches(sketches[first], sketches[second]).of_shorter
        if is_same_document(one, other, shared):
            yield one, other


def list_chains(workspace: Workspace) -> list[RevisionChain]:
    """Return the chains with at least two visible revisions, sorted by the current one's path."""
    return _build_chains(workspace, workspace.store.list_chained())


def _build_chains(workspace: Workspace, sources: Iterable[Source]) -> list[RevisionChain]:
    grouped: dict[str, list[Source]] = defaultdict(list)
    for source in sources:
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
    """Return the chain of a source, as far as the caller may see it."""
    own = workspace.store.list_chained(source.chain) if source.chain else []
    return next(iter(_build_chains(workspace, own)), None)


def list_doubles(workspace: Workspace, source: Source) -> list[str]:
    """Return the paths of the sources that are nearly identical to one, but no revisions of it."""
    sketches = workspace.store.list_sketches()
    own = sketches.pop(source.id, None)
    if own is None:
        return []
    found = workspace.store.get_sources(find_nearly_identical(own, sketches)).values()
    return sorted(one.path for one in found if is_later(one, source) is None)


def link_revisions(
    workspace: Workspace, newer: str, older: str, *, author: str, reason: str
) -> LinkedRevision:
    """Record that a source revises another; the result notes what contradicts it.

    Raises ``NotFound``, and ``RuleError`` if one of them already has another neighbour in its chain, or
    if earlier links make the older one a revision of the newer one.
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
    """Record that two sources are not revisions of one document. Raises ``NotFound``."""
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
    """Raise ``RuleError`` if people's links already make the older one a revision of the newer one."""
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
    """Raise ``RuleError`` if either source already has a neighbour where the two chains would join."""
    chains = {source.id: find_chain(workspace, source) for source in (new, old)}
    for source, beside, code in (
        (old, _find_beside(chains[old.id], old, 1), "revision-has-newer"),
        (new, _find_beside(chains[new.id], new, -1), "revision-has-older"),
    ):
        if beside:
            raise RuleError(code, where=source.path, path=source.path, other=beside)


def _find_beside(chain: RevisionChain | None, source: Source, way: int) -> str | None:
    """Return the path of the next (``way`` 1) or previous (-1) revision in a chain."""
    if chain is None:
        return None
    steps = {one.path: one.step for one in chain.members}
    wanted = steps[source.path] + way
    return next((path for path, step in steps.items() if step == wanted), None)


def _list_objections(new: Source, old: Source) -> list[Message]:
    """Return a notice if marks, versions or dates contradict a link."""
    if has_doubt(new, old) or compare_order(new, old) == -1:
        return [Message("revision-objection", newer=new.path, older=old.path)]
    return []
