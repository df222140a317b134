"""The one place that imports LiteLLM, on first use (about 1.5 s and 300 MB).

It is set up to be quiet and to stay at home: no cost map from the network, no
tokenizer downloads, no ``.env`` file read, no telemetry, no retries of its own.
Every request that its OpenAI and Ollama clients make goes through one HTTP
session, whose responses ``exchanges`` watches.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import warnings
from functools import lru_cache
from typing import Any

from foundry.models.deadlines import open_session

_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    # The default mode reads a .env file from the working directory.
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_TELEMETRY": "False",
}


_import_lock = threading.Lock()


def load_litellm() -> Any:
    """The module ``litellm``, imported and set up once per process."""
    with _import_lock:
        return _import_once()[0]


def load_http_handler() -> Any:
    """LiteLLM's own client over the watched session, for providers that take one."""
    with _import_lock:
        return _import_once()[1]


def describe_ollama_model(name: str, window: int) -> None:
    """Put an Ollama model into LiteLLM's table, unless it is there.

    LiteLLM asks a server for models that it does not know, before every call, and
    not the one that is configured but the usual address.
    """
    load_litellm().model_cost.setdefault(
        f"ollama/{name}",
        {
            "litellm_provider": "ollama",
            "mode": "chat",
            "max_tokens": window,
            "max_input_tokens": window,
            "max_output_tokens": window,
            "input_cost_per_token": 0.0,
            "output_cost_per_token": 0.0,
        },
    )


@lru_cache(maxsize=1)
def _import_once() -> tuple[Any, Any]:
    os.environ.update(_ENVIRONMENT)
    with warnings.catch_warnings():
        # Warnings inside LiteLLM's own modules are not the user's business.
        warnings.simplefilter("ignore")
        import litellm
        from litellm.llms.custom_httpx.http_handler import HTTPHandler

        _warm_up(litellm)
    # Pydantic notes this of LiteLLM's types whenever another provider is first used.
    warnings.filterwarnings("ignore", message=r".*`ReadOnly` qualifier")
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    litellm.telemetry = False
    litellm.disable_hf_tokenizer_download = True
    litellm.num_retries = 0
    # Its embeddings read a 0 that they are given as "not given".
    litellm.DEFAULT_MAX_RETRIES = 0  # type: ignore[attr-defined]
    session = open_session()
    atexit.register(session.close)
    litellm.client_session = session
    # LiteLLM's Ollama embeddings use this client and hand it no time-out.
    litellm.module_level_client.client = session
    return litellm, HTTPHandler(client=session)


def _warm_up(litellm: Any) -> None:
    """Make LiteLLM import and build now what it otherwise does within the first call.

    That takes seconds on a busy machine, which are no server's delay, and warns.
    ``mock_response`` calls nothing.
    """
    litellm.suppress_debug_info = True
    request = {"model": "openai/none", "messages": [{"role": "user", "content": ""}]}
    litellm.completion(**request, api_key="none", mock_response="warm")
    list(litellm.completion(**request, api_key="none", mock_response="warm", stream=True))
