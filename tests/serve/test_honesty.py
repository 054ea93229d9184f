"""A person receives the same data in all worlds that they cannot distinguish."""

import json
from collections import defaultdict

import pytest

from plyglass.serve.analysis import analysed
from plyglass.serve.matches import HostedMatch, new_match
from plyglass.serve.protocol import Refused
from plyglass.serve.tickets import Seal, room_for
from tests.serve.requests import served
from tests.serve.test_matches import hosted, never, nobody_listens
from tests.sizes import sized

HIDING = (
    "kuhn-poker", "leduc-poker", "phantom-tic-tac-toe", "dark-hex", "duel", "skirmish:fog=true",
    "bear", "battleship", "tiger",
    *sized((), ("navy", "rocksample", "tubstap", "duelyst")),
)  # fmt: skip
ADVISER = "uct:iterations=3"
TRUTHS = sized(4, 1000)


def sent(match):
    """Everything that the person in a match can get at their decision."""
    refusals = []
    for action in (-1, 2**31 - 1):
        with pytest.raises(Refused) as refused:
            match.act(action)
        refusals.append(refused.value.problem())
    with pytest.raises(Refused) as refused:
        match.record()
    refusals.append(refused.value.problem())
    position = match.position()
    advice = analysed(
        match,
        {"record": None, "seat": match.seat, "ply": None, "agent": "", "expert": True,
         "grant": 600.0, "want": ["values", "belief"], "report_every_ms": None,
         "budget": {"iterations": 3, "seconds": None}},
        nobody_listens, never,
    )  # fmt: skip
    if advice["thought"]:
        advice["thought"].pop("seconds")
    match.match["resigned"] = match.seat
    resigned = match.position()
    match.match["resigned"] = None
    return json.dumps([refusals, position, advice, resigned])


def with_truth(match, world):
    """The match as it would be if another world were true."""
    match._world = world
    for seat, seen in enumerate(match._seen):
        if seat != match.seat:
            seen[-1] = (seen[-1][0], world.hide(seat))


def compared(name):
    """How many swapped truths were sent alike, and how many were not."""
    game, alike, unlike = served(name), 0, 0
    for seat in range(game.game.players):
        match = hosted(game, "random", seed=3 + seat, seat=seat, advice=ADVISER)
        for _ in range(2):
            if match.over:
                break
            true, first = match._world, sent(match)
            for seed in range(TRUTHS // game.game.players):
                with_truth(match, game.game.imagine(true.hide(seat), seed))
                same = sent(match) == first
                alike, unlike = alike + same, unlike + (not same)
            with_truth(match, true)
            match.act(match.position()["actions"][-1]["id"])
            match.go_on(nobody_listens, never)
    return alike, unlike


@pytest.mark.parametrize("name", HIDING)
def test_all_that_is_sent_is_the_same_for_swapped_truths(name):
    """The world is replaced by others that the person cannot tell from it."""
    alike, unlike = compared(name)
    assert alike >= TRUTHS
    assert unlike == 0


@pytest.mark.parametrize("name", ["kuhn-poker", "leduc-poker", "phantom-tic-tac-toe", "dark-hex"])
@pytest.mark.parametrize("seat", [0, 1])
def test_matches_that_look_alike_are_told_alike(name, seat):
    """Whole matches with other chance and other opponents: what was seen decides what is sent."""
    game, seal = served(name), Seal.of_file(None)
    room, found, truths = room_for(game.game), defaultdict(set), defaultdict(set)
    for seed in range(sized(20, 1000)):
        told = []
        seats = ["random", "random"]
        seats[seat] = "me"
        asked = {
            "seats": seats, "seed": seed, "turn_seconds": None, "name": "", "expert": True,
            "clock_seconds": None, "glass": False, "advice": "",
        }  # fmt: skip
        match = HostedMatch(game, {**new_match(game, asked), "id": ""})
        for _ in range(3):
            match.go_on(lambda _, data, told=told: told.append(data), never)
            if match.over:
                break
            told.append(match.position())
            looks = str([(own, view.row().tobytes()) for own, view in match.shown(seat)])
            ticket = seal.ticket(match.match, room)
            found[looks].add((json.dumps(told), len(ticket)))
            truths[looks].add(match._world.row().tobytes())
            match.act(told[-1]["actions"][0]["id"])
    assert sum(len(each) > 1 for each in truths.values()) >= 2
    assert all(len(each) == 1 for each in found.values())


def test_a_planted_leak_is_noticed(monkeypatch):
    """The test itself: a position that tells of the world is found out."""
    honest = HostedMatch.position

    def leaking(self, kept=False):
        cards = self._world.record["card"].tolist()
        return {**honest(self, kept), "text": str(cards)}

    monkeypatch.setattr(HostedMatch, "position", leaking)
    assert compared("kuhn-poker")[1] > 0
