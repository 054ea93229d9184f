"""PostgreSQL on a free port, run by an unprivileged user from a folder of its own."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path


def binary(name):
    """A program of PostgreSQL, which Debian keeps apart."""
    found = [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), shutil.which(name)]
    return next((str(each) for each in found if each), None)


def is_installed():
    return bool(binary("initdb") and binary("pg_ctl"))


class Database:
    """A database, as its address and a switch."""

    def __init__(self, folder, port):
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self.url = f"postgresql://me@127.0.0.1:{port}/postgres"
        self._control = [*user, binary("pg_ctl"), "-D", folder, "-w"]
        self._options = ["-o", f"-p {port} -c listen_addresses=127.0.0.1 -k {folder}"]
        self._options += ["-l", folder / "log"]
        make = [*user, binary("initdb"), "-D", folder, "-A", "trust", "-U", "me"]
        subprocess.run(make, check=True, capture_output=True, cwd=folder)

    def start(self):
        self._do(*self._options, "start")

    def stop(self, mode="fast"):
        self._do("-m", mode, "stop")

    def restart(self):
        self._do(*self._options, "restart")

    def _do(self, *words):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*self._control, *words], check=True, **quiet)


@contextlib.contextmanager
def database():
    """A running database; stopped and deleted at the end.

    Another user must reach its folder, so it is not below pytest's, which every new run of pytest
    closes to others.
    """
    with tempfile.TemporaryDirectory(prefix="plyglass-postgres-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        with _running(Path(folder)) as found:
            yield found


@contextlib.contextmanager
def _running(folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found = Database(folder, port)
    found.start()
    try:
        yield found
    finally:
        found.stop("immediate")
