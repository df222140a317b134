"""LiteLLM, imported in this one place and on first use (about 1.5 s and 300 MB).

It is configured to be quiet and to make no requests on its own: no cost map or
tokenizer downloads, no ``.env`` file, no telemetry, no retries. Its OpenAI and
Ollama clients share one HTTP session, which ``deadlines`` can abort.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import warnings
from functools import lru_cache
from typing import Any

from foundry.errors import require_extra
from foundry.models.deadlines import open_session

_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    # The default mode reads a .env file from the working directory.
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_TELEMETRY": "False",
}


_import_lock = threading.Lock()


def load_litellm() -> Any:
    """The module ``litellm``, imported and set up once per process.

    Raises ``ExtraMissing`` without the extra ``models``.
    """
    with _import_lock:
        return _import_once()[0]


def load_http_handler() -> Any:
    """LiteLLM's HTTP client over the shared session, for providers that accept one."""
    with _import_lock:
        return _import_once()[1]


def describe_ollama_model(name: str, window: int) -> None:
    """Add an Ollama model to LiteLLM's table unless it is listed already.

    For a model that it does not know, LiteLLM queries a server before every call,
    and that at Ollama's default address instead of the configured one.
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
    require_extra("models")
    os.environ.update(_ENVIRONMENT)
    with warnings.catch_warnings():
        # Users can do nothing about warnings from LiteLLM's own modules.
        warnings.simplefilter("ignore")
        import litellm
        from litellm.llms.custom_httpx.http_handler import HTTPHandler

        _warm_up(litellm)
    # Pydantic warns about LiteLLM's types at the first use of each provider.
    warnings.filterwarnings("ignore", message=r".*`ReadOnly` qualifier")
    # And each time about vectors in base64.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    litellm.telemetry = False
    litellm.disable_hf_tokenizer_download = True
    litellm.num_retries = 0
    # Its embedding calls treat max_retries=0 as if it were not given.
    litellm.DEFAULT_MAX_RETRIES = 0  # type: ignore[attr-defined]
    session = open_session()
    atexit.register(session.close)
    litellm.client_session = session
    # LiteLLM's Ollama embeddings use this client, without a time-out.
    litellm.module_level_client.client = session
    return litellm, HTTPHandler(client=session)


def _warm_up(litellm: Any) -> None:
    """Let LiteLLM do its lazy imports now instead of within the first call.

    They can take seconds, which must not count against the server's deadline, and
    they emit warnings. ``mock_response`` makes no request.
    """
    litellm.suppress_debug_info = True
    request = {"model": "openai/none", "messages": [{"role": "user", "content": ""}]}
    litellm.completion(**request, api_key="none", mock_response="warm")
    list(litellm.completion(**request, api_key="none", mock_response="warm", stream=True))
