"""Edits the text of a specification: the values of its keys, its body, what its sections ask for.

Whole lines are replaced; all others stay as they are, comments included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from foundry.analysis import fold
from foundry.analysis.lexer import match_marker
from foundry.craft.specifications.front_matter import FileLine, read_front_matter

BOM = "\ufeff"


def replace_keys(text: str, values: Mapping[str, Any]) -> str:
    """Return the text with new values of keys; keys whose value is unchanged keep their lines.

    Raises ``Unreadable`` if the text has no front matter to write to.
    """
    front = read_front_matter(text.removeprefix(BOM))
    changed = {key: value for key, value in values.items() if front.keys.get(key) != value}
    blocks = {key: _render_key(key, value, front.indent) for key, value in changed.items()}
    return replace_lines(text, blocks)


def replace_lines(text: str, blocks: Mapping[str, Sequence[str]]) -> str:
    """Return the text with other lines for some keys, new keys last. Raises ``Unreadable``."""
    front = read_front_matter(text.removeprefix(BOM))
    end = front.lines[0].end or "\n"
    ranges = {key: front.get_lines(key) for key in blocks}
    gone = {number for lines in ranges.values() for number in lines}
    lines: list[FileLine] = []
    for number, line in enumerate(front.lines, 1):
        for key, block in blocks.items():
            if number == (ranges[key].start or front.closing):
                lines += [FileLine(one, end) for one in block]
        lines += [] if number in gone else [line]
    bom = BOM if text.startswith(BOM) else ""
    return bom + "".join(line.text + line.end for line in lines)


def _render_key(key: str, value: Any, indent: str) -> list[str]:
    block = yaml.safe_dump({key: value}, allow_unicode=True, sort_keys=False, width=10_000)
    return [indent + line for line in block.rstrip("\n").split("\n")]


def replace_body(text: str, body: str) -> str:
    """Return the text with another body below its front matter. Raises ``Unreadable``."""
    front = read_front_matter(text.removeprefix(BOM))
    head = "".join(line.text + line.end for line in front.lines[: front.closing])
    bom = BOM if text.startswith(BOM) else ""
    return f"{bom}{head.rstrip()}\n\n{body.strip()}\n"


def read_wants(body: str, sections: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what each section asks for: the lines that begin with its title and a colon."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(sections, ())
    for line in body.split("\n"):
        title, want = _split_want(line, sections)
        if title is not None:
            found[title] += (want,)
    return found


def replace_wants(body: str, wants: Mapping[str, Sequence[str]]) -> str:
    """The text with what sections want: where the first of these lines was, else above the headings.

    Not at the end: what stands under a heading such as "Requirements" is not searched for.
    """
    lines, kept = body.split("\n"), list[str]()
    place: int | None = None
    for line in lines:
        if _split_want(line, list(wants))[0] is None:
            kept.append(line)
        elif place is None:
            place = len(kept)
    said = [f"- {title}: {' '.join(want.split())}" for title in wants for want in wants[title]]
    if place is None and said:
        place = next((at for at, line in enumerate(kept) if line.startswith("## ")), len(kept))
        said = [*said, ""] if place < len(kept) else ["", *said]
    if place is None:
        return "\n".join(kept)
    return "\n".join([*kept[:place], *said, *kept[place:]])


def _split_want(line: str, sections: Sequence[str]) -> tuple[str | None, str]:
    marker = match_marker(line)
    label, colon, rest = line[marker.end() if marker else 0 :].partition(":")
    named = (title for title in sections if fold(title) == fold(label.strip()))
    title = next(named, None) if colon and rest.strip() else None
    return title, rest.strip()
