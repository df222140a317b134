"""Nothing leaves the process unless a remote model is called."""

from __future__ import annotations

import subprocess
import sys

_GUARD = """
import socket
def refuse(*_):
    raise AssertionError("a socket was opened")
class Guarded(socket.socket):
    connect = connect_ex = sendto = refuse
socket.socket = Guarded
socket.create_connection = socket.getaddrinfo = refuse
"""


def run_guarded(code: str) -> None:
    subprocess.run([sys.executable, "-c", _GUARD + code], check=True, timeout=300)


def test_builtin_models_and_token_counts_open_no_connection() -> None:
    run_guarded(
        "from foundry.models import *\n"
        "embedder = get_embedder('builtin/multilingual-e5-small', ModelSettings())\n"
        "embedder.embed_passages(['a']); embedder.embed_query('b')\n"
        "load_token_counter()('five volts')\n"
    )


def test_importing_litellm_and_asking_its_tables_opens_no_connection() -> None:
    run_guarded(
        "from foundry.models import *\n"
        "from foundry.models.litellm_import import load_litellm\n"
        "load_litellm()\n"
        "context_window('openai/gpt-4o', ModelSettings())\n"
        "context_window('huggingface/meta-llama/Llama-3-8B', ModelSettings())\n"
        "count_tokens('meta-llama/Llama-3-8B', 'five volts')\n"
        "settings = ModelSettings(environment={'OPENAI_API_KEY': 'k'})\n"
        "get_generator('openai/gpt-4o', settings); get_embedder('openai/x', settings)\n"
    )


def test_a_dotenv_file_in_the_working_directory_is_not_read(tmp_path: object) -> None:
    (tmp_path / ".env").write_text("FOUNDRY_SURPRISE=1\n")  # type: ignore[operator]
    code = (
        "import os; from foundry.models.litellm_import import load_litellm; load_litellm(); "
        "assert 'FOUNDRY_SURPRISE' not in os.environ"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=str(tmp_path), timeout=300)
