"""Inputs that follow the grammar of texts and files, made by Hypothesis."""

import json
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plyglass import beliefs, games, planners
from plyglass.arena.match.claims import CHECKS, DIGEST, MOVE, digest_of
from plyglass.arena.tournament.settings import KINDS
from plyglass.search.interface import parameters_of
from tests.fuzz.entries import (
    Entry,
    read_agent,
    read_any_record,
    read_deck,
    read_game,
    read_map,
    read_settings,
    read_weight,
)
from tests.fuzz.judge import flaw_of
from tests.fuzz.mutations import NUMBERS, TOKENS
from tests.sizes import NIGHTLY, sized

USUAL = settings(
    max_examples=sized(10, 1000),
    deadline=timedelta(seconds=10),
    derandomize=not NIGHTLY,
    database=None,
    suppress_health_check=list(HealthCheck),
)
PARTS = sorted(
    {
        name
        for cls in (*map(planners.find, planners.PLANNERS), *map(beliefs.find, beliefs.BELIEFS))
        for name in parameters_of(cls())
    }
)
words = st.one_of(
    st.sampled_from(NUMBERS),
    st.sampled_from(TOKENS),
    st.integers(-3, 40).map(str),
    st.text(max_size=8),
    st.sampled_from([*planners.PLANNERS, *beliefs.BELIEFS, "true", "false", "game"]),
)
names = st.one_of(st.sampled_from(PARTS), st.sampled_from(TOKENS), st.text(max_size=6))
values = st.recursive(
    words,
    lambda inner: st.builds(
        lambda head, pairs: f"{head}({','.join(f'{name}={value}' for name, value in pairs)})",
        st.sampled_from([*planners.PLANNERS, *beliefs.BELIEFS, "playout", "turn", "game"]),
        st.lists(st.tuples(names, inner), max_size=3),
    ),
    max_leaves=6,
)


def texts(heads):
    """Texts of the form `head:name=value,...`."""
    return st.builds(
        lambda head, pairs: f"{head}:{','.join(f'{name}={value}' for name, value in pairs)}".encode(
            "utf-8", "replace"
        ),
        st.sampled_from(heads),
        st.lists(st.tuples(names, values), max_size=4),
    )


plain = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6),
    st.sampled_from(TOKENS), st.integers(0, 9),
)  # fmt: skip
anything = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
moves = st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(MOVE, anything)), max_size=3)
claims = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["tic-tac-toe", "kuhn-poker"]) | anything,
        "players": st.just(["random", "random"]) | st.just(["person:a", "random"]) | anything,
        "moves": moves | anything,
        "scores": st.lists(st.floats(-1, 1), max_size=3) | anything,
        "seed": st.integers(0, 99) | anything,
        "cheated": st.booleans() | anything,
    },
    optional={name: anything for name in CHECKS if name in ("start", "undone", "resumed", "rules")},
)


def sealed(values):
    return json.dumps({**values, DIGEST: digest_of(values)}).encode()


def toml(values):
    """A TOML text with any values; some are none of TOML, which is refused as well."""
    return "\n".join(f"{name} = {json.dumps(value)}" for name, value in values.items()).encode()


tables = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys((*KINDS, "meeting", "start", "on_fault", "key", "other"), anything),
        "games": st.lists(st.sampled_from(["tic-tac-toe", "pig:goal=5", "evil"]), max_size=2),
        "deals": st.integers(-2, 10**20),
    },
)
items = st.lists(
    st.tuples(
        st.sampled_from(["SIZEX", "SIZEY", "TURNLIMIT", "HPTHRESHOLD", "UNITNUMRED", "UNITNUMBLUE",
                         "AUTHOR", "MAPCOM", "UNIT", "MAP", ""]),
        st.lists(words, max_size=8).map(",".join),
    ),
    max_size=20,
)  # fmt: skip
decks = st.fixed_dictionaries(
    {}, optional={"general": anything, "cards": st.dictionaries(st.text(max_size=5), plain) | plain}
)

CASES = {
    "agents": (texts(list(planners.PLANNERS)), read_agent),
    "games": (texts(games.names()), read_game),
    "settings": (tables.map(toml), read_settings),
    "records": (claims.map(sealed), read_any_record),
    "maps": (
        items.map(lambda all_: "".join(f"{k}[{v}];\n" for k, v in all_).encode("utf-8", "replace")),
        read_map,
    ),
    "decks": ((decks | anything).map(lambda value: json.dumps(value).encode()), read_deck),
    "weights": (
        st.fixed_dictionaries({"weights": anything}).map(lambda value: json.dumps(value).encode()),
        read_weight,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_follows_the_grammar_is_read_or_refused_in_a_sentence(name, tmp_path):
    strategy, read = CASES[name]
    for planner in planners.PLANNERS if name == "agents" else ():  # compile or load them first
        flaw_of(Entry(name, lambda _: [], read), planner.encode(), tmp_path)

    @USUAL
    @given(strategy)
    def check(data):
        assert flaw_of(Entry(name, lambda _: [], read), data, tmp_path) == ""

    check()
