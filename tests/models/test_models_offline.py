"""Nothing leaves the process until a remote model is called."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_GUARD = """
import socket
def refuse(*_):
    raise AssertionError("a socket was opened")
class Guarded(socket.socket):
    connect = connect_ex = sendto = refuse
socket.socket = Guarded
socket.create_connection = socket.getaddrinfo = refuse
"""


def run_guarded(code: str, folder: Path) -> None:
    subprocess.run([sys.executable, "-c", _GUARD + code], check=True, timeout=300, cwd=folder)


def test_builtin_models_and_token_counts_open_no_connection(tmp_path: Path) -> None:
    run_guarded(
        "from foundry.models import *\n"
        "embedder = get_embedder('builtin/multilingual-e5-small', ModelSettings())\n"
        "embedder.embed_passages(['a']); embedder.embed_query('b')\n"
        "load_token_counter()('five volts')\n",
        tmp_path,
    )


def test_litellm_opens_no_connection_and_reads_no_dotenv_file_until_it_is_called(
    tmp_path: Path,
) -> None:
    (tmp_path / ".env").write_text("FOUNDRY_SURPRISE=1\n")
    run_guarded(
        "import os\n"
        "from foundry.models import *\n"
        "get_window('openai/gpt-4o', ModelSettings())\n"
        "get_window('huggingface/meta-llama/Llama-3-8B', ModelSettings())\n"
        "count_tokens('meta-llama/Llama-3-8B', 'five volts')\n"
        "settings = ModelSettings(environment={'OPENAI_API_KEY': 'k'})\n"
        "get_generator('openai/gpt-4o', settings); get_embedder('openai/x', settings)\n"
        "assert 'FOUNDRY_SURPRISE' not in os.environ\n",
        tmp_path,
    )
