"""Embedding and language models; the only package that uses LiteLLM.

Importing it loads no model and not LiteLLM, opens no connection and reads no
environment.
"""

from typing import TYPE_CHECKING

from foundry.late import import_late
from foundry.models.builtin_model import LateInteraction
from foundry.models.catalogue import (
    check_models,
    get_embedder,
    get_generator,
    get_judge,
    get_reranker,
    list_hosts,
    list_key_hosts,
    load_clients,
    require_model,
)
from foundry.models.meter import Meter, sum_usage
from foundry.models.providers import is_classifier
from foundry.models.settings import ModelSettings
from foundry.models.tokens import (
    count_tokens,
    estimate_cost,
    get_window,
    load_token_counter,
)

if TYPE_CHECKING:
    from foundry.models.gateway import map_calls
    from foundry.models.replies import build_schema_instruction

# What calls of remote models need.
__getattr__ = import_late(__name__, "gateway", "replies")
