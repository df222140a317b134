"""A language model for the demo: two replies known beforehand, served over HTTP on loopback.

    python scripted_model.py COMMAND...

runs the command with its environment set to write with this model, as with any model that speaks
the OpenAI API, and ends with the command's status. Its first reply has a wrong value; its second,
to Foundry's request to correct that, the right one. It needs no key and no package.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

RIGHT = "Each output drives at most 250 m of cable."
WRONG = RIGHT.replace("250", "300")


def reply(prompt: str) -> dict[str, Any]:
    """The structured answer to a prompt, citing the passage that has the sentence."""
    before = prompt.partition(RIGHT)[0] if RIGHT in prompt else "[S1]"
    cited = re.findall(r"\bS\d+\b", before)[-1:]
    if WRONG in prompt:
        return {"sentences": [{"replaces": "R1", "text": RIGHT, "citations": cited}]}
    return {"sentences": [{"text": WRONG, "citations": cited}]}


class ScriptedModel(BaseHTTPRequestHandler):
    """Answers chat completions; streams where asked to."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        message = {"role": "assistant", "content": json.dumps(reply(prompt))}
        stream = bool(body.get("stream"))
        choice = {"index": 0, "finish_reason": "stop", "delta" if stream else "message": message}
        answer = json.dumps(
            {
                "id": "scripted",
                "object": "chat.completion.chunk" if stream else "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [choice],
                "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
            }
        )
        content = (f"data: {answer}\n\ndata: [DONE]\n\n" if stream else answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The demo shows what Foundry prints, not the requests."""


def main(command: list[str]) -> int:
    """Run the command beside the model; its exit status."""
    with ThreadingHTTPServer(("127.0.0.1", 0), ScriptedModel) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {
            **os.environ,
            "FOUNDRY_GENERATION__OFFLINE__MODEL": "openai/scripted",
            "FOUNDRY_MODELS__WINDOWS": '{"openai/scripted": 32000}',
            "FOUNDRY_VALIDATION__VERIFIER": "none",
            "OPENAI_API_BASE": f"http://127.0.0.1:{server.server_port}/v1",
            "OPENAI_API_KEY": "none-needed",
        }
        try:
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            server.shutdown()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
