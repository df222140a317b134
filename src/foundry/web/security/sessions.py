"""Signed cookies, and how often somebody may ask."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from itsdangerous import BadSignature, TimestampSigner
from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from foundry.clock import get_now
from foundry.errors import TooManyRequests
from foundry.ids import hash_bytes

FAILURES_PER_MINUTE = 20
"""Wrong tokens from one address (a guess): a person mistypes a few, a program tries thousands."""
_KEY_FILE = ".foundry/session.key"


class _Signer(TimestampSigner):
    """Signs with the project's clock."""

    def get_timestamp(self) -> int:
        return int(get_now().timestamp())


class Sessions:
    """Cookies that only this project's server can sign, such as the id of a token.

    ``cookie`` is their name.
    """

    def __init__(self, key: bytes, hours: int) -> None:
        self.seconds = hours * 3600
        self._signer = _Signer(key, salt="foundry.session")
        # A browser sends a cookie to all ports of a machine: each project's has its own name.
        self.cookie = f"foundry_session_{hash_bytes(key)[:8]}"

    def sign(self, token_id: str) -> str:
        """The value of a cookie."""
        return self._signer.sign(token_id).decode()

    def read(self, cookie: str, seconds: int | None = None) -> str | None:
        """The signed text; None for a cookie that is not ours or older than ``seconds``.

        The default is the lifetime of a session.
        """
        try:
            token, signed = self._signer.unsign(cookie, return_timestamp=True)
        except BadSignature:
            return None
        # Not the signer's own check: it refuses a cookie from before the clock went back.
        lifetime = timedelta(seconds=self.seconds if seconds is None else seconds)
        return token.decode() if get_now() - signed <= lifetime else None


def open_key(root: Path) -> bytes:
    """The project's key for cookies, made on first use; one for this process on a read-only disk."""
    path, key = root / _KEY_FILE, secrets.token_bytes(32)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with suppress(FileExistsError):
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(key)
        kept = path.read_bytes()
        return kept if len(kept) == len(key) else key
    return key


class Limits:
    """How often one token may ask, and one address may fail."""

    def __init__(self, requests_per_minute: int) -> None:
        self._window = FixedWindowRateLimiter(MemoryStorage())
        self._requests = RateLimitItemPerMinute(requests_per_minute)
        self._failures = RateLimitItemPerMinute(FAILURES_PER_MINUTE)

    def count_request(self, token_id: str) -> None:
        """Raise ``TooManyRequests`` if this is one too many."""
        if not self._window.hit(self._requests, "token", token_id):
            raise TooManyRequests("web-too-many", where=str(self._requests))

    def count_failure(self, address: str) -> None:
        """The same, for a login or a token that is not valid."""
        if not self._window.hit(self._failures, "address", address):
            raise TooManyRequests("web-too-many", where=str(self._failures))
