"""The app in a real browser."""

import pytest

import plyglass as pg
from tests.app import hands
from tests.app.barriers import barriers

SMALL = ("connect-four", "phantom-tic-tac-toe", "skirmish", "tic-tac-toe")
GAMES = (
    "battleship", "bear", "connect-four", "dark-hex", "duel", "duelyst", "kuhn-poker",
    "leduc-poker", "navy", "pandemic", "phantom-tic-tac-toe", "pig", "rocksample", "skirmish",
    "tic-tac-toe", "tiger", "trading-cards", "tubstap",
)  # fmt: skip


def play(page, url, game, actions):
    """Make so many own actions, in several matches if one is shorter."""
    made, choice = 0, hands.seeded(game)
    while made < actions:
        hands.begin(page, url, game)
        while made < actions and hands.act(page, choice):
            made += 1
    return made


@pytest.mark.parametrize(("game", "size"), [("skirmish", "desktop"), ("tic-tac-toe", "phone")])
def test_a_game_is_played_by_clicks(serve, open_page, game, size):
    url = serve(*SMALL).url
    assert play(open_page(url, size), url, game, 10) == 10


@pytest.mark.nightly
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_by_clicks(serve, open_page, game, size):
    url = serve(*GAMES).url
    assert play(open_page(url, size), url, game, 10) == 10


LARGE = ("duelyst", "navy", "pandemic", "trading-cards", "tubstap")


@pytest.mark.nightly
@pytest.mark.parametrize("game", LARGE)
def test_a_large_game_is_played_to_its_end_by_clicks(serve, open_page, game):
    url = serve(*GAMES).url
    page, choice, actions = open_page(url), hands.seeded(game), 0
    hands.begin(page, url, game)
    while hands.act(page, choice):
        actions += 1
    assert hands.is_over(page)
    assert hands.own_actions(page) >= actions > 5
    with page.expect_download() as download:
        page.click("text=Download the record")
    assert pg.verify(pg.Record.load(download.value.path())) == ()
    print(f"{game}: {actions} own actions to the end")


def test_a_rated_match_has_no_glass_and_no_review(serve, open_page):
    url = serve(*SMALL).url
    page = open_page(url, quiet=False)  # the browser complains of refusals
    hands.begin(page, url, "phantom-tic-tac-toe")
    ticket = page.evaluate(
        "() => Object.values(localStorage).map(each => { try { return JSON.parse(each); }"
        " catch { return null; } }).find(each => each?.which?.ticket).which"
    )
    ask = """([path, body]) => fetch(path, {method: "POST", body: JSON.stringify(body),
        headers: {"content-type": "application/json"}})
        .then(async reply => [reply.status, (await reply.json()).code])"""
    for path, asked, answer in (
        ("/v1/analyse", {"seat": 1, "want": ["belief"]}, [403, "forbidden"]),
        ("/v1/analyse", {"seat": 0, "want": ["values"]}, [403, "forbidden"]),
        ("/v1/matches/record", {}, [409, "not-over"]),  # without which there is no review
    ):
        assert page.evaluate(ask, [path, {**ticket, **asked}]) == answer, path
    assert page.get_by_role("link", name="Review").count() == 0


def test_the_page_waits_for_a_server_that_still_loads(serve, open_page):
    page = open_page(serve(*SMALL).url)
    page.wait_for_selector(".tile")
    page.route("**/v1/games", lambda route: route.fulfill(json=[]), times=1)
    page.reload()
    page.wait_for_selector("text=The server loads its games")
    page.wait_for_selector("text=tiger: 3 of 18 games are ready")
    assert page.locator("progress").get_attribute("value") == "3"
    page.wait_for_selector(".tile")


def press_until(page, key, there):
    """Press a key until the element that has the focus is the right one."""
    for _ in range(60):
        if page.evaluate(f"(() => {{ const now = document.activeElement; return {there}; }})()"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"the keyboard does not reach {there}")


def test_a_keyboard_alone_plays_connect_four(serve, open_page):
    page = open_page(serve(*SMALL).url)
    page.wait_for_selector(".tile")
    press_until(page, "Tab", "now.matches('.tile') && now.textContent.includes('Connect Four')")
    page.keyboard.press("Enter")
    page.wait_for_selector("button.large")
    press_until(page, "Tab", "now.matches('button.large')")
    page.keyboard.press("Enter")
    for turn in range(42):
        page.wait_for_selector(hands.READY)
        if hands.is_over(page):
            break
        press_until(page, "Tab", "now.matches('[data-live], .action')")
        for _ in range(turn % 3):
            page.keyboard.press("ArrowRight")
        before = hands.own_actions(page)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "before => document.querySelectorAll('.log .own').length > before", arg=before
        )
    assert hands.is_over(page)


def test_a_match_goes_on_after_a_reload_and_a_restart_of_the_server(serve, open_page):
    server = serve(*SMALL)
    page, choice = open_page(server.url, quiet=False), hands.seeded("reload")
    hands.begin(page, server.url, "connect-four")
    for _ in range(2):
        hands.act(page, choice)
    page.wait_for_selector(hands.READY)
    before = page.locator(".log").inner_text()
    page.reload()
    page.wait_for_selector(hands.READY)
    assert page.locator(".log").inner_text() == before
    server.stop()
    (page.query_selector("[data-live]") or page.query_selector(".action")).dispatch_event("click")
    page.wait_for_selector(".problem")
    server.start()
    page.wait_for_selector(hands.READY)
    assert not page.query_selector(".problem")
    assert hands.own_actions(page) == 3


def test_undo_takes_an_action_back_and_giving_up_ends_the_match(serve, open_page):
    url = serve(*SMALL).url
    page = open_page(url)
    hands.begin(page, url, "tic-tac-toe")
    hands.act(page, hands.seeded("undo"))
    page.wait_for_selector(".status.mine")
    page.click("text=Undo")
    page.wait_for_selector("text=You took an action back")
    page.wait_for_selector(".status.mine")
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.click("text=Give up")
    page.click("text=Really give up?")
    page.wait_for_selector(".status.over")
    assert page.locator(".status").inner_text() == "You gave up"


def test_the_record_of_a_match_can_be_downloaded_and_verified(serve, open_page):
    url = serve(*SMALL).url
    page, choice = open_page(url), hands.seeded("record")
    hands.begin(page, url, "tic-tac-toe")
    while hands.act(page, choice):
        pass
    with page.expect_download() as download:
        page.click("text=Download the record")
    record = pg.Record.load(download.value.path())
    assert len(record.moves) >= 5
    assert pg.verify(record) == ()


def test_a_match_is_reviewed_after_its_end(serve, open_page):
    url = serve(*SMALL).url
    page, choice = open_page(url), hands.seeded("review")
    hands.begin(page, url, "tic-tac-toe")
    while hands.act(page, choice):
        pass
    page.get_by_role("link", name="Review").click()
    page.wait_for_selector(".decisions li:nth-child(5)")
    page.wait_for_function("() => !document.body.innerText.includes('decisions reviewed…')")
    page.locator(".decisions button").nth(1).click()
    page.wait_for_selector(".closer figure.board")
    page.locator(".closer select").select_option(index=1)
    page.wait_for_selector(".closer [role=status]")
    assert "instead of" in page.inner_text(".closer [role=status]")
    page.keyboard.press("ArrowRight")
    assert page.locator(".decisions [aria-pressed=true] .number").inner_text() == "3"


def test_a_person_is_advised_and_looks_into_an_agent(serve, open_page):
    url = serve(*SMALL).url
    page = open_page(url)
    page.goto(f"{url}/#/new/phantom-tic-tac-toe")
    page.click("text=ask the strongest level")
    page.click("label.option:has-text('Easy')")  # a beginner has no belief
    page.click("text=show what agents think")
    page.click("button.large")
    page.click("text=Ask for advice")
    page.wait_for_selector(".values .best")
    page.wait_for_selector(".glass .belief .picture")  # at my decision
    hands.act(page, hands.seeded("glass"))
    page.wait_for_selector(".glass .values .best")  # what it thought when it decided
    assert "iterations" in page.inner_text(".glass")
    assert page.locator(".insight .problem").count() == 0


def test_two_people_play_each_other_by_a_link(serve, open_page):
    url = serve("tic-tac-toe", store=True).url
    host = open_page(url)
    host.goto(f"{url}/#/new/tic-tac-toe")
    host.click("text=Somebody else")
    host.click("button.large")
    link = host.locator(".invitation input").input_value()
    guest = open_page(url)
    guest.goto(link)
    guest.fill("input[name=name]", "Bo")
    guest.click("text=Take the seat")
    guest.wait_for_selector(".seats")
    for page in (host, guest, host):
        page.wait_for_selector(".status.mine")
        hands.act(page, hands.seeded("two"))
    guest.wait_for_selector(".status.mine")
    assert host.locator("text=Bo").count() > 0
    assert host.locator(".invitation").count() == 0


@pytest.mark.parametrize(("size", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_no_page_has_a_serious_barrier(serve, open_page, size, theme):
    url = serve(*SMALL).url
    page = open_page(url, size, theme)
    page.wait_for_selector(".tile .picture")
    assert barriers(page) == []
    page.goto(f"{url}/#/new/skirmish")
    page.wait_for_selector(".preview")
    assert barriers(page) == []
    hands.begin(page, url, "skirmish")
    assert barriers(page) == []
