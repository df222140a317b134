"""The errors that Foundry raises.

::

    FoundryError                 code, problem, where; exit status
    ├── UsageError         2     the command line is invalid
    │   ├── NotFound             nothing visible has this id, path or name
    │   └── KeyReused            an idempotency key that came with another request
    ├── RuleError          2     a rule forbids it (paths, roles, overwriting)
    │   ├── ChangedMeanwhile     somebody else changed or decided it meanwhile
    │   ├── NotAuthenticated     a request without a valid token
    │   └── TooManyRequests      more requests than a caller may make
    ├── Interrupted      130     the user stopped it
    ├── ConfigError        1     foundry.yaml or the environment
    │   ├── ExtraMissing         an extra of Foundry is not installed
    │   ├── ProjectNotFound
    │   └── AgentInvalid         the file of an agent
    ├── ReadError          1     a file cannot be read (in an ingest it becomes a failed file)
    ├── StoreError         1     the database
    │   ├── IndexMissing         no vectors for the configured model
    │   ├── SchemaTooNew         written by a newer Foundry
    │   ├── ProjectBusy          another ingest holds the project
    │   ├── StoreUnavailable     the server of the database does not answer
    │   ├── StoreCorrupt
    │   └── DiskFull
    ├── ServerUnreachable  1     no Foundry answers at the address of a client
    ├── ClusterError       1     the cluster of ``--ray``
    └── ModelError         1     a model call
        ├── KeyMissing           names the environment variable
        ├── ModelUnreachable
        ├── ModelTimeout
        ├── ModelRejected        by the provider: bad key, bad request, unknown model
        ├── ModelReplyInvalid    the reply does not have the requested form
        └── SpendingLimitReached 2   a call that could exceed a limit was not made

Errors of other libraries are mapped in one place per package (``readers``, ``store``,
``models``). An error is a code with parameters, as any message: its text in the catalogue says
what happened, the text's ``.fix`` what to do next, and ``where`` names the place: a file, a key,
an option. For a request over HTTP, ``.request`` takes the place of ``.fix``. A refusal for lack of
evidence, a failed file or a dropped chunk is a value in a result, never an exception.
"""

from __future__ import annotations

import re

from foundry.installation import EXTRAS, is_installed, list_missing, tell_install
from foundry.messages import Message, Parameter, format_message

_OPTION = re.compile(r"--[a-z]")
_COMMAND = re.compile(r"`[^`]*`")


class FoundryError(Exception):
    """An error with its cause, its place and its fix: ``ConfigError("config-…", where=…, name=…)``.

    ``problem`` is the code with its parameters; ``message`` and ``fix`` are its words in the
    current language.
    """

    code = "error"
    exit_status = 1

    def __init__(self, problem: str | Message, /, *, where: str = "", **params: Parameter) -> None:
        self.problem = Message(problem, **params) if isinstance(problem, str) else problem
        self.where = where
        self.advice: tuple[Message, ...] = ()
        super().__init__(self.problem, where)

    @property
    def message(self) -> str:
        """What happened."""
        return format_message(self.problem)

    @property
    def fix(self) -> str:
        """What to do next, and the ``advice`` that a caller added; may be empty."""
        parts = (format_message(self.problem, attribute="fix"), *map(str, self.advice))
        return " ".join(part for part in parts if part)

    @property
    def request_fix(self) -> str:
        """The same for a program or a browser, which has no command line to type options on.

        A text of the catalogue says it as its ``.request``; without one, what names an option is
        left out, unless it is a whole command for whoever keeps the project.
        """
        known = format_message(self.problem, attribute="request")
        parts = [known or format_message(self.problem, attribute="fix")]
        parts += [format_message(one, attribute="request") or str(one) for one in self.advice]
        return " ".join(
            part for part in parts if part and not _OPTION.search(_COMMAND.sub("", part))
        )

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders (parsers run in workers): keep the keywords.
        return (_rebuild, (type(self), self.problem, self.where, self.advice))


def _rebuild(
    kind: type[FoundryError], problem: Message, where: str, advice: tuple[Message, ...]
) -> FoundryError:
    error = kind(problem, where=where)
    error.advice = advice
    return error


class UsageError(FoundryError):
    """The command line, or an argument of the API, is invalid."""

    code = "usage"
    exit_status = 2


class NotFound(UsageError):
    """Nothing that the caller may see has this id, path or name."""

    code = "not_found"


class KeyReused(UsageError):
    """A key that stands for one request came with another one."""

    code = "key_reused"


class RuleError(FoundryError):
    """A rule of the product forbids it."""

    code = "refused"
    exit_status = 2


class ChangedMeanwhile(RuleError):
    """Somebody else changed or decided it meanwhile."""

    code = "conflict"


class NotAuthenticated(RuleError):
    """The request has no token, or one that is unknown, expired or revoked."""

    code = "not_authenticated"


class TooManyRequests(RuleError):
    """The caller makes more requests than the server allows."""

    code = "too_many_requests"


class Interrupted(FoundryError):
    """The user stopped it."""

    code = "interrupted"
    exit_status = 130


class ConfigError(FoundryError):
    """The configuration is invalid; ``where`` names file and key."""

    code = "config"


class ExtraMissing(ConfigError):
    """An extra of Foundry is not installed; the fix is the command that adds it."""

    code = "missing_package"


def describe_missing(extra: str) -> Message:
    """What is missing of the extra, and the command that adds it."""
    packages, command = list_missing(extra) or EXTRAS[extra], tell_install(extra)
    return Message("extra-missing", extra=extra, packages=packages, command=command)


def require_extra(extra: str, *, where: str = "") -> None:
    """Raise ``ExtraMissing`` unless the extra is installed; imports nothing."""
    if not is_installed(extra):
        raise ExtraMissing(describe_missing(extra), where=where)


class ProjectNotFound(ConfigError):
    """No ``foundry.yaml`` here or above."""

    code = "no_project"


class AgentInvalid(ConfigError):
    """The file of an agent is invalid; ``where`` names file and line."""

    code = "agent_invalid"


class ReadError(FoundryError):
    """A file could not be read as text."""

    code = "read"


class StoreError(FoundryError):
    """The database failed."""

    code = "store"


class StoreUnavailable(StoreError):
    """The database server is away or has no connection left; it may be back soon."""

    code = "store_unavailable"


class IndexMissing(StoreError):
    """There are no vectors for the configured embedding model."""

    code = "index_missing"


class SchemaTooNew(StoreError):
    """A newer Foundry wrote this database."""

    code = "schema_too_new"


class ProjectBusy(StoreError):
    """Another process holds the project, and the caller does not want to wait (any longer)."""

    code = "busy"


class StoreCorrupt(StoreError):
    """The database file is damaged or not a database."""

    code = "store_corrupt"


class DiskFull(StoreError):
    """There is no space left to write."""

    code = "disk_full"


class ServerUnreachable(FoundryError):
    """No Foundry answers at the address of a client, or not to the end."""

    code = "server_unreachable"


class ClusterError(FoundryError):
    """The cluster of ``--ray`` cannot be used, or lost a task for good."""

    code = "cluster"


class ModelError(FoundryError):
    """A model call failed after its retries."""

    code = "model"


class KeyMissing(ModelError):
    """The provider's API key is not in the environment; the message names the variable."""

    code = "key_missing"


class ModelUnreachable(ModelError):
    """The model's host could not be reached, or the connection was lost."""

    code = "model_unreachable"


class ModelTimeout(ModelError):
    """The model did not answer in time."""

    code = "model_timeout"


class ModelRejected(ModelError):
    """The provider rejected the request."""

    code = "model_rejected"


class ModelReplyInvalid(ModelError):
    """The model's reply could not be used."""

    code = "model_reply"


class SpendingLimitReached(ModelError):
    """A call was not made, because it could exceed a limit of ``spending``."""

    code = "spending_limit"
    exit_status = 2
