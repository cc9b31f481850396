"""A server on loopback that speaks the protocols of two providers (one has two) and misbehaves on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Turn:
    """How the server answers one request: the text of an answer, at a status, after a while; *body*
    in place of what the protocol has; *cut* ends it after so many bytes."""

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    finish: str = "stop"
    seconds: float = 0.0
    body: bytes | None = None
    cut: int | None = None


@dataclass
class Server:
    """What it will answer, in order, and what it was asked."""

    address: str
    turns: list[Turn] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def serving(*turns: Turn) -> Iterator[Server]:
    """A server that takes *turns*."""
    server = Server("", list(turns))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(asked)
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            turn = server.turns.pop(0)
            time.sleep(turn.seconds)
            body = turn.body if turn.body is not None else _body(self.path, turn, asked)
            self.send_response(turn.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            for name, value in turn.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body if turn.cut is None else body[: turn.cut])
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # a client that went away

    http = Quiet(("127.0.0.1", 0), Handler)
    server.address = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def _body(path: str, turn: Turn, asked: Mapping[str, Any]) -> bytes:
    """What the protocol at *path* says."""
    if turn.status != 200:
        error = {"type": "error", "message": f"status {turn.status}", "code": None, "param": None}
        return json.dumps({"type": "error", "error": error}).encode()
    if path.endswith("/messages"):
        finish = {"stop": "end_turn", "length": "max_tokens"}[turn.finish]
        said: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": asked["model"],
            "content": [{"type": "text", "text": turn.text}],
            "stop_reason": finish,
            "stop_sequence": None,
            "usage": {"input_tokens": 1_000, "output_tokens": 200},
        }
    elif path.endswith("/responses"):
        content = {"type": "output_text", "text": turn.text, "annotations": []}
        cut = turn.finish == "length"
        said = {
            "id": "resp_1",
            "object": "response",
            "created_at": 1_767_225_600,
            "model": asked["model"],
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "error": None,
            "output": [
                {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
                 "content": [content]}
            ],
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 1_000, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 200, "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 1_200,
            },
        }  # fmt: skip
    else:
        message = {"role": "assistant", "content": turn.text, "refusal": None}
        said = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_767_225_600,
            "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": turn.finish}],
            "usage": {"prompt_tokens": 1_000, "completion_tokens": 200, "total_tokens": 1_200},
        }
    return json.dumps(said).encode()
