"""``foundry.yaml``: read once by ``load_config``, frozen and passed down.

Nothing else reads the environment. Unknown keys are errors that name the nearest known
key. API keys and passwords do not belong here: they stay in the environment, or in a file
that the configuration names.
"""

from foundry.config.keys import (
    BUILTIN_EMBEDDING,
    BUILTIN_GENERATOR,
    BUILTIN_RERANKER,
    FORMER_GENERATOR,
    PROFILES,
    Config,
    OidcConfig,
    OutsideConfig,
    Profile,
    SpendingConfig,
    parse_provider,
)
from foundry.config.loader import (
    CONFIG_NAME,
    ENVIRONMENT_PREFIX,
    SHORTEST_SECRET,
    find_project,
    get_cache_folder,
    load_config,
    load_server_config,
    override_config,
    parse_config,
    redact_secrets,
    show_value,
)
