"""Services that read pages: docling-serve and MinerU, each called by its own API.

A page is sent as a PDF of its own, under a name that says nothing. The shapes are those of
docling-serve 1.38 (tasks of ``/v1/convert/file/async``) and of MinerU 3.4 (``/file_parse``) and 4.0
(``/v1/file_parse``). What a reply says is for the readers.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from foundry.config import OutsideConfig
from foundry.errors import ConfigError, FoundryError, ModelError
from foundry.messages import Message
from foundry.models.deadlines import open_session
from foundry.models.gateway import call, map_calls
from foundry.models.providers import Target, is_loopback
from foundry.models.settings import ModelSettings

KEY = "ingest.outside.address"
"""The key in foundry.yaml for the address of a service."""
_NAMES = {"docling": "docling-serve", "mineru": "MinerU"}
_KEYS = {"docling": "DOCLING_SERVE_API_KEY", "mineru": "MINERU_API_KEY"}
_VERSIONS = {"docling": ("/version",), "mineru": ("/v1/health", "/health")}
_VERSION_S = 10.0
_REPLY_BYTES = 16 * 2**20
"""Limit on a reply; a page without pictures takes a tenth of it."""
_POLL_S = 0.3
"""Pause between polls, for a server that answers at once."""
_MOST_FAILED = 3
"""Give up on the service after so many failures in a row. A guess."""


@dataclass(frozen=True, slots=True)
class OutsideReader:
    """A service with its version; ``problem`` if it cannot be asked. See ``ports.PageService``."""

    kind: str
    address: str
    all_pages: bool
    settings: OutsideConfig
    concurrency: int
    version: str = ""
    problem: Message | None = None
    key: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """Its name and version."""
        return f"{_NAMES[self.kind]} {self.version}".strip()

    def read_pages(self, pages: Iterable[bytes]) -> Iterator[object]:
        """Yield the reply or the error for each page in turn; stops after several errors in a row."""
        # No retries: the time limit of the file is running, and the next ingest tries again.
        calls = ModelSettings(self.settings.timeout_s, 0, self.concurrency)
        failed = 0

        def read(page: bytes) -> object:
            if len(page) > self.settings.max_mb * 1_000_000:
                size, limit = round(len(page) / 1e6, 1), self.settings.max_mb
                return ModelError("outside-page-large", size=size, limit=limit)
            try:
                return call(self._target, calls, lambda: self._send(page), limit=_REPLY_BYTES)
            except FoundryError as error:
                return error

        for reply in map_calls(read, pages, self.concurrency):
            failed = failed + 1 if isinstance(reply, FoundryError) else 0
            yield reply
            if failed >= _MOST_FAILED:
                return

    def find_version(self) -> str:
        """Return the version of the service, or "" if it does not tell. Raises ``ModelError``."""
        calls = ModelSettings(min(_VERSION_S, self.settings.timeout_s), 0)
        said = call(self._target, calls, self._ask_version, limit=2**20)
        if not isinstance(said, Mapping):
            raise ModelError("outside-no-service", where=KEY, address=self.address)
        version = str(said.get("docling-serve") or said.get("version") or "")[:40]
        # The models come with docling, not with the service around it.
        docling = str(said.get("docling") or "")[:40]
        return f"{version} (docling {docling})" if docling else version

    @property
    def _target(self) -> Target:
        name, local = _NAMES[self.kind], is_loopback(self.address)
        return Target(name, self.kind, name, self.address, local, api_key=self.key, named_by=KEY)

    @property
    def _headers(self) -> dict[str, str]:
        if not self.key:
            return {}
        docling = self.kind == "docling"
        return {"X-Api-Key": self.key} if docling else {"Authorization": f"Bearer {self.key}"}

    def _ask_version(self) -> object:
        with open_session() as session:
            for path in _VERSIONS[self.kind]:
                response = session.get(
                    self.address + path, headers=self._headers, timeout=_VERSION_S
                )
                # A server may hide its version (403), and MinerU 3 has another path (404).
                if response.status_code == 403:
                    return {}
                if response.status_code != 404:
                    return _read_json(response)
        return None

    def _send(self, page: bytes) -> object:
        with open_session() as session:

            def ask(method: str, path: str, **arguments: Any) -> Any:
                url, limit = self.address + path, self.settings.timeout_s
                response = session.request(
                    method, url, headers=self._headers, timeout=limit, **arguments
                )
                if response.status_code == 413:
                    raise ModelError("outside-refused-size", model=self.name)
                return _read_json(response)

            files = {"files": ("page.pdf", page, "application/pdf")}
            options = {name: _write_option(value) for name, value in self.settings.options.items()}
            if self.kind == "docling":
                form = {"to_formats": "json", "include_images": "false", **options}
                task = ask("POST", "/v1/convert/file/async", files=files, data=form)
                return _await_task(ask, task, time.monotonic() + self.settings.timeout_s)
            if self.version.startswith("3."):
                form = {"return_content_list": "true", "return_md": "false", **options}
                return ask("POST", "/file_parse", files=files, data=form)
            query = {"output_formats": "structured_content", **options}
            query["wait_timeout"] = str(max(1, int(self.settings.timeout_s)))
            return ask("POST", "/v1/file_parse", files=files, params=query)


def _read_json(response: Any) -> Any:
    # Imported here: only calls of services need it.
    import httpx

    if response.status_code >= 300:
        said = " ".join(response.text.split())[:200]
        raise httpx.HTTPStatusError(said, request=response.request, response=response)
    return response.json()


def _await_task(ask: Any, task: Any, end: float) -> object:
    """Wait for a task of docling-serve and return its result."""
    number = quote(str(task["task_id"]), safe="")
    while task["task_status"] in {"pending", "started"}:
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(_POLL_S)
        task = ask("GET", f"/v1/status/poll/{number}", params={"wait": "2"})
    return ask("GET", f"/v1/result/{number}")


def _write_option(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def open_outside(
    config: OutsideConfig, environment: Mapping[str, str], concurrency: int = 1
) -> OutsideReader | None:
    """Return the configured service without calling it; None if none is used. Raises ``ConfigError``."""
    if config.pages == "never" or not config.address:
        return None
    variable = _KEYS[config.kind]
    key = environment.get(variable, "")
    address = config.address.rstrip("/")
    if key and address.startswith("http:") and not is_loopback(address):
        raise ConfigError("outside-key-in-clear", where=KEY, variable=variable, address=address)
    everything = config.pages == "all"
    return OutsideReader(config.kind, address, everything, config, concurrency, key=key)
