"""The simple commands in a shell command line, in order, each with the directory it runs in.

It reads lists, pipes, subshells, ``cd``, ``bash -c``, ``eval``, here-documents, assignments, and
wrappers such as ``sudo``. It expands variables that the line or the environment sets and runs nothing;
what a script file, a function, ``find -exec`` or a command substitution does is left to git's hooks.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

SHELLS = {"sh", "bash", "zsh", "dash", "ksh"}
# Wrapper → its short options that take a value.
_WRAPPERS = {
    **dict.fromkeys(("command", "builtin", "nohup", "setsid", "!", "{", "}"), ""),
    **dict.fromkeys(("if", "then", "elif", "else", "while", "until", "do"), ""),
    "sudo": "ughpCcrtTDR",
    "doas": "uC",
    "env": "uCS",
    "exec": "a",
    "time": "fo",
    "nice": "n",
    "timeout": "ks",
    "stdbuf": "ioe",
    "xargs": "aIEdLnPs",
    "ionice": "cnpu",
}
_PUNCTUATION = "();<>|&\n"
_MAX_DEPTH, _MAX_WORDS = 20, 20_000
"""Commands within commands, and words of a line, that are read (guesses): more takes seconds."""
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_HEREDOC = re.compile(r"(?<!<)<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")


class TooLongError(Exception):
    """The line has more words, or is nested more deeply, than anybody reads in time."""


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A program with its arguments; ``environment`` has what the line itself sets."""

    words: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str]


@dataclass(slots=True)
class _Shell:
    """Where a shell is, what it has set, and in how many others it runs."""

    directory: Path
    variables: dict[str, str] = field(default_factory=dict)
    previous: Path | None = None
    depth: int = 0

    def copy(self) -> _Shell:
        return replace(self, variables=dict(self.variables))

    @contextlib.contextmanager
    def inner(self) -> Iterator[None]:
        """Count a command within another. Raises ``TooLongError``."""
        if self.depth >= _MAX_DEPTH:
            raise TooLongError
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def enter(self, target: str) -> None:
        """``cd``; a target that cannot be known leaves the shell where it is."""
        new = self.previous if target == "-" else self.directory / Path(target).expanduser()
        if new is not None and not {"$", "`"} & set(target):
            self.directory, self.previous = new, self.directory


def iterate_commands(
    text: str, directory: Path, environment: Mapping[str, str] | None = None
) -> Iterator[ShellCommand]:
    """The commands of ``text``, a command line of a POSIX shell that starts in ``directory``."""
    yield from _iterate(text, _Shell(directory, dict(environment or {})))


def _iterate(text: str, shell: _Shell) -> Iterator[ShellCommand]:
    with shell.inner():
        yield from _iterate_here(text, shell)


def _iterate_here(text: str, shell: _Shell) -> Iterator[ShellCommand]:
    text, bodies = _take_heredocs(text.replace("\\\n", " "))
    saved: list[_Shell] = []
    words: list[str] = []
    body = ""
    tokens = split_words(text)
    if len(tokens) > _MAX_WORDS:
        raise TooLongError
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else ""
        if _is_redirection(before):
            body = bodies.get(token.lstrip("-"), "") if before == "<<" else body
            body = token if before == "<<<" else body
        elif not _is_operator(token):
            yield from _look_inside(token, shell)
            words.append(token)
        elif _is_redirection(token):
            if words and words[-1].isdigit():
                words.pop()
        else:
            yield from _run(words, body, shell)
            words, body = [], ""
            for sign in token:
                if sign == "(":
                    saved.append(shell)
                    shell = shell.copy()
                elif sign == ")" and saved:
                    shell = saved.pop()
    yield from _run(words, body, shell)


def _take_heredocs(text: str) -> tuple[str, dict[str, str]]:
    """The text without the bodies of its here-documents, and these by a word that replaces each."""
    lines = text.split("\n")
    bodies: dict[str, str] = {}
    kept: list[str] = []
    while lines:
        line = lines.pop(0)
        for found in list(_HEREDOC.finditer(line)):
            ends = [at for at, body in enumerate(lines) if body.strip() == found[2]]
            if ends:
                word = f"heredoc{len(bodies)}"
                bodies[word] = "\n".join(lines[: ends[0]])
                line = line.replace(found[0], f"<<{word}", 1)
                lines = lines[ends[0] + 1 :]
        kept.append(line)
    return "\n".join(kept), bodies


def split_words(text: str) -> list[str]:
    """Words and operators, comments left out."""
    try:
        tokens = _read_tokens(text)
    except ValueError:
        # An open quote, or a form of quoting that shlex does not know: better too many words.
        tokens = _read_tokens(text.translate(str.maketrans("'\"\\", "   ")))
    kept: list[str] = []
    in_comment = False
    for token in tokens:
        in_comment = "\n" not in token if in_comment else token.startswith("#")
        if not in_comment:
            kept.append(token)
    return kept


def _read_tokens(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    return list(lexer)


def _is_operator(token: str) -> bool:
    return bool(token) and set(token) <= set(_PUNCTUATION)


def _is_redirection(token: str) -> bool:
    return _is_operator(token) and bool({"<", ">"} & set(token)) and "(" not in token


def _look_inside(word: str, shell: _Shell) -> Iterator[ShellCommand]:
    """The commands of substitutions within a quoted word."""
    for opened, closed in (("$(", ")"), ("`", "`")):
        _, found, rest = word.partition(opened)
        if found and closed in rest:
            yield from _iterate(rest.rpartition(closed)[0], shell.copy())


def _run(words: list[str], body: str, shell: _Shell) -> Iterator[ShellCommand]:
    words = [_expand(word, shell) for word in words]
    environment = {}
    while words and (found := _ASSIGNMENT.fullmatch(words[0])):
        environment[found[1]] = found[2]
        words = words[1:]
    if not words:
        shell.variables |= environment
        return
    program, arguments = PurePath(words[0]).name.removesuffix(".exe"), words[1:]
    if program in {"cd", "pushd", "popd"}:
        shell.enter(_find_directory(program, arguments))
    elif program == "export":
        shell.variables |= {one[1]: one[2] for one in map(_ASSIGNMENT.fullmatch, arguments) if one}
    elif program == "eval":
        yield from _iterate(" ".join(arguments), shell)
    elif program in SHELLS:
        yield from _iterate(_find_script(arguments) or body, shell.copy())
    elif program in _WRAPPERS:
        set_first = [f"{name}={value}" for name, value in environment.items()]
        rest = _skip_options(arguments, _WRAPPERS[program])
        with shell.inner():
            yield from _run([*set_first, *rest[program == "timeout" :]], body, shell)
    else:
        merged = {**shell.variables, **environment}
        yield ShellCommand((program, *arguments), shell.directory, merged)


def _expand(word: str, shell: _Shell) -> str:
    if "$" not in word:
        return word
    with contextlib.suppress(ValueError):
        return string.Template(word).safe_substitute({**os.environ, **shell.variables})
    return word


def _find_directory(program: str, arguments: list[str]) -> str:
    named = [word for word in arguments if word == "-" or not word.startswith("-")]
    return named[0] if named else "-" if program == "popd" else "~"


def _find_script(arguments: list[str]) -> str:
    """What follows ``-c``, also in a bundle such as ``-lc``; empty without one."""
    for number, word in enumerate(arguments):
        if word.startswith("-") and not word.startswith("--") and "c" in word:
            rest = [one for one in arguments[number + 1 :] if not one.startswith(("-", "+"))]
            return rest[0] if rest else ""
    return ""


def _skip_options(arguments: list[str], valued: str) -> list[str]:
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word == "--":
            break
        if len(word) == 2 and word[1] in valued and rest:
            rest.pop(0)
    return rest
