"""Screenshots of the app for the documentation: `python -m tests.app.tour` takes them."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from plyglass.serve.catalogue import Catalogue
from plyglass.serve.settings import Settings
from tests.app import hands
from tests.app.conftest import SIZES, Server
from tests.app.test_app import GAMES

IMAGES = Path(__file__).parents[2] / "docs/images"
PICTURES = (  # name, game, size of the screen, theme, own actions before it, keys chosen then
    ("play", "duelyst", "desktop", "light", 6, 1),
    ("tactics", "tubstap", "desktop", "dark", 4, 1),
    ("phone", "trading-cards", "phone", "light", 4, 0),
)


def main():
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        settings = Settings(games={name: name for name in GAMES})
        server = Server(Catalogue(settings), settings, Path(folder)).start()
        path = shutil.which("chromium")
        browser = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = _page(browser, "desktop", "light")
        page.goto(server.url)
        page.wait_for_selector(".tile .picture")
        page.wait_for_timeout(1500)
        _keep(page, "home")
        page.goto(f"{server.url}/#/new/duelyst")
        page.wait_for_selector(".preview")
        _keep(page, "new")
        for name, game, size, theme, actions, chosen in PICTURES:
            page = _page(browser, size, theme)
            _play(page, server.url, game, actions, chosen)
            _keep(page, name)
        browser.close()
        server.stop()


def _page(browser, size, theme):
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, has_touch=size == "phone"
    )
    context.add_init_script("localStorage.setItem('plyglass.pace', 'at once')")
    return context.new_page()


def _play(page, url, game, actions, chosen):
    hands.begin(page, url, game)
    choice = hands.seeded(game)
    for _ in range(actions):
        hands.act(page, choice)
    page.wait_for_selector(hands.READY)
    for key in range(chosen):
        hands.tap(page, page.locator("[data-live]").nth(key))
    page.mouse.move(0, 0)
    page.wait_for_timeout(1200)


def _keep(page, name):
    """A picture with few colours, so its file is small."""
    from PIL import Image

    target = IMAGES / f"app-{name}.png"
    page.screenshot(path=target)
    with Image.open(target) as image:
        small = image.convert("RGB").quantize(128)
    small.save(target, optimize=True)


if __name__ == "__main__":
    main()
