"""Games with options that clients choose."""

from plyglass.serve import protocol
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.settings import Settings
from tests.serve.test_app import api

LEVELS = {"easy": "random"}
CATALOGUE = Catalogue(Settings(games={"dice": "pig"}, levels={"dice": LEVELS}))
VARIANT = "dice:goal=50"


def test_a_match_with_an_option_is_played_and_its_record_is_read():
    async def scenario(ask, service):
        _, (listed,) = await ask("/v1/games")
        option = {"name": "goal", "values": ["100", "50"], "value": "100"}
        assert protocol.Game(**listed).options == [protocol.Option(**option)]
        status, about = await ask(f"/v1/games/{VARIANT}")
        assert (status, about["id"], about["options"][0]["value"]) == (200, VARIANT, "50")
        protocol.About(**about)
        start = {"game": VARIANT, "seats": ["me", "level:easy"], "seed": 1}
        status, placed = await ask("/v1/matches", start)
        assert (status, placed["position"]["game"]) == (200, VARIANT)
        while not (position := placed["position"])["over"]:
            act = {"ply": position["ply"], "action": position["actions"][0]["id"]}
            _, placed = await ask("/v1/matches/act", {"ticket": placed["ticket"], **act})
        _, record = await ask("/v1/matches/record", {"ticket": placed["ticket"]})
        assert "goal=50" in record["game"]
        status, found = await ask("/v1/analyse", {"record": record, "seat": 0, "want": []})
        assert (status, found["game"]) == (200, VARIANT)

    api(scenario, catalogue=CATALOGUE)


def test_options_as_usual_are_the_game_itself_and_others_are_refused():
    assert CATALOGUE.game("dice:goal=100") is CATALOGUE.game("dice")
    assert CATALOGUE.game(VARIANT) is CATALOGUE.game(VARIANT)

    async def scenario(ask, service):
        for name, code in (
            ("dice:goal=51", "options"), ("dice:turns=2", "options"), ("dice:", "unknown-game"),
            ("pig:goal=50", "unknown-game"), ("evil.py@Evil:a=1", "unknown-game"),
        ):  # fmt: skip
            status, problem = await ask("/v1/matches", {"game": name, "seats": ["me", "random"]})
            assert (status // 100, problem["code"]) == (4, code)
            status, problem = await ask(f"/v1/games/{name}")
            assert (status // 100, problem["code"]) == (4, code)

    api(scenario, catalogue=CATALOGUE)
