"""``foundry eval export``."""

from __future__ import annotations

from pathlib import Path

import click

from foundry.cli.call import Call, common_options, pass_call
from foundry.cli.input import confirm_overwrite
from foundry.cli.output import format_count, show, show_json
from foundry.cli.workspace import open_project
from foundry.errors import UsageError
from foundry.evaluation.questions import questions_as_lines, select_questions
from foundry.render.files import check_output_path, write_document


@click.command("export")
@click.option("--set", "sets", multiple=True, metavar="NAME", help="Only this set; repeatable.")
@click.option("--output", required=True, type=click.Path(path_type=Path), metavar="FILE",
              help="The JSON Lines file to write, in the current folder or an allowed one.")  # fmt: skip
@click.option("--yes", is_flag=True, help="Overwrite an existing file without asking.")
@common_options
@pass_call
def command(call: Call, *, sets: tuple[str, ...], output: Path, yes: bool) -> None:
    """Write questions to a file for git.

    `foundry eval import FILE` reads it back; in the same project that changes nothing.
    """
    with open_project(call, read_only=True) as workspace:
        allowed = [workspace.root / folder for folder in workspace.config.output.allowed_dirs]
        path = check_output_path(output, Path.cwd(), allowed)
        questions = select_questions(workspace, sets, reviewed_only=False)
        if not questions:
            raise UsageError(
                "There are no questions to export.", where="--set",
                fix="Use `foundry eval add`, `import` or `draft` first.",
            )  # fmt: skip
        overwrite = confirm_overwrite([path], yes=yes)
        write_document(path, questions_as_lines(workspace, questions), overwrite=overwrite)
    if call.json:
        show_json({"path": str(path), "questions": len(questions)})
    else:
        show(f"{format_count(len(questions), 'question')} written to {output}.")
