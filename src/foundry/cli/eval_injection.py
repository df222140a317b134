"""``foundry eval injection``."""

from __future__ import annotations

from textwrap import shorten
from typing import Any, BinaryIO

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.labelled import file_argument, read_input, status_of, strict_option
from foundry.cli.output import say_notices, show, show_json
from foundry.cli.progress import show_progress
from foundry.evaluation.labelled.attacks import Escaped, find_escaped, read_attack
from foundry.evaluation.lines import tell_skipped


@click.command("injection")
@file_argument
@strict_option
@common_options
@pass_call
def command(call: Call, *, file: BinaryIO, strict: bool) -> int:
    """Count the attack texts that do not stay inside the marked context of the prompts.

    Each line of FILE.jsonl is {"text": text}; - reads standard input. Each text is put wherever
    a source can put one, in every prompt that carries sources, and the prompts are held against
    what may stand in them. No project is needed and no model is asked: the form is proved, not
    what a model makes of it.
    """
    texts, skipped = read_input(file, read_attack)
    with show_progress(call) as progress:
        escaped = find_escaped(texts, progress=progress)
    if call.json:
        show_json(
            {
                "n": len(texts),
                "escaped": len(escaped),
                "escapes": [_as_dict(one) for one in escaped],
                "skipped": [line.as_dict() for line in skipped],
                "notices": list(tell_skipped(skipped)),
            }
        )
    else:
        say_notices(call, tell_skipped(skipped))
        show(f"{len(texts):,} texts, {len(escaped):,} escaped")
        for one in escaped:
            show(f"\n{one.number}: {shorten(one.text, 120)}")
            for escape in one.escapes:
                show(f"  {escape.prompt}: {escape.problem} {escape.line}".rstrip())
    return status_of(skipped, strict=strict)


def _as_dict(one: Escaped) -> dict[str, Any]:
    return {
        "number": one.number,
        "text": one.text,
        "problems": [
            {"prompt": escape.prompt, "problem": escape.problem, "line": escape.line}
            for escape in one.escapes
        ],
    }
