"""Matches of agents, tournaments and records in a real browser."""

import json

import pytest

import plyglass as pg
from plyglass.arena.tournament.settings import Settings, Stop
from tests.app.barriers import barriers
from tests.app.test_app import SMALL
from tests.arena.tournaments import run


def drop(page, name, text):
    """Drop a file on the page."""
    page.evaluate(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name, {type: "application/json"}));
            for (const kind of ["dragover", "drop"])
                document.body.dispatchEvent(
                    new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        [name, text],
    )


def reviewed(page):
    page.wait_for_selector(".decisions li")
    page.wait_for_function("() => !document.body.innerText.includes('decisions reviewed…')")


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A folder with the results of a small tournament."""
    folder = tmp_path_factory.mktemp("results")
    agents = {"chance": "random", "planner": "uct:iterations=20"}
    run(Settings(("tic-tac-toe",), agents, deals=8, stop=Stop("sprt", -20, 20)), folder)
    return folder


@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_agents_play_with_their_beliefs_shown(serve, open_page, size, theme):
    url = serve(*SMALL).url
    page = open_page(url, size, theme)
    page.goto(f"{url}/#/watch/phantom-tic-tac-toe")
    page.wait_for_selector(".pairing select")
    for seat in page.locator(".pairing label:not(:first-child) select").all():
        seat.select_option("easy")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".status.over")
    assert page.locator(".eye figure.board").count() == 2
    last = int(page.locator(".scrubber input").get_attribute("max"))
    assert last >= 5
    page.get_by_role("button", name="One action back").click()
    page.wait_for_selector(".values .best")
    assert page.locator(".eye h2", has_text="believes").count() == 2
    assert barriers(page) == []
    page.get_by_role("link", name="Review").click()
    reviewed(page)
    assert page.locator(".decisions li").count() == last
    page.locator(".decisions button").nth(2).click()
    page.click("text=Believes")
    page.wait_for_selector("text=considers possible here")
    page.wait_for_selector(".closer figure.board")
    assert barriers(page) == []


@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_a_tournament_is_shown_and_its_matches_are_replayed(
    serve, open_page, tournament, size, theme
):
    url = serve("tic-tac-toe", runs=tournament).url
    page = open_page(url, size, theme)
    page.click("text=Runs")
    page.click("text=serial-1-None")
    page.wait_for_selector(".standings tbody tr:nth-child(2)")
    assert page.locator(".standings tbody th").first.inner_text().startswith("planner")
    assert page.locator(".ratios .line").count() == 1
    page.wait_for_selector(".matches li:nth-child(4)")
    assert barriers(page) == []
    page.locator(".matches button").first.click()
    reviewed(page)
    page.wait_for_selector(".decisions li:nth-child(5)")


def test_a_record_that_is_dropped_on_the_page_is_reviewed(serve, open_page, tmp_path):
    url = serve(*SMALL).url
    page = open_page(url)
    page.wait_for_selector(".tile")
    agents = [pg.agent_from("random"), pg.agent_from("uct:iterations=20")]
    record = pg.record_of(pg.play(pg.game_from("tic-tac-toe"), agents, seed=2**63 + 1))
    record.save(file := tmp_path / "match.json")
    drop(page, "match.json", file.read_text())
    reviewed(page)
    assert page.locator(".decisions li").count() == len(record.moves)
    page.reload()  # it stays open as long as the tab
    page.wait_for_selector(".decisions li")


def test_a_file_that_is_no_record_is_refused_in_a_sentence(serve, open_page, tmp_path):
    page = open_page(serve(*SMALL).url)
    page.wait_for_selector(".tile")
    agents = [pg.agent_from("random")] * 2
    pg.record_of(pg.play(pg.game_from("tic-tac-toe"), agents)).save(file := tmp_path / "match.json")
    sealed = json.loads(file.read_text())
    plain = {name: value for name, value in sealed.items() if name != "digest"}
    for text, sentence in (
        ("hello", "notes.json is not a record: it is not JSON"),
        (
            json.dumps(plain | {"game": "evil.py@Evil"}),
            "'evil.py@Evil' is not served here",
        ),
        (json.dumps(plain | {"start": "00"}), "its own start position cannot be used here"),
        (json.dumps(sealed | {"scores": [1.0, 1.0]}), "it was edited or damaged"),
    ):
        drop(page, "notes.json", text)
        page.wait_for_selector(f"text={sentence}")
