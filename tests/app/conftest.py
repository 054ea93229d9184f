"""A server with the built app, which searches in this process, and a browser on its pages."""

import asyncio
import json
import shutil
import socket
import threading
import time

import pytest

from tests.app.generated import APP

BUILT = APP.parent / "src/plyglass/serve/app"
BELIEVES = "phantom-tic-tac-toe"  # the only game whose opponents plan
PATIENCE = 180_000  # milliseconds; other programs may have the processor
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


class Crew:
    """A crew of one thread, with rules as compiled for tests."""

    size, ready, kills, jobs = 1, 1, 0, ()

    def __init__(self, catalogue):
        self._catalogue, self.games = catalogue, catalogue.described()

    async def start(self):
        pass

    async def close(self):
        pass

    def free(self):
        return self

    def give(self, worker, job):
        from plyglass.serve import work
        from plyglass.serve.protocol import Refused

        loop = asyncio.get_running_loop()
        job.started = loop.time()
        values = json.loads(json.dumps({**job.values, "grant": job.grant, "left": 30.0}))

        def tell(name, data):
            loop.call_soon_threadsafe(job.parts.put_nowait, {"event": name, "data": data})

        def run():
            kind, found = work.answer(self._catalogue, values, tell, lambda: False)
            ended = Refused(**found) if kind == work.PROBLEM else found
            loop.call_soon_threadsafe(job.end, ended)

        threading.Thread(target=run, daemon=True).start()

    def cancel(self, job):
        pass

    def loading(self):
        return {"game": "tiger", "done": 3, "count": 18}


def free_port():
    """A port of this machine that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """A server that can be stopped and started again at the same address."""

    def __init__(self, catalogue, settings, folder, store="", runs=None):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._catalogue, self._settings, self._store = catalogue, settings, store
        self._keys, self._runs = folder / "keys", runs

    def start(self):
        import uvicorn

        from plyglass.serve import service
        from plyglass.serve.app import app_for
        from plyglass.serve.tickets import Seal

        made, service.Crew = service.Crew, lambda *_: Crew(self._catalogue)
        seal = Seal.of_file(self._keys)
        app = app_for(self._settings, 1, seal, self._store, runs=self._runs)
        config = uvicorn.Config(
            app, host="127.0.0.1", port=self.port, log_level="warning", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        service.Crew = made
        return self

    def stop(self):
        self._server.should_exit = True
        self._thread.join()


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Starts a server of some games, whose opponents mostly play at random."""
    pytest.importorskip("fastapi")
    if not (BUILT / "index.html").is_file():
        pytest.skip("the app is not built: cd app && npm ci && npm run build")
    from plyglass.serve.catalogue import Catalogue
    from plyglass.serve.settings import Settings

    running = {}

    def started(*games, store=False, runs=None):
        name = (*games, store, runs)
        if name not in running:
            levels = {each: {"easy": "random"} for each in games if each != BELIEVES}
            settings = Settings(games={each: each for each in games}, levels=levels)
            folder = tmp_path_factory.mktemp("server")
            kept = f"sqlite:{folder / 'matches.db'}" if store else ""
            running[name] = Server(Catalogue(settings), settings, folder, kept, runs).start()
        return running[name]

    yield started
    for each in running.values():
        each.stop()


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api")
    found = shutil.which("chromium")
    if not found:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=found, args=["--no-sandbox"], timeout=PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Opens pages, and finds out whether they complain or ask anybody but their server."""
    opened, wrong = [], []

    def opening(url, size="desktop", theme="light", quiet=True):
        width, height = SIZES[size]
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce",
            has_touch=size == "phone",
        )
        opened.append(context)
        context.add_init_script("localStorage.setItem('plyglass.pace', 'at once')")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        if quiet:
            page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else 0)
        page.on(
            "request", lambda asked: asked.url.startswith((url, "blob:")) or wrong.append(asked.url)
        )
        page.goto(url)
        return page

    yield opening
    for context in opened:
        context.close()
    assert not wrong
