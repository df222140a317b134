"""The keys of ``foundry serve``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from foundry.config.section import KeySection


class WebConfig(KeySection):
    """What ``foundry serve`` offers, and to whom."""

    host: str = Field(
        "127.0.0.1", min_length=1, description="The address to serve on; 127.0.0.1 is this machine."
    )
    port: int = Field(8765, ge=0, le=65_535, description="The port; 0 takes a free one.")
    hosts: tuple[str, ...] = Field(
        (), description="The names by which others reach the server; with one, tokens are needed."
    )
    tokens: Literal["auto", "required"] = Field(
        "auto", description="Who needs a token: callers from elsewhere (auto), or everyone."
    )
    session_hours: int = Field(
        12, ge=1, le=720, description="How long a browser stays logged in, in hours."
    )
    requests_per_minute: int = Field(
        600, ge=1, le=1_000_000, description="Requests that one token may make in a minute."
    )
    worker: bool = Field(
        True,
        description="Whether the server reads uploaded files itself, or leaves them to others.",
    )
    max_answers: int = Field(
        8, ge=1, le=256, description="Answers made at the same time; more wait for their turn."
    )
    shutdown_s: int = Field(
        30, ge=0, le=3600, description="How long running answers may take after a stop, in seconds."
    )
