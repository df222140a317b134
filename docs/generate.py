"""Write the pages of ``docs/`` that come from the code: configuration, commands, JSON.

Run it with ``make docs``. A test fails when a committed page differs from what
this would write.
"""

from __future__ import annotations

import ast
import json
import tomllib
import types
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin
from xml.sax.saxutils import escape

import click
import yaml
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from foundry.agents import AgentKeys, AgentSectionKeys, find_shipped_text, list_shipped_names
from foundry.cli.program import foundry
from foundry.config import ENVIRONMENT_PREFIX, Config
from foundry.wire.base import ErrorJson, MessageJson
from foundry.wire.commands import MODELS

FOLDER = Path(__file__).parent
WIDTH = 88


_CONFIGURATION = f"""\
# Configuration

Every key of `foundry.yaml`; `foundry init` writes the file with all of them. An unknown key is
an error that names the nearest known one. An environment variable overrides a key:
`{ENVIRONMENT_PREFIX}RETRIEVAL__TOP_K=20` sets `retrieval.top_k`. Keys of providers and passwords
never belong in this file."""


def configuration_page() -> str:
    """Every key of ``foundry.yaml`` with its type, bounds, default and meaning."""
    lines = [_CONFIGURATION]
    plain = [(name, info) for name, info in Config.model_fields.items() if not _part(info)]
    lines += ["", "## Top level", "", *_table(plain)]
    for name, info in Config.model_fields.items():
        if part := _part(info):
            lines += ["", f"## {name}", "", str(info.description), ""]
            lines += _table(list(_flat(part, f"{name}.")))
    return "\n".join(lines) + "\n"


_AGENTS = """\
# Agents

An agent describes how a text is written: who writes for whom, with which model and, for a document, its sections
and what to look for in the sources. Foundry ships five; `foundry agent list` shows them:

{shipped}

```console
$ foundry generate --agent blueprint --topic "LC-512 DMX lighting controller" --output output/blueprint.md
$ foundry generate --agent workflow --topic "Replacing fuse F1 of the LC-512" --output output/fuse.md
$ foundry ask --agent answer "What is the rating of fuse F1?"
```

An agent needs no specification. If you add `--feature NAME`, the specification's text goes into the prompts, its
lines are added to the sections that they concern, and its source hierarchy decides contradictions. For a Dutch
topic, Foundry's agents write Dutch sections.

## What an agent cannot change

Each section is searched, gated, written and verified on its own, as for a specification: a sentence without a
source does not get in, whatever the persona says. In the prompt the persona comes before Foundry's rules, and the
rules prevail. A section that the sources do not cover stays empty and says which sources would fill it. If they do
not cover the topic, no document is written. Unless the project's name or brief mentions the topic, only documents
that mention it are read. The Markdown must have exactly the agent's sections, in order; `foundry draft verify` checks
this again for an edited draft.

## Your own agent

```console
$ foundry agent new commissioning --from workflow    # a copy in agents/commissioning.yaml
$ foundry agent check commissioning                  # every mistake with its line
```

Or change a few keys of an agent and keep the rest. This `agents/blueprint.yaml` replaces Foundry's blueprint:

```yaml
extends: blueprint
persona: You write for the maintenance crew of a theatre, who read on a phone.
```

`sections` is replaced as a whole. Foundry's complete workflow agent:

```yaml
{example}
```

Ask for one thing in each line, in one or two words, as a heading in the sources would have it: `test results`,
not `the results of all tests that were done`. Each line is a search with its own gate. If the sources have several
languages, say the same in each after a vertical bar: `requirements | eisen`. `{{topic}}` becomes the topic. Use it if
the section is about the topic itself; leave it out for what any project may have, such as complaints, because a
search with the topic in it nearly always finds something.

`form` says what a section is made of:

| form | a model writes | without a model |
|---|---|---|
| `prose` | running text | paragraphs |
| `steps` | numbered steps, in the order of the source's list | lists of the sources, with their numbers |
| `list` | items; a term stands before a colon | lists and word lists |
| `table` | rows, `Column: cell; Column: cell` | tables with their header |
| `figures` | each figure with its caption | captions of Word, OpenDocument, RTF and HTML files, with the page in the footnote where there is one |
| `quote` | sentences that a source has word for word; others are removed | the passages |

Each step, item, row, caption or quotation has its own citation and is verified as a sentence of its own; below them
stands how many were left out. Where no source has the form, what comes nearest is quoted as it is. Without a form the
writer chooses. A specification names it behind the heading: `- Mounting: steps`.

A language model writes each section from everything that its lines found. Without a model, Foundry quotes what
stands below a heading that means what a line asks, in any language, and a row, a table or a sentence with such a
label ("Decision: …"). Of several revisions only the latest is quoted. A word of the line somewhere in a sentence is
not enough: then the section stays empty. If the project's name and brief have no word of the topic, only what is
about the topic is quoted.

`foundry generate --agent NAME --topic T --dry-run` shows the evidence for each section. A section whose inputs did
not change is kept from the last run; `--fresh` writes it again. `foundry build` puts accepted drafts of agents after
those of the features.

## Which model writes

An agent names a profile; `foundry.yaml` maps each profile to a model, for each mode:

```yaml
generation:
  online:
    model: openai/gpt-4o
    profiles: {{cheap: openai/gpt-4o-mini, balanced: openai/gpt-4o, premium: balanced}}
```

Without profiles, the mode's model writes for all agents. If some profiles have a model and the agent's has none,
that is an error. `foundry privacy` lists the profiles' hosts, `spending` limits them like any other model, and the
query log records the agent and its profile.

## Keys

"""


def agents_page() -> str:
    """What an agent is, an example, and every key of its file."""
    agents = [
        (name, yaml.safe_load(find_shipped_text(name, "en") or "")) for name in list_shipped_names()
    ]
    shipped = "\n".join(f"- `{name}`: {keys['description']}" for name, keys in agents)
    example = (find_shipped_text("workflow", "en") or "").rstrip()
    rows = [(name, info) for name, info in AgentKeys.model_fields.items()]
    rows += [(f"sections.{name}", info) for name, info in AgentSectionKeys.model_fields.items()]
    return "\n".join(
        [_AGENTS.format(shipped=shipped, example=example) + "\n".join(_table(rows)), ""]
    )


def _flat(part: type[BaseModel], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, info in part.model_fields.items():
        if inner := _part(info):
            yield from _flat(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", info


def _part(info: FieldInfo) -> type[BaseModel] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _table(rows: list[tuple[str, FieldInfo]]) -> Iterator[str]:
    yield "| key | value | default | meaning |"
    yield "|---|---|---|---|"
    for name, info in rows:
        default = "required"
        if not info.is_required():
            value = info.get_default(call_default_factory=True)
            default = f"`{json.dumps(value, ensure_ascii=False)}`"
        cells = (f"`{name}`", _allowed(info), default, str(info.description))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _allowed(info: FieldInfo) -> str:
    kind = _kind(info.annotation)
    bounds = [_bound(rule) for rule in info.metadata]
    limits = ", ".join(bound for bound in bounds if bound)
    return f"{kind}, {limits}" if limits else kind


def _kind(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(f"`{option}`" for option in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join(_kind(argument) for argument in arguments)
    if origin is tuple:
        pair = len(arguments) == 2 and arguments[1] is not Ellipsis
        listed = "sections" if arguments[0] is AgentSectionKeys else "text"
        return "[least, most]" if pair else f"list of {listed}"
    names = {bool: "true or false", int: "whole number", float: "number", str: "text"}
    names[type(None)] = "`null`"
    return names.get(annotation, "mapping" if origin is dict else str(annotation))


_SIGNS: dict[type, Callable[[Any], str]] = {
    Ge: lambda rule: f"≥ {rule.ge:,}",
    Gt: lambda rule: f"> {rule.gt:,}",
    Le: lambda rule: f"≤ {rule.le:,}",
    Lt: lambda rule: f"< {rule.lt:,}",
    MinLen: lambda rule: "not empty" if rule.min_length == 1 else f"≥ {rule.min_length} long",
    MaxLen: lambda rule: f"≤ {rule.max_length} long",
}


def _bound(rule: Any) -> str:
    if pattern := getattr(rule, "pattern", None):
        return f"matching `{pattern}`"
    return _SIGNS[type(rule)](rule) if type(rule) in _SIGNS else ""


_COMMANDS = """\
# Commands

Every command takes the options of `foundry` itself, except `--version`; below they are left out. Exit
statuses: 0 done, 1 failed, 2 wrong usage or refused by a rule, 3 no evidence, 130 interrupted."""


def commands_page() -> str:
    """The help of every command, as the program shows it."""
    lines = [_COMMANDS, "", "```text", _help(foundry, None, "foundry"), "```"]
    for path, ctx, command in walk(foundry, click.Context(foundry, info_name="foundry")):
        shown = _help(_drop_shared_options(command), ctx, path.split()[-1])
        lines += ["", f"## {path}", "", "```text", shown, "```"]
    return "\n".join(lines) + "\n"


def walk(
    group: click.Group, ctx: click.Context
) -> Iterator[tuple[str, click.Context, click.Command]]:
    """Every command below a group: its path, its parent's context, itself."""
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        yield f"{ctx.command_path} {name}", ctx, command
        if isinstance(command, click.Group):
            yield from walk(command, click.Context(command, info_name=name, parent=ctx))


def _drop_shared_options(command: click.Command) -> click.Command:
    """A copy without ``--help`` and the options that every command has."""
    shown = copy(command)
    shown.add_help_option = False
    shown.params = [
        param for param in command.params if isinstance(param, click.Argument) or param.expose_value
    ]
    return shown


def _help(command: click.Command, parent: click.Context | None, name: str) -> str:
    ctx = click.Context(
        command, info_name=name, parent=parent, terminal_width=WIDTH, max_content_width=WIDTH
    )
    return command.get_help(ctx)


_JSON = """\
# JSON

With `--json` a command prints one JSON document to standard output; messages go to standard error.

Every document has a name and a version, such as `foundry.answer/2`. Later releases may add keys under the same
version. Renaming or removing a key, or changing its meaning, raises the version and is listed in the changelog as a
breaking change. The codes of messages are stable; their wording is not.

`foundry schema` lists the names, and `foundry schema NAME` prints a document's JSON Schema. In Python,
`foundry.build_json(result)` gives the same documents ([python.md](../python.md))."""

_JSON_ERROR = """\
## Errors

A command that fails prints this, with its exit status:
"""


def json_index() -> str:
    """The JSON of errors, and a list of the pages by command."""
    pages = [f"- [foundry {page.replace('-', ' ')}]({page}.md)" for page in _group_commands()]
    return "\n".join([_JSON, "", *pages, "", _JSON_ERROR, *_fence(ErrorJson)]) + "\n"


def json_page(page: str) -> str:
    """What the commands of one page print with ``--json``."""
    lines = [f"# JSON of foundry {page.replace('-', ' ')}"]
    for command in _group_commands()[page]:
        model = MODELS[command]
        lines += ["", f"## foundry {command}", "", f"`{model.get_id()}`", "", *_fence(model)]
    return "\n".join(lines) + "\n"


def _group_commands() -> dict[str, list[str]]:
    """Commands by page: one page per command, and one per subcommand of ``eval``."""
    pages: dict[str, list[str]] = {}
    for command in MODELS:
        words = command.split()
        page = "-".join(words[:2]) if words[0] == "eval" else words[0]
        pages.setdefault(page, []).append(command)
    return pages


def _fence(model: type[BaseModel]) -> list[str]:
    return ["```text", *_draw(model), "```"]


_CODE = '{"code": text, "params": {<name>: value}}'
_TYPES = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "boolean",
    MessageJson: _CODE,
}


def _draw(
    kind: Any, indent: str = "", head: str = "", meaning: str = "", null: str = ""
) -> Iterator[str]:
    """A type as JSON, with types for values and meanings as comments."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        notes = [note.description for note in arguments[1:] if isinstance(note, FieldInfo)]
        yield from _draw(arguments[0], indent, head, meaning or "".join(map(str, notes)), null)
    elif origin in (Union, types.UnionType):
        # Whole numbers and numbers together are numbers.
        kinds = [kind for kind in arguments if kind not in (int, types.NoneType)]
        null = " or null" if types.NoneType in arguments else ""
        yield from _draw(kinds[0] if kinds else int, indent, head, meaning, null)
    elif origin is Literal or kind in _TYPES:
        name = " | ".join(f'"{option}"' for option in arguments) or _TYPES[kind]
        entry = f"{indent}{head}{name}{null}"
        yield f"{entry:<40}  # {meaning}" if meaning else entry
    elif origin in (list, tuple):
        yield f"{indent}{head}["
        yield from _draw(arguments[0], f"{indent}  ", meaning=meaning)
        yield from (f"{indent}  …", f"{indent}]{null}")
    else:
        yield f"{indent}{head}{{"
        for key, inner, description in _list_members(kind, meaning):
            yield from _draw(inner, f"{indent}  ", f"{key}: ", description or "")
        yield f"{indent}}}{null}"


def _list_members(kind: Any, meaning: str) -> Iterator[tuple[str, Any, str | None]]:
    """The keys of an object with their types and meanings: of a mapping or a model."""
    if arguments := get_args(kind):
        names = get_args(arguments[0])
        keys = [f'"{name}"' for name in names] or ["<name>"]
        yield from ((key, arguments[1], meaning) for key in keys)
    else:
        for name, info in kind.model_fields.items():
            yield f'"{name}"', info.annotation, info.description


_HTTP = """\
# The HTTP API

`foundry serve` offers the web application and, under `/api/v2`, the same to programs. A route answers with
the document that its command prints with `--json` ([json/](json/README.md)); `/api/v2/openapi.json` describes them
all.

```console
$ foundry serve                                   # http://127.0.0.1:8765, for this machine alone
$ foundry token new ci --role internal            # prints the token, only this once
$ curl -s localhost:8765/api/v2/ask -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
    -d '{"question": "What is the rating of the input fuse?"}'
```

In Python, with `server` the address and `token` a token or None:

```python
from foundry.client import Client

with Client(server, token) as client:
    answer = client.ask("What is the rating of the input fuse?")
    print(answer.verdict, answer.answer)
    for passage in answer.passages:
        print(passage.source, *(line.text for line in passage.lines))
    for source in client.list_sources().sources:
        print(source.path, source.confidentiality)
```

On the command line `--server URL` asks a server instead of the project here; the token is in
`FOUNDRY_TOKEN`. `ask`, `search`, `verify` and `sources list` take it.

A server of several projects ([web.md](web.md)) has the API of each under `/p/NAME/api/v2`, described by
`/p/NAME/api/v2/openapi.json`. Give the project's address wherever a server is asked for: `Client("https://docs.example/p/lift",
token)`, `--server https://docs.example/p/lift`. `GET /api/v2/projects` lists the projects in which the caller has a role;
`GET`, `PUT` and `DELETE /p/NAME/api/v2/roles/PERSON` are for the project's owner.

## Who may call

On 127.0.0.1, callers from this machine need no token and act as the owner. On another address, or with
`web.hosts`, every caller needs a token, and a server of a project without tokens does not start. A token has an
expiry and a role, which limits what its holder sees; the database keeps only its hash. A browser trades it for a
session, a signed cookie that ends with the token. Routes marked as the owner's need the role `secret`. `foundry log
audit` shows what was done.

Put a proxy with TLS in front of a server that others reach, and name its host in `web.hosts`. Until then a request
that came through a proxy (with `Forwarded`, `X-Forwarded-*`, `X-Real-IP` or `Via`, or in HTTP/1.0) is nobody's without
a token: 401. A proxy that says nothing of itself looks like somebody on this machine, so name its host before you
start it. Only with `web.hosts` is a proxy on this machine believed about where a request comes from.

A holder of a token, whatever its role, chooses neither model, host, key, mode nor file: `overrides` of an evaluation
take keys of retrieval and checking and the numbers of writing; for another key the error lists them. A role below the
owner's writes no file of the project. No reply says where on the machine the project is.

## Limits

- A request's head must be complete within 10 seconds, its body within 2 minutes, uploads within 30, with pauses of at
  most 30 seconds; else 408, or the connection is closed. So it is if nothing of a reply is read for 20 seconds.
- Bodies have at most 2 MB, uploads a little more than `ingest.max_file_mb`. Of an upload nothing is read before the
  head has shown that the owner sends it; four arrive at the same time, others wait.
- There are at most 1,000 connections, or half of the files that the process may open (`ulimit -n`) if that is less;
  further ones get 503. `/readyz` says when nine tenths are taken.
- One address can fill all connections for ten seconds at a time: a proxy in front should limit connections by address.
- Days are from 1970 to 2200, numbers below 2^63; anything else is 422.

## Replies

- **Errors** have one form, `{"error": {"code", "message", "where", "fix"}, "problem": …}`. What does not
  exist and what a caller may not see get the same 404. A server error has an id, under which the server's log has
  the traceback.
- **Streams** are server-sent events: `stage`, `step`, `question`, `search`, `sentence`, `passage`, `removed`, and
  finally `result` with the whole document, or `error`. Work stops soon after its client disconnects.
- **Pages**: send a reply's `next` as `after` (for the audit stream as `before`); null is the end.
- **Repeating**: a repeated upload, draft or feedback with the same `Idempotency-Key` has no effect while the
  process runs; with another request under the key, nothing is done: 422. Another process, or the same one after a restart, does not know the key: there the same file is
  "unchanged", a draft's file is not overwritten, and feedback is added again. `web.requests_per_minute` counts per
  process too. `If-Match` with the ETag of a specification approves exactly what was read; 409 says who was first.
- **Changing**: to change or delete a specification, agent or draft, send `If-Match` with its ETag (or `content_hash`); a
  request without it gets 400. If someone changed it meanwhile, 409 has the newer hash in `problem.params.hash`. Edits of
  a draft that touch different lines are merged (`merged`). For the same lines, 409 also has the newer text
  (`problem.params.text`), and Foundry writes nothing. It keeps every earlier text of a draft (`versions`).
- **Signing**: a second person who approves or accepts gets 409 with who was first.
- **Health**: `/healthz` says that the process lives, `/readyz` that questions can be answered.

## Documents

```text
POST   features/NAME               {"title", "owner", "sections": [{"title", "form", "wants"}], "source_hierarchy", "text"}
POST   features/NAME/check         the same, or {"markdown": …}; lists problems by line and writes nothing
PUT    features/NAME               needs If-Match; ends the approval
GET    features/NAME/diff          lines added to and removed from the approved text
POST   drafts/plan, drafts/stream  evidence and cost; then the sections, one by one
GET    drafts/PATH/content         Markdown, sentences with quotations and verdicts, remarks, versions
PUT    drafts/PATH/content         needs If-Match; returns the verdicts of the new sentences
POST   drafts/PATH/notes           {"sentence", "text"}: a remark on a sentence
GET    drafts/PATH/diff?other=     changes since the previous run, or from another draft
POST   drafts/PATH/accept          {"by", "note", "unchecked"}; with If-Match, accepts exactly the version that you read
GET    builds                      what blocks a build; then POST build, GET builds/FORMAT
```

`sections` lists the sections of a specification; `wants` are its lines that start with the section's title and a colon.
Other words and comments in the file are kept. An uploaded text is never approved by itself.

`GET drafts/PATH/content` checks nothing. A sentence is `verified` if its last check supports it, or if it was verified when
written and not contradicted since. It is `edited` if Foundry did not write it. Check results stay valid while sources,
corrections, models and settings stay the same; `GET drafts/PATH/verification` checks all sentences again. Foundry saves a
change before checking it, so a failed check (`unchecked`) loses nothing.

An edited draft can be accepted only if it verifies. List statements that neither rules nor a judge can settle in
`unchecked`, word for word; the document then says who accepted them, and that they are unverified.

To stop writing a draft, close the connection; the server stops soon afterwards. With a model, Foundry keeps each finished
section, and the same request continues with the others. The `notices` of the result report a specification or source that
changed in the meantime.

Only the owner can write, approve and accept specifications, agents and drafts, and download builds. Anyone who can see a
draft can add remarks, under the name of their token, and remove their own. A draft is hidden from a role that may not see
one of its cited sources, including sources cited only in notes of an edit.

## Routes

| route | does |
|---|---|
"""


def http_page() -> str:
    """The HTTP API: how it behaves, and its routes."""
    # Imported here: an extra, and the other pages need none of it.
    from foundry.web.app import make_app
    from foundry.web.site import Site

    document = make_app(cast("Site", None)).openapi()
    rows = [
        f"| `{method.upper()} {path}` | {' '.join(operation['description'].split())} |"
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    return _HTTP + "\n".join(rows) + "\n"


_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">
<style>
.layer {{ fill: #f4f6f8; stroke: #c9d1d9 }} .package {{ fill: #ffffff; stroke: #57606a }}
text {{ fill: #1f2328; font-size: 12px }} .name {{ font-weight: bold; font-size: 13px }}
</style>
{body}
</svg>
"""
_PICTURE_WIDTH, _LAYER_HEIGHT = 1200, 92


def architecture_picture() -> str:
    """The layers of ``pyproject.toml`` as an SVG: each package with what its docstring says."""
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(rule["layers"] for rule in contracts if rule.get("containers") == ["foundry"])
    body = [line for row, layer in enumerate(layers) for line in _draw_layer(row, layer)]
    height = len(layers) * (_LAYER_HEIGHT + 10) + 10
    return _SVG.format(width=_PICTURE_WIDTH, height=height, body="\n".join(body))


def _draw_layer(row: int, layer: str) -> Iterator[str]:
    packages = [name.strip(" ()") for name in layer.split("|")]
    top = 10 + row * (_LAYER_HEIGHT + 10)
    inner = _PICTURE_WIDTH - 20
    yield f'<rect class="layer" x="10" y="{top}" width="{inner}" height="{_LAYER_HEIGHT}" rx="6"/>'
    width = (inner - 10) / len(packages) - 10
    for column, package in enumerate(packages):
        yield from _draw_package(package, 20 + column * (width + 10), top + 8, width)


def _draw_package(module: str, left: float, top: float, width: float) -> Iterator[str]:
    height = _LAYER_HEIGHT - 16
    package = FOLDER.parent / "src" / "foundry" / module
    name = f"{module}/" if package.is_dir() else f"{module}.py"
    shape = f'x="{left:.0f}" y="{top}" width="{width:.0f}" height="{height}" rx="4"'
    yield f'<rect class="package" {shape}/>'
    yield f'<text class="name" x="{left + 8:.0f}" y="{top + 18}">{escape(name)}</text>'
    lines = [*wrap(_summarise(package), int(width / 6.2))[:3], *_list_contents(package, width)]
    for line, part in enumerate(lines[:3]):
        yield f'<text x="{left + 8:.0f}" y="{top + 36 + 15 * line}">{escape(part)}</text>'


def _summarise(package: Path) -> str:
    """The first paragraph of a package's or module's docstring."""
    path = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].replace("``", "").split())


def _list_contents(package: Path, width: float) -> list[str]:
    """What is inside a package, where the box is wide enough."""
    if not package.is_dir() or width < _PICTURE_WIDTH / 2:
        return []
    entries = [path for path in package.iterdir() if not path.name.startswith(("_", "."))]
    names = [f"{path.name}/" if path.is_dir() else path.stem for path in entries]
    return wrap(" · ".join(sorted(names)), int(width / 6.2))


PAGES: dict[str, Callable[[], str]] = {
    "configuration.md": configuration_page,
    "commands.md": commands_page,
    "agents.md": agents_page,
    "json/README.md": json_index,
    **{f"json/{page}.md": partial(json_page, page) for page in _group_commands()},
    "http.md": http_page,
    "pictures/architecture.svg": architecture_picture,
}


def main() -> None:
    """Write every page, and remove JSON pages of commands that are gone."""
    for path in (FOLDER / "json").glob("*.md"):
        path.unlink()
    for name, page in PAGES.items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
