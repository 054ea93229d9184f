"""Screenshots of the app for the documentation: `python -m tests.app.tour` takes them."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from plyglass.arena.tournament.settings import Settings as TournamentSettings
from plyglass.arena.tournament.settings import Stop
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.settings import Settings
from tests.app import hands
from tests.app.conftest import PATIENCE, SIZES, Server
from tests.app.test_app import GAMES
from tests.arena.tournaments import run

IMAGES = Path(__file__).parents[2] / "docs/images"
RUN = "connect-four"
PICTURES = (  # name, game, size of the screen, theme, own actions before it, keys chosen then
    ("play", "duelyst", "desktop", "light", 6, 1),
    ("tactics", "tubstap", "desktop", "dark", 4, 1),
    ("phone", "trading-cards", "phone", "light", 4, 0),
)


def main():
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        settings = Settings(games={name: name for name in GAMES}, decide=False)
        runs = _tournament(Path(folder) / "runs")
        server = Server(Catalogue(settings), settings, Path(folder), runs=runs).start()
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
        _glass(_page(browser, "desktop", "light"), server.url)
        _watch(_page(browser, "desktop", "light"), server.url)
        _runs(_page(browser, "desktop", "light"), server.url)
        browser.close()
        server.stop()


def _tournament(folder):
    """A folder with the results of a small tournament."""
    folder.mkdir()
    agents = {"chance": "random", "uct 20": "uct:iterations=20", "uct 200": "uct:iterations=200"}
    run(TournamentSettings(("connect-four",), agents, deals=20, stop=Stop("sprt", -20, 20)), folder)
    (folder / "serial-1-None.sqlite").rename(folder / f"{RUN}.sqlite")
    return folder


def _glass(page, url):
    page.goto(f"{url}/#/new/leduc-poker")
    page.click("label.option:has-text('Easy')")  # a beginner has no belief
    page.click("text=show what agents think")
    page.click("button.large")
    hands.act(page, hands.seeded("glass"))
    page.wait_for_selector(hands.READY)
    page.wait_for_selector(".glass .belief .picture")
    _keep(page, "glass")


def _watch(page, url):
    page.goto(f"{url}/#/watch/tubstap")
    for seat in page.locator(".pairing label:not(:first-child) select").all():
        seat.select_option("medium")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_function("() => document.querySelectorAll('.log li').length >= 16")
    page.get_by_role("button", name="Stop").click()
    _keep(page, "watch")


def _runs(page, url):
    page.goto(f"{url}/#/runs/{RUN}")
    page.wait_for_selector(".matches li")
    _keep(page, "runs")
    page.locator(".matches button").first.click()
    page.wait_for_selector(".decisions li:nth-child(12)")
    page.locator(".decisions button").nth(9).click()
    page.wait_for_selector(".closer figure.board")
    _keep(page, "review")


def _page(browser, size, theme):
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, has_touch=size == "phone"
    )
    context.add_init_script("localStorage.setItem('plyglass.pace', 'at once')")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


def _play(page, url, game, actions, chosen):
    hands.begin(page, url, game)
    choice = hands.seeded(game)
    for _ in range(actions):
        hands.act(page, choice)
    page.wait_for_selector(hands.READY)
    for key in range(chosen):
        hands.tap(page, page.locator("[data-live]").nth(key))
    page.mouse.move(0, 0)


def _keep(page, name):
    """A picture with few colours, so its file is small."""
    from PIL import Image

    page.wait_for_timeout(1200)  # what flashes or glides comes to rest
    target = IMAGES / f"app-{name}.png"
    page.screenshot(path=target)
    with Image.open(target) as image:
        small = image.convert("RGB").quantize(128)
    small.save(target, optimize=True)


if __name__ == "__main__":
    main()
