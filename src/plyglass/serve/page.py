"""The app in the browser: files that `npm run build` wrote, served from memory.

The server serves only files that existed when it started, so an address can name no other file.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response

from plyglass.serve.access import HEADERS

FOLDER = Path(__file__).with_name("app")
INDEX, ICON = "index.html", "favicon.svg"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
PACKED = 1000  # files of at least this many bytes are sent compressed
POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may load: nothing but what this server serves."""
FOREVER = "public, max-age=31536000, immutable"
"""The cache header of files whose names change with their contents; a browser may keep them."""
HASHED = re.compile(r"assets/.+-[\w-]{8}\.\w+")
NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Plyglass</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<h1>Plyglass</h1>
<p>The server runs, but this checkout has no app: build it with <code>npm ci</code> and
<code>npm run build</code> in <code>app</code>, and start the server again. Programs use
<a href="/v1/games">/v1/games</a> and <a href="/openapi.json">/openapi.json</a>.</p>
</html>
"""
PLAIN_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    '<path d="M8 1l6 3.5v7L8 15l-6-3.5v-7z" fill="#2f6f8f"/></svg>'
)


@dataclass(frozen=True)
class File:
    """A file of the app: its content, plain and compressed, and how long a browser may keep it."""

    content: bytes
    packed: bytes
    kind: str
    kept: str

    def answer(self, request: Request) -> Response:
        """The HTTP response with this file."""
        headers = {**HEADERS, "cache-control": self.kept, "content-security-policy": POLICY}
        headers |= {"referrer-policy": "no-referrer", "vary": "accept-encoding"}
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, media_type=self.kind, headers=headers)
        return Response(self.content, media_type=self.kind, headers=headers)


def files_in(folder: Path) -> dict[str, File]:
    """The app's files by name; if the app was not built, an icon and a page that says so."""
    found = {INDEX: NOT_BUILT.encode(), ICON: PLAIN_ICON.encode()}
    if (folder / INDEX).is_file():
        found |= {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in TYPES and path.is_file() and not path.is_symlink()
        }
    return {name: _file(name, content) for name, content in found.items()}


def _file(name: str, content: bytes) -> File:
    kind = TYPES[Path(name).suffix]
    text = kind.startswith("text/") or Path(name).suffix in (".svg", ".json")
    packed = gzip.compress(content, 9, mtime=0) if text and len(content) >= PACKED else b""
    kept = FOREVER if HASHED.fullmatch(name) else "no-cache"
    return File(content, packed, kind, kept)


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the app: its page at `/`, and every file at its name."""
    files = files_in(folder)
    for name, file in {"": files[INDEX], **files}.items():
        app.add_route(f"/{name}", _endpoint(file), ["GET", "HEAD"], include_in_schema=False)


def _endpoint(file: File) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        return file.answer(request)

    return page
