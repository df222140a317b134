"""What corrections change, in a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from foundry.messages import Message
from foundry.records import NOT_A_HEADING, Correction


def describe_change(one: Correction) -> Message:
    """What a correction changes, for who makes, lists and undoes them."""
    if one.kind == "words":
        return Message("correction-words", before=one.before, after=one.after)
    if one.kind == "heading":
        before, after = _describe_level(one.before), _describe_level(one.after)
        return Message(
            "correction-heading",
            words=cut_words(one.words.lstrip("# ")),
            before=before,
            after=after,
        )
    if one.kind == "row" and not one.after:
        return Message("correction-row-dropped", before=cut_words(one.before))
    if one.kind == "row":
        rows = cut_words(" / ".join(one.after.splitlines()))
        return Message("correction-words", before=cut_words(one.before), after=rows)
    return Message(
        "correction-table-shape", kind=one.kind, before=one.before, after=cut_words(one.after)
    )


def _describe_level(level: str) -> Message:
    if level == NOT_A_HEADING:
        return Message("correction-heading-text")
    return Message("correction-heading-level", level=level)


def list_changed_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """The lines of blocks that a correction takes away, after "- ", and those that it adds, after "+ "."""
    old, new = ([line for block in part for line in block.splitlines()] for part in (before, after))
    for number, line in enumerate(unified_diff(old, new, n=0, lineterm="")):
        # The first two name the files, and one before each change says where it is.
        if number > 1 and not line.startswith("@@"):
            yield f"{line[0]} {line[1:]}"


def cut_words(text: str, most: int = 60) -> str:
    """The words of a text on one line, at most ``most`` characters."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1]}…"
