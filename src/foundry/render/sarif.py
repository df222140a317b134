"""A verification as SARIF 2.1.0, the format in which code hosts and editors take findings.

Each verdict is a rule, each statement that the sources do not say a result at its line and column, with
the nearest passages as related locations. A statement that passed is a result of the kind ``pass``
only where a caller asks for it: readers of SARIF show whatever is in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from foundry.messages import Message
from foundry.records import CheckedStatement, ClaimVerdict, DocumentStatement, Quote, Verification
from foundry.render.places import format_location
from foundry.render.verification import (
    PASSED,
    SIGNS,
    explain_verdict,
    list_nearest,
    name_verdict,
)

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Mapping[ClaimVerdict, str] = {
    "contradicted": "error",
    "unsupported": "error",
    "misattributed": "warning",
    "partly": "warning",
    "unclear": "warning",
    "exact": "none",
    "supported": "none",
}
"""SARIF allows a level for failures only; a statement that nobody could settle is one to read."""
_RULES = tuple(SIGNS)
_PROJECT = "PROJECT"


def build_sarif(
    verification: Verification, path: Path | None, version: str, *, passed: bool = False
) -> dict[str, Any]:
    """The document; ``path`` is that of the file from the current folder, None for standard input.

    ``passed`` adds what the sources say. Columns count code points.
    """
    uri = quote(path.as_posix() if path else verification.file)
    if path and path.is_absolute():
        uri = path.as_uri()
    shown = [item for item in verification.statements if passed or _is_problem(item)]
    run = {
        "tool": {"driver": _describe_tool(version)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_PROJECT: {"description": _say(Message("sarif-project"))}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": _say(notice)} for notice in verification.notices
                ],
            }
        ],
        "results": [_build_result(item, uri) for item in shown],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _is_problem(item: CheckedStatement) -> bool:
    return item.check.verdict not in PASSED


def _describe_tool(version: str) -> dict[str, Any]:
    rules = [
        {
            "id": verdict,
            "name": verdict.capitalize(),
            "shortDescription": _say(name_verdict(verdict)),
            "help": _say(Message(f"sarif-help-{verdict}")),
            "defaultConfiguration": {"level": _LEVELS[verdict]},
        }
        for verdict in _RULES
    ]
    return {"name": "Foundry", "version": version, "rules": rules}


def _build_result(item: CheckedStatement, uri: str) -> dict[str, Any]:
    verdict, claimed = item.check.verdict, item.claimed
    key = f"{verdict}\0{' '.join(claimed.words.split())}"
    return {
        "ruleId": verdict,
        "ruleIndex": _RULES.index(verdict),
        "kind": "fail" if _is_problem(item) else "pass",
        "level": _LEVELS[verdict],
        "message": _say("\n".join([claimed.text, *explain_verdict(item)])),
        "locations": [_locate(claimed, uri)],
        "relatedLocations": list(_list_related(item)),
        # The same statement is the same finding when lines move.
        "partialFingerprints": {"statement/v1": hashlib.sha256(key.encode()).hexdigest()},
    }


def _locate(claimed: DocumentStatement, uri: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if region := claimed.region:
        place["region"] = {
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
            "snippet": {"text": claimed.words},
        }
    location: dict[str, Any] = {"physicalLocation": place}
    page = claimed.page_label or (str(claimed.page) if claimed.page else "")
    parts = [claimed.section, f"p. {page}" if page else ""]
    if name := ", ".join(filter(None, parts)):
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    return location


def _list_related(item: CheckedStatement) -> Iterator[dict[str, Any]]:
    for number, (path, words) in enumerate(list_nearest(item), 1):
        artifact = {"uri": quote(path), "uriBaseId": _PROJECT}
        yield {
            "id": number,
            "physicalLocation": {"artifactLocation": artifact},
            "message": _say(f"{format_location(path, words)}: “{words.text}”"),
            "properties": _describe_quote(words),
        }


def _describe_quote(words: Quote) -> dict[str, Any]:
    """The quote as JSON has it; its offsets are in the text as it was read."""
    found = {"section": words.section, "page": words.page, "pageLabel": words.page_label}
    known = {key: value for key, value in found.items() if value is not None}
    return {"quote": words.text, "charStart": words.start, "charEnd": words.end, **known}


def _say(text: Message | str) -> dict[str, str]:
    return {"text": str(text)}
