"""What Foundry raises when it cannot go on.

::

    FoundryError                 code, message, where, fix; exit status
    ├── UsageError         2     the command was not understood
    ├── RuleError          2     a rule refuses it (paths, roles, overwriting)
    ├── Interrupted      130     stopped by whoever asked
    ├── ConfigError        1     foundry.yaml or the environment
    │   └── ProjectNotFound
    ├── ReadError          1     a file that cannot be read (becomes a failed file in an ingest)
    ├── StoreError         1     the database
    │   ├── IndexMissing         no vectors for the configured model: the hard stop
    │   ├── SchemaTooNew         written by a newer Foundry
    │   ├── StoreCorrupt
    │   └── DiskFull
    └── ModelError         1     a model call
        ├── KeyMissing           names the environment variable
        ├── ModelUnreachable
        ├── ModelTimeout
        ├── ModelRejected        refused by the provider: bad key, bad request, unknown model
        └── ModelReplyInvalid    an answer that does not fit what was asked for

Errors of other libraries are mapped in one place per edge (``readers``,
``store``, ``models``). Every message says what happened; ``where`` says at
what, and ``fix`` what to do next. A refusal for lack of evidence, a failed file
or a dropped chunk is a value in a result, never an exception.
"""

from __future__ import annotations


class FoundryError(Exception):
    """Something Foundry cannot go on from, with the way out."""

    code = "error"
    exit_status = 1

    def __init__(self, message: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.fix = fix

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders (parsers run in workers): keep the keywords.
        return (_rebuild, (type(self), self.message, self.where, self.fix))

    def as_dict(self) -> dict[str, str]:
        """The error object that ``--json`` prints."""
        return {"code": self.code, "message": self.message, "where": self.where, "fix": self.fix}


def _rebuild(kind: type[FoundryError], message: str, where: str, fix: str) -> FoundryError:
    return kind(message, where=where, fix=fix)


class UsageError(FoundryError):
    """The command line, or an argument of the API, makes no sense."""

    code = "usage"
    exit_status = 2


class RuleError(FoundryError):
    """A rule of the product refuses it."""

    code = "refused"
    exit_status = 2


class Interrupted(FoundryError):
    """Whoever asked did not wait for the end."""

    code = "interrupted"
    exit_status = 130


class ConfigError(FoundryError):
    """The configuration is wrong; ``where`` names file and key."""

    code = "config"


class ProjectNotFound(ConfigError):
    """There is no ``foundry.yaml`` here or above."""

    code = "no_project"


class ReadError(FoundryError):
    """A file could not be turned into text."""

    code = "read"


class StoreError(FoundryError):
    """The database failed."""

    code = "store"


class IndexMissing(StoreError):
    """No vectors exist for the configured embedding model."""

    code = "index_missing"


class SchemaTooNew(StoreError):
    """A newer Foundry wrote this database."""

    code = "schema_too_new"


class StoreCorrupt(StoreError):
    """The database file is damaged or no database at all."""

    code = "store_corrupt"


class DiskFull(StoreError):
    """No room left to write."""

    code = "disk_full"


class ModelError(FoundryError):
    """A model call failed after its retries."""

    code = "model"


class KeyMissing(ModelError):
    """The provider's key is not in the environment; the message names the variable."""

    code = "key_missing"


class ModelUnreachable(ModelError):
    """No connection to the model's host, or it was lost."""

    code = "model_unreachable"


class ModelTimeout(ModelError):
    """The model did not answer in time."""

    code = "model_timeout"


class ModelRejected(ModelError):
    """The provider refused the request."""

    code = "model_rejected"


class ModelReplyInvalid(ModelError):
    """The model's reply could not be used."""

    code = "model_reply"
