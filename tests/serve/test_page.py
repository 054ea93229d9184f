"""The app in the browser is served from a list of files, and may load nothing from elsewhere."""

import asyncio
import gzip

import pytest
from fastapi import FastAPI

from plyglass.serve import run
from plyglass.serve.page import FOREVER, POLICY, add_page

SCRIPT = b"console.log('plyglass');" * 100


@pytest.fixture
def folder(tmp_path):
    built = tmp_path / "app"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<title>Built</title>")
    (built / "favicon.svg").write_text("<svg/>")
    (built / "assets" / "index-B2x_a-9Q.js").write_bytes(SCRIPT)
    (built / "assets" / "notes.exe").write_text("not served")
    (tmp_path / "secret.txt").write_text("secret")
    (built / "link.txt").symlink_to(tmp_path / "secret.txt")
    return built


def got(folder, path, encoding="identity", method="GET"):
    """The status, the headers and the body with which an address is answered."""
    app, sent = FastAPI(), []
    add_page(app, folder)

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    headers = [(b"host", b"localhost"), (b"accept-encoding", encoding.encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers,
             "query_string": b"", "root_path": ""}  # fmt: skip
    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(each.get("body", b"") for each in sent)


def test_the_page_and_its_files_are_served(folder):
    _, headers, page = got(folder, "/")
    assert page == b"<title>Built</title>"
    assert headers["content-security-policy"] == POLICY
    assert headers["cache-control"] == "no-cache"
    name = "/assets/index-B2x_a-9Q.js"
    _, headers, script = got(folder, name, "gzip, br")
    assert gzip.decompress(script) == SCRIPT
    assert headers["content-encoding"] == "gzip"
    assert headers["content-type"].startswith("text/javascript")
    assert headers["cache-control"] == FOREVER
    assert got(folder, name)[2] == SCRIPT
    assert got(folder, "/favicon.svg")[1]["content-type"] == "image/svg+xml"
    assert got(folder, "/", method="HEAD")[0] == 200


@pytest.mark.parametrize(
    "name",
    ["secret.txt", "../secret.txt", "assets/../../secret.txt", "link.txt", "assets/notes.exe"],
)
def test_no_other_file_is_served(folder, name):
    assert got(folder, f"/{name}")[0] == 404


def test_a_checkout_without_the_app_says_how_to_build_it(tmp_path):
    assert b"npm run build" in got(tmp_path, "/")[2]
    assert got(tmp_path, "/favicon.svg")[0] == 200


@pytest.mark.parametrize(("page", "display", "opened"), [
    ("http://127.0.0.1:1/", ":0", ["http://127.0.0.1:1/"]),
    ("http://127.0.0.1:1/", "", []),
    ("", ":0", []),
])  # fmt: skip
def test_the_browser_opens_where_it_is_seen(page, display, opened, monkeypatch):
    found = []
    monkeypatch.setattr(run.sys, "platform", "linux")
    monkeypatch.setattr(run.webbrowser, "open", found.append)
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    async def started(self, sockets=None):
        self.started = True

    monkeypatch.setattr(run.uvicorn.Server, "startup", started)
    server = run.DrainingServer(run.uvicorn.Config(FastAPI()), page)
    asyncio.run(server.startup())
    assert found == opened
