"""What every store must do with tokens and the audit stream."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from foundry.records import AuditEvent, ProjectRole, Token
from foundry.store import Store

WHEN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
TOKEN = Token("abc", "ci", "internal", "hash", WHEN, WHEN + timedelta(days=30))


class AccessContract:
    """The tests; the fixture ``store`` is an empty store."""

    def test_a_token_is_found_with_its_last_use_and_end(self, store: Store) -> None:
        store.access.add_token(TOKEN)
        store.access.note_token_use("abc", WHEN)
        store.access.revoke_token("abc", WHEN + timedelta(days=1))
        ended = replace(TOKEN, used=WHEN, revoked=WHEN + timedelta(days=1))
        assert store.access.find_token("abc") == ended
        assert store.access.list_tokens() == [ended]
        assert store.access.find_token("xyz") is None

    def test_a_revocation_is_undone_by_no_request_that_read_the_token_before(
        self, store: Store
    ) -> None:
        store.access.add_token(TOKEN)
        read = store.access.find_token("abc")
        store.access.revoke_token("abc", WHEN)
        assert read is not None
        store.access.note_token_use(read.id, WHEN)
        store.access.revoke_token("abc", WHEN + timedelta(days=1))
        assert store.access.find_token("abc") == replace(TOKEN, revoked=WHEN)

    def test_the_audit_stream_is_read_in_pages_latest_first(self, store: Store) -> None:
        for number in range(3):
            event = AuditEvent(WHEN, "ci", "internal", "source.remove", str(number), "::1", "done")
            store.access.add_event(event)
        first = store.access.list_events(2)
        rest = store.access.list_events(2, first[-1].number)
        assert [event.subject for event in (*first, *rest)] == ["2", "1", "0"]
        assert replace(first[0], number=0) == event

    def test_a_role_is_found_for_its_project_and_beside_the_one_for_all(self, store: Store) -> None:
        for folder, role in (("lift", "internal"), ("lift", "secret"), ("", "public")):
            store.access.put_role(ProjectRole("ada", folder, role))
        store.access.put_role(ProjectRole("bob", "lift", "public"))
        everywhere, lift = ProjectRole("ada", "", "public"), ProjectRole("ada", "lift", "secret")
        assert store.access.find_roles("ada", "lift") == [everywhere, lift]
        assert store.access.find_roles("ada", "crane") == [everywhere]
        assert store.access.delete_role("bob", "lift")
        assert not store.access.delete_role("bob", "lift")
        assert store.access.list_roles() == [everywhere, lift]
