"""Servers as separate processes, as people run them."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from plyglass.serve.client import Client, ServerProblem

CORE = Path(__file__).parents[1] / "core"
SETTINGS = f"""
[games]
kuhn-poker = "kuhn-poker"
tic-tac-toe = "tic-tac-toe"
weird = "{CORE / "endless_rules.py"}"
[levels.kuhn-poker]
easy = "uct:iterations=30"
[levels.tic-tac-toe]
easy = "uct:iterations=30"
[levels.weird]
easy = "uct:iterations=30"
"""


class Server:
    """A server that was started, and a client of it."""

    def __init__(self, process, port, log):
        self.process, self.port, self._log = process, port, log
        self.client = Client(f"http://127.0.0.1:{port}")

    def wait(self, seconds=600):
        """Wait until a worker is ready."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            assert self.process.poll() is None, self._log.read_text()
            with contextlib.suppress(OSError, ServerProblem):
                return self.client.ask("GET", "/readyz")
            time.sleep(0.1)
        raise TimeoutError(self._log.read_text())

    def workers(self):
        """The processes that work: children of the template, which has no other children."""
        template = [
            each
            for each in psutil.Process(self.process.pid).children()
            if "forkserver" in " ".join(each.cmdline())
        ]
        return template[0].children()

    def stop(self, sig=signal.SIGTERM, seconds=30):
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(sig)
        return self.process.wait(seconds)


@contextlib.contextmanager
def serving(folder, *options, settings=SETTINGS):
    """A server, stopped at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / f"serve-{port}.toml"
    config.write_text(settings)
    log = folder / f"log-{port}"
    words = ["serve", "--config", config, "--port", str(port), "--workers", "1", *options]
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "plyglass", *words], stdout=output, stderr=output,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    server = Server(process, port, log)
    try:
        yield server
    finally:
        server.stop(signal.SIGKILL)


def events(server, path, values):
    """The events of a stream, as (name, data)."""
    body = json.dumps(values).encode()
    with socket.create_connection(("127.0.0.1", server.port), 60) as line:
        head = (
            f"POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
            "connection: close\r\n\r\n"
        )
        line.sendall(head.encode() + body)
        text = b"".join(iter(lambda: line.recv(65536), b"")).decode()
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines = dict(each.split(": ", 1) for each in block.split("\n") if ": " in each)
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
