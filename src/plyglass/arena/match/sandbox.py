"""A sandbox in which an isolated player can only read Python's libraries and its own code.

On Linux, the sandbox uses Landlock: the process cannot read other files, write files, inspect or
signal other processes, or make connections. The process also gets its own namespaces if the system
allows them. On other systems, the player only gets a separate process without a sandbox, and a
warning says so. This module makes the system calls itself, because no maintained library offers
them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # system calls, on all processors
PARENT_DEATH, NO_NEW_PRIVILEGES = 1, 38  # of prctl
NEW_IPC, NEW_USER, NEW_NETWORK = 0x08000000, 0x10000000, 0x40000000  # of unshare

EXECUTE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
READ = EXECUTE | READ_FILE | READ_FOLDER
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""For each version of Landlock that added rights on files, all rights on files as a bit mask."""
NETWORK_SINCE, NETWORK_RIGHTS = 4, 0b11  # to bind and to connect
SCOPES_SINCE, SCOPES = 6, 0b11  # abstract sockets and signals

LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt", "/nix/store")
SMALL = ("/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom", "/dev/random")


class WeakIsolation(UserWarning):
    """This system cannot deny an isolated player access to files."""


def available() -> bool:
    """Return whether this system supports the sandbox."""
    return _version() > 0


def die_with_parent() -> None:
    """End this process when its parent ends, even if the player never returns."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)


def leave_namespaces() -> None:
    """Cut off this process from other processes' shared memory and network, if the system can.

    This call must come before any thread starts.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).unshare(NEW_USER | NEW_IPC | NEW_NETWORK)


def close(player: str) -> None:
    """Close the sandbox around this process; the player's code stays readable."""
    version = _version()
    if version <= 0:
        warnings.warn(
            "This system cannot keep an isolated player from files. It has a process of its own, "
            "but it could read the store of the run.",
            WeakIsolation,
            stacklevel=2,
        )
        return
    files = FILE_RIGHTS[max(each for each in FILE_RIGHTS if each <= version)]
    network = NETWORK_RIGHTS if version >= NETWORK_SINCE else 0
    scopes = SCOPES if version >= SCOPES_SINCE else 0
    size = 24 if scopes else 16 if network else 8
    handled = struct.pack("=QQQ", files, network, scopes)[:size]
    rules = _call(CREATE_RULESET, handled, size, 0)
    for path, rights in _readable(player):
        _allow(rules, path, rights)
    _checked(ctypes.CDLL(None, use_errno=True).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _call(RESTRICT_SELF, rules, 0)
    os.close(rules)


def _readable(player: str) -> Iterator[tuple[Path, int]]:
    """Yield the readable paths: libraries, Plyglass, its cache, and code on the import path."""
    from plyglass.core import cache

    installed = {Path(sys.prefix), Path(sys.base_prefix), cache.PACKAGE}
    installed |= {Path(place) for place in sysconfig.get_paths().values()}
    if (compiled := cache.root()) is not None:
        installed.add(compiled)
    for path in (*installed, *map(Path, LIBRARIES)):
        yield path, READ
    for path in map(Path, SMALL):
        yield path, READ_FILE
    folders = {Path(entry or ".").resolve() for entry in sys.path} | {_folder(player)}
    for folder in folders:
        if not any(folder.is_relative_to(place) for place in installed) and folder.is_dir():
            yield folder, READ_FOLDER  # lists names; the files below are readable
            for each in folder.iterdir():
                if each.suffix == ".py":
                    yield each, READ_FILE
                elif (each / "__init__.py").is_file():
                    yield each, READ


def _folder(player: str) -> Path:
    """Return the folder of the player's file, or the working directory if there is no file."""
    place = player.partition("@")[0]
    return Path(place).resolve().parent if place.endswith(".py") else Path.cwd()


def _allow(rules: int, path: Path, rights: int) -> None:
    """Grant rights to a file, or to a folder and everything in it."""
    if not path.exists():
        return
    if not path.is_dir():
        rights &= EXECUTE | READ_FILE
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    _call(ADD_RULE, rules, 1, struct.pack("=Qi", rights, opened), 0)
    os.close(opened)


def _version() -> int:
    """Return the version of Landlock on this system, or -1 if it has none."""
    if sys.platform != "linux":
        return -1
    return int(ctypes.CDLL(None).syscall(CREATE_RULESET, None, 0, 1))


def _call(*arguments: int | bytes) -> int:
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(ctypes.CDLL(None, use_errno=True).syscall(*wide))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "The sandbox of an isolated player cannot be closed")
    return result
