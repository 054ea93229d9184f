"""The app with servers in separate processes: one server dies, and another continues."""

import os
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.app import hands
from tests.app.conftest import free_port

PATIENCE = 120  # seconds until a server knows its games

SETTINGS = """
decide = false
[games]
connect-four = "connect-four"
"""


class Replica:
    """`plyglass serve` in a process."""

    def __init__(self, folder, port):
        (folder / "serve.toml").write_text(SETTINGS)
        options = ["--config", "serve.toml", "--keys", "keys", "--no-browser", "--workers", "1"]
        command = [sys.executable, "-m", "plyglass", "serve", *options, "--port", str(port)]
        self._process = subprocess.Popen(command, cwd=folder, start_new_session=True)
        self._url = f"http://127.0.0.1:{port}/readyz"

    def wait(self):
        for _ in range(10 * PATIENCE):
            try:
                urllib.request.urlopen(self._url)
            except OSError:
                time.sleep(0.1)
            else:
                return self
        raise AssertionError("the server does not start")

    def kill(self):
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@pytest.mark.nightly
def test_a_replica_is_killed_in_mid_game_and_the_game_goes_on(open_page, tmp_path):
    port, choice = free_port(), hands.seeded("killed")
    replica = Replica(tmp_path, port).wait()
    try:
        url = f"http://127.0.0.1:{port}"
        page = open_page(url, quiet=False)
        hands.begin(page, url, "connect-four")
        for _ in range(2):
            hands.act(page, choice)
        page.wait_for_selector(hands.READY)
        replica.kill()
        page.locator("[data-live]").first.dispatch_event("click")
        page.wait_for_selector("text=does not answer")
        replica = Replica(tmp_path, port).wait()
        page.wait_for_function("() => document.querySelectorAll('.log .own').length === 3")
        while hands.act(page, choice):
            pass
        assert hands.is_over(page)
        assert not page.query_selector(".problem")
    finally:
        replica.kill()
