"""The simple commands in a shell command line, in order, each with the directory it runs in.

It sees through lists, pipes, subshells, ``cd``, ``bash -c``, ``eval``, here-documents, wrappers such
as ``sudo``, ``find -exec``, functions, braces and assignments. It expands variables that the line or the environment sets and runs
nothing; what a script file or a command substitution would yield is unknown to it.
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
_EXECS = {"-exec", "-execdir", "-ok", "-okdir"}
_PUNCTUATION = "();<>|&\n"
_MAX_DEPTH, _MAX_WORDS = 20, 20_000
"""Commands within commands, and words of a line, that are read (guesses): more takes seconds."""
_SPLIT_STRING = re.compile(r"(?:-[a-zA-Z]*?S|--split-string=?)(.*)", re.DOTALL)
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_FUNCTION = re.compile(
    r"(?:\bfunction\s+([\w-]+)(?:\s*\(\s*\))?|([\w-]+)\s*\(\s*\))\s*\{\s(.{0,2000}?)[;\n]\s*\}",
    re.DOTALL,
)
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
    functions: dict[str, str] = field(default_factory=dict)
    depth: int = 0

    def copy(self) -> _Shell:
        return replace(self, variables=dict(self.variables), functions=dict(self.functions))

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
    text = _take_functions(text, shell)
    saved: list[_Shell] = []
    words: list[str] = []
    body = ""
    tokens = _split(text)
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


def _take_functions(text: str, shell: _Shell) -> str:
    """The text without the functions that it defines, which the shell knows from then on."""

    def keep(found: re.Match[str]) -> str:
        shell.functions[found[1] or found[2]] = found[3]
        return " "

    return _FUNCTION.sub(keep, text)


def _fill_function(body: str, arguments: list[str]) -> str:
    """What a function does when it is called with these words."""
    for number, word in enumerate(arguments[:9], 1):
        body = body.replace(f"${number}", shlex.quote(word))
    whole = shlex.join(arguments)
    for name in ('"$@"', '"$*"', "$@", "$*"):
        body = body.replace(name, whole)
    return body


def _split(text: str) -> list[str]:
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
    words = [part for word in words for part in _open_braces(_expand(word, shell))]
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
    elif (script := _find_text(program, arguments, shell)) is not None:
        inner = shell if program in {"eval", *shell.functions} else shell.copy()
        yield from _iterate(script or body, inner)
    elif program == "find" or program in _WRAPPERS:
        set_first = [f"{name}={value}" for name, value in environment.items()]
        inner = shell if program not in {"command", "builtin"} else replace(shell, functions={})
        with inner.inner():
            for rest in _list_wrapped(program, arguments):
                yield from _run([*set_first, *rest], body, inner)
    else:
        merged = {**shell.variables, **environment}
        yield ShellCommand((program, *arguments), shell.directory, merged)


def _find_text(program: str, arguments: list[str], shell: _Shell) -> str | None:
    """The command line that a program reads: "" for one on standard input, None for no such program."""
    if program in shell.functions:
        return _fill_function(shell.functions[program], arguments)
    if program == "eval":
        return " ".join(arguments)
    if program in SHELLS:
        return _find_script(arguments)
    return _find_split_string(arguments) if program == "env" else None


def _list_wrapped(program: str, arguments: list[str]) -> list[list[str]]:
    """The commands, each as words, that a wrapper or ``find`` runs."""
    if program == "find":
        return [arguments[at:] for at, word in enumerate(arguments, 1) if word in _EXECS]
    rest = _skip_options(arguments, _WRAPPERS[program])
    return [rest[1:] if program == "timeout" else rest]


def _expand(word: str, shell: _Shell) -> str:
    if "$" not in word:
        return word
    with contextlib.suppress(ValueError):
        return string.Template(word).safe_substitute({**os.environ, **shell.variables})
    return word


def _open_braces(word: str) -> list[str]:
    """``{git,commit}`` as the words that a shell makes of it; any other word as it is."""
    found = _BRACES.fullmatch(word)
    return found[1].split(",") if found else [word]


def _find_split_string(arguments: list[str]) -> str | None:
    """The command that ``env -S`` takes as one word; None without the option."""
    for number, word in enumerate(arguments):
        if found := _SPLIT_STRING.fullmatch(word):
            return " ".join([found[1], *arguments[number + 1 :]])
        if not word.startswith("-") and "=" not in word:
            break
    return None


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
