"""Signing in through an identity provider: OpenID Connect, authorization code with PKCE.

The provider says who somebody is and to which groups they belong; ``web.oidc.roles`` maps groups to
roles. The session cookie keeps the name and the mapped groups. The role is looked up at each request, so
removing a group from ``foundry.yaml`` takes effect when the server restarts. OpenID Connect Core 1.0, sections 3.1
and 5.1; RFC 7636 for PKCE.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from foundry.clock import get_now
from foundry.config import OidcConfig
from foundry.errors import NotAuthenticated
from foundry.records import CONFIDENTIALITY_LEVELS, Confidentiality

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""Signatures with a key of the provider; none can be made with our secret."""
SCOPES = "openid email profile"
WAIT_S = 10.0
"""Time limit of each reply of the provider, in seconds."""
LEEWAY_S = 60
"""How much two clocks may differ, in seconds (a guess)."""
_MARK = "person."


@dataclass(frozen=True, slots=True)
class Person:
    """Who signed in: a name, and the groups that the provider says they are in."""

    name: str
    groups: tuple[str, ...] = ()

    def pack(self) -> str:
        """The person as text for a cookie."""
        return _MARK + urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode()


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the browser keeps while somebody is at the provider."""

    state: str
    nonce: str
    verifier: str
    next: str


class SignIn:
    """The provider that ``web.oidc`` names; it is asked for its addresses at the first use."""

    def __init__(self, config: OidcConfig, secret: str) -> None:
        self._config, self._secret = config, secret

    @staticmethod
    def unpack(text: str) -> Person | None:
        """The person in a cookie's text; None if there is none."""
        if not text.startswith(_MARK):
            return None
        facts = json.loads(urlsafe_b64decode(text.removeprefix(_MARK)))
        return Person(facts["name"], tuple(facts["groups"]))

    def choose_role(self, person: Person) -> Confidentiality | None:
        """Return the highest role of the person's groups, else ``web.oidc.role``; None without a role."""
        found = [self._config.roles[one] for one in person.groups if one in self._config.roles]
        if self._config.role != "none":
            found.append(self._config.role)
        return max(found, key=CONFIDENTIALITY_LEVELS.index, default=None)

    def begin(self, back: str, following: str) -> tuple[str, Attempt]:
        """Return the address to send the browser to, and what it keeps; it returns to ``back``.

        Raises ``NotAuthenticated`` if the provider cannot be reached.
        """
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        attempt = Attempt(state, nonce, verifier, following)
        digest = hashlib.sha256(attempt.verifier.encode()).digest()
        fields = {
            "response_type": "code",
            "client_id": self._config.client_id,
            "redirect_uri": back,
            "scope": SCOPES,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        address = self._facts["authorization_endpoint"]
        return f"{address}{'&' if '?' in address else '?'}{urlencode(fields)}", attempt

    def finish(self, back: str, attempt: Attempt, given: Mapping[str, str]) -> Person:
        """Return who signed in, from the parameters with which the provider sent the browser back.

        Raises ``NotAuthenticated`` for a refusal, a reply to another attempt, and tokens that do not
        prove who it is.
        """
        if not secrets.compare_digest(given.get("state", ""), attempt.state):
            raise NotAuthenticated("web-sign-in-other")
        if "code" not in given:
            cause = given.get("error_description") or given.get("error", "")
            raise NotAuthenticated("web-sign-in-refused", cause=cause[:200])
        try:
            token = self._trade(given["code"], back, attempt.verifier)
            claims = self._read_claims(token["id_token"], attempt.nonce)
            if self._config.groups not in claims and "userinfo_endpoint" in self._facts:
                told = _fetch(self._facts["userinfo_endpoint"], token["access_token"])
                claims = {**told, **claims} if told.get("sub") == claims["sub"] else claims
        except (httpx.HTTPError, JoseError, KeyError, TypeError, ValueError) as error:
            raise NotAuthenticated("web-sign-in-invalid", cause=_explain(error)) from error
        return self._build_person(claims)

    def _build_person(self, claims: Mapping[str, Any]) -> Person:
        # An address that the provider has not checked could be anybody's.
        unchecked = self._config.name == "email" and claims.get("email_verified") is False
        name = "" if unchecked else str(claims.get(self._config.name) or "")
        said = claims.get(self._config.groups) or ()
        groups = (said,) if isinstance(said, str) else tuple(map(str, said))
        # A cookie has room for some 4,000 characters, and a person may be in hundreds of groups.
        mapped = tuple(one for one in groups if one in self._config.roles)
        return Person((name or str(claims["sub"]))[:64], mapped)

    def _read_claims(self, text: str, nonce: str) -> dict[str, Any]:
        """Return the claims of an id token, if signature, issuer, audience, time and nonce are right."""
        token = jwt.decode(text, self._keys, algorithms=ALGORITHMS)
        jwt.JWTClaimsRegistry(
            now=lambda: int(get_now().timestamp()),
            leeway=LEEWAY_S,
            iss={"essential": True, "value": self._facts["issuer"]},
            aud={"essential": True, "value": self._config.client_id},
            nonce={"essential": True, "value": nonce},
            exp={"essential": True},
            sub={"essential": True},
        ).validate(token.claims)
        return dict(token.claims)

    def _trade(self, code: str, back: str, verifier: str) -> dict[str, Any]:
        """Trade the provider's code for its tokens."""
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "code_verifier": verifier,
        }
        client, secret = self._config.client_id, self._secret
        # RFC 6749, 2.3.1: a client without a secret names itself in the form.
        named = {} if secret else {"client_id": client}
        reply = httpx.post(
            self._facts["token_endpoint"],
            data=fields | named,
            auth=(quote(client, safe=""), quote(secret, safe="")) if secret else None,
            timeout=WAIT_S,
        )
        return dict(reply.raise_for_status().json())

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """Return the provider's addresses. Raises ``NotAuthenticated`` if it does not publish them."""
        issuer = self._config.issuer.rstrip("/")
        try:
            facts = _fetch(f"{issuer}/.well-known/openid-configuration")
            needed = [facts[f"{one}_endpoint"] for one in ("authorization", "token")]
            if facts["issuer"].rstrip("/") != issuer:
                raise ValueError(facts["issuer"])
            for address in (*needed, facts["jwks_uri"]):
                _require_private(address)
        except (httpx.HTTPError, KeyError, TypeError, ValueError) as error:
            cause = _explain(error)
            raise NotAuthenticated(
                "web-sign-in-provider", where="web.oidc.issuer", issuer=issuer, cause=cause
            ) from error
        return dict(facts)

    @property
    def _keys(self) -> KeySet:
        # Read for each sign-in: a provider changes its keys, and people sign in once a day.
        return KeySet.import_key_set(_fetch(self._facts["jwks_uri"]))


def _fetch(address: str, access: str = "") -> Any:
    _require_private(address)
    headers = {"Authorization": f"Bearer {access}"} if access else {}
    return httpx.get(address, headers=headers, timeout=WAIT_S).raise_for_status().json()


def _require_private(address: str) -> None:
    """Raise ``ValueError`` for an address that is neither encrypted nor on this machine."""
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in {"127.0.0.1", "localhost", "::1"}:
        raise ValueError(f"{address}: https")


def _explain(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
