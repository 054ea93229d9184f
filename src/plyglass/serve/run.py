"""Running a server: its socket, and a shutdown that finishes the requests in progress."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from types import FrameType
from typing import Any

import uvicorn

from plyglass.serve.access import LOOPBACK
from plyglass.serve.settings import Settings

NOTICE = 2.0  # seconds from the first failing /readyz to the refusal of new work
PATIENCE = 12  # seconds that requests in progress then have to end


class DrainingServer(uvicorn.Server):
    """A server that takes no new work soon after SIGTERM, and finishes the work in progress."""

    def __init__(self, config: uvicorn.Config, page: str = "") -> None:
        super().__init__(config)
        self._page = page

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._page and self.started and has_display():
            # the command that opens a browser may not return
            self._opened = asyncio.create_task(asyncio.to_thread(webbrowser.open, self._page))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        service = getattr(self.config.app.state, "service", None)  # type: ignore[union-attr]
        if sig != signal.SIGTERM or service is None or service.draining:
            super().handle_exit(sig, frame)
            return
        service.draining = True
        loop = service.loop
        loop.call_soon_threadsafe(loop.call_later, NOTICE, self._close, service)

    def _close(self, service: Any) -> None:
        service.close_door()
        self.should_exit = True


def has_display() -> bool:
    """Whether anybody would see a browser opened here; in a container or over SSH, nobody would."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def refuse_open_door(settings: Settings, host: str) -> None:
    """Refuse to serve other machines without tokens, whether directly or through a proxy."""
    if settings.tokens:
        return
    if host not in LOOPBACK:
        raise ValueError(
            f"A server at {host} is open to others, so it needs tokens; list them in the settings, "
            "or use --host 127.0.0.1."
        )
    if settings.hosts:
        raise ValueError(
            f"A server that is known as {settings.hosts[0]} is open to others, so it needs tokens; "
            "list them in the settings, or leave out hosts."
        )


def run(app: Any, host: str, port: int, page: str = "") -> None:
    """Serve an app until it is told to stop; open `page` in a browser once it listens."""
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=PATIENCE,
        server_header=False, date_header=False,
    )  # fmt: skip
    asyncio.run(DrainingServer(config, page).serve())
